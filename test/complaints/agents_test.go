package complaints

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Complaint 5: work that came after the agent stopped waiting was lost. Here it is
// delivered within the grace after the deadline, is marked as late, stays to be seen,
// and the deadline's job does not undo it.
func TestLateWorkStays(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.accepted(ann)
	w.forward(600*time.Minute + time.Minute)
	w.submit(ann, id, "Open from 9 to 21.")
	w.forward(10 * time.Minute)
	if n := w.due(task.JobDeadline, func(ctx context.Context, id string) error { _, err := w.board.ExpireTask(ctx, id); return err }); n == 0 {
		t.Error("no deadline was due")
	}
	got := w.task(w.agent, id)
	if s := got.object("submission"); got.text("status") != "review_pending" || s.text("text") != "Open from 9 to 21." || s["late"] != true {
		t.Errorf("the errand is %v", got)
	}
}

// Complaint 6: a timeout was reported as a person's rejection. The two differ in
// data and in words, on the errand and in the events.
func TestTimeoutIsNoRejection(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	late, refused := w.accepted(ann), w.delivered(ann)
	w.must(w.agent, "POST /api/tasks/"+refused+"/reject", object{"reason_code": "criteria_not_met", "reason_text": "The hours of Sunday are missing."})
	w.forward(100 * time.Hour)
	w.due(task.JobDeadline, func(ctx context.Context, id string) error { _, err := w.board.ExpireTask(ctx, id); return err })
	w.due(task.JobAppeal, func(ctx context.Context, id string) error { _, err := w.board.EndAppeal(ctx, id); return err })
	for id, want := range map[string]string{late: "timeout", refused: "requester_rejected"} {
		if got := w.task(w.agent, id); got.text("status") != "failed" || got.text("failure_reason") != want {
			t.Errorf("status %s, reason %v, want %s", got.text("status"), got["failure_reason"], want)
		}
	}
	for lang, rejected := range map[string]string{"ja": "却下", "en": "reject"} {
		words := map[string]string{}
		for _, id := range []string{late, refused} {
			words[id] = strings.ToLower(w.must(w.agent, "GET /api/tasks?task_id="+id+"&lang="+lang, nil).object("task").text("status_text"))
		}
		if strings.Contains(words[late], rejected) || words[late] == words[refused] || words[late] == "" {
			t.Errorf("in %s they are told as %q", lang, words)
		}
	}
	for _, e := range w.must(w.agent, "GET /api/events?limit=100", nil).list("events") {
		if e.text("task_id") == late && e.text("type") == "task.rejected" {
			t.Errorf("the timeout has the event %v", e)
		}
	}
}

// Complaint 14: a retry met the sweep of old keys and was told that its request is in
// progress. Here a retry gets the first result or does the work, whatever the sweep does.
func TestSweepAndRetry(t *testing.T) {
	w := newWorld(t)
	_, first := w.doKeyed(w.agent, "POST /api/tasks", errand(nil), "k1")
	w.forward(7*24*time.Hour - time.Millisecond)
	var wg sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]bool{}
	for range 20 {
		wg.Go(func() {
			if _, err := w.board.ForgetKeys(w.Context()); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			status, out := w.doKeyed(w.agent, "POST /api/tasks", errand(nil), "k1")
			mu.Lock()
			defer mu.Unlock()
			if status >= 300 {
				t.Errorf("%d %v", status, out)
			}
			ids[out.text("id")] = true
		})
	}
	wg.Wait()
	if len(ids) != 1 || !ids[first.text("id")] {
		t.Errorf("retries got %v, the first was %v", ids, first)
	}
	w.forward(time.Second)
	if _, err := w.board.ForgetKeys(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status, out := w.doKeyed(w.agent, "POST /api/tasks", errand(nil), "k1"); status >= 300 || out.text("id") == first.text("id") {
		t.Errorf("after its time: %d %v", status, out)
	}
}

// Complaint 16: after a rejection there is no way to have the work done again.
func TestRejectAndPostAgain(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.delivered(ann)
	body := object{"reason_code": "criteria_not_met", "reason_text": "The hours of Sunday are missing.", "repost": true}
	_, out := w.doKeyed(w.agent, "POST /api/tasks/"+id+"/reject", body, "r1")
	again := out.text("reposted_task_id")
	if again == "" || again == id {
		t.Fatalf("the answer is %v", out)
	}
	w.forward(time.Minute)
	if _, retry := w.doKeyed(w.agent, "POST /api/tasks/"+id+"/reject", body, "r1"); retry.text("reposted_task_id") != again {
		t.Errorf("the retry answers %v", retry)
	}
	old, copied := w.task(w.agent, id), w.task(w.agent, again)
	for _, key := range []string{"task", "title", "task_label", "acceptance_criteria", "not_allowed", "deliverable", "amount_minor", "currency", "origin_country", "work_country"} {
		if old[key] != copied[key] {
			t.Errorf("%s became %v", key, copied[key])
		}
	}
	if copied.text("status") != "open" || copied.text("human_ref") != "" || old.text("sub_state") != "appeal" {
		t.Errorf("the errands are %v and %v", old, copied)
	}
	tasks := w.must(w.agent, "GET /api/tasks?scope=mine", nil).list("tasks")
	if len(tasks) != 2 {
		t.Errorf("%d errands", len(tasks))
	}
}

// Complaint 19: an event carried nothing but an id. Here each one says which errand,
// in which state and version, and who acted; 20: a list since a cursor is enough to
// follow everything, without polling errand by errand.
func TestEventsSayWhatHappened(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.delivered(ann)
	w.must(w.agent, "POST /api/tasks/"+id+"/request-revision", object{"message": "Please add the hours of Sunday too."})
	w.submit(ann, id, "Open from 9 to 21, Sunday closed.")
	w.must(w.agent, "POST /api/tasks/"+id+"/approve", object{})
	var types []string
	after, version := "0", 0.0
	for range 50 {
		page := w.must(w.agent, "GET /api/events?limit=2&after="+after, nil)
		events := page.list("events")
		if len(events) == 0 {
			break
		}
		for _, e := range events {
			types = append(types, e.text("type"))
			v, _ := e["task_version"].(float64)
			if e.text("id") == "" || e.text("task_id") != id || e.text("task_status") == "" || e.text("actor") == "" || e.text("occurred_at") == "" || v < version {
				t.Errorf("event %v after version %v", e, version)
			}
			version = v
		}
		next, _ := json.Marshal(page["next_after"])
		after = string(next)
	}
	want := []string{"task.created", "application.received", "task.accepted", "submission.received", "revision.requested", "submission.received", "task.completed"}
	if !slices.Equal(types, want) {
		t.Errorf("events %v, want %v", types, want)
	}
	since := w.now()
	w.forward(time.Minute)
	fresh := w.post(object{"client_ref": "later"})
	list := w.must(w.agent, "GET /api/tasks?scope=mine&updated_since="+since.Add(time.Second).Format(time.RFC3339), nil).list("tasks")
	if len(list) != 1 || list[0].text("id") != fresh {
		t.Errorf("changed since: %v", list)
	}
}

// Complaint 23: submissions could not be fetched any more. Every delivery of an errand
// stays readable, after revisions and after its end, for both sides.
func TestEveryDeliveryStaysReadable(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.delivered(ann)
	w.must(w.agent, "POST /api/tasks/"+id+"/request-revision", object{"message": "Please add the hours of Sunday too."})
	w.submit(ann, id, "Sunday closed.")
	w.must(w.agent, "POST /api/tasks/"+id+"/approve", object{})
	w.forward(90 * 24 * time.Hour)
	ann = w.person("ann") // sessions end sooner
	for _, as := range []string{w.agent, ann} {
		var texts []string
		for _, s := range w.must(as, "GET /api/tasks/"+id+"/submissions", nil).list("submissions") {
			texts = append(texts, s.text("text"))
		}
		if !slices.Equal(texts, []string{"Sunday closed.", "Open from 9 to 21."}) {
			t.Errorf("deliveries %q", texts)
		}
	}
}

// Complaint 25: an errand could not be found by the name that the agent gave it.
func TestOwnNames(t *testing.T) {
	w := newWorld(t)
	id := w.post(object{"client_ref": "order-77"})
	w.post(object{"client_ref": "order-78"})
	other := w.connect("Bo's agent", "bo@agents.example")
	w.must(other, "POST /api/tasks", errand(object{"client_ref": "order-77"}))
	list := w.must(w.agent, "GET /api/tasks?client_ref=order-77", nil).list("tasks")
	if len(list) != 1 || list[0].text("id") != id || list[0].text("client_ref") != "order-77" {
		t.Errorf("found %v", list)
	}
	w.refused(w.agent, "POST /api/tasks", errand(object{"client_ref": "order-77", "task": "Something else, with the same name."}), "client_ref_conflict")
}

// Complaint 26: keys were found in logs and errors. Here a key goes through everything
// that can go wrong and turns up nowhere.
func TestKeysAreNowhere(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.post(nil)
	secret := strings.TrimPrefix(w.agent, "ai_live_")
	var said strings.Builder
	for _, call := range []string{
		"POST /api/tasks", "POST /api/call_human", "GET /api/tasks/" + id, "POST /api/tasks/" + id + "/approve", "GET /api/tasks/" + w.agent,
		"POST /api/tasks/" + id + "/accept", "GET /api/ai/keys", "POST /api/webhooks", "GET /api/tasks?q=" + w.agent, "DELETE /api/tasks", "GET /api/" + ann,
	} {
		for _, as := range []string{w.agent, ann, w.agent + "x", ""} {
			body := object{"ai_account_id": "a", "ai_api_key": w.agent, "budget_usd": -1, "url": "http://10.0.0.1/", "human_ref": w.agent}
			if strings.HasPrefix(call, "GET ") {
				body = nil
			}
			_, out := w.do(as, call, body)
			text, _ := json.Marshal(out)
			said.Write(text)
		}
	}
	for what, text := range map[string]string{"log": w.log.String(), "answers": said.String()} {
		for name, s := range map[string]string{"the key": secret, "the session": ann, "the address": "people.example"} {
			if strings.Contains(text, s) {
				at := strings.Index(text, s)
				t.Errorf("%s is in the %s: ...%s", name, what, text[max(0, at-200):at])
			}
		}
	}
}

// Complaint 38: the list and the single errand, or delivery, had different shapes.
func TestListsHaveTheShapeOfOne(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.delivered(ann)
	w.post(nil)
	for _, as := range []string{w.agent, ann, ""} {
		scope := "?lang=ja"
		if as == ann {
			scope += "&scope=mine"
		}
		list := w.must(as, "GET /api/tasks"+scope, nil).list("tasks")
		if len(list) == 0 {
			t.Fatal("nothing is listed")
		}
		for _, one := range list {
			single := w.task(as, one.text("id"))
			a, _ := json.Marshal(one)
			b, _ := json.Marshal(single)
			if string(a) != string(b) {
				t.Errorf("in the list %s\nalone %s", a, b)
			}
		}
	}
	one := w.task(w.agent, id).object("submission")
	listed := w.must(w.agent, "GET /api/tasks/"+id+"/submissions", nil).list("submissions")
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(listed[0])
	if string(a) != string(b) {
		t.Errorf("a delivery is %s alone and %s in the list", a, b)
	}
}
