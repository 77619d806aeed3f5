package wizard

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func readTestdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustParse(t testing.TB, data []byte) *Wizard {
	t.Helper()
	w, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func mustContract(t testing.TB, w *Wizard) *Contract {
	t.Helper()
	c, err := NewContract(w)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func benefitCheck(t testing.TB) *Wizard {
	t.Helper()
	return mustParse(t, readTestdata(t, "v1.2/benefit-check.json"))
}

// edited is the sample wizard's JSON after a change to its decoded form.
func edited(t testing.TB, change func(w map[string]any)) []byte {
	t.Helper()
	var w map[string]any
	if err := json.Unmarshal(readTestdata(t, "v1.2/benefit-check.json"), &w); err != nil {
		t.Fatal(err)
	}
	change(w)
	data, err := plainJSON(w)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// at walks into a decoded document; numbers are indexes of lists.
func at(value any, path ...any) map[string]any {
	for _, step := range path {
		switch s := step.(type) {
		case string:
			value = value.(map[string]any)[s]
		case int:
			value = value.([]any)[s]
		}
	}
	return value.(map[string]any)
}

// sampleFiles are the wizard files that every general property is tested with:
// our own samples and all that the practice sites have.
func sampleFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{
		"testdata/v1.1/*.json", "testdata/v1.2/*.json",
		"../practice/wizards/wizard-structures/*.json", "../practice/widgets/wizard-structures/*.json",
	} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if filepath.Base(name) == "fsa-estimator-schema.json" {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.ToSlash(name)] = data
		}
	}
	if len(files) < 4 {
		t.Fatalf("only %d sample files found", len(files))
	}
	return files
}

func asJSON(t testing.TB, value any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
