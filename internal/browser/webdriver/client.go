package webdriver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Client is the address of a driver.
type Client struct {
	base string
	http *http.Client
}

// New makes a client of the driver at base, such as "http://127.0.0.1:4444". The
// HTTP client should have no time limit of its own: contexts bound the commands.
func New(base string, client *http.Client) *Client {
	return &Client{base: strings.TrimSuffix(base, "/"), http: client}
}

// Status is what a driver says of itself (section 8.3).
type Status struct {
	// Ready for another session.
	Ready bool `json:"ready"`
	// Message of the driver, for people.
	Message string `json:"message"`
}

// Status asks whether the driver can make a session.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var s Status
	return s, c.do(ctx, call{http.MethodGet, "/status", nil}, &s)
}

// Capabilities ask for a browser (section 7.2). The keys are the protocol's.
type Capabilities map[string]any

// Proxy is where a browser sends its requests (section 7.1).
type Proxy struct {
	// Type is manual or direct.
	Type string `json:"proxyType"`
	// HTTP and SSL are "host:port" of the proxy for http and https.
	HTTP string `json:"httpProxy,omitempty"`
	SSL  string `json:"sslProxy,omitempty"`
	// NoProxy are hosts that are reached without it.
	NoProxy []string `json:"noProxy,omitempty"`
}

// NewSession starts a browser with all of these capabilities.
func (c *Client) NewSession(ctx context.Context, caps Capabilities) (*Session, error) {
	var made struct {
		SessionID    string          `json:"sessionId"`
		Capabilities json.RawMessage `json:"capabilities"`
	}
	ask := map[string]any{"capabilities": map[string]any{"alwaysMatch": caps}}
	if err := c.do(ctx, call{http.MethodPost, "/session", ask}, &made); err != nil {
		return nil, fmt.Errorf("making a session: %w", err)
	}
	if made.SessionID == "" || strings.ContainsAny(made.SessionID, "/?#") {
		return nil, fmt.Errorf("making a session: the driver's session id cannot be used")
	}
	s := &Session{client: c, id: made.SessionID}
	if err := json.Unmarshal(made.Capabilities, &s.Browser); err != nil {
		return nil, fmt.Errorf("reading the capabilities of a session: %w", err)
	}
	return s, nil
}

// answerLimit bounds one answer: the largest is a picture of a large screen.
const answerLimit = 128 << 20

// firstLimit bounds the answers before there is a session: who is asked may be anybody.
const firstLimit = 1 << 20

// do sends one command and decodes the value of the answer into out, unless that
// is nil.
func (c *Client) do(ctx context.Context, ask call, out any) error {
	value, err := c.send(ctx, ask)
	if err != nil {
		return err
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(value, out); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", ask, err)
	}
	return nil
}

func (c *Client) send(ctx context.Context, ask call) (json.RawMessage, error) {
	var content io.Reader
	if ask.method == http.MethodPost {
		body := ask.body
		if body == nil {
			body = struct{}{} // an empty body is refused (section 6.3)
		}
		data, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("encoding %s: %w", ask, err)
		}
		content = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, ask.method, c.base+ask.path, content)
	if err != nil {
		return nil, fmt.Errorf("making %s: %w", ask, err)
	}
	if content != nil {
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("sending %s: %w", ask, err)
	}
	defer resp.Body.Close()
	limit := answerLimit
	if !strings.HasPrefix(ask.path, "/session/") {
		limit = firstLimit
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("reading the answer to %s: %w", ask, err)
	case len(data) > limit:
		return nil, fmt.Errorf("the answer to %s is larger than %d bytes", ask, limit)
	}
	return unpack(ask.String(), resp.StatusCode, data)
}

// unpack takes the value out of an answer (section 6.3), or the error.
func unpack(command string, status int, data []byte) (json.RawMessage, error) {
	var answer struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("%s: the answer with status %d is not WebDriver's: %w", command, status, err)
	}
	if status < 400 {
		return answer.Value, nil
	}
	var refused struct {
		Error   Code   `json:"error"`
		Message string `json:"message"`
		Data    struct {
			Text string `json:"text"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer.Value, &refused); err != nil || refused.Error == "" {
		return nil, &Error{Command: command, Code: UnknownError, Message: fmt.Sprintf("status %d", status)}
	}
	return nil, &Error{Command: command, Code: refused.Error, Message: refused.Message, Alert: refused.Data.Text}
}

// call is one command.
type call struct {
	method, path string
	body         any
}

// String names the command without the session's id, which is a secret of a kind:
// who knows it can drive the browser.
func (c call) String() string {
	rest, ok := strings.CutPrefix(c.path, "/session/")
	if !ok {
		return c.method + " " + c.path
	}
	_, rest, _ = strings.Cut(rest, "/")
	return c.method + " /" + rest
}
