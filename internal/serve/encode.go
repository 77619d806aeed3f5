package serve

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// appendResponse writes the response to a call as the SDK does, in one pass. info
// is what the server says of itself; the era with sessions, where it is nil, has the
// result without that and without its type.
func appendResponse(to []byte, id json.RawMessage, res *mcp.CallToolResult, info json.RawMessage) ([]byte, error) {
	to = append(append(append(to, `{"jsonrpc":"2.0","id":`...), id...), `,"result":{`...)
	if info != nil {
		to = append(append(append(to, `"_meta":{"`+metaServerInfo+`":`...), info...), `},`...)
	}
	to = append(to, `"content":[`...)
	for i, c := range res.Content {
		if i > 0 {
			to = append(to, ',')
		}
		var err error
		if to, err = appendContent(to, c); err != nil {
			return nil, err
		}
	}
	to = append(to, ']')
	if res.StructuredContent != nil {
		raw, err := oneLine(res.StructuredContent)
		if err != nil {
			return nil, err
		}
		to = append(append(to, `,"structuredContent":`...), raw...)
	}
	if res.IsError {
		to = append(to, `,"isError":true`...)
	}
	if info != nil {
		to = append(to, `,"resultType":"complete"`...)
	}
	return append(to, `}}`...), nil
}

// appendContent writes text and pictures without the copies that an encoder makes of
// what encodes itself; a picture is large.
func appendContent(to []byte, c mcp.Content) ([]byte, error) {
	switch c := c.(type) {
	case *mcp.TextContent:
		if c.Meta != nil || c.Annotations != nil {
			break
		}
		text, err := encoded(c.Text)
		if err != nil {
			return nil, err
		}
		return append(append(append(to, `{"type":"text","text":`...), text...), '}'), nil
	case *mcp.ImageContent:
		if c.Meta != nil || c.Annotations != nil {
			break
		}
		kind, err := encoded(c.MIMEType)
		if err != nil {
			return nil, err
		}
		to = append(append(append(to, `{"type":"image","mimeType":`...), kind...), `,"data":"`...)
		return append(base64.StdEncoding.AppendEncode(to, c.Data), `"}`...), nil
	}
	raw, err := encoded(c)
	if err != nil {
		return nil, err
	}
	return append(to, raw...), nil
}

// oneLine is a value as JSON without line ends: those would end an event.
func oneLine(v any) ([]byte, error) {
	raw, ok := v.(json.RawMessage)
	if !ok {
		return encoded(v)
	}
	if bytes.ContainsAny(raw, "\r\n") {
		var b bytes.Buffer
		if err := json.Compact(&b, raw); err != nil {
			return nil, fmt.Errorf("compact a result: %w", err)
		}
		return b.Bytes(), nil
	}
	return raw, nil
}

// encoded is JSON that leaves <, > and & as they are: nobody puts it into HTML, and a
// model reads it.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode a result: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
