//go:build js && wasm

package streamwasm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"igraph-console/streamwasm"
)

// watch follows a stream until it ends, and aborts it when nothing has arrived for 45 seconds.
func watch(ctx context.Context, request streamwasm.Request) error {
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	stream, err := streamwasm.Open(ctx, request)
	if err != nil {
		return err
	}
	defer stream.Close()
	if !stream.IsEventStream() {
		page, err := stream.ReadAll(64 << 10)
		return errors.Join(fmt.Errorf("no event stream but status %d, %q", stream.Status, page), err)
	}

	silence := time.AfterFunc(45*time.Second, func() { abort(errors.New("silent for 45 seconds")) })
	defer silence.Stop()
	for {
		err := stream.Receive(func(event streamwasm.Event) error {
			if event.Kind == streamwasm.KindEvent {
				fmt.Printf("%s: %s\n", event.Type, event.Data)
			}
			return nil
		})
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		silence.Reset(45 * time.Second)
	}
}

func ExampleOpen() {
	err := watch(context.Background(), streamwasm.Request{
		Method: "POST",
		URL:    "/api/questions",
		Header: map[string]string{"Accept": "text/event-stream", "Content-Type": "application/json"},
		Body:   []byte(`{"question":"有多少个节点？"}`),
	})
	switch {
	case errors.Is(err, streamwasm.ErrAborted):
		fmt.Println("stopped watching")
	case errors.Is(err, streamwasm.ErrNetwork), errors.Is(err, streamwasm.ErrRead):
		fmt.Println("connection lost:", err)
	case err != nil:
		fmt.Println(err)
	}
}

func ExampleFetch() {
	response, err := streamwasm.Fetch(context.Background(), streamwasm.Request{URL: "/api/sessions", Limit: 1 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Status, response.ContentType(), len(response.Body))
}
