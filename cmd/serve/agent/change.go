package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"igraph-console/cmd/serve/graphs"
)

// proposal is one change to be approved.
type proposal struct {
	kind     taskKind
	args     any
	mutation graphs.Mutation
	preview  graphs.Preview
	summary  string
}

// change asks for each change that a clause names, and makes those approved.
// Several nodes in one clause are several changes, each decided by itself; they
// are told as one finding each, the last one returned.
func (r *run) change(t task) (finding, error) {
	all := r.proposals(t)
	if len(all) == 0 {
		return r.call(r.refusal(t.kind, nil, errors.New(r.say("no_names_change"))))
	}
	for _, args := range all[:len(all)-1] {
		f, err := r.propose(t.kind, args)
		if err != nil {
			return f, err
		}
		r.findings = append(r.findings, f)
	}
	return r.propose(t.kind, all[len(all)-1])
}

// proposals reads the arguments of the changes out of a clause.
func (r *run) proposals(t task) []any {
	n := names{r.g}
	var all []any
	if t.kind == taskAddNode || t.kind == taskRemoveNode {
		for _, name := range n.objects(t.clause) {
			all = append(all, nodeArgs{label(name)})
		}
		return all
	}
	clause, weight := weightOf(t.clause)
	if t.kind == taskRemoveEdge {
		weight = 0
	}
	from, to, ok := n.pair(clause)
	if !ok {
		return nil
	}
	return append(all, edgeArgs{label(from), label(to), weight})
}

// propose puts one change before a person and does what was decided.
func (r *run) propose(kind taskKind, args any) (finding, error) {
	p, err := r.prepare(kind, args)
	if err != nil {
		return r.call(r.refusal(kind, args, err))
	}
	req := Approval{
		CallID:  r.newID(),
		Tool:    tools[kind],
		Args:    args,
		Reason:  r.say("change_reason"),
		Summary: p.summary,
		Preview: p.preview,
	}
	d, err := r.out.Approve(req)
	if err != nil {
		return finding{}, err
	}
	if d.Verdict != Approved && d.Verdict != Modified {
		f := finding{task: kind, outcome: cancelled, summary: p.summary}
		return f.decided(d), nil
	}
	f, err := r.carryOut(req.CallID, p, d)
	return f.decided(d), err
}

func (f finding) decided(d Decision) finding {
	f.verdict, f.comment = d.Verdict, strings.TrimSpace(d.Comment)
	return f
}

// carryOut makes an approved change with the effective arguments, which are
// checked again: they may not be the ones that were previewed.
func (r *run) carryOut(callID string, p proposal, d Decision) (finding, error) {
	if d.Verdict == Modified || len(d.Args) > 0 {
		effective, err := r.effective(p.kind, d.Args)
		if err != nil {
			j := r.refusal(p.kind, shown(d.Args), err)
			j.id = callID
			return r.call(j)
		}
		p = effective
	}
	f, err := r.call(job{id: callID, kind: p.kind, args: p.args, do: func(context.Context, string) (any, error) {
		changed, preview, err := r.g.Apply(p.mutation)
		if err != nil {
			return nil, err
		}
		if err := r.out.SaveGraph(changed); err != nil {
			return nil, outError{err}
		}
		r.g = changed
		return preview, nil
	}})
	f.summary = p.summary
	return f, err
}

// shown gives edited arguments as they came, if they can be shown at all.
func shown(args json.RawMessage) any {
	if !json.Valid(args) {
		return nil
	}
	return args
}

// effective reads edited arguments back into a change.
func (r *run) effective(kind taskKind, data json.RawMessage) (proposal, error) {
	var args any
	var err error
	if kind == taskAddNode || kind == taskRemoveNode {
		var a nodeArgs
		err = strictly(data, &a)
		args = a
	} else {
		var a edgeArgs
		err = strictly(data, &a)
		args = a
	}
	if err != nil {
		return proposal{}, errors.New(r.say("bad_edited_args", err.Error()))
	}
	return r.prepare(kind, args)
}

// prepare checks a change against the graph and says what it does.
func (r *run) prepare(kind taskKind, args any) (proposal, error) {
	p := proposal{kind: kind, args: args}
	switch a := args.(type) {
	case nodeArgs:
		if kind == taskAddNode {
			p.mutation.AddNodes = []string{string(a.Node)}
			break
		}
		if err := r.known(string(a.Node)); err != nil {
			return p, err
		}
		p.mutation.RemoveNodes = []string{string(a.Node)}
	case edgeArgs:
		e := graphs.Edge{From: string(a.Source), To: string(a.Target), Weight: a.Weight}
		if kind == taskAddEdge {
			p.mutation.AddEdges = []graphs.Edge{e}
			break
		}
		if err := r.known(e.From, e.To); err != nil {
			return p, err
		}
		p.mutation.RemoveEdges = []graphs.Edge{e}
	}
	var err error
	if p.preview, err = r.g.Preview(p.mutation); err != nil {
		return p, err
	}
	p.summary = r.summarise(p)
	return p, nil
}

// summarise says in one line what a change does. It is plain text, not Markdown.
func (r *run) summarise(p proposal) string {
	switch a := p.args.(type) {
	case nodeArgs:
		if p.kind == taskAddNode {
			return r.say("summary_add_node", a.Node)
		}
		return r.say("summary_remove_node", a.Node, count(len(p.preview.RemoveEdges)))
	case edgeArgs:
		if p.kind == taskRemoveEdge {
			return r.say("summary_remove_edge", a.Source, a.Target)
		}
		line := r.say("summary_add_edge", a.Source, a.Target)
		if len(p.preview.AddNodes) > 0 {
			line += r.say("summary_new_nodes", strings.Join(p.preview.AddNodes, r.say("separator_list")))
		}
		return line
	}
	return ""
}
