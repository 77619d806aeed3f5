package hosted

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

const wizard = "ssa-quick-calculator"

// fixedToken is a client that has a token and cannot get another one.
type fixedToken string

func (f fixedToken) TokenSource(context.Context) (oauth2.TokenSource, error) {
	return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: string(f)}), nil
}

func (f fixedToken) Authorize(context.Context, *http.Request, *http.Response) error {
	return errors.New("the token is refused")
}

// connect opens a session with the official Go client.
func connect(t *testing.T, url string, h auth.OAuthHandler) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, OAuthHandler: h, MaxRetries: -1, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatalf("connecting to %s: %v", url, err)
	}
	t.Cleanup(func() { _ = cs.Close() })
	return cs
}

// loggingIn is the official handler of the authorization code flow, with PKCE.
// Without an id the client registers itself.
func loggingIn(t *testing.T, p *person, id string, change func(*auth.AuthorizationCodeHandlerConfig)) *auth.AuthorizationCodeHandler {
	t.Helper()
	c := &auth.AuthorizationCodeHandlerConfig{RedirectURL: callback, AuthorizationCodeFetcher: p.fetch, RequestRefreshToken: true}
	if id != "" {
		c.PreregisteredClient = &oauthex.ClientCredentials{ClientID: id}
	} else {
		c.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "test", RedirectURIs: []string{callback}, TokenEndpointAuthMethod: "none",
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
		}}
	}
	if change != nil {
		change(c)
	}
	h, err := auth.NewAuthorizationCodeHandler(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// tool calls a tool, reads its structured content, and wants it to go well.
func tool(t *testing.T, cs *mcp.ClientSession, name string, arguments map[string]any) map[string]any {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil || res.IsError {
		t.Fatalf("%s: %v %s", name, err, raw)
	}
	return out
}

// toolNames lists the tools that the caller is offered.
func toolNames(t *testing.T, cs *mcp.ClientSession) []string {
	t.Helper()
	var names []string
	for one, err := range cs.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, one.Name)
	}
	return names
}

// errand is what an assistant does with a form: look which there are, read the
// contract, check the data, run it.
func errand(t *testing.T, cs *mcp.ClientSession) {
	t.Helper()
	if n := len(toolNames(t, cs)); n < 5 {
		t.Errorf("only %d tools are listed", n)
	}
	if count := tool(t, cs, "federalrunner_list_wizards", map[string]any{})["count"]; count == 0.0 {
		t.Error("no wizard is listed")
	}
	example := contract(t, cs)
	data := map[string]any{"wizard_id": wizard, "user_data": example}
	if valid := tool(t, cs, "federalrunner_validate_user_data", data)["valid"]; valid != true {
		t.Errorf("the contract's example is not valid: %v", valid)
	}
	if status := tool(t, cs, "federalrunner_execute_wizard", data)["status"]; status != "success" {
		t.Errorf("the form ends with %v", status)
	}
}

// contract reads the wizard's contract and returns its example.
func contract(t *testing.T, cs *mcp.ClientSession) any {
	t.Helper()
	return tool(t, cs, "federalrunner_get_wizard_info", map[string]any{"wizard_id": wizard})["example"]
}

// accessToken makes a call and returns the token that it was made with.
func accessToken(t *testing.T, h auth.OAuthHandler, cs *mcp.ClientSession) string {
	t.Helper()
	tool(t, cs, "federalrunner_list_wizards", map[string]any{})
	source, err := h.TokenSource(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token, err := source.Token()
	if err != nil {
		t.Fatal(err)
	}
	return token.AccessToken
}
