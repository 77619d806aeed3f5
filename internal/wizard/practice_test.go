package wizard

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The answers that the practice sites ship with are valid in every branch.
func TestPracticeAnswersAreValid(t *testing.T) {
	names, err := filepath.Glob("../practice/datasets/*/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no data sets: %v", err)
	}
	for _, name := range names {
		id := filepath.Base(filepath.Dir(name))
		text, err := os.ReadFile("../practice/wizards/wizard-structures/" + id + ".json")
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var set struct {
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(data, &set); err != nil || len(set.Data) == 0 {
			t.Fatalf("%s has no data: %v", name, err)
		}
		if r := mustContract(t, mustParse(t, text)).Validate(set.Data); !r.Valid {
			t.Errorf("%s: %s", name, asJSON(t, r))
		}
	}
}

// So are those of the widgets whose run is expected to succeed.
func TestWidgetAnswersAreValid(t *testing.T) {
	names, err := filepath.Glob("../practice/widgets/cases/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile("../practice/widgets/wizard-structures/" + filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var cases []struct {
			Name   string          `json:"name"`
			Data   json.RawMessage `json:"data"`
			Expect struct {
				Status string `json:"status"`
			} `json:"expect"`
		}
		if err := json.Unmarshal(data, &cases); err != nil {
			t.Fatal(err)
		}
		c := mustContract(t, mustParse(t, text))
		for _, one := range cases {
			if r := c.Validate(one.Data); !r.Valid && one.Expect.Status == "success" {
				t.Errorf("%s, %s: %s", name, one.Name, asJSON(t, r))
			}
		}
	}
}
