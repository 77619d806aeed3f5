package flows

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/browser"
)

// pool is the one browser of the tests, started by the first that needs it.
var pool = sync.OnceValue(func() *browser.Pool {
	return browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell})
})

// phone is somebody who works on the pages of the board, with the keyboard.
type phone struct {
	t    *testing.T
	b    *board
	tab  *browser.Tab
	lang words.Lang
}

// Functions that run in the page; they find, focus and read, and give files, which no
// keyboard can.
const (
	focusOn   = `(sel) => { const el = document.querySelector(sel); if (!el) return false; const d = el.closest('details'); if (d) d.open = true; el.focus(); if (el.select) el.select(); return document.activeElement === el; }`
	giveFile  = `([sel, b64]) => { const box = new DataTransfer(); const raw = Uint8Array.from(atob(b64), (c) => c.charCodeAt(0)); box.items.add(new File([raw], 'photo.jpg', { type: 'image/jpeg' })); document.querySelector(sel).files = box.files; }`
	textOf    = `() => document.querySelector('main').innerText`
	linkOf    = `(sel) => document.querySelector(sel)?.getAttribute('href') ?? ''`
	isChecked = `(sel) => document.querySelector(sel).checked`
	amountsOf = `() => [...document.querySelectorAll('td.number')].map((td) => td.innerText)`
	pickedOf  = `([sel, value]) => { const el = document.querySelector(sel); el.value = value; return el.value === value; }`
)

// pickUp gives a phone to somebody, whose pages are in a language and who makes a
// profile. Its tab reaches the board and nothing else.
func pickUp(t *testing.T, b *board, lang words.Lang) *phone {
	t.Helper()
	tab, err := pool().Open(t.Context(), browser.TabOptions{
		Locale: string(lang), Timezone: "Asia/Tokyo", Width: 375, Height: 780,
		Policy: browser.Policy{AllowOrigins: []string{b.url}, OnlyOrigins: []string{b.url}},
	})
	if err != nil {
		t.Fatal("opening a tab:", err)
	}
	p := &phone{t, b, tab, lang}
	t.Cleanup(func() {
		if l := tab.Ledger(); len(l.Refused) > 0 {
			t.Errorf("the pages asked for something elsewhere: %v", l.Refused)
		}
		if err := tab.Close(context.Background()); err != nil {
			t.Error("closing the tab:", err)
		}
	})
	email := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name())) + "@people.test"
	p.visit("/login")
	p.fill("#login-email", email)
	p.press("form[action='/login'] button")
	p.fill("#code-code", b.mailedCode(t, email))
	p.press("form[action='/login/code'] button")
	p.reads(lang.Say("profile.public"))
	p.fill("#profile-handle", "hana")
	p.fill("#profile-skills", "photo")
	p.pick("#profile-prefecture", towns[lang][0])
	p.fill("#profile-city", towns[lang][1])
	p.press("form[action='/me'] button")
	p.reads(lang.Say("done.saved"))
	return p
}

// towns are where the workers live.
var towns = map[words.Lang][2]string{words.Ja: {"東京都", "杉並区"}, words.En: {"大阪府", "豊中市"}}

// near is a task where the worker lives.
func (p *phone) near(in args) args {
	in["prefecture"], in["city"] = towns[p.lang][0], towns[p.lang][1]
	return in
}

// call runs a function in the page.
func (p *phone) call(source string, arg, out any) {
	p.t.Helper()
	if err := p.tab.Call(p.t.Context(), browser.Function{Source: source, Arg: arg}, out); err != nil {
		p.t.Fatalf("in the page %s: %v", p.tab.Doc().URL, err)
	}
}

// visit loads a page.
func (p *phone) visit(path string) {
	p.t.Helper()
	if err := p.tab.Navigate(p.t.Context(), p.b.url+path); err != nil {
		p.t.Fatalf("loading %s: %v", path, err)
	}
	p.loaded(p.tab.Doc())
}

// loaded waits for the scripts of a page, which are deferred.
func (p *phone) loaded(doc browser.Doc) {
	p.t.Helper()
	for !doc.Loaded {
		var err error
		if doc, err = p.tab.Changed(p.t.Context(), doc); err != nil {
			p.t.Fatalf("loading %s: %v", doc.URL, err)
		}
	}
	if doc.Status != 200 {
		p.t.Fatalf("%s: status %d", doc.URL, doc.Status)
	}
}

func (p *phone) focus(selector string) {
	p.t.Helper()
	var ok bool
	if p.call(focusOn, selector, &ok); !ok {
		p.t.Fatalf("nothing takes the focus as %s of %s; it says:\n%s", selector, p.tab.Doc().URL, p.text())
	}
}

// fill types into a field instead of what is there.
func (p *phone) fill(selector, text string) {
	p.t.Helper()
	p.focus(selector)
	if err := p.tab.InsertText(p.t.Context(), "", text); err != nil {
		p.t.Fatalf("typing into %s: %v", selector, err)
	}
}

// pick chooses an option of a list.
func (p *phone) pick(selector, value string) {
	p.t.Helper()
	var ok bool
	if p.call(pickedOf, []any{selector, value}, &ok); !ok {
		p.t.Fatalf("%s has no %s", selector, value)
	}
}

// press presses a button or a link and waits for the page that follows.
func (p *phone) press(selector string) {
	p.t.Helper()
	p.focus(selector)
	before := p.tab.Doc()
	if err := p.tab.Press(p.t.Context(), "", "Enter"); err != nil {
		p.t.Fatalf("pressing %s: %v", selector, err)
	}
	doc := before
	for doc.Seq == before.Seq {
		var err error
		if doc, err = p.tab.Changed(p.t.Context(), doc); err != nil {
			p.t.Fatalf("after %s: %v; the page says:\n%s", selector, err, p.text())
		}
	}
	p.loaded(doc)
}

func (p *phone) text() (text string) {
	p.t.Helper()
	p.call(textOf, nil, &text)
	return text
}

// reads checks what the page says.
func (p *phone) reads(texts ...string) {
	p.t.Helper()
	text := p.text()
	for _, want := range texts {
		if !strings.Contains(text, want) {
			p.t.Fatalf("%s does not say %q; it says:\n%s", p.tab.Doc().URL, want, text)
		}
	}
}

// apply finds a task in the list and applies for it.
func (p *phone) apply(task string) {
	p.t.Helper()
	p.visit("/")
	p.press("a[href='/tasks/" + task + "']")
	p.reads(p.lang.Money(1200, "JPY"))
	p.fill("#apply-cover_letter", "I live near.")
	p.fill("#apply-availability", "today")
	p.press("form[action$='/apply'] button")
	p.reads(p.lang.Say("done.applied"))
}

// say sends a message to the requester.
func (p *phone) say(task, text string) {
	p.t.Helper()
	p.visit("/me/tasks/" + task)
	p.fill("#chat-body", text)
	p.press("form[action$='/messages'] button")
	p.reads(text)
}

// write delivers a text.
func (p *phone) write(task, text string) {
	p.t.Helper()
	p.visit("/me/tasks/" + task)
	p.fill("#submit-text", text)
	p.press("form[action$='/submit'] button")
	p.reads(p.lang.Say("done.delivered"))
}

// photograph delivers a picture; the script of the page sends it in parts.
func (p *phone) photograph(task string, shade uint8) {
	p.t.Helper()
	p.visit("/me/tasks/" + task)
	p.call(giveFile, []any{"#submit-files", base64.StdEncoding.EncodeToString(picture(p.t, shade))}, nil)
	p.fill("#submit-text", "Taken just now.")
	p.press("form[action$='/submit'] button")
	p.reads(p.lang.Say("done.delivered"))
}

// picture is a small photo, another one for each shade.
func picture(t *testing.T, shade uint8) []byte {
	t.Helper()
	gray := image.NewGray(image.Rect(0, 0, 64, 48))
	for i := range gray.Pix {
		gray.Pix[i] = shade + uint8(i%32)
	}
	gray.SetGray(3, 3, color.Gray{Y: 255 - shade})
	var out bytes.Buffer
	if err := jpeg.Encode(&out, gray, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// available turns instant offers on or off.
func (p *phone) available(on bool) {
	p.t.Helper()
	p.visit("/me")
	var is bool
	if p.call(isChecked, "#profile-instant", &is); is != on {
		p.focus("#profile-instant")
		if err := p.tab.Press(p.t.Context(), "", "Space"); err != nil {
			p.t.Fatal(err)
		}
	}
	p.fill("#profile-floor", "500")
	p.press("form[action='/me'] button")
	p.reads(p.lang.Say("done.saved"))
}

// takeOffer waits until an offer is there, and accepts it.
func (p *phone) takeOffer() {
	p.t.Helper()
	await(p.t, "an offer", func() bool {
		var link string
		p.visit("/me/tasks")
		p.call(linkOf, "a[href^='/offers/']", &link)
		return link != ""
	})
	p.press("a[href^='/offers/']")
	p.reads(p.lang.Money(1200, "JPY"))
	p.press("form[action$='/accept'] button")
	p.reads(p.lang.Say("done.accepted"))
}

// appeal objects to a rejection.
func (p *phone) appeal(task, text string) {
	p.t.Helper()
	p.visit("/me/tasks/" + task)
	p.reads(p.lang.Say("work.rejected"))
	p.fill("#appeal-reason", text)
	p.press("form[action$='/appeal'] button")
	p.reads(p.lang.Say("done.appealed"), p.lang.Say("status.disputed"))
}

// earned is what the statement of pay has in yen.
func (p *phone) earned(t *testing.T) (yen float64) {
	t.Helper()
	p.visit("/me")
	var amounts []string
	p.call(amountsOf, nil, &amounts)
	for _, a := range amounts {
		n, err := strconv.Atoi(strings.Map(digitsOnly, a))
		if err != nil {
			t.Fatalf("the statement has %q", a)
		}
		if a != p.lang.Money(int64(n), "JPY") {
			t.Errorf("the statement has %q", a)
		}
		yen += float64(n)
	}
	return yen
}

func digitsOnly(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

// closePool ends the browser, if a test started it.
func closePool() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := pool().Close(ctx); err != nil {
		return fmt.Errorf("closing the browser: %w", err)
	}
	return nil
}
