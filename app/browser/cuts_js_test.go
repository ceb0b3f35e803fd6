//go:build js && wasm

package browser_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"igraph-console/app/act"
	"igraph-console/app/browser"
	"igraph-console/app/observe"
	"igraph-console/app/protocol"
	"igraph-console/app/store"
	"igraph-console/app/wire"
)

// hurried is the browser's clock with its waits a hundredfold shorter, so that half a second before
// each reconnection does not make the test last an hour.
type hurried struct{ browser.Clock }

func (c hurried) After(d time.Duration, f func()) (stop func()) { return c.Clock.After(d/100, f) }

// nothing keeps nothing.
type nothing struct{}

func (nothing) Load(string) (string, bool) { return "", false }
func (nothing) Save(string, string) error  { return nil }
func (nothing) Remove(string)              {}
func (nothing) Names(string) []string      { return nil }

// TestCuts sends a message in session cut-N for every N. Whatever the browser makes of a body that
// breaks after N bytes, the answer must come to be there whole, having grown and never shrunk.
func TestCuts(t *testing.T) {
	server, bytes := os.Getenv("CUT_SERVER"), os.Getenv("CUT_BYTES")
	total, err := strconv.Atoi(bytes)
	if err != nil || server == "" {
		t.Fatalf("CUT_SERVER is %q, CUT_BYTES is %q; run through the native test", server, bytes)
	}
	offsets := make(chan int)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for n := range offsets {
				if err := cutAt(server, n); err != nil {
					t.Errorf("cut at byte %d of %d: %v", n, total, err)
				}
			}
		})
	}
	for n := range total + 1 {
		offsets <- n
	}
	close(offsets)
	workers.Wait()
}

// answerText is what the run says.
const answerText = "价格¥5 👍🏽完 答案是 42。图有三个社区，👨‍👩‍👧**粗体**\n\n- 一\n- 二naïve résumé éé日本語 한국어 🇨🇳🇯🇵⚙️ x=1;“引号”……末尾"

func cutAt(server string, n int) error {
	sid := fmt.Sprintf("cut-%04d", n)
	state := store.New()
	loop := &browser.Loop{}
	client := wire.Client{Net: &browser.Network{Loop: loop, API: server}, Clock: hurried{browser.Clock{Loop: loop}}}
	watcher := &observe.Watcher{Store: state, Client: client, Random: func() float64 { return 0 }}
	acts := &act.Acts{
		Store: state, Client: client, Watcher: watcher, Local: nothing{}, Tab: nothing{},
		NewID: func() string { return "s-" + sid }, Navigate: func(string) {},
	}
	done := make(chan error, 1)
	shown := ""
	state.Subscribe(func() {
		if over, err := look(state, sid, &shown); over {
			select {
			case done <- err:
			default:
			}
		}
	})
	loop.Do(func() {
		_ = state.Update(func(tx *store.Tx) error {
			tx.Session(sid).Loaded = true
			return nil
		})
		acts.Send(sid, "价格？")
		watcher.Watch(sid)
	})
	select {
	case err := <-done:
		loop.Do(watcher.Leave)
		return err
	case <-time.After(30 * time.Second):
		return fmt.Errorf("not settled after 30 s, showing %q", shown)
	}
}

// look checks what is published, and reports whether that is the end of it.
func look(state *store.Store, sid string, shown *string) (over bool, err error) {
	turn := state.State().Session(sid).Last
	if turn == nil {
		return false, nil
	}
	text := ""
	for i := range turn.Run.Len() {
		if i > 0 {
			return true, fmt.Errorf("there are %d items", turn.Run.Len())
		}
		text = turn.Run.At(i).Message.Text()
	}
	if !strings.HasPrefix(text, *shown) || !strings.HasPrefix(answerText, text) {
		return true, fmt.Errorf("the answer went from %q to %q", *shown, text)
	}
	*shown = text
	if !turn.Confirmed {
		return false, nil
	}
	if text != answerText || turn.Status() != protocol.StatusCompleted {
		return true, fmt.Errorf("it rests as %s with %q", turn.Status(), text)
	}
	return true, nil
}
