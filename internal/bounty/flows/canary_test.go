package flows

import (
	"context"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/store"
)

// visitor is a browser without a screen.
type visitor struct {
	*testing.T
	b *board
	c *http.Client
}

func (b *board) visitor(t *testing.T) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t, b, &http.Client{Jar: jar, Transport: own}}
}

// form sends a form and returns the path at which it ends.
func (v *visitor) form(path string, pairs ...string) string {
	v.Helper()
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	res, err := v.c.PostForm(v.b.url+path, values)
	if err != nil {
		v.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		v.Error(err)
	}
	return res.Request.URL.Path
}

// breakTasks takes the tasks away from a board that runs.
func breakTasks(t *testing.T, u store.URL) {
	t.Helper()
	db, err := store.Open(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, "ALTER TABLE tasks RENAME TO gone")
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestTheBoardsLogHasNothingOfPeople: what people and agents send to pages and routes, taken or
// refused, and what they are given, is in no line that the program logs at its most talkative.
func TestTheBoardsLogHasNothingOfPeople(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := startBoard(t, u, "LEGWORK_LOG_LEVEL=debug")
		agent := &person{board: b}
		account := agent.must(t, "POST", "/api/ai/accounts", args{"name": "Canary Trading", "paypal_email": "canary.agent@agents.test"})
		agent.session = account.string("api_key")
		worker := b.signIn(t, "canary.worker@people.test")
		v := b.visitor(t)
		if at := v.form("/requester/login", "account", account.string("account_id"), "key", agent.session); at != "/requester" {
			t.Fatalf("signed in with the key, at %s", at)
		}
		v.form("/requester/login", "account", account.string("account_id"), "key", agent.session+"x")
		v = b.visitor(t)
		if at := v.form("/login", "email", "canary.page@people.test"); at != "/login/code" {
			t.Fatalf("asked for a code, at %s", at)
		}
		v.form("/login/code", "code", "000000")
		code := b.mailedCode(t, "canary.page@people.test")
		if at := v.form("/login/code", "code", code); at != "/me" {
			t.Fatalf("signed in with the code, at %s", at)
		}
		v.form("/me", "handle", "canary-handle", "bio", "canary-bio", "prefecture", "nowhere")
		task := agent.must(t, "POST", "/api/tasks", asTask("lead_prep", "text", args{"exact_location": "canary-street 1", "client_ref": "canary-ref"})).string("id")
		worker.must(t, "POST", "/api/tasks/"+task+"/apply", args{"cover_letter": "canary-letter", "availability": "today"})
		v.form("/tasks/"+task+"/apply", "cover_letter", "canary-letter")
		agent.do(t, "POST", "/api/tasks/"+task+"/accept-application", args{"application_id": "canary-application"})
		agent.do(t, "POST", "/api/webhooks", args{"url": "https://10.0.0.1/canary-hook"})
		agent.do(t, "GET", "/api/tasks?q=canary-search&cursor=canary-cursor", nil)
		agent.do(t, "GET", "/api/"+worker.session, nil)
		stranger := &person{board: b, session: agent.session + "x"}
		stranger.do(t, "GET", "/api/tasks?scope=mine", nil)
		breakTasks(t, u) // now there is something to log
		application := args{"cover_letter": "canary-letter", "availability": "canary-time"}
		for _, x := range []*person{agent, worker, stranger} {
			x.do(t, "POST", "/api/tasks", asTask("lead_prep", "text", args{"exact_location": "canary-street 2"}))
			x.do(t, "POST", "/api/tasks/"+task+"/apply", application)
			x.do(t, "POST", "/api/tasks/"+task+"/approve", args{})
			x.do(t, "POST", "/api/submissions", args{"task_id": task, "type": "text", "text": "canary-delivery"})
			x.do(t, "POST", "/api/submissions", args{"canary-field": "canary-value"})
			x.do(t, "GET", "/api/tasks?q=canary-search", nil)
		}
		v.form("/tasks/"+task+"/apply", "cover_letter", "canary-letter", "availability", "canary-time")
		log := b.log.with(t, 5, "error_id")
		for name, secret := range map[string]string{
			"the key": agent.session, "the secret part of the key": agent.session[len("ai_live_00000000_"):], "the session": worker.session, "a code": code, "what was typed": "canary",
			"a name": "Canary Trading",
		} {
			if at := strings.Index(log, secret); at >= 0 {
				t.Errorf("%s is in the log: %.300s", name, log[max(0, at-150):])
			}
		}
	})
}
