package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestInventoryOfAPage: buttons, headings, dialog and sections.
func TestInventoryOfAPage(t *testing.T) {
	v := show(t, `<h1>Apply</h1><a href=/help>Help</a><h2>You</h2><form><label for=n>Name</label><input id=n><button type=button class="usa-button usa-button--outline">Back</button><button id=go>Save and continue</button><button type=button aria-expanded=false>More</button></form>
		<h2>Other</h2><form><input type=search name=q aria-label=Search><button>Search</button></form>
		<div role=dialog aria-modal=true aria-labelledby=dt id=d hidden><h2 id=dt>Add a loan</h2><label for=b>Balance</label><input id=b><button type=button>Save</button></div>`)
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var buttons []string
	for _, b := range inv.Buttons {
		s := b.Text
		if b.Primary {
			s += "!"
		}
		buttons = append(buttons, s+b.Expanded)
	}
	same(t, "buttons", []string{"Help", "Back", "Save and continue!", "Morefalse", "Search"}, buttons)
	same(t, "headings", []string{"Apply", "You", "Other"}, inv.Headings)
	same(t, "section", "You", inv.Controls[0].Section)
	same(t, "dialog", "", inv.Dialog)
	v.eval(t, "() => { document.querySelector('#d').hidden = false; return '' }")
	inv, err = v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "dialog", "Add a loan", inv.Dialog)
	var open []string
	for _, c := range inv.Controls {
		if c.Visible && c.Decoy == "" {
			open = append(open, c.ID)
		}
	}
	same(t, "what can be used", []string{"b"}, open)
	same(t, "first button", "Save", inv.Buttons[0].Text)
}

// TestInventoryOfACalendar: the year and the month by which an open calendar turns
// its pages are no questions of the form; fields that only sound like them are.
func TestInventoryOfACalendar(t *testing.T) {
	days := ""
	for i := range 31 {
		days += fmt.Sprintf("<span class=day>%d</span>", i+1)
	}
	v := show(t, `<form><label for=d>Departure</label><input id=d><fieldset><legend>Car</legend><label for=y>Year</label><input id=y type=number></fieldset><button>Go</button></form>
		<div class="picker-calendar open"><select aria-label=Month><option>May</option><option>June</option></select><input type=number aria-label=Year value=2026>`+days+`</div>
		<div class="tax-calendar"><label for=m>Month</label><select id=m><option>May</option><option>June</option></select></div>`)
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range inv.Controls {
		ids = append(ids, c.ID)
	}
	same(t, "questions", []string{"d", "y", "m"}, ids)
}

// TestInventoryOfFrames: a frame that never answers is named, one that no
// person sees is not waited for, and what is in the others is listed.
func TestInventoryOfFrames(t *testing.T) {
	hang := make(chan struct{})
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/never":
			<-hang
		case "/inner":
			_, _ = w.Write([]byte(`<label>City <input name=city></label>`))
		default:
			_, _ = w.Write([]byte(`<h1>Form</h1><iframe title=Bank src=/never width=300 height=100></iframe><iframe src=/never hidden></iframe><iframe title=Address src=/inner width=300 height=100></iframe>`))
		}
	}))
	t.Cleanup(func() { close(hang) })
	v.awaitPresent(t, page.Target{Selector: "input", Frame: []string{`iframe[title="Address"]`}})
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "untested", []string{"frame Bank: it did not answer"}, inv.Untested)
	if len(inv.Controls) != 1 || inv.Controls[0].Label != "City" {
		t.Fatalf("%+v", inv.Controls)
	}
	answer := field(inv.Controls[0].Selector, inv.Controls[0].Kind, "Bern")
	answer.Target.Frame = inv.Controls[0].Frame
	same(t, "set by what was found", []string{"set"}, states(v.set(t, answer)))
}

// TestInventoryOfHostilePages: names that hide what scripts rely on.
func TestInventoryOfHostilePages(t *testing.T) {
	var names []string
	for _, n := range strings.Fields(`querySelector querySelectorAll children childNodes parentNode parentElement previousSibling nextSibling previousElementSibling
		nextElementSibling tagName id className getAttribute hasAttribute matches closest contains method action elements length attributes assignedSlot
		getBoundingClientRect checkVisibility innerText textContent compareDocumentPosition nodeType getRootNode shadowRoot labels style`) {
		names = append(names, "<label>"+n+" <input name="+n+"></label>")
	}
	v := show(t, `<form><fieldset><legend>Names</legend>`+strings.Join(names, "")+`</fieldset><select name=options aria-label=Options><option>A<option>B</select><input type=radio name=r value=1 aria-label=One><input type=radio name=r value=2 aria-label=Two></form>`)
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if inv.Total != len(names)+2 {
		t.Errorf("%d controls, want %d", inv.Total, len(names)+2)
	}
	for _, c := range inv.Controls {
		if !c.Visible || c.Label == "" || c.Selector == "" {
			t.Errorf("%+v", c)
		}
	}
}

// TestInventoryOfABigPage is complete and true, and the limit holds.
func TestInventoryOfABigPage(t *testing.T) {
	v := show(t, `<form id=f></form><div id=junk></div><script>
		let s=''; for(let i=0;i<500;i++) s+='<div class=row><div><label for=x'+i+'>Question number '+i+'</label><div><span class=hint>Hint '+i+'</span><input id=x'+i+' name=n'+i+'></div></div></div>';
		s+='<label for=big>School</label><select id=big>'; for(let i=0;i<2000;i++) s+='<option value='+i+'>School '+i+'</option>'; f.innerHTML=s+'</select>';
		let j=''; for(let i=0;i<5000;i++) j+='<div><p>text <a href=#'+i+'>link</a></p></div>'; junk.innerHTML=j;</script>`)
	began := time.Now()
	inv, err := v.Controls(v.ctx, 1000)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("took", time.Since(began))
	if inv.Total != 501 || len(inv.Controls) != 501 || inv.Controls[500].OptionsTotal != 2000 || len(inv.Controls[500].Options) != 2000 || inv.TotalButtons != 5000 || len(inv.Buttons) != 1000 {
		t.Errorf("%d of %d controls, %d of %d buttons, %d options", len(inv.Controls), inv.Total, len(inv.Buttons), inv.TotalButtons, inv.Controls[500].OptionsTotal)
	}
	few, err := v.Controls(v.ctx, 10)
	if err != nil || len(few.Controls) != 10 || few.Total != 501 {
		t.Errorf("%d of %d, %v", len(few.Controls), few.Total, err)
	}
}

// BenchmarkControls describes a page of 60 fields.
func BenchmarkControls(b *testing.B) {
	rows := strings.Repeat(`<div class=field><label>Question <input name=q></label><span class=hint>As on your card</span></div>`, 60)
	v := show(b, `<form>`+rows+`<button>Continue</button></form>`)
	for b.Loop() {
		if inv, err := v.Controls(v.ctx, 0); err != nil || inv.Total != 60 {
			b.Fatal(inv.Total, err)
		}
	}
}
