package hosted

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"
)

// TestAssistantInABrowser goes the way that claude.ai goes: look whether the server
// is there, find the issuer, register, log in, open a session with a token that
// must not be checked yet, try for a stream, list everything at once, work.
func TestAssistantInABrowser(t *testing.T) {
	s := startServer(t, auth0.env()...)
	auth0.admit(t, s)
	for _, path := range []string{"/", "/mcp"} {
		t.Run(path, func(t *testing.T) {
			head := send(t, http.MethodHead, s.base+path, nil, "").want(t, http.StatusOK)
			if head.header.Get("Mcp-Protocol-Version") == "" {
				t.Errorf("HEAD does not name a version: %v", head.header)
			}
			found := s.metadata(t, path)
			token := logInByHand(t, found.Resource)

			c := s.caller(t, path, "not-a-token-at-all").open()
			c.token = token
			stream := send(t, http.MethodGet, s.base+path, http.Header{
				"Accept": {"text/event-stream"}, "Authorization": {"Bearer " + token}, "Mcp-Session-Id": {c.session},
			}, "")
			stream.want(t, http.StatusMethodNotAllowed)
			if d := cmp.Diff("POST, HEAD, DELETE", stream.header.Get("Allow")); d != "" {
				t.Error(d)
			}
			together(t, c, "tools/list", "resources/list", "prompts/list")
			c.call("federalrunner_list_wizards", `{}`).want(t, http.StatusOK)
			send(t, http.MethodDelete, s.base+path, http.Header{
				"Authorization": {"Bearer " + token}, "Mcp-Session-Id": {c.session},
			}, "").want(t, http.StatusNoContent)
			c.list().want(t, http.StatusNotFound)
		})
	}
}

// together sends lists at the same time: each is answered, with a list or with an
// error that clients expect of a server that has none.
func together(t *testing.T, c *caller, methods ...string) {
	t.Helper()
	var wg sync.WaitGroup
	replies := make([]reply, len(methods))
	for i, m := range methods {
		wg.Go(func() {
			one := *c
			one.id += i
			replies[i] = one.ask(m, `{}`)
		})
	}
	wg.Wait()
	for i, r := range replies {
		if r.status != http.StatusOK {
			t.Errorf("%s: %d %s", methods[i], r.status, r.body)
		}
	}
	if replies[0].result() == "" {
		t.Errorf("no tools: %s", replies[0].body)
	}
}

// logInByHand registers a client, logs in and gets a token for the resource.
func logInByHand(t *testing.T, resource string) string {
	t.Helper()
	registered := send(t, http.MethodPost, auth0.url+"/oidc/register", nil, `{"client_name":"test","redirect_uris":["`+callback+`"],
		"token_endpoint_auth_method":"none","application_type":"native","grant_types":["authorization_code","refresh_token"],"response_types":["code"]}`)
	id := field(t, registered.want(t, http.StatusCreated), "client_id")
	verifier := oauth2.GenerateVerifier()
	q := url.Values{
		"response_type": {"code"}, "client_id": {id}, "redirect_uri": {callback}, "resource": {resource}, "state": {"of a test"},
		"scope": {allScopes}, "code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
	answer, err := newPerson(t, "alice").authorize(t.Context(), auth0.url+"/authorize?"+q.Encode())
	if err != nil {
		t.Fatal(err)
	}
	return grant(t, auth0, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {id}, "code": {answer.Get("code")}, "code_verifier": {verifier},
		"redirect_uri": {callback}, "resource": {resource},
	}).Access
}
