package db

import (
	"context"
	"fmt"
	"time"
)

// Decision settles one paused request. DecisionID is empty where nobody decided: the request
// expired or was cancelled.
type Decision struct {
	RunID      string
	RequestID  string
	DecisionID string
	Decision   string
	Comment    string
	DecidedAt  time.Time
}

// SaveDecision records a decision. A request has one for ever: a second is an error.
func (d *DB) SaveDecision(ctx context.Context, v Decision) error {
	_, err := d.sql.ExecContext(ctx, `INSERT INTO decisions (run_id, request_id, decision_id, decision, comment, decided_at) VALUES (?,?,?,?,?,?)`,
		v.RunID, v.RequestID, v.DecisionID, v.Decision, v.Comment, stamp(v.DecidedAt))
	if err != nil {
		return fmt.Errorf("save decision on request %s: %w", v.RequestID, err)
	}
	return nil
}

// Decisions reads the decisions of a run, oldest first.
func (d *DB) Decisions(ctx context.Context, runID string) ([]Decision, error) {
	rows, err := d.sql.QueryContext(ctx, `SELECT run_id, request_id, decision_id, decision, comment, decided_at
		FROM decisions WHERE run_id = ? ORDER BY decided_at, rowid`, runID)
	if err != nil {
		return nil, fmt.Errorf("read decisions of run %s: %w", runID, err)
	}
	list, err := collect(rows, func(row interface{ Scan(...any) error }) (Decision, error) {
		var v Decision
		var at int64
		err := row.Scan(&v.RunID, &v.RequestID, &v.DecisionID, &v.Decision, &v.Comment, &at)
		v.DecidedAt = timeOf(at)
		return v, err
	})
	if err != nil {
		return nil, fmt.Errorf("read decisions of run %s: %w", runID, err)
	}
	return list, nil
}
