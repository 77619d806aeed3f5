package page_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// drawnSelect is a library's box around a native select that it makes transparent.
// The box shows the chosen answer in a list of its own, and says of its list only
// whether it is open.
const drawnSelect = `<form><label for=tea>Tea</label><div class=box role=combobox aria-haspopup=true aria-expanded=false tabindex=0 style="position:relative;width:200px;border:1px solid"><div class=inner><select id=tea name=tea required tabindex=-1 style="position:absolute;inset:0;opacity:0;pointer-events:none"><option value="">Pick one<option value=g>Green<option value=b>Black</select><div role=listbox class=held><div role=option aria-selected=true>Pick one</div></div></div>
	<div class=drop style="display:none"><input type=search aria-label="Pick one"><div role=listbox class=all><div role=option data-value=g>Green</div><div role=option data-value=b>Black</div></div></div></div>` + sendForm + `<script>{
	const box = document.querySelector('.box'), drop = box.querySelector('.drop'), open = (on) => { drop.style.display = on ? 'block' : 'none'; box.setAttribute('aria-expanded', on) };
	box.addEventListener('mousedown', (e) => { const x = e.target.closest('.all [role=option]'); if (!x) return open(true); tea.value = x.dataset.value; box.querySelector('.held').innerHTML = '<div role=option aria-selected=true>' + x.textContent + '</div>'; open(false) }) }</script>`

// shrunkSelect is a library's text field for several answers beside a native select
// that it makes one pixel wide: the options of that one still have boxes.
const shrunkSelect = `<form><label for=pick>Sports</label><select id=sports name=sports multiple required tabindex=-1 style="border:0;clip:rect(0 0 0 0);overflow:hidden;padding:0;position:absolute;width:1px"><option value=r>Rowing<option value=t>Tennis<option value=y>Yoga</select>
	<div class=wrap><div class=control><span id=chips></span><input id=pick role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=offer></div><div id=offer role=listbox style="display:none"></div></div>` + sendForm + `<script>{
	const draw = () => { chips.innerHTML = ''; for (const o of sports.selectedOptions) { const x = document.createElement('div'); x.className = 'item'; x.textContent = o.label; const r = document.createElement('a'); r.className = 'remove'; r.textContent = '\u00d7'; r.onclick = () => { o.selected = false; draw() }; x.append(r); chips.append(x) }
		offer.innerHTML = ''; for (const o of sports.options) if (!o.selected && o.label.toLowerCase().includes(pick.value.toLowerCase())) { const d = document.createElement('div'); d.setAttribute('role', 'option'); d.textContent = o.label; d.onclick = () => { o.selected = true; pick.value = ''; draw() }; offer.append(d) } };
	const open = (on) => { offer.style.display = on ? 'block' : 'none'; pick.setAttribute('aria-expanded', on); draw() };
	pick.addEventListener('input', () => open(true)); pick.addEventListener('click', () => open(true)); pick.addEventListener('blur', () => open(false)); draw() }</script>`

// bareBox is a list in a list without any role, and the answer of a hidden field.
const bareBox = `<form><div class=q><label>Team</label><ul class=dropdown tabindex=0 style="list-style:none;border:1px solid;padding:0;width:200px"><li class=text>Choose an option</li><li class=wrap style="display:none"><ul><li data-value=r class=item><a href="javascript:void(0)">Red</a></li><li data-value=b class=item><a href="javascript:void(0)">Blue</a></li></ul></li></ul><input type=hidden name=team id=team></div>
	<nav><ul class=dropdown tabindex=0><li>More<ul style="display:none"><li class=item><a href="/a">A</a></li><li class=item><a href="/b">B</a></li></ul></li></ul></nav>` + sendForm + `<script>{
	const box = document.querySelector('form .dropdown'), wrap = box.querySelector('.wrap');
	box.addEventListener('click', (e) => { const x = e.target.closest('.item'); if (x) { team.value = x.dataset.value; box.querySelector('.text').textContent = x.textContent } wrap.style.display = x || wrap.style.display === 'block' ? 'none' : 'block' }) }</script>`

// dayBox is a text field that a calendar fills in. The calendar has fields for its
// month and year, days of the months around, and signs that are no buttons. With
// %LOCK% empty, the field takes letters and drops them when it is left.
const dayBox = `<form><label for=day>Day of arrival</label><input id=day class=date-picker %LOCK%>` + sendForm + `<div class=my-calendar style="display:none;width:260px"><div class=head><span class=x-prev-month>&lsaquo;</span><select aria-label=Month></select><input type=number aria-label=Year class=year><span class=x-next-month>&rsaquo;</span></div><div class=days></div></div><script>{
	const cal = document.querySelector('.my-calendar'), months = cal.querySelector('select'), year = cal.querySelector('.year'), days = cal.querySelector('.days'); let y = 2026, m = 10, kept = '';
	'January February March April May June July August September October November December'.split(' ').forEach((s, i) => months.append(new Option(s, i)));
	const iso = (d) => d.getFullYear() + '-' + String(d.getMonth() + 1).padStart(2, 0) + '-' + String(d.getDate()).padStart(2, 0);
	const draw = () => { months.value = m; year.value = y; days.innerHTML = ''; const first = new Date(y, m, 1); for (let i = -first.getDay(); i < 42 - first.getDay(); i++) { const d = new Date(y, m, 1 + i), s = document.createElement('span'); s.className = d.getMonth() === m ? 'day' : d < first ? 'day prevMonthDay' : 'day nextMonthDay'; s.style = 'display:inline-block;width:30px'; s.textContent = d.getDate(); s.onclick = () => { day.value = kept = iso(d); cal.style.display = 'none' }; days.append(s) } };
	months.onchange = () => { m = +months.value; draw() }; year.onchange = () => { y = +year.value; draw() };
	cal.querySelector('.x-prev-month').onclick = () => { m--; if (m < 0) { m = 11; y-- } draw() }; cal.querySelector('.x-next-month').onclick = () => { m++; if (m > 11) { m = 0; y++ } draw() };
	day.addEventListener('focus', () => { cal.style.display = 'block' }); day.addEventListener('blur', () => setTimeout(() => { day.value = kept }, 60)); document.addEventListener('mousedown', (e) => { if (!cal.contains(e.target) && e.target !== day) cal.style.display = 'none' }); draw() }</script>`

// fadingMenus are two choices of a library whose lists open in a layer without a size and
// go on showing for a moment when they are closed. The select beside each has options
// without words, for browsers that fill in by themselves.
const fadingMenus = `<form><div class=q><label for=town>Town</label><div class=field><select hidden><option value=Bonn></option><option value=Trier></option></select><span class=held></span><input id=town role=combobox inputmode=none size=1 aria-expanded=false aria-controls=menu-town></div></div>
	<div class=q><label for=extras>Extras</label><div class=field><select hidden multiple><option value=Lift></option><option value=Garden></option><option value=Garage></option></select><span class=held></span><input id=extras role=combobox inputmode=none size=1 aria-expanded=false aria-controls=menu-extras></div></div>` + sendForm + `<div class=layer></div><script>
	for (const q of document.querySelectorAll('.q')) { const f = q.querySelector('input'), native = q.querySelector('select'), many = native.multiple; let on = [], menu;
		const draw = () => { q.querySelector('.held').innerHTML = on.map((x) => '<span class=selection>' + x + '</span>').join(' '); if (!many) f.value = on.join() };
		const shut = () => { if (!menu) return; const old = menu; menu = null; f.setAttribute('aria-expanded', false); setTimeout(() => old.remove(), 300) };
		q.querySelector('.field').addEventListener('mousedown', () => { if (menu) return shut(); menu = document.createElement('div'); menu.id = f.getAttribute('aria-controls'); menu.className = 'x-menu'; menu.style = 'position:absolute;height:0'; const list = document.createElement('div'); list.setAttribute('role', 'listbox'); menu.append(list);
			for (const o of native.options) { const d = document.createElement('div'); d.setAttribute('role', 'option'); d.textContent = o.value; d.setAttribute('aria-selected', on.includes(o.value)); d.onclick = () => { const had = on.includes(o.value); on = many ? (had ? on.filter((y) => y !== o.value) : on.concat(o.value)) : [o.value]; d.setAttribute('aria-selected', on.includes(o.value)); draw(); if (!many) shut() }; list.append(d) }
			document.querySelector('.layer').append(menu); f.setAttribute('aria-expanded', true) });
		f.addEventListener('keydown', (e) => { if (e.key === 'Escape') shut() }); q.held = () => on.join() }</script>`

// TestEnhanced describes controls as libraries draw them, sets each and reads it
// back: what is sent is what a person would have sent.
func TestEnhanced(t *testing.T) {
	locked, free := strings.Replace(dayBox, "%LOCK%", "readonly required", 1), strings.Replace(dayBox, "%LOCK%", "required", 1)
	stamps := `<form><label for=w>Week</label><input type=week id=w name=w><label for=m>Starts at</label><input type=datetime-local id=m name=m>` + sendForm
	tests := []struct {
		name, html string
		controls   []string
		answers    []page.Answer
		states     string
		read, want string
	}{
		{"a transparent select in a box", drawnSelect, []string{`select Tea required:attribute options:2 <[role="combobox"]:has(#tea)>`},
			[]page.Answer{field(`[role="combobox"]:has(#tea)`, page.KindSelect, "Black")}, "set", "() => tea.value", "b"},
		{"the same by the select itself", drawnSelect, []string{`select Tea required:attribute options:2 <[role="combobox"]:has(#tea)>`},
			[]page.Answer{field("#tea", page.KindSelect, "g")}, "set", "() => tea.value + document.querySelector('.held').textContent", "gGreen"},
		{"several beside a shrunk select", shrunkSelect, []string{`typeahead Sports required:attribute multiple options:3 <#pick>`},
			[]page.Answer{field("#pick", page.KindTypeahead, []string{"Rowing", "Yoga"})}, "set", "() => [...sports.selectedOptions].map((o) => o.value).join()", "r,y"},
		{"lists that fade away", fadingMenus, []string{`select Town late <#town>`, `select Extras multiple late <#extras>`},
			[]page.Answer{field("#town", page.KindSelect, "Trier"), field("#extras", page.KindSelect, []string{"Garden", "Lift"})}, "set set", "() => [...document.querySelectorAll('.held')].map((h) => h.innerText).join()", "Trier,Garden Lift"},
		{"a list without roles", bareBox, []string{`select Team options:2 <body > main > form > div > ul>`},
			[]page.Answer{field("body > main > form > div > ul", page.KindSelect, "Blue")}, "set", "() => team.value", "b"},
		{"a locked field with a calendar", locked, []string{`date Day of arrival required:attribute <#day>`},
			[]page.Answer{field("#day", page.KindDate, "1990-04-05")}, "set", "() => day.value", "1990-04-05"},
		{"a day that stands in two months", locked, []string{`date Day of arrival required:attribute <#day>`},
			[]page.Answer{field("#day", page.KindDate, "2026-12-30")}, "set", "() => day.value", "2026-12-30"},
		{"a field that drops what is typed", free, []string{`date Day of arrival required:attribute <#day>`},
			[]page.Answer{field("#day", page.KindDate, "2027-02-01")}, "set", "() => day.value", "2027-02-01"},
		{"no day, though a calendar is near", `<form><label for=p>Day phone</label><input id=p><label for=b>Where were you born?</label><input id=b><label for=k>Account</label><input id=k readonly value=A1>` + sendForm + `<div class=my-calendar hidden></div>`, []string{`text/phone Day phone <#p>`, `text Where were you born? <#b>`},
			[]page.Answer{field("#p", page.KindText, "2025550143")}, "set", "() => p.value", "2025550143"},
		{"a week and a moment", stamps, []string{`text Week <#w>`, `text Starts at <#m>`},
			[]page.Answer{field("#w", page.KindText, "2026-W07"), field("#m", page.KindText, "2026-02-09T18:30:00")}, "set set", "() => w.value + ' ' + m.value", "2026-W07 2026-02-09T18:30"},
		{"another moment of the same day", stamps, []string{`text Week <#w>`, `text Starts at <#m>`},
			[]page.Answer{field("#w", page.KindText, "2026-W60"), field("#m", page.KindText, "2026-02-09 25:00")}, "value_mismatch value_mismatch", "() => w.value + m.value", ""},
		{"the words of a switch", `<form><input type=checkbox id=s style="opacity:0;position:absolute"><label for=s>Quiet room<span><span aria-hidden=true>Off</span><span aria-hidden=true style="display:none">On</span></span></label>` + sendForm, []string{`checkbox Quiet room <#s>`},
			[]page.Answer{field("#s", page.KindCheckbox, true)}, "set", "() => s.checked", "true"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, tt.html)
			if strings.HasPrefix(tt.states, "value_mismatch") {
				v.ElementTimeout = 0 // nothing comes later
			}
			inv, err := v.Controls(v.ctx, 0)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range inv.Controls {
				if c.Decoy == "" {
					got = append(got, brief(c))
				}
			}
			same(t, "controls", tt.controls, got)
			outcomes := v.set(t, tt.answers...)
			same(t, "states", tt.states, strings.Join(states(outcomes), " "))
			same(t, "page", tt.want, v.eval(t, tt.read))
			read, err := v.Verify(v.ctx, tt.answers)
			if err != nil {
				t.Fatal(err)
			}
			for i, o := range read {
				if o.State.OK() != outcomes[i].State.OK() {
					t.Errorf("%s: set says %s, the look back %s", o.ID, outcomes[i].State, o.State)
				}
			}
		})
	}
}
