package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// readOut reads the messages of a child, one a line. What is no message is noise: it
// is recorded, and the reading goes on.
func (p *child) readOut() {
	defer p.reading.Done()
	r := bufio.NewReaderSize(p.out, 64<<10)
	for {
		line, size, err := readLine(r, p.c.opt.Limits.Message)
		switch {
		case size > len(line):
			p.oversized(line, size)
		case len(line) > 0:
			p.line(line, err)
		}
		if err != nil {
			return
		}
	}
}

// readLine reads a line with its end. Of one longer than most only the beginning is
// given; size is how long it was.
func readLine(r *bufio.Reader, most int) (line []byte, size int, err error) {
	for {
		part, err := r.ReadSlice('\n')
		size += len(part)
		if room := most + 1 - len(line); room > 0 {
			line = append(line, part[:min(room, len(part))]...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return line, size, err
	}
}

// line takes one line of a child.
func (p *child) line(line []byte, err error) {
	text, ended := bytes.CutSuffix(line, []byte("\n"))
	text, crlf := bytes.CutSuffix(text, []byte("\r"))
	trimmed := bytes.TrimSpace(text)
	k := p.c.only()
	switch {
	case len(trimmed) == 0:
		p.c.rec.add(Entry{Direction: Received, Note: "blank line"}, line)
		p.c.observe(Observation{Code: BlankLine, Detail: "A blank line stands on stdout.", Bytes: line}, k)
		return
	case !looksLikeJSON(trimmed):
		p.c.rec.add(Entry{Direction: Received, Note: "noise"}, line)
		p.c.observe(Observation{Code: NoiseLine, Detail: "A line on stdout is no message; a server must write nothing else there.", Bytes: line}, k)
		return
	}
	if crlf {
		p.c.observe(Observation{Code: CRLFLine, Detail: "A message on stdout ends in CRLF.", Bytes: tailOf(line)}, k)
	}
	if !ended && errors.Is(err, io.EOF) {
		p.c.observe(Observation{Code: Unterminated, Detail: "The last line of stdout has no end.", Bytes: line}, nil)
	}
	p.c.incoming(text, nil)
}

// looksLikeJSON tells a message that went wrong from a line that never was one: what a
// log writes in brackets, such as [info], is noise.
func looksLikeJSON(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	if line[0] == '{' {
		return true
	}
	if line[0] != '[' {
		return false
	}
	rest := bytes.TrimLeft(line[1:], " \t")
	return len(rest) > 0 && strings.IndexByte(`{]"`, rest[0]) >= 0
}

func tailOf(line []byte) []byte { return line[max(0, len(line)-64):] }

// oversized takes the beginning of a line over the limit. The call that it answers, if
// that can be told, fails at once instead of running out of time.
func (p *child) oversized(line []byte, size int) {
	c := p.c
	c.rec.add(Entry{Direction: Received, Note: "a line over the limit"}, c.hide.cut(line, c.opt.Limits.Kept))
	k := c.answeredBy(line)
	c.observe(Observation{Code: Oversized, Detail: "A line on stdout is longer than the limit.", Bytes: line, Size: size}, k)
	if k != nil {
		c.settle(k, &Error{Kind: TooLarge, Stage: StageMessage, Method: k.ex.Method, Detail: "The answer is larger than the limit."})
	}
}

// answeredBy finds the call that a message answers of which only the beginning is
// there: the one that its id names, or the only one.
func (c *Conn) answeredBy(beginning []byte) *call {
	all, _ := members(beginning)
	for _, m := range all {
		if m.key != "id" {
			continue
		}
		key, _ := idKey(m.value)
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.pending[key]
	}
	return c.only()
}

// only is the call that runs, when there is exactly one: what comes meanwhile is most
// likely about it.
func (c *Conn) only() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pending) == 1 {
		for _, k := range c.pending {
			return k
		}
	}
	return nil
}
