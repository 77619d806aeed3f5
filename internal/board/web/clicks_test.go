package web

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/words"
)

// arrive opens a phone of somebody who signs in by e-mail.
func (w *world) arrive(lang words.Lang, email string) *person {
	w.t.Helper()
	p := &person{t: w.t, tab: open(w.t, w.site, string(lang)), site: w.site, lang: lang}
	p.signIn(w, email)
	return p
}

// keys are those of the agent of the world, the newest first.
func (w *world) keys() []data.Key {
	w.t.Helper()
	list, err := w.board.Keys(w.t.Context(), task.Actor{Kind: task.Agent, ID: w.agent.ID})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// The owner of an account sees its keys, caps one and stops one, with the keyboard.
func TestAgentsByKeyboard(t *testing.T) {
	w := newWorld(t)
	_, secret, err := w.board.NewKey(t.Context(), data.Key{AgentID: w.agent.ID, Name: "night shift", Caps: data.Caps{money.JPY: 9000}})
	if err != nil {
		t.Fatal(err)
	}
	p := w.arrive(words.Ja, "agent@example.org")
	p.visit("/me")
	p.press("a[href='/me/agents']")
	p.reads("青葉リサーチ株式会社", "night shift", words.Ja.Say("scope.admin"))
	night := w.keys()[0]
	form := "#caps" + night.ID + "-"
	p.typeIn(form+"jpy", "たくさん")
	p.press("form[action$='" + night.ID + "/caps'] button")
	p.reads(words.Ja.Say("errors.title"), words.Ja.Say("error.number"))
	p.typeIn(form+"jpy", "５，０００")
	p.typeIn(form+"usd", "12.50")
	p.press("form[action$='" + night.ID + "/caps'] button")
	p.reads(words.Ja.Say("done.saved"))
	if diff := cmp.Diff(data.Caps{money.JPY: 5000, money.USD: 1250}, w.keys()[0].Caps); diff != "" {
		t.Errorf("the caps (-want +got):\n%s", diff)
	}
	p.press("form[action$='" + night.ID + "/revoke'] button")
	p.reads(words.Ja.Say("done.revoked"), words.Ja.Say("agents.over"))
	if _, err := w.board.Authenticate(t.Context(), secret); task.ReasonOf(err) != task.InvalidCredentials {
		t.Errorf("the key that was stopped: %v", err)
	}
	if _, err := w.board.Authenticate(t.Context(), w.secret); err != nil {
		t.Errorf("the other key: %v", err)
	}
}

// A worker leaves the board, who has to say so twice.
func TestLeavingByKeyboard(t *testing.T) {
	w := newWorld(t)
	p := w.arrive(words.En, "hana@example.org")
	p.visit("/me")
	p.press("a[href='/me/leave']")
	p.reads(words.En.Say("leave.goes1"), words.En.Say("leave.stays1"), words.En.Say("leave.final"))
	p.press("form[action='/me/leave'] button")
	p.reads(words.En.Say("errors.title"), words.En.Say("error.check"))
	p.focus("#leave-sure")
	if err := p.tab.Press(patience(t), "", "Space"); err != nil {
		t.Fatal(err)
	}
	p.press("form[action='/me/leave'] button")
	p.reads(words.En.Say("done.left"), words.En.Say("nav.login"))
	if list, _, err := w.board.ListPeople(t.Context(), data.Page{}); err != nil || len(list) != 0 {
		t.Errorf("still there: %v, %v", list, err)
	}
	p.visit("/login")
	p.reads(words.En.Say("login.title"))
}

// operate makes somebody an operator and signs them in.
func (w *world) operate(lang words.Lang) *person {
	w.t.Helper()
	boss, _ := w.worker("ops@example.org")
	if err := w.board.SetOperator(w.t.Context(), boss.ID, true); err != nil {
		w.t.Fatal(err)
	}
	w.later(2 * data.CodeLife) // the code of worker is used up
	return w.arrive(lang, "ops@example.org")
}

// An operator sets the caps of an account.
func TestCapsByKeyboard(t *testing.T) {
	w := newWorld(t)
	p := w.operate(words.Ja)
	p.visit("/ops")
	p.press("a[href='/ops/accounts']")
	p.reads("青葉リサーチ株式会社", "agent@example.org")
	p.typeIn("#caps"+w.agent.ID+"-usd", "-1")
	p.press("form[action$='/caps'] button")
	p.reads(words.Ja.Say("error.number"))
	p.typeIn("#caps"+w.agent.ID+"-usd", "300")
	p.typeIn("#caps"+w.agent.ID+"-jpy", "40,000円")
	p.press("form[action$='/caps'] button")
	p.reads(words.Ja.Say("done.saved"))
	a, err := w.board.Agent(t.Context(), w.agent.ID)
	if diff := cmp.Diff(data.Caps{money.JPY: 40000, money.USD: 30000}, a.Caps); err != nil || diff != "" {
		t.Errorf("%v, the caps (-want +got):\n%s", err, diff)
	}
}

// An operator lets a held task through, takes another one down and closes a report.
func TestHoldsAndReportsByKeyboard(t *testing.T) {
	w := newWorld(t)
	hold := func(title string) task.Task {
		d := draft()
		d.Title = title
		made, err := w.board.CreateTask(t.Context(), w.by(), data.NewTask{Draft: d, Hold: &data.Hold{Class: "otp_relay", Excerpt: "コードを転送"}})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	good, bad := hold("駅の時計を撮る"), hold("届いた番号を教える")
	_, err := w.board.FileReport(t.Context(), data.Report{By: w.by(), TaskID: good.ID, Class: "illegal", Text: "場所がおかしいです"})
	if err != nil {
		t.Fatal(err)
	}
	p := w.operate(words.En)
	p.visit("/")
	p.press("a[href='/ops']")
	p.reads(good.Title, bad.Title, "コードを転送", "場所がおかしいです")
	p.press("form[action='/ops/holds/" + good.ID + "/release'] button")
	p.press("form[action='/ops/holds/" + bad.ID + "/block'] button")
	p.press("form[action^='/ops/reports/'] button")
	p.reads(words.En.Say("ops.empty"))
	for made, want := range map[string]task.Status{good.ID: task.Open, bad.ID: task.Failed} {
		if got, err := w.board.Task(t.Context(), made); err != nil || got.Status != want {
			t.Errorf("the task is %s, want %s, %v", got.Status, want, err)
		}
	}
	p.visit("/tasks/" + good.ID)
	p.reads(good.Title)
}

// An operator decides a dispute, after a form with gaps.
func TestDisputeByKeyboard(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	made := w.assigned(worker, nil)
	c.multi("/me/tasks/"+made.ID+"/submit", "", map[string][]byte{"a.jpg": photo(t, 7)}).says(t, http.StatusSeeOther)
	rejection := url.Values{"code": {"unreadable"}, "text": {"文字がまったく読めません。撮り直しが必要だと思います。"}}
	w.requesterClient().post("/requester/tasks/"+made.ID+"/reject", rejection).says(t, http.StatusSeeOther)
	c.post("/me/tasks/"+made.ID+"/appeal", url.Values{"reason": {why}}).says(t, http.StatusSeeOther)
	p := w.operate(words.Ja)
	p.visit("/ops")
	p.keep("ops")
	p.press("a[href='/ops/disputes/" + made.ID + "']")
	p.reads(made.Title, why)
	p.keep("dispute")
	p.typeIn("#resolve-percent", "150")
	p.press("form[action$='/resolve'] button")
	p.reads(words.Ja.Say("error.percent"), words.Ja.Say("error.required"))
	p.typeIn("#resolve-percent", "50")
	p.typeIn("#resolve-note", "半分の作業が終わっていたと判断しました。")
	p.press("form[action$='/resolve'] button")
	p.reads(words.Ja.Say("done.resolved"))
	list, err := w.board.Disputes(t.Context(), made.ID)
	if err != nil || len(list) != 1 || list[0].Open || list[0].WorkerMinor != made.Budget.Minor/2 {
		t.Errorf("the decision is %+v, %v", list, err)
	}
}
