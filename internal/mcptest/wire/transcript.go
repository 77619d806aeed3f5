package wire

import (
	"sync"
	"time"
)

// Direction is the way that something went.
type Direction string

// The directions.
const (
	Sent     Direction = "sent"
	Received Direction = "received"
	Stderr   Direction = "stderr"
	Note     Direction = "note" // something that happened, such as the end of the child
)

// Entry is one line of a transcript.
type Entry struct {
	Seq       int64
	At        time.Time
	Direction Direction
	Method    string // JSON-RPC method, when there is one
	ID        string // JSON-RPC id, as it was written
	Status    int    // HTTP status
	Note      string // in words
	// Bytes are what passed, without secrets. Size is how much that was; when Bytes are
	// shorter they were cut, and when Gone is set they were dropped to make room.
	Bytes []byte
	Size  int
	Gone  bool
}

// Transcript is what passed on a connection, in order.
type Transcript struct {
	Entries []Entry
	// Lost is how many entries before the first one were dropped to make room.
	Lost int64
	// Gone is how many of the entries have lost their bytes.
	Gone int
}

// recorder keeps the transcript within its bounds.
type recorder struct {
	now     func() time.Time
	hide    *redactor
	limits  Limits
	mu      sync.Mutex
	entries []Entry
	first   int   // of entries, whose bodies are still kept
	size    int   // of the bodies kept
	seq     int64 // of the last entry
	lost    int64
	stderr  int // bytes of error output recorded
}

// add records an entry. The bytes are copied, without secrets; never more than a
// quarter of all room goes to one.
func (r *recorder) add(e Entry, body []byte) {
	e.Size = len(body)
	if len(body) > 0 {
		e.Bytes = r.hide.cut(body, r.limits.Transcript/4)
	}
	e.Note = r.hide.text(e.Note)
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Direction == Stderr {
		if r.stderr += e.Size; r.stderr > r.limits.Stderr {
			e.Bytes = nil // the end of it is kept elsewhere
		}
	}
	r.seq++
	e.Seq, e.At = r.seq, r.now()
	r.entries = append(r.entries, e)
	r.size += len(e.Bytes)
	r.trim()
}

// trim drops the oldest bodies, and then the oldest entries, a good part at a time so
// that it does not happen with each one.
func (r *recorder) trim() {
	for r.size > r.limits.Transcript && r.first < len(r.entries) {
		old := &r.entries[r.first]
		if len(old.Bytes) > 0 {
			r.size -= len(old.Bytes)
			old.Bytes, old.Gone = nil, true
		}
		r.first++
	}
	if len(r.entries) <= r.limits.Entries {
		return
	}
	drop := max(1, r.limits.Entries/8)
	for _, old := range r.entries[:drop] {
		r.size -= len(old.Bytes)
	}
	r.entries = append([]Entry(nil), r.entries[drop:]...)
	r.first, r.lost = max(0, r.first-drop), r.lost+int64(drop)
}

// since gives the entries after one, at most count of them; 0 is all.
func (r *recorder) since(after int64, count int) Transcript {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := Transcript{Lost: r.lost}
	for _, e := range r.entries {
		if e.Seq <= after {
			continue
		}
		if count > 0 && len(t.Entries) == count {
			break
		}
		if e.Gone {
			t.Gone++
		}
		t.Entries = append(t.Entries, e)
	}
	return t
}
