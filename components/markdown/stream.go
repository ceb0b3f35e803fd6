package markdown

// Parse returns the blocks of a complete text.
func Parse(text string) []*Block {
	var s Stream
	s.Update(text)
	return s.Finish()
}

// Stream turns a text that grows at its end into blocks, at a cost per update
// that depends on its last block only. The zero Stream is ready; it must not be
// copied and serves one goroutine at a time.
type Stream struct {
	given string
}

// Update returns the blocks of text, the whole text so far. Normally it extends
// the text given before; if it does not, the Stream starts over. Comparing the
// two costs nothing when both share their memory, as the strings of one
// strings.Builder mostly do.
//
// Blocks that did not change are the same pointers as before.
func (s *Stream) Update(text string) []*Block {
	s.given = text
	return nil
}

// Finish returns the blocks of the last text taken as complete. A later Update
// may extend that text.
func (s *Stream) Finish() []*Block {
	return nil
}
