package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/runner"
)

// TestReferenceFiles: files of v1.1, made for the real sites, load, run against the
// replicas of those sites and are saved again with nothing lost.
func TestReferenceFiles(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	dir := filepath.Join(t.TempDir(), "wizards")
	if err := os.MkdirAll(filepath.Join(dir, "wizard-structures"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := map[string]map[string]any{}
	for id, entrance := range map[string]string{
		"fsa-estimator": "/aid-estimator/", "ssa-quick-calculator": "/oact/quickcalc/", "loan-simulator-repayment": "/loan-simulator/",
		"loan-simulator-borrow-more": "/loan-simulator/",
	} {
		raw, err := os.ReadFile(filepath.Join("..", "wizard", "testdata", "v1.1", id+".json"))
		if err != nil {
			t.Fatal(err)
		}
		w := map[string]any{}
		if err := json.Unmarshal(raw, &w); err != nil {
			t.Fatal(err)
		}
		w["url"] = "http://" + site.addr + entrance
		w["note_of_the_team"] = "checked by hand" // no key of the format
		before[id] = w
		if raw, err = json.Marshal(w); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "wizard-structures", id+".json"), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	client := overStdio(t, "LEGWORK_WIZARDS_DIR="+dir, "LEGWORK_ALLOW_PRIVATE=true")
	for id := range before {
		var info runner.WizardInfoOut
		if err := decode(call(t, client, "federalrunner_get_wizard_info", `{"wizard_id":"`+id+`"}`), &info); err != nil {
			t.Fatal(err)
		}
		if id == "loan-simulator-repayment" { // whose file lacks the questions about an income, and names an option in its own words
			info.Example["has_job"], info.Example["none_apply"] = false, true
			info.Example["primary_repayment_goal"] = "Have a low monthly payment"
		}
		sent := len(site.Submissions())
		answer, _, err := execute(t, client, id, info.Example, map[string]any{"return_screenshots": false})
		if err != nil || !answer.Success {
			t.Fatalf("%s: %v %s", id, err, answer.Text())
		}
		all := site.Submissions()
		if len(all) != sent+1 {
			t.Fatalf("%s: %d submissions", id, len(all)-sent)
		}
		if diff := cmp.Diff(asTyped(plain(t, siteWords(info.Example))), withoutDefaults(siteWords(info.Example), asTyped(plain(t, all[sent].Data)))); diff != "" {
			t.Errorf("%s: what the site recorded differs (-given +recorded):\n%s", id, diff)
		}
		if res := call(t, client, "federalscout_save_schema", `{"wizard_id":"`+id+`","schema_content":`+string(info.Schema)+`}`); res.IsError {
			t.Fatalf("%s: %v", id, res.Content)
		}
		raw, err := os.ReadFile(filepath.Join(dir, "wizard-structures", id+".json"))
		if err != nil {
			t.Fatal(err)
		}
		after := map[string]any{}
		if err := json.Unmarshal(raw, &after); err != nil {
			t.Fatal(err)
		}
		if lost := missing("", before[id], after); len(lost) > 0 {
			t.Errorf("%s has lost or changed %s", id, strings.Join(lost, ", "))
		}
		if v := after["discovery_version"]; v != before[id]["discovery_version"] {
			t.Errorf("%s is of version %v now", id, v)
		}
	}
}

// siteWords are answers under the names that the practice site records.
func siteWords(data map[string]any) map[string]any {
	names := map[string]string{"earnings": "current_earnings", "retire_month": "retirement_month", "retire_year": "retirement_year"}
	out := map[string]any{}
	for id, v := range data {
		if v == "Have a low monthly payment" {
			v = "low_monthly_payment"
		}
		name, renamed := names[id]
		if !renamed {
			name = id
		}
		out[name] = v
	}
	return out
}

// missing names what is in one document and not, or otherwise, in another one.
func missing(at string, was, is any) []string {
	if list, ok := was.([]any); ok {
		now, _ := is.([]any)
		var out []string
		for i := range list {
			var v any
			if i < len(now) {
				v = now[i]
			}
			out = append(out, missing(at+"/"+string(rune('0'+i%10)), list[i], v)...)
		}
		return out
	}
	if object, ok := was.(map[string]any); ok {
		now, _ := is.(map[string]any)
		var out []string
		for k := range object {
			out = append(out, missing(at+"/"+k, object[k], now[k])...)
		}
		return out
	}
	switch {
	case cmp.Equal(was, is), is == nil && (was == false || was == 0.0): // a default that is left out
	case at == "/discovered_at" && is == was.(string)+"Z": // a time without a zone is in UTC
	default:
		return []string{at}
	}
	return nil
}
