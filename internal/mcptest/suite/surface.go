package suite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// Surface is what a server offers at one time. The items are as they came, by name.
type Surface struct {
	Version      int               `json:"version"`
	Server       json.RawMessage   `json:"server"`
	Protocol     string            `json:"protocol_version"`
	Supported    []string          `json:"supported_versions,omitempty"`
	Capabilities json.RawMessage   `json:"capabilities"`
	Instructions string            `json:"instructions,omitempty"`
	Tools        []json.RawMessage `json:"tools"`
	Resources    []json.RawMessage `json:"resources"`
	Templates    []json.RawMessage `json:"resource_templates"`
	Prompts      []json.RawMessage `json:"prompts"`
}

// surfaceVersion is that of the format of surfaces.
const surfaceVersion = 1

// Snapshot reads what a server offers, without the secrets that the connection knows: a
// snapshot is kept in files and compared in public. A list that the server does not have is empty; one
// that it announces and cannot give is an error.
func Snapshot(ctx context.Context, conn *wire.Conn) (*Surface, error) {
	info := conn.Server()
	s := &Surface{
		Version: surfaceVersion, Server: conn.Redact(orEmpty(info.Info)), Protocol: string(conn.Redact([]byte(conn.Version()))),
		Capabilities: conn.Redact(orEmpty(info.Capabilities)), Instructions: string(conn.Redact([]byte(info.Instructions))),
	}
	for _, v := range info.Supported {
		s.Supported = append(s.Supported, string(conn.Redact([]byte(v))))
	}
	for _, l := range []struct {
		name, capability string
		into             *[]json.RawMessage
	}{
		{"tools", "tools", &s.Tools}, {"resources", "resources", &s.Resources},
		{"templates", "resources", &s.Templates}, {"prompts", "prompts", &s.Prompts},
	} {
		*l.into = []json.RawMessage{}
		if len(conn.Capability(l.capability)) == 0 {
			continue
		}
		got, err := conn.List(ctx, lists[l.name][0], nil, wire.CallOptions{})
		var rpc *wire.RPCError
		if errors.As(err, &rpc) && rpc.Code == wire.CodeMethodNotFound && l.name == "templates" {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("take a snapshot: %w", err)
		}
		if got.Stopped != "" || got.Shape != "" {
			return nil, fmt.Errorf("take a snapshot: %s cannot be read: %s%s", l.name, got.Stopped, shown(string(conn.Redact([]byte(got.Shape)))))
		}
		for n, item := range got.Items {
			got.Items[n] = conn.Redact(item)
		}
		*l.into = sorted(keyOf(l.name), got.Items)
	}
	return s, nil
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage(`{}`)
	}
	return raw
}

// keyOf is the member that names an item of a list.
func keyOf(list string) string {
	switch list {
	case "resources":
		return "uri"
	case "templates":
		return "uriTemplate"
	}
	return "name"
}

// sorted puts items in the order of their names, which may differ from time to time.
func sorted(key string, items []json.RawMessage) []json.RawMessage {
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b json.RawMessage) int { return cmp.Compare(nameOf(key, a), nameOf(key, b)) })
	return out
}

func nameOf(key string, raw json.RawMessage) string {
	var m map[string]json.RawMessage
	var name string
	if json.Unmarshal(raw, &m) != nil || json.Unmarshal(m[key], &name) != nil {
		return ""
	}
	return name
}

// JSON writes a surface for a file that people compare.
func (s *Surface) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("write a snapshot: %w", err)
	}
	return b.Bytes(), nil
}

// ParseSurface reads a surface.
func ParseSurface(raw []byte) (*Surface, error) {
	if len(raw) > 4*mostSuite {
		return nil, fmt.Errorf("read a snapshot: it has %d bytes, more than %d", len(raw), 4*mostSuite)
	}
	var s Surface
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("read a snapshot: %w", err)
	}
	if s.Version != surfaceVersion {
		return nil, fmt.Errorf("read a snapshot: its version is %d, this program knows %d", s.Version, surfaceVersion)
	}
	return &s, nil
}
