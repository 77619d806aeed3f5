package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// household asks for people in rows of which the first stands there. Its ids count
// from 1, and each row asks more for some of its answers.
const household = `<!doctype html><title>Household</title><h1>Last step</h1><form method=post action=/done>
<h2>Your household</h2><div id=rows></div><button type=button id=more>Add a person</button><button>Submit</button></form><script>
const row = (n) => { const box = document.createElement('fieldset'); box.innerHTML =
	'<legend>Person ' + n + '</legend><label for=who-' + n + '>Name</label><input id=who-' + n + ' name=who-' + n + ' required>' +
	'<fieldset><legend>Relationship</legend><label><input type=radio id=rel-' + n + '-a name=rel-' + n + ' value=child required> Child</label><label><input type=radio id=rel-' + n + '-b name=rel-' + n + ' value=other> Other</label></fieldset>' +
	'<p class=say hidden><label for=say-' + n + '>Which relationship?</label><input id=say-' + n + ' name=say-' + n + ' disabled></p>';
	const say = box.querySelector('.say'), input = say.querySelector('input');
	box.onchange = () => { say.hidden = !box.querySelector('#rel-' + n + '-b').checked; input.required = !say.hidden; input.disabled = say.hidden; };
	return box; };
let n = 0; more.onclick = () => rows.append(row(++n)); more.onclick()</script>`

// TestRowsWithConditions: rows are discovered with their conditions, and a run
// enters each row by its own answers.
func TestRowsWithConditions(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []url.Values
	form := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.Method != http.MethodPost {
			_, _ = w.Write([]byte(household))
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if err := r.ParseForm(); err == nil {
			got = append(got, r.PostForm)
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Done</title><h1>Thank you</h1>`))
	}))
	defer form.Close()
	cmd := command(t, nil, "discover", form.URL, "--id", "household", "--allow-submit")
	if stdout, stderr, code := output(t, cmd); code != fault.ExitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	mu.Lock()
	got = nil
	mu.Unlock()
	execute := func(rows ...map[string]any) (string, int) {
		t.Helper()
		raw, err := json.Marshal(map[string]any{"your_household": rows})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "data.json")
		if err := os.WriteFile(file, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		run := command(t, nil, "run", "household", "--data", file, "--allow-private")
		run.Env = cmd.Env
		stdout, stderr, code := output(t, run)
		return stdout + stderr, code
	}
	// The second row has an answer that it does not ask for.
	said, code := execute(
		map[string]any{"name": "Ann", "relationship": "other", "which_relationship": "Aunt"},
		map[string]any{"name": "Ben", "relationship": "child", "which_relationship": "Nobody asks"},
		map[string]any{"name": "Cy", "relationship": "other", "which_relationship": "Lodger"})
	if code != fault.ExitOK || len(got) != 1 {
		t.Fatalf("exit code %d, %d submissions\n%s", code, len(got), said)
	}
	want := url.Values{"who-1": {"Ann"}, "rel-1": {"other"}, "say-1": {"Aunt"}, "who-2": {"Ben"}, "rel-2": {"child"}, "who-3": {"Cy"}, "rel-3": {"other"}, "say-3": {"Lodger"}}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("the form got (-want +got):\n%s", diff)
	}
	if said, code := execute(map[string]any{"name": "Ann", "relationship": "other"}); code == fault.ExitOK || len(got) != 1 {
		t.Errorf("a row without what it asks: exit code %d, %d submissions\n%s", code, len(got), said)
	}
}
