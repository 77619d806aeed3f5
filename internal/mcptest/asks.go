package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// handUp is the answer in a script that has the caller asked.
const handUp = "ask"

// clientFeatures are the capabilities of a client by the requests that they allow a
// server to make (MCP 2025-11-25, Client Features).
var clientFeatures = map[string]string{
	"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots",
}

// asks answers the requests of one server: from a script, or through the caller.
type asks struct {
	script map[string][]json.RawMessage // in turn, the last again and again
	asking map[string]bool              // methods of which the caller is asked
	now    func() time.Time

	mu   sync.Mutex
	open []*ask
	news chan struct{} // of one: a request was opened
}

// ask is a request that waits for the caller.
type ask struct {
	wire.ServerRequest
	at     time.Time
	answer chan given
	told   *running // whose caller was told of it first; nil for nobody
}

// given is what the caller answers: a result, or an error.
type given struct {
	result json.RawMessage
	err    *wire.RPCError
}

// newAsks reads a script: by method an answer, a list of answers, or "ask".
func newAsks(raw json.RawMessage, now func() time.Time) (*asks, error) {
	a := &asks{script: map[string][]json.RawMessage{}, asking: map[string]bool{}, now: now, news: make(chan struct{}, 1)}
	for _, m := range members(raw) {
		if clientFeatures[m.name] == "" {
			return nil, bad("answers has %s: servers ask elicitation/create, sampling/createMessage and roots/list.", line(m.name, 60))
		}
		if text, ok := textOf(m.value); ok {
			if text != handUp {
				return nil, bad("answers has a text for %s: give an answer, a list of answers, or %q.", m.name, handUp)
			}
			a.asking[m.name] = true
			continue
		}
		list, isList := itemsOf(m.value)
		if !isList {
			list = []json.RawMessage{m.value}
		}
		for _, answer := range list {
			if members(answer) == nil {
				return nil, bad("answers has an answer for %s that is no object.", m.name)
			}
		}
		if len(list) > 0 {
			a.script[m.name] = list
		}
	}
	return a, nil
}

// capabilities are what a client that answers like this announces.
func (a *asks) capabilities() json.RawMessage {
	var set []member
	for method, name := range clientFeatures {
		if a.asking[method] || len(a.script[method]) > 0 {
			set = append(set, member{name, json.RawMessage("{}")})
		}
	}
	slices.SortFunc(set, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return object(set)
}

// scripted gives the next answer of the script.
func (a *asks) scripted(method string) (json.RawMessage, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.script[method]
	if len(list) == 0 {
		return nil, false
	}
	if len(list) > 1 {
		a.script[method] = list[1:]
	}
	return list[0], true
}

// take answers a request of the server. It is the connection's hook.
func (a *asks) take(ctx context.Context, r wire.ServerRequest) (json.RawMessage, error) {
	if answer, ok := a.scripted(r.Method); ok {
		return answer, nil
	}
	if !a.asking[r.Method] {
		return nil, &wire.RPCError{Code: wire.CodeMethodNotFound, Message: "this client does not answer it"}
	}
	open := &ask{ServerRequest: r, at: a.now(), answer: make(chan given, 1)}
	a.mu.Lock()
	a.open = append(a.open, open)
	a.mu.Unlock()
	defer a.drop(open)
	select {
	case a.news <- struct{}{}:
	default:
	}
	select {
	case g := <-open.answer:
		if g.err != nil {
			return nil, g.err
		}
		return g.result, nil
	case <-ctx.Done():
		return nil, &wire.RPCError{Code: wire.CodeInternal, Message: "nobody answered in time"}
	}
}

func (a *asks) drop(one *ask) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open = slices.DeleteFunc(a.open, func(other *ask) bool { return other == one })
}

// waiting are the requests that the caller has to answer, the oldest first.
func (a *asks) waiting() []*ask {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.open)
}

// meant are the open requests that the caller of a call has to be told of, and notes that
// it was. What another call that goes on was interrupted by is that one's.
func (a *asks) meant(r *running) []*ask {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []*ask
	for _, one := range a.open {
		if one.told == nil || one.told.isOver() {
			one.told = r
		}
		if one.told == r {
			out = append(out, one)
		}
	}
	return out
}

// settle answers an open request; an empty key means the only one. It says which it was.
func (a *asks) settle(key string, g given) (*ask, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.open, func(one *ask) bool { return key == one.Key })
	switch {
	case len(a.open) == 0:
		return nil, fmt.Errorf("%w: the server asks nothing", errBad)
	case key == "" && len(a.open) == 1:
		i = 0
	case key == "":
		return nil, fmt.Errorf("%w: the server asks %d things; name one by its key", errBad, len(a.open))
	case i < 0:
		return nil, fmt.Errorf("%w: no request of the server has this key", errBad)
	}
	one := a.open[i]
	a.open = slices.Delete(a.open, i, i+1)
	one.answer <- g
	return one, nil
}

// AskBlock is a request of the server that waits for an answer.
type AskBlock struct {
	Key    string          `json:"key" jsonschema:"for answer_request"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
	Cut    *Cut            `json:"cut,omitempty"`
	At     string          `json:"at"`
}

// asked are open requests for an answer.
func (k *call) asked(open []*ask) []AskBlock {
	const most = 8000
	var out []AskBlock
	for _, one := range open {
		b := AskBlock{Key: one.Key, Method: line(one.Method, 100), At: stamp(one.at)}
		b.Params, b.Cut = k.verbatim(one.Params, most)
		out = append(out, b)
	}
	return out
}

// asksText lists open requests for a model.
func asksText(all []AskBlock) string {
	var b strings.Builder
	for _, a := range all {
		fmt.Fprintf(&b, "key %s: %s %s\n", a.Key, a.Method, a.Params)
	}
	return marked(strings.TrimSuffix(b.String(), "\n"))
}
