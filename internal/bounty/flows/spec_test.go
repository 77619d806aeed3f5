package flows

import (
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
)

// The inputs of section 4 of the specification, with every field that it has.
func specTask(more args) args {
	out := args{
		"task": "Read the opening hours of the bakery.", "origin_country": "JP", "task_label": "real_world_verification", "acceptance_criteria": "All days.",
		"not_allowed": "Do not enter.", "budget_usd": 8.5, "location": "Suginami", "deliverable": "text", "deadline_minutes": 240,
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// shaped fails unless the answer has the keys of the specification with their types: a
// name of a type, or the value itself.
func shaped(t *testing.T, what string, got any, want args) {
	t.Helper()
	m, _ := got.(map[string]any)
	for key, kind := range want {
		v, there := m[key]
		ok := there
		switch kind {
		case "string":
			s, is := v.(string)
			ok = is && s != ""
		case "number":
			_, ok = v.(float64)
		case "time":
			s, _ := v.(string)
			_, err := time.Parse(time.RFC3339, s)
			ok = err == nil
		default:
			ok = there && v == kind
		}
		if !ok {
			t.Errorf("%s: %s is %v, want %v, in %v", what, key, v, kind, m)
		}
	}
}

// TestTheToolsOfTheSpecification: every v0 tool of the real program, asked with the inputs
// of section 4 of the specification of a real board, answers with the outputs of
// section 4 and the errors of section 5.
func TestTheToolsOfTheSpecification(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := startBoard(t, u)
		for name, way := range transports {
			t.Run(name, func(t *testing.T) {
				a, p := way(t, b), b.signIn(t, name+"@people.test")
				account := a.must(t, "connect_agent_account", args{"name": "Agent", "paypal_email": name + "@spec.test"})
				shaped(t, "connect_agent_account", map[string]any(account.args), args{"status": "connected", "account_id": "string", "api_key": "string"})
				creds := args{"ai_account_id": account.string("account_id"), "ai_api_key": account.string("api_key")}
				task := specCreate(t, a, creds)
				specReview(t, a, p, creds, task)
				specCall(t, a, p, creds)
				specErrors(t, a, creds, task)
			})
		}
	})
}

// specCreate posts a task, and reads it alone and in a list.
func specCreate(t *testing.T, a *agent, creds args) (task string) {
	t.Helper()
	created := a.must(t, "create_bounty", specTask(creds))
	shaped(t, "create_bounty", map[string]any(created.args), args{"id": "string", "status": "open"})
	task = created.string("id")
	open := a.must(t, "get_bounty", args{"task_id": task, "lang": "ja"})
	shaped(t, "get_bounty", open.at("task"), args{"id": task, "status": "open", "failure_reason": nil, "submission": nil})
	listed, _ := a.must(t, "list_bounties", args{"task_label": "real_world_verification", "q": "bakery", "lang": "en"}).at("tasks").([]any)
	if len(listed) != 1 {
		t.Fatalf("list_bounties: %v", listed)
	}
	shaped(t, "list_bounties", listed[0], args{"id": task, "task": "string", "status": "open", "budget_usd": 8.5, "created_at": "time"})
	return task
}

// specReview reads a delivery and approves it.
func specReview(t *testing.T, a *agent, p *person, creds args, task string) {
	t.Helper()
	p.apply(t, task)
	list := a.must(t, "list_applications", args{"task_id": task}).at("applications").([]any)
	chosen := args{"task_id": task, "application_id": list[0].(map[string]any)["id"]}
	a.must(t, "accept_application", chosen)
	a.fails(t, "accept_application", chosen, "CONFLICT", "already_assigned")
	p.write(t, task, "From nine to twelve.")
	delivered := a.must(t, "get_bounty", args{"task_id": task})
	shaped(t, "get_bounty", delivered.at("task"), args{"id": task, "status": "review_pending", "failure_reason": nil})
	shaped(t, "submission", delivered.at("task", "submission"), args{"id": "string", "type": "text", "content_url": nil, "text": "From nine to twelve."})
	approval := args{"task_id": task}
	for k, v := range creds {
		approval[k] = v
	}
	shaped(t, "approve_bounty_completion", map[string]any(a.must(t, "approve_bounty_completion", approval).args), args{"status": "completed", "task_id": task})
}

// specCall asks somebody at once: nobody is there, then a person is who says yes.
func specCall(t *testing.T, a *agent, p *person, creds args) {
	t.Helper()
	none := a.fails(t, "call_human_fast", specTask(creds), "RESOURCE_EXHAUSTED", "no_human_available")
	shaped(t, "call_human_fast without supply", map[string]any(none.args), args{"status": "rejected", "reason": "no_human_available", "task_id": "string"})
	p.must(t, "POST", "/api/me", args{"instant": args{"on": true, "cap": 3}})
	stop := p.sayYes(t)
	called := a.must(t, "call_human_fast", specTask(creds))
	if n := stop(); n != 1 {
		t.Errorf("the person took %d tasks", n)
	}
	shaped(t, "call_human_fast", map[string]any(called.args), args{"task_id": "string", "status": "accepted"})
	p.must(t, "POST", "/api/me", args{"instant": args{"on": false, "cap": 3}})
}

// specErrors are those of section 5 that an agent can meet at once.
func specErrors(t *testing.T, a *agent, creds args, task string) {
	t.Helper()
	for reason, c := range map[string]struct {
		code, tool string
		in         args
	}{
		"below_min_budget":       {"FAILED_PRECONDITION", "create_bounty", specTask(args{"budget_usd": 4.99})},
		"missing_origin_country": {"INVALID_ARGUMENT", "create_bounty", specTask(args{"origin_country": " "})},
		"invalid_request":        {"INVALID_ARGUMENT", "create_bounty", specTask(args{"acceptance_criteria": " "})},
		"not_found":              {"NOT_FOUND", "get_bounty", args{"task_id": "01a00000-0000-7000-8000-000000000000"}},
		"not_review_pending":     {"FAILED_PRECONDITION", "request_revision", args{"task_id": task, "message": "Once more from the other side."}},
		"invalid_credentials":    {"UNAUTHENTICATED", "create_bounty", specTask(args{"ai_account_id": creds["ai_account_id"], "ai_api_key": "ai_live_00000000_" + strings.Repeat("0", 48)})},
	} {
		got := a.fails(t, c.tool, c.in, c.code, reason)
		if !strings.Contains(got.text, c.code) || !strings.Contains(got.text, reason) {
			t.Errorf("%s: the text lacks code or reason: %s", reason, got.text)
		}
	}
}
