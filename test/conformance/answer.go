package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// said tells the suite, which keeps what is said, of a failure that does not end the
// scenario.
func said(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance: "+err.Error())
	}
}

// answer accepts every form with its defaults, and with yes where it has none.
func answer(_ context.Context, r wire.ServerRequest) (json.RawMessage, error) {
	if r.Method != "elicitation/create" {
		return nil, &wire.RPCError{Code: wire.CodeMethodNotFound, Message: "not answered here"}
	}
	var form struct {
		RequestedSchema struct {
			Properties map[string]struct {
				Type    string          `json:"type"`
				Default json.RawMessage `json:"default"`
			} `json:"properties"`
		} `json:"requestedSchema"`
	}
	if err := json.Unmarshal(r.Params, &form); err != nil {
		return nil, &wire.RPCError{Code: wire.CodeInvalidParams, Message: "this is no form"}
	}
	content := map[string]json.RawMessage{}
	for name, p := range form.RequestedSchema.Properties {
		switch {
		case len(p.Default) > 0:
			content[name] = p.Default
		case p.Type == "boolean":
			content[name] = json.RawMessage(`true`)
		}
	}
	return json.Marshal(map[string]any{"action": "accept", "content": content})
}

// browser is a person whose browser is sent back at once.
type browser struct{ client *http.Client }

// callback is where the suite sends the browser; nobody listens there.
const callback = "http://localhost:3000/callback"

// visit follows the link as far as to the callback.
func (b browser) visit(ctx context.Context, link string) (url.Values, error) {
	client := *b.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return nil, fmt.Errorf("open the link: %w", err)
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("open the link: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // nothing in it matters
	to, err := res.Location()
	if err != nil {
		return nil, fmt.Errorf("open the link: status %d leads nowhere: %w", res.StatusCode, err)
	}
	return to.Query(), nil
}
