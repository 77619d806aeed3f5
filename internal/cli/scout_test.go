package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/bounty"
	"github.com/legwork-mcp/legwork/internal/cwac"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// quickForm is the practice form of one page.
const quickForm = "http://practice.localhost/oact/quickcalc/"

// explores starts an exploration and returns its id.
func explores(t *testing.T, client *legwork, args string) string {
	t.Helper()
	res := call(t, client, "federalscout_start_discovery", args)
	var out scout.ViewOut
	if err := decode(res, &out); err != nil || res.IsError || out.SessionID == "" {
		t.Fatalf("%v\n%s", err, text(res))
	}
	return out.SessionID
}

// well calls a tool that must succeed.
func well(t *testing.T, client *legwork, name, args string, into any) {
	t.Helper()
	res := call(t, client, name, args)
	if res.IsError {
		t.Fatalf("%s %s\n%s", name, args, text(res))
	}
	if err := decode(res, into); err != nil {
		t.Fatal(err)
	}
}

// TestFromAddressToRun: an agent that knows nothing but an address drafts the
// form, completes it and runs what was saved, all in one connection.
func TestFromAddressToRun(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr)
	id := explores(t, client, `{"url":"`+quickForm+`"}`)
	var draft scout.DraftOut
	well(t, client, "federalscout_draft_page", `{"session_id":"`+id+`","save":true,"proceed":true}`, &draft)
	if !draft.Saved || draft.TotalPages != 1 || draft.Proceeded {
		t.Errorf("the draft: %s", draft.Message)
	}
	var done scout.CompleteOut
	well(t, client, "federalscout_complete_discovery", `{"session_id":"`+id+`","wizard_name":"Quick","wizard_id":"quick-again","prove":true}`, &done)
	if done.WizardID != "quick-again" || done.Proven == nil || !*done.Proven {
		t.Errorf("complete: %+v", done)
	}
	if n := len(site.Submissions()); n != 0 {
		t.Fatalf("the exploration submitted %d times", n)
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(readExample(t, client, "quick-again")), &data); err != nil {
		t.Fatal(err)
	}
	a, _, err := execute(t, client, "quick-again", data, map[string]any{"dry_run": true})
	if err != nil || a.Status != runner.StatusStopped {
		t.Errorf("the run: %v\n%s", err, a.Text())
	}
	if n := len(site.Submissions()); n != 0 {
		t.Errorf("a dry run submitted %d times", n)
	}
}

// TestEndpointsOfTheServers: each endpoint has the tools of its servers and says
// how they belong together; a server that was not named is not there.
func TestEndpointsOfTheServers(t *testing.T) {
	t.Parallel()
	l := startHTTP(t)
	for path, want := range map[string][]string{
		"": {"federalrunner_"}, "mcp": {askingNames, "cwac_", "federalrunner_", "federalscout_", plainNames}, "mcp/mcptest": {plainNames}, "mcp/bounty": {askingNames},
		"mcp/runner": {"federalrunner_"}, "mcp/scout": {"federalscout_"}, "mcp/cwac": {"cwac_"},
	} {
		cs, err := newClient(nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: l.url + path, MaxRetries: -1}, nil)
		if err != nil {
			t.Fatalf("/%s: %v", path, err)
		}
		if got := prefixes(t, cs); !slices.Equal(got, want) {
			t.Errorf("/%s has the tools of %q, want %q", path, got, want)
		}
		for p, begun := range map[string]string{"federalrunner_": runner.Instructions, "federalscout_": scout.Instructions, "cwac_": cwac.Instructions, plainNames: mcptest.Instructions, askingNames: bounty.Instructions} {
			if has := strings.Contains(cs.InitializeResult().Instructions, begun); has != slices.Contains(want, p) {
				t.Errorf("/%s has the instructions of %s: %v", path, p, has)
			}
		}
		if err := cs.Close(); err != nil {
			t.Error(err)
		}
	}
}

// plainNames and askingNames stand for the tester and for the server that asks people,
// whose specifications give their tools names without a prefix.
const (
	plainNames  = "mcptest"
	askingNames = "bounty"
)

// prefixes are the servers whose tools an endpoint lists.
func prefixes(t *testing.T, cs *mcp.ClientSession) []string {
	t.Helper()
	list, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	asking := map[string]bool{}
	for _, x := range bounty.Tools {
		asking[x.Spec.Name] = true
	}
	for _, tl := range list.Tools {
		first, _, _ := strings.Cut(tl.Name, "_")
		if first += "_"; asking[tl.Name] {
			first = askingNames
		} else if !slices.Contains([]string{"cwac_", "federalrunner_", "federalscout_"}, first) {
			first = plainNames
		}
		if !slices.Contains(out, first) {
			out = append(out, first)
		}
	}
	slices.Sort(out)
	return out
}

func TestNamedServers(t *testing.T) {
	t.Parallel()
	for _, want := range []string{"federalrunner_", "federalscout_", "cwac_"} {
		cmd := command(t, nil, "stdio", strings.Trim(strings.TrimPrefix(want, "federal"), "_"))
		cs, err := newClient(nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := prefixes(t, cs); !slices.Equal(got, []string{want}) {
			t.Errorf("%v offers %q", cmd.Args[1:], got)
		}
		if err := cs.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, way := range []string{"stdio", "http"} {
		_, stderr, code := output(t, command(t, nil, way, "scouts"))
		if code != fault.ExitInvalid || !strings.Contains(stderr, "scouts") || !strings.Contains(stderr, "runner, scout") {
			t.Errorf("%s: exit code %d\n%s", way, code, stderr)
		}
	}
}

// TestAddressOfAClient: a model chose it, so it reaches nothing private, though
// the same address on the command line would.
func TestAddressOfAClient(t *testing.T) {
	t.Parallel()
	hits := make(chan string, 10)
	addr := serveLocal(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { hits <- r.URL.Path }))
	res := call(t, overStdio(t), "federalscout_start_discovery", `{"url":"http://`+addr+`/form"}`)
	if got := text(res); !res.IsError || !strings.Contains(got, "origin_not_allowed") {
		t.Errorf("a private address is explored:\n%s", got)
	}
	if len(hits) != 0 {
		t.Errorf("%q was asked for", <-hits)
	}
}

// TestSessionsLeaveRoomForRuns: as many explorations as there may be do not keep
// a run waiting.
func TestSessionsLeaveRoomForRuns(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_SCOUT_SESSIONS=3", "LEGWORK_TABS_PER_BROWSER=1")
	for range 3 {
		explores(t, client, `{"url":"`+quickForm+`"}`)
	}
	if res := call(t, client, "federalscout_start_discovery", `{"url":"`+quickForm+`"}`); !strings.Contains(text(res), "too_many_sessions") {
		t.Errorf("one more: %s", text(res))
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(readExample(t, client, "ssa-quick-calculator")), &data); err != nil {
		t.Fatal(err)
	}
	if a, _, err := execute(t, client, "ssa-quick-calculator", data, nil); err != nil || !a.Success {
		t.Errorf("%v\n%s", err, a.Text())
	}
}

// TestResumeInANewProcess: the program is killed after four pages were saved; the
// next one goes on behind them, with nothing lost.
func TestResumeInANewProcess(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	env := []string{"LEGWORK_PRACTICE_ADDR=" + site.addr, "FEDERALSCOUT_WIZARDS_DIR=" + t.TempDir()}
	client := overHTTPAt(t, "mcp/scout", env...)
	id := explores(t, client, `{"url":"http://practice.localhost/loan-simulator","start":"#fsa_LinkButton_LoanSimulatorLandingRepayStrategyStartUnauth3"}`)
	const pages = 4
	var draft scout.DraftOut
	for range pages {
		well(t, client, "federalscout_draft_page", `{"session_id":"`+id+`","save":true,"proceed":true}`, &draft)
		if !draft.Saved || !draft.Proceeded {
			t.Fatalf("the draft: %s", draft.Message)
		}
	}
	orphans := browsers(t, client)
	if err := client.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.cmd.Wait() // it was killed
	eventually(t, time.Minute, "the browsers end with the program", func() bool { return len(alive(orphans)) == 0 })
	client = overHTTPAt(t, "mcp/scout", env...)
	var list scout.ListOut
	well(t, client, "federalscout_list_sessions", `{}`, &list)
	raw, err := json.Marshal(list)
	if err != nil || !strings.Contains(string(raw), id) {
		t.Errorf("the list does not name the session: %s", raw)
	}
	var again scout.ResumeOut
	well(t, client, "federalscout_resume_session", `{"session_id":"`+id+`"}`, &again)
	if diff := cmp.Diff([]any{pages, draft.CurrentURL}, []any{again.TotalPages, again.CurrentURL}); diff != "" {
		t.Errorf("resumed (-left +now):\n%s", diff)
	}
	well(t, client, "federalscout_draft_page", `{"session_id":"`+id+`","save":true,"proceed":true}`, &draft)
	if draft.TotalPages != pages+1 || !draft.Proceeded {
		t.Errorf("going on: %d pages, %s", draft.TotalPages, draft.Message)
	}
}

// TestDiscover: without a model, from an address to a wizard that runs.
func TestDiscover(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	cmd := command(t, []string{"LEGWORK_PRACTICE_ADDR=" + site.addr}, "discover", "http://practice.localhost/widgets/f01a", "--id", "found", "--allow-submit", "--json")
	stdout, stderr, code := output(t, cmd)
	if code != fault.ExitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	var out struct {
		Structure, Schema, Review string
		Proven                    bool
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || !out.Proven {
		t.Fatalf("%v\n%s", err, stdout)
	}
	for _, name := range []string{out.Structure, out.Schema, out.Review} {
		if info, err := os.Stat(name); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	if filepath.Base(out.Review) != "review.html" {
		t.Errorf("the review is %s", out.Review)
	}
	run := command(t, nil, "wizards", "show", "found")
	run.Env = cmd.Env
	if stdout, stderr, code := output(t, run); code != 0 || !strings.Contains(stdout, "found") {
		t.Errorf("the wizard is not saved: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestDiscoverTellsTheAnswer: a form that answers below the heading of its steps,
// with no figure, is seen to have answered: by what no step says.
func TestDiscoverTellsTheAnswer(t *testing.T) {
	t.Parallel()
	form := httptest.NewServer(http.FileServer(http.Dir(filepath.Join("..", "scout", "testdata", "forms", "alpine-club"))))
	defer form.Close()
	cmd := command(t, nil, "discover", form.URL, "--id", "club", "--allow-submit", "--json")
	stdout, stderr, code := output(t, cmd)
	var out struct{ Structure string }
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != fault.ExitOK {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	raw, err := os.ReadFile(out.Structure)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wizard.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]wizard.Check{{Text: "Welcome"}}, w.SuccessWhen); diff != "" {
		t.Errorf("success_when (-want +got):\n%s", diff)
	}
}

// TestDiscoverOnThisMachine: what is said of a form on this machine is how to run it.
func TestDiscoverOnThisMachine(t *testing.T) {
	t.Parallel()
	form := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>T</title><h1>Last step</h1><form action=/done><label>Name <input name=n required></label><button>Submit</button></form>`))
	}))
	defer form.Close()
	cmd := command(t, nil, "discover", form.URL, "--id", "local")
	stdout, stderr, code := output(t, cmd)
	for _, want := range []string{"legwork run local --data FILE --allow-private ", "Nothing was submitted"} {
		if code != fault.ExitOK || !strings.Contains(stdout, want) {
			t.Errorf("exit code %d, want %q\n%s%s", code, want, stdout, stderr)
		}
	}
}

// TestFiftyAbandonedSessions: explorations that nobody goes on with end by
// themselves, with their pages' processes.
func TestFiftyAbandonedSessions(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_SCOUT_SESSIONS=8", "LEGWORK_SCOUT_SESSION_TIMEOUT=1s")
	opened, most := 0, 0
	eventually(t, 3*time.Minute, "fifty explorations have begun", func() bool {
		res := call(t, client, "federalscout_start_discovery", `{"url":"`+quickForm+`"}`)
		switch said := text(res); {
		case !res.IsError:
			opened++
			most = max(most, len(named(browsers(t, client), "--type=renderer"))) // looking costs more than asking
		case !strings.Contains(said, "too_many_sessions"):
			t.Fatalf("after %d: %s", opened, said)
		}
		return opened == 50
	})
	eventually(t, time.Minute, "all are gone", func() bool {
		var list scout.ListOut
		well(t, client, "federalscout_list_sessions", `{}`, &list)
		return list.Count == 0
	})
	// A browser that waits for the next page keeps one renderer of its own at most.
	eventually(t, time.Minute, "no page's process is left", func() bool { return len(named(browsers(t, client), "--type=renderer")) <= 1 })
	if most < 2 {
		t.Errorf("at most %d renderers were seen: the test looks at nothing", most)
	}
}
