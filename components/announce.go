package components

import (
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/locales"
)

// spoken is something said to a person who does not look: politely, or, where it cannot wait, at
// once.
type spoken struct {
	text   string
	urgent bool
}

// lostAfter is how long a connection may be gone before that is said.
const lostAfter = 10 * time.Second

// announcer tells what has changed between two states, for the session on screen. It never tells
// of text as it streams: the finished answer is told of once.
type announcer struct {
	lost bool // it was said that the connection is lost
}

// compare lists what to say. Going to another session says nothing: reading it does.
func (a *announcer) compare(p *Page, before, now *store.State) []spoken {
	is := now.Session(now.Current)
	if is == nil || before.Current != now.Current {
		a.lost = false
		return nil
	}
	var list []spoken
	list = append(list, a.connection(p, is.Conn)...)
	list = append(list, uploads(p, before.Composers[now.Current].Files, now.Composers[now.Current].Files)...)
	was := before.Session(now.Current)
	if was == nil || !was.Loaded || is.Last == nil {
		return list
	}
	return append(list, turnNews(p, was.TurnByKey(is.Last.Key), is.Last)...)
}

func (a *announcer) connection(p *Page, c store.Connection) []spoken {
	switch {
	case stale(c.Phase) && !a.lost && p.now().Sub(c.Since) >= lostAfter:
		a.lost = true
		return []spoken{{text: p.T(locales.ConnLost) + " " + p.T(locales.ConnContinues), urgent: true}}
	case a.lost && !stale(c.Phase) && c.Phase != store.PhaseConnecting:
		a.lost = false
		return []spoken{{text: p.T(locales.ConnRestored)}}
	}
	return nil
}

func uploads(p *Page, before, now []store.File) (list []spoken) {
	was := map[string]store.FileState{}
	for _, f := range before {
		was[f.ID] = f.State
	}
	for _, f := range now {
		if was[f.ID] != store.FileUploading || f.State == store.FileUploading {
			continue
		}
		name := locales.A("Name", shorten(f.Name, 80))
		if f.State == store.FileFailed {
			list = append(list, spoken{text: p.T(locales.AnnounceUploadFailed, name), urgent: true})
			continue
		}
		list = append(list, spoken{text: p.T(locales.AnnounceUploaded, name)})
	}
	return list
}

// turnNews compares two versions of the newest turn; was is nil for a new one.
func turnNews(p *Page, was, is *store.Turn) []spoken {
	if was == is {
		return nil
	}
	if was == nil {
		was = &store.Turn{Send: store.SendSubmitting, Run: store.NewRun("", "")}
	}
	var list []spoken
	if was.Run.ID == "" && is.Run.ID != "" && !is.Run.Ended() {
		list = append(list, spoken{text: p.T(locales.AnnounceRunStarted)})
	}
	if was.Send != is.Send && is.Send == store.SendUnsent {
		list = append(list, spoken{text: p.T(locales.TurnUnsent), urgent: true})
	}
	if was.Run != is.Run {
		list = append(list, runNews(p, was.Run, is.Run)...)
	}
	if ended(is) && !ended(was) {
		list = append(list, endNews(p, is))
	}
	return list
}

func ended(t *store.Turn) bool { return t.Run.Ended() && t.Confirmed }

func endNews(p *Page, t *store.Turn) spoken {
	switch t.Run.Status {
	case protocol.StatusFailed:
		return spoken{text: p.T(locales.TurnFailed), urgent: true}
	case protocol.StatusCancelled:
		return spoken{text: p.T(locales.TurnStopped)}
	}
	return spoken{text: p.T(locales.AnnounceAnswer)}
}

func runNews(p *Page, was, is *store.Run) []spoken {
	var list []spoken
	if request := is.Current(); request != "" && request != was.Current() {
		list = append(list, spoken{text: p.T(locales.AnnounceApproval, locales.A("Title", requestTitle(is, request))), urgent: true})
	}
	before, now := progressOf(was), progressOf(is)
	if now.steps > 0 && now.step != before.step && !is.Ended() {
		list = append(list, spoken{text: p.T(locales.AnnounceStep,
			locales.A("Step", itoa(now.step)), locales.A("Total", itoa(now.steps)), locales.A("Title", now.title))})
	}
	if now.call != "" && now.call == before.call && now.tenth > before.tenth {
		list = append(list, spoken{text: p.T(locales.JobEpoch, locales.A("Epoch", now.epoch), locales.A("Total", now.epochs))})
	}
	return list
}

// requestTitle names a request by its summary, or else by its tool.
func requestTitle(run *store.Run, id string) string {
	request, _ := run.Request(id)
	if request.Summary != "" {
		return shorten(request.Summary, 200)
	}
	return shorten(request.ToolName, 200)
}
