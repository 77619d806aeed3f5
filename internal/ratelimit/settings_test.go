package ratelimit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

func TestParse(t *testing.T) {
	tests := map[string]ratelimit.Limits{
		"":  {},
		",": {},
		"federalrunner_execute_wizard=20/1h,*=100/1h:burst=10": {
			"federalrunner_execute_wizard": {Calls: 20, Per: time.Hour},
			"*":                            {Calls: 100, Per: time.Hour, Burst: 10},
		},
		" a = 1/30s , b=off ,*=5/1m30s:burst=1,": {
			"a": {Calls: 1, Per: 30 * time.Second}, "b": {}, "*": {Calls: 5, Per: 90 * time.Second, Burst: 1},
		},
	}
	for text, want := range tests {
		got, err := ratelimit.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		again, err := ratelimit.Parse(got.String())
		if diff := cmp.Diff(got, again); err != nil || diff != "" {
			t.Errorf("%q written as %q reads as (-want +got):\n%s %v", text, got.String(), diff, err)
		}
	}
}

func TestFor(t *testing.T) {
	limits, err := ratelimit.Parse("a=1/1s,free=off,*=2/1s")
	if err != nil {
		t.Fatal(err)
	}
	for name, calls := range map[string]int{"a": 1, "b": 2, "free": 0} {
		if l, limited := limits.For(name); l.Calls != calls || limited != (calls > 0) {
			t.Errorf("%s: %v, %v", name, l, limited)
		}
	}
	if l, limited := (ratelimit.Limits{}).For("a"); limited {
		t.Errorf("a limit from nowhere: %v", l)
	}
}

func TestUnusableSettingsSayWhatToWrite(t *testing.T) {
	tests := map[string]string{
		"a":                        "has no name or no =",
		"=1/1s":                    "has no name or no =",
		"a=5":                      "no / between calls and time",
		"a=five/1h":                "no number of calls",
		"a=5/hour":                 "no time such as",
		"a=5/1h:burst=none":        "burst is no number",
		"a=5/1h:burst=0":           "burst is no number",
		"a=5/1h:burst=-1":          "burst is no number",
		"a=0/1h":                   "calls must be at least 1",
		"a=5/0s":                   "time must be more than 0",
		"a=5/-1h":                  "time must be more than 0",
		"a=1/1h,a=2/1h":            "is there twice",
		"a=99999999999999999999/s": "no number of calls",
	}
	for text, want := range tests {
		limits, err := ratelimit.Parse("x=1/1s," + text)
		f := fault.From(err)
		if limits != nil || f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, want) || !strings.HasPrefix(f.Message, "Entry ") {
			t.Errorf("%q: %v, want %q", text, err, want)
			continue
		}
		if !strings.Contains(f.Action, "20/1h") {
			t.Errorf("%q: the action %q shows no example", text, f.Action)
		}
	}
}

// Somebody may put a key into the wrong variable.
func TestTheTextIsNotQuoted(t *testing.T) {
	const canary = "lgw_c2VjcmV0"
	for _, text := range []string{canary, "a=" + canary, "a=" + canary + "/1h", "a=1/" + canary, "a=1/1h:burst=" + canary, canary + "=x," + canary + "=1/1h", canary + "=1/1h," + canary + "=1/1h"} {
		if _, err := ratelimit.Parse(text); err == nil || strings.Contains(err.Error()+fault.From(err).Action, canary) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a=1/1s", "*=100/1h:burst=10", "a=off,b=2/1h0m0s", "=,=", "a=1/1ns:burst=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		limits, err := ratelimit.Parse(text)
		if err != nil {
			return
		}
		again, err := ratelimit.Parse(limits.String())
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, limits.String(), err)
		}
		for name, l := range limits {
			if l != (ratelimit.Limit{}) && l.Check() != nil {
				t.Errorf("%q lets %v through", text, l)
			}
			if again[name].String() != l.String() {
				t.Errorf("%q: %v became %v", text, l, again[name])
			}
		}
	})
}
