package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TestReferenceDefects: what earlier programs of this kind did wrong, each under
// its own name. docs/deviations.md lists them.
func TestReferenceDefects(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1")
	d := &defects{site: site, client: client}
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"a radio ignores the answer that was given", d.radios},
		{"an answer of false ticks the box", d.checkboxes},
		{"a rejected form counts as success", d.rejected},
		{"the saved address is that of a result", d.startAddress},
		{"a branch without conditional answers cannot run", d.branches},
		{"the user's data is logged", d.log},
		{"a token that nobody verified grants every scope", d.scopes},
		{"a wizard id reaches other folders", d.traversal},
		{"the execution time is never enforced", d.executionTime},
		{"an answer is too large or too late for its client", d.clientLimits},
	} {
		t.Run(c.name, c.test)
	}
}

type defects struct {
	site   *practiceServer
	client *legwork
}

// kept executes and compares what the site recorded with the data.
func (d *defects) kept(t *testing.T, id string, data map[string]any) {
	t.Helper()
	before := len(d.site.Submissions())
	a, _, err := execute(t, d.client, id, data, map[string]any{"return_screenshots": false, "timeout_seconds": 120, "wait_seconds": 120})
	if err != nil || !a.Success {
		t.Fatalf("%v\n%s", err, a.Text())
	}
	subs := d.site.Submissions()
	if len(subs) != before+1 {
		t.Fatalf("%d submissions", len(subs)-before)
	}
	got := withoutDefaults(data, asTyped(plain(t, subs[before].Data)))
	if diff := cmp.Diff(asTyped(plain(t, data)), got); diff != "" {
		t.Errorf("what the site recorded differs (-given +recorded):\n%s", diff)
	}
}

// radios: the wizard names the input of one option only, and every option runs.
func (d *defects) radios(t *testing.T) {
	for _, v := range []string{"own", "rent", "shelter"} {
		d.kept(t, "f01a-radio-one-selector", map[string]any{"housing": v})
	}
}

// checkboxes: a state is set, nothing is toggled, whatever the page began with.
func (d *defects) checkboxes(t *testing.T) {
	for _, on := range []bool{false, true} {
		d.kept(t, "f02a-checkbox-state", map[string]any{"by_mail": on, "by_phone": !on, "by_email": on, "by_text": false})
	}
}

// rejected: the only page of a form refuses the data and shows itself again.
func (d *defects) rejected(t *testing.T) {
	before := len(d.site.Submissions())
	a, res, err := execute(t, d.client, "f09c-continue-error-summary", map[string]any{"full_name": "Maria", "postcode": "981", "email": "nobody"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Success || a.Status != runner.StatusValidationError || !res.IsError || len(a.Results) > 0 || a.PagesCompleted != 0 {
		t.Errorf("%s", a.Text())
	}
	if n := len(d.site.Submissions()) - before; n != 0 {
		t.Errorf("%d submissions", n)
	}
}

// startAddress: a form whose saved address is that of a former result either
// comes back to its start, as sites with a session do, or is reported; the old
// result is never an answer.
func (d *defects) startAddress(t *testing.T) {
	dir := oldWizard(t, "fsa-estimator", "http://"+d.site.addr+"/aid-estimator/estimate/results")
	stdout, stderr, _ := output(t, command(t, []string{"FEDERALRUNNER_WIZARDS_DIR=" + dir, "LEGWORK_ALLOW_PRIVATE=1"}, "wizards", "check", "fsa-estimator"))
	if !strings.Contains(stdout+stderr, "looks like the address of a result") {
		t.Errorf("the check does not say so:\n%s%s", stdout, stderr)
	}
	addr := serveLocal(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<!doctype html><title>Done</title><h1>Your results</h1><p>Answer: 42"))
	}))
	dir, _ = formAt(t, "http://"+addr+"/results")
	client := overStdio(t, "FEDERALRUNNER_WIZARDS_DIR="+dir, "LEGWORK_ALLOW_PRIVATE=1")
	a, _, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, nil)
	if err != nil || a.ErrorType != runner.TypeSelector || len(a.Results) > 0 {
		t.Errorf("%v\n%s", err, a.Text())
	}
}

// branches: answers whose "no" takes questions off the form.
func (d *defects) branches(t *testing.T) {
	for _, name := range []string{"dependent-no-tax-no-benefits", "independent-married-not-filed"} {
		raw, err := fs.ReadFile(practice.DataSets(), "fsa-estimator/"+name+".json")
		if err != nil {
			t.Fatal(err)
		}
		var set struct {
			Data map[string]any `json:"data"`
		}
		if err := json.Unmarshal(raw, &set); err != nil {
			t.Fatal(err)
		}
		d.kept(t, "fsa-estimator", set.Data)
	}
}

// log: at its loudest it holds no answer that was given.
func (d *defects) log(t *testing.T) {
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+d.site.addr, "LEGWORK_PRACTICE_WIDGETS=1", "LEGWORK_LOG_LEVEL=debug")
	a, _, err := execute(t, client, "f09c-continue-error-summary", map[string]any{"full_name": "Maria " + canary, "postcode": "98101", "email": canary + "@example.com"}, nil)
	if err != nil || !a.Success {
		t.Fatalf("%v\n%s", err, a.Text())
	}
	if log := client.log.String(); strings.Contains(log, canary) || !strings.Contains(log, "f09c-continue-error-summary") && !strings.Contains(log, "federalrunner_execute_wizard") {
		t.Errorf("the log:\n%s", log)
	}
}

// scopes: a token that only the issuer's userinfo knows is refused, and userinfo is
// not asked. TestOnlyTheLocalUserIsAuthorized holds the rule itself.
func (d *defects) scopes(t *testing.T) {
	var asked atomic.Int64
	issuer := serveLocal(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/userinfo" {
			asked.Add(1)
		}
		if r.Header.Get("Authorization") == "" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `{"sub":"anybody"}`)
	}))
	client := startHTTP(t, "AUTH0_ISSUER=http://"+issuer+"/", "AUTH0_API_AUDIENCE=https://api.example")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, client.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer encrypted.token.of.the.issuer")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized || asked.Load() != 0 {
		t.Errorf("status %d, and userinfo was asked %d times\n%s", res.StatusCode, asked.Load(), client.log)
	}
}

// traversal: neither reading nor writing leaves the wizards folder.
func (d *defects) traversal(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "wizards")
	_, file := formAt(t, "http://127.0.0.1:1/")
	raw, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "slow-form.json"), raw, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	client := overStdio(t, "FEDERALRUNNER_WIZARDS_DIR="+inner)
	for _, id := range []string{"../slow-form", "../../slow-form.json", "..%2fslow-form", filepath.Join(dir, "slow-form")} {
		for name, args := range map[string]string{"federalrunner_get_wizard_info": "", "federalrunner_validate_user_data": `,"user_data":{}`, "federalrunner_execute_wizard": `,"user_data":{}`} {
			res := call(t, client, name, `{"wizard_id":`+quoted(t, id)+args+`}`)
			if got := text(res); !res.IsError || !strings.Contains(got, "invalid_wizard_id") {
				t.Errorf("%s %s:\n%s", name, id, got)
			}
		}
	}
	store, err := wizard.OpenStore(inner)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wizard.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	w.WizardID = "../evil"
	if _, err := store.Save(w, nil); err == nil {
		t.Error("a wizard was written outside of the folder")
	}
	if found, err := filepath.Glob(filepath.Join(dir, "*evil*")); err != nil || found != nil {
		t.Errorf("%v %v", found, err)
	}
}

// executionTime: the setting ends a run, however much the caller asked for, and
// the answer says that it did.
func (d *defects) executionTime(t *testing.T) {
	slow := startSlowForm(t)
	client := overStdio(t, append(slow.env(t), "FEDERALRUNNER_EXECUTION_TIMEOUT=5")...)
	a, res, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, map[string]any{"timeout_seconds": 600, "wait_seconds": 120})
	if err != nil || a.ErrorType != runner.TypeTimeout {
		t.Fatalf("%v\n%s", err, a.Text())
	}
	if got := text(res); !strings.Contains(got, "timeout_seconds 600") || !strings.Contains(got, "5 s") {
		t.Errorf("the text does not say that the time was cut:\n%s", got)
	}
}

// clientLimits: hosts cut calls at about 60 s and results at 1 MiB.
func (d *defects) clientLimits(t *testing.T) {
	list, err := d.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(list)
	if err != nil || !strings.Contains(string(raw), `"default":45`) {
		t.Errorf("a call does not end before hosts cut it: %v\n%s", err, raw)
	}
	var example map[string]any
	if err := json.Unmarshal([]byte(readExample(t, d.client, "fsa-estimator")), &example); err != nil {
		t.Fatal(err)
	}
	a, _, err := execute(t, d.client, "fsa-estimator", example, map[string]any{"wait_seconds": 0})
	if err != nil || a.Status != runner.StatusRunning || a.RunID == "" {
		t.Fatalf("%v\n%s", err, a.Text())
	}
	res := call(t, d.client, "federalrunner_get_run", `{"run_id":"`+a.RunID+`","wait_seconds":120}`)
	if raw, err = json.Marshal(res); err != nil || res.IsError || len(raw) > 700<<10 {
		t.Errorf("the answer has %d bytes, %v\n%s", len(raw), err, text(res))
	}
}
