package complaints

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

const (
	reason    = "The hours of Sunday are missing."
	complaint = "The hours of Sunday are on the door, and in my text."
)

func (w *world) reject(id string) {
	w.Helper()
	w.must(w.agent, "POST /api/tasks/"+id+"/reject", object{"reason_code": "criteria_not_met", "reason_text": reason})
}

// Complaint 18: finished work could not be sent back. Here it can, once, with words
// that the worker reads and with time to do it.
func TestSentBackOnce(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.delivered(ann)
	w.forward(590 * time.Minute) // ten minutes before the deadline
	w.refused(w.agent, "POST /api/tasks/"+id+"/request-revision", object{"message": "Redo it."}, "invalid_request")
	out := w.must(w.agent, "POST /api/tasks/"+id+"/request-revision", object{"message": "Please add the hours of Sunday too."})
	due, err := time.Parse(time.RFC3339, out.text("deadline_at"))
	if err != nil || due.Sub(w.now()) < 24*time.Hour {
		t.Errorf("due %v (%v), now %v", due, err, w.now())
	}
	if got := w.task(ann, id); got.text("status") != "accepted" || got.text("sub_state") != "revision_requested" || got.text("review_text") != "Please add the hours of Sunday too." {
		t.Errorf("the worker sees %v", got)
	}
	w.submit(ann, id, "Sunday closed.")
	w.refused(w.agent, "POST /api/tasks/"+id+"/request-revision", object{"message": "Please add the hours of holidays too."}, "revision_limit")
}

// Complaint 30: the place changed while the worker was on the way, and the money did
// not come. Here an accepted errand has no route that changes it, a sheet keeps the
// terms, what the worker takes home is there before the application, and whoever
// cancels late pays.
func TestTermsStayAndThePayIsKnown(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.post(object{"exact_location": "Umeda 1-1", "prefecture": "大阪府", "location": "near the station"})
	before := w.task(ann, id)
	if q := before.object("quote"); q["worker_takehome_minor"] != 800.0 || q["fee_minor"] != 200.0 || before.text("exact_location") != "" {
		t.Errorf("before the application the worker sees %v", before)
	}
	if _, known := w.must(ann, "GET /api/me", nil)["payout_ready"].(bool); !known {
		t.Error("the worker cannot see whether a payout is set up")
	}
	w.must(w.agent, "POST /api/tasks/"+id+"/accept-application", object{"application_id": w.apply(ann, id)})
	accepted := w.task(ann, id)
	for _, call := range []string{"PUT /api/tasks/" + id, "PATCH /api/tasks/" + id, "POST /api/tasks/" + id} {
		if status, out := w.do(w.agent, call, object{"location": "elsewhere", "exact_location": "Namba 9-9", "budget_usd": 5}); status != 405 {
			t.Errorf("%s: %d %v", call, status, out)
		}
	}
	w.refused(w.agent, "POST /api/tasks/"+id+"/extend-deadline", object{"deadline_at": w.now().Add(time.Minute)}, "invalid_request")
	for _, key := range []string{"task", "location", "prefecture", "exact_location", "amount_minor", "acceptance_criteria", "deadline_at"} {
		if got := w.task(ann, id); got[key] != accepted[key] {
			t.Errorf("%s became %v", key, got[key])
		}
	}
	w.forward(3 * time.Hour)
	w.must(w.agent, "POST /api/tasks/"+id+"/cancel", object{"reason": "We need it no more."})
	if got := w.balance(ann); got != 240 { // 30 % of the budget, less the fee
		t.Errorf("cancelled on the way, the worker has %v cents", got)
	}
}

// Complaint 31: thousands applied for one small errand and never heard again. Here
// the number is shown, the list closes, and everybody gets an answer.
func TestApplicantsAreCountedAndAnswered(t *testing.T) {
	w := newWorld(t)
	id := w.post(nil)
	var all []string
	most := int(w.board.Terms().MaxApplications)
	for _, name := range names(most) {
		p := w.person(name)
		w.apply(p, id)
		all = append(all, p)
	}
	late := w.person("late")
	w.refused(late, "POST /api/tasks/"+id+"/apply", object{"cover_letter": "Me too.", "availability": "now"}, "applications_closed")
	if got := w.task("", id); got["application_count"] != float64(most) {
		t.Errorf("strangers see %v applications", got["application_count"])
	}
	w.must(all[0], "GET /api/me/applications", nil)
	mine := w.must(all[3], "GET /api/me/applications", nil).list("applications")
	w.must(w.agent, "POST /api/tasks/"+id+"/accept-application", object{"application_id": mine[0].text("id")})
	for i, p := range all {
		want := "declined"
		if i == 3 {
			want = "accepted"
		}
		if got := w.must(p, "GET /api/me/applications", nil).list("applications"); len(got) != 1 || got[0].text("status") != want {
			t.Errorf("applicant %d reads %v", i, got)
		}
	}
}

// Complaint 32: nobody knew who was behind an errand, and nobody answered. Here a card
// says how the requester treats people, before anybody applies, and a report reaches
// an operator, who can stop it.
func TestRequesterCardAndReport(t *testing.T) {
	w := newWorld(t)
	ann, op := w.person("ann"), w.person("op")
	done := w.delivered(ann)
	w.forward(2 * time.Hour)
	w.must(w.agent, "POST /api/tasks/"+done+"/approve", object{})
	id := w.post(nil)
	card := w.must("", "GET /api/tasks/"+id+"/requester", nil)
	if card.text("name") != "Ada's agent" || card["posted"] != 2.0 || card["completed"] != 1.0 || card["rejected"] != 0.0 || card["median_review_minutes"] != 120.0 {
		t.Errorf("the card is %v", card)
	}
	if strings.Contains(fmt.Sprint(card), "@") {
		t.Errorf("the card has an address: %v", card)
	}
	w.must(ann, "POST /api/reports", object{"task_id": id, "class": "suspicious", "text": "They asked me by mail for my code."})
	reports := w.must(op, "GET /api/operator/reports", nil).list("reports")
	if len(reports) != 1 || reports[0].text("task_id") != id || reports[0].text("text") != "They asked me by mail for my code." {
		t.Fatalf("the operator reads %v", reports)
	}
	w.must(op, "POST /api/operator/tasks/"+id+"/take-down", object{"note": "Asks for codes."})
	w.must(op, "POST /api/operator/reports/"+reports[0].text("id")+"/close", object{"note": "Taken down."})
	w.refused(ann, "POST /api/tasks/"+id+"/apply", object{"cover_letter": "x", "availability": "x"}, "not_open")
	if left := w.must(op, "GET /api/operator/reports", nil).list("reports"); len(left) != 0 {
		t.Errorf("open reports: %v", left)
	}
}

// Complaint 34: tens of thousands of deliveries were rejected at once, without a
// reason or an appeal, and ruined ratings. 35 is the same in Japan: 非承認 without a
// reason, and nobody to turn to. Here a reason is a must, many rejections are
// stopped, the worker can appeal, and until the decision nothing counts.
func TestRejectionsAreFair(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.delivered(ann)
	for name, body := range map[string]object{
		"no reason": {}, "a code only": {"reason_code": "other"}, "a word": {"reason_code": "other", "reason_text": "bad"},
		"blanks": {"reason_code": "other", "reason_text": strings.Repeat(" ", 40)}, "a code of their own": {"reason_code": "dislike", "reason_text": reason},
	} {
		if status, out := w.do(w.agent, "POST /api/tasks/"+id+"/reject", body); status != 400 {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	w.reject(id)
	if got := w.task(ann, id); got.text("sub_state") != "appeal" || got.text("appeal_deadline_at") == "" || got.text("review_text") != reason || got.text("review_code") != "criteria_not_met" {
		t.Errorf("the worker sees %v", got)
	}
	w.must(ann, "POST /api/tasks/"+id+"/appeal", object{"statement": complaint})
	w.forward(100 * time.Hour)
	w.due(task.JobAppeal, func(ctx context.Context, id string) error { _, err := w.board.EndAppeal(ctx, id); return err })
	card := w.must("", "GET /api/tasks/"+id+"/requester", nil)
	if got := w.task(ann, id); got.text("sub_state") != "disputed" || got.text("status") == "failed" || card["rejected"] != 0.0 {
		t.Errorf("while it is disputed: %v, the card %v", got, card)
	}
	op := w.person("op")
	w.must(op, "POST /api/operator/tasks/"+id+"/resolve", object{"completed": true, "worker_minor": 1000, "note": "The hours are in the text."})
	if got := w.task(ann, id); got.text("status") != "completed" || w.balance(ann) != 800 {
		t.Errorf("after the decision: %v, %v cents", got, w.balance(ann))
	}
}

func TestRejectionsInBulkAreStopped(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	var ids []string
	for range 8 {
		ids = append(ids, w.delivered(ann))
	}
	stopped := 0
	for _, id := range ids {
		status, out := w.do(w.agent, "POST /api/tasks/"+id+"/reject", object{"reason_code": "criteria_not_met", "reason_text": reason})
		if status >= 300 {
			if stopped++; out.text("reason") != "reject_quota_exceeded" {
				t.Errorf("%d %v", status, out)
			}
		}
	}
	if stopped != 5 { // three are free; more of them only when they are a quarter of what was delivered
		t.Errorf("%d of %d rejections were stopped", stopped, len(ids))
	}
}

// Complaint 36: the requester fell silent, wanted more than was agreed, or personal
// data. Here silence is consent, what was agreed stays, and the request is refused.
func TestSilenceExtraWorkAndPersonalData(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.delivered(ann)
	w.forward(71 * time.Hour)
	approve := func(ctx context.Context, id string) error { _, err := w.board.AutoApprove(ctx, id); return err }
	if n := w.due(task.JobReview, approve); n != 0 {
		t.Errorf("%d approvals were due before their time", n)
	}
	if err := approve(t.Context(), id); task.ReasonOf(err) != task.NotReviewPending { // a job that comes early
		t.Errorf("approved before its time: %v", err)
	}
	w.forward(time.Hour)
	w.due(task.JobReview, approve)
	if got := w.task(ann, id); got.text("status") != "completed" || w.balance(ann) != 800 {
		t.Errorf("after 72 hours of silence: %v, %v cents", got, w.balance(ann))
	}
	for name, change := range map[string]object{
		"身分証":  {"task": "作業の前に、運転免許証の写真を送ってください。"},
		"口座番号": {"acceptance_criteria": "あなたの口座番号と暗証番号を教えてください。"},
		"code": {"task": "Send me the one-time code that arrives on your phone."},
	} {
		status, out := w.do(w.agent, "POST /api/tasks", errand(change))
		held := status < 300 && out.text("sub_state") == "held"
		if !held && out.text("reason") != "content_policy_violation" {
			t.Errorf("%s: %d %v", name, status, out)
		}
		if held {
			if status, out := w.do("", "GET /api/tasks/"+out.text("id"), nil); status != 404 {
				t.Errorf("%s is public: %d %v", name, status, out)
			}
		}
	}
	again := w.accepted(ann)
	out := w.must(w.agent, "POST /api/conversations", object{"task_id": again, "message": "Thank you for taking it."})
	w.refused(w.agent, "POST /api/conversations/"+out.text("conversation_id")+"/messages", object{"body": "認証コードを教えてください。"}, "content_policy_violation")
}

// Complaint 37: work was sent back by a program within seconds, and returns were held
// back for days. Here a rejection ends nothing before the worker had time to appeal,
// and the worker's own steps have timers too.
func TestTimersOnBothSides(t *testing.T) {
	w := newWorld(t)
	ann := w.person("ann")
	id := w.delivered(ann)
	w.reject(id)
	end := func(ctx context.Context, id string) error { _, err := w.board.EndAppeal(ctx, id); return err }
	w.forward(71 * time.Hour)
	if n := w.due(task.JobAppeal, end); n != 0 {
		t.Errorf("%d rejections were final before their time", n)
	}
	if err := end(t.Context(), id); task.ReasonOf(err) != task.InvalidTaskStatus { // a job that comes early
		t.Errorf("final before its time: %v", err)
	}
	if got := w.task(ann, id); got.text("status") != "review_pending" {
		t.Errorf("before the end of the time to appeal: %v", got)
	}
	w.forward(time.Hour)
	w.due(task.JobAppeal, end)
	if got := w.task(ann, id); got.text("status") != "failed" || got.text("failure_reason") != "requester_rejected" {
		t.Errorf("after it: %v", got)
	}
	w.refused(ann, "POST /api/tasks/"+id+"/appeal", object{"statement": complaint}, "not_disputable")
	back := w.accepted(ann)
	w.must(ann, "POST /api/tasks/"+back+"/skip", object{"reason": "I am ill."})
	if got := w.task("", back); got.text("status") != "open" {
		t.Errorf("given back: %v", got)
	}
	bob := w.person("bob")
	w.must(w.agent, "POST /api/tasks/"+back+"/accept-application", object{"application_id": w.apply(bob, back)}) // somebody else can have it at once
	if got := w.task(bob, back); got["review_text"] != nil {
		t.Errorf("the next worker reads why the one before gave it back: %v", got["review_text"])
	}
}
