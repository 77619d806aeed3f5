package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// combo is a typeahead that counts only what was picked from its list.
const combo = `<label for=f>State</label><input id=f role=combobox aria-controls=l aria-expanded=false autocomplete=off><ul id=l role=listbox hidden></ul><output id=o></output><script>
	const all = ['Washington DC', 'Washington', 'West Virginia', 'Ohio'];
	let timer;
	f.addEventListener('input', () => { clearTimeout(timer); o.value = ''; timer = setTimeout(() => {
		l.innerHTML = ''; for (const s of all.filter((x) => x.toLowerCase().includes(f.value.toLowerCase()))) { const li = document.createElement('li'); li.role = 'option'; li.textContent = s;
			li.onmousedown = (e) => e.preventDefault(); li.onclick = (e) => { if (%s) return; f.value = s; o.value = s; l.hidden = true; f.setAttribute('aria-expanded', 'false') }; l.append(li) }
		l.hidden = !l.children.length; f.setAttribute('aria-expanded', String(!l.hidden)) }, 250) });
</script>`

func TestTypeahead(t *testing.T) {
	picked := "() => document.querySelector('#o').value"
	tests := []struct{ name, html, value, picked, state string }{
		{"exact, not first", fmt.Sprintf(combo, "false"), "Washington", "Washington", "set"},
		{"folded", fmt.Sprintf(combo, "false"), " ohio ", "Ohio", "set"},
		{"only real clicks", fmt.Sprintf(combo, "!e.isTrusted"), "Ohio", "Ohio", "set"},
		{"part of several", fmt.Sprintf(combo, "false"), "Wash", "", "option_not_found [Washington DC|Washington]"},
		{"nothing", fmt.Sprintf(combo, "false"), "Quebec", "", "option_not_found [Washington DC|Washington|West Virginia|Ohio]"},
		{"never picked", fmt.Sprintf(combo, "true"), "Ohio", "", "value_mismatch"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, tt.html)
			got := v.set(t, field("#f", page.KindTypeahead, tt.value))
			same(t, "state", []string{tt.state}, states(got))
			same(t, "picked", tt.picked, v.eval(t, picked))
		})
	}
}

// TestListbox finds an option in a list that draws only the rows in view, in a
// portal, opened by a button.
func TestListbox(t *testing.T) {
	v := show(t, `<button id=f type=button aria-haspopup=listbox aria-expanded=false>Choose</button><script>
		f.onclick = () => { const box = document.createElement('div'); box.role = 'listbox'; box.style = 'position:fixed;top:100px;left:0;height:200px;width:200px;overflow:auto';
			const inner = document.createElement('div'); inner.style = 'height:6000px;position:relative'; box.append(inner); document.body.append(box); f.setAttribute('aria-expanded', 'true');
			const draw = () => { inner.innerHTML = ''; const from = Math.floor(box.scrollTop / 20); for (let i = from; i < Math.min(300, from + 11); i++) { const d = document.createElement('div'); d.role = 'option';
				d.textContent = 'Row ' + i; d.style = 'position:absolute;height:20px;width:180px;top:' + i * 20 + 'px'; d.onclick = () => { f.textContent = d.textContent; box.remove(); f.setAttribute('aria-expanded', 'false') }; inner.append(d) } };
			box.onscroll = draw; draw() }</script>`)
	got := v.set(t, field("#f", page.KindSelect, "Row 271"))
	same(t, "state", []string{"set"}, states(got))
	same(t, "shown", "Row 271", v.eval(t, "() => f.textContent"))
	same(t, "again", []string{"already"}, states(v.set(t, field("#f", page.KindSelect, "Row 271"))))
}

func TestDates(t *testing.T) {
	months := "<option value=''>Month"
	for i, m := range []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"} {
		months += fmt.Sprintf("<option value=m%d>%s", i, m)
	}
	days := "<option value=''>Day"
	for i := 1; i <= 31; i++ {
		days += fmt.Sprintf("<option>%d", i)
	}
	three := `<fieldset id=dob><legend>Born</legend><label>Month <input id=m maxlength=2></label><label>Day <input id=d maxlength=2></label><label>Year <input id=y maxlength=4></label></fieldset>`
	selects := `<fieldset id=dob><label>Month <select id=m>` + months + `</select></label><label>Day <select id=d>` + days + `</select></label><label>Year <input id=y type=number></label></fieldset>`
	boxes := func(what string) string {
		html := "<fieldset id=dob><legend>Born</legend>"
		for _, part := range []string{"month", "day", "year"} {
			html += fmt.Sprintf("<div><label>%s <input id=%s inputmode=numeric %s></label></div>", map[bool]string{true: part}[what == ""], part[:1], strings.ReplaceAll(what, "*", part))
		}
		return html + "</fieldset>"
	}
	values := "() => [m.value, d.value, y.value].join('|')"
	date := func(selector string, parts ...string) page.Answer {
		a := field(selector, page.KindDate, "2001-05-07")
		for i, n := range []string{"month", "day", "year"} {
			if len(parts) > i {
				if a.Parts == nil {
					a.Parts = map[string]page.Target{}
				}
				a.Parts[n] = page.Target{Selector: parts[i]}
			}
		}
		return a
	}
	tests := []struct {
		name, html string
		answer     page.Answer
		want       string
	}{
		{"three inputs of a group", three, date("#dob"), "05|07|2001"},
		{"three inputs from the first", three, date("#m"), "05|07|2001"},
		{"three inputs, named", three, date("", "#m", "#d", "#y"), "05|07|2001"},
		{"three boxes that say so in their names", boxes("name=born-*"), date("#d"), "05|07|2001"},
		{"three boxes that say so in their labels", boxes(""), date("#d"), "05|07|2001"},
		{"three boxes that say so to the browser", boxes("autocomplete=bday-*"), date("#d"), "05|07|2001"},
		{"three selects", selects, date("#dob"), "m4|7|2001"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, tt.html)
			same(t, "state", []string{"set"}, states(v.set(t, tt.answer)))
			same(t, "values", tt.want, v.eval(t, values))
			got, err := v.Verify(v.ctx, []page.Answer{tt.answer})
			if err != nil || got[0].State != page.StateSet {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	v := show(t, `<p>Born <input id=d name=born-day> <input name=born-month> <input name=x1> <input name=born-year></p>`)
	same(t, "a date in one of four boxes", []string{"value_mismatch"}, states(v.set(t, date("#d"))))
	same(t, "the box", "", v.eval(t, "() => d.value"))
}

func TestOddWidgets(t *testing.T) {
	boxes := strings.Repeat(`<input maxlength=1 class=b oninput="if(this.value&&this.nextElementSibling)this.nextElementSibling.focus()">`, 4)
	tests := []struct {
		name, html string
		answer     page.Answer
		read, want string
	}{
		{"boxes", boxes, field(".b", page.KindText, "4071"), "() => [...document.querySelectorAll('.b')].map((b) => b.value).join('')", "4071"},
		{"slider", `<div id=f role=slider tabindex=0 aria-valuenow=10 aria-valuemin=0 aria-valuemax=100 style="width:200px;height:20px;background:#ccc" onkeydown="const d={ArrowRight:5,ArrowLeft:-5}[event.key];if(d&&event.isTrusted)this.setAttribute('aria-valuenow',+this.getAttribute('aria-valuenow')+d)"></div>`,
			field("#f", page.KindRange, json.Number("35")), "() => f.getAttribute('aria-valuenow')", "35"},
		{"file", `<button id=f type=button onclick="h.click()">Add file</button><input type=file id=h hidden onchange="o.value=this.files[0].name+' '+this.files[0].size">` + "<output id=o></output>",
			field("#f", page.KindFile, page.File{Name: "a.pdf", Data: []byte("12345")}), "() => o.value", "a.pdf 5"},
		{"drop zone", `<div id=f style="width:200px;height:100px" ondragover="event.preventDefault()" ondrop="event.preventDefault();o.value=[...event.dataTransfer.files].map((f)=>f.name).join()">Drop here</div><output id=o></output>`,
			field("#f", page.KindFile, []page.File{{Name: "a.pdf"}, {Name: "b.pdf"}}), "() => o.value", "a.pdf,b.pdf"},
		{"tracked value", `<input id=f><output id=o></output><script>let seen='';const p=Object.getOwnPropertyDescriptor(HTMLInputElement.prototype,'value');
			Object.defineProperty(f,'value',{get(){return p.get.call(this)},set(v){seen=v;p.set.call(this,v)}});f.addEventListener('input',()=>{const v=p.get.call(f);if(v!==seen){seen=v;o.value=v}})</script>`,
			field("#f", page.KindText, "Ada"), "() => o.value", "Ada"},
		{"committed on blur", `<input id=f><output id=o></output><script>let v='';f.addEventListener('input',()=>{v=f.value});f.addEventListener('blur',()=>{o.value=v})</script>`,
			field("#f", page.KindText, "Ada"), "() => o.value", "Ada"},
		{"checkbox with none", `<label><input type=checkbox class=c name=c value=a onchange="n.checked=false">A</label><label><input type=checkbox class=c name=c value=none id=n checked onchange="if(this.checked)document.querySelector('[value=a]').checked=false">None</label>`,
			field(".c", page.KindCheckbox, []string{"A"}), "() => [...document.querySelectorAll(':checked')].map((e)=>e.value).join()", "a"},
		{"trusted radio", `<label><input type=radio name=r value=a onclick="if(!event.isTrusted)event.preventDefault()">A</label>`, field("[name=r]", page.KindRadio, "A"), "() => document.querySelector(':checked').value", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, tt.html)
			same(t, "state", []string{"set"}, states(v.set(t, tt.answer)))
			same(t, "page", tt.want, v.eval(t, tt.read))
		})
	}
}

// rows is a form with a dialog for each row, at most two of them.
const rowsDialog = `<table><tbody id=tb></tbody></table><button id=add type=button>Add a loan</button>
	<dialog id=d><label>Kind <select id=kind><option value="">-<option value=s>Subsidized<option value=p>Private</select></label><label>Amount <input id=amount></label><p id=e class=error-message hidden>Enter an amount</p>
	<button id=save type=button>Save</button></dialog><script>
	add.onclick = () => { kind.value = ''; amount.value = ''; d.showModal() };
	save.onclick = () => setTimeout(() => { if (!+amount.value) { e.hidden = false; return } tb.insertRow().className = 'row'; tb.lastChild.innerHTML = '<td>' + kind.value + '<td>' + amount.value; d.close() }, 100);
</script>`

func TestRows(t *testing.T) {
	g := page.Group{Add: page.Target{Selector: "#add"}, Row: page.Target{Selector: "tr.row"}}
	loan := func(kind, amount string) []page.Answer {
		return []page.Answer{field("#kind", page.KindSelect, kind), field("#amount", page.KindText, amount)}
	}
	v := show(t, rowsDialog)
	for i, l := range [][]page.Answer{loan("Private", "100"), loan("s", "200")} {
		got, err := v.AddRow(v.ctx, g, i, l)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "states", []string{"set", "set"}, states(got))
	}
	same(t, "rows", "p100,s200", v.eval(t, "() => [...document.querySelectorAll('.row')].map((r) => r.textContent).join()"))
	if _, err := v.AddRow(v.ctx, g, 2, loan("s", "0")); faultType(err) != "page_rejected" {
		t.Errorf("a refused row gives %v", err)
	}

	inline := show(t, `<div id=list></div><button id=add type=button>Add</button><script>let n = 0;
		add.onclick = () => { list.insertAdjacentHTML('beforeend', '<p class=row><label>Kind <input class=kind></label><label>Amount <input id=amount_' + n + '></label></p>'); n++ }</script>`)
	for i, amount := range []string{"5", "6"} {
		_, err := inline.AddRow(inline.ctx, page.Group{Add: g.Add, Row: page.Target{Selector: "p.row"}}, i, []page.Answer{field(".kind", page.KindText, "k"+amount), field("#amount_{index}", page.KindText, amount)})
		if err != nil {
			t.Fatal(err)
		}
	}
	same(t, "inline rows", "k5,5,k6,6", inline.eval(t, "() => [...document.querySelectorAll('input')].map((e) => e.value).join()"))
}

// TestRowsThatStand: the first row is there already; others are found by the words
// that all rows share. The button that saves the whole form stores no row.
func TestRowsThatStand(t *testing.T) {
	v := show(t, `<form onsubmit="o.value='sent';return false"><div id=list></div><button id=add type=button>Add a player</button> <button id=go>Save and continue</button></form><output id=o></output><script>let n = 7;
		add.onclick = () => { list.insertAdjacentHTML('beforeend', '<p><label for=x' + n + '>Player</label><input id=x' + n + '></p>'); n += 4 }; add.onclick()</script>`)
	for i, name := range []string{"Ada", "Bo", "Cy"} {
		if _, err := v.AddRow(v.ctx, page.Group{Add: page.Target{Selector: "#add"}}, i, []page.Answer{field("label=Player", page.KindText, name)}); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "rows", "Ada,Bo,Cy", v.eval(t, "() => [...document.querySelectorAll('input')].map((e) => e.value).join() + o.value"))
}

func TestVerifySeesWhatIsLost(t *testing.T) {
	v := show(t, `<input id=f><label><input type=checkbox id=c>C</label>`)
	answers := []page.Answer{field("#f", page.KindText, "Ada"), field("#c", page.KindCheckbox, true)}
	v.set(t, answers...)
	v.eval(t, "() => { document.querySelector('#f').value = ''; return '' }")
	got, err := v.Verify(v.ctx, answers)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "states", []string{"value_mismatch", "set"}, states(got))
}

// TestVerifyComparison: reformatting is the same value, another value is not.
func TestVerifyComparison(t *testing.T) {
	tests := []struct {
		want, shown string
		same        bool
	}{
		{"Ada", " ada ", true}, {"O\u2019Neil", "O'Neil", true}, {"Ada", "Adam", false}, {"Ada", "", false}, {"", "", true},
		{"120000", "$120,000.00", true}, {"1.5", "15", false}, {"1234.5", "1,234.50", true}, {"-5", "5", false}, {"5", "05", true}, {"5", "5%", true},
		{"12.50", "$1,250", false}, {"(5)", "-5", true}, {"0.50", ".5", true}, {"-0", "0", true}, {"12345678901234567890", "12345678901234567891", false},
		{"12345678901234567890", "12,345,678,901,234,567,890.00", true},
		{"5551234567", "(555) 123-4567", true}, {"123456789", "123-45-6789", true}, {"123456789", "123-45-678", false}, {"01234", "1234", false}, {"A-1024", "A1024", true},
	}
	html := ""
	var answers []page.Answer
	for i, tt := range tests {
		html += fmt.Sprintf(`<input id=f%d value="%s">`, i, tt.shown)
		answers = append(answers, field(fmt.Sprintf("#f%d", i), page.KindText, tt.want))
	}
	v := show(t, html)
	got, err := v.Verify(v.ctx, answers)
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range tests {
		if ok := got[i].State == page.StateSet; ok != tt.same {
			t.Errorf("%q shown as %q: same is %v", tt.want, tt.shown, ok)
		}
	}
}

// TestNoValueInText: an outcome that is printed does not show what was entered.
func TestNoValueInText(t *testing.T) {
	o := page.Outcome{ID: "ssn", State: page.StateSet, Got: "123-45-6789"}
	if s := fmt.Sprint(o); strings.Contains(s, "6789") {
		t.Errorf("printed as %s", s)
	}
}
