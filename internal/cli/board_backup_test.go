package cli_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A board is copied while it runs, and the copy is served by another one, with the
// same accounts and keys.
func TestBoardBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := startBoard(t, dir)
	account, key := first.connect(t)
	file := filepath.Join(t.TempDir(), "copy.db")
	stdout, stderr, code := output(t, command(t, []string{"LEGWORK_BOARD_DIR=" + dir}, "board", "backup", file))
	if code != 0 || !strings.Contains(stdout, file) || !strings.Contains(stdout, filepath.Join(dir, "secrets.json")) {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	_, stderr, code = output(t, command(t, []string{"LEGWORK_BOARD_DIR=" + dir}, "board", "backup", file))
	if code == 0 || !strings.Contains(stderr, "replaces nothing") {
		t.Errorf("a second backup to the same file: exit code %d\n%s", code, stderr)
	}
	_, stderr, code = output(t, command(t, []string{"LEGWORK_BOARD_DIR=" + t.TempDir()}, "board", "backup", file+"2"))
	if code != 3 || !strings.Contains(stderr, "no database") {
		t.Errorf("of a board that is not there: exit code %d\n%s", code, stderr)
	}

	restored := t.TempDir()
	for from, to := range map[string]string{file: "board.db", filepath.Join(dir, "secrets.json"): "secrets.json"} {
		raw, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(restored, to), raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	second := startBoard(t, restored)
	for name, c := range map[string]struct {
		key  string
		want int
	}{"the key": {key, http.StatusOK}, "another key": {key + "0", http.StatusUnauthorized}} {
		if got := second.account(t, account, c.key); got != c.want {
			t.Errorf("with %s the answer is %d, want %d", name, got, c.want)
		}
	}
}

// runningBoard is a board of the real program.
type runningBoard struct{ url string }

func startBoard(t *testing.T, dir string, env ...string) *runningBoard {
	t.Helper()
	addr := freeAddr(t)
	cmd := command(t, append([]string{"LEGWORK_BOARD_DIR=" + dir, "LEGWORK_BOARD_DEV_MAIL=1"}, env...), "board", "--addr", addr)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminate(t, cmd) })
	b := &runningBoard{"http://" + addr}
	eventually(t, 60*time.Second, "the board is ready", func() bool {
		res, err := http.Get(b.url + "/ready")
		if err != nil {
			return false
		}
		return res.Body.Close() == nil && res.StatusCode == http.StatusOK
	})
	return b
}

// connect makes an account and returns its id and key.
func (b *runningBoard) connect(t *testing.T) (account, key string) {
	t.Helper()
	res, err := http.Post(b.url+"/api/ai/accounts", "application/json", strings.NewReader(`{"name":"Ada","paypal_email":"ada@agents.net"}`))
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		AccountID string `json:"account_id"`
		APIKey    string `json:"api_key"`
	}
	err = json.NewDecoder(res.Body).Decode(&out)
	if err := errors.Join(err, res.Body.Close()); err != nil || out.AccountID == "" || out.APIKey == "" {
		t.Fatalf("%s: %+v, %v", res.Status, out, err)
	}
	return out.AccountID, out.APIKey
}

// account asks for an account with a key and returns the status.
func (b *runningBoard) account(t *testing.T, account, key string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/api/ai/accounts?account_id="+account, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("X-AI-Account-Id", account)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode
}
