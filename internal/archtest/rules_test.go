package archtest

import (
	"strings"
	"testing"
)

// rule is one rule of the tree, with the proof that it finds what it forbids.
type rule struct {
	name  string
	check func([]source) []string // what is wrong, a line each
	bad   []sample
	good  []sample // what it must not mistake for a breach
}

// sample is a small file that is written for the test of a rule.
type sample struct {
	path string
	text string
	want string // part of what the rule says about it
}

func rules() []rule {
	var all []rule
	for _, part := range [][]rule{importRules(), callRules(), clockRules(), startRules(), testRules(), sizeRules()} {
		all = append(all, part...)
	}
	return all
}

func TestTree(t *testing.T) {
	for _, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			for _, wrong := range r.check(sources(t)) {
				t.Error(wrong)
			}
		})
	}
}

// TestRulesFindWhatTheyForbid: a rule that can find nothing is worse than none.
func TestRulesFindWhatTheyForbid(t *testing.T) {
	for _, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			if len(r.bad) == 0 {
				t.Error("there is no sample that breaks the rule")
			}
			for _, s := range r.bad {
				if got := strings.Join(r.check(parsed(t, s)), "\n"); s.want == "" || !strings.Contains(got, s.want) {
					t.Errorf("of the file\n%.300s\nit says %q, not %q", s.text, got, s.want)
				}
			}
			for _, s := range r.good {
				if got := about(r.check(parsed(t, s)), s.path); got != "" {
					t.Errorf("of the file\n%.300s\nit says %q, and nothing is wrong with it", s.text, got)
				}
			}
		})
	}
}

func parsed(t *testing.T, s sample) []source {
	t.Helper()
	f, err := parse(s.path, []byte(s.text))
	if err != nil {
		t.Fatal(err)
	}
	return []source{f}
}

// about keeps what is said about one file: a rule may also miss, in a tree of one
// file, what its table says of others.
func about(wrong []string, path string) string {
	var out []string
	for _, w := range wrong {
		if strings.HasPrefix(w, path) {
			out = append(out, w)
		}
	}
	return strings.Join(out, "\n")
}
