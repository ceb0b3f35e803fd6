package sim

import (
	"strings"

	"igraph-console/app/wire"
)

// Fates holds what happens to requests, by their kind: the first of Next, used once, else Always,
// else nothing.
type Fates struct {
	Next   map[string][]Fate
	Always map[string]Fate
}

// Of is the fate of a request.
func (f *Fates) Of(req wire.Request) Fate {
	kind := Kind(req)
	if next := f.Next[kind]; len(next) > 0 {
		f.Next[kind] = next[1:]
		return next[0]
	}
	return f.Always[kind]
}

// Kind names what a request asks for: chat, feedback, resume, snapshot, control, cancel, job cancel,
// job control, skills, skill decision, upload, session, sessions or capabilities.
func Kind(req wire.Request) string {
	path, _, _ := strings.Cut(req.Path, "?")
	parts := strings.Split(strings.TrimPrefix(path, "/api/"), "/")
	last := parts[len(parts)-1]
	switch {
	case last == "stream":
		return parts[len(parts)-2]
	case parts[0] == "skill-candidates":
		return "skill decision"
	case last == "skill-candidates":
		return "skills"
	case len(parts) > 3 && parts[2] == "jobs":
		return "job " + last
	case parts[0] == "files":
		return "upload"
	case parts[0] == "sessions" && len(parts) == 2:
		return "session"
	}
	return last
}
