package hosted

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// metadata is the protected-resource metadata, as far as the tests look.
type metadata struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
}

// metadata reads the document that the challenge of the endpoint names.
func (s *server) metadata(t *testing.T, path string) metadata {
	t.Helper()
	r := s.caller(t, path, "").open().list().want(t, http.StatusUnauthorized)
	_, rest, _ := strings.Cut(r.challenge(), `resource_metadata="`)
	at, _, _ := strings.Cut(rest, `"`)
	var got metadata
	if err := json.Unmarshal([]byte(send(t, http.MethodGet, at, nil, "").want(t, http.StatusOK).body), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestReadOnlyToken reads and does not run; the refusal says what would help.
func TestReadOnlyToken(t *testing.T) {
	for name, i := range issuers() {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, i.env()...)
			c := s.caller(t, "/", machineToken(t, i, "reader")).open()
			list := c.list().want(t, http.StatusOK)
			if strings.Contains(list.body, "federalrunner_execute_wizard") || !strings.Contains(list.body, "federalrunner_list_wizards") {
				t.Errorf("the list is not that of a reader: %.500s", list.body)
			}
			c.call("federalrunner_list_wizards", `{}`).want(t, http.StatusOK)
			r := c.call("federalrunner_execute_wizard", `{"wizard_id":"`+wizard+`","user_data":{}}`).want(t, http.StatusForbidden)
			want := `Bearer error="insufficient_scope", error_description="the token lacks a scope that is needed", scope="federalrunner:execute", ` +
				`resource_metadata="` + s.base + `/.well-known/oauth-protected-resource"`
			if d := cmp.Diff(want, r.challenge()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestGoClientLogsIn: the official client finds the issuer from the refusal,
// registers itself, logs in and works, at every address of the server.
func TestGoClientLogsIn(t *testing.T) {
	s := startServer(t, auth0.env()...)
	auth0.admit(t, s)
	for _, path := range []string{"", "/", "/mcp", "/mcp/runner"} {
		t.Run("provider at "+path, func(t *testing.T) {
			cs := connect(t, s.base+path, loggingIn(t, newPerson(t, "alice"), "", nil))
			if names := toolNames(t, cs); !slices.Contains(names, "federalrunner_execute_wizard") {
				t.Errorf("after the login there are %v", names)
			}
		})
	}
	t.Run("provider with a slash", func(t *testing.T) {
		p := newProvider(t, "/")
		s := startServer(t, p.env()...)
		p.admit(t, s)
		toolNames(t, connect(t, s.base+"/", loggingIn(t, newPerson(t, "alice"), "", nil)))
	})
	t.Run("Hydra", func(t *testing.T) {
		s := startServer(t, ory.env()...)
		cs := connect(t, s.base+"/mcp", loggingIn(t, newPerson(t, "alice"), "app", throughSlashes))
		if names := toolNames(t, cs); !slices.Contains(names, "federalrunner_execute_wizard") {
			t.Errorf("after the login there are %v", names)
		}
	})
}

// throughSlashes lets the client, whose version 1.8.0 asks an issuer that ends in a
// slash at addresses that end in one, follow where Hydra sends it from there. It
// does so by itself everywhere but on this machine.
func throughSlashes(c *auth.AuthorizationCodeHandlerConfig) {
	c.Client = &http.Client{Transport: withoutSlash{}}
}

type withoutSlash struct{}

func (withoutSlash) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.Contains(req.URL.Path, "/.well-known/") {
		req = req.Clone(req.Context())
		req.URL.Path = strings.TrimSuffix(req.URL.Path, "/")
	}
	return http.DefaultTransport.RoundTrip(req)
}

// TestGoClientStepsUp: a client that asked for less is refused the run, asks for
// more by itself, and the call goes on.
func TestGoClientStepsUp(t *testing.T) {
	s := startServer(t, auth0.env()...)
	auth0.admit(t, s)
	person, logins := newPerson(t, "alice"), 0
	h := loggingIn(t, person, "", func(c *auth.AuthorizationCodeHandlerConfig) {
		c.ScopeFilter = func(found []string) []string {
			if logins++; logins == 1 {
				return []string{"federalrunner:read"}
			}
			return found
		}
	})
	cs := connect(t, s.base+"/", h)
	if names := toolNames(t, cs); slices.Contains(names, "federalrunner_execute_wizard") {
		t.Fatalf("a reader is offered %v", names)
	}
	example := contract(t, cs)
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "federalrunner_execute_wizard", Arguments: map[string]any{"wizard_id": wizard, "user_data": example},
	})
	if err != nil || res.IsError {
		t.Fatalf("the run does not go on: %v %+v", err, res)
	}
	if logins != 2 || len(person.seen) != 2 {
		t.Errorf("there were %d logins, %d codes", logins, len(person.seen))
	}
}
