package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"igraph-console/app/protocol"
	"igraph-console/cmd/serve/agent"
	"igraph-console/cmd/serve/backend/db"
	"igraph-console/cmd/serve/graphs"
)

// Pauses that make a run pleasant to watch, at pace 1.
const (
	paceDelta    = 20 * time.Millisecond
	paceProgress = 150 * time.Millisecond
	paceTool     = 300 * time.Millisecond
)

// output receives what the agent does and turns it into events. It is used by one goroutine.
//
// Events that belong together go into one frame: the start of a message waits for its first text,
// the end of a tool for the plan that ticks its step off. Whatever else comes sends them alone.
type output struct {
	run    *run
	ctx    context.Context
	planID string
	held   []protocol.Event
}

func newOutput(r *run) *output { return &output{run: r, ctx: r.ctx, planID: uuid.NewString()} }

// perform answers the turn with the agent.
func (r *run) perform(turn db.Turn, reasoning, planning string) func(context.Context) (*ending, error) {
	return func(ctx context.Context) (*ending, error) {
		request, err := r.srv.agentTurn(ctx, turn)
		if err != nil {
			return nil, err
		}
		request.Reasoning, request.Planning = reasoning, planning
		out := newOutput(r)
		err = r.srv.answer(ctx, request, out)
		return nil, errors.Join(err, out.release())
	}
}

// agentTurn collects what the agent needs to know: the message, its files and the session's graph.
func (s *Server) agentTurn(ctx context.Context, turn db.Turn) (agent.Turn, error) {
	request := agent.Turn{Text: turn.Text, Language: turn.Language, Format: turn.Format}
	for _, a := range turn.Attachments {
		data, err := s.db.Content(a.Token)
		if err != nil {
			return request, err
		}
		request.Attachments = append(request.Attachments, agent.Attachment{Name: a.Filename, Data: data})
	}
	body, err := s.db.Graph(ctx, turn.SessionID)
	if errors.Is(err, db.ErrNotFound) {
		return request, nil
	}
	if err != nil {
		return request, err
	}
	request.Graph = new(graphs.Graph)
	if err := json.Unmarshal(body, request.Graph); err != nil {
		return request, fmt.Errorf("read graph of session %s: %w", turn.SessionID, err)
	}
	return request, nil
}

// send emits events, with those held before them in the same frame if together is true.
func (o *output) send(together bool, events ...protocol.Event) error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	if !together {
		if err := o.release(); err != nil {
			return err
		}
	}
	all := append(o.held, events...)
	o.held = nil
	return o.run.emit(all...)
}

// release sends what is held. A run that was cancelled still says what it had finished.
func (o *output) release() error {
	if len(o.held) == 0 {
		return nil
	}
	held := o.held
	o.held = nil
	return o.run.emit(held...)
}

// hold keeps an event for the frame of the next.
func (o *output) hold(ev protocol.Event) error {
	if err := o.release(); err != nil {
		return err
	}
	o.held = append(o.held, ev)
	return nil
}

// holds reports whether an event of the kind that want accepts is held.
func (o *output) holds(want func(protocol.Event) bool) bool { return slices.ContainsFunc(o.held, want) }

func (o *output) pace(d time.Duration) {
	sleep(o.run.srv.clock, time.Duration(float64(d)*o.run.srv.cfg.Pace), o.ctx.Done())
}

// Plan implements agent.Out.
func (o *output) Plan(steps []agent.Step) error {
	plan := protocol.Plan{PlanID: o.planID, Steps: make([]protocol.PlanStep, len(steps))}
	for i, s := range steps {
		plan.Steps[i] = protocol.PlanStep{StepID: s.ID, Title: s.Title, Status: string(s.Status)}
	}
	together := o.holds(func(ev protocol.Event) bool { _, is := ev.(protocol.ToolEnd); return is })
	if err := o.send(together, protocol.PlanUpdate{Plan: plan}); err != nil {
		return err
	}
	o.run.saveNow()
	return nil
}

// Message implements agent.Out.
func (o *output) Message(messageID, format string) error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	return o.hold(protocol.MessageStart{MessageID: messageID, Format: format})
}

// startsMessage reports whether the start of this message waits for its first text.
func (o *output) startsMessage(messageID string) bool {
	return o.holds(func(ev protocol.Event) bool {
		start, is := ev.(protocol.MessageStart)
		return is && start.MessageID == messageID
	})
}

// Reasoning implements agent.Out.
func (o *output) Reasoning(messageID, delta string) error {
	defer o.pace(paceDelta)
	return o.send(o.startsMessage(messageID), protocol.ReasoningDelta{MessageID: messageID, Delta: delta})
}

// Delta implements agent.Out.
func (o *output) Delta(messageID, delta string) error {
	defer o.pace(paceDelta)
	return o.send(o.startsMessage(messageID), protocol.MessageDelta{MessageID: messageID, Delta: delta})
}

// EndMessage implements agent.Out.
func (o *output) EndMessage(messageID string) error {
	if err := o.send(o.startsMessage(messageID), protocol.MessageEnd{MessageID: messageID}); err != nil {
		return err
	}
	o.run.saveNow()
	return nil
}

// ToolStart implements agent.Out.
func (o *output) ToolStart(callID, tool string, args any, job bool) (context.Context, error) {
	raw, err := encodeJSON(args)
	if err != nil {
		return nil, fmt.Errorf("encode arguments of %s: %w", tool, err)
	}
	start := protocol.ToolStart{Tool: tool, CallID: callID, Args: protocol.RawJSON(raw), Job: job, StartedAt: o.run.srv.now()}
	ctx := o.ctx
	if job {
		ctx = o.run.addJob(ctx, callID)
	}
	if err := o.send(false, start); err != nil {
		return nil, err
	}
	if !job {
		o.pace(paceTool)
	}
	return ctx, nil
}

// ToolProgress implements agent.Out.
func (o *output) ToolProgress(callID string, p agent.Progress) error {
	defer o.pace(paceProgress)
	return o.send(false, protocol.ToolProgress{Tool: o.run.toolName(callID), CallID: callID, Progress: wireProgress(p)})
}

func wireProgress(p agent.Progress) *protocol.Progress {
	out := &protocol.Progress{Message: p.Message}
	if p.Epochs > 0 {
		epoch, epochs := float64(p.Epoch), float64(p.Epochs)
		out.Epoch, out.Epochs = &epoch, &epochs
	}
	if p.Fraction > 0 {
		fraction := p.Fraction
		out.Fraction = &fraction
	}
	names := make([]string, 0, len(p.Metrics))
	for name := range p.Metrics {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out.Metrics = append(out.Metrics, protocol.Metric{Name: name, Value: p.Metrics[name]})
	}
	return out
}

// ToolEnd implements agent.Out. It is taken even after a cancellation: what a tool has really done
// must show.
func (o *output) ToolEnd(callID string, status agent.ToolStatus, result any, errMsg string) error {
	end := protocol.ToolEnd{CallID: callID, Status: string(status), EndedAt: o.run.srv.now()}
	if status == agent.ToolSucceeded {
		raw, err := encodeJSON(result)
		if err != nil {
			return fmt.Errorf("encode the result of call %s: %w", callID, err)
		}
		end.Result = protocol.RawJSON(raw)
	}
	if errMsg != "" {
		raw, err := encodeJSON(errMsg)
		if err != nil {
			return fmt.Errorf("encode the error of call %s: %w", callID, err)
		}
		end.Error = protocol.RawJSON(raw)
	}
	if o.run.endJob(callID) && status == agent.ToolFailed {
		// Being stopped is what made it fail.
		end.Status = protocol.StatusCancelled
	}
	return o.hold(end)
}

// Approve implements agent.Out.
func (o *output) Approve(req agent.Approval) (agent.Decision, error) {
	args, err := encodeJSON(req.Args)
	if err != nil {
		return agent.Decision{}, fmt.Errorf("encode arguments of %s: %w", req.Tool, err)
	}
	now := o.run.srv.now()
	paused := protocol.PausedRequest{
		RequestID: uuid.NewString(), ToolCallID: req.CallID, ToolName: req.Tool, Args: protocol.RawJSON(args),
		Reason: req.Reason, Summary: req.Summary, Preview: wirePreview(req.Preview), CreatedAt: now,
	}
	if timeout := o.run.srv.cfg.ApprovalTimeout; timeout > 0 {
		paused.ExpiresAt = now.Add(timeout)
	}
	err = o.send(false, protocol.ApprovalRequired{Request: paused}, protocol.RunStatus{Status: protocol.StatusPaused})
	if err != nil {
		return agent.Decision{}, err
	}
	o.run.saveNow()
	answer, err := o.run.awaitDecision(o.ctx, paused.RequestID)
	if err != nil {
		return agent.Decision{}, err
	}
	o.run.saveNow()
	return agent.Decision{Verdict: agent.Verdict(answer.Decision), Comment: answer.Comment, Args: json.RawMessage(answer.EffectiveArgs)}, nil
}

func wirePreview(p graphs.Preview) *protocol.Preview {
	return &protocol.Preview{
		Kind:     protocol.PreviewGraphMutation,
		AddNodes: p.AddNodes, RemoveNodes: p.RemoveNodes,
		AddEdges: wireEdges(p.AddEdges), RemoveEdges: wireEdges(p.RemoveEdges),
		Before: &protocol.GraphCounts{Nodes: int64(p.NodesBefore), Edges: int64(p.EdgesBefore)},
		After:  &protocol.GraphCounts{Nodes: int64(p.NodesAfter), Edges: int64(p.EdgesAfter)},
	}
}

func wireEdges(edges []graphs.Edge) []protocol.Edge {
	list := make([]protocol.Edge, len(edges))
	for i, e := range edges {
		list[i] = protocol.Edge{Source: e.From, Target: e.To, Weight: e.Weight}
	}
	return list
}

// SaveGraph implements agent.Out.
func (o *output) SaveGraph(g *graphs.Graph) error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	body, err := json.Marshal(g)
	if err != nil {
		return fmt.Errorf("encode graph of session %s: %w", o.run.sessionID, err)
	}
	return o.run.srv.db.SaveGraph(o.ctx, o.run.sessionID, o.run.turnID, body)
}

// Skill implements agent.Out.
func (o *output) Skill(id, name, description, body string) error {
	skill := protocol.Skill{CandidateID: id, Name: name, Description: description, Body: body, Status: protocol.StatusPending}
	return o.send(false, protocol.SkillCandidate{Skill: skill})
}
