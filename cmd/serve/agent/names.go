package agent

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"igraph-console/cmd/serve/graphs"
)

// names finds node labels in text. It needs the graph, because labels may hold
// spaces, "and" and any other word; what is no label is cut out by the words
// around it, so that an answer can say which name was not found.
type names struct{ g *graphs.Graph }

// What is searched around a connective. Requests are short; the bounds keep a
// pasted document from taking seconds.
const (
	nameWindow  = 1000 // bytes to either side
	nameWords   = 12   // places where a name may begin or end
	connections = 50   // places of one connective
)

// pair finds the two ends of a path or an edge in a clause.
func (n names) pair(clause string) (from, to string, ok bool) {
	best := -1
	for _, connective := range connectives {
		for _, loc := range connective.FindAllStringIndex(clause, connections) {
			a, foundA := n.before(clause[:loc[0]])
			b, foundB := n.after(clause[loc[1]:])
			if a == "" || b == "" {
				continue
			}
			score := 0
			if foundA {
				score++
			}
			if foundB {
				score++
			}
			if score == 0 && weakConnective(connective) {
				continue
			}
			if score > best {
				best, from, to = score, a, b
			}
		}
	}
	return from, to, best >= 0
}

// weakConnective holds for those that also stand inside names and sentences,
// and count only between names of the graph.
func weakConnective(c *regexp.Regexp) bool {
	last := len(connectives)
	return c == connectives[last-1] || c == connectives[last-2]
}

// before finds the name that a text ends with: the longest that is a label,
// else what follows the last leading word.
func (n names) before(text string) (name string, found bool) {
	text = trimName(strings.ToValidUTF8(text[max(0, len(text)-nameWindow):], ""))
	if quoted, ok := quotedAt(text, true); ok {
		return n.resolve(quoted)
	}
	starts := boundaries(text, leadWords, true)
	for _, i := range starts[max(0, len(starts)-nameWords):] {
		if label, ok := n.resolve(trimName(text[i:])); ok {
			return label, true
		}
	}
	locs := leadWords.FindAllStringIndex(text, -1)
	for i := len(locs) - 1; i >= 0; i-- {
		// A leading word that nothing follows is itself the name, as in
		// "between a and b".
		if rest := trimName(text[locs[i][1]:]); rest != "" {
			return rest, false
		}
	}
	if len(locs) > 0 && locs[0][0] > 0 {
		return "", false // "show the" leads up to a name that is not there
	}
	return text, false
}

// after finds the name that a text begins with, leading words aside.
func (n names) after(text string) (name string, found bool) {
	text = trimName(strings.ToValidUTF8(text[:min(len(text), nameWindow)], ""))
	for {
		if quoted, ok := quotedAt(text, false); ok {
			return n.resolve(quoted)
		}
		ends := firstFew(boundaries(text, tailWords, false), nameWords)
		for _, i := range slices.Backward(ends) {
			if label, ok := n.resolve(trimName(text[:i])); ok {
				return label, true
			}
		}
		loc := leadWords.FindStringIndex(text)
		if loc == nil || loc[0] != 0 || loc[1] == len(text) {
			break
		}
		text = trimName(text[loc[1]:])
	}
	if loc := tailWords.FindStringIndex(text); loc != nil {
		text = text[:loc[0]]
	}
	return trimName(text), false
}

// resolve gives the graph's own spelling of a label, or the text as it is.
func (n names) resolve(text string) (string, bool) {
	if text == "" {
		return "", false
	}
	if label, ok := n.g.Resolve(text); ok {
		return label, true
	}
	// "1号" is node 1, unless the graph itself says "1号".
	if short, ok := strings.CutSuffix(text, "号"); ok {
		if label, ok := n.g.Resolve(short); ok {
			return label, true
		}
	}
	return text, false
}

// boundaries gives the places where a name may begin (or end): those between
// words, and around the words that lead up to a name (or follow it).
func boundaries(text string, words *regexp.Regexp, begin bool) []int {
	marked := map[int]bool{0: begin, len(text): !begin}
	space := false
	for i, r := range text {
		blank := unicode.IsSpace(r)
		if begin && space && !blank || !begin && blank && !space {
			marked[i] = true
		}
		space = blank
	}
	for _, loc := range words.FindAllStringIndex(text, -1) {
		if begin {
			marked[loc[1]] = true
		} else {
			marked[loc[0]] = true
		}
	}
	var places []int
	for i := 0; i <= len(text); i++ {
		if marked[i] {
			places = append(places, i)
		}
	}
	return places
}

// quotes are the marks that set a name off, opening and closing.
var quotes = [][2]string{{`"`, `"`}, {"“", "”"}, {"「", "」"}, {"『", "』"}, {"《", "》"}, {"`", "`"}, {"'", "'"}, {"‘", "’"}}

// quotedAt gives the quoted name at the end or the beginning of a text.
func quotedAt(text string, end bool) (string, bool) {
	for _, q := range quotes {
		if end && strings.HasSuffix(text, q[1]) {
			inner := strings.TrimSuffix(text, q[1])
			if i := strings.LastIndex(inner, q[0]); i >= 0 {
				return inner[i+len(q[0]):], true
			}
		}
		if !end && strings.HasPrefix(text, q[0]) {
			inner := strings.TrimPrefix(text, q[0])
			if i := strings.Index(inner, q[1]); i > 0 {
				return inner[:i], true
			}
		}
	}
	return "", false
}

// trimName drops white space and the punctuation of a sentence.
func trimName(text string) string {
	return strings.Trim(text, " \t\r\n　?？!！。，,;；:：、.")
}

// list splits what follows a verb into several names.
var listMark = regexp.MustCompile(`(?i)\s*[,，、;；]\s*(?:and\s+)?|\s+and\s+|\s*(?:和|与|以及)\s*`)

// list finds all the names a text gives, at least one unless it is empty. A
// text that is a label as a whole is one name, whatever words it holds.
func (n names) list(text string) []string {
	if name, found := n.after(text); found && trimName(stripLead(text)) == name {
		return []string{name}
	}
	text, held := holdQuotes(text)
	var found []string
	for _, part := range listMark.Split(text, -1) {
		if name, _ := n.after(held.restore(part)); name != "" {
			found = append(found, name)
		}
	}
	return found
}

// stripLead drops the leading words of a text.
func stripLead(text string) string {
	text = trimName(text)
	for {
		loc := leadWords.FindStringIndex(text)
		if loc == nil || loc[0] != 0 || loc[1] == len(text) {
			return text
		}
		text = trimName(text[loc[1]:])
	}
}

// objects finds the nodes that a clause adds or removes.
func (n names) objects(clause string) []string {
	clause = ownEdges.ReplaceAllString(clause, "")
	if m := objectBefore.FindStringSubmatch(clause); m != nil {
		return n.list(m[1])
	}
	if loc := objectVerb.FindStringIndex(clause); loc != nil {
		clause = clause[loc[1]:]
	}
	return n.list(clause)
}

var (
	objectBefore = regexp.MustCompile(`(?:把|将)\s*(.+?)\s*(?:从(?:图|网络)(?:中|里)?)?` + removeZH)
	objectVerb   = regexp.MustCompile(`(?i)\b(?:remove|delete|drop|erase|add|create|insert)\b|` + removeZH + `|` + addZH)
)

// centre finds the node whose neighbours a clause asks for.
func (n names) centre(clause string) string {
	loc := centreWords.FindStringIndex(clause)
	if loc == nil {
		return ""
	}
	left, right := clause[:loc[0]], clause[loc[1]:]
	after, foundAfter := n.after(right)
	before, foundBefore := n.before(possessive.ReplaceAllString(left, ""))
	switch {
	case foundAfter:
		return after
	case foundBefore:
		return before
	case centreFollows.MatchString(right) || strings.HasSuffix(clause[loc[0]:loc[1]], "o"):
		return after
	}
	return before
}

var (
	centreWords   = regexp.MustCompile(`(?i)\bneighbou?r(?:s|hood|ing)?(?:\s+nodes)?\b|\b(?:connected|linked|adjacent|next)\s+to\b|\bfriends\b|的?(?:直接)?(?:邻居|相邻|邻接|相连)`)
	possessive    = regexp.MustCompile(`['’]s\s*$|\s*的\s*$|\s*(?:和|与|跟)谁\s*$`)
	centreFollows = regexp.MustCompile(`(?i)^\s*(?:of|for|around|to|:|：)`)
)
