package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var awaitEvent = tool.New(tool.Spec{
	Name: "await_event", Title: "Wait for an event",
	Description: "Waits for a notification or request of the server; those that came before count too. " +
		"subscribe first asks for changes of a resource, or of the lists, from then on until disconnect.",
	Effect: tool.Read, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 6 * time.Minute, Reword: asSpecified,
	Outline:  []string{"event"},
	Examples: []tool.Example{{Name: "a change of the tools", Args: AwaitIn{Method: "notifications/tools/list_changed", TimeoutMS: 1000}}},
}, (*Server).await)

// AwaitIn says which event is meant.
type AwaitIn struct {
	Method     string `json:"method,omitempty" jsonschema:"such as notifications/tools/list_changed; default: any"`
	After      int64  `json:"after,omitempty" minimum:"0" jsonschema:"a seq"`
	Subscribe  string `json:"subscribe,omitempty" jsonschema:"a resource URI, or lists"`
	TimeoutMS  int    `json:"timeout_ms,omitempty" minimum:"1" maximum:"300000" default:"30000"`
	Connection string `json:"connection,omitempty"`
}

// AwaitOut is an event.
type AwaitOut struct {
	Success    bool       `json:"success"`
	Connection Connection `json:"connection"`
	Event      EventBlock `json:"event"`
	Metadata   Metadata   `json:"metadata"`
}

// EventBlock is a message that the server sent of its own accord.
type EventBlock struct {
	Seq    int64           `json:"seq,omitempty"`
	At     string          `json:"at"`
	Method string          `json:"method"`
	ID     string          `json:"id,omitempty" jsonschema:"of a request"`
	Params json.RawMessage `json:"params,omitempty"`
	Cut    *Cut            `json:"cut,omitempty"`
}

func (k *call) eventBlock(m wire.Message) EventBlock {
	const most = 4000
	b := EventBlock{At: stamp(m.At), Method: line(m.Method, 200), ID: line(string(m.ID), 100)}
	b.Params, b.Cut = k.verbatim(m.Params, most)
	return b
}

// Text is what a model reads.
func (o AwaitOut) Text() string {
	return fmt.Sprintf("Event %d came after %d ms.\n%s", o.Event.Seq, o.Metadata.RequestTime, marked(o.Event.At+" "+o.Event.Method+" "+string(o.Event.Params)))
}

func (s *Server) await(ctx context.Context, in AwaitIn) (AwaitOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return AwaitOut{}, err
	}
	if in.Subscribe != "" {
		if err := k.subscribe(in.Subscribe); err != nil {
			return AwaitOut{}, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(in.TimeoutMS)*time.Millisecond)
	defer cancel()
	e, err := k.c.conn.Await(limited, in.After, func(e wire.Event) bool { return in.Method == "" || e.Method == in.Method })
	if err != nil {
		return AwaitOut{}, k.noEvent(in, err)
	}
	b := k.eventBlock(e.Message)
	b.Seq = e.Seq
	return AwaitOut{Success: true, Connection: k.c.block(), Event: b, Metadata: k.metadata()}, nil
}

// mostSubscriptions bounds what a connection is subscribed to.
const mostSubscriptions = 50

// subscribe asks for changes until the connection ends: who calls one tool after the
// other subscribes, makes the change, and waits for it. One that is there already is made
// anew, since a server may have ended it.
func (k *call) subscribe(what string) error {
	k.c.mu.Lock()
	_, known := k.c.subscribed[what]
	full := !known && len(k.c.subscribed) >= mostSubscriptions
	k.c.mu.Unlock()
	if full {
		return k.fail(failure{
			typ: errInvalidArguments, subtype: subLimit, message: "The connection has as many subscriptions as it takes.",
			suggestion: "Connect again, or open another connection.", details: map[string]any{"most": mostSubscriptions},
		})
	}
	ex, end, err := k.c.conn.Subscribe(k.ctx, what, wire.CallOptions{Timeout: k.s.set.Call})
	if err != nil {
		return k.answered(ex, err)
	}
	k.c.mu.Lock()
	before := k.c.subscribed[what]
	k.c.subscribed[what] = end
	k.c.mu.Unlock()
	if before != nil && k.c.conn.Era() == wire.EraModern {
		before() // in the legacy era that would end the new one
	}
	return nil
}

// noEvent tells that no such event came, and which did.
func (k *call) noEvent(in AwaitIn, err error) error {
	var e *wire.Error
	if !errors.As(err, &e) || e.Kind != wire.Timeout {
		return k.answered(&wire.Exchange{}, err)
	}
	seen := map[string]int{}
	for _, event := range k.c.conn.Events(in.After) {
		if len(seen) < 50 || seen[event.Method] > 0 {
			seen[line(event.Method, 100)]++
		}
	}
	return k.fail(failure{
		typ: errTimeout, message: fmt.Sprintf("No such event came within %d ms.", in.TimeoutMS), details: map[string]any{"events_seen": seen},
		suggestion: "Do what makes the server send it, such as call_tool, then wait again; details.events_seen counts what came.",
	})
}
