package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Turn is a person's message with its run. Status is the run's.
type Turn struct {
	ID             string
	SessionID      string
	RunID          string
	StartRequestID string
	Text           string
	Attachments    []Attachment
	Language       string
	Format         string
	Status         string
	ErrorCode      string
	ErrorMessage   string
	LastIndex      int64
	CreatedAt      time.Time
}

// Attachment refers to an upload.
type Attachment struct{ Token, Filename string }

// Item is one saved item of a run. Body is its JSON.
type Item struct {
	Pos      int
	Type, ID string
	Body     string
}

const turnColumns = `turn_id, session_id, run_id, start_request_id, text, language, format, status,
	error_code, error_message, last_index, created_at`

func scanTurn(row interface{ Scan(...any) error }) (Turn, error) {
	var t Turn
	var created int64
	err := row.Scan(&t.ID, &t.SessionID, &t.RunID, &t.StartRequestID, &t.Text, &t.Language, &t.Format, &t.Status,
		&t.ErrorCode, &t.ErrorMessage, &t.LastIndex, &created)
	t.CreatedAt = timeOf(created)
	return t, err
}

// StartTurn adds a turn. A turn it replaces disappears from the session, and so do the graphs that
// turn had made. A session without a title gets the given one.
func (d *DB) StartTurn(ctx context.Context, t Turn, replaces, title string) error {
	err := d.write(ctx, func(tx *sql.Tx) error {
		if replaces != "" {
			if _, err := tx.ExecContext(ctx, "UPDATE turns SET replaced = 1 WHERE turn_id = ?", replaces); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM graphs WHERE turn_id = ?", replaces); err != nil {
				return err
			}
		}
		// Only the newest graph can still be asked for: earlier ones served to undo a replaced turn.
		if _, err := tx.ExecContext(ctx, `DELETE FROM graphs WHERE session_id = ?1
			AND seq < (SELECT max(seq) FROM graphs WHERE session_id = ?1)`, t.SessionID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO turns ("+turnColumns+") VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
			t.ID, t.SessionID, t.RunID, t.StartRequestID, t.Text, t.Language, t.Format, t.Status,
			t.ErrorCode, t.ErrorMessage, t.LastIndex, stamp(t.CreatedAt))
		if err != nil {
			return err
		}
		for i, a := range t.Attachments {
			_, err := tx.ExecContext(ctx, "INSERT INTO attachments (turn_id, pos, token, filename) VALUES (?,?,?,?)", t.ID, i, a.Token, a.Filename)
			if err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, "UPDATE sessions SET updated_at = ?, title = CASE title WHEN '' THEN ? ELSE title END WHERE session_id = ?",
			stamp(t.CreatedAt), title, t.SessionID)
		return err
	})
	if err != nil {
		return fmt.Errorf("save turn %s: %w", t.ID, err)
	}
	return nil
}

// RunState is what changes in a turn while its run goes on.
type RunState struct {
	RunID        string
	Status       string
	ErrorCode    string
	ErrorMessage string
	LastIndex    int64
	At           time.Time
}

// SaveRun saves a run's state and the items that changed, together.
func (d *DB) SaveRun(ctx context.Context, s RunState, items []Item) error {
	err := d.write(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE turns SET status = ?, error_code = ?, error_message = ?, last_index = ? WHERE run_id = ?`,
			s.Status, s.ErrorCode, s.ErrorMessage, s.LastIndex, s.RunID)
		if err := one(res, err, "update turn"); err != nil {
			return err
		}
		for _, it := range items {
			_, err := tx.ExecContext(ctx, `INSERT INTO items (run_id, pos, type, id, body) VALUES (?,?,?,?,?)
				ON CONFLICT (run_id, pos) DO UPDATE SET body = excluded.body`, s.RunID, it.Pos, it.Type, it.ID, it.Body)
			if err != nil {
				return fmt.Errorf("%s %s: %w", it.Type, it.ID, err)
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET updated_at = max(updated_at, ?)
			WHERE session_id = (SELECT session_id FROM turns WHERE run_id = ?)`, stamp(s.At), s.RunID)
		return err
	})
	if err != nil {
		return fmt.Errorf("save run %s: %w", s.RunID, err)
	}
	return nil
}

// SaveItem saves one item of a run that is no longer in memory.
func (d *DB) SaveItem(ctx context.Context, runID string, it Item) error {
	res, err := d.sql.ExecContext(ctx, "UPDATE items SET body = ? WHERE run_id = ? AND pos = ?", it.Body, runID, it.Pos)
	return one(res, err, "save "+it.Type+" "+it.ID)
}

// Turns reads a session's turns, oldest first, without those that were replaced.
func (d *DB) Turns(ctx context.Context, sessionID string) ([]Turn, error) {
	return d.turns(ctx, "session_id = ? AND NOT replaced ORDER BY seq", sessionID)
}

// Unfinished reads the turns whose run has no end.
func (d *DB) Unfinished(ctx context.Context) ([]Turn, error) {
	return d.turns(ctx, "status IN ('running', 'paused', 'cancelling') ORDER BY seq")
}

// TurnByRun reads the turn of a run in a session, or ErrNotFound.
func (d *DB) TurnByRun(ctx context.Context, sessionID, runID string) (Turn, error) {
	return d.turn(ctx, "session_id = ? AND run_id = ?", sessionID, runID)
}

// TurnByStart reads the turn of a start request in a session, or ErrNotFound.
func (d *DB) TurnByStart(ctx context.Context, sessionID, startRequestID string) (Turn, error) {
	return d.turn(ctx, "session_id = ? AND start_request_id = ? AND start_request_id <> ''", sessionID, startRequestID)
}

// LatestTurn reads a session's latest turn, or ErrNotFound.
func (d *DB) LatestTurn(ctx context.Context, sessionID string) (Turn, error) {
	return d.turn(ctx, "session_id = ? AND NOT replaced ORDER BY seq DESC LIMIT 1", sessionID)
}

func (d *DB) turn(ctx context.Context, where string, args ...any) (Turn, error) {
	list, err := d.turns(ctx, where, args...)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("read turn: %w", ErrNotFound)
	}
	if err != nil {
		return Turn{}, err
	}
	return list[0], nil
}

func (d *DB) turns(ctx context.Context, where string, args ...any) ([]Turn, error) {
	rows, err := d.sql.QueryContext(ctx, "SELECT "+turnColumns+" FROM turns WHERE "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read turns: %w", err)
	}
	list, err := collect(rows, scanTurn)
	if err != nil {
		return nil, fmt.Errorf("read turns: %w", err)
	}
	for i := range list {
		if list[i].Attachments, err = d.attachments(ctx, list[i].ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (d *DB) attachments(ctx context.Context, turnID string) ([]Attachment, error) {
	rows, err := d.sql.QueryContext(ctx, "SELECT token, filename FROM attachments WHERE turn_id = ? ORDER BY pos", turnID)
	if err != nil {
		return nil, fmt.Errorf("read attachments of turn %s: %w", turnID, err)
	}
	return collect(rows, func(row interface{ Scan(...any) error }) (Attachment, error) {
		var a Attachment
		err := row.Scan(&a.Token, &a.Filename)
		return a, err
	})
}

const itemColumns = "pos, type, id, body"

func scanItem(row interface{ Scan(...any) error }) (Item, error) {
	var it Item
	err := row.Scan(&it.Pos, &it.Type, &it.ID, &it.Body)
	return it, err
}

// Items reads the saved items of a run, in order.
func (d *DB) Items(ctx context.Context, runID string) ([]Item, error) {
	rows, err := d.sql.QueryContext(ctx, "SELECT "+itemColumns+" FROM items WHERE run_id = ? ORDER BY pos", runID)
	if err != nil {
		return nil, fmt.Errorf("read items of run %s: %w", runID, err)
	}
	list, err := collect(rows, scanItem)
	if err != nil {
		return nil, fmt.Errorf("read items of run %s: %w", runID, err)
	}
	return list, nil
}

// FindItem finds an item of a session by type and id, with the run it belongs to, or ErrNotFound.
func (d *DB) FindItem(ctx context.Context, sessionID, typ, id string) (runID string, it Item, err error) {
	row := d.sql.QueryRowContext(ctx, `SELECT run_id, pos, type, id, body FROM items JOIN turns USING (run_id)
		WHERE session_id = ? AND type = ? AND id = ? ORDER BY seq DESC LIMIT 1`, sessionID, typ, id)
	if err := row.Scan(&runID, &it.Pos, &it.Type, &it.ID, &it.Body); err != nil {
		return "", it, fmt.Errorf("find %s %s: %w", typ, id, notFound(err))
	}
	return runID, it, nil
}

func collect[T any](rows *sql.Rows, scan func(interface{ Scan(...any) error }) (T, error)) ([]T, error) {
	defer rows.Close()
	list := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
