package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckHidesWhatServersRepeat: a server that repeats its token, and writes what
// terminals obey, gets neither into a file of a check nor onto the terminal.
func TestCheckHidesWhatServersRepeat(t *testing.T) {
	t.Parallel()
	const token = "the-token-of-somebody"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		own := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		failed := `"error":{"code":-32000,"message":"\u001b[31m` + own + `"}`
		answer, known := map[string]string{
			"/open/initialize":     `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"instructions":"` + own + `","serverInfo":{"name":"` + own + `","version":"1"}}`,
			"/open/tools/list":     `"result":{"tools":[]}`,
			"/unlisted/initialize": `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`,
		}[r.URL.Path+"/"+m.Method]
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		case !known:
			answer = failed
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, answer)
	}))
	defer s.Close()
	dir := t.TempDir()
	for path, code := range map[string]int{"/open": 0, "/unlisted": 1, "/closed": 4} {
		for _, what := range []string{"--snapshot", "--record"} {
			file := filepath.Join(dir, strings.Trim(path+what, "/"))
			stdout, stderr, got := output(t, command(t, nil, "check", what, file, "--header", "Authorization=Bearer "+token, "--era", "legacy", s.URL+path))
			written, err := os.ReadFile(file)
			if got != code || (err == nil) != (code == 0) {
				t.Errorf("%s %s: exit code %d, %v\n%s%s", path, what, got, err, stdout, stderr)
			}
			if all := stdout + stderr + string(written); strings.Contains(all, token) || strings.Contains(all, "\x1b") {
				t.Errorf("%s %s: %q", path, what, all)
			}
		}
	}
}
