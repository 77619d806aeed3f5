package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/practice"
)

// widgetCase is one way through a widget page and what must come of it.
type widgetCase struct {
	wizard string
	Name   string         `json:"name"`
	Data   map[string]any `json:"data"`
	Expect struct {
		Status    string         `json:"status"`
		ErrorType string         `json:"error_type"`
		Submitted map[string]any `json:"submitted"`
		Fields    []string       `json:"error_fields"`
	} `json:"expect"`
}

func widgetCases(t *testing.T) []widgetCase {
	t.Helper()
	files, err := fs.Glob(practice.Widgets(), "cases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []widgetCase
	for _, name := range files {
		raw, err := fs.ReadFile(practice.Widgets(), name)
		if err != nil {
			t.Fatal(err)
		}
		var cases []widgetCase
		if err := json.Unmarshal(raw, &cases); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range cases {
			c.wizard = strings.TrimSuffix(path.Base(name), ".json")
			out = append(out, c)
		}
	}
	return out
}

// TestWidgetPages runs every widget page through the real program: each must
// end exactly as its case says, and the site must hold exactly what was given.
func TestWidgetPages(t *testing.T) {
	cases := widgetCases(t)
	if len(cases) < 60 {
		t.Fatalf("only %d widget cases", len(cases))
	}
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1")
	var wg sync.WaitGroup
	slots := make(chan struct{}, 3)
	for _, c := range cases {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if wrong := runWidget(t, client, site, c); wrong != "" {
				t.Errorf("%s/%s: %s", c.wizard, c.Name, wrong)
			}
		})
	}
	wg.Wait()
}

func runWidget(t *testing.T, client *legwork, site *practiceServer, c widgetCase) string {
	answer, _, err := execute(t, client, c.wizard, c.Data, map[string]any{"return_screenshots": false, "timeout_seconds": 60, "wait_seconds": 120})
	if err != nil {
		return err.Error()
	}
	if answer.Status != c.Expect.Status || answer.ErrorType != c.Expect.ErrorType {
		return fmt.Sprintf("%s %s, want %s %s\n%s", answer.Status, answer.ErrorType, c.Expect.Status, c.Expect.ErrorType, answer.Text())
	}
	for _, id := range c.Expect.Fields {
		found := false
		for _, v := range answer.ValidationErrors {
			found = found || v.FieldID == id
		}
		if !found {
			return fmt.Sprintf("no error is mapped to %s:\n%s", id, answer.Text())
		}
	}
	if c.Expect.Submitted == nil {
		return ""
	}
	reference, _ := answer.Results["reference"].(string)
	sub, ok := submission(site, reference)
	if !ok {
		return fmt.Sprintf("the site has no submission %q", reference)
	}
	if diff := cmp.Diff(plain(t, c.Expect.Submitted), plain(t, sub.Data)); diff != "" {
		return "what the site recorded differs (-want +recorded):\n" + diff
	}
	return ""
}
