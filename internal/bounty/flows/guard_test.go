package flows

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/store"
)

// forgetful is a way to a board that loses answers of writes after the board has done
// what was asked.
type forgetful struct {
	*board
	lose atomic.Int64
}

func loseAnswers(t *testing.T, b *board) *forgetful {
	t.Helper()
	to, err := url.Parse(b.url)
	if err != nil {
		t.Fatal(err)
	}
	f := &forgetful{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(res *http.Response) error {
		if res.Request.Method == http.MethodPost && f.lose.Add(-1) >= 0 {
			panic(http.ErrAbortHandler)
		}
		return nil
	}
	srv := httptest.NewServer(proxy)
	t.Cleanup(srv.Close)
	f.board = &board{srv.URL, b.log}
	return f
}

// TestLostAnswers: whatever answer is lost, and however often, a call with its key does
// once what was asked once, on the board as it is.
func TestLostAnswers(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := startBoard(t, u)
		f := loseAnswers(t, b)
		a, p := overStdio(t, f.board), who(t, b)
		a.must(t, "connect_agent_account", args{"name": "Agent", "paypal_email": "lost@agents.test"})

		f.lose.Store(2)
		task := a.must(t, "create_bounty", asTask("jp_local_research", "text", nil)).string("id")
		if n := len(a.must(t, "list_bounties", args{}).at("tasks").([]any)); n != 1 {
			t.Fatalf("%d tasks after two lost answers", n)
		}
		p.apply(t, task)
		list := a.must(t, "list_applications", args{"task_id": task}).at("applications").([]any)
		f.again(t, a, "accept_application", args{"task_id": task, "application_id": list[0].(map[string]any)["id"]})
		id := f.again(t, a, "start_conversation", args{"task_id": task, "message": "Please ask for the Saturday hours."}).string("conversation_id")
		f.again(t, a, "send_message", args{"conversation_id": id, "body": "And for the holidays."})
		if n := len(a.must(t, "get_conversation", args{"conversation_id": id}).at("messages").([]any)); n != 2 {
			t.Errorf("%d messages were sent, want 2", n)
		}
		f.again(t, a, "extend_deadline", args{"task_id": task, "minutes": 700})
		p.write(t, task, "From nine to twelve.")
		f.again(t, a, "request_revision", args{"task_id": task, "message": "The holidays are missing in the answer."})
		p.write(t, task, "From nine to twelve, closed on holidays.")
		before := p.earned(t)
		f.lose.Store(2)
		a.must(t, "approve_bounty_completion", args{"task_id": task}) // tried again by itself
		if got := p.earned(t) - before; got != 1200 {
			t.Errorf("the person earned %v yen", got)
		}
		f.again(t, a, "rate_human", args{"task_id": task, "rating": 4})
	})
}

// again loses the answer to a call, and makes it again with the key that the error names.
func (f *forgetful) again(t *testing.T, a *agent, name string, in args) result {
	t.Helper()
	f.lose.Store(1)
	lost := a.fails(t, name, in, "UNAVAILABLE", "unreachable")
	if lost.at("error", "details", "may_have_happened") != true {
		t.Errorf("%s: %s", name, lost.text)
	}
	in["idempotency_key"] = lost.string("error", "details", "idempotency_key")
	return a.must(t, name, in)
}

// TestKeysStayWithTheirOwner: the key of an account is in no log and no file that others
// can read, and is not told to the board that comes next.
func TestKeysStayWithTheirOwner(t *testing.T) {
	b := startBoard(t, databases.SQLite(t))
	home := "LEGWORK_DATA_DIR=" + t.TempDir()
	a := overStdio(t, b, home, "LEGWORK_LOG_LEVEL=debug")
	key := a.must(t, "connect_agent_account", args{"name": "Agent", "paypal_email": "canary@agents.test"}).string("api_key")
	if key == "" {
		t.Fatal("no key")
	}
	task := a.must(t, "create_bounty", asTask("lead_prep", "text", nil)).string("id")
	for name, in := range map[string]args{
		"get_bounty": {"task_id": task}, "list_bounties": {"q": "bakery"}, "search_humans": {}, "approve_bounty_completion": {"task_id": task},
		"create_bounty": asTask("lead_prep", "text", args{"ai_account_id": "x", "ai_api_key": key}), "cancel_bounty": {"task_id": task, "ai_api_key": key},
	} {
		if got := a.try(t, name, in); strings.Contains(got.text, key) {
			t.Errorf("%s tells the key: %s", name, got.text)
		}
	}
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if strings.Contains(r.Header.Get("Authorization"), key) {
			t.Error("another board is told the key")
		}
		http.NotFound(w, r)
	}))
	defer other.Close()
	elsewhere := overStdio(t, &board{other.URL, b.log}, home)
	elsewhere.try(t, "list_bounties", args{})
	elsewhere.fails(t, "create_bounty", asTask("lead_prep", "text", nil), "UNAUTHENTICATED", "missing_credentials")
	elsewhere.try(t, "get_bounty", args{"task_id": task})
	if asked != 2 {
		t.Errorf("the other board was asked %d times", asked)
	}
	for name, log := range map[string]*output{"the program": a.log, "the board": b.log, "the program elsewhere": elsewhere.log} {
		if strings.Contains(log.String(), key) || strings.Contains(log.String(), "canary@") {
			t.Errorf("the log of %s has the key or the address", name)
		}
	}
	if !strings.Contains(a.log.String(), "tool call ended") {
		t.Error("nothing was logged")
	}
}

// TestCallersOverTheNetwork: with tokens, who may only read cannot post, and accounts
// belong to who connected them.
func TestCallersOverTheNetwork(t *testing.T) {
	b := startBoard(t, databases.SQLite(t))
	file := filepath.Join(t.TempDir(), "tokens")
	token := func(name string, scopes ...string) string {
		in := []string{"token", name, "--file", file}
		for _, s := range scopes {
			in = append(in, "--scope", s)
		}
		cmd := exec.Command(binary, in...)
		cmd.Env = []string{"HOME=" + t.TempDir()}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("a token: %v", err)
		}
		return strings.TrimSpace(string(out))
	}
	ann, bob, eve := token("ann", "bounty:post"), token("bob", "bounty:post"), token("eve", "bounty:read")
	addr := free(t)
	cmd, log := command(t, settings(b, []string{"LEGWORK_TOKENS_FILE=" + file}), "http", "--addr", addr, "bounty")
	run(t, cmd)
	await(t, "the program", func() bool { return answers(t, "http://"+addr+"/health") })
	as := func(token string) *agent {
		return connect(t, &mcp.StreamableClientTransport{Endpoint: "http://" + addr + "/mcp/bounty", MaxRetries: -1, HTTPClient: &http.Client{Transport: bearer(token)}}, log)
	}
	a, o, e := as(ann), as(bob), as(eve)
	a.must(t, "connect_agent_account", args{"name": "Ann's", "paypal_email": "ann@agents.test"})
	task := a.must(t, "create_bounty", asTask("lead_prep", "text", nil)).string("id")
	o.fails(t, "create_bounty", asTask("lead_prep", "text", nil), "UNAUTHENTICATED", "missing_credentials")
	if got := e.must(t, "get_bounty", args{"task_id": task}); got.string("task", "client_ref") != "" || got.string("task", "status") != "open" {
		t.Errorf("a reader sees %s", got.text)
	}
	list, err := e.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list.Tools {
		if !x.Annotations.ReadOnlyHint {
			t.Errorf("who may only read is offered %s", x.Name)
		}
	}
	if res, err := e.CallTool(t.Context(), &mcp.CallToolParams{Name: "cancel_bounty", Arguments: args{"task_id": task}}); err == nil && !res.IsError {
		t.Error("who may only read cancels")
	}
	if got := a.must(t, "get_bounty", args{"task_id": task}); got.string("task", "status") != "open" {
		t.Errorf("the task: %s", got.text)
	}
}

// bearer adds a token to requests.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return own.RoundTrip(r)
}

// own are connections that nobody else closes: a test server that ends closes the idle
// ones of http.DefaultTransport, which other tests use at the same time.
var own = &http.Transport{}
