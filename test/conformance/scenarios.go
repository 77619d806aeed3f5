package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// scenarios are those without a login, by their name in the suite.
var scenarios = map[string]func(*scenario, context.Context) error{
	"initialize":                          (*scenario).list,
	"tools_call":                          (*scenario).add,
	"elicitation-sep1034-client-defaults": (*scenario).fillIn,
	"sse-retry":                           (*scenario).reconnect,
	"request-metadata":                    (*scenario).list,
	"json-schema-ref-no-deref":            (*scenario).list,
	"json-schema-2020-12-preservation":    (*scenario).echoSchema,
	"sep-2322-client-request-state":       (*scenario).rounds,
	"http-standard-headers":               (*scenario).everything,
	"http-custom-headers":                 (*scenario).callsGiven,
	"http-invalid-tool-headers":           (*scenario).callsValid,
}

// session is a connection with what it lists.
type session struct {
	*wire.Conn
	tools []json.RawMessage
}

func (s *scenario) options() wire.Options {
	return wire.Options{
		HTTPClient: s.client, Version: s.version, Resume: true, ClientInfo: json.RawMessage(`{"name":"legwork-mcptest","version":"1.0.0"}`),
		Capabilities: json.RawMessage(`{"elicitation":{"form":{}}}`), Answer: answer,
	}
}

func (s *scenario) open(ctx context.Context, o wire.Options) (*session, error) {
	conn, err := wire.Connect(ctx, wire.Target{URL: s.url}, o)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &session{Conn: conn}, nil
}

// begin connects and lists the tools.
func (s *scenario) begin(ctx context.Context) (*session, error) {
	c, err := s.open(ctx, s.options())
	if err != nil {
		return nil, err
	}
	got, err := c.List(ctx, "tools/list", nil, wire.CallOptions{})
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("list the tools: %w", err)
	}
	c.tools = got.Items
	return c, nil
}

// named are the members of an item that scenarios look at.
type named struct {
	Name string `json:"name"`
	URI  string `json:"uri"`
}

func nameOf(item json.RawMessage) named {
	var n named
	_ = json.Unmarshal(item, &n) // what is malformed has no name
	return n
}

func (c *session) call(ctx context.Context, name string, arguments json.RawMessage) error {
	if len(arguments) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	_, err := c.Call(ctx, "tools/call", map[string]any{"name": name, "arguments": arguments}, wire.CallOptions{})
	if err != nil {
		return fmt.Errorf("call %s: %w", name, err)
	}
	return nil
}

func (s *scenario) list(ctx context.Context) error {
	c, err := s.begin(ctx)
	if err != nil {
		return err
	}
	c.Close()
	return nil
}

func (s *scenario) callOne(ctx context.Context, name, arguments string) error {
	c, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.call(ctx, name, json.RawMessage(arguments))
}

func (s *scenario) add(ctx context.Context) error {
	return s.callOne(ctx, "add_numbers", `{"a":5,"b":3}`)
}

func (s *scenario) fillIn(ctx context.Context) error {
	return s.callOne(ctx, "test_client_elicitation_defaults", "")
}

func (s *scenario) reconnect(ctx context.Context) error {
	return s.callOne(ctx, "test_reconnection", "")
}

// echoSchema sends the schema of a tool back as it came.
func (s *scenario) echoSchema(ctx context.Context) error {
	c, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, item := range c.tools {
		var tool struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}
		if json.Unmarshal(item, &tool) != nil || tool.Name != "json_schema_2020_12_tool" {
			continue
		}
		raw, err := json.Marshal(map[string]any{"schema": tool.InputSchema})
		if err != nil {
			return err
		}
		return c.call(ctx, "json_schema_echo", raw)
	}
	return fmt.Errorf("there is no tool json_schema_2020_12_tool")
}

// rounds calls tools that ask for input. Some of what they answer must be refused,
// which is for the suite to judge.
func (s *scenario) rounds(ctx context.Context) error {
	c, err := s.open(ctx, s.options())
	if err != nil {
		return err
	}
	defer c.Close()
	for _, name := range []string{"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"} {
		said(c.call(ctx, name, nil))
	}
	return nil
}

// everything makes each kind of request that has headers of its own.
func (s *scenario) everything(ctx context.Context) error {
	c, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, tool := range c.tools {
		said(c.call(ctx, nameOf(tool).Name, nil))
	}
	for _, kind := range []struct{ list, get string }{{"resources/list", "resources/read"}, {"prompts/list", "prompts/get"}} {
		got, err := c.List(ctx, kind.list, nil, wire.CallOptions{})
		said(err)
		for _, item := range got.Items {
			n := nameOf(item)
			params := map[string]any{"name": n.Name}
			if kind.get == "resources/read" {
				params = map[string]any{"uri": n.URI}
			}
			_, err := c.Call(ctx, kind.get, params, wire.CallOptions{})
			said(err)
		}
	}
	return nil
}

func (s *scenario) callsGiven(ctx context.Context) error {
	c, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, call := range s.given.ToolCalls {
		said(c.call(ctx, call.Name, call.Arguments))
	}
	return nil
}

// callsValid leaves out the tools that no client may use.
func (s *scenario) callsValid(ctx context.Context) error {
	c, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, tool := range c.tools {
		if wire.HeaderFault(tool) == "" {
			said(c.call(ctx, nameOf(tool).Name, json.RawMessage(`{"region":"us-west1"}`)))
		}
	}
	return nil
}
