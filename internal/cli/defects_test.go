package cli_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/practice"
)

// TestOldWizardFile runs the estimator from a file as v1.1 programs wrote it: no
// options, no conditions, radios that name one of their inputs, a contract that
// leaves conditional answers to prose. Programs of that time chose whatever
// radio the file named, ticked boxes that were to stay empty, and could not run
// a branch whose fields did not all appear.
func TestOldWizardFile(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	dir := oldWizard(t, "fsa-estimator", "http://"+site.addr+"/aid-estimator/")
	client := overStdio(t, "FEDERALRUNNER_WIZARDS_DIR="+dir, "LEGWORK_ALLOW_PRIVATE=1")
	for _, name := range []string{"dependent-married-parents", "dependent-no-tax-no-benefits", "independent-graduate", "independent-married-joint"} {
		t.Run(name, func(t *testing.T) {
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
			before := len(site.Submissions())
			answer, _, err := execute(t, client, "fsa-estimator", set.Data, map[string]any{"return_screenshots": false, "timeout_seconds": 120, "wait_seconds": 120})
			if err != nil || !answer.Success {
				t.Fatalf("%v\n%s", err, answer.Text())
			}
			subs := site.Submissions()
			if len(subs) != before+1 {
				t.Fatalf("%d submissions", len(subs)-before)
			}
			got := withoutDefaults(set.Data, asTyped(plain(t, subs[before].Data)))
			if diff := cmp.Diff(asTyped(plain(t, set.Data)), got); diff != "" {
				t.Errorf("what the site recorded differs (-given +recorded):\n%s", diff)
			}
		})
	}
}

// v12 are the keys of a field that v1.1 does not have.
var v12 = []string{
	"options", "multiple", "visible_when", "required_when", "format", "mask_in_screenshots", "exclusive_group", "exclusive",
	"description", "pattern", "min_length", "max_length", "minimum", "maximum", "input_mask", "row_selector", "save_button_selector",
}

// oldWizard writes a practice wizard into a wizards folder as v1.1 had it.
func oldWizard(t *testing.T, id, url string) string {
	t.Helper()
	raw, err := fs.ReadFile(practice.Wizards(), "wizard-structures/"+id+".json")
	if err != nil {
		t.Fatal(err)
	}
	var w map[string]any
	if err := json.Unmarshal(raw, &w); err != nil {
		t.Fatal(err)
	}
	w["url"], w["discovered_at"] = url, "2025-10-20T13:27:07.716185"
	for _, k := range []string{"practice", "results", "success_when", "entry_steps", "description", "estimated_seconds", "allowed_origins"} {
		delete(w, k)
	}
	properties := map[string]any{}
	for _, p := range w["pages"].([]any) {
		p := p.(map[string]any)
		for _, k := range []string{"visible_when", "advance", "error_selectors", "submits"} {
			delete(p, k)
		}
		for _, f := range p["fields"].([]any) {
			f := f.(map[string]any)
			for _, k := range v12 {
				delete(f, k)
			}
			if _, ok := f["example_value"].(bool); ok {
				f["example_value"] = "true"
			}
			properties[f["field_id"].(string)] = map[string]any{}
		}
	}
	dir := t.TempDir()
	write := func(sub, name string, v any) {
		raw, err := json.Marshal(v)
		if err == nil {
			err = os.MkdirAll(filepath.Join(dir, sub), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, sub, name), raw, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("wizard-structures", id+".json", w)
	write("data-schemas", id+"-schema.json", map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "Old contract", "type": "object",
		"required": []string{"birth_year"}, "properties": properties,
	})
	return dir
}
