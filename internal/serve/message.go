package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/tool"
)

const (
	metaVersion = "io.modelcontextprotocol/protocolVersion"
	// modernVersion is the first version without sessions.
	modernVersion = "2026-07-28"
	// maxID is the largest integer that survives the SDK's float64.
	maxID = 1 << 53
)

// knownVersions are those that the SDK speaks.
var knownVersions = mcp.SupportedProtocolVersions()

// message is one JSON-RPC message of a client, read strictly.
type message struct {
	id     json.RawMessage // nil for a notification
	method string          // "" for a response
	params map[string]json.RawMessage
	name   string // of the tool that a tools/call asks for

	meta map[string]json.RawMessage // the members of _meta
}

// rpcError is an error of the protocol itself, as opposed to one of a tool.
type rpcError struct {
	id      json.RawMessage
	code    int64
	message string
}

func (e *rpcError) Error() string { return e.message }

// body is the JSON-RPC error response.
func (e *rpcError) body() []byte {
	id := e.id
	if id == nil {
		id = json.RawMessage("null")
	}
	text, _ := json.Marshal(e.message) // a string always marshals
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, e.code, text)
}

// parseMessage reads one message. It accepts only bodies that every parser reads
// alike: no key twice, no key that differs from a known one in case only. A
// server that decides on one reading and executes another can be led past its
// own checks.
func parseMessage(data []byte) (*message, *rpcError) {
	whole, err := tool.ReadJSON(data)
	keys := whole.Members()
	if err != nil || keys == nil {
		return nil, unreadable(data, err)
	}
	if err := exactKeys(keys, "jsonrpc", "id", "method", "params", "result", "error"); err != nil {
		id := keys["id"]
		if !usableID(id) {
			id = nil
		}
		return nil, invalid(id, "%v", err)
	}
	return readMessage(keys, whole)
}

// unreadable says what is wrong with a body that err refuses, or that is no object.
func unreadable(data []byte, err error) *rpcError {
	var keys map[string]json.RawMessage
	var syntax *json.SyntaxError
	switch bad := json.Unmarshal(data, &keys); {
	case errors.As(bad, &syntax) && errors.Is(err, tool.ErrTooDeep): // for the decoder, that is a mistake
		return invalid(nil, "%v", err)
	case errors.As(bad, &syntax):
		return &rpcError{code: jsonrpc.CodeParseError, message: "Parse error: the message is not valid JSON."}
	case bytes.TrimSpace(data)[0] == '[':
		return invalid(nil, "batches are not supported: send one message at a time")
	case bad != nil || keys == nil:
		return invalid(nil, "a message must be a JSON object")
	}
	// A message whose id is in no doubt still gets its own answer: one without
	// an id makes clients give up the whole connection.
	id, sure := keys["id"], errors.Is(err, tool.ErrTooDeep) || bytes.Count(data, []byte(`"id"`)) == 1
	if sure && usableID(id) {
		return invalid(id, "%v", err)
	}
	return invalid(nil, "%v", err)
}

func readMessage(keys map[string]json.RawMessage, whole tool.Document) (*message, *rpcError) {
	m := &message{}
	if raw, ok := keys["id"]; ok {
		if !usableID(raw) {
			return nil, invalid(nil, "the id must be a string or an integer")
		}
		m.id = raw
	}
	if string(keys["jsonrpc"]) != `"2.0"` {
		return nil, invalid(m.id, `"jsonrpc" must be "2.0"`)
	}
	raw, ok := keys["method"]
	if !ok {
		if _, result := keys["result"]; result == (keys["error"] != nil) || m.id == nil {
			return nil, invalid(m.id, `"method" is missing`)
		}
		return m, nil
	}
	if m.method = textIn(raw); m.method == "" {
		return nil, invalid(m.id, `"method" must be a string`)
	}
	if raw, ok := keys["params"]; ok {
		if raw[0] != '{' {
			return nil, &rpcError{m.id, jsonrpc.CodeInvalidParams, `Invalid params: "params" must be an object.`}
		}
		m.params, m.meta = whole.Members("params"), whole.Members("params", "_meta")
	}
	return m, m.checkParams()
}

// checkParams looks at what the SDK would answer with a code of 0.
func (m *message) checkParams() *rpcError {
	known := []string{"_meta", "name", "arguments", "cursor", "protocolVersion", "capabilities", "clientInfo", "uri", "level"}
	if err := exactKeys(m.params, known...); err != nil {
		return invalid(m.id, "%v", err)
	}
	for key, want := range map[string]byte{"_meta": '{', "name": '"', "cursor": '"', "uri": '"'} {
		if raw, ok := m.params[key]; ok && raw[0] != want {
			return &rpcError{m.id, jsonrpc.CodeInvalidParams, fmt.Sprintf("Invalid params: %q has the wrong type.", key)}
		}
	}
	if m.method != methodCall {
		return nil
	}
	if m.params["name"] == nil {
		return &rpcError{m.id, jsonrpc.CodeInvalidParams, `Invalid params: "name" is required.`}
	}
	m.name = textIn(m.params["name"])
	return nil
}

// textIn is the string that raw is, or "": of plain ASCII without the detour of a
// decoder.
func textIn(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if inner := raw[1 : len(raw)-1]; !bytes.ContainsFunc(inner, func(r rune) bool { return r == '\\' || r >= utf8.RuneSelf }) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(raw, &s) // it is a string
	return s
}

// label is the method for logs: whatever a client makes up is "other".
func (m *message) label() string {
	if _, ok := legacyMethods[m.method]; ok || m.method == methodDiscover || m.method == methodListen {
		return m.method
	}
	return "other"
}

// isCall reports whether the message wants an answer.
func (m *message) isCall() bool { return m.method != "" && m.id != nil }

// version is the protocol version that the message itself names, or "".
func (m *message) version() string {
	return textIn(m.meta[metaVersion]) // a wrong type is for the SDK to refuse
}

// speaks reports whether the request names a version that is known, or none.
func (m *message) speaks(header string) bool { return header == "" || m.spoken(header) == header }

// spoken is the protocol version that the answer names in its header, given that
// of the request: the client's own if it is known.
func (m *message) spoken(header string) string {
	if m.method == methodInitialize {
		_ = json.Unmarshal(m.params["protocolVersion"], &header) // a wrong type is for the SDK to refuse
	}
	if slices.Contains(knownVersions, header) {
		return header
	}
	return probeVersion
}

// invalid is the error for a message that is JSON but no request.
func invalid(id json.RawMessage, format string, args ...any) *rpcError {
	return &rpcError{id, jsonrpc.CodeInvalidRequest, "Invalid request: " + fmt.Sprintf(format, args...) + "."}
}

func exactKeys(keys map[string]json.RawMessage, known ...string) error {
	for k := range keys {
		for _, want := range known {
			if k != want && strings.EqualFold(k, want) {
				return fmt.Errorf("the key %q must be written %q", k, want)
			}
		}
	}
	return nil
}

// usableID reports whether raw is there and can be an id: a string, or an integer that
// every reader takes for the same.
func usableID(raw json.RawMessage) bool {
	if len(raw) > 0 && raw[0] == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil && -maxID <= n && n <= maxID
}

// legacyMethods are the methods that a client of the eras with sessions may use;
// the value says whether it is a notification.
var legacyMethods = map[string]bool{
	methodInitialize: false, "ping": false, "tools/list": false, methodCall: false,
	"resources/list": false, "resources/templates/list": false, "resources/read": false,
	"resources/subscribe": false, "resources/unsubscribe": false,
	"prompts/list": false, "prompts/get": false, "completion/complete": false, "logging/setLevel": false,
	methodInitialized: true, methodCancelled: true,
	"notifications/progress": true, "notifications/roots/list_changed": true,
}

// idText is one spelling of an id, whatever escapes the client used.
func idText(id jsonrpc.ID) string {
	raw, _ := json.Marshal(id.Raw()) // a string or a number always marshals
	return string(raw)
}
