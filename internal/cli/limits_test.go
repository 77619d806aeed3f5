package cli_test

import (
	"strings"
	"testing"
)

// TestEveryPromisedCallFits: whoever lists and reads 100 times and runs a form 20
// times, as the runner's specification allows in an hour, is refused nothing before
// that, however fast, and with the number of that tool afterwards.
func TestEveryPromisedCallFits(t *testing.T) {
	t.Parallel()
	client, _ := withToken(t, nil)
	for _, tt := range []struct {
		tool, arguments string
		calls           int
	}{
		{"federalrunner_list_wizards", `{}`, 100},
		{"federalrunner_get_wizard_info", `{"wizard_id":"ssa-quick-calculator"}`, 100},
		// Data that the contract refuses, so that no browser is needed.
		{"federalrunner_validate_user_data", `{"wizard_id":"ssa-quick-calculator","user_data":{}}`, 200},
		{"federalrunner_execute_wizard", `{"wizard_id":"ssa-quick-calculator","user_data":{}}`, 20},
	} {
		calls := 0
		said := ""
		for ; calls < tt.calls+tt.calls/10+2; calls++ {
			if said = text(call(t, client, tt.tool, tt.arguments)); strings.Contains(said, "rate_limit_exceeded") {
				break
			}
		}
		// A slow machine may earn a call or two on the way.
		if calls < tt.calls || !strings.Contains(said, "rate_limit_exceeded") || !strings.Contains(said, "other tools have limits of their own") {
			t.Errorf("%s: %d calls, then %s", tt.tool, calls, said)
		}
	}
}

// TestOneUserHasNoLimits: over stdio and on loopback without a login there is nobody
// to share with, and the server says there that it asks nobody who he is.
func TestOneUserHasNoLimits(t *testing.T) {
	t.Parallel()
	http := overHTTP(t)
	for name, l := range map[string]*legwork{"http": http, "stdio": overStdio(t)} {
		for n := range 110 {
			if said := text(call(t, l, "federalrunner_list_wizards", `{}`)); strings.Contains(said, "rate_limit_exceeded") {
				t.Fatalf("%s: call %d: %s", name, n+1, said)
			}
		}
	}
	if !strings.Contains(http.log.String(), "there is no login: every program on this machine may call every tool") {
		t.Errorf("the log does not say that anybody may call:\n%s", http.log)
	}
}
