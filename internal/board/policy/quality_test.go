package policy

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "../../../docs/board/policy.md"

// The floors are a little under what was measured when the rules were last
// changed; docs/board/policy.md has the figures themselves.
var floors = []struct {
	file                        string
	texts                       int
	precision, recall, classify float64
}{
	{"corpus.tsv", 1100, 0.99, 0.88, 0.96},
	{"testdata/heldout.tsv", 110, 0.90, 0.25, 0.99},
}

type sample struct{ lang, want, label, text string }

func readCorpus(t *testing.T, path string) []sample {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []sample
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		parts := strings.Split(s.Text(), "\t")
		if len(parts) != 4 || parts[1] != "ok" && Class(parts[1]).Reason("en") == "" {
			t.Fatalf("%s: %q is no row", path, s.Text())
		}
		out = append(out, sample{parts[0], parts[1], parts[2], parts[3]})
	}
	return out
}

// score counts how the verdicts agree with what people said of the texts. A text
// counts as found when it is held or blocked.
type score struct {
	bad, good      int // harmful and harmless texts
	found          int // harmful ones
	named, class   int // of these: by a rule, and with the class that was meant
	falseAlarms    int
	warned         int // harmless ones published with a warning
	missed, alarms []string
}

func (s *score) add(c sample) {
	v := Screen(Text{Label: c.label, Task: c.text})
	flagged := v.Action >= Hold
	switch {
	case c.want == "ok":
		s.good++
		if flagged {
			s.falseAlarms++
			s.alarms = append(s.alarms, fmt.Sprintf("%s (%s)", c.text, v.Class))
		} else if v.Action == Warn {
			s.warned++
		}
	default:
		s.bad++
		if flagged {
			s.found++
		} else {
			s.missed = append(s.missed, fmt.Sprintf("%s (%s)", c.text, c.want))
		}
		if flagged && v.Class != Resembling {
			s.named++
			if string(v.Class) == c.want {
				s.class++
			}
		}
	}
}

func (s score) precision() float64 { return ratio(s.found, s.found+s.falseAlarms) }
func (s score) recall() float64    { return ratio(s.found, s.bad) }
func (s score) classify() float64  { return ratio(s.class, s.named) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func measure(samples []sample, keep func(sample) bool) score {
	var s score
	for _, c := range samples {
		if keep(c) {
			s.add(c)
		}
	}
	return s
}

func every(sample) bool { return true }

func TestQuality(t *testing.T) {
	for _, f := range floors {
		t.Run(f.file, func(t *testing.T) {
			samples := readCorpus(t, f.file)
			s := measure(samples, every)
			if len(samples) < f.texts || s.good*5 < len(samples)*2 {
				t.Errorf("%d texts, %d harmless", len(samples), s.good)
			}
			if s.precision() < f.precision || s.recall() < f.recall || s.classify() < f.classify {
				t.Errorf("precision %.3f, recall %.3f, class %.3f; missed %q; false alarms %q", s.precision(), s.recall(), s.classify(), s.missed, s.alarms)
			}
			seen := map[string]bool{}
			for _, c := range samples {
				if seen[c.text] {
					t.Errorf("%q is there twice", c.text)
				}
				seen[c.text] = true
			}
		})
	}
}

// TestPage keeps the page of the figures what the rules do.
// LEGWORK_UPDATE=1 go test ./internal/board/policy -run TestPage writes it.
func TestPage(t *testing.T) {
	want := writePage(t)
	if os.Getenv("LEGWORK_UPDATE") != "" {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("the page is not what the rules do (-want +got):\n%s", diff)
	}
}
