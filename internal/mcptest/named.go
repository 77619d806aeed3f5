package mcptest

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/nearest"
)

// thing is what a request is about: a tool, a prompt or a resource, by its name.
type thing struct {
	word    string // in sentences
	method  string // of the request
	list    string // the method that lists such things
	nameKey string // of an item's name
	absent  string // the error type when there is none of this name
	tool    string // of this server that lists them
}

// The things of a server.
var (
	aTool     = thing{"tool", "tools/call", "tools/list", "name", errToolNotFound, "list_tools"}
	aResource = thing{"resource", "resources/read", "resources/list", "uri", errResourceNotFound, "list_resources"}
	aPrompt   = thing{"prompt", "prompts/get", "prompts/list", "name", errPromptNotFound, "list_prompts"}
)

// offered is what a list says of a name.
type offered struct {
	name  string
	known bool            // the list was read to its end
	item  json.RawMessage // nil when the list lacks the name
	names []string
}

// lookUp asks the server whether it lists a name. A server that does not have the list
// at all lists nothing.
func (k *call) lookUp(t thing, name string) offered {
	l, err := k.c.conn.List(k.ctx, t.list, nil, wire.CallOptions{Timeout: listTime})
	var rpc *wire.RPCError
	if errors.As(err, &rpc) && rpc.Code == wire.CodeMethodNotFound {
		return offered{name: name, known: true}
	}
	o := offered{name: name, known: err == nil && l.Stopped == "" && l.Shape == ""}
	for _, item := range l.Items {
		own, ok := textOf(field(item, t.nameKey))
		if !ok {
			continue
		}
		o.names = append(o.names, own)
		if own == name {
			o.item = item
		}
	}
	return o
}

// rejected is a request with a name in it that failed. Whether the name is the reason
// follows from the server's own list, never from its words.
func (k *call) rejected(t thing, name string, ex *wire.Exchange, err error) error {
	var rpc *wire.RPCError
	if !errors.As(err, &rpc) || ex.HTTP != nil && unauthorized(ex.HTTP.Status) {
		return k.answered(ex, err)
	}
	o := k.lookUp(t, name)
	switch {
	case t == aResource && (rpc.Code == wire.CodeResourceNotFound || rpc.Code == wire.CodeInvalidParams):
		return k.notThere(t, o, ex, rpc)
	case o.known && o.item == nil && t != aResource:
		return k.notThere(t, o, ex, rpc)
	case rpc.Code == wire.CodeInvalidParams:
		return k.fail(failure{
			typ: errInvalidArguments, subtype: subProtocol,
			message:    fmt.Sprintf("The server refused the arguments for the %s %s with error %d.", t.word, line(name, 100), rpc.Code),
			shown:      line(k.shown([]byte(rpc.Message)), 1000),
			details:    k.rpcDetails(rpc),
			suggestion: "Compare the arguments with what " + t.tool + " shows.", findings: found(ex),
		})
	}
	return k.answered(ex, err)
}

// notThere says that the server has nothing of this name; rpc is nil when the server
// said so in a result.
func (k *call) notThere(t thing, o offered, ex *wire.Exchange, rpc *wire.RPCError) error {
	name := o.name
	f := failure{
		typ: t.absent, message: fmt.Sprintf("The server has no %s %s.", t.word, line(name, 200)),
		details: map[string]any{t.word: line(name, 500)}, findings: found(ex),
		suggestion: "See " + t.tool + " for what there is.",
	}
	if rpc != nil {
		f.shown = line(k.shown([]byte(rpc.Message)), 1000)
		for key, value := range k.rpcDetails(rpc) {
			f.details[key] = value
		}
	}
	if near := nearest.Name(name, o.names); near != "" && len(o.names) < 2000 {
		f.details["nearest"] = line(k.shown([]byte(near)), 200)
		f.suggestion = "Did you mean the one in details.nearest? See " + t.tool + " for what there is."
	}
	switch {
	case o.item != nil:
		f.message = fmt.Sprintf("The server lists the %s %s, and says that there is none.", t.word, line(name, 200))
		f.findings = append(f.findings, Finding{Code: findingUnknown, Message: "It is in " + t.list + ", and " + t.method + " does not find it."})
	case rpc == nil:
		f.findings = append(f.findings, Finding{
			Code: findingUnknown, Message: "A name that is not in " + t.list + " was answered with a result; the protocol wants error -32602 (MCP 2025-11-25, Tools, Error Handling).",
		})
	case t != aResource && rpc.Code != wire.CodeInvalidParams:
		f.findings = append(f.findings, Finding{
			Code: findingUnknown, Message: fmt.Sprintf("A name that is not in %s was answered with error %d; the protocol wants -32602.", t.list, rpc.Code),
		})
	}
	return k.fail(f)
}
