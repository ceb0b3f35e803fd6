package store

import (
	"time"

	"igraph-console/app/protocol"
)

// State is everything the page shows, at one moment. It is immutable.
type State struct {
	Rev       uint64
	Caps      protocol.Capabilities
	Lang      string // language of the interface: en or zh
	Theme     string // light, dark or system
	Notify    bool   // the person wants the browser to tell of requests that wait
	Online    bool
	Sessions  SessionList
	Current   string               // session on screen; "" is a new chat
	Decisions map[ActKey]Decision  // acts of deciding, by run and request id
	Skills    map[string]Decision  // acts of deciding skill candidates, by candidate id
	Jobs      map[ActKey]JobCancel // acts of cancelling a job, by session and call id
	Composers map[string]Composer  // by session id; "" is the new chat
	Notice    *Notice
	Healed    int // runs whose content differed from their final snapshot, and was replaced

	open []*Session
}

// ActKey names what a person acts on. A request has its id within its run, and a job within its
// session: elsewhere the same id may be another's.
type ActKey struct{ Within, ID string }

// SessionList is the sidebar.
type SessionList struct {
	Loaded bool
	Err    *protocol.Error
	Rows   []protocol.SessionInfo
	Next   string // cursor of the next page; "" if there is none
	Query  string
}

// Session is a session that has been opened in this page.
type Session struct {
	ID      string
	Title   string
	Rev     uint64
	Loaded  bool            // its turns have been read from the server
	Updated time.Time       // as of that reading: when the server last changed it
	LoadErr *protocol.Error // why they could not be
	Past    []*Turn         // all turns but the last
	Last    *Turn           // nil if there is none
	Conn    Connection
	Away    *Away
}

// Turn is a user message with its run. Key identifies it for as long as the page lives, before and
// after the server has given it an id.
type Turn struct {
	Key            string
	Rev            uint64
	TurnID         string
	StartRequestID string
	User           protocol.UserMessage
	Lang           string
	Format         string
	CreatedAt      time.Time
	Send           SendState
	SendErr        *protocol.Error
	Cancel         CancelState
	CancelAt       time.Time
	CancelErr      *protocol.Error // with CancelFailed
	Confirmed      bool            // the end is confirmed and the server permits sending
	Stopped        bool            // the server says that execution has stopped
	Persisted      bool            // the server says that the terminal state is saved
	Unconfirmed    bool            // confirmation has not come for long: say so and offer to check again
	Run            *Run
}

// SendState is where the sending of a turn stands. The zero value: accepted by the server.
type SendState string

// The states of sending.
const (
	SendAccepted   SendState = ""
	SendSubmitting SendState = "submitting" // the request is out
	SendChecking   SendState = "checking"   // outcome unknown, reading control
	SendUnsent     SendState = "unsent"     // it never arrived; the person may retry
)

// CancelState is where the cancellation of a run stands.
type CancelState string

// The states of cancelling.
const (
	CancelNone   CancelState = ""
	CancelAsked  CancelState = "asked"  // the wish is on its way or accepted
	CancelFailed CancelState = "failed" // the server refused or could not be reached
)

// Phase is how the page knows what it shows of a session.
type Phase string

// The phases of a connection, as the page names them.
const (
	PhaseIdle         Phase = "idle"
	PhaseConnecting   Phase = "connecting"
	PhaseLive         Phase = "live"
	PhaseReconnecting Phase = "reconnecting"
	PhaseRebuilding   Phase = "rebuilding"
	PhaseSnapshot     Phase = "snapshot"
	PhasePaused       Phase = "paused"
	PhaseFailed       Phase = "failed"
)

// Connection tells the truth about how a run is being watched.
type Connection struct {
	Phase   Phase
	Attempt int       // of reconnecting, from 1
	Since   time.Time // when the phase began
	Done    int64     // events rebuilt so far
	Total   int64     // events to rebuild
	Err     *protocol.Error
}

// Away marks where the reader had been when they left, and what has happened since.
type Away struct {
	Turn      string  // key of the turn in which the new begins
	FirstKey  ItemKey // first item that is new; zero if the whole turn is
	Items     int     // new items
	Tools     int     // tools that ended since
	Jobs      int     // jobs that finished since
	Approvals int     // requests that wait now

	// The first of each, to lead to it.
	ToolID, JobID, ApprovalID string
}

// ActState is where an act of a person stands.
type ActState string

// The states of an act.
const (
	ActSubmitting ActState = "submitting" // the request is out
	ActChecking   ActState = "checking"   // outcome unknown, reading control
	ActUnsure     ActState = "unsure"     // control could not be read either: offer to check again
	ActOpen       ActState = "open"       // known not to have been taken: the person may decide again
	ActAccepted   ActState = "accepted"   // taken; the settled item follows
	ActConflict   ActState = "conflict"   // decided elsewhere, or gone
)

// Decision is the act of deciding a request or a skill candidate.
type Decision struct {
	Rev        uint64
	State      ActState
	Decision   string
	DecisionID string
	Comment    string
	Patched    protocol.RawJSON
	Err        *protocol.Error
	Truth      string // with ActConflict: how it was decided, as the server says; "" if it is gone
}

// JobCancel is the act of cancelling one job. Unconfirmed says that confirmation has not come for
// long.
type JobCancel struct {
	Rev         uint64
	State       ActState
	Done        bool   // confirmed stopped and saved
	Status      string // with Done: how the job ended
	Err         *protocol.Error
	Unconfirmed bool
}

// Composer is what stands beside the text in a message box. (The text itself lives in the box and
// in storage, not here: rendering must never touch it.)
type Composer struct {
	Rev      uint64
	Files    []File
	EditTurn string // turn being edited, by key
	Format   string
	Mode     string // reasoning
	Planning string
	Creating bool            // the session for the first message is being made
	Err      *protocol.Error // why the last send could not even start
	Restore  string          // text to put back into the box, whenever Restored changes
	Restored int
}

// File is an attachment in a composer.
type File struct {
	ID    string // made by the client
	Name  string
	Size  int64
	State FileState
	Token string
	Err   *protocol.Error
}

// FileState is uploading, ready or failed.
type FileState string

// The states of an attachment.
const (
	FileUploading FileState = "uploading"
	FileReady     FileState = "ready"
	FileFailed    FileState = "failed"
)

// Notice is one thing said to the person outside a turn: an error, or something that was done. Key
// names the message in the catalogue.
type Notice struct {
	Key string
	Err *protocol.Error
	Bad bool
}

// What a notice is about.
const (
	NoticeRename = "rename"
	NoticeDelete = "delete"
	NoticeFault  = "fault" // something broke inside this page
)

// Session returns an opened session, or nil.
func (s *State) Session(id string) *Session {
	for _, session := range s.open {
		if session.ID == id {
			return session
		}
	}
	return nil
}

// Turns returns the number of turns of a session.
func (s *Session) Turns() int {
	if s.Last == nil {
		return 0
	}
	return len(s.Past) + 1
}

// Turn returns turn i.
func (s *Session) Turn(i int) *Turn {
	if i < len(s.Past) {
		return s.Past[i]
	}
	return s.Last
}

// Active returns the turn whose run is, or was, the session's newest: the last one that is not
// waiting to be sent again. Nil if there is none.
func (s *Session) Active() *Turn {
	for i := s.Turns() - 1; i >= 0; i-- {
		if t := s.Turn(i); t.Send != SendUnsent {
			return t
		}
	}
	return nil
}

// TurnByRun returns the turn with this run, or nil.
func (s *Session) TurnByRun(rid string) *Turn {
	for i := s.Turns() - 1; i >= 0; i-- {
		if t := s.Turn(i); t.Run.ID == rid {
			return t
		}
	}
	return nil
}

// TurnByKey returns the turn with this key, or nil.
func (s *Session) TurnByKey(key string) *Turn {
	for i := s.Turns() - 1; i >= 0; i-- {
		if t := s.Turn(i); t.Key == key {
			return t
		}
	}
	return nil
}
