package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/nearest"
)

// Version is that of the format of suites.
const Version = 1

// Suite is a list of steps with what is expected of them.
type Suite struct {
	Version int    `json:"version"`
	Name    string `json:"suite"`
	// Server is what the suite is for. A caller may run it against another.
	Server *Server `json:"server,omitempty"`
	Steps  []Step  `json:"steps"`
}

// Server says how a server is reached: an address or a command.
type Server struct {
	URL     string   `json:"url,omitempty"`
	Command []string `json:"command,omitempty"`
	Era     string   `json:"era,omitempty"`
}

// Step is one request, or one event. It has one of Connect, List, Call, Read, Prompt,
// Complete, Subscribe and Await.
type Step struct {
	Name string `json:"name,omitempty"`
	// Connect is the opening of the connection; its result is the answer to initialize or
	// server/discover.
	Connect bool `json:"connect,omitempty"`
	// List is tools, resources, templates or prompts: all pages in one result.
	List string `json:"list,omitempty"`
	// Call is the name of a tool, Read a URI, Prompt the name of a prompt.
	Call      string          `json:"call,omitempty"`
	Read      string          `json:"read,omitempty"`
	Prompt    string          `json:"prompt,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Task has a call made as a task, where the server leaves that to its client. One that
	// the server makes a task by itself is followed too.
	Task bool `json:"task,omitempty"`
	// Complete asks for values of an argument.
	Complete *Completion `json:"complete,omitempty"`
	// Subscribe is the URI of a resource whose changes are asked for until the run ends, or
	// lists, for those of the lists.
	Subscribe string `json:"subscribe,omitempty"`
	// Await is the method of a notification, such as notifications/resources/updated, that
	// comes after the one that was awaited before; its params are the result.
	Await string `json:"await,omitempty"`
	// Within is the longest that the answer may take, such as 500ms.
	Within string `json:"within,omitempty"`
	// Fails is the code of the JSON-RPC error that is expected instead of a result.
	Fails  *int64        `json:"fails,omitempty"`
	Expect []Expectation `json:"expect,omitempty"`
}

// Completion names the argument of a prompt, or the variable of a resource template.
type Completion struct {
	Prompt   string            `json:"prompt,omitempty"`
	Template string            `json:"template,omitempty"`
	Argument string            `json:"argument"`
	Value    string            `json:"value,omitempty"` // its beginning
	Context  map[string]string `json:"context,omitempty"`
}

// Expectation is what must hold at one place of a result. Each of its members that is set
// must hold.
type Expectation struct {
	// At is a JSON pointer (RFC 6901) into the result; empty is all of it. A step of the
	// form name=value takes the first item of an array whose member name is that text.
	At     string          `json:"at"`
	Exists *bool           `json:"exists,omitempty"`
	Type   string          `json:"type,omitempty"` // of JSON, or integer
	Equals json.RawMessage `json:"equals,omitempty"`
	// SameAs is the pointer to another value, which a text has as its JSON.
	SameAs  string `json:"same_as,omitempty"`
	Matches string `json:"matches,omitempty"` // a regular expression (RE2)
	Count   *int   `json:"count,omitempty"`   // of an array or object
	// Schema is a JSON Schema (2020-12); the text "output" is the tool's own.
	Schema json.RawMessage `json:"schema,omitempty"`
	// Content is the type of a content block; Mime, Width, Height and Bytes are those of
	// its data.
	Content  string `json:"content,omitempty"`
	Mime     string `json:"mime,omitempty"`
	Width    int    `json:"width,omitempty"`  // in pixels
	Height   int    `json:"height,omitempty"` // in pixels
	MinBytes int    `json:"min_bytes,omitempty"`
	MaxBytes int    `json:"max_bytes,omitempty"`
}

// mostSuite is the most that is read of a suite, in bytes, and mostSteps of its steps.
const (
	mostSuite = 8 << 20
	mostSteps = 2000
)

// Parse reads a suite in YAML, or in JSON, which is YAML too. Its errors say what is wrong
// and where.
func Parse(text []byte) (*Suite, error) {
	if len(text) > mostSuite {
		return nil, fmt.Errorf("read a suite: it has %d bytes, more than %d", len(text), mostSuite)
	}
	raw, err := toJSON(text)
	if err != nil {
		return nil, fmt.Errorf("read a suite: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var s Suite
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("read a suite: %s", unknown(err))
	}
	if s.Server != nil && !slices.Contains([]string{"", string(wire.EraAuto), string(wire.EraLegacy), string(wire.EraModern)}, s.Server.Era) {
		return nil, fmt.Errorf("read a suite: there is no era %q; there are auto, legacy and modern", s.Server.Era)
	}
	if s.Version != Version {
		return nil, fmt.Errorf("read a suite: its version is %d, this program knows %d", s.Version, Version)
	}
	if len(s.Steps) == 0 || len(s.Steps) > mostSteps {
		return nil, fmt.Errorf("read a suite: it has %d steps; 1 to %d can be run", len(s.Steps), mostSteps)
	}
	for n, step := range s.Steps {
		if err := step.check(); err != nil {
			return nil, fmt.Errorf("read a suite: step %d (%s): %w", n+1, step.title(), err)
		}
	}
	return &s, nil
}

// unknown is an error of package json; of a member that does not exist it says what there
// is, which is what somebody needs who has misspelt it.
func unknown(err error) string {
	_, name, is := strings.Cut(err.Error(), "unknown field ")
	if !is {
		return err.Error()
	}
	var all []string
	for _, of := range []any{Suite{}, Server{}, Step{}, Completion{}, Expectation{}} {
		t := reflect.TypeOf(of)
		for i := range t.NumField() {
			member, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			all = append(all, member)
		}
	}
	slices.Sort(all)
	said := "there is no member " + name
	if near := nearest.Name(strings.Trim(name, `"`), all); near != "" {
		return said + "; " + near + " is the nearest"
	}
	return said + "; there are " + strings.Join(slices.Compact(all), ", ")
}

// YAML writes a suite so that people like to read it.
func (s *Suite) YAML() ([]byte, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("write a suite: %w", err)
	}
	return toYAML(raw)
}

// lists are the methods of the lists, and the member that holds the items.
var lists = map[string][2]string{
	"tools": {"tools/list", "tools"}, "resources": {"resources/list", "resources"},
	"templates": {"resources/templates/list", "resourceTemplates"}, "prompts": {"prompts/list", "prompts"},
}

// title is the name of a step, or what it does.
func (s Step) title() string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Connect:
		return "connect"
	case s.List != "":
		return "list " + s.List
	case s.Call != "":
		return "call " + s.Call
	case s.Read != "":
		return "read " + s.Read
	case s.Prompt != "":
		return "prompt " + s.Prompt
	case s.Complete != nil:
		return "complete " + s.Complete.Argument + " of " + s.Complete.Prompt + s.Complete.Template
	case s.Subscribe != "":
		return "subscribe " + s.Subscribe
	case s.Await != "":
		return "await " + s.Await
	}
	return "nothing"
}

// check says what is wrong with a step.
func (s Step) check() error {
	n := 0
	for _, set := range []bool{s.Connect, s.List != "", s.Call != "", s.Read != "", s.Prompt != "", s.Complete != nil, s.Subscribe != "", s.Await != ""} {
		if set {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("it has %d of connect, list, call, read, prompt, complete, subscribe and await, not one", n)
	}
	if c := s.Complete; c != nil && (c.Argument == "" || (c.Prompt == "") == (c.Template == "")) {
		return fmt.Errorf("complete needs argument, and either prompt or template")
	}
	if s.Task && s.Call == "" {
		return fmt.Errorf("only a call can be a task")
	}
	if s.Await != "" && s.Fails != nil {
		return fmt.Errorf("an event is no answer: it cannot fail")
	}
	if s.List != "" && lists[s.List][0] == "" {
		return fmt.Errorf("there is no list %q; there are tools, resources, templates and prompts", s.List)
	}
	if len(s.Arguments) > 0 && s.Arguments[0] != '{' {
		return fmt.Errorf("arguments are no object")
	}
	if s.Within != "" {
		if d, err := time.ParseDuration(s.Within); err != nil || d <= 0 {
			return fmt.Errorf("within %q is no duration such as 500ms or 2s", s.Within)
		}
	}
	if s.Fails != nil && len(s.Expect) > 0 {
		return fmt.Errorf("an error is expected, and a result too")
	}
	for _, e := range s.Expect {
		if err := e.check(s); err != nil {
			return fmt.Errorf("expectation at %q: %w", e.At, err)
		}
	}
	return nil
}

// types are those of JSON Schema.
var types = map[string]bool{"string": true, "number": true, "integer": true, "boolean": true, "object": true, "array": true, "null": true}

// check says what is wrong with an expectation.
func (e Expectation) check(s Step) error {
	if e.At != "" && e.At[0] != '/' {
		return fmt.Errorf("it is no JSON pointer: it begins with /")
	}
	if e.SameAs != "" && e.SameAs[0] != '/' {
		return fmt.Errorf("same_as %q is no JSON pointer", e.SameAs)
	}
	if e.Type != "" && !types[e.Type] {
		return fmt.Errorf("there is no type %q", e.Type)
	}
	if _, err := regexp.Compile(e.Matches); err != nil {
		return fmt.Errorf("matches: %w", err)
	}
	if e.own() && s.Call == "" {
		return fmt.Errorf("schema output is that of a tool; this is no call")
	}
	if len(e.Schema) > 0 && !e.own() {
		switch _, _, odd, err := compile(e.Schema); {
		case err != nil:
			return err
		case len(odd) > 0:
			return fmt.Errorf("the schema has the pattern %q, which is none of RE2", odd[0])
		}
	}
	if e.empty() {
		return fmt.Errorf("it expects nothing")
	}
	return nil
}

// own tells that the schema is the tool's own.
func (e Expectation) own() bool { return string(e.Schema) == `"output"` }

func (e Expectation) empty() bool {
	return e.Exists == nil && e.Type == "" && len(e.Equals) == 0 && e.SameAs == "" && e.Matches == "" && e.Count == nil &&
		len(e.Schema) == 0 && e.Content == "" && e.Mime == "" && e.Width == 0 && e.Height == 0 && e.MinBytes == 0 && e.MaxBytes == 0
}

// compile makes a schema usable, which gives the patterns that no value is held against.
func compile(schema json.RawMessage) (doc any, s *jsonschema.Schema, odd []string, err error) {
	if doc, err = decode(schema); err != nil {
		return nil, nil, nil, fmt.Errorf("read a schema: %w", err)
	}
	s, odd, err = check.Compile(doc)
	return doc, s, odd, err
}
