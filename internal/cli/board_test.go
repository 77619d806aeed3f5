package cli_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestBoardReach: a board that others could reach readably does not start, and says
// what to do.
func TestBoardReach(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  []string
		code int
		says string
	}{
		"all addresses":        {[]string{"LEGWORK_BOARD_ADDR=0.0.0.0:0"}, 5, "LEGWORK_BOARD_URL"},
		"no host":              {[]string{"LEGWORK_BOARD_ADDR=:0"}, 5, "LEGWORK_BOARD_URL"},
		"a plain address":      {[]string{"LEGWORK_BOARD_URL=http://board.example.org"}, 5, "proxy with TLS"},
		"codes for everybody":  {[]string{"LEGWORK_BOARD_URL=https://board.example.org", "LEGWORK_BOARD_DEV_MAIL=1"}, 5, "sign in as anybody"},
		"no address":           {[]string{"LEGWORK_BOARD_ADDR=nonsense"}, 2, "HOST:PORT"},
		"no site":              {[]string{"LEGWORK_BOARD_URL=board.example.org"}, 2, "board_url"},
		"no mail server":       {[]string{"LEGWORK_BOARD_SMTP_URL=hunter2"}, 2, "board_smtp_url"},
		"half a sign-in":       {[]string{"LEGWORK_BOARD_GOOGLE_CLIENT_ID=x"}, 2, "google"},
		"a readable sign-in":   {[]string{"LEGWORK_BOARD_OIDC_ISSUER=http://issuer.example", "LEGWORK_BOARD_OIDC_CLIENT_ID=x", "LEGWORK_BOARD_OIDC_CLIENT_SECRET=hunter2"}, 2, "oidc"},
		"a short secret":       {[]string{"LEGWORK_BOARD_PEPPER=hunter2"}, 2, "too short"},
		"a proxy of nonsense":  {[]string{"LEGWORK_BOARD_PROXIES=everybody"}, 2, "board_proxies"},
		"a database elsewhere": {[]string{"LEGWORK_BOARD_DATABASE_URL=postgres://u:hunter2@127.0.0.1:1/x"}, 4, "database"},
	} {
		t.Run(name, func(t *testing.T) {
			env := append([]string{"LEGWORK_BOARD_DIR=" + t.TempDir(), "LEGWORK_BOARD_ADDR=127.0.0.1:0"}, c.env...)
			stdout, stderr, code := output(t, command(t, env, "board"))
			if code != c.code || !strings.Contains(stderr, c.says) {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, stdout, stderr)
			}
			if strings.Contains(stdout+stderr, "hunter2") {
				t.Errorf("it repeats a secret: %s%s", stdout, stderr)
			}
		})
	}
}

// postErrand posts a task under a retry key and returns the status, whether the answer
// was the first one again, and the id; status 0 is a connection that broke.
func (b *runningBoard) postErrand(t *testing.T, key, retry string) (status int, replayed bool, id string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/api/tasks", strings.NewReader(`{"task":"Read the sign of the bakery.","origin_country":"US",
"task_label":"real_world_verification","acceptance_criteria":"It is readable.","not_allowed":"Do not enter.","budget_usd":8}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Idempotency-Key", retry)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, false, ""
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, false, ""
	}
	var out struct{ ID string }
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %s", res.Status, raw)
	}
	return res.StatusCode, res.Header.Get("Idempotency-Replayed") == "true", out.ID
}

// TestBoardIsKilled: a program that is killed while it is asked for tasks forgets none
// that it answered, and makes none twice for a caller who asks again.
func TestBoardIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, cmd := startKillable(t, dir)
	_, key := first.connect(t)
	answered := map[string]string{}
	asked := make(chan struct{}, 100)
	over := make(chan struct{})
	go func() {
		defer close(over)
		for i := range 100 {
			retry := "errand-" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
			status, _, id := first.postErrand(t, key, retry)
			if status == 0 {
				return
			}
			answered[retry] = id
			asked <- struct{}{}
		}
	}()
	for range 5 {
		<-asked
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	<-over

	second := startBoard(t, dir)
	for retry, id := range answered {
		if status, replayed, again := second.postErrand(t, key, retry); status != http.StatusCreated || !replayed || again != id {
			t.Errorf("%s again: %d, replayed %v, task %s, want %s", retry, status, replayed, again, id)
		}
	}
	lost := "lost"
	status, _, once := second.postErrand(t, key, lost)
	if _, _, again := second.postErrand(t, key, lost); status != http.StatusCreated || again != once {
		t.Errorf("a new key after the kill: %d, then task %s, first %s", status, again, once)
	}
}

// startKillable starts a board whose process the test ends itself.
func startKillable(t *testing.T, dir string) (*runningBoard, *exec.Cmd) {
	t.Helper()
	addr := freeAddr(t)
	cmd := command(t, []string{"LEGWORK_BOARD_DIR=" + dir}, "board", "--addr", addr)
	var log syncBuffer
	cmd.Stderr = &log
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
	return b, cmd
}

// TestBoardStops: told to stop, the program and its worker end well and in time, and
// the log has no key in it.
func TestBoardStops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b, cmd := startKillable(t, dir)
	_, key := b.connect(t)
	if status, _, _ := b.postErrand(t, key, "k"); status != http.StatusCreated {
		t.Errorf("status %d", status)
	}
	worker := command(t, []string{"LEGWORK_BOARD_DIR=" + dir}, "worker")
	var said syncBuffer
	var out syncBuffer
	worker.Stderr, worker.Stdout = &said, &out
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, 60*time.Second, "the worker works", func() bool { return strings.Contains(out.String(), "jobs of the board") })
	if status, _, _ := b.postErrand(t, key, "k2"); status != http.StatusCreated {
		t.Errorf("beside a worker: status %d", status)
	}
	terminate(t, worker)
	terminate(t, cmd)
	for name, c := range map[string]*exec.Cmd{"the board": cmd, "the worker": worker} {
		if c.ProcessState == nil || c.ProcessState.ExitCode() != 0 {
			t.Errorf("%s ended with %v", name, c.ProcessState)
		}
	}
	if log := cmd.Stderr.(*syncBuffer).String() + said.String(); strings.Contains(log, key) || strings.Contains(log, "ada@agents.net") {
		t.Errorf("the log: %s", log)
	}
}

// TestBoardCrowd: more clients than a board has room for, who send half a body to a page
// that reads none, keep nobody out.
func TestBoardCrowd(t *testing.T) {
	t.Parallel()
	b := startBoard(t, t.TempDir(), "LEGWORK_BOARD_CALLS_PER_MINUTE=100000") // all of them come from one address
	for range 2200 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
	}
	client := http.Client{Timeout: 20 * time.Second, Transport: own}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("the board answers %s", res.Status)
	}
}
