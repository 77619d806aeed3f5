package wire

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// The members of _meta that each modern request carries (MCP 2026-07-28, Basic
// Protocol, General Fields).
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// progressMethods are the requests that get a progress token unasked.
var progressMethods = []string{"tools/call", "prompts/get", "resources/read"}

// meta are the members that are added to the _meta of a request.
func (c *Conn) meta(id json.RawMessage, method string, o CallOptions) []member {
	var out []member
	if !o.NoProgressToken && (o.ExtendOnProgress || slices.Contains(progressMethods, method)) {
		out = append(out, member{"progressToken", id})
	}
	c.mu.Lock()
	era, version := c.era, c.version
	c.mu.Unlock()
	if era != EraModern {
		return out
	}
	out = append(out, member{metaVersion, quote(version)}, member{metaClientInfo, c.opt.ClientInfo}, member{metaCapabilities, c.modernCapabilities()})
	if c.opt.LogLevel != "" {
		out = append(out, member{metaLogLevel, quote(c.opt.LogLevel)})
	}
	return out
}

// modernCapabilities are those of each modern request.
func (c *Conn) modernCapabilities() json.RawMessage {
	if !c.opt.Tasks {
		return c.opt.Capabilities
	}
	extensions := with(field(c.opt.Capabilities, "extensions"), []member{{TasksExtension, json.RawMessage("{}")}})
	return with(c.opt.Capabilities, []member{{"extensions", extensions}})
}

// modernHeaders mirrors parts of a message into its headers (MCP 2026-07-28,
// Transports, Streamable HTTP, Request Headers).
func (c *Conn) modernHeaders(h http.Header, out *outgoing) {
	if out.method == "" {
		return
	}
	h.Set("Mcp-Method", out.method)
	switch out.method {
	case "tools/call", "prompts/get":
		if name := textField(out.params, "name"); name != "" {
			h.Set("Mcp-Name", headerText(name))
		}
	case "tasks/get", "tasks/update", "tasks/cancel":
		h.Set("Mcp-Name", headerText(textField(out.params, "taskId")))
	case "resources/read":
		if uri := textField(out.params, "uri"); uri != "" {
			h.Set("Mcp-Name", headerText(uri))
		}
	}
	if out.method != "tools/call" {
		return
	}
	c.mu.Lock()
	params := c.params[textField(out.params, "name")]
	c.mu.Unlock()
	for _, p := range params {
		if value, ok := p.value(field(out.params, "arguments")); ok {
			h.Set("Mcp-Param-"+p.header, value)
		}
	}
}

// headerText writes a text so that a header can carry it: as it is when it is visible
// ASCII, spaces within included, and in base64 otherwise.
func headerText(s string) string {
	plain := s == strings.TrimSpace(s) && !strings.HasPrefix(s, "=?base64?")
	for i := range len(s) {
		plain = plain && (s[i] >= 0x20 && s[i] < 0x7f || s[i] == '\t')
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

// paramHeader is a parameter of a tool that travels in a header too.
type paramHeader struct {
	path   []string
	header string
}

// value is what the header says of the arguments of a call: strings, booleans and
// integers that every client can hold exactly.
func (p paramHeader) value(arguments json.RawMessage) (string, bool) {
	at := arguments
	for _, name := range p.path {
		if at = field(at, name); at == nil {
			return "", false
		}
	}
	switch {
	case isText(at):
		return headerText(unquote(at)), true
	case string(at) == "true", string(at) == "false":
		return string(at), true
	}
	f, err := strconv.ParseFloat(string(at), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53-1 {
		return "", false
	}
	return strconv.FormatInt(int64(f), 10), true
}

// learnTools remembers which parameters of the tools in a list travel in headers.
func (c *Conn) learnTools(result json.RawMessage) {
	tools, _ := items(field(result, "tools"))
	for _, tool := range tools {
		if !isObject(tool) {
			continue
		}
		found := paramHeaders(field(tool, "inputSchema"), nil, 0)
		c.mu.Lock()
		if len(found) > 0 && (len(c.params) < c.opt.Limits.Entries) {
			c.params[textField(tool, "name")] = found
		}
		c.mu.Unlock()
	}
}

// HeaderFault says why a client must leave a tool of the list out because of its
// x-mcp-header annotations; empty when it need not (MCP 2026-07-28, Transports, Custom
// Headers from Tool Parameters).
func HeaderFault(tool json.RawMessage) string {
	return headerFault(field(tool, "inputSchema"), map[string]bool{}, 0)
}

func headerFault(schema json.RawMessage, seen map[string]bool, depth int) string {
	inside, _ := members(schema)
	for _, m := range inside {
		if m.key != "properties" && annotated(m, depth) {
			return "a parameter below " + m.key + " is annotated, which no client can find"
		}
	}
	properties, _ := members(field(schema, "properties"))
	for _, m := range properties {
		annotation, kind := field(m.value, "x-mcp-header"), textField(m.value, "type")
		name := strings.ToLower(textField(m.value, "x-mcp-header"))
		switch {
		case annotation == nil:
		case kind != "string" && kind != "integer" && kind != "boolean":
			return "the parameter " + m.key + " is annotated and neither string, integer nor boolean"
		case !isToken(name):
			return "the annotation of the parameter " + m.key + " cannot be the name of a header"
		case seen[name]:
			return "the annotation of the parameter " + m.key + " is there twice"
		default:
			seen[name] = true
		}
		if depth < mostNested {
			if fault := headerFault(m.value, seen, depth+1); fault != "" {
				return fault
			}
		}
	}
	return ""
}

// plainKeywords hold values, not schemas.
var plainKeywords = []string{"enum", "const", "default", "examples"}

// annotated reports whether there is an annotation in what a keyword holds.
func annotated(keyword member, depth int) bool {
	if depth > mostNested || slices.Contains(plainKeywords, keyword.key) {
		return false
	}
	inside, _ := members(keyword.value)
	if list, isArray := items(keyword.value); isArray {
		for _, one := range list {
			inside = append(inside, member{"", one})
		}
	}
	return slices.ContainsFunc(inside, func(m member) bool {
		return m.key == "x-mcp-header" && isText(m.value) || annotated(m, depth+1)
	})
}

// mostNested bounds how deep annotations are looked for.
const mostNested = 32

// paramHeaders are the annotations of a schema's properties, at any depth.
func paramHeaders(schema json.RawMessage, path []string, depth int) []paramHeader {
	if depth > mostNested {
		return nil
	}
	var out []paramHeader
	properties, _ := members(field(schema, "properties"))
	for _, m := range properties {
		if !isObject(m.value) {
			continue
		}
		here := append(slices.Clone(path), m.key)
		if name := textField(m.value, "x-mcp-header"); name != "" && isToken(name) {
			out = append(out, paramHeader{here, name})
		}
		out = append(out, paramHeaders(m.value, here, depth+1)...)
	}
	return out
}

// isToken reports whether a text can be the name of a header (RFC 9110, 5.1).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}
