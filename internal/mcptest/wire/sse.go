package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

var errEventTooLarge = errors.New("an event is larger than the limit")

// eventReader reads server-sent events (WHATWG HTML, 9.2.5 and 9.2.6). Lines may end
// in LF, CRLF or CR.
type eventReader struct {
	r      *bufio.Reader
	most   int // of one event
	now    func() time.Time
	lastID string
	first  bool // a line has been read
	crlf   bool // a line ended in CR
	skipLF bool // after a CR
	odd    int  // lines that are no field
	oddOne []byte
}

func newEventReader(r io.Reader, most int, now func() time.Time) *eventReader {
	return &eventReader{r: bufio.NewReaderSize(r, 16<<10), most: most, now: now}
}

// next gives the next event that has data, an id or a reconnection time. At the end of
// the stream what was not ended by an empty line is dropped, as browsers do.
func (e *eventReader) next() (StreamEvent, error) {
	ev := StreamEvent{Retry: -1}
	var data []byte
	has, size := false, 0
	for {
		line, err := e.line(e.most - size)
		if err != nil {
			return ev, err
		}
		size += len(line)
		if len(line) > 0 {
			has = e.field(line, &ev, &data) || has
			continue
		}
		if !has {
			ev.Type, data, size = "", nil, 0 // an event without data is none
			continue
		}
		ev.At, ev.ID, ev.CRLF = e.now(), e.lastID, e.crlf
		if ev.Type == "" {
			ev.Type = "message"
		}
		ev.Data = bytes.TrimSuffix(data, []byte("\n"))
		return ev, nil
	}
}

// field reads one line of an event; it reports whether it makes an event of it.
func (e *eventReader) field(line []byte, ev *StreamEvent, data *[]byte) bool {
	if line[0] == ':' {
		return false
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		*data = append(append(*data, value...), '\n')
		return true
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			e.lastID = string(value)
		}
		return true
	case "event":
		ev.Type = string(value)
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			ev.Retry = time.Duration(ms) * time.Millisecond
			return true
		}
	default:
		if e.odd++; e.oddOne == nil {
			e.oddOne = bytes.Clone(line[:min(len(line), shown)])
		}
	}
	return false
}

// line reads one line without its end.
func (e *eventReader) line(most int) ([]byte, error) {
	var line []byte
	for {
		b, err := e.r.ReadByte()
		if err != nil {
			return nil, err
		}
		if e.skipLF {
			e.skipLF = false
			if b == '\n' {
				continue
			}
		}
		switch b {
		case '\n':
			return e.unmarked(line), nil
		case '\r':
			e.crlf, e.skipLF = true, true
			return e.unmarked(line), nil
		}
		if line = append(line, b); len(line) > most {
			return nil, errEventTooLarge
		}
	}
}

// unmarked takes off the byte order mark that a stream may begin with.
func (e *eventReader) unmarked(line []byte) []byte {
	if !e.first {
		e.first = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line
}
