package web

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/browser"
)

// person is somebody with a phone.
type person struct {
	t    *testing.T
	tab  *browser.Tab
	site string
	lang words.Lang
}

// Functions that run in the page; they only find and focus things.
const (
	focusField = `(sel) => { const el = document.querySelector(sel); if (!el) throw new Error('no ' + sel); const d = el.closest('details'); if (d) d.open = true; el.focus(); if (el.select) el.select(); return document.activeElement === el; }`
	giveFiles  = `([sel, files]) => { const box = new DataTransfer(); files.forEach((b64, i) => { const raw = Uint8Array.from(atob(b64), (c) => c.charCodeAt(0)); box.items.add(new File([raw], 'photo' + i + '.jpg', { type: 'image/jpeg', lastModified: 1 })); }); document.querySelector(sel).files = box.files; }`
	bodyText   = `() => document.querySelector('main').innerText`
	pageLang   = `() => document.documentElement.lang`
)

func (p *person) call(source string, arg, out any) {
	p.t.Helper()
	if err := p.tab.Call(patience(p.t), browser.Function{Source: source, Arg: arg}, out); err != nil {
		p.t.Fatalf("in the page %s: %v", p.tab.Doc().URL, err)
	}
}

// visit loads a page.
func (p *person) visit(path string) {
	p.t.Helper()
	visitPage(p.t, p.tab, p.site+path)
	if status := p.tab.Doc().Status; status != 200 {
		p.t.Fatalf("%s: status %d", path, status)
	}
}

// typeIn types into a field with the keyboard.
func (p *person) typeIn(selector, text string) {
	p.t.Helper()
	p.focus(selector)
	if err := p.tab.InsertText(patience(p.t), "", text); err != nil {
		p.t.Fatalf("typing into %s: %v", selector, err)
	}
}

func (p *person) focus(selector string) {
	p.t.Helper()
	var ok bool
	if p.call(focusField, selector, &ok); !ok {
		p.t.Fatalf("%s of %s takes no focus", selector, p.tab.Doc().URL)
	}
}

// press presses the button of a form with the keyboard and waits for the next page.
func (p *person) press(selector string) {
	p.t.Helper()
	p.focus(selector)
	before := p.tab.Doc()
	if err := p.tab.Press(patience(p.t), "", "Enter"); err != nil {
		p.t.Fatalf("pressing %s: %v", selector, err)
	}
	for doc := before; doc.Seq == before.Seq || !doc.Loaded; {
		var err error
		if doc, err = p.tab.Changed(patience(p.t), doc); err != nil {
			p.t.Fatalf("after %s: %v", selector, err)
		}
	}
	settle(p.t, p.tab)
}

// reads checks what the page says.
func (p *person) reads(texts ...string) {
	p.t.Helper()
	var text, lang string
	p.call(bodyText, nil, &text)
	if p.call(pageLang, nil, &lang); lang != string(p.lang) {
		p.t.Errorf("%s is in %q", p.tab.Doc().URL, lang)
	}
	for _, want := range texts {
		if !strings.Contains(text, want) {
			p.t.Errorf("%s does not say %q; it says:\n%s", p.tab.Doc().URL, want, text)
		}
	}
}

// keep stores a picture for the documentation when a folder for it is named.
func (p *person) keep(name string) {
	p.t.Helper()
	dir := os.Getenv("BOARD_SHOTS")
	if dir == "" {
		return
	}
	raw, err := p.tab.Screenshot(patience(p.t), browser.Shot{Format: "png"})
	if err == nil {
		err = os.WriteFile(fmt.Sprintf("%s/%s-%s.png", dir, name, p.lang), raw, 0o600)
	}
	if err != nil {
		p.t.Error(err)
	}
}

// signIn signs in by e-mail.
func (p *person) signIn(w *world, email string) {
	p.t.Helper()
	p.visit("/login")
	p.typeIn("#login-email", email)
	p.press("form[action='/login'] button")
	p.reads(p.lang.Say("code.intro", "span", p.lang.Span(data.CodeLife)))
	p.typeIn("#code-code", w.mailbox.code(p.t, email))
	p.press("form[action='/login/code'] button")
}

// A worker on a phone signs in, sets a profile, finds a task, applies, is chosen,
// delivers three photos, is asked for changes, delivers again and is paid. The
// requester decides on the pages too.
func TestFromSignInToPay(t *testing.T) {
	for _, lang := range words.Langs {
		t.Run(string(lang), func(t *testing.T) {
			w := newWorld(t)
			made := w.post(nil)
			worker := &person{t: t, tab: open(t, w.site, string(lang)), site: w.site, lang: lang}
			id := "/me/tasks/" + made.ID
			worker.join(w)
			worker.applyFor(made)
			requester := &person{t: t, tab: open(t, w.site, string(lang)), site: w.site, lang: lang}
			requester.enter(w)
			requester.visit("/requester/tasks/" + made.ID)
			requester.reads("hana", "近くに住んでいます。", lang.Say("req.unrated"))
			requester.keep("applications")
			requester.press("form[action$='/accept'] button")
			requester.reads(lang.Say("done.chosen"))

			worker.visit("/me/tasks")
			worker.reads(made.Title, lang.Say("status.accepted"))
			worker.visit(id + "/terms")
			worker.reads("SHA-256", "渋谷1-1-1 東口", "hana", w.agent.Name, lang.Money(1200, "JPY"))
			worker.keep("terms")
			worker.deliver(id, 3)
			worker.reads(lang.Say("done.delivered"), lang.Say("status.review_pending"))

			requester.visit("/requester/tasks/" + made.ID)
			requester.reads(made.AcceptanceCriteria[:20])
			requester.typeIn("#revise-text", "2枚目の文字が読めません。もう一度お願いします。")
			requester.press("form[action$='/revise'] button")
			requester.reads(lang.Say("done.revised"))

			worker.visit(id)
			worker.reads(lang.Say("status.revision"), "2枚目の文字が読めません。")
			worker.keep("revision")
			worker.deliver(id, 1)
			requester.visit("/requester/tasks/" + made.ID)
			requester.keep("review")
			requester.press("form[action$='/approve'] button")
			requester.reads(lang.Say("done.approved"), lang.Say("status.completed"))

			worker.visit(id)
			worker.reads(lang.Say("status.completed"))
			worker.visit("/me")
			worker.reads(made.Title, lang.Money(1200, "JPY"))
			worker.keep("statement")
			w.paid(made)
		})
	}
}

// join signs in and fills in the profile.
func (p *person) join(w *world) {
	p.t.Helper()
	p.signIn(w, "hana@example.org")
	p.reads(p.lang.Say("profile.public"))
	p.typeIn("#profile-handle", "hana")
	p.typeIn("#profile-skills", "写真、英語")
	p.typeIn("#profile-postcode", "１５０－０００２")
	p.typeIn("#profile-city", "東京都　渋谷区")
	p.press("form[action='/me'] button")
	p.reads(p.lang.Say("done.saved"))
	p.keep("profile")
	found, _, err := w.board.ListPeople(p.t.Context(), data.Page{})
	if err != nil || len(found) != 1 {
		p.t.Fatalf("the people are %+v, %v", found, err)
	}
	hana, err := w.board.Person(p.t.Context(), found[0].ID)
	if err != nil || hana.Prefecture != "東京都" || hana.City != "渋谷区" || len(hana.Skills) != 2 {
		p.t.Fatalf("the profile is %+v, %v", hana, err)
	}
}

// applyFor finds the task in the list and applies, after a form with a gap.
func (p *person) applyFor(made task.Task) {
	p.t.Helper()
	p.visit("/?prefecture=" + url.QueryEscape("東京都") + "&min=1,200")
	p.reads(made.Title, p.lang.Money(1200, "JPY"))
	p.keep("tasks")
	p.press("a[href='/tasks/" + made.ID + "']")
	p.reads(p.lang.Money(300, "JPY"), p.lang.Money(1500, "JPY"), "青葉リサーチ株式会社", p.lang.Say("requester.new"), p.lang.Say("task.applicants", "n", 0))
	p.keep("task")
	p.typeIn("#apply-cover_letter", "近くに住んでいます。")
	p.press("form[action$='/apply'] button")
	p.reads(p.lang.Say("errors.title"), p.lang.Say("error.required"))
	p.typeIn("#apply-availability", "土曜日")
	p.press("form[action$='/apply'] button")
	p.reads(p.lang.Say("done.applied"), p.lang.Say("status.selecting"))
}

// enter signs in with the key of the agent.
func (p *person) enter(w *world) {
	p.t.Helper()
	p.visit("/requester/login")
	p.typeIn("#rlogin-account", w.agent.ID)
	p.typeIn("#rlogin-key", w.secret)
	p.press("form[action='/requester/login'] button")
	p.reads(p.lang.Say("req.title"), w.agent.Name)
}

// deliver sends photos.
func (p *person) deliver(path string, n int) {
	p.t.Helper()
	p.visit(path)
	var list []string
	for i := range n {
		list = append(list, base64.StdEncoding.EncodeToString(photo(p.t, uint8(40*i+n))))
	}
	p.call(giveFiles, []any{"#submit-files", list}, nil)
	p.typeIn("#submit-text", "撮影しました。")
	p.press("form[action$='/submit'] button")
	p.reads(p.lang.Say("done.delivered"))
	p.keep("delivered")
}

// paid checks that the money of the task is the worker's, once, also at the provider.
func (w *world) paid(made task.Task) {
	w.t.Helper()
	t, err := w.board.Task(w.t.Context(), made.ID)
	if err != nil || t.Status != task.Completed {
		w.t.Fatalf("the task is %s, %v", t.Status, err)
	}
	started, err := w.board.Transfers(w.t.Context(), data.TransferStarted, w.now())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, transfer := range started {
		if err := w.board.Settle(w.t.Context(), transfer.Key); err != nil {
			w.t.Fatal("settling:", err)
		}
	}
	moved, err := w.money.Transfers(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	var out int64
	for _, m := range moved {
		if m.Party == t.HumanID {
			out += m.Amount.Minor
		}
	}
	if out != 1200 {
		w.t.Errorf("the provider paid %d to the worker: %+v", out, moved)
	}
	subs, err := w.board.Submissions(w.t.Context(), made.ID)
	if err != nil || len(subs) != 2 || len(subs[1].Items) != 3 || len(subs[0].Items) != 1 {
		w.t.Errorf("the deliveries are %+v, %v", subs, err)
	}
	if wrong, err := w.board.Audit(w.t.Context()); err != nil || len(wrong) > 0 {
		w.t.Errorf("the ledger: %v, %v", wrong, err)
	}
}
