package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// toolName is a tool of Legwork that looks into memory only.
const toolName = "federalscout_list_sessions"

// message is one request of the load.
type message struct {
	method, name, params string
	has                  string // what an answer must contain
}

var (
	callMessage = message{"tools/call", toolName, `"name":"` + toolName + `","arguments":{}`, `"structuredContent"`}
	listMessage = message{"tools/list", "", "", `"` + toolName + `"`}
)

const (
	opening     = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + legacy + `","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	meta        = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
)

// client is one connection that is kept alive, with its session.
type client struct {
	url, token, era, session string
	http                     *http.Client
}

// connect opens a session where the era has them.
func connect(ctx context.Context, s *server, era string) (*client, error) {
	c := &client{url: s.url(era), token: s.token, era: era, http: &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}}
	if era == modern {
		return c, nil
	}
	_, header, err := c.exchange(ctx, http.MethodPost, opening, message{})
	if err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	c.session = header.Get("Mcp-Session-Id")
	_, _, err = c.exchange(ctx, http.MethodPost, initialized, message{})
	return c, err
}

// close ends the session and the connection.
func (c *client) close(ctx context.Context) {
	if c.session != "" {
		_, _, _ = c.exchange(ctx, http.MethodDelete, "", message{}) // the server goes away soon
	}
	c.http.CloseIdleConnections()
}

// send asks, and returns the result of a right answer.
func (c *client) send(ctx context.Context, m message) (json.RawMessage, error) {
	params := m.params
	if c.era == modern {
		params = strings.TrimPrefix(params+","+meta, ",")
	}
	body, _, err := c.exchange(ctx, http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"`+m.method+`","params":{`+params+`}}`, m)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(body, []byte(m.has)) || bytes.Contains(body, []byte(`"isError":true`)) {
		return nil, fmt.Errorf("%s was answered with %.300s", m.method, body)
	}
	_, data, _ := bytes.Cut(body, []byte("data: "))
	data, _, _ = bytes.Cut(data, []byte("\n"))
	_, result, _ := bytes.Cut(data, []byte(`"result":`))
	var out json.RawMessage
	err = json.NewDecoder(bytes.NewReader(result)).Decode(&out) // what follows belongs to the message around it
	return out, err
}

func (c *client) exchange(ctx context.Context, method, body string, m message) ([]byte, http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.url, strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	h := req.Header
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	if c.token != "" {
		h.Set("Authorization", "Bearer "+c.token)
	}
	switch {
	case c.era == modern:
		h.Set("Mcp-Protocol-Version", modern)
		h.Set("Mcp-Method", m.method)
		if m.name != "" {
			h.Set("Mcp-Name", m.name)
		}
	case c.session != "":
		h.Set("Mcp-Protocol-Version", legacy)
		h.Set("Mcp-Session-Id", c.session)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s: status %d: %.300s", method, res.StatusCode, raw)
	}
	return raw, res.Header, err
}
