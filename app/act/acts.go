package act

import (
	"encoding/json"
	"time"

	"igraph-console/app/observe"
	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// Acts performs what a person asks for. Its methods must be called one at a time, where the
// network's callbacks arrive.
type Acts struct {
	Store   *store.Store
	Client  wire.Client
	Watcher *observe.Watcher
	Local   wire.Storage // shared by all tabs
	Tab     wire.Storage // of this tab, surviving a refresh
	NewID   func() string
	// Navigate shows a session; "" shows the new chat.
	Navigate func(sessionID string)

	sends    map[string]*sending    // by turn key
	cancels  map[string]*cancelling // running cancellations, by turn key
	uploads  map[string]*upload     // by file id
	arriving map[string]bool        // sessions shown for the first time and not up to date yet
	list     lister
}

// Waiting times of reads that go on by themselves.
const (
	pollFirst = time.Second
	pollMax   = 5 * time.Second
	// answerBy is how long a request that opens a stream may stay without a byte before its outcome
	// counts as unknown.
	answerBy = 45 * time.Second
	// patience is how long a confirmation may take before the page says so.
	patience = 20 * time.Second
)

func pollDelay(n int) time.Duration {
	d := pollFirst
	for ; n > 1 && d < pollMax; n-- {
		d *= 2
	}
	return min(d, pollMax)
}

// update runs a transaction that can only fail by a fault of this program; the state then stays as
// it was, which is all that can be done here.
func (a *Acts) update(fn func(*store.Tx)) {
	_ = a.Store.Update(func(tx *store.Tx) error {
		fn(tx)
		return nil
	})
}

// language is the reply language for what is sent now: the interface's.
func (a *Acts) language() string {
	if a.Store.State().Lang == "zh" {
		return protocol.LangZH
	}
	return protocol.LangEN
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("a record of our own cannot be encoded: " + err.Error())
	}
	return b
}

// keep stores a record under a name, in storage that survives a refresh.
func keep(s wire.Storage, name string, v any) {
	// A full storage must not stop an act: it then only lives as long as the page.
	_ = s.Save(name, string(encode(v)))
}

func recall[T any](s wire.Storage, name string) (v T, ok bool) {
	text, ok := s.Load(name)
	if !ok || json.Unmarshal([]byte(text), &v) != nil {
		return v, false
	}
	return v, true
}
