package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// outputSchemas are what the tools declare, compiled.
func outputSchemas(t *testing.T, client *legwork) map[string]*jsonschema.Schema {
	t.Helper()
	list, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonschema.Schema{}
	for _, tl := range list.Tools {
		out[tl.Name] = compile(t, tl.OutputSchema)
	}
	return out
}

// wholeSchemas are those of the reference: with every member, what is inside of
// each, and what an answer always has.
func wholeSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	out := map[string]*jsonschema.Schema{}
	for _, b := range append(tool.BindAll(runner.New(runner.Options{}), runner.Tools), tool.BindAll(scout.New(scout.Options{}), scout.Tools)...) {
		out[b.Spec.Name] = compile(t, b.Output)
	}
	return out
}

func compile(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	raw, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema:it", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema:it")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// TestAnswersKeepTheirPromise: whatever a tool answers fits the schema that it
// declares, has the keys that its specification shows for that outcome, says all
// that matters in its text, and stays within the size that hosts take.
func TestAnswersKeepTheirPromise(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1")
	schemas, whole := outputSchemas(t, client), wholeSchemas(t)
	estimator := readExample(t, client, "fsa-estimator")
	name := `{"full_name":"Maria Lopez"}`
	for _, c := range []struct {
		name, tool, args string
		keys             []string // of the specification
		text             []string
	}{
		{"list", "federalrunner_list_wizards", `{}`, []string{"success", "wizards", "count", "timestamp"}, []string{"fsa-estimator", "federalrunner_get_wizard_info"}},
		{"info", "federalrunner_get_wizard_info", `{"wizard_id":"fsa-estimator.json"}`,
			[]string{"wizard_id", "name", "wizard_name", "url", "total_pages", "page_count", "discovered_at", "pages_summary", "required_user_data", "schema"},
			[]string{"draft-07", "Example"}},
		{"valid", "federalrunner_validate_user_data", `{"wizard_id":"fsa-estimator","user_data":` + estimator + `}`,
			[]string{"valid", "missing_fields", "invalid_fields", "warnings"}, []string{"complete and valid"}},
		{"invalid", "federalrunner_validate_user_data", `{"wizard_id":"fsa-estimator","user_data":{"state":"Kerala"}}`,
			[]string{"valid", "missing_fields", "invalid_fields", "warnings"}, []string{"missing birth_month", "invalid state"}},
		{"success", "federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","user_data":` + estimator + `}`,
			[]string{"status", "wizard_id", "execution_time_ms", "results", "screenshots", "pages_completed", "timestamp"},
			[]string{"status: success", "student_aid_index", "24,789", "not official"}},
		{"missing data", "federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","user_data":{}}`,
			[]string{"status", "wizard_id", "missing_fields", "message"}, []string{"missing_data", "birth_month"}},
		{"refused by the contract", "federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","user_data":{"birth_month":"13"}}`,
			[]string{"status", "wizard_id", "error", "validation_errors", "corrective_action"}, []string{"validation_error", "birth_month"}},
		{"refused by the site", "federalrunner_execute_wizard", `{"wizard_id":"f09c-continue-error-summary","user_data":{"full_name":"Maria","postcode":"981","email":"nobody"}}`,
			[]string{"status", "wizard_id", "error", "page_number", "validation_errors", "corrective_action", "screenshots"}, []string{"validation_error", "postcode", "5 digits"}},
		{"execution error", "federalrunner_execute_wizard", `{"wizard_id":"f09b-continue-dead","user_data":` + readExample(t, client, "f09b-continue-dead") + `}`,
			[]string{"status", "wizard_id", "error_type", "error", "page_number", "recommendation", "screenshots"}, []string{"not_advanced", "What to do"}},
		{"needs a person", "federalrunner_execute_wizard", `{"wizard_id":"f19c-captcha","user_data":` + name + `}`,
			[]string{"status", "error_type", "error", "corrective_action"}, []string{"needs_human", "person"}},
		{"running", "federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","user_data":` + estimator + `,"options":{"wait_seconds":0,"dry_run":true}}`,
			[]string{"status", "run_id", "progress"}, []string{"status: running", "federalrunner_get_run"}},
		{"stopped", "federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","user_data":` + estimator + `,"options":{"dry_run":true}}`,
			[]string{"status", "message"}, []string{"stopped_before_submit"}},
		{"fault", "federalrunner_get_run", `{"run_id":"run_0"}`, []string{"success", "status", "error_type", "error", "corrective_action", "timestamp"}, []string{"run_id", "What to do"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := call(t, client, c.tool, c.args)
			checkAnswer(t, schemas[c.tool], res, c.keys, c.text)
			if c.name != "fault" { // which has the members of a fault
				checkAnswer(t, whole[c.tool], res, nil, nil)
			}
		})
	}
	if subs := site.Submissions(); len(subs) != 1 {
		t.Errorf("%d submissions: a dry run or a refused one submitted", len(subs))
	}
}

func checkAnswer(t *testing.T, schema *jsonschema.Schema, res *mcp.CallToolResult, keys, words []string) {
	t.Helper()
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("the answer does not fit the declared schema: %v\n%s", err, raw)
	}
	for _, k := range keys {
		if _, ok := doc.(map[string]any)[k]; !ok {
			t.Errorf("the answer lacks %q: %.3000s", k, raw)
		}
	}
	first := text(res)
	for _, w := range words {
		if !strings.Contains(first, w) {
			t.Errorf("the text lacks %q:\n%s", w, first)
		}
	}
	whole, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) > 700<<10 {
		t.Errorf("the reply has %d bytes", len(whole))
	}
	if strings.Contains(first, "base64") || strings.Contains(string(raw), "/9j/4AAQ") {
		t.Error("a picture is in the text or the structure")
	}
	images := 0
	for i, b := range res.Content {
		if _, ok := b.(*mcp.ImageContent); ok {
			images++
			if i >= images {
				t.Error("a picture comes after the text")
			}
		}
	}
	if n, ok := doc.(map[string]any)["screenshots_included"]; ok && n != json.Number(itoa(images)) {
		t.Errorf("screenshots_included %v, %d image blocks", n, images)
	}
}

func itoa(n int) string { raw, _ := json.Marshal(n); return string(raw) }

// readExample is the example of a wizard's contract, as JSON.
func readExample(t *testing.T, client *legwork, id string) string {
	t.Helper()
	var info runner.WizardInfoOut
	if err := decode(call(t, client, "federalrunner_get_wizard_info", `{"wizard_id":"`+id+`"}`), &info); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(info.Example)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
