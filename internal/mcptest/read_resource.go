package mcptest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var readResource = tool.New(tool.Spec{
	Name: "read_resource", Title: "Read a resource",
	Description: "Reads a specific resource from the currently connected MCP server. Provide the resource URI as returned by list_resources.",
	Effect:      tool.Read, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 11 * time.Minute, Reword: asSpecified,
	Outline:  []string{"resource"},
	Examples: []tool.Example{{Name: "one", Args: ReadIn{URI: "file:///notes.txt"}}},
}, (*Server).readResource)

// ReadIn names a resource.
type ReadIn struct {
	URI        string `json:"uri" jsonschema:"as returned by list_resources, or made from a template"`
	Connection string `json:"connection,omitempty"`
	TimeoutMS  int    `json:"timeout_ms,omitempty" minimum:"0" maximum:"600000"`
}

// ReadOut is a resource of the server.
type ReadOut struct {
	Success    bool         `json:"success"`
	Connection Connection   `json:"connection"`
	Resource   Resource     `json:"resource"`
	Metadata   ReadMetadata `json:"metadata"`
	Findings   []Finding    `json:"findings,omitempty"`
}

// Resource is what resources/read gave.
type Resource struct {
	URI      string          `json:"uri"`
	MIME     string          `json:"mimeType"`
	Content  string          `json:"content" jsonschema:"text, or base64 for binary, as the server sent it"`
	Encoding string          `json:"encoding" enum:"text,base64"`
	Cut      *Cut            `json:"cut,omitempty"`
	Contents json.RawMessage `json:"contents,omitempty" jsonschema:"all parts as the server sent them, when there is more than one, or more in it"`
}

// ReadMetadata is what the answer says of the resource.
type ReadMetadata struct {
	Metadata
	Size int `json:"content_size" jsonschema:"bytes of the first content, decoded"`
}

// Text is what a model reads.
func (o ReadOut) Text() string {
	out := fmt.Sprintf("A resource of %s: %d bytes, in %d ms.%s\n", o.Connection.line(), o.Metadata.Size, o.Metadata.RequestTime, o.Resource.Cut.text())
	shown := o.Resource.Content
	if o.Resource.Encoding == encodingBase64 {
		shown = clip(shown, 200)
	}
	if o.Resource.Contents != nil {
		shown = string(o.Resource.Contents)
	}
	head := line(o.Resource.URI, 500) + " " + line(o.Resource.MIME, 100) + "\n" // the server's own words too
	return out + marked(head+shown) + findingsText(o.Findings)
}

// The encodings of a content.
const (
	encodingText   = "text"
	encodingBase64 = "base64"
)

func (s *Server) readResource(ctx context.Context, in ReadIn) (ReadOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return ReadOut{}, err
	}
	ex, err := k.c.conn.Call(ctx, aResource.method, object([]member{{"uri", quoted(in.URI)}}), wire.CallOptions{Timeout: s.limit(in.TimeoutMS), HandUp: true})
	if err != nil {
		return ReadOut{}, k.rejected(aResource, in.URI, ex, err)
	}
	if ex.ResultType == inputRequired {
		return ReadOut{}, k.asksForInput(ex)
	}
	contents, ok := itemsOf(field(ex.Result, "contents"))
	if !ok {
		return ReadOut{}, k.misshapen(ex, "it has no array contents")
	}
	k.c.count(func(s *Statistics) { s.ResourcesRead++ })
	out := ReadOut{Success: true, Connection: k.c.block(), Resource: Resource{URI: in.URI, Encoding: encodingText}, Findings: found(ex)}
	if len(contents) == 0 {
		out.Findings = append(out.Findings, Finding{Code: findingSchema, Message: "The list of contents is empty."})
	}
	whole := len(contents) != 1
	var wrong atMost
	for i, c := range contents {
		more, bad := k.content(&out, c, i == 0)
		whole = whole || more
		if bad != "" {
			wrong.add(func() Finding {
				return Finding{Code: findingSchema, Message: fmt.Sprintf("Content %d %s.", i, bad), Bytes: k.sample(c)}
			})
		}
	}
	out.Findings = append(out.Findings, wrong.all()...)
	if whole {
		var cut *Cut
		if out.Resource.Contents, cut = k.verbatim(field(ex.Result, "contents"), s.set.Answer); cut != nil {
			out.Resource.Cut = cut
		}
	}
	out.Metadata.Metadata = k.metadata()
	return out, nil
}

// content reads one part of a resource, and takes the first as the resource. more
// tells that the part has members that the answer has no place for.
func (k *call) content(out *ReadOut, raw json.RawMessage, first bool) (more bool, bad string) {
	all := members(raw)
	if all == nil {
		return true, "is no object"
	}
	for _, m := range all {
		switch m.name {
		case "uri", "mimeType", "text", "blob":
		default:
			more = true
		}
	}
	text, isText := textOf(field(raw, "text"))
	blob, isBlob := textOf(field(raw, "blob"))
	size, decoded := len(text), []byte(nil)
	switch {
	case isText == isBlob:
		bad = "has not exactly one of text and blob, as a string"
	case isBlob:
		var err error
		if decoded, err = base64.StdEncoding.DecodeString(blob); err != nil {
			bad = "has a blob that is not base64"
		}
		size = len(decoded)
	}
	if _, ok := textOf(field(raw, "uri")); !ok {
		bad = "has no uri"
	}
	if !first {
		return more, bad
	}
	r := &out.Resource
	if uri, ok := textOf(field(raw, "uri")); ok {
		r.URI = k.shown([]byte(uri))
	}
	mime, _ := textOf(field(raw, "mimeType"))
	r.MIME = k.shown([]byte(mime))
	if r.Content = text; isBlob && !isText {
		r.Content, r.Encoding = blob, encodingBase64
	}
	out.Metadata.Size = size
	r.Content = k.shown([]byte(r.Content))
	if whole := len(r.Content); whole > k.s.set.Answer {
		r.Content = firstOf([]byte(r.Content), k.s.set.Answer)
		r.Cut = &Cut{Size: whole, Shown: len(r.Content), Rest: restHint}
	}
	return more, bad
}
