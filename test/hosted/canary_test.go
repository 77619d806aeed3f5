package hosted

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/oauth2"
)

// value is what a person types: no log and no file may have it.
const value = "Canary7f3a91"

// TestSecretsStayInside: tokens, codes, the client's secret and what people type
// are in no log at its loudest, no answer to others, no metric, no trace, no audit
// and no other file of the server, whether they were taken, refused, renewed or revoked.
func TestSecretsStayInside(t *testing.T) {
	p := newProvider(t, "")
	temp, told := t.TempDir(), &buffer{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(told, r.Body) }))
	t.Cleanup(collector.Close)
	s := startServer(t, append(p.introspecting(), "LEGWORK_TOKEN_LEEWAY=1s", "TMPDIR="+temp,
		"LEGWORK_AUDIT_LOG="+filepath.Join(temp, "audit"), "LEGWORK_OTLP_ENDPOINT="+collector.URL)...)
	p.admit(t, s)
	secrets := map[string]string{"client secret": clientSecret, "value": value}
	spoken := &strings.Builder{}
	hear := func(r reply) reply {
		for name, values := range r.header {
			spoken.WriteString(name + ": " + strings.Join(values, ",") + "\n")
		}
		spoken.WriteString(r.body + "\n")
		return r
	}

	for _, format := range []string{"jwt", "opaque"} {
		p.set(t, map[string]any{"format": format, "ttl": 3600})
		c := s.caller(t, "/", "")
		c.open()
		for kind, token := range everyToken(t, p, s.base) {
			secrets[format+" "+kind] = token
			c.token = token
			hear(c.list())
			c.token = token[:len(token)-4] + "AAAA" // whoever logs what he refuses logs nearly a token
			secrets[format+" "+kind+" cut short"] = token[:len(token)-8]
			hear(c.list()).want(t, http.StatusUnauthorized)
		}
		c.token = secrets[format+" access token"]
		c = s.caller(t, "/", c.token).open()
		hear(c.call("federalrunner_get_wizard_info", `{"wizard_id":"no-such-wizard"}`)).want(t, http.StatusOK)
		hear(send(t, http.MethodPost, s.base+"/?access_token="+c.token, nil, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)).want(t, http.StatusUnauthorized)
		hear(send(t, http.MethodPost, s.base+"/", http.Header{"Authorization": {"Bearer " + c.token, "Bearer " + c.token}}, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)).want(t, http.StatusBadRequest)
		// The caller gets back what he sent; nobody else does.
		c.call("federalrunner_validate_user_data", `{"wizard_id":"`+wizard+`","user_data":{"month":"`+value+`"}}`).want(t, http.StatusOK)
		c.call("federalrunner_execute_wizard", `{"wizard_id":"`+wizard+`","user_data":{"month":"`+value+`"}}`).want(t, http.StatusOK)
		runWell(t, c)
	}
	p.set(t, map[string]any{"format": "jwt"})
	scrape := http.Header{"Authorization": {"Bearer " + machineToken(t, p, "scraper")}}
	if r := hear(send(t, http.MethodGet, s.base+"/metrics", scrape, "")).want(t, http.StatusOK); !strings.Contains(r.body, "federalrunner_execute_wizard") {
		t.Errorf("the metrics do not even name the tool: %s", r.body)
	}
	p.stop() // an issuer that does not answer must not make the server tell more
	c := s.caller(t, "/", secrets["opaque access token"])
	eventually(t, "the outage is noticed", func() bool { return hear(c.list()).status == http.StatusServiceUnavailable })
	for _, path := range []string{"/metrics", "/health", "/ready", "/.well-known/oauth-protected-resource"} {
		hear(send(t, http.MethodGet, s.base+path, nil, ""))
	}
	found := secretsIn(secrets, "an answer", spoken.String())
	found = append(found, secretsInFiles(t, secrets, s.home, temp)...)
	s.stop()
	found = append(found, secretsIn(secrets, "the log", s.log.String())...)
	found = append(found, secretsIn(secrets, "a trace", told.String())...)
	found = append(found, secretsInFiles(t, secrets, s.home, temp)...)
	for _, f := range found {
		t.Error(f)
	}
	audit, err := os.ReadFile(filepath.Join(temp, "audit"))
	if err != nil || !strings.Contains(string(audit), "federalrunner_execute_wizard") || !strings.Contains(told.String(), "federalrunner_execute_wizard") {
		t.Errorf("no audit or no trace of the run: %v %d bytes, %d bytes", err, len(audit), len(told.String()))
	}
	if !strings.Contains(s.log.String(), "a bearer token is refused") || !strings.Contains(s.log.String(), "federalrunner_execute_wizard") {
		t.Error("the log says too little to have said too much")
	}
}

// TestADumpTellsNothing: what the program writes when it is made to show its state has
// neither the token of a call that runs nor what was typed for it.
func TestADumpTellsNothing(t *testing.T) {
	s := startServer(t, append(auth0.env(), "GOTRACEBACK=all")...)
	token := machineToken(t, auth0, "machine")
	c := s.caller(t, "/", token).open()
	info := structured(t, c.call("federalrunner_get_wizard_info", `{"wizard_id":"fsa-estimator"}`).want(t, http.StatusOK))
	example, _ := info["example"].(map[string]any)
	example["not_in_the_contract"] = value
	data, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	c.call("federalrunner_validate_user_data", `{"wizard_id":"fsa-estimator","user_data":`+string(data)+`}`).want(t, http.StatusOK)
	delete(example, "not_in_the_contract")
	if data, err = json.Marshal(example); err != nil {
		t.Fatal(err)
	}
	run := structured(t, c.call("federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","options":{"wait_seconds":0},"user_data":`+string(data)+`}`).want(t, http.StatusOK))
	if err := s.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	<-s.ended
	said := s.log.String()
	if !strings.Contains(said, "SIGQUIT") || strings.Count(said, "\ngoroutine ") < 10 {
		t.Fatalf("there is no dump of the run %v: %.2000s", run["run_id"], said)
	}
	for _, f := range secretsIn(map[string]string{"token": token, "its signature": token[len(token)-60:], "value": value, "data": string(data)}, "the dump", said) {
		t.Error(f)
	}
}

// everyToken gets all that a login brings, and sends it where it does not belong.
func everyToken(t *testing.T, p *provider, resource string) map[string]string {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	q := url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {callback}, "resource": {resource}, "state": {"of a test"},
		"scope": {allScopes + " openid"}, "code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
	answer, err := newPerson(t, value).authorize(t.Context(), p.url+"/authorize?"+q.Encode())
	if err != nil {
		t.Fatal(err)
	}
	got := grant(t, p, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {answer.Get("code")}, "code_verifier": {verifier},
		"redirect_uri": {callback}, "resource": {resource},
	})
	if got.Refresh == "" {
		t.Fatal("the issuer gives no refresh token")
	}
	return map[string]string{
		"access token": got.Access, "refresh token": got.Refresh, "authorization code": answer.Get("code"), "code verifier": verifier,
		"machine's token": machineToken(t, p, "machine"),
	}
}

// runWell runs the form to its answer.
func runWell(t *testing.T, c *caller) {
	t.Helper()
	info := structured(t, c.call("federalrunner_get_wizard_info", `{"wizard_id":"`+wizard+`"}`).want(t, http.StatusOK))
	example, err := json.Marshal(info["example"])
	if err != nil {
		t.Fatal(err)
	}
	run := structured(t, c.call("federalrunner_execute_wizard", `{"wizard_id":"`+wizard+`","user_data":`+string(example)+`}`).want(t, http.StatusOK))
	if run["status"] != "success" {
		t.Errorf("the form ends with %v", run["status"])
	}
}

func secretsIn(secrets map[string]string, where, text string) []string {
	var found []string
	for name, secret := range secrets {
		if at := strings.Index(text, secret); at >= 0 {
			found = append(found, name+" is in "+where+": "+text[max(0, at-200):min(len(text), at+200)])
		}
	}
	return found
}

// secretsInFiles looks through folders. Files that go away meanwhile hold nothing.
func secretsInFiles(t *testing.T, secrets map[string]string, dirs ...string) []string {
	t.Helper()
	var found []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) || err == nil && !d.Type().IsRegular() {
				return nil
			}
			if err != nil {
				return err
			}
			raw, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				return nil
			}
			found = append(found, secretsIn(secrets, path, string(raw))...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// field is a member of a JSON object, as text.
func field(t *testing.T, r reply, name string) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(r.body), &m); err != nil {
		t.Fatal(err)
	}
	s, _ := m[name].(string)
	return s
}
