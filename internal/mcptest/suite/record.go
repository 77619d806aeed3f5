package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// Bounds of what is recorded of one answer.
const (
	mostExpected = 500  // expectations of a step
	mostItems    = 100  // items of an array that are looked into
	small        = 120  // of a value that is expected as a whole, in bytes
	longText     = 2000 // of which only the beginning is expected, in bytes
	mostNames    = 300  // names of a list
	fewLetters   = 3    // of a text beside what varies, for which no pattern is made
)

// Record makes a suite of what passed on a connection: its requests with the answers that
// they got. What is expected is what should be the same again; of times, ids and tokens
// only the type is. Requests that had no answer, or one that was cut, are left out, and
// so are those with secrets in them.
func Record(name string, t wire.Transcript) (*Suite, error) {
	s := &Suite{Version: Version, Name: name}
	seen := map[string]*heard{}
	var order []*heard
	for _, h := range exchanges(t) {
		step, ok := stepOf(h)
		if !ok {
			continue
		}
		h.step = step
		key := step.title() + " " + string(step.Arguments)
		first := seen[key]
		switch {
		case first == nil:
			seen[key] = h
			order = append(order, h)
		case h.params["cursor"] != nil:
			first.append(h)
		case step.Connect || step.List != "":
			first.again(h)
		default:
			first.again(h)
			h.unstable = first.unstable // both are judged by what differs between them
			order = append(order, h)
		}
	}
	for _, h := range order {
		h.step.Expect = h.expectations()
		s.Steps = append(s.Steps, h.step)
	}
	learnSchemas(s, order)
	if len(s.Steps) == 0 {
		return nil, errors.New("record a suite: there is nothing that can be asked again")
	}
	return s, nil
}

// heard is a request with its answer.
type heard struct {
	method   string
	params   map[string]json.RawMessage
	result   any
	code     *int64 // of an error
	step     Step
	unstable map[string]bool // pointers at which the same request was answered otherwise
}

// exchanges are the requests of a transcript that were answered, in their order.
func exchanges(t wire.Transcript) []*heard {
	var out []*heard
	open := map[string]*heard{}
	for _, e := range t.Entries {
		whole := !e.Gone && len(e.Bytes) == e.Size && e.ID != ""
		switch {
		case !whole:
			delete(open, e.ID)
		case e.Direction == wire.Sent && e.Method != "":
			var m struct {
				Params map[string]json.RawMessage `json:"params"`
			}
			if json.Unmarshal(e.Bytes, &m) == nil {
				open[e.ID] = &heard{method: e.Method, params: m.Params, unstable: map[string]bool{}}
			}
		case e.Direction == wire.Received && e.Method == "" && open[e.ID] != nil:
			h := open[e.ID]
			delete(open, e.ID)
			if h.answer(e.Bytes) {
				out = append(out, h)
			}
		}
	}
	return out
}

// answer takes the answer to a request; false when it can be expected by nobody.
func (h *heard) answer(raw []byte) bool {
	var m struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code int64 `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return false
	}
	if m.Error != nil {
		h.code = &m.Error.Code
		return true
	}
	v, err := decode(m.Result)
	kind, _ := at(v, "/resultType")
	h.result = v
	return err == nil && (kind == nil || kind == "complete")
}

// stepOf is the step that a request makes.
func stepOf(h *heard) (Step, bool) {
	var s Step
	text := func(name string) string {
		var v string
		_ = json.Unmarshal(h.params[name], &v) // empty is refused below
		return v
	}
	for name, l := range lists {
		if h.method == l[0] {
			s.List = name
			return s, h.code == nil
		}
	}
	switch h.method {
	case "initialize", "server/discover":
		s.Connect = true
		return s, h.code == nil
	case "tools/call":
		s.Call, s.Arguments, s.Task = text("name"), h.params["arguments"], h.params["task"] != nil
	case "prompts/get":
		s.Prompt, s.Arguments = text("name"), h.params["arguments"]
	case "resources/read":
		s.Read = text("uri")
	case "completion/complete":
		s.Complete = completionOf(h.params)
	}
	s.Fails = h.code
	if bytes.Equal(s.Arguments, []byte("null")) || bytes.Equal(s.Arguments, []byte("{}")) {
		s.Arguments = nil
	}
	whole := !bytes.Contains(s.Arguments, []byte("[redacted]")) && h.params["inputResponses"] == nil
	return s, whole && (s.Call != "" || s.Prompt != "" || s.Read != "" || s.Complete != nil) && (len(s.Arguments) == 0 || s.Arguments[0] == '{')
}

// append adds a page to a list.
func (h *heard) append(next *heard) {
	member := lists[h.step.List][1]
	all, _ := h.result.(map[string]any)
	more, _ := next.result.(map[string]any)
	a, okA := all[member].([]any)
	b, okB := more[member].([]any)
	if okA && okB {
		all[member] = slices.Concat(a, b)
	}
}

// again learns from a second answer to the same request what differs.
func (h *heard) again(other *heard) {
	if h.code == nil && other.code == nil {
		differing(h.result, other.result, "", h.unstable)
	}
}

// expectations are what a result should have again.
func (h *heard) expectations() []Expectation {
	if h.code != nil || h.step.Task { // which was answered with a task, and comes to something later
		return nil
	}
	p := &picker{root: h.result, unstable: h.unstable}
	m, _ := h.result.(map[string]any)
	switch {
	case h.step.Connect:
		p.connect(m)
	case h.step.List != "":
		p.list(lists[h.step.List], m)
	default:
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if k == "_meta" || k == "resultType" || k == "ttlMs" || k == "cacheScope" {
				continue
			}
			p.value("/"+escaper.Replace(k), k, m[k])
		}
	}
	return p.out
}

// learnSchemas has results checked against the schema that their tool announced.
func learnSchemas(s *Suite, all []*heard) {
	has := map[string]bool{}
	for _, h := range all {
		tools, _ := at(h.result, "/tools")
		items, _ := tools.([]any)
		for _, one := range items {
			m, _ := one.(map[string]any)
			name, _ := m["name"].(string)
			has[name] = has[name] || m["outputSchema"] != nil
		}
	}
	for n, step := range s.Steps {
		if _, structured := at(all[n].result, "/structuredContent"); step.Call != "" && has[step.Call] && structured {
			s.Steps[n].Expect = append(step.Expect, Expectation{At: "/structuredContent", Schema: json.RawMessage(`"output"`)})
		}
	}
}

// picker picks expectations.
type picker struct {
	root     any
	unstable map[string]bool
	out      []Expectation
}

func (p *picker) add(e Expectation) {
	if len(p.out) < mostExpected {
		p.out = append(p.out, e)
	}
}

// connect expects the name of the server and what it can. Its version changes with each
// release.
func (p *picker) connect(m map[string]any) {
	for _, pointer := range []string{"/serverInfo/name", "/_meta/io.modelcontextprotocol~1serverInfo/name"} {
		if v, ok := at(m, pointer); ok {
			p.add(Expectation{At: pointer, Equals: encode(v)})
		}
	}
	capabilities, _ := m["capabilities"].(map[string]any)
	yes := true
	for _, k := range slices.Sorted(maps.Keys(capabilities)) {
		p.add(Expectation{At: "/capabilities/" + escaper.Replace(k), Exists: &yes})
	}
}

// list expects the names of the items. More of them break nobody, and what else they have
// is a matter of a surface.
func (p *picker) list(l [2]string, m map[string]any) {
	items, _ := m[l[1]].([]any)
	p.add(Expectation{At: "/" + l[1], Type: typeOf(m[l[1]])})
	key := map[string]string{"resources": "uri", "resourceTemplates": "uriTemplate"}[l[1]]
	if key == "" {
		key = "name"
	}
	yes := true
	for n, one := range items {
		item, _ := one.(map[string]any)
		name, ok := item[key].(string)
		if _, varies := masked(name); !ok || varies || n >= mostNames {
			continue
		}
		p.out = append(p.out, Expectation{At: "/" + l[1] + "/" + escaper.Replace(key+"="+name), Exists: &yes})
	}
}

// value picks what is expected of a value, and of what is in it.
func (p *picker) value(pointer, name string, v any) {
	if p.unstable[pointer] {
		p.add(Expectation{At: pointer, Type: typeOf(v)})
		return
	}
	if p.whole(pointer, name, v) {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if p.picture(pointer, v) {
			return
		}
		if len(v) == 0 {
			p.add(Expectation{At: pointer, Type: "object"})
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			p.value(pointer+"/"+escaper.Replace(k), k, v[k])
		}
	case []any:
		n := len(v)
		p.add(Expectation{At: pointer, Count: &n})
		for n, one := range v[:min(len(v), mostItems)] {
			p.value(pointer+"/"+itoa(n), name, one)
		}
	case string:
		p.text(pointer, name, v)
	case json.Number:
		if clockName(name) || epoch.MatchString(v.String()) {
			p.add(Expectation{At: pointer, Type: "number"})
			return
		}
		p.add(Expectation{At: pointer, Equals: encode(v)})
	default:
		p.add(Expectation{At: pointer, Equals: encode(v)})
	}
}

// whole expects a small object or array as it is, when nothing in it varies.
func (p *picker) whole(pointer, name string, v any) bool {
	n, composed := size(v)
	text := encode(v)
	if !composed || n == 0 || len(text) > small {
		return false
	}
	inner := &picker{root: p.root, unstable: p.unstable}
	switch v := v.(type) {
	case map[string]any:
		for k, one := range v {
			inner.value(pointer+"/"+escaper.Replace(k), k, one)
		}
	case []any:
		for k, one := range v {
			inner.value(pointer+"/"+itoa(k), name, one)
		}
	}
	for _, e := range inner.out {
		if len(e.Equals) == 0 {
			return false
		}
	}
	p.add(Expectation{At: pointer, Equals: text})
	return true
}

// text picks what is expected of a text.
func (p *picker) text(pointer, name, s string) {
	if read, err := decode([]byte(s)); err == nil && typeOf(read) != "string" {
		if structured, ok := at(p.root, "/structuredContent"); ok && equal(read, structured) {
			p.add(Expectation{At: pointer, SameAs: "/structuredContent"})
			return
		}
	}
	rest, varies := masked(s)
	switch {
	case clockName(name), varies && len(strings.Trim(rest, mark+" \n.,:;()[]")) < fewLetters:
		p.add(Expectation{At: pointer, Type: "string"})
	case len(s) > longText:
		beginning := strings.ToValidUTF8(s[:longText/10], "")
		rest, _ := masked(beginning)
		p.add(Expectation{At: pointer, Matches: strings.TrimSuffix(pattern(rest), "$")})
	case varies:
		p.add(Expectation{At: pointer, Matches: pattern(rest)})
	default:
		p.add(Expectation{At: pointer, Equals: encode(s)})
	}
}

// picture picks what is expected of a block with data, which differ from run to run.
func (p *picker) picture(pointer string, m map[string]any) bool {
	kind, _ := m["type"].(string)
	mime, _ := m["mimeType"].(string)
	if _, ok := m["data"].(string); !ok || kind != "image" && kind != "audio" {
		return false
	}
	p.add(Expectation{At: pointer, Content: kind, Mime: mime, MinBytes: 1})
	return true
}

// encode writes a value as JSON.
func encode(v any) json.RawMessage {
	if s, ok := v.(string); ok {
		return quoted(s)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // what was decoded can be encoded
	}
	return b
}
