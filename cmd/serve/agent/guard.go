package agent

import (
	"context"

	"igraph-console/cmd/serve/graphs"
)

// guard keeps a cancelled run from telling anything more, wherever it is, save
// how a tool call ended.
type guard struct {
	ctx context.Context
	out Out
}

func (g guard) Plan(steps []Step) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.out.Plan(steps)
}

func (g guard) Reasoning(messageID, delta string) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.out.Reasoning(messageID, delta)
}

func (g guard) Message(messageID, format string) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.out.Message(messageID, format)
}

func (g guard) Delta(messageID, delta string) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.out.Delta(messageID, delta)
}

func (g guard) EndMessage(messageID string) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.out.EndMessage(messageID)
}

func (g guard) ToolStart(callID, tool string, args any, job bool) (context.Context, error) {
	if err := g.ctx.Err(); err != nil {
		return nil, err
	}
	return g.out.ToolStart(callID, tool, args, job)
}

func (g guard) ToolProgress(callID string, p Progress) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.out.ToolProgress(callID, p)
}

// ToolEnd passes even after a cancellation: the graph may have been stored just
// before it, and then the conversation must say so.
func (g guard) ToolEnd(callID string, status ToolStatus, result any, errMsg string) error {
	return g.out.ToolEnd(callID, status, result, errMsg)
}

func (g guard) Approve(req Approval) (Decision, error) {
	if err := g.ctx.Err(); err != nil {
		return Decision{}, err
	}
	return g.out.Approve(req)
}

func (g guard) SaveGraph(graph *graphs.Graph) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.out.SaveGraph(graph)
}

func (g guard) Skill(id, name, description, body string) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.out.Skill(id, name, description, body)
}
