package act

import (
	"slices"
	"strings"
	"time"

	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// sendRecord is what is stored before a message leaves: enough to send the very same request again.
type sendRecord struct {
	Session  string               `json:"session"`
	Body     protocol.ChatRequest `json:"body"`
	Language string               `json:"language"`
	At       time.Time            `json:"at"`
}

func sendName(sid, startID string) string { return "send/" + sid + "/" + startID }

// sending is a message on its way: until its run is known, or it is known not to have arrived.
type sending struct {
	*Acts
	record  sendRecord
	key     string
	stop    func() // ends the present request or wait
	wake    func() // with a wait: go on at once
	cancel  func() // disconnects the stream
	unguard func() // ends the watch over it
	heard   time.Time
	cause   *protocol.Error // the first failure
	checks  int
	next    wire.Sink // the watcher, once it has taken over
}

// Send sends a message in a session, or in a new one if sid is empty. It reports whether the
// message was taken; otherwise nothing has happened and the text stays where it is. An edit of the
// latest turn is sent if the composer is editing one.
func (a *Acts) Send(sid, message string) bool {
	state := a.Store.State()
	if strings.TrimSpace(message) == "" || state.Blocked(sid) != store.BlockNone {
		return false
	}
	if sid == "" {
		a.createAndSend(message)
		return false
	}
	composer := state.Composers[sid]
	body := protocol.ChatRequest{
		Message:       message,
		Attachments:   attachments(composer.Files),
		OutputFormat:  composer.Format,
		ReasoningMode: composer.Mode,
		PlanningMode:  composer.Planning,
	}
	if edited := editedTurn(state, sid, composer.EditTurn); edited != nil {
		body.EditTurnID = edited.TurnID
	}
	a.dispatch(sid, body, a.language())
	a.clearComposer(sid)
	return true
}

func editedTurn(state *store.State, sid, key string) *store.Turn {
	if key == "" || !state.CanEdit(sid) {
		return nil
	}
	if last := state.Session(sid).Last; last.Key == key {
		return last
	}
	return nil
}

func attachments(files []store.File) []protocol.Attachment {
	var list []protocol.Attachment
	for _, f := range files {
		list = append(list, protocol.Attachment{FileToken: f.Token, Filename: f.Name})
	}
	return list
}

// createAndSend makes the session for a first message. Until it is there, the text stays in the
// box and in its draft.
func (a *Acts) createAndSend(message string) {
	composer := a.Store.State().Composers[""]
	composer.Creating, composer.Err = true, nil
	a.update(func(tx *store.Tx) { tx.SetComposer("", composer) })
	req := wire.Request{Method: "POST", Path: protocol.PathSessions, Body: encode(protocol.TitleRequest{})}
	wire.Call(a.Client, req, protocol.DecodeSessionInfo, func(info protocol.SessionInfo, e *protocol.Error) {
		composer := a.Store.State().Composers[""]
		composer.Creating, composer.Err = false, e
		if e != nil {
			a.update(func(tx *store.Tx) { tx.SetComposer("", composer) })
			return
		}
		a.update(func(tx *store.Tx) {
			session := tx.Session(info.SessionID)
			session.Loaded, session.Title = true, info.Title
			tx.SetRow(info)
			tx.SetComposer(info.SessionID, composer)
			tx.SetComposer("", store.Composer{})
		})
		a.moveFiles("", info.SessionID)
		draft := a.Draft("")
		a.SaveDraft("", "")
		if !a.Send(info.SessionID, message) {
			// A file was attached meanwhile and is not there yet: a person sends once it is.
			a.SaveDraft(info.SessionID, draft)
		}
		a.Show(info.SessionID) // at once: the stream may open before the address has changed
		a.Navigate(info.SessionID)
	})
}

// dispatch stores the message, shows it, and sends it.
func (a *Acts) dispatch(sid string, body protocol.ChatRequest, language string) {
	body.StartRequestID = a.NewID()
	body.Stream, body.Background = true, true
	record := sendRecord{Session: sid, Body: body, Language: language, At: a.Client.Clock.Now()}
	keep(a.Tab, sendName(sid, body.StartRequestID), record)
	s := a.newSending(record)
	a.update(func(tx *store.Tx) { tx.AddTurn(sid, s.turn(store.SendSubmitting)) })
	s.post()
}

func (a *Acts) newSending(record sendRecord) *sending {
	s := &sending{Acts: a, record: record, key: record.Body.StartRequestID}
	if a.sends == nil {
		a.sends = map[string]*sending{}
	}
	a.sends[s.key] = s
	return s
}

func (s *sending) turn(state store.SendState) *store.Turn {
	format := s.record.Body.OutputFormat
	if format == "" {
		format = protocol.FormatChat
	}
	return &store.Turn{
		Key:            s.key,
		StartRequestID: s.key,
		User:           protocol.UserMessage{Text: s.record.Body.Message, Attachments: s.record.Body.Attachments},
		Lang:           s.record.Language,
		Format:         format,
		CreatedAt:      s.record.At,
		Send:           state,
		Run:            store.NewRun(s.record.Session, ""),
	}
}

func (s *sending) post() {
	s.heard = s.Client.Clock.Now()
	s.cancel = s.Client.Net.Stream(wire.Request{
		Method:   "POST",
		Path:     protocol.PathChat(s.record.Session),
		Version:  true,
		Language: s.record.Language,
		Body:     encode(s.record.Body),
	}, s)
	s.guard()
	s.step(func() { s.unguard(); s.cancel() })
}

// step replaces what is being waited for.
func (s *sending) step(stop func()) {
	s.stop, s.wake = stop, nil
}

// guard ends a request that brings nothing for too long.
func (s *sending) guard() {
	s.unguard = s.Client.Clock.After(answerBy/9, func() {
		if s.Client.Clock.Now().Sub(s.heard) <= answerBy {
			s.guard()
			return
		}
		s.cancel()
		s.unknown(&protocol.Error{Code: protocol.CodeNetwork})
	})
}

// Opened: the server has answered with a stream; the run's id comes with its first frame.
func (s *sending) Opened() { s.heard = s.Client.Clock.Now() }

// Read waits for the first frame, which tells the run, and hands the stream to the watcher.
func (s *sending) Read(events []string) {
	if s.next != nil {
		s.next.Read(events)
		return
	}
	s.heard = s.Client.Clock.Now()
	if len(events) == 0 {
		return
	}
	frame, err := protocol.DecodeFrame(events[0])
	if err != nil || !s.ours(frame) {
		s.stop()
		s.unknown(&protocol.Error{Code: protocol.CodeBadFrame, Status: 200})
		return
	}
	s.unguard()
	if !s.accepted(frame.RunID) {
		s.cancel()
		return
	}
	s.next = s.Watcher.Adopt(s.record.Session, s.key, frame.RunID, s.cancel)
	if s.next == nil {
		s.cancel()
		return
	}
	s.next.Read(events)
}

// ours reports whether a first frame can be of the run that this message started.
func (s *sending) ours(f protocol.Frame) bool {
	for _, ev := range f.Events {
		if started, ok := ev.(protocol.RunStarted); ok && started.StartRequestID != "" && started.StartRequestID != s.key {
			return false
		}
	}
	return f.SessionID == s.record.Session && f.RunID != ""
}

// Refused: the message was not taken, or nobody knows.
func (s *sending) Refused(r wire.Response) {
	e := s.Client.Fail(r)
	s.stop()
	switch {
	case e.Unknown():
		s.unknown(e)
	case e.Code == protocol.CodeRunActive:
		s.giveBack(e)
		s.Watcher.Reload()
	default:
		s.unsent(e)
	}
}

// Closed before the first frame leaves open what became of the message.
func (s *sending) Closed(err error) {
	if s.next != nil {
		s.next.Closed(err)
		return
	}
	s.stop()
	e := &protocol.Error{Code: protocol.CodeNetwork}
	if err != nil {
		e.Message = err.Error()
	}
	s.unknown(e)
}

// accepted records that the message has led to a run. It reports false if that was learned before
// in another way, by reading the session: the run is being watched already.
func (s *sending) accepted(rid string) bool {
	sid := s.record.Session
	s.settled()
	if s.turnSend(sid, s.key) == store.SendAccepted {
		return false
	}
	s.update(func(tx *store.Tx) {
		turn := tx.Turn(sid, s.key)
		if turn == nil {
			return
		}
		turn.Send, turn.SendErr = store.SendAccepted, nil
		turn.Run = store.NewRun(sid, rid)
		turn.Run.Lang, turn.Run.Format = turn.Lang, turn.Format
		if s.record.Body.EditTurnID != "" {
			dropEdited(tx, sid, s.record.Body.EditTurnID)
		}
	})
	s.cancelKnown(s.key, rid)
	return true
}

// settled forgets a message whose sending is over.
func (s *sending) settled() {
	delete(s.sends, s.key)
	s.Tab.Remove(sendName(s.record.Session, s.key))
}

func dropEdited(tx *store.Tx, sid, turnID string) {
	session := tx.Session(sid)
	for i := range session.Turns() {
		if t := session.Turn(i); t.TurnID == turnID {
			tx.DropTurn(sid, t.Key)
			return
		}
	}
}

// unknown reads control before anything else.
func (s *sending) unknown(e *protocol.Error) {
	if s.cause == nil {
		s.cause = e
	}
	s.setSend(store.SendChecking, s.cause)
	s.check()
}

func (s *sending) check() {
	s.step(s.Client.ControlByStart(s.record.Session, s.key, func(c protocol.Control, e *protocol.Error) {
		switch {
		case e == nil:
			if s.accepted(c.RunID) {
				s.Watcher.Resume(s.record.Session, s.key, c)
			}
		case e.Code == protocol.CodeRunNotFound:
			s.unsent(s.cause)
		default:
			s.checks++
			s.step(s.Client.Clock.After(max(e.RetryAfter, pollDelay(s.checks)), s.check))
			s.wake = s.check
		}
	}))
}

// unsent says that the message never arrived. It can be sent again, as the same request.
func (s *sending) unsent(e *protocol.Error) {
	s.step(func() {})
	s.endCancel(s.key)
	s.update(func(tx *store.Tx) {
		if turn := tx.Turn(s.record.Session, s.key); turn != nil {
			turn.Send, turn.SendErr = store.SendUnsent, e
			turn.Cancel, turn.Unconfirmed = store.CancelNone, false
		}
	})
	s.Watcher.Over(s.record.Session)
}

func (s *sending) setSend(state store.SendState, e *protocol.Error) {
	s.update(func(tx *store.Tx) {
		if turn := tx.Turn(s.record.Session, s.key); turn != nil {
			turn.Send, turn.SendErr = state, e
		}
	})
}

// giveBack takes an unsent message off the conversation and puts its text and files back into the
// message box.
func (s *sending) giveBack(e *protocol.Error) {
	sid := s.record.Session
	s.settled()
	s.endCancel(s.key)
	composer := s.Store.State().Composers[sid]
	composer.Err = e
	for _, at := range s.record.Body.Attachments {
		composer.Files = append(composer.Files, store.File{
			ID: s.NewID(), Name: at.Filename, Token: at.FileToken, State: store.FileReady,
		})
	}
	composer.Restore = s.record.Body.Message
	composer.Restored++
	s.update(func(tx *store.Tx) {
		tx.DropTurn(sid, s.key)
		tx.SetComposer(sid, composer)
	})
	if s.Draft(sid) == "" {
		s.SaveDraft(sid, composer.Restore) // it may not be on screen, and then no box keeps it
	}
	s.saveFiles(sid)
}

// Retry sends an unsent message again: the same id, the same body, the language of the first time.
func (a *Acts) Retry(sid, key string) {
	s := a.sends[key]
	if s == nil || a.turnSend(sid, key) != store.SendUnsent || a.otherRun(sid, key) {
		return
	}
	s.cause, s.checks = nil, 0
	s.setSend(store.SendSubmitting, nil)
	s.post()
}

// otherRun reports whether another turn of the session is unfinished.
func (a *Acts) otherRun(sid, key string) bool {
	session := a.Store.State().Session(sid)
	if session == nil {
		return false
	}
	for i := range session.Turns() {
		t := session.Turn(i)
		if t.Key != key && t.Unfinished() {
			return true
		}
	}
	return false
}

// Discard takes an unsent message back into the message box.
func (a *Acts) Discard(sid, key string) {
	if s := a.sends[key]; s != nil && a.turnSend(sid, key) == store.SendUnsent {
		s.giveBack(nil)
	}
}

// AskAgain sends the text of a failed or cancelled turn as a new request.
func (a *Acts) AskAgain(sid, key string) {
	state := a.Store.State()
	session := state.Session(sid)
	if session == nil || blocksAsking(state.Blocked(sid)) {
		return
	}
	turn := session.TurnByKey(key)
	if turn == nil {
		return
	}
	composer := state.Composers[sid]
	a.dispatch(sid, protocol.ChatRequest{
		Message:       turn.User.Text,
		Attachments:   turn.User.Attachments,
		OutputFormat:  turn.Format,
		ReasoningMode: composer.Mode,
		PlanningMode:  composer.Planning,
	}, a.language())
}

// blocksAsking: files in the message box belong to the next message, not to one asked again.
func blocksAsking(b store.Block) bool {
	return b != store.BlockNone && b != store.BlockAttachments
}

func (a *Acts) turnSend(sid, key string) store.SendState {
	session := a.Store.State().Session(sid)
	if session == nil {
		return store.SendAccepted
	}
	if t := session.TurnByKey(key); t != nil {
		return t.Send
	}
	return store.SendAccepted
}

// Recover takes up what this tab was sending or deciding in a session before a refresh. It sends
// nothing: it shows the act and reads how it came out.
func (a *Acts) Recover(sid string) {
	session := a.Store.State().Session(sid)
	if session == nil {
		return
	}
	for key, s := range a.sends {
		if s.record.Session == sid && a.turnSend(sid, key) == store.SendAccepted {
			s.stop() // the session has it already
			s.settled()
		}
	}
	for _, record := range a.stored(sid) {
		key := record.Body.StartRequestID
		if a.sends[key] != nil {
			continue
		}
		if t := session.TurnByKey(key); t != nil && t.Send == store.SendAccepted {
			a.Tab.Remove(sendName(sid, key))
			continue
		}
		s := a.newSending(record)
		a.update(func(tx *store.Tx) { tx.AddTurn(sid, s.turn(store.SendChecking)) })
		s.check()
	}
	a.recoverDecision(sid)
	a.arrive(a.Store.State().Session(sid))
}

// stored returns the messages that this tab has stored before sending them, oldest first.
func (a *Acts) stored(sid string) (records []sendRecord) {
	for _, name := range a.Tab.Names(sendName(sid, "")) {
		record, ok := recall[sendRecord](a.Tab, name)
		if !ok || record.Body.StartRequestID == "" {
			a.Tab.Remove(name)
			continue
		}
		records = append(records, record)
	}
	slices.SortFunc(records, func(a, b sendRecord) int { return a.At.Compare(b.At) })
	return records
}

// Nudge goes on at once with whatever acts are waiting to read again.
func (a *Acts) Nudge() {
	for _, s := range a.sends {
		if s.wake != nil {
			s.stop()
			s.wake()
		}
	}
	a.list.nudge()
}
