package flows

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/store"
)

// TestAccountsOfTheEnvironment: the program uses the account that its environment names,
// for one call another one, and says so when it is told half of one.
func TestAccountsOfTheEnvironment(t *testing.T) {
	b := startBoard(t, databases.SQLite(t))
	accounts := map[string]args{}
	for _, name := range []string{"default", "other"} {
		anybody := &person{board: b}
		accounts[name] = anybody.must(t, "POST", "/api/ai/accounts", args{"name": name, "paypal_email": name + "@env.test"})
	}
	id, key := accounts["default"].string("account_id"), accounts["default"].string("api_key")
	for name, way := range transports {
		a := way(t, b, "DEFAULT_AI_ACCOUNT_ID="+id, "DEFAULT_AI_API_KEY="+key)
		mine := a.must(t, "create_bounty", asTask("lead_prep", "text", args{"client_ref": name})).string("id")
		theirs := a.must(t, "create_bounty", asTask("lead_prep", "text", args{
			"client_ref": name, "ai_account_id": accounts["other"].string("account_id"), "ai_api_key": accounts["other"].string("api_key"),
		})).string("id")
		for who, want := range map[string]string{"default": mine, "other": theirs} {
			owner := &person{board: b, session: accounts[who].string("api_key")}
			list, _ := owner.must(t, "GET", "/api/tasks?scope=mine&client_ref="+name, nil).at("tasks").([]any)
			if len(list) != 1 || args(list[0].(map[string]any)).string("id") != want {
				t.Errorf("%s: the tasks of the account %s are %v, want %s", name, who, list, want)
			}
		}
		half := way(t, b, "DEFAULT_AI_ACCOUNT_ID="+id)
		got := half.try(t, "create_bounty", asTask("lead_prep", "text", nil))
		if !got.error || !strings.Contains(got.text, "Set both DEFAULT_AI_ACCOUNT_ID and DEFAULT_AI_API_KEY") {
			t.Errorf("%s, with half an account: %s", name, got.text)
		}
		if log := a.log.String() + half.log.String(); strings.Contains(log, key) {
			t.Errorf("%s: the key is in the log", name)
		}
	}
}

// TestAnArbiterDecides: a requester who disagrees with a delivery asks a person of the
// board, nothing can be decided meanwhile, and the money goes as that person says.
func TestAnArbiterDecides(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := startBoard(t, u, "LEGWORK_BOARD_OPERATORS=ops@people.test")
		a, worker, operator := overStdio(t, b), b.signIn(t, "worker@people.test"), b.signIn(t, "ops@people.test")
		a.must(t, "connect_agent_account", args{"name": "Agent", "paypal_email": "dispute@agents.test"})
		task := a.must(t, "create_bounty", asTask("lead_prep", "text", nil)).string("id")
		worker.apply(t, task)
		list := a.must(t, "list_applications", args{"task_id": task}).at("applications").([]any)
		a.must(t, "accept_application", args{"task_id": task, "application_id": list[0].(map[string]any)["id"]})
		worker.write(t, task, "From nine to twelve.")
		opened := a.must(t, "open_dispute", args{"task_id": task, "statement": "These are the hours of another shop in the same street."})
		if opened.string("status") != "disputed" || opened.string("dispute_id") == "" {
			t.Errorf("opened: %s", opened.text)
		}
		a.fails(t, "approve_bounty_completion", args{"task_id": task}, "FAILED_PRECONDITION", "not_review_pending")
		if got := a.must(t, "get_bounty", args{"task_id": task}); got.string("task", "sub_state") != "disputed" {
			t.Errorf("while it is disputed: %s", got.text)
		}
		token := a.must(t, "wait_for_bounty", args{"task_id": task, "wait_seconds": 0}).string("resume_token")
		operator.must(t, "POST", "/api/operator/tasks/"+task+"/resolve", args{"completed": false, "worker_minor": 500, "note": "The other shop belongs to the same owner."})
		end := a.must(t, "wait_for_bounty", args{"task_id": task, "resume_token": token})
		if end.at("done") != true || end.string("task", "status") != "failed" || end.string("task", "failure_reason") != "requester_rejected" {
			t.Errorf("decided: %s", end.text)
		}
		if got := worker.earned(t); got != 400 { // of 500, less the fee
			t.Errorf("the worker earned %v yen", got)
		}
	})
}
