package main

import (
	"context"
	"crypto"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/login"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// document is the client id that the suite expects.
const document = "https://conformance-test.local/client-metadata.json"

// Redirect is the callback of the suite.
func (b browser) Redirect(context.Context) (string, error) { return callback, nil }

// Ask has the suite send the browser back.
func (b browser) Ask(ctx context.Context, link login.Link) (url.Values, error) {
	return b.visit(ctx, link.URL)
}

// logIn connects with a login, lists the tools and calls one.
func (s *scenario) logIn(ctx context.Context) error {
	o := login.Options{
		URL: s.url, HTTPClient: s.client, Grant: login.AuthorizationCode, Document: document, Person: browser{s.client},
		Client: login.Client{ID: s.given.ClientID, Secret: s.given.ClientSecret, Issuer: s.given.Issuer},
	}
	if strings.HasPrefix(s.name, "auth/client-credentials-") {
		o.Grant, o.Document = login.ClientCredentials, ""
		key, err := keyOf(s.given.PrivateKey)
		if err != nil {
			return err
		}
		o.Client.Key = key
	}
	l, err := login.New(o)
	if err != nil {
		return err
	}
	defer func() { show(l.Trace()) }()
	options := s.options()
	options.Authorize = l.Authorize
	c, err := s.open(ctx, options)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.List(ctx, "tools/list", nil, wire.CallOptions{}); err != nil {
		return fmt.Errorf("list the tools: %w", err)
	}
	return c.call(ctx, "test-tool", json.RawMessage(`{}`))
}

func keyOf(text string) (crypto.Signer, error) {
	if text == "" {
		return nil, nil
	}
	c, err := login.Identify("", text)
	if err != nil {
		return nil, fmt.Errorf("read the key of the scenario: %w", err)
	}
	return c.Key, nil
}

// show tells the suite, which keeps what is said, of each step.
func show(t login.Trace) {
	for _, s := range t.Steps {
		fmt.Fprintf(os.Stderr, "%-8s %-18s %s %s %d: %s\n", s.Outcome, s.Name, s.Method, s.URL, s.Status, s.Detail)
	}
}
