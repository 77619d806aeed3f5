package mcptest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var getTranscript = tool.New(tool.Spec{
	Name: "get_transcript", Title: "What passed on the wire",
	Description: "Returns what passed on the connection, byte for byte without secrets, error output of a process included. " +
		"Default: the newest entries. Name one entry to read all of it, by offset.",
	Effect: tool.Read, Idempotent: true, Scope: scopeRun, Rate: rateCall, Timeout: time.Minute, Reword: asSpecified,
	Outline:  []string{"entries", "next_offset"},
	Examples: []tool.Example{{Name: "newest", Args: TranscriptIn{Limit: 10}}},
}, (*Server).transcript)

// TranscriptIn chooses entries.
type TranscriptIn struct {
	Connection string `json:"connection,omitempty"`
	After      int64  `json:"after,omitempty" minimum:"0" jsonschema:"a seq"`
	Limit      int    `json:"limit,omitempty" minimum:"1" maximum:"200" default:"20"`
	Entry      int64  `json:"entry,omitempty" minimum:"0" jsonschema:"its seq"`
	Offset     int    `json:"offset,omitempty" minimum:"0" jsonschema:"in bytes"`
}

// TranscriptOut is a part of a transcript.
type TranscriptOut struct {
	Success    bool         `json:"success"`
	Connection Connection   `json:"connection"`
	Entries    []EntryBlock `json:"entries"`
	Next       int          `json:"next_offset,omitempty" jsonschema:"of the entry: where the next part begins"`
	Newest     int64        `json:"newest_seq"`
	Lost       int64        `json:"lost,omitempty" jsonschema:"older entries that are no longer kept"`
	Metadata   Metadata     `json:"metadata"`
}

// EntryBlock is one thing that passed.
type EntryBlock struct {
	Seq       int64  `json:"seq"`
	At        string `json:"at"`
	Direction string `json:"direction" enum:"sent,received,stderr,note"`
	Method    string `json:"method,omitempty"`
	ID        string `json:"id,omitempty"`
	Status    int    `json:"http_status,omitempty"`
	Note      string `json:"note,omitempty"`
	Text      string `json:"text,omitempty"`
	Size      int    `json:"size_bytes,omitempty"`
	Cut       bool   `json:"cut,omitempty" jsonschema:"text is the beginning alone"`
	Gone      bool   `json:"gone,omitempty" jsonschema:"its bytes are no longer kept"`
}

func entryBlock(e wire.Entry, most int) EntryBlock {
	text := firstOf(e.Bytes, most)
	return EntryBlock{
		Seq: e.Seq, At: stamp(e.At), Direction: string(e.Direction), Method: line(e.Method, 100), ID: line(e.ID, 100), Status: e.Status,
		Note: line(e.Note, 500), Text: text, Size: e.Size, Cut: len(text) < len(e.Bytes) || len(e.Bytes) < e.Size && !e.Gone, Gone: e.Gone,
	}
}

// Text is what a model reads.
func (o TranscriptOut) Text() string {
	var b strings.Builder
	for _, e := range o.Entries {
		fmt.Fprintf(&b, "#%d %s %s", e.Seq, e.At, e.Direction)
		if e.Status != 0 {
			fmt.Fprintf(&b, " HTTP %d", e.Status)
		}
		if e.Note != "" {
			b.WriteString(" " + e.Note)
		}
		if e.Text != "" {
			b.WriteString(" " + e.Text)
		}
		switch {
		case e.Gone:
			fmt.Fprintf(&b, " (%d bytes, no longer kept)", e.Size)
		case e.Cut:
			fmt.Fprintf(&b, " ... (%d bytes in all)", e.Size)
		}
		b.WriteString("\n")
	}
	out := fmt.Sprintf("%d entries of %s, up to #%d of #%d.", len(o.Entries), o.Connection.line(), last(o.Entries), o.Newest)
	if o.Next > 0 {
		out += fmt.Sprintf(" The rest of the entry begins at offset %d.", o.Next)
	}
	return out + "\n" + marked(strings.TrimSuffix(b.String(), "\n"))
}

func last(entries []EntryBlock) int64 {
	if len(entries) == 0 {
		return 0
	}
	return entries[len(entries)-1].Seq
}

// perEntry is how much of an entry a list of several shows, and mostEntry how much of
// one at a time.
const (
	perEntry  = 2000
	mostEntry = 60_000
)

func (s *Server) transcript(ctx context.Context, in TranscriptIn) (TranscriptOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return TranscriptOut{}, err
	}
	all := k.c.conn.Transcript(0, 0)
	out := TranscriptOut{Success: true, Connection: k.c.block(), Entries: []EntryBlock{}, Lost: all.Lost}
	if len(all.Entries) > 0 {
		out.Newest = all.Entries[len(all.Entries)-1].Seq
	}
	if in.Entry > 0 {
		err = k.oneEntry(&out, all.Entries, in)
	} else {
		k.someEntries(&out, all.Entries, in)
	}
	out.Metadata = k.metadata()
	return out, err
}

func (k *call) someEntries(out *TranscriptOut, entries []wire.Entry, in TranscriptIn) {
	if in.After > 0 {
		for len(entries) > 0 && entries[0].Seq <= in.After {
			entries = entries[1:]
		}
		entries = entries[:min(len(entries), in.Limit)]
	} else {
		entries = entries[max(0, len(entries)-in.Limit):]
	}
	room := k.s.set.Answer
	for _, e := range entries {
		b := entryBlock(e, perEntry)
		if room -= len(b.Text) + 200; room < 0 {
			return // newest_seq tells that there is more
		}
		out.Entries = append(out.Entries, b)
	}
}

func (k *call) oneEntry(out *TranscriptOut, entries []wire.Entry, in TranscriptIn) error {
	for _, e := range entries {
		if e.Seq != in.Entry {
			continue
		}
		from := min(in.Offset, len(e.Bytes))
		e.Bytes = e.Bytes[from:]
		b := entryBlock(e, mostEntry)
		if len(b.Text) < len(e.Bytes) {
			out.Next = from + len(b.Text)
		}
		out.Entries = append(out.Entries, b)
		return nil
	}
	return k.fail(failure{
		typ: errInvalidArguments, message: fmt.Sprintf("The transcript has no entry %d.", in.Entry),
		suggestion: "Call get_transcript without entry for those that there are.", details: map[string]any{"newest_seq": out.Newest, "lost": out.Lost},
	})
}
