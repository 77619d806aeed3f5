package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// envelope is a message of the server, taken apart but not decoded.
type envelope struct {
	raw                          []byte
	id, params, result, rpcError json.RawMessage
	method                       string
	hasID, hasMethod             bool
	problems                     []problem
}

// problem is an observation in the making.
type problem struct {
	code   Code
	detail string
	bytes  []byte
}

func (e *envelope) wrong(code Code, detail string, bytes []byte) {
	e.problems = append(e.problems, problem{code, detail, bytes})
}

// isResponse reports whether a message answers something. One with a method does not,
// whatever else it has.
func (e *envelope) isResponse() bool { return !e.hasMethod }

// isRequest reports whether a message wants an answer.
func (e *envelope) isRequest() bool { return e.hasMethod && e.hasID }

// open takes a message apart. ok is false when it is none at all; the problems say
// why.
func open(raw []byte) (e *envelope, ok bool) {
	e = &envelope{raw: raw}
	raw = bytes.TrimSpace(raw)
	if rest, found := bytes.CutPrefix(raw, []byte("\xef\xbb\xbf")); found {
		e.wrong(ByteOrderMark, "A byte order mark stands before the message.", raw)
		raw = rest
	}
	if !utf8.Valid(raw) {
		e.wrong(InvalidUTF8, "The message is not UTF-8.", raw)
	}
	if !json.Valid(raw) {
		if deep(raw) {
			e.wrong(TooDeep, "The message is nested deeper than 10000 levels, beyond which it was not read.", raw)
		} else {
			e.wrong(InvalidJSON, "This is no JSON.", raw)
		}
		return e, false
	}
	all, isObject := members(raw)
	if !isObject {
		code, detail := NotAnObject, "The message is JSON but no object."
		if raw[0] == '[' {
			code, detail = BatchMessage, "The message is an array: batches were removed in 2025-06-18."
		}
		e.wrong(code, detail, raw)
		return e, false
	}
	e.read(all)
	return e, true
}

// deepest is how deep encoding/json reads.
const deepest = 10000

// deep reports whether brackets are nested deeper than can be read.
func deep(raw []byte) bool {
	depth, text := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && text:
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// read sorts the members. The last one of a name counts, as in most parsers.
func (e *envelope) read(all []member) {
	if name, twice := repeated(all); twice {
		e.wrong(DuplicateKey, "The message has the member "+strconv.Quote(name)+" twice.", e.raw)
	}
	version := false
	for _, m := range all {
		switch m.key {
		case "jsonrpc":
			version = string(m.value) == `"2.0"`
		case "id":
			e.id, e.hasID = m.value, true
		case "method":
			e.hasMethod, e.method = true, ""
			if isText(m.value) {
				e.method = unquote(m.value)
			} else {
				e.wrong(BadMethod, "The method is no string.", m.value)
			}
		case "params":
			e.params = m.value
		case "result":
			e.result = m.value
		case "error":
			e.rpcError = m.value
		}
	}
	if !version {
		e.wrong(MissingVersion, `The message has no "jsonrpc":"2.0".`, e.raw)
	}
	e.check()
}

// repeated finds a member that is there twice. Messages have a handful of members; a
// hostile one may have a million.
func repeated(all []member) (name string, twice bool) {
	if len(all) > 16 {
		seen := make(map[string]bool, len(all))
		for _, m := range all {
			if seen[m.key] {
				return m.key, true
			}
			seen[m.key] = true
		}
		return "", false
	}
	for i, m := range all {
		for _, before := range all[:i] {
			if before.key == m.key {
				return m.key, true
			}
		}
	}
	return "", false
}

// check looks for what a message of its kind must have (JSON-RPC 2.0, 4 and 5).
func (e *envelope) check() {
	if _, sound := idKey(e.id); e.hasID && !sound && !isNull(e.id) {
		e.wrong(BadID, "The id is neither a string nor an integer.", e.id)
	}
	if !e.isResponse() {
		if e.params != nil && !isObject(e.params) {
			e.wrong(BadParams, "The params are no object.", e.params)
		}
		if e.hasID && isNull(e.id) {
			e.wrong(NullID, "A request has the id null.", e.raw)
		}
		return
	}
	switch {
	case e.result == nil && e.rpcError == nil:
		e.wrong(NoResultNoError, "The message has neither method, result nor error.", e.raw)
	case e.result != nil && e.rpcError != nil:
		e.wrong(ResultAndError, "The response has a result and an error.", e.raw)
	case e.result != nil && !isObject(e.result):
		e.wrong(BadResult, "The result is no object.", e.result)
	}
	if e.rpcError != nil {
		if _, sound := readError(e.rpcError); !sound {
			e.wrong(BadError, "The error is no object with an integer code and a message.", e.rpcError)
		}
	}
}

// readError takes an error member apart, as far as it goes.
func readError(raw json.RawMessage) (e *RPCError, sound bool) {
	e = &RPCError{Raw: raw, Data: field(raw, "data")}
	code := field(raw, "code")
	n, err := strconv.ParseInt(string(code), 10, 64)
	if err != nil {
		if f, ferr := strconv.ParseFloat(string(code), 64); ferr == nil {
			n = int64(f)
		}
	}
	e.Code = n
	message := field(raw, "message")
	if isText(message) {
		e.Message = unquote(message)
	}
	return e, isObject(raw) && err == nil && isText(message)
}

// request writes a request, or a notification when id is nil.
func request(id json.RawMessage, method string, params json.RawMessage) []byte {
	out := make([]byte, 0, 64+len(method)+len(params))
	out = append(out, `{"jsonrpc":"2.0",`...)
	if id != nil {
		out = append(append(append(out, `"id":`...), id...), ',')
	}
	out = append(append(out, `"method":`...), quote(method)...)
	if params != nil {
		out = append(append(out, `,"params":`...), params...)
	}
	return append(out, '}')
}

// answer writes a response to a request of the server.
func answer(id, result json.RawMessage, rpc *RPCError) []byte {
	all := []member{{"jsonrpc", json.RawMessage(`"2.0"`)}, {"id", id}}
	if rpc == nil {
		return join(append(all, member{"result", result}))
	}
	body := []member{{"code", strconv.AppendInt(nil, rpc.Code, 10)}, {"message", quote(rpc.Message)}}
	if rpc.Data != nil {
		body = append(body, member{"data", rpc.Data})
	}
	return join(append(all, member{"error", join(body)}))
}

// withMeta adds members to the _meta of params, without touching anything else. What
// is there already stays: a caller may want to send something wrong.
func withMeta(params json.RawMessage, meta []member) json.RawMessage {
	if len(meta) == 0 {
		return params
	}
	if len(params) == 0 || isNull(params) {
		return join([]member{{"_meta", join(meta)}})
	}
	all, whole := members(params)
	if !whole {
		return params
	}
	for i, m := range all {
		if m.key != "_meta" {
			continue
		}
		present, isObject := members(m.value)
		if !isObject {
			return params
		}
		for _, add := range meta {
			if field(m.value, add.key) == nil {
				present = append(present, add)
			}
		}
		all[i].value = join(present)
		return join(all)
	}
	return join(append(all, member{"_meta", join(meta)}))
}

// with sets members of params.
func with(params json.RawMessage, set []member) json.RawMessage {
	all, _ := members(params)
	var out []member
	for _, m := range all {
		replaced := false
		for _, s := range set {
			replaced = replaced || s.key == m.key
		}
		if !replaced {
			out = append(out, m)
		}
	}
	return join(append(out, set...))
}
