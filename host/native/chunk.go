package native

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"

	"tabwright/host/native/wire"
)

// Bounds of reassembly.
const (
	maxOpenChunks = 8
	maxChunkTotal = 1 << 17
)

// writeChunks writes payload as chunks, each in a frame within the limit. It
// holds the lock until the last one is written, so that nothing comes between
// them.
func (w *Writer) writeChunks(channel string, payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.chunkID++
	name := appendString(nil, channel)
	// Kind, keys, quotes and three numbers of up to 20 digits take less than 160
	// bytes. Base64 makes four bytes of three.
	size := (int(w.max) - 160 - len(name)) / 4 * 3
	if size <= 0 {
		return wire.TooLarge(len(payload), int(w.max))
	}
	total := (len(payload) + size - 1) / size
	buf := make([]byte, 0, HeaderSize+int(min(w.max, MaxToChrome)))
	for seq := range total {
		part := payload[seq*size : min((seq+1)*size, len(payload))]
		buf = binary.NativeEndian.AppendUint32(buf[:0], 0)
		buf = append(buf, `{"kind":"chunk"`...)
		if channel != "" {
			buf = append(append(buf, `,"chan":`...), name...)
		}
		buf = strconv.AppendUint(append(buf, `,"chunk":{"id":`...), w.chunkID, 10)
		buf = strconv.AppendInt(append(buf, `,"seq":`...), int64(seq), 10)
		buf = strconv.AppendInt(append(buf, `,"total":`...), int64(total), 10)
		buf = base64.StdEncoding.AppendEncode(append(buf, `,"data":"`...), part)
		buf = append(buf, `"}}`...)
		if err := w.putLocked(buf); err != nil {
			return err
		}
	}
	return nil
}

type chunkKey struct {
	channel string
	id      uint64
}

type chunkSet struct {
	next, total int
	data        []byte
}

// Assembler puts chunked messages together again. It holds at most MaxMessage
// bytes and eight messages at once.
type Assembler struct {
	open map[chunkKey]*chunkSet
	held int
}

// Add takes a chunk message. It returns the whole Message with the last slice and
// nil before that. A slice that is out of order or over a bound is an error of
// CodeMalformed or CodeTooLarge; what came of its message before is dropped.
func (a *Assembler) Add(m *wire.Message) (*wire.Message, error) {
	c := m.Chunk
	if c == nil {
		return nil, wire.Malformed("a chunk needs its chunk field")
	}
	key := chunkKey{m.Chan, c.ID}
	set := a.open[key]
	if c.Seq == 0 {
		if set != nil {
			a.drop(key)
			return nil, wire.Malformed("chunked message %d was begun again", c.ID)
		}
		if c.Total < 1 || c.Total > maxChunkTotal {
			return nil, wire.Malformed("a chunked message of %d slices", c.Total)
		}
		if len(a.open) >= maxOpenChunks {
			return nil, &wire.Error{Code: wire.CodeTooLarge, Message: "too many chunked messages at once"}
		}
		if a.open == nil {
			a.open = map[chunkKey]*chunkSet{}
		}
		set = &chunkSet{total: c.Total}
		a.open[key] = set
	}
	switch {
	case set == nil:
		return nil, wire.Malformed("slice %d of chunked message %d without its beginning", c.Seq, c.ID)
	case c.Seq != set.next || c.Total != set.total:
		a.drop(key)
		return nil, wire.Malformed("slice %d of %d came for chunked message %d, slice %d of %d was due",
			c.Seq, c.Total, c.ID, set.next, set.total)
	case a.held+len(c.Data) > MaxMessage:
		a.drop(key)
		return nil, wire.TooLarge(a.held+len(c.Data), MaxMessage)
	}
	set.data = append(set.data, c.Data...)
	set.next++
	a.held += len(c.Data)
	if set.next < set.total {
		return nil, nil
	}
	a.drop(key)
	whole, err := DecodeMessage(set.data)
	switch {
	case err != nil:
		return &whole, err
	case whole.Kind == wire.KindChunk:
		return nil, wire.Malformed("a chunk inside a chunk")
	case whole.Chan != m.Chan:
		return nil, wire.Malformed("a chunk of channel %q carries a message of channel %q", m.Chan, whole.Chan)
	}
	return &whole, nil
}

// drop forgets a message that is whole or broken.
func (a *Assembler) drop(key chunkKey) {
	if set := a.open[key]; set != nil {
		a.held -= len(set.data)
		delete(a.open, key)
	}
}
