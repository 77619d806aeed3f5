package flows

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"sync/atomic"
	"testing"

	"github.com/legwork-mcp/legwork/internal/store"
)

// mortal is a board that is killed when it has done what the next request asks and
// before its answer arrives, and that comes back.
type mortal struct {
	*testing.T
	*board
	cmd   *exec.Cmd
	start func()
	armed atomic.Bool
	via   string // the address at which it is killed
}

func startMortal(t *testing.T, u store.URL) *mortal {
	t.Helper()
	m := &mortal{T: t, board: &board{url: "http://" + free(t)}}
	dir := t.TempDir()
	m.start = func() {
		m.cmd, m.log = command(t, []string{"LEGWORK_BOARD_DIR=" + dir, "LEGWORK_BOARD_DEV_MAIL=1"}, "board", "--addr", m.url[len("http://"):], "--db", string(u))
		run(t, m.cmd)
		await(t, "the board", func() bool { return answers(t, m.url+"/ready") })
	}
	m.start()
	to, err := url.Parse(m.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = &http.Transport{DisableKeepAlives: true}
	proxy.ModifyResponse = func(*http.Response) error {
		if m.armed.CompareAndSwap(true, false) {
			if err := m.cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
			panic(http.ErrAbortHandler)
		}
		return nil
	}
	srv := httptest.NewServer(proxy)
	t.Cleanup(srv.Close)
	m.via = srv.URL
	return m
}

// once asks with a retry key.
func (m *mortal) once(as, path, key string, body args) (status int, replayed bool, out args) {
	m.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		m.Fatal(err)
	}
	req, err := http.NewRequestWithContext(m.Context(), http.MethodPost, m.via+path, bytes.NewReader(raw))
	if err != nil {
		m.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + as}, "Idempotency-Key": {key}}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return 0, false, nil
	}
	defer res.Body.Close()
	_ = json.NewDecoder(res.Body).Decode(&out) // an answer that broke off has none
	return res.StatusCode, res.Header.Get("Idempotency-Replayed") == "true", out
}

// killed has the board die with the answer of a request, and asks for it again, twice.
func (m *mortal) killed(as, path string, body args, want int) args {
	m.Helper()
	key := "key-of-" + path
	m.armed.Store(true)
	if status, _, out := m.once(as, path, key, body); status < 500 && status != 0 {
		m.Fatalf("%s was answered: %d %v", path, status, out)
	}
	if err := m.cmd.Wait(); m.cmd.ProcessState.ExitCode() != -1 {
		m.Fatalf("the board was not killed: %v", err)
	}
	m.start()
	var first args
	for range 2 {
		status, replayed, out := m.once(as, path, key, body)
		if status != want || !replayed {
			m.Fatalf("%s once more: %d, replayed %v, %v", path, status, replayed, out)
		}
		first = out
	}
	return first
}

// TestKilledBetweenCommitAndAnswer: a board that is killed when it has done something and
// not told it yet gives the first result to the retry, whatever it was, and did it once.
func TestKilledBetweenCommitAndAnswer(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		m := startMortal(t, u)
		owner := &person{board: m.board}
		owner.session = owner.must(t, "POST", "/api/ai/accounts", args{"name": "Owner", "paypal_email": "killed@agents.test"}).string("api_key")
		worker := m.signIn(t, "killed@people.test")

		task := m.killed(owner.session, "/api/tasks", asTask("lead_prep", "text", nil), http.StatusCreated).string("id")
		if n := len(owner.must(t, "GET", "/api/tasks", nil).at("tasks").([]any)); n != 1 {
			t.Errorf("%d tasks", n)
		}
		to := "/api/tasks/" + task
		applied := m.killed(worker.session, to+"/apply", args{"cover_letter": "I live near.", "availability": "today"}, http.StatusCreated).string("application_id")
		m.killed(owner.session, to+"/accept-application", args{"application_id": applied}, http.StatusOK)
		m.killed(worker.session, "/api/submissions", args{"task_id": task, "type": "text", "text": "From nine to twelve."}, http.StatusCreated)
		if n := len(owner.must(t, "GET", to+"/submissions", nil).at("submissions").([]any)); n != 1 {
			t.Errorf("%d submissions", n)
		}
		m.killed(owner.session, to+"/approve", args{}, http.StatusOK)
		await(t, "the pay-out", func() bool { return worker.moved(t)["pay_out"] > 0 })
		if got := worker.moved(t); got["release"] != 1200 || got["pay_out"] != 1200 {
			t.Errorf("the worker got %v, want 1200 yen once", got)
		}
	})
}
