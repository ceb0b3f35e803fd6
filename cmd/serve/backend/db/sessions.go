package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Session is one row of the session list. LastStatus is the status of its latest turn's run, empty
// without turns.
type Session struct {
	ID         string
	Title      string
	CreatedAt  time.Time
	UpdatedAt  time.Time
	LastStatus string
}

// Position is a place in the session list; the zero value is its beginning.
type Position struct {
	UpdatedAt time.Time
	ID        string
}

const sessionColumns = `session_id, title, created_at, updated_at, coalesce(
	(SELECT status FROM turns t WHERE t.session_id = s.session_id AND NOT replaced ORDER BY seq DESC LIMIT 1), '')`

func scanSession(row interface{ Scan(...any) error }) (Session, error) {
	var s Session
	var created, updated int64
	err := row.Scan(&s.ID, &s.Title, &created, &updated, &s.LastStatus)
	s.CreatedAt, s.UpdatedAt = timeOf(created), timeOf(updated)
	return s, err
}

// CreateSession adds a session.
func (d *DB) CreateSession(ctx context.Context, s Session) error {
	_, err := d.sql.ExecContext(ctx, "INSERT INTO sessions (session_id, title, created_at, updated_at) VALUES (?, ?, ?, ?)",
		s.ID, s.Title, stamp(s.CreatedAt), stamp(s.UpdatedAt))
	if err != nil {
		return fmt.Errorf("create session %s: %w", s.ID, err)
	}
	return nil
}

// Session reads one session, or ErrNotFound.
func (d *DB) Session(ctx context.Context, id string) (Session, error) {
	s, err := scanSession(d.sql.QueryRowContext(ctx, "SELECT "+sessionColumns+" FROM sessions s WHERE session_id = ?", id))
	if err != nil {
		return s, fmt.Errorf("read session %s: %w", id, notFound(err))
	}
	return s, nil
}

// Sessions lists at most limit sessions after a position, the most recently used first. A query
// keeps those whose title contains it, whatever the letter case.
func (d *DB) Sessions(ctx context.Context, after Position, query string, limit int) ([]Session, error) {
	where := []string{"1"}
	var args []any
	if after.ID != "" {
		where = append(where, "(updated_at, session_id) < (?, ?)")
		args = append(args, stamp(after.UpdatedAt), after.ID)
	}
	sqlText := "SELECT " + sessionColumns + " FROM sessions s WHERE " + strings.Join(where, " AND ") +
		" ORDER BY updated_at DESC, session_id DESC"
	rows, err := d.sql.QueryContext(ctx, sqlText, args...)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer rows.Close()
	// SQLite folds the case of ASCII letters only, so titles are compared here.
	query = strings.ToLower(query)
	list := []Session{}
	for len(list) < limit && rows.Next() {
		s, err := scanSession(rows)
		if err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		if strings.Contains(strings.ToLower(s.Title), query) {
			list = append(list, s)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return list, nil
}

// Rename gives a session a title, or returns ErrNotFound.
func (d *DB) Rename(ctx context.Context, id, title string) error {
	res, err := d.sql.ExecContext(ctx, "UPDATE sessions SET title = ? WHERE session_id = ?", title, id)
	return one(res, err, "rename session "+id)
}

// DeleteSession deletes a session with all that belongs to it, and the files that only its turns
// refer to.
func (d *DB) DeleteSession(ctx context.Context, id string) error {
	var orphans []string
	err := d.write(ctx, func(tx *sql.Tx) error {
		var err error
		orphans, err = column(ctx, tx, `SELECT DISTINCT token FROM attachments a JOIN turns t USING (turn_id)
			WHERE t.session_id = ?1 AND NOT EXISTS (SELECT 1 FROM attachments b JOIN turns u USING (turn_id)
				WHERE b.token = a.token AND u.session_id <> ?1)`, id)
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE session_id = ?", id)
		if err := one(res, err, "delete session "+id); err != nil {
			return err
		}
		for _, token := range orphans {
			if _, err := tx.ExecContext(ctx, "DELETE FROM uploads WHERE token = ?", token); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	return d.removeFiles(orphans)
}

// one makes ErrNotFound of a change that met no row.
func one(res sql.Result, err error, what string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if n == 0 {
		return fmt.Errorf("%s: %w", what, ErrNotFound)
	}
	return nil
}

func column(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]string, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}
