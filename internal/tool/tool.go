package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool is a declared tool that needs a server value of type S to run.
type Tool[S any] struct {
	Spec Spec

	described func() described[S]
}

// described is what the structs of a tool say.
type described[S any] struct {
	input, output *Schema
	call          func(s S, ctx context.Context, args json.RawMessage) (*reply, error)
}

// Bound is a tool with its server value: what listings, servers and
// documentation take.
type Bound struct {
	Spec   Spec
	Input  *Schema
	Output *Schema

	run func(ctx context.Context, args json.RawMessage) (*reply, error)
}

// New declares a tool. Its structs are described when it is first bound, since
// most commands of the program bind none: Bind panics when the spec or a struct
// cannot be described. That is a mistake in the program, and any test that binds
// the table finds it.
func New[S, In, Out any](spec Spec, h func(S, context.Context, In) (Out, error)) Tool[S] {
	err := spec.check()
	return Tool[S]{Spec: spec, described: sync.OnceValue(func() described[S] {
		if err != nil {
			panic(fmt.Sprintf("tool %s: spec: %v", spec.Name, err))
		}
		return describe(spec, h)
	})}
}

// describe infers the schemas of a tool and checks its outline and examples
// against them.
func describe[S, In, Out any](spec Spec, h func(S, context.Context, In) (Out, error)) described[S] {
	fail := func(what string, err error) { panic(fmt.Sprintf("tool %s: %s: %v", spec.Name, what, err)) }
	input, err := infer(reflect.TypeFor[In](), true)
	if err != nil {
		fail("input", err)
	}
	output, err := infer(reflect.TypeFor[Out](), false)
	if err != nil {
		fail("output", err)
	}
	for _, name := range spec.Outline {
		if output.Property(name) == nil {
			fail("outline", fmt.Errorf("the output has no member %s", name))
		}
	}
	for _, e := range spec.Examples {
		raw, err := marshal(e.Args)
		if err != nil {
			fail("example "+e.Name, err)
		}
		if err := decodeInput(input, raw, new(In)); err != nil {
			fail("example "+e.Name, err)
		}
	}
	call := func(s S, ctx context.Context, args json.RawMessage) (*reply, error) {
		var in In
		if err := decodeInput(input, args, &in); err != nil {
			return nil, err
		}
		out, err := h(s, ctx, in)
		if err != nil {
			return nil, err
		}
		return replyOf(output, out)
	}
	return described[S]{input, output, call}
}

// Bind ties the tool to the server value that its handler works on.
func (t Tool[S]) Bind(s S) Bound {
	d := t.described()
	return Bound{Spec: t.Spec, Input: d.input, Output: d.output,
		run: func(ctx context.Context, args json.RawMessage) (*reply, error) { return d.call(s, ctx, args) }}
}

// BindAll binds a domain's table of tools.
func BindAll[S any](s S, tools []Tool[S]) []Bound {
	out := make([]Bound, 0, len(tools))
	for _, t := range tools {
		out = append(out, t.Bind(s))
	}
	return out
}

// Definition is the entry of the tool in tools/list. All four hints are
// explicit: the protocol's defaults are the pessimistic ones.
func (b Bound) Definition() *mcp.Tool {
	destructive, open := b.Spec.Effect == Destroy, b.Spec.OpenWorld
	return &mcp.Tool{
		Name: b.Spec.Name, Title: b.Spec.Title, Description: b.Spec.Description,
		InputSchema: b.Input.encoded(), OutputSchema: b.publishedOutput().encoded(),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint:    b.Spec.Effect == Read,
			DestructiveHint: &destructive,
			IdempotentHint:  b.Spec.Idempotent,
			OpenWorldHint:   &open,
		},
	}
}

// publishedOutput is the output schema without the list of required members.
// Some clients check the structured content of an error, or of a result that
// had to be cut, against it, and would hide the error behind their own.
func (b Bound) publishedOutput() *Schema {
	out := *b.Output
	out.Required = nil
	if len(b.Spec.Outline) > 0 {
		out.Properties = make([]Property, 0, len(b.Spec.Outline))
		for _, name := range b.Spec.Outline {
			out.Properties = append(out.Properties, Property{name, b.Output.Property(name).brief()})
		}
	}
	return &out
}

// Snapshot is the tool as clients see it, as stable and readable JSON.
func Snapshot(b Bound) []byte {
	raw, err := marshal(b.Definition())
	if err == nil {
		raw, err = indent(raw)
	}
	if err != nil {
		panic(fmt.Sprintf("tool %s: snapshot: %v", b.Spec.Name, err)) // schemas always marshal
	}
	return append(raw, '\n')
}
