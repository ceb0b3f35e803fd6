package db

import (
	"context"
	"fmt"
)

// SaveGraph makes body the current graph of a session, made by one of its turns.
func (d *DB) SaveGraph(ctx context.Context, sessionID, turnID string, body []byte) error {
	_, err := d.sql.ExecContext(ctx, "INSERT INTO graphs (session_id, turn_id, body) VALUES (?,?,?)", sessionID, turnID, body)
	if err != nil {
		return fmt.Errorf("save graph of session %s: %w", sessionID, err)
	}
	return nil
}

// Graph reads a session's current graph, or ErrNotFound.
func (d *DB) Graph(ctx context.Context, sessionID string) ([]byte, error) {
	var body []byte
	row := d.sql.QueryRowContext(ctx, "SELECT body FROM graphs WHERE session_id = ? ORDER BY seq DESC LIMIT 1", sessionID)
	if err := row.Scan(&body); err != nil {
		return nil, fmt.Errorf("read graph of session %s: %w", sessionID, notFound(err))
	}
	return body, nil
}
