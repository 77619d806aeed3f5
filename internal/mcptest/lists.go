package mcptest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// ListIn is what all lists take.
type ListIn struct {
	Connection string `json:"connection,omitempty"`
	Offset     int    `json:"offset,omitempty" minimum:"0" jsonschema:"for a list that was cut"`
	Detail     string `json:"detail,omitempty" enum:"full,names" default:"full"`
}

const detailNames = "names"

// ListMetadata is what the answer with a list says of it.
type ListMetadata struct {
	RetrievedAt string `json:"retrieved_at"`
	RequestTime int64  `json:"request_time_ms"`
	Pages       int    `json:"pages"`
	Returned    int    `json:"returned"`
	Next        int    `json:"next_offset,omitempty" jsonschema:"the answer was cut: call again with this offset"`
}

// listing is a list of the server, made ready for an answer.
type listing struct {
	all      []json.RawMessage // every item as it came
	items    []json.RawMessage // those of the answer
	meta     ListMetadata
	findings []Finding
}

// list reads a list of the server, all of its pages.
func (k *call) list(method string, in ListIn, item func(json.RawMessage) json.RawMessage) (*listing, error) {
	l, err := k.c.conn.List(k.ctx, method, nil, wire.CallOptions{Timeout: k.s.set.Call})
	if err != nil {
		var last *wire.Exchange
		if len(l.Pages) > 0 {
			last = l.Pages[len(l.Pages)-1]
		}
		if last == nil {
			return nil, err
		}
		return nil, k.answered(last, err)
	}
	if l.Shape != "" {
		return nil, k.misshapen(l.Pages[len(l.Pages)-1], "its list is no array")
	}
	out := &listing{all: l.Items, findings: found(l.Pages...), items: []json.RawMessage{}}
	if l.Stopped != "" {
		out.findings = append(out.findings, Finding{Code: findingPages, Message: "The pages were not read to their end: " + l.Stopped + ".", Bytes: k.sample([]byte(l.Cursor))})
	}
	out.meta.Pages = len(l.Pages)
	k.fill(out, in, item)
	out.meta.RetrievedAt, out.meta.RequestTime = stamp(k.s.clock()), k.took()
	return out, nil
}

// fill takes as many items as an answer holds.
func (k *call) fill(out *listing, in ListIn, item func(json.RawMessage) json.RawMessage) {
	room := k.s.set.Answer
	var wrong atMost
	for i := in.Offset; i < len(out.all); i++ {
		raw := out.all[i]
		if members(raw) == nil || !sound(raw) {
			wrong.add(func() Finding {
				return Finding{Code: findingMalformed, Message: fmt.Sprintf("Item %d is no sound object.", i), Bytes: k.sample(raw)}
			})
			raw = object([]member{{"malformed", quoted(clip(k.shown(raw), 2000))}})
		} else if raw = k.c.conn.Redact(item(raw)); in.Detail == detailNames {
			raw = brief(raw)
		}
		shown, _ := verbatim(raw, k.s.set.Answer)
		if room -= len(shown); room < 0 && len(out.items) > 0 {
			out.meta.Next = i
			break
		}
		out.items = append(out.items, shown)
	}
	out.findings = append(out.findings, wrong.all()...)
	out.meta.Returned = len(out.items)
}

// brief is an item with its name and the beginning of its description alone.
func brief(raw json.RawMessage) json.RawMessage {
	var out []member
	for _, m := range members(raw) {
		switch m.name {
		case "name", "uri", "uriTemplate", "title":
			out = append(out, m)
		case "description":
			text, _ := textOf(m.value)
			out = append(out, member{m.name, quoted(clip(text, 120))})
		}
	}
	return object(out)
}

// duplicates are names that come more than once.
func (k *call) duplicates(all []json.RawMessage, nameKey string) []Finding {
	var out atMost
	seen := map[string]int{}
	for _, item := range all {
		name, ok := textOf(field(item, nameKey))
		if !ok {
			continue
		}
		if seen[name]++; seen[name] == 2 {
			out.add(func() Finding {
				return Finding{Code: findingDuplicate, Message: "The same " + nameKey + " comes more than once.", Bytes: k.sample([]byte(name))}
			})
		}
	}
	return out.all()
}

// listed is a list as a text tells it.
type listed struct {
	what  string
	total int
	from  Connection
	items []json.RawMessage
}

// text is the list for a model: each item on a line, as it came.
func (l listed) text(m ListMetadata) string {
	total, items := l.total, l.items
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s of %s", total, l.what, l.from.line())
	if m.Next > 0 || m.Returned < total {
		fmt.Fprintf(&b, "; %d of them are here", m.Returned)
	}
	if m.Next > 0 {
		fmt.Fprintf(&b, ", the answer was cut: call again with offset %d", m.Next)
	}
	b.WriteString(".")
	if len(items) > 0 {
		lines := make([]string, 0, len(items))
		for _, item := range items {
			lines = append(lines, string(item))
		}
		b.WriteString("\n" + marked(strings.Join(lines, "\n")))
	}
	return b.String()
}
