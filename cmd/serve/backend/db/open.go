package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// FileName is the database's name below the data directory.
const FileName = "igraph.db"

// version of the schema, kept in the file. A file with a higher one was written by a newer program.
const version = 1

const schema = `
CREATE TABLE sessions (
	session_id TEXT PRIMARY KEY,
	title      TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
);
CREATE INDEX sessions_by_update ON sessions (updated_at DESC, session_id DESC);
CREATE TABLE turns (
	seq              INTEGER PRIMARY KEY,
	turn_id          TEXT NOT NULL UNIQUE,
	session_id       TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
	run_id           TEXT NOT NULL UNIQUE,
	start_request_id TEXT NOT NULL,
	text             TEXT NOT NULL,
	language         TEXT NOT NULL,
	format           TEXT NOT NULL,
	status           TEXT NOT NULL,
	error_code       TEXT NOT NULL DEFAULT '',
	error_message    TEXT NOT NULL DEFAULT '',
	last_index       INTEGER NOT NULL DEFAULT -1,
	replaced         INTEGER NOT NULL DEFAULT 0,
	created_at       INTEGER NOT NULL
);
CREATE UNIQUE INDEX turns_by_start ON turns (session_id, start_request_id) WHERE start_request_id <> '';
CREATE INDEX turns_by_session ON turns (session_id, seq);
CREATE INDEX turns_unfinished ON turns (status) WHERE status IN ('running', 'paused', 'cancelling');
CREATE TABLE attachments (
	turn_id  TEXT NOT NULL REFERENCES turns (turn_id) ON DELETE CASCADE,
	pos      INTEGER NOT NULL,
	token    TEXT NOT NULL,
	filename TEXT NOT NULL,
	PRIMARY KEY (turn_id, pos)
) WITHOUT ROWID;
CREATE INDEX attachments_by_token ON attachments (token);
CREATE TABLE items (
	run_id TEXT NOT NULL REFERENCES turns (run_id) ON DELETE CASCADE,
	pos    INTEGER NOT NULL,
	type   TEXT NOT NULL,
	id     TEXT NOT NULL,
	body   TEXT NOT NULL,
	PRIMARY KEY (run_id, pos)
);
CREATE INDEX items_by_id ON items (id, type);
CREATE TABLE decisions (
	run_id      TEXT NOT NULL REFERENCES turns (run_id) ON DELETE CASCADE,
	request_id  TEXT NOT NULL,
	decision_id TEXT NOT NULL,
	decision    TEXT NOT NULL,
	comment     TEXT NOT NULL,
	decided_at  INTEGER NOT NULL,
	PRIMARY KEY (run_id, request_id)
);
CREATE TABLE skills (
	candidate_id TEXT PRIMARY KEY,
	session_id   TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
	run_id       TEXT NOT NULL REFERENCES turns (run_id) ON DELETE CASCADE,
	name         TEXT NOT NULL,
	description  TEXT NOT NULL,
	body         TEXT NOT NULL,
	status       TEXT NOT NULL DEFAULT 'pending',
	decision_id  TEXT NOT NULL DEFAULT '',
	comment      TEXT NOT NULL DEFAULT '',
	created_at   INTEGER NOT NULL
);
CREATE INDEX skills_by_session ON skills (session_id);
CREATE TABLE graphs (
	seq        INTEGER PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
	turn_id    TEXT NOT NULL REFERENCES turns (turn_id) ON DELETE CASCADE,
	body       BLOB NOT NULL
);
CREATE INDEX graphs_by_session ON graphs (session_id, seq);
CREATE TABLE uploads (
	token      TEXT PRIMARY KEY,
	filename   TEXT NOT NULL,
	size       INTEGER NOT NULL,
	created_at INTEGER NOT NULL
);
`

// ErrNotFound is returned for a record that is not there.
var ErrNotFound = errors.New("not found")

// OpenError says why a data directory cannot be used, and what to do about it.
type OpenError struct {
	Dir    string
	Remedy string
	Err    error
}

func (e *OpenError) Error() string {
	return fmt.Sprintf("cannot use the data directory %s: %v. %s", e.Dir, e.Err, e.Remedy)
}

func (e *OpenError) Unwrap() error { return e.Err }

// DB is the open database.
type DB struct {
	sql *sql.DB
	dir string
}

// Open opens the database below dir and makes both where they are missing. The error is an
// *OpenError.
func Open(ctx context.Context, dir string) (*DB, error) {
	if err := prepareDir(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, FileName)
	fail := func(err error) error {
		return &OpenError{Dir: dir, Remedy: remedy(err, path), Err: err}
	}
	handle, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fail(err)
	}
	// One connection: SQLite has one writer anyway, and readers then never see it as busy.
	handle.SetMaxOpenConns(1)
	d := &DB{sql: handle, dir: dir}
	if err := d.migrate(ctx); err != nil {
		return nil, fail(errors.Join(err, handle.Close()))
	}
	return d, nil
}

// dsn asks for a write-ahead log, which survives a killed process; for foreign keys, which delete
// what belongs to a session together with it; and for the file alone: a second process would take
// the runs of the first for interrupted ones. Without OmitHost the first part of a relative
// path would be taken for a host.
func dsn(path string) string {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	u.RawQuery = url.Values{"_pragma": {
		"busy_timeout(1000)", "locking_mode(EXCLUSIVE)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(ON)",
	}}.Encode()
	return u.String()
}

// Close closes the database.
func (d *DB) Close() error { return d.sql.Close() }

func prepareDir(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return &OpenError{Dir: dir, Remedy: "Name a directory with -data.", Err: errors.New("it is a file")}
	}
	if err := os.MkdirAll(filepath.Join(dir, uploadsDir), 0o700); err != nil {
		return &OpenError{Dir: dir, Remedy: "Make it writable, or name another directory with -data.", Err: err}
	}
	// A directory that exists may still refuse new files; the database would say so much later and
	// much less clearly.
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return &OpenError{Dir: dir, Remedy: "Make it writable, or name another directory with -data.", Err: err}
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

var errNewer = errors.New("its database was written by a newer version of this program")

func remedy(err error, path string) string {
	var e *sqlite.Error
	switch {
	case errors.Is(err, errNewer):
		return "Use that version, or name another directory with -data."
	case !errors.As(err, &e):
		return "Name another directory with -data."
	case e.Code()&0xff == sqlite3.SQLITE_NOTADB || e.Code()&0xff == sqlite3.SQLITE_CORRUPT:
		return "The database is damaged: move " + path + " away (a new one is then made), or restore it from a copy."
	case e.Code()&0xff == sqlite3.SQLITE_BUSY || e.Code()&0xff == sqlite3.SQLITE_LOCKED:
		return "Another process uses it: end that one, or name another directory with -data."
	}
	return "Make " + path + " readable and writable, or name another directory with -data."
}

func (d *DB) migrate(ctx context.Context) error {
	var have int
	if err := d.sql.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return fmt.Errorf("read its version: %w", err)
	}
	if have > version {
		return errNewer
	}
	if have == version {
		return d.check(ctx)
	}
	return d.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return fmt.Errorf("make its tables: %w", err)
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
		return err
	})
}

// check reads the whole file once, so that damage shows at the start and not in the middle of an
// answer.
func (d *DB) check(ctx context.Context) error {
	var verdict string
	if err := d.sql.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check it: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("its database is damaged (%s): move the file %s away, or restore it from a copy", verdict, FileName)
	}
	return nil
}

// write runs f in a transaction.
func (d *DB) write(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := d.sql.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Times are stored as microseconds since 1970, UTC.
func stamp(t time.Time) int64 { return t.UnixMicro() }

func timeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}
