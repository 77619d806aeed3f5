package flows

import (
	"strings"
	"testing"
)

// TestARunThatNeedsAPerson: a form asks for a person, somebody finds out how the errand
// is done, and the run ends with the answer. Nothing that was typed leaves.
func TestARunThatNeedsAPerson(t *testing.T) {
	b := startBoard(t, databases.SQLite(t))
	a := overStdio(t, b, "LEGWORK_PRACTICE_WIDGETS=1")
	a.must(t, "connect_agent_account", args{"name": "Agent", "paypal_email": "runs@agents.test"})
	info := a.must(t, "federalrunner_get_wizard_info", args{"wizard_id": "f19d-login"})
	data, _ := info.at("example").(map[string]any)
	if len(data) == 0 {
		t.Fatalf("no example: %s", info.text)
	}
	run := a.try(t, "federalrunner_execute_wizard", args{"wizard_id": "f19d-login", "user_data": data})
	if run.string("status") != "needs_human" || !strings.Contains(run.text, "federalrunner_escalate_run") {
		t.Fatalf("the run: %s", run.text)
	}
	ask := args{"run_id": run.string("run_id"), "amount_minor": 1500, "origin_country": "JP"}
	asked := a.must(t, "federalrunner_escalate_run", ask)
	task := asked.string("task_id")
	if asked.string("state") != "asked" || a.must(t, "federalrunner_escalate_run", ask).string("task_id") != task {
		t.Fatalf("asked: %s", asked.text)
	}
	posted := a.must(t, "get_bounty", args{"task_id": task})
	if posted.string("task", "task_label") != "bot_blocker_ops" || posted.string("task", "client_ref") != run.string("run_id") {
		t.Errorf("the task: %s", posted.text)
	}
	for _, v := range data {
		if s, ok := v.(string); ok && len(s) > 3 && strings.Contains(posted.text, s) {
			t.Errorf("a value of the form is in the task: %s", posted.text)
		}
	}
	p := who(t, b)
	p.apply(t, task)
	list := a.must(t, "list_applications", args{"task_id": task}).at("applications").([]any)
	a.must(t, "accept_application", args{"task_id": task, "application_id": list[0].(map[string]any)["id"]})
	early := a.try(t, "federalrunner_escalate_run", args{"run_id": run.string("run_id"), "resolution": "close"})
	if !early.error || early.string("error_type") != "not_answered" || !strings.Contains(early.text, task) || !strings.Contains(early.text, "What to do: ") {
		t.Errorf("closed without an answer: %s", early.text)
	}
	p.write(t, task, "By telephone, 9:00 to 17:00. Nothing has to be brought.")
	answer := a.must(t, "federalrunner_escalate_run", args{"run_id": run.string("run_id")})
	if answer.string("state") != "answered" || !strings.Contains(answer.text, "By telephone") {
		t.Errorf("answered: %s", answer.text)
	}
	pay(t, a, p, task)
	next := a.must(t, "federalrunner_escalate_run", args{"run_id": run.string("run_id"), "resolution": "resume"})
	again := a.try(t, "federalrunner_get_run", args{"run_id": next.string("new_run_id"), "wait_seconds": 60})
	if again.string("status") != "needs_human" || again.string("run_id") == run.string("run_id") {
		t.Errorf("the form again: %s", again.text)
	}
}
