package db

import (
	"context"
	"fmt"
	"time"
)

// Skill is a skill candidate. Status is pending, approve or reject.
type Skill struct {
	ID          string
	SessionID   string
	RunID       string
	Name        string
	Description string
	Body        string
	Status      string
	DecisionID  string
	CreatedAt   time.Time
}

const skillColumns = "candidate_id, session_id, run_id, name, description, body, status, decision_id, created_at"

func scanSkill(row interface{ Scan(...any) error }) (Skill, error) {
	var s Skill
	var created int64
	err := row.Scan(&s.ID, &s.SessionID, &s.RunID, &s.Name, &s.Description, &s.Body, &s.Status, &s.DecisionID, &created)
	s.CreatedAt = timeOf(created)
	return s, err
}

// AddSkill adds a candidate; one that is there already stays as it is.
func (d *DB) AddSkill(ctx context.Context, s Skill) error {
	_, err := d.sql.ExecContext(ctx, "INSERT INTO skills ("+skillColumns+") VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
		s.ID, s.SessionID, s.RunID, s.Name, s.Description, s.Body, s.Status, s.DecisionID, stamp(s.CreatedAt))
	if err != nil {
		return fmt.Errorf("add skill candidate %s: %w", s.ID, err)
	}
	return nil
}

// Skill reads one candidate, or ErrNotFound.
func (d *DB) Skill(ctx context.Context, id string) (Skill, error) {
	s, err := scanSkill(d.sql.QueryRowContext(ctx, "SELECT "+skillColumns+" FROM skills WHERE candidate_id = ?", id))
	if err != nil {
		return s, fmt.Errorf("read skill candidate %s: %w", id, notFound(err))
	}
	return s, nil
}

// Skills reads the candidates of a session's turns, oldest first.
func (d *DB) Skills(ctx context.Context, sessionID string) ([]Skill, error) {
	rows, err := d.sql.QueryContext(ctx, "SELECT "+skillColumns+` FROM skills WHERE session_id = ?
		AND run_id NOT IN (SELECT run_id FROM turns WHERE replaced) ORDER BY rowid`, sessionID)
	if err != nil {
		return nil, fmt.Errorf("list skill candidates: %w", err)
	}
	list, err := collect(rows, scanSkill)
	if err != nil {
		return nil, fmt.Errorf("list skill candidates: %w", err)
	}
	return list, nil
}

// DecideSkill decides a candidate if it is still pending, and tells whether it was.
func (d *DB) DecideSkill(ctx context.Context, id, decision, decisionID, comment string) (decided bool, err error) {
	res, err := d.sql.ExecContext(ctx, "UPDATE skills SET status = ?, decision_id = ?, comment = ? WHERE candidate_id = ? AND status = 'pending'",
		decision, decisionID, comment, id)
	if err != nil {
		return false, fmt.Errorf("decide skill candidate %s: %w", id, err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("decide skill candidate %s: %w", id, err)
	}
	return n == 1, nil
}
