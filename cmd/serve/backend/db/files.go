package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// uploadsDir holds the contents of uploaded files, named by token, below the data directory.
const uploadsDir = "uploads"

// Upload is an uploaded file. Filename is as the person's system named it, Size is in bytes.
type Upload struct {
	Token     string
	Filename  string
	Size      int64
	CreatedAt time.Time
}

// SaveUpload stores a file. It is registered last, so that a token never leads to half a file.
func (d *DB) SaveUpload(ctx context.Context, u Upload, content io.Reader) error {
	path := d.uploadPath(u.Token)
	if err := writeFile(path, content); err != nil {
		return fmt.Errorf("store upload %s: %w", u.Token, errors.Join(err, remove(path)))
	}
	_, err := d.sql.ExecContext(ctx, "INSERT INTO uploads (token, filename, size, created_at) VALUES (?,?,?,?)",
		u.Token, u.Filename, u.Size, stamp(u.CreatedAt))
	if err != nil {
		return fmt.Errorf("store upload %s: %w", u.Token, errors.Join(err, remove(path)))
	}
	return nil
}

// Upload reads the register of uploads, or returns ErrNotFound.
func (d *DB) Upload(ctx context.Context, token string) (Upload, error) {
	u := Upload{Token: token}
	var created int64
	row := d.sql.QueryRowContext(ctx, "SELECT filename, size, created_at FROM uploads WHERE token = ?", token)
	if err := row.Scan(&u.Filename, &u.Size, &created); err != nil {
		return u, fmt.Errorf("read upload: %w", notFound(err))
	}
	u.CreatedAt = timeOf(created)
	return u, nil
}

// Content reads an uploaded file that is registered.
func (d *DB) Content(token string) ([]byte, error) {
	data, err := os.ReadFile(d.uploadPath(token))
	if err != nil {
		return nil, fmt.Errorf("read upload %s: %w", token, err)
	}
	return data, nil
}

// uploadPath is safe for registered tokens only: those the backend made.
func (d *DB) uploadPath(token string) string { return filepath.Join(d.dir, uploadsDir, token) }

func (d *DB) removeFiles(tokens []string) error {
	var errs []error
	for _, token := range tokens {
		errs = append(errs, remove(d.uploadPath(token)))
	}
	return errors.Join(errs...)
}

func writeFile(path string, content io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

func remove(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
