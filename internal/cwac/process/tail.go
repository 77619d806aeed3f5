package process

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"
)

// How much of what an engine prints is kept.
const (
	tailLines = 20
	lineBytes = 400
)

// tail keeps the last lines of a stream, each bounded, whatever the stream holds. It
// takes every write at once, so that the engine never waits for a reader.
type tail struct {
	seen func(line string) // told of every whole line; nil tells nobody

	mu    sync.Mutex
	lines []string
	part  []byte // of the line that has not ended
	cut   bool   // the rest of the line is dropped
	count int    // of writes, to tell whether something is new
}

// Write takes a piece of the stream.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	for rest := p; len(rest) > 0; {
		end := bytes.IndexAny(rest, "\r\n")
		piece := rest
		if end >= 0 {
			piece = rest[:end]
		}
		t.add(piece)
		if end < 0 {
			break
		}
		t.flush()
		rest = rest[end+1:]
	}
	return len(p), nil
}

func (t *tail) add(piece []byte) {
	if room := lineBytes - len(t.part); len(piece) > room {
		piece, t.cut = piece[:room], true
	}
	t.part = append(t.part, piece...)
}

// flush ends the line.
func (t *tail) flush() {
	line := clean(t.part)
	if t.cut {
		line += " ..."
	}
	t.part, t.cut = t.part[:0], false
	if line == "" {
		return
	}
	if len(t.lines) == tailLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, line)
	if t.seen != nil {
		t.seen(line)
	}
}

// clean makes text of what a program printed: valid, and without what moves a cursor.
func clean(raw []byte) string {
	for len(raw) > 0 { // a bound may have cut a character
		if r, n := utf8.DecodeLastRune(raw); r != utf8.RuneError || n > 1 {
			break
		}
		raw = raw[:len(raw)-1]
	}
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(raw), "?")), " \t")
}

// text are the lines so far, one that has not ended included.
func (t *tail) text() ([]string, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := append([]string(nil), t.lines...)
	if part := clean(t.part); part != "" {
		out = append(out, part)
	}
	return out, t.count
}
