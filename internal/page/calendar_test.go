package page_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// lockedBox is a box that is locked for typing, with a calendar at the end of the
// page whose months are in German and which does not offer Sundays. %MODE% is one day,
// an interval of days in one box, or a day with a time; the box shows days first.
const lockedBox = `<form><label for=pickup>Abholung</label><input id=pickup readonly><label for=plan>Plan</label><input id=plan readonly>` + sendForm + `<div class=x-picker style="display:none;position:absolute;width:260px"><div><span class=x-prev></span><b class=x-title></b><span class=x-next></span></div><div class=x-days></div><select class=x-hours hidden></select><select class=x-minutes hidden></select></div><script>{
	const mode = '%MODE%', pop = document.querySelector('.x-picker'), days = pop.querySelector('.x-days'), [hh, mm] = pop.querySelectorAll('select'); let y = 2026, m = 10, on = [];
	const names = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '), two = (n) => String(n).padStart(2, 0), text = (d) => two(d.getDate()) + '.' + two(d.getMonth() + 1) + '.' + d.getFullYear();
	for (let i = 0; i < 24; i++) hh.append(new Option(two(i), i)); for (let i = 0; i < 60; i += 15) mm.append(new Option(two(i), i));
	hh.hidden = mm.hidden = mode !== 'time';
	const write = () => { pickup.value = on.map(text).join(' bis ') + (mode === 'time' && on.length ? ' ' + two(hh.value) + ':' + two(mm.value) : '') };
	const draw = () => { pop.querySelector('.x-title').textContent = names[m] + ' ' + y; days.innerHTML = ''; for (let i = 1; i <= new Date(y, m + 1, 0).getDate(); i++) { const d = new Date(y, m, i), s = document.createElement('span'); s.className = 'x-day' + (d.getDay() ? '' : ' is-disabled') + (on.some((o) => +o === +d) ? ' range-start' : ''); s.style = 'display:inline-block;width:30px'; s.textContent = i;
		s.onclick = () => { if (!d.getDay()) return; on = mode === 'range' && on.length === 1 ? on.concat(d).sort((a, b) => a - b) : [d]; write(); draw(); if (mode === 'one' || on.length === 2) pop.style.display = 'none' }; days.append(s) } };
	hh.onchange = mm.onchange = write; pop.querySelector('.x-prev').onclick = () => { m--; if (m < 0) { m = 11; y-- } draw() }; pop.querySelector('.x-next').onclick = () => { m++; if (m > 11) { m = 0; y++ } draw() };
	for (const s of pop.querySelectorAll('.x-prev,.x-next')) s.style = 'display:inline-block;width:20px;height:20px';
	pickup.onclick = () => { draw(); pop.style.display = 'block' }; document.addEventListener('mousedown', (e) => { if (!pop.contains(e.target) && e.target !== pickup) pop.style.display = 'none' }) }</script>`

// TestLockedBoxes picks days in the calendar of a box that is locked for typing: what
// the box takes is told by opening it and by picking.
func TestLockedBoxes(t *testing.T) {
	day := func(value string) page.Answer { return field("#pickup", page.KindDate, value) }
	text := func(value string) page.Answer { return field("#pickup", page.KindText, value) }
	tests := []struct {
		name, mode, takes string
		answer            page.Answer
		state             page.State
		wants, shows      string
	}{
		{"a day in two orders", "one", "date", day("2026-12-02"), page.StateSet, "", "02.12.2026"},
		{"months in another language", "one", "date", day("2027-03-04"), page.StateSet, "", "04.03.2027"},
		{"a day that is not offered", "one", "date", day("2026-12-06"), page.StateOptionNotFound, "", ""},
		{"one day of an interval", "range", "date", day("2026-12-02"), page.StateValueMismatch, "interval", "02.12.2026"},
		{"an interval", "range", "date", text("2026-12-28/2027-01-04"), page.StateSet, "", "28.12.2026 bis 04.01.2027"},
		{"a day without its time", "time", "datetime-local", day("2026-12-02"), page.StateValueMismatch, "datetime-local", "02.12.2026 00:00"},
		{"a day with a time", "time", "datetime-local", text("2026-12-02T14:45"), page.StateSet, "", "02.12.2026 14:45"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, strings.Replace(lockedBox, "%MODE%", tt.mode, 1))
			for selector, want := range map[string]string{"#pickup": tt.takes, "#plan": ""} {
				takes, err := v.OpensDays(v.ctx, page.Control{Selector: selector})
				if err != nil {
					t.Fatal(err)
				}
				same(t, "what "+selector+" takes", want, takes)
			}
			o := v.set(t, tt.answer)[0]
			same(t, "state", tt.state, o.State)
			same(t, "wants", tt.wants, o.Wants)
			same(t, "the box", tt.shows, v.eval(t, "() => pickup.value"))
			read, err := v.Verify(v.ctx, []page.Answer{tt.answer})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "the look back", o.State.OK(), read[0].State.OK())
		})
	}
}
