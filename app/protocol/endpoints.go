package protocol

import (
	"strconv"
	"strings"
)

// Request headers.
const (
	VersionHeader  = "X-iGraph-Stream-Version"
	VersionValue   = "2"
	LanguageHeader = "Accept-Language"
	EventStream    = "text/event-stream"
	JSONType       = "application/json"
)

// The endpoint table. Every path of the API is built here and nowhere else.
const (
	PathCapabilities = "/api/capabilities"
	PathSessions     = "/api/sessions"
	PathFiles        = "/api/files"
)

// PathSessionList lists sessions. limit 0 leaves the page size to the server.
func PathSessionList(cursor, query string, limit int) string {
	var q []string
	if cursor != "" {
		q = append(q, "cursor="+Escape(cursor))
	}
	if limit > 0 {
		q = append(q, "limit="+strconv.Itoa(limit))
	}
	if query != "" {
		q = append(q, "q="+Escape(query))
	}
	if len(q) == 0 {
		return PathSessions
	}
	return PathSessions + "?" + strings.Join(q, "&")
}

// PathSession is one session: GET, PATCH, DELETE.
func PathSession(sid string) string { return PathSessions + "/" + Escape(sid) }

// PathChat sends a message.
func PathChat(sid string) string { return PathSession(sid) + "/chat/stream" }

// PathFeedback decides a paused request.
func PathFeedback(sid string) string { return PathSession(sid) + "/feedback/stream" }

// PathResume observes a run again, after the given event index (-1: from the start).
func PathResume(sid, rid string, after int64) string {
	return PathSession(sid) + "/runs/" + Escape(rid) + "/resume?last_event_index=" + strconv.FormatInt(after, 10)
}

// PathSnapshot is a run's snapshot.
func PathSnapshot(sid, rid string) string {
	return PathSession(sid) + "/runs/" + Escape(rid) + "/snapshot"
}

// PathControl is the authoritative state of a run.
func PathControl(sid, rid string) string {
	return PathSession(sid) + "/runs/control?run_id=" + Escape(rid)
}

// PathControlByStart is the authoritative state of a run whose id is not known yet.
func PathControlByStart(sid, startRequestID string) string {
	return PathSession(sid) + "/runs/control?start_request_id=" + Escape(startRequestID)
}

// PathCancelRun asks for a run to be cancelled.
func PathCancelRun(sid string) string { return PathSession(sid) + "/runs/cancel" }

// PathCancelJob asks for one job to be cancelled.
func PathCancelJob(sid, jid string) string {
	return PathSession(sid) + "/jobs/" + Escape(jid) + "/cancel"
}

// PathJobControl is the authoritative state of one job.
func PathJobControl(sid, jid string) string {
	return PathSession(sid) + "/jobs/" + Escape(jid) + "/control"
}

// PathSkills lists a session's skill candidates.
func PathSkills(sid string) string { return PathSession(sid) + "/skill-candidates" }

// PathSkillDecision decides a skill candidate.
func PathSkillDecision(id string) string {
	return "/api/skill-candidates/" + Escape(id) + "/decision"
}

// Escape makes an id safe inside a path or a query. Ids are opaque, so anything may be in them.
// (net/url would do, but costs the client's binary more than these lines.)
func Escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if unreserved(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '~' || c == '.'
}
