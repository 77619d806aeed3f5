package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Image is a picture in a result.
type Image struct {
	Data []byte
	MIME string
}

// Link points to something too large for a result.
type Link struct {
	URI, Name, Title, Description, MIME string
	Size                                int64
}

// Texter lets an output write its own text. The text must be sufficient alone:
// many clients show the model nothing else.
type Texter interface{ Text() string }

// Imager lets an output carry pictures; they come before the text.
type Imager interface{ Images() []Image }

// Failer lets an output say that the work failed although the tool did its part.
type Failer interface{ Failed() bool }

// Linker lets an output carry links; they come last.
type Linker interface{ Links() []Link }

// reply is a result before it has to fit the budget.
type reply struct {
	text       string
	images     []Image
	links      []Link
	structured json.RawMessage
	failed     bool
	notes      []string // what was cut
}

// replyOf turns a handler's output into a reply.
func replyOf(s *Schema, out any) (*reply, error) {
	raw, err := marshal(out)
	if err != nil {
		return nil, fmt.Errorf("marshal the result: %w", err)
	}
	raw, err = withoutNulls(s, raw)
	if err != nil {
		return nil, err
	}
	r := &reply{structured: raw, text: string(raw)}
	if v, ok := out.(Texter); ok {
		r.text = v.Text()
	}
	if v, ok := out.(Imager); ok {
		r.images = v.Images()
	}
	if v, ok := out.(Linker); ok {
		r.links = v.Links()
	}
	if v, ok := out.(Failer); ok {
		r.failed = v.Failed()
	}
	return r, nil
}

// withoutNulls replaces the null of a nil map or slice by an empty one, as the
// published schema promises, and drops any other null that a schema gives a type.
func withoutNulls(s *Schema, raw []byte) (json.RawMessage, error) {
	if !bytes.Contains(raw, []byte("null")) {
		return raw, nil
	}
	n, err := parseJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("read the result back: %w", err)
	}
	fillNulls(s, n)
	return n.json(), nil
}

func fillNulls(s *Schema, n *node) {
	if s == nil || s.Type == "" {
		return // any value may be null
	}
	if n.isNull() {
		switch s.Type {
		case "array":
			n.kind = '['
		case "object":
			n.kind = '{'
		}
		return
	}
	for _, item := range n.items {
		fillNulls(s.Items, item)
	}
	for _, m := range n.members {
		p := s.Property(m.name)
		if p == nil {
			p = s.Values
		}
		fillNulls(p, m.value)
	}
}

// replyToFault is what the caller sees of a failure: the type word, what happened
// and why, what to do next, and the same for programs.
func replyToFault(f *fault.Error, now time.Time) *reply {
	var b strings.Builder
	fmt.Fprintf(&b, "status: error (%s). %s", f.Type, f.Error())
	if f.Action != "" {
		b.WriteString("\nWhat to do: " + f.Action)
	}
	var o objectWriter
	o.add("success", false)
	o.add("status", "error")
	o.add("error_type", f.Type)
	if word, ok := f.Data["error"]; ok { // a specification gives this failure another form
		o.add("error", word)
	} else {
		o.add("error", f.Error())
	}
	o.add("corrective_action", f.Action)
	o.add("timestamp", now.UTC().Format(time.RFC3339))
	if f.RetryAfter > 0 {
		seconds := int64((f.RetryAfter + time.Second - 1) / time.Second)
		fmt.Fprintf(&b, "\nTry again in %d s.", seconds)
		o.add("retry_after_seconds", seconds)
	}
	r := &reply{text: b.String(), failed: true}
	for _, key := range sortedKeys(f.Data) {
		switch key {
		case "success", "status", "error_type", "error", "corrective_action", "timestamp", "retry_after_seconds":
			continue // the fixed keys always mean the same
		}
		o.add(key, f.Data[key])
	}
	raw, err := o.bytes()
	if err != nil {
		// Data that cannot be written must not hide the fault itself.
		bare := *f
		bare.Data = nil
		return replyToFault(&bare, now)
	}
	r.structured = raw
	return r
}

func sortedKeys(m map[string]any) []string {
	return slices.Sorted(maps.Keys(m))
}

// result makes the protocol's value: images, text, links, structured content.
func (r *reply) result() *mcp.CallToolResult {
	res := &mcp.CallToolResult{IsError: r.failed, Content: make([]mcp.Content, 0, len(r.images)+len(r.links)+1)}
	for _, i := range r.images {
		res.Content = append(res.Content, &mcp.ImageContent{Data: i.Data, MIMEType: i.MIME})
	}
	res.Content = append(res.Content, &mcp.TextContent{Text: r.fullText()})
	for _, l := range r.links {
		link := &mcp.ResourceLink{URI: l.URI, Name: l.Name, Title: l.Title, Description: l.Description, MIMEType: l.MIME}
		if l.Size > 0 {
			link.Size = &l.Size
		}
		res.Content = append(res.Content, link)
	}
	if r.structured != nil {
		res.StructuredContent = r.structured
	}
	return res
}
