package archtest

import "fmt"

// clock lists the program files that may read the clock, and what for. Anything
// that decides by the time of day, rather than measuring, is handed a clock
// instead, so that a test can say what time it is.
var clock = map[string]string{
	// waiting for a page is measured: how long it has been quiet, and how long is enough
	"internal/page/advance.go":     "how long since the press",
	"internal/page/frames.go":      "how long the frames have been quiet",
	"internal/page/offer.go":       "how long a look has waited for frames",
	"internal/page/page.go":        "whether the patience for an element is over",
	"internal/page/press.go":       "how long the button has been still",
	"internal/page/rows.go":        "how long the rows have been quiet",
	"internal/page/set.go":         "what an answer took",
	"internal/page/settle.go":      "how long the page has been quiet",
	"internal/page/watchdog.go":    "how long the page has not answered",
	"internal/cwac/audit/axe.go":   "what is left of the time for the rules",
	"internal/cwac/audit/page.go":  "whether the patience for a page is over",
	"internal/cwac/audit/focus.go": "whether the time for the focus audit is over",
	// what the browser does is dated
	"internal/browser/document.go":     "the last activity of a document",
	"internal/browser/webkit_input.go": "how long input may have set off something that is not told yet",
	"internal/browser/webkit_watch.go": "the same",
	"internal/browser/requests.go":     "the last activity of a document",
	"internal/browser/reaction.go":     "how long since the last act of the user",
	"internal/browser/pool.go":         "how many starts failed lately",
	"internal/browser/profile.go":      "which profiles were abandoned",
	"internal/browser/pool_remote.go":  "how long a remote browser has been left alone",
	"internal/board/board.go":          "the clock of a board, which tests replace",
	"internal/board/api/stream.go":     "how long a client may take for what it is sent",
	"internal/board/api/pipe.go":       "how long a client may take for its body",
	"internal/board/web/visit.go":      "how long a visitor may take for a form",
	"internal/board/api/api.go":        "the clock of the API, which tests replace",
	// answers and records say when they were made, and what they took
	"internal/runner/await.go":              "what a run took so far",
	"internal/runner/engine.go":             "what a run took",
	"internal/runner/get_wizard_info.go":    "the date of the answer",
	"internal/runner/list_wizards.go":       "the date of the answer",
	"internal/runner/ledger.go":             "which runs are past their retention",
	"internal/runner/pictures.go":           "what the pictures took",
	"internal/runner/reply.go":              "the date of the answer",
	"internal/runner/runs.go":               "when a run began and ended",
	"internal/runner/validate_user_data.go": "the date of the answer",
	"internal/runner/work.go":               "what a page took",
	"internal/scout/explore.go":             "when a form was explored",
	"internal/scout/scout.go":               "the clock of the sessions, which tests replace",
	"internal/cwac/cwac.go":                 "the clock of the scans, which tests replace",
	"internal/cwac/process/start.go":        "how long a supervisor may take to start",
	"internal/cwac/process/supervise.go":    "when a scan began and ended",
	"internal/practice/recorder.go":         "when the form came in",
	"internal/cli/demo.go":                  "what the demo took",
	"bench/sample.go":                       "what is measured",
	"bench/engines.go":                      "what is measured",
	"bench/main.go":                         "what is measured",
	"bench/board/load.go":                   "what is measured",
	"bench/checks/main.go":                  "what is measured",
	"bench/calls/load.go":                   "what is measured",
	"bench/scans/sample.go":                 "what is measured",
	"internal/cwac/crawl/clock.go":          "the clock that tests replace",
	"internal/mcptest/check/check.go":       "the clock that tests replace",
	"internal/mcptest/suite/run.go":         "the clock that tests replace",
	"internal/mcptest/wire/call.go":         "what is left of the time of a call that stood still",
	"internal/mcptest/wire/options.go":      "the clock that tests replace",
	"internal/mcptest/wire/stdio.go":        "how long the pipes of an ended process are read",
	"internal/mcptest/login/options.go":     "the clock that tests replace",
	"internal/mcptest/official/run.go":      "what the conformance suite took",
	"internal/mcptest/mcptest.go":           "the clock of the connections, which tests replace",
	"internal/bounty/bounty.go":             "the clock of waits and keys, which tests replace",
	// who calls
	"internal/auth/oauth/config.go":           "the clock that tests replace",
	"internal/auth/oauth/oauthtest/issuer.go": "when tokens are issued, which tests replace",
	// the kit
	"internal/observe/audit/log.go":   "the clock that others replace",
	"internal/observe/trace/quiet.go": "the clock that others replace",
	"internal/board/jobs/jobs.go":     "the clock of ids, which tests replace",
	"internal/store/tx.go":            "the time of a transaction, which tests replace",
	"internal/ratelimit/memory.go":    "the clock that others replace",
	"internal/cli/token.go":           "when a token ends",
	"internal/serve/endpoint.go":      "when the next call is possible",
	"internal/serve/sessions.go":      "which session is the oldest",
	"internal/crowd/crowd.go":         "the deadline of a slow client",
	"internal/serve/guard.go":         "what a request took",
	"internal/serve/post.go":          "the deadline of a slow client",
	"internal/serve/wire.go":          "the deadline of a slow client",
	"internal/board/media/tus.go":     "the deadline of a slow client",
	"internal/tool/policy.go":         "the clock that others are handed",
}

func clockRules() []rule {
	in := func(file, text, want string) sample { return sample{file, "package x\n" + text, want} }
	return []rule{{
		name: "the clock", check: clockReaders,
		bad: []sample{
			in("internal/page/new.go", `import "time"; var v = time.Now()`, "internal/page/new.go:2 uses time.Now"),
			in("internal/page/new.go", `import c "time"; var v = c.Since`, "uses time.Since"),
			in("internal/page/new.go", `import . "time"; func f(t Time) { _ = Until(t) }`, "uses time.Until"),
			in("internal/page/new.go", ``, "internal/page/settle.go no longer reads the clock"),
		},
		good: []sample{
			in("internal/page/settle.go", `import "time"; var v = time.Now()`, ""),
			in("internal/page/new_test.go", `import "time"; var v = time.Now()`, ""),
			in("internal/page/new.go", `import "time"; var v time.Duration`, ""),
		},
	}}
}

// clockReaders also finds permissions that nobody uses any more.
func clockReaders(files []source) []string {
	var wrong []string
	used := map[string]bool{}
	for _, f := range files {
		if f.test {
			continue
		}
		for _, u := range f.uses() {
			if u.path != "time" || u.name != "Now" && u.name != "Since" && u.name != "Until" {
				continue
			}
			used[f.path] = true
			if clock[f.path] == "" {
				wrong = append(wrong, fmt.Sprintf(
					"%s uses time.%s: take a clock from the caller, or say in the list of internal/archtest/clock_test.go what is measured there", f.at(u.node), u.name))
			}
		}
	}
	for path := range clock {
		if !used[path] {
			wrong = append(wrong, fmt.Sprintf("the list of archtest: %s no longer reads the clock", path))
		}
	}
	return wrong
}
