package page_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/practice"
)

// only is the one control of a page that has late options.
func (v *view) only(t *testing.T) page.Control {
	t.Helper()
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range inv.Controls {
		if !c.OptionsKnown {
			return c
		}
	}
	t.Fatalf("no control with late options: %+v", inv.Controls)
	return page.Control{}
}

// TestPracticeChoices reads the late options of the practice pages.
func TestPracticeChoices(t *testing.T) {
	site := httptest.NewServer(practice.New())
	t.Cleanup(site.Close)
	tests := []struct {
		page, first string
		count       int
		complete    bool
	}{
		{"f03b-typeahead-enter-submits", "Alabama", 59, true},
		{"f03d-typeahead-server", "", 20, false},
		{"f03e-typeahead-keys", "Alabama", 59, true},
		{"f04e-autocomplete-no-select", "", 50, false},
		{"f05a-listbox-virtual", "Office 001", 300, true},
		{"f05b-listbox-on-open", "Husband or wife", 5, true},
		{"f06f-select-dependent", "", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.page, func(t *testing.T) {
			t.Parallel()
			v := practiceView(t, loadTruth(t)[tt.page], site.Listener.Addr().String())
			c := v.only(t)
			got, err := v.Choices(v.ctx, c, 0)
			if err != nil {
				t.Fatal(err)
			}
			list, complete := got.Options, got.Complete
			if len(list) < tt.count || tt.complete && len(list) != tt.count || complete != tt.complete || tt.first != "" && list[0].Label != tt.first {
				t.Errorf("%d options, complete %v: %+v; want at least %d, %v", len(list), complete, list, tt.count, tt.complete)
			}
			same(t, "the control afterwards", brief(c), brief(v.only(t)))
		})
	}
}

// optionsHTML is a list box with so many options.
func optionsHTML(n int) string {
	s := ""
	for i := range n {
		s += fmt.Sprintf("<li role=option>Answer %d</li>", i+1)
	}
	return s
}

// TestOpened: what a choice is shows only when it is open, if its field cannot be
// typed in before, or its list says then that it takes several answers.
func TestOpened(t *testing.T) {
	const choice = `<label for=c>Country</label><input id=c role=combobox aria-expanded=false aria-controls=l readonly><ul id=l role=listbox hidden></ul><script>
		const all=['Chad','Chile','Peru'];const draw=()=>{l.innerHTML=all.filter(x=>x.toLowerCase().includes(c.value.toLowerCase())).map(x=>'<li role=option>'+x+'</li>').join('');l.hidden=false;%s;c.setAttribute('aria-expanded','true')};
		c.addEventListener('focus',()=>{c.readOnly=%v;draw()});c.addEventListener('input',draw);c.addEventListener('blur',()=>{c.readOnly=true;c.value='';l.hidden=true;c.setAttribute('aria-expanded','false')})</script>`
	for _, tt := range []struct {
		name, opened string
		readOnly     bool
		kind         page.Kind
		multiple     bool
	}{
		{"typed into", "", false, page.KindTypeahead, false},
		{"never typed into", "", true, page.KindSelect, false},
		{"several answers", "l.setAttribute('aria-multiselectable','true')", true, page.KindSelect, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, fmt.Sprintf(choice, tt.opened, tt.readOnly))
			c := v.only(t)
			got, err := v.Choices(v.ctx, c, 0)
			if err != nil {
				t.Fatal(err)
			}
			c.Learn(got)
			if c.Kind != tt.kind || c.Multiple != tt.multiple || len(got.Options) != 3 || !got.Complete {
				t.Errorf("%s, multiple %v, %+v", c.Kind, c.Multiple, got)
			}
		})
	}
}

// TestChoices reads lists that come in the manner of frameworks, and leaves
// the page as it was.
func TestChoices(t *testing.T) {
	overlay := `<div id=c role=combobox tabindex=0 aria-haspopup=listbox aria-expanded=false aria-label=Size style="border:1px solid;width:200px;height:30px"></div><p id=log></p><script>
		const c=document.querySelector('#c');let o;
		const close=()=>{if(o){o.remove();o=null;c.setAttribute('aria-expanded','false')}};
		const open=()=>{if(o)return;o=document.createElement('div');o.innerHTML='<div class=backdrop style="position:fixed;inset:0"></div><ul role=listbox style="position:absolute;top:100px;background:#fff"><li role=option>Small</li><li role=option aria-disabled=true>Large</li></ul>';document.body.append(o);c.setAttribute('aria-expanded','true');o.firstChild.onclick=close};
		EVENT
		document.addEventListener('keydown',e=>{if(e.key==='Escape')close()});</script>`
	tests := []struct {
		name, html string
		labels     int
		complete   bool
		read, want string
	}{
		{"overlay that opens on mousedown", strings.ReplaceAll(overlay, "EVENT", "c.addEventListener('mousedown',open);"), 2, true, "() => c.getAttribute('aria-expanded')+document.querySelectorAll('[role=option]').length", "false0"},
		{"overlay that takes trusted presses only", strings.ReplaceAll(overlay, "EVENT", "c.addEventListener('click',e=>{if(e.isTrusted)open()});"), 2, true, "() => c.getAttribute('aria-expanded')", "false"},
		{"button and hidden list", `<button id=c aria-haspopup=listbox aria-expanded=false aria-label=Size onclick="l.hidden=!l.hidden;this.setAttribute('aria-expanded',!l.hidden)">Pick</button><div id=h></div><ul id=l role=listbox hidden></ul><script>c.addEventListener('click',()=>{l.innerHTML='` + optionsHTML(4) + `'})</script>`, 4, true, "() => l.hidden+c.getAttribute('aria-expanded')", "truefalse"},
		{"a prefilled suggestion field keeps its value", `<form><label for=c>Town</label><input id=c role=combobox aria-autocomplete=list aria-controls=l aria-expanded=false value=Bern><input type=hidden id=h name=town value=BE><ul id=l role=listbox hidden></ul></form><script>
			const all=['Basel','Bern','Biel','Chur'];c.addEventListener('input',()=>{h.value='';const f=all.filter(x=>c.value&&x.toLowerCase().startsWith(c.value.toLowerCase()));l.innerHTML=f.map(x=>'<li role=option>'+x+'</li>').join('');l.hidden=!f.length;c.setAttribute('aria-expanded',!!f.length)});
			c.addEventListener('blur',()=>{l.hidden=true;c.setAttribute('aria-expanded','false')});l.addEventListener('mousedown',e=>e.preventDefault());l.addEventListener('click',e=>{c.value=e.target.textContent;h.value=c.value.slice(0,2).toUpperCase();l.hidden=true;c.setAttribute('aria-expanded','false')})</script>`, 4, true, "() => c.value+h.value+l.hidden", "BernBEtrue"},
		{"suggestions that are cut at ten", `<label for=c>Item</label><input id=c role=combobox aria-autocomplete=list aria-controls=l aria-expanded=false><ul id=l role=listbox hidden></ul><script>
			const all=Array.from({length:200},(_,i)=>'Item '+'abcdefghij'[i%10]+'x'.repeat(i/10));c.addEventListener('input',()=>{const f=all.filter(x=>c.value&&x.toLowerCase().includes(c.value.toLowerCase())).slice(0,10);l.innerHTML=f.map(x=>'<li role=option>'+x+'</li>').join('');l.hidden=!f.length});c.addEventListener('blur',()=>{l.hidden=true})</script>`, -1, false, "() => c.value+l.hidden", "true"},
		{"a list that opens whole", `<label for=c>Item</label><input id=c role=combobox aria-autocomplete=list aria-controls=l aria-expanded=false onclick="f()" oninput="f()" onblur="l.hidden=true"><ul id=l role=listbox hidden></ul><script>function f(){l.innerHTML='` + optionsHTML(30) + `';for(const x of [...l.children])if(!x.textContent.toLowerCase().includes(c.value.toLowerCase()))x.remove();l.hidden=false}</script>`, 30, true, "() => c.value+l.hidden", "true"},
		{"select filled when it gets the focus", `<label for=c>Item</label><select id=c><option value="">Select</option></select><script>c.addEventListener('focus',()=>{if(c.options.length<2)c.append(new Option('One','1'),new Option('Two','2'))})</script>`, 2, true, "() => c.value", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := show(t, tt.html)
			got, err := v.Choices(v.ctx, v.only(t), 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Options) != tt.labels && tt.labels >= 0 || got.Complete != tt.complete {
				t.Errorf("%d options, complete %v: %+v", len(got.Options), got.Complete, got.Options)
			}
			same(t, "page afterwards", tt.want, v.eval(t, tt.read))
		})
	}
}
