package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// dataset is one complete set of answers to a practice wizard.
type dataset struct {
	wizard, name string
	data         map[string]any
	results      map[string]any
}

// datasets are the hand-written ones and those generated from each contract.
func datasets(t *testing.T) []dataset {
	t.Helper()
	var out []dataset
	store, err := wizard.OpenStore(t.TempDir(), wizard.Source{FS: practice.Wizards(), Practice: true})
	if err != nil {
		t.Fatal(err)
	}
	entries, broken := store.List()
	if len(broken) > 0 || len(entries) != 4 {
		t.Fatalf("%d practice wizards, broken: %v", len(entries), broken)
	}
	for _, e := range entries {
		for i, data := range wizard.GenerateDataSets(e.Wizard) {
			out = append(out, dataset{wizard: e.Wizard.WizardID, name: fmt.Sprintf("generated-%02d", i), data: data})
		}
	}
	err = fs.WalkDir(practice.DataSets(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(practice.DataSets(), name)
		if err != nil {
			return err
		}
		var set struct {
			Data   map[string]any `json:"data"`
			Expect struct {
				Results map[string]any `json:"results"`
			} `json:"expect"`
		}
		if err := json.Unmarshal(raw, &set); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		dir, file := path.Split(name)
		out = append(out, dataset{path.Base(dir), strings.TrimSuffix(file, ".json"), set.Data, set.Expect.Results})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// repeats is how often each data set is run over each transport: the number in
// LEGWORK_SOAK_REPEAT. Without it (0) the hand-written ones are run once over
// both, and a sample of the generated ones.
func repeats(t *testing.T) int {
	t.Helper()
	v := os.Getenv("LEGWORK_SOAK_REPEAT")
	if v == "" {
		return 0
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		t.Fatalf("LEGWORK_SOAK_REPEAT=%s", v)
	}
	return n
}

// share leaves every eighth generated set to one transport.
func share(sets []dataset, transport int) []dataset {
	var out []dataset
	for i, s := range sets {
		if !strings.HasPrefix(s.name, "generated-") || i%8 == transport*4 {
			out = append(out, s)
		}
	}
	return out
}

// TestEveryBranch runs every branch of the practice wizards through an MCP
// client, four at a time, over both transports: what the site recorded must be
// exactly what was given.
func TestEveryBranch(t *testing.T) {
	t.Parallel()
	sets := datasets(t)
	if len(sets) < 40 {
		t.Fatalf("%d data sets, at least 40 are needed", len(sets))
	}
	site := startPractice(t)
	env := []string{"LEGWORK_PRACTICE_ADDR=" + site.addr}
	for transport, name := range []string{"stdio", "http"} {
		t.Run(name, func(t *testing.T) {
			client := []func(*testing.T, ...string) *legwork{overStdio, overHTTP}[transport](t, env...)
			todo, n := sets, repeats(t)
			if n == 0 {
				todo, n = share(sets, transport), 1
			}
			t.Logf("%d data sets, %d times", len(todo), n)
			atOnce(4, slices.Repeat(todo, n), func(set dataset) {
				if diff := runSet(t, client, site, set); diff != "" {
					t.Errorf("%s/%s: %s", set.wizard, set.name, diff)
				}
			})
		})
	}
}

// atOnce does something with every item, so many at a time.
func atOnce[T any](most int, items []T, do func(T)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, most)
	for _, item := range items {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(item)
		})
	}
	wg.Wait()
}

// runSet executes one data set and says what is wrong with the outcome.
func runSet(t *testing.T, client *legwork, site *practiceServer, set dataset) string {
	answer, _, err := execute(t, client, set.wizard, set.data, map[string]any{"return_screenshots": false, "timeout_seconds": 120, "wait_seconds": 120})
	if err != nil {
		return err.Error()
	}
	if !answer.Success {
		return answer.Text()
	}
	recorded, wrong := record(site, answer.Reading.Values)
	if wrong != "" {
		return wrong
	}
	if diff := cmp.Diff(asTyped(plain(t, set.data)), withoutDefaults(set.data, asTyped(plain(t, recorded)))); diff != "" {
		return "what the site recorded differs (-given +recorded):\n" + diff
	}
	for name, want := range set.results {
		if diff := cmp.Diff(plain(t, want), plain(t, answer.Reading.Values[name])); diff != "" {
			return "result " + name + " (-want +got):\n" + diff
		}
	}
	return ""
}

// record is what the site holds under the reference of an answer, or what is wrong
// with it.
func record(site *practiceServer, values map[string]any) (map[string]any, string) {
	reference, _ := values["reference"].(string)
	sub, ok := submission(site, reference)
	switch {
	case !ok:
		return nil, fmt.Sprintf("the site has no submission %q", reference)
	case len(sub.Extra) > 0:
		return nil, fmt.Sprintf("the site received what it did not ask for: %v", sub.Extra)
	}
	return sub.Data, ""
}

func submission(site *practiceServer, reference string) (practice.Submission, bool) {
	for _, s := range site.Submissions() {
		if s.Reference == reference && reference != "" {
			return s, true
		}
	}
	return practice.Submission{}, false
}

// execute calls federalrunner_execute_wizard and decodes its answer.
func execute(t *testing.T, client *legwork, id string, data any, options map[string]any) (runner.Answer, *mcp.CallToolResult, error) {
	var answer runner.Answer
	args := map[string]any{"wizard_id": id, "user_data": data}
	if options != nil {
		args["options"] = options
	}
	res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "federalrunner_execute_wizard", Arguments: args})
	if err != nil {
		return answer, nil, fmt.Errorf("calling execute: %w\n%s", err, client.log)
	}
	return answer, res, decode(res, &answer)
}

// decode reads the structured content of a result.
func decode(res *mcp.CallToolResult, into any) error {
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// plain is a value after a trip through JSON.
func plain(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// asTyped turns numbers into the text that a form carries.
func asTyped(v any) any {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		for i := range v {
			v[i] = asTyped(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = asTyped(v[k])
		}
	}
	return v
}

// withoutDefaults drops what the form itself adds to what was given: boxes that
// nobody ticked, and the growth rate that it prefills.
func withoutDefaults(given map[string]any, recorded any) any {
	m, ok := recorded.(map[string]any)
	if !ok {
		return recorded
	}
	for k, v := range m {
		if _, asked := given[k]; !asked && (v == false || k == "income_growth_rate" && v == "3") {
			delete(m, k)
		}
	}
	return m
}
