package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"igraph-console/cmd/serve/graphs"
)

// How much of a long result is kept. The whole of it would be stored with the
// turn and sent to every observer.
const (
	keptScores      = 20
	keptCommunities = 30
	keptMembers     = 50
	keptNeighbours  = 100
	suggestions     = 3
)

// outcome says how a task ended.
type outcome int

const (
	succeeded outcome = iota
	failed
	cancelled // the job was cancelled, or a person said no
)

// finding is what one task gave for the answer.
type finding struct {
	task    taskKind
	outcome outcome
	result  any    // of the tool, if it succeeded
	problem string // why it failed, in the language of the turn
	text    string // what to say instead of a result
	summary string // one line about a change
	comment string // of the person who decided
	verdict Verdict
}

// job is one tool call.
type job struct {
	id   string // empty for a new one
	kind taskKind
	args any
	long bool // can be cancelled alone
	do   func(ctx context.Context, callID string) (any, error)
	// stopped words a cancellation; nil has the usual one.
	stopped func() string
}

// perform runs one task to its finding. The error ends the run.
func (r *run) perform(t task) (finding, error) {
	if t.kind == taskLoad {
		return r.load(t)
	}
	if r.g.NodeCount() == 0 && t.kind != taskAddNode && t.kind != taskAddEdge && t.kind != taskDescribe {
		return r.call(r.refusal(t.kind, nil, errors.New(r.say("empty_graph"))))
	}
	switch t.kind {
	case taskDescribe:
		return r.call(job{kind: t.kind, do: func(ctx context.Context, _ string) (any, error) { return r.g.Summary(ctx) }})
	case taskDegrees:
		return r.call(job{kind: t.kind, do: r.degrees})
	case taskPageRank:
		return r.call(job{kind: t.kind, do: r.pageRank})
	case taskBetweenness:
		return r.call(job{kind: t.kind, do: r.betweenness})
	case taskCommunities:
		return r.call(job{kind: t.kind, do: r.communities})
	case taskPath:
		return r.path(t)
	case taskNeighbours:
		return r.neighbours(t)
	case taskTrain:
		return r.train(t)
	}
	return r.change(t)
}

// call runs a tool call from its start to its end.
func (r *run) call(j job) (finding, error) {
	f := finding{task: j.kind}
	if j.id == "" {
		j.id = r.newID()
	}
	if j.args == nil {
		j.args = struct{}{}
	}
	ctx, err := r.out.ToolStart(j.id, tools[j.kind], j.args, j.long)
	if err != nil {
		return f, err
	}
	f.result, err = j.do(ctx, j.id)
	var refused outError
	if errors.As(err, &refused) {
		return f, refused.error
	}
	switch {
	case err == nil:
		return f, r.out.ToolEnd(j.id, ToolSucceeded, f.result, "")
	case r.ctx.Err() != nil:
		return f, r.ctx.Err()
	case ctx.Err() != nil:
		f.outcome, f.result = cancelled, nil
		f.text = r.say("tool_stopped")
		if j.stopped != nil {
			f.text = j.stopped()
		}
		return f, r.out.ToolEnd(j.id, ToolCancelled, nil, r.say("cancelled_error"))
	}
	f.outcome, f.result = failed, nil
	f.problem = r.explain(err)
	f.text = r.say("failed", escape(strings.TrimRight(f.problem, ".。"))) + r.suggest(err)
	return f, r.out.ToolEnd(j.id, ToolFailed, nil, f.problem)
}

// outError is an error of Out met inside a tool call: the run must stop with it.
type outError struct{ error }

func (e outError) Unwrap() error { return e.error }

// explain gives an error's message in the language of the turn.
func (r *run) explain(err error) string {
	var known *graphs.Error
	if errors.As(err, &known) {
		return known.In(r.turn.Language)
	}
	return err.Error()
}

// unknownNode carries the name that was not found, for the near matches.
type unknownNode struct {
	error
	name string
}

func (e unknownNode) Unwrap() error { return e.error }

// suggest names labels like the one that was not found.
func (r *run) suggest(err error) string {
	var unknown unknownNode
	if !errors.As(err, &unknown) {
		return ""
	}
	near := r.g.Similar(unknown.name, suggestions)
	if len(near) == 0 {
		return ""
	}
	for i, label := range near {
		near[i] = "**" + escape(label) + "**"
	}
	return " " + r.say("did_you_mean", strings.Join(near, r.say("or")))
}

// refusal is a tool call that fails with an error known beforehand, so that
// what was tried shows in the conversation.
func (r *run) refusal(kind taskKind, args any, err error) job {
	return job{kind: kind, args: args, do: func(context.Context, string) (any, error) { return nil, err }}
}

// known looks names up as they will be used.
func (r *run) known(labels ...string) error {
	for _, label := range labels {
		if r.g.HasNode(label) {
			continue
		}
		_, err := r.g.NeighboursOf(label)
		return unknownNode{err, label}
	}
	return nil
}

type loadArgs struct {
	Name     string `json:"name"`
	Bytes    int    `json:"bytes,omitempty"`
	Directed bool   `json:"directed,omitempty"`
}

type loadResult struct {
	Name     string         `json:"name"`
	Nodes    int            `json:"nodes"`
	Edges    int            `json:"edges"`
	Directed bool           `json:"directed"`
	Weights  graphs.Weights `json:"weights"`
	Notes    []string       `json:"notes"`
}

func (r *run) load(t task) (finding, error) {
	j := job{kind: taskLoad, args: loadArgs{Name: "karate"}}
	j.do = func(context.Context, string) (any, error) { return r.adopt(graphs.Karate()) }
	if t.file != nil {
		opts := graphs.Options{Directed: directedWord.MatchString(r.turn.Text) && !undirected.MatchString(r.turn.Text)}
		j.args = loadArgs{t.file.Name, len(t.file.Data), opts.Directed}
		j.do = func(context.Context, string) (any, error) {
			g, err := graphs.Load(t.file.Name, t.file.Data, opts)
			if err != nil {
				return nil, err
			}
			return r.adopt(g)
		}
	}
	f, err := r.call(j)
	if f.outcome == failed {
		f.text = r.say("load_failed", "**"+escape(t.file.Name)+"**", escape(strings.TrimRight(f.problem, ".。")))
	}
	return f, err
}

// adopt makes a graph the session's, stored before anything is said of it.
func (r *run) adopt(g *graphs.Graph) (loadResult, error) {
	if err := r.out.SaveGraph(g); err != nil {
		return loadResult{}, outError{err}
	}
	r.g = g
	result := loadResult{g.Name(), g.NodeCount(), g.EdgeCount(), g.Directed(), g.Weights(), []string{}}
	for _, n := range g.Notes() {
		result.Notes = append(result.Notes, n.In(r.turn.Language))
	}
	return result, nil
}

func (r *run) degrees(ctx context.Context, _ string) (any, error) {
	d, err := r.g.DegreeDistribution(ctx)
	d.Ranking = firstFew(d.Ranking, keptScores)
	return d, err
}

func (r *run) pageRank(ctx context.Context, _ string) (any, error) {
	p, err := r.g.PageRank(ctx)
	p.Scores = firstFew(p.Scores, keptScores)
	return p, err
}

func (r *run) betweenness(ctx context.Context, _ string) (any, error) {
	b, err := r.g.Betweenness(ctx)
	b.Scores = firstFew(b.Scores, keptScores)
	return b, err
}

// communityResult tells the number of communities apart from the list, which
// may be cut.
type communityResult struct {
	Count int `json:"count"`
	graphs.Communities
}

func (r *run) communities(ctx context.Context, _ string) (any, error) {
	c, err := r.g.Communities(ctx)
	if err != nil {
		return nil, err
	}
	result := communityResult{len(c.Communities), c}
	result.Communities.Communities = firstFew(c.Communities, keptCommunities)
	for i, members := range result.Communities.Communities {
		result.Communities.Communities[i].Nodes = firstFew(members.Nodes, keptMembers)
	}
	return result, nil
}

func firstFew[T any](list []T, n int) []T { return list[:min(n, len(list))] }

type pathArgs struct {
	From   string `json:"from"`
	To     string `json:"to"`
	ByHops bool   `json:"by_hops,omitempty"`
}

func (r *run) path(t task) (finding, error) {
	from, to, ok := names{r.g}.pair(t.clause)
	args := pathArgs{from, to, hopWords.MatchString(t.clause)}
	if !ok {
		return r.call(r.refusal(t.kind, nil, errors.New(r.say("no_names_path"))))
	}
	if err := r.known(from, to); err != nil {
		return r.call(r.refusal(t.kind, args, err))
	}
	return r.call(job{kind: t.kind, args: args, do: func(ctx context.Context, _ string) (any, error) {
		return r.g.ShortestPath(ctx, from, to, args.ByHops)
	}})
}

type nodeArgs struct {
	Node label `json:"node"`
}

func (r *run) neighbours(t task) (finding, error) {
	name := names{r.g}.centre(t.clause)
	args := nodeArgs{label(name)}
	if name == "" {
		return r.call(r.refusal(t.kind, nil, errors.New(r.say("no_name_centre"))))
	}
	if err := r.known(name); err != nil {
		return r.call(r.refusal(t.kind, args, err))
	}
	return r.call(job{kind: t.kind, args: args, do: func(context.Context, string) (any, error) {
		n, err := r.g.NeighboursOf(name)
		n.Neighbours = firstFew(n.Neighbours, keptNeighbours)
		return n, err
	}})
}

func (r *run) train(t task) (finding, error) {
	o := trainOptions(t.clause)
	done := 0
	j := job{kind: t.kind, args: o, long: true}
	j.stopped = func() string { return r.say("train_cancelled", count(done), count(o.Epochs)) }
	j.do = func(ctx context.Context, callID string) (any, error) {
		return r.g.Train(ctx, o, func(e graphs.Epoch) error {
			done = e.N
			err := r.out.ToolProgress(callID, Progress{
				Epoch:    e.N,
				Epochs:   e.Of,
				Fraction: float64(e.N) / float64(e.Of),
				Metrics:  map[string]float64{"loss": e.Loss, "val_loss": e.ValLoss, "auc": e.AUC},
			})
			if err != nil {
				return outError{err}
			}
			return ctx.Err()
		})
	}
	return r.call(j)
}

// label is a node label in arguments that a person may have edited, where a
// number is as good as a text.
type label string

func (l *label) UnmarshalJSON(data []byte) error {
	var n json.Number
	if len(data) > 0 && data[0] != '"' && json.Unmarshal(data, &n) == nil {
		*l = label(n.String())
		return nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("a node must be a string: %w", err)
	}
	*l = label(strings.TrimSpace(s))
	return nil
}

type edgeArgs struct {
	Source label   `json:"source"`
	Target label   `json:"target"`
	Weight float64 `json:"weight,omitempty"`
}

// strictly decodes edited arguments, refusing what would be ignored.
func strictly(data json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}
