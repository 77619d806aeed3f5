package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// locked is a server that lets in whoever has a token of its issuer, which is at the
// same address. Refusals repeat the token, as careless servers do.
func locked(t *testing.T) string {
	t.Helper()
	var mu sync.Mutex
	codes := map[string]url.Values{}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	say := func(path string, f func(*http.Request) any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(f(r))
		})
	}
	say("/.well-known/oauth-protected-resource/mcp", func(*http.Request) any {
		return map[string]any{"resource": server.URL, "authorization_servers": []string{server.URL}}
	})
	say("/.well-known/oauth-authorization-server", func(*http.Request) any {
		return map[string]any{
			"issuer": server.URL, "authorization_endpoint": server.URL + "/authorize", "token_endpoint": server.URL + "/token", "registration_endpoint": server.URL + "/register",
			"code_challenge_methods_supported": []string{"S256"},
		}
	})
	say("/register", func(*http.Request) any { return map[string]any{"client_id": "new"} })
	say("/token", func(r *http.Request) any {
		_, secret, _ := r.BasicAuth()
		_, known := codes[r.FormValue("code")]
		if secret != "canary-secret" && !known {
			return map[string]any{"error": "invalid_client", "error_description": "wrong: " + secret}
		}
		return map[string]any{"access_token": "canary-token", "token_type": "Bearer"}
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		codes["canary-code"] = r.URL.Query()
		http.Redirect(w, r, r.URL.Query().Get("redirect_uri")+"?code=canary-code&state="+r.URL.Query().Get("state"), http.StatusFound)
	})
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Header.Get("Authorization") != "Bearer canary-token":
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+server.URL+`/.well-known/oauth-protected-resource/mcp"`)
			w.WriteHeader(http.StatusUnauthorized)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case m.Method == "initialize":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"locked","version":"1"}}}`, m.ID)
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no, %s"}}`, m.ID, r.Header.Get("Authorization"))
		}
	})
	return server.URL + "/mcp"
}

// report is what the tests read of a report.
type loginReport struct {
	Connected bool
	Steps     []struct{ Name, Status, Detail string }
	Findings  []struct{ Rule, Severity string }
}

// TestCheckLogin logs in as a program and as a person, and shows how, without a secret.
func TestCheckLogin(t *testing.T) {
	t.Parallel()
	address := locked(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("canary-secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(wrong, []byte("canary-wrong\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		args      []string
		connected bool
		code      int
		step      string
		finding   string // the first
	}{
		{"a program", []string{"--login", "machine", "--client-id", "robot", "--client-secret", "@" + secret}, true, -1, "login token passed", ""},
		{"a person", []string{"--login", "person"}, true, -1, "login callback passed", ""},
		{"a wrong secret", []string{"--login", "machine", "--client-id", "robot", "--client-secret", "@" + wrong}, false, 4, "login token failed", "login-token"},
		{"a secret in the command line", []string{"--login", "machine", "--client-id", "robot", "--client-secret", "canary-secret"}, false, 2, "", ""},
		{"no secret", []string{"--login", "machine", "--client-id", "robot"}, false, 2, "", ""},
		{"a login and a token", []string{"--login", "person", "--header", "Authorization=Bearer x"}, false, 2, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			said, saying := io.Pipe()
			var visits sync.WaitGroup
			visits.Go(func() { visitLinks(t, said, &errs) })
			args := append([]string{"check", "--json", "--no-probes"}, append(c.args, address)...)
			code := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: saying, Environ: os.Environ()})
			_ = saying.Close()
			visits.Wait()
			if c.code >= 0 && code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, out.String(), errs.String())
			}
			if all := out.String() + errs.String(); strings.Contains(all, "canary") {
				t.Errorf("a secret is shown: %s", all)
			}
			if c.step == "" {
				return
			}
			var r loginReport
			if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Connected != c.connected {
				t.Fatalf("connected is %v: %v\n%s%s", r.Connected, err, out.String(), errs.String())
			}
			found := false
			for _, s := range r.Steps {
				found = found || s.Name+" "+s.Status == c.step
			}
			if !found || c.finding != "" && r.Findings[0].Rule != c.finding {
				t.Errorf("there is no step %q, or the first finding is another one: %s", c.step, out.String())
			}
		})
	}
}

// visitLinks opens each link that is printed, as a person does.
func visitLinks(t *testing.T, from io.Reader, said *bytes.Buffer) {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		fmt.Fprintln(said, lines.Text())
		link, ok := strings.CutPrefix(lines.Text(), "Log in at ")
		if !ok {
			continue
		}
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		res, err := client.Get(link)
		if err != nil {
			t.Error(err)
			continue
		}
		_ = res.Body.Close()
	}
}
