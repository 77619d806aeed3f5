package mcptest

import (
	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/login"
)

// loginTitles say what a step of a login is about.
var loginTitles = map[login.Name]string{
	login.StepChallenge: "The challenge is not as clients need it", login.StepResource: "The protected resource metadata is not as clients need it",
	login.StepServer: "The authorization server metadata is not as clients need it", login.StepRegistration: "Clients cannot register as they should",
	login.StepScopes: "The scopes are not as clients need them", login.StepLink: "No link for a login can be made", login.StepCallback: "The login does not come back as it should",
	login.StepToken: "The token endpoint does not answer as it should", login.StepRefresh: "A token cannot be renewed", login.StepClaims: "The token is not meant for this server",
	login.StepGiveUp: "The token is refused",
}

// AddLogin puts a login into the report of the check that needed it: its steps before
// those of the check, and a finding for each step that failed, or that works here and
// need not with other clients.
func AddLogin(r *check.Report, t login.Trace) {
	var steps []check.Step
	seen := map[check.Finding]bool{}
	for _, s := range t.Steps {
		step := check.Step{Name: "login " + string(s.Name), Status: check.Passed, Detail: line(s.Detail, 300), Started: s.At, Millis: s.Millis}
		if s.URL != "" {
			step.Detail = line(s.Method+" "+s.URL, 300) + ": " + line(s.Detail, 300)
		}
		f := check.Finding{
			Rule: "login-" + string(s.Name), Title: loginTitles[s.Name], Subject: s.URL, Evidence: s.Detail,
			Clause: check.Clause{Document: s.Source}, Fix: "See the steps of the login in this report.",
		}
		switch s.Outcome {
		case login.Failed:
			step.Status, f.Severity = check.Failed, check.Error
		case login.Warning:
			step.Status, f.Severity = check.Warned, check.Warning
		case login.Missing:
			step.Status = check.Skipped
		}
		if steps = append(steps, step); f.Severity != "" && !seen[f] {
			seen[f] = true
			r.Add(f)
		}
	}
	r.Steps = append(steps, r.Steps...)
}
