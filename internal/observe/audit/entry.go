package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// The events that an entry can be of.
const (
	EventBegin = "begin" // a call that changes something is about to run
	EventEnd   = "end"   // a call is over
	EventNote  = "note"  // something about the log itself
)

// Entry is one line. The order of the members is the order in the file.
type Entry struct {
	// Seq counts the lines from 1, over all files of a log.
	Seq int64 `json:"seq"`
	// Time is when the entry was made, in UTC.
	Time time.Time `json:"time"`
	// Event is begin, end or note.
	Event string `json:"event"`
	// Subject is the id of who called, Client the program that was used.
	Subject string `json:"subject,omitempty"`
	Client  string `json:"client,omitempty"`
	Tool    string `json:"tool,omitempty"`
	// Effect is what the tool may change: read, write or destroy.
	Effect    string `json:"effect,omitempty"`
	RequestID string `json:"request_id,omitempty"`
	TraceID   string `json:"trace_id,omitempty"`
	// Outcome is ok, failed or error, and Fault the type of the error.
	Outcome    string `json:"outcome,omitempty"`
	Fault      string `json:"fault,omitempty"`
	DurationMS int64  `json:"duration_ms,omitempty"`
	// IDs are what the call names, such as run_id and wizard_id.
	IDs map[string]string `json:"ids,omitempty"`
	// Note says what happened to the log, for EventNote.
	Note string `json:"note,omitempty"`
	// Prev is the hash of the line before; the first line has that of nothing.
	Prev string `json:"prev"`
	// Hash is the SHA-256, in hexadecimal, of this line without its hash.
	Hash string `json:"hash,omitempty"`
}

// genesis is what the first line has for the hash of the one before.
var genesis = strings.Repeat("0", 2*sha256.Size)

const (
	// maxText is the most bytes of one member. Longer ones are cut.
	maxText = 256
	// maxLine is the most bytes of a line: all members at their longest, escaped.
	maxLine = 64 << 10
)

// sealed returns the entry with its hash, and its line.
func (e Entry) sealed() (Entry, []byte, error) {
	e.Hash = ""
	line, err := e.canonical()
	if err != nil {
		return e, nil, err
	}
	sum := sha256.Sum256(line)
	e.Hash = hex.EncodeToString(sum[:])
	// The hash is the last member, so that nothing else has to be written again.
	line = append(line[:len(line)-1], `,"hash":"`+e.Hash+"\"}\n"...)
	return e, line, nil
}

// canonical is the one way to write an entry.
func (e Entry) canonical() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("write an audit entry: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// parse reads a line, without its end, and checks its hash. A line that says the
// same in another way is refused too: nobody but this program writes lines.
func parse(line []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil {
		return Entry{}, fmt.Errorf("it is no entry: %w", err)
	}
	again, text, err := e.sealed()
	if err != nil {
		return Entry{}, err
	}
	if again.Hash != e.Hash {
		return Entry{}, fmt.Errorf("its hash is not that of what it says")
	}
	if !bytes.Equal(bytes.TrimSuffix(text, []byte("\n")), line) {
		return Entry{}, fmt.Errorf("it is not written as this program writes")
	}
	return e, nil
}

// bounded cuts the members that come from outside.
func (e Entry) bounded() Entry {
	for _, s := range []*string{&e.Subject, &e.Client, &e.Tool, &e.Effect, &e.RequestID, &e.TraceID, &e.Outcome, &e.Fault, &e.Note} {
		*s = cut(*s)
	}
	if len(e.IDs) > 0 {
		ids := make(map[string]string, len(e.IDs))
		for name, id := range e.IDs {
			if len(ids) < 8 {
				ids[cut(name)] = cut(id)
			}
		}
		e.IDs = ids
	}
	return e
}

// cut shortens a text to maxText bytes of whole characters.
func cut(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
