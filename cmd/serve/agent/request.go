package agent

import (
	"regexp"
	"strconv"
	"strings"

	"igraph-console/cmd/serve/graphs"
)

// taskKind is one thing that can be asked.
type taskKind int

const (
	taskNone taskKind = iota
	taskLoad
	taskDescribe
	taskDegrees
	taskPageRank
	taskBetweenness
	taskImportance // stands for PageRank and betweenness
	taskCommunities
	taskPath
	taskNeighbours
	taskTrain
	taskAddNode
	taskRemoveNode
	taskAddEdge
	taskRemoveEdge
)

// tools are the names under which tasks appear as tool calls.
var tools = map[taskKind]string{
	taskLoad:        "load_graph",
	taskDescribe:    "describe_graph",
	taskDegrees:     "degree_distribution",
	taskPageRank:    "pagerank",
	taskBetweenness: "betweenness",
	taskCommunities: "communities",
	taskPath:        "shortest_path",
	taskNeighbours:  "neighbours",
	taskTrain:       "train",
	taskAddNode:     "add_node",
	taskRemoveNode:  "remove_node",
	taskAddEdge:     "add_edge",
	taskRemoveEdge:  "remove_edge",
}

func (k taskKind) mutates() bool { return k >= taskAddNode }

// task is one thing asked, with the clause that asked it. Names are read from
// the clause only when the task's turn comes, against the graph of that moment.
type task struct {
	kind   taskKind
	clause string
	file   *Attachment // what to load; nil loads the karate club
}

// request is what was understood of a text.
type request struct {
	tasks  []task
	help   bool
	karate bool
}

// longestRequest bounds what is searched for requests, in bytes. A longer text
// is a document, and what it asks stands at its beginning.
const longestRequest = 8 << 10

// understand reads a text clause by clause. No task and no help means that
// nothing was understood.
func understand(text string) request {
	text = strings.ToValidUTF8(text[:min(len(text), longestRequest)], "")
	req := request{help: helpWords.MatchString(text), karate: karateWords.MatchString(text)}
	seen := map[taskKind]bool{}
	for _, clause := range clauses(text) {
		for _, kind := range kinds(clause) {
			// Analyses of the whole graph are done once; what names nodes may be
			// asked several times.
			if !kind.mutates() && kind != taskPath && kind != taskNeighbours {
				if seen[kind] {
					continue
				}
				seen[kind] = true
			}
			req.tasks = append(req.tasks, task{kind: kind, clause: clause})
		}
	}
	return req
}

// clauses splits a text where something new is asked. A piece in which nothing
// is recognised belongs to the one before it: "neighbours of 3, 4".
func clauses(text string) []string {
	text, held := holdQuotes(text)
	text = newClause.ReplaceAllString(text, "\n$1")
	text = newClauseZ.ReplaceAllString(text, "\n$1")
	var pieces []string
	start, mark := 0, ""
	for _, loc := range append(clauseEnd.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		piece := text[start:loc[0]]
		if len(pieces) > 0 && len(kinds(piece)) == 0 {
			pieces[len(pieces)-1] += mark + piece
		} else if strings.TrimSpace(piece) != "" {
			pieces = append(pieces, piece)
		}
		start, mark = loc[1], text[loc[0]:loc[1]]
	}
	for i := range pieces {
		pieces[i] = held.restore(pieces[i])
	}
	return pieces
}

// heldQuotes are quoted names taken out of a text while it is split.
type heldQuotes []string

var quotedName = regexp.MustCompile("\"[^\"\n]+\"|“[^”\n]+”|「[^」\n]+」|『[^』\n]+』|《[^》\n]+》|`[^`\n]+`")

func holdQuotes(text string) (string, heldQuotes) {
	var held heldQuotes
	text = strings.ReplaceAll(text, "\x00", "")
	text = quotedName.ReplaceAllStringFunc(text, func(q string) string {
		held = append(held, q)
		return "\x00" + strconv.Itoa(len(held)-1) + "\x00"
	})
	return text, held
}

var heldMark = regexp.MustCompile("\x00(\\d+)\x00")

func (h heldQuotes) restore(text string) string {
	return heldMark.ReplaceAllStringFunc(text, func(m string) string {
		i, err := strconv.Atoi(strings.Trim(m, "\x00"))
		if err != nil || i >= len(h) {
			return ""
		}
		return h[i]
	})
}

// kinds gives what a clause asks for, in the order of its words.
func kinds(clause string) []taskKind {
	plain := quotedName.ReplaceAllString(clause, " ")
	if kind := mutation(plain); kind != taskNone {
		return []taskKind{kind}
	}
	type hit struct {
		kind taskKind
		at   int
	}
	var hits []hit
	add := func(kind taskKind, at int) {
		for _, h := range hits {
			if h.kind == kind {
				return
			}
		}
		i := len(hits)
		for i > 0 && hits[i-1].at > at {
			i--
		}
		hits = append(hits[:i], append([]hit{{kind, at}}, hits[i:]...)...)
	}
	for _, r := range terms {
		for _, loc := range r.pattern.FindAllStringIndex(plain, -1) {
			add(r.task, loc[0])
		}
		plain = r.pattern.ReplaceAllStringFunc(plain, func(m string) string { return strings.Repeat(" ", len(m)) })
	}
	for _, r := range analyses {
		loc := r.pattern.FindStringIndex(plain)
		if loc == nil {
			continue
		}
		if r.task == taskImportance {
			add(taskPageRank, loc[0])
			add(taskBetweenness, loc[0])
			continue
		}
		add(r.task, loc[0])
	}
	found := make([]taskKind, len(hits))
	for i, h := range hits {
		found[i] = h.kind
	}
	return found
}

// mutation tells which change a clause asks for, if any.
func mutation(clause string) taskKind {
	if helpWords.MatchString(clause) || notChanges.MatchString(clause) {
		return taskNone
	}
	for _, r := range changes {
		if r.pattern.MatchString(clause) {
			return r.task
		}
	}
	return taskNone
}

// weightOf takes the weight out of a clause that names an edge.
func weightOf(clause string) (rest string, weight float64) {
	m := weightWords.FindStringSubmatchIndex(clause)
	if m == nil {
		return clause, 0
	}
	weight, err := strconv.ParseFloat(strings.TrimRight(clause[m[2]:m[3]], "."), 64)
	if err != nil {
		return clause, 0
	}
	return clause[:m[0]] + clause[m[1]:], weight
}

// trainOptions takes what a clause says of the training, on top of the defaults.
func trainOptions(clause string) graphs.TrainOptions {
	o := graphs.DefaultTrainOptions()
	if n, ok := number(epochWords, clause); ok {
		o.Epochs = int(n)
	}
	if n, ok := number(dimWords, clause); ok {
		o.Dim = int(n)
	}
	if n, ok := number(rateWords, clause); ok {
		o.LR = n
	}
	return o
}

func number(pattern *regexp.Regexp, clause string) (float64, bool) {
	m := pattern.FindStringSubmatch(clause)
	if m == nil {
		return 0, false
	}
	for _, group := range m[1:] {
		if group == "" {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimRight(group, "."), 64)
		return min(n, 1e9), err == nil
	}
	return 0, false
}
