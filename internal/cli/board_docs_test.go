package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// exampleCall is a call of curl in docs/board/rest.md.
var exampleCall = regexp.MustCompile(`curl -s localhost:8090(\S+)[^']*(?:'[^']*'[^']*?)*-d '([^']*)'`)

// TestExampleOfTheBoard: the calls that docs/board/rest.md begins with do what they are
// for, with a budget in the currency of the country that they name.
func TestExampleOfTheBoard(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/board/rest.md")
	if err != nil {
		t.Fatal(err)
	}
	calls := exampleCall.FindAllStringSubmatch(string(page), -1)
	if len(calls) != 2 || calls[0][1] != "/api/ai/accounts" || calls[1][1] != "/api/tasks" {
		t.Fatalf("the calls are %q", calls)
	}
	b := startBoard(t, t.TempDir())
	key := ""
	for _, c := range calls {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+c[1], strings.NewReader(c[2]))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if key != "" {
			req.Header.Set("Authorization", "Bearer "+key)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		var out struct {
			APIKey string `json:"api_key"`
			Status string
			Quote  struct{ Currency string }
		}
		if err == nil {
			err = json.Unmarshal(raw, &out)
		}
		if err != nil || res.StatusCode > 299 {
			t.Fatalf("%s: %s %s %v", c[1], res.Status, raw, err)
		}
		if key == "" {
			key = out.APIKey
			continue
		}
		if jp := strings.Contains(c[2], `"origin_country":"JP"`); out.Status != "open" || !jp || out.Quote.Currency != "JPY" {
			t.Errorf("the task of the example: %s", raw)
		}
	}
}
