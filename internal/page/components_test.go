package page_test

import (
	"fmt"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// slotSelect is a component whose list is in its shadow root, with the options of
// the page in a slot, and whose choice stands in a field that cannot be typed in.
const slotSelect = `<x-select id=f name=fruit label=Fruit %s><x-option role=option aria-selected=false value=a>Apple</x-option><x-option role=option aria-selected=false value=b>Banana</x-option><x-option role=option aria-selected=false value=c>Cherry</x-option></x-select><output id=o></output><script>
	customElements.define('x-option', class extends HTMLElement {});
	customElements.define('x-select', class extends HTMLElement { connectedCallback() {
		const many = this.hasAttribute('multiple'), root = this.attachShadow({mode:'open'});
		root.innerHTML = '<div id=box style="border:1px solid;padding:4px"><span id=tags></span><input id=show readonly role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=list></div><div id=list role=listbox hidden><slot></slot></div>';
		const $ = (id) => root.getElementById(id), open = (on) => { $('list').hidden = !on; $('show').setAttribute('aria-expanded', on) };
		$('box').addEventListener('mousedown', () => open($('list').hidden));
		this.addEventListener('click', (e) => { const x = e.target.closest('x-option'); if (!x) return; const on = x.getAttribute('aria-selected') === 'true';
			if (!many) for (const y of this.children) y.setAttribute('aria-selected', false);
			x.setAttribute('aria-selected', many ? !on : true); const all = [...this.children].filter((y) => y.getAttribute('aria-selected') === 'true');
			o.value = all.map((y) => y.getAttribute('value')).join();
			if (many) { $('show').value = all.length + ' selected' } else { $('show').value = x.textContent; open(false) } });
		document.addEventListener('keydown', (e) => { if (e.key === 'Escape') open(false) });
	} });
</script>`

// besideSelect shows what was chosen beside an empty field, in chips if there
// may be several, and leaves chosen answers out of its list.
const besideSelect = `<label for=f>Colours</label><div id=c><div id=v style="border:1px solid;min-height:30px"><span id=held></span><input id=f role=combobox aria-autocomplete=list aria-expanded=false aria-haspopup=true autocomplete=off></div></div><output id=o></output><script>
	const all = ['Red', 'Green', 'Blue'], many = %s; let on = many ? ['Green'] : [], menu;
	const draw = () => { o.value = on.join(); held.innerHTML = ''; for (const x of on) { const chip = document.createElement('div'); chip.className = many ? 'css-1-multiValue' : 'css-2-singleValue';
		chip.innerHTML = '<div>' + x + '</div>' + (many ? '<div role=button aria-label="Remove ' + x + '"><svg width=9 height=9></svg></div>' : ''); if (many) chip.lastChild.onclick = () => { on = on.filter((y) => y !== x); draw() }; held.append(chip) } };
	const shut = () => { if (menu) menu.remove(); menu = null; f.setAttribute('aria-expanded', false) };
	const open = () => { shut(); menu = document.createElement('div'); menu.setAttribute('role', 'listbox'); f.setAttribute('aria-expanded', true); for (const x of all.filter((y) => !(many && on.includes(y)) && y.toLowerCase().includes(f.value.toLowerCase()))) {
		const d = document.createElement('div'); d.setAttribute('role', 'option'); d.textContent = x; d.onclick = () => { on = many ? on.concat(x) : [x]; f.value = ''; shut(); draw() }; menu.append(d) } c.append(menu) };
	f.addEventListener('input', open); f.addEventListener('blur', () => { f.value = ''; shut() }); draw();
</script>`

// joinedSelect says what is chosen in one text, toggles its answers, and lies
// over the page until it is dismissed.
const joinedSelect = `<div id=f role=combobox aria-haspopup=listbox aria-expanded=false tabindex=0 aria-label=Toppings style="width:200px;height:20px">Onion, Sausage</div><label>Next <input id=n></label><output id=o></output><script>
	let on = ['Onion', 'Sausage'], layer; const close = () => { layer.remove(); layer = null; f.setAttribute('aria-expanded', false); f.removeAttribute('aria-controls') };
	f.onclick = () => { if (layer) return close(); layer = document.createElement('div'); layer.style = 'position:fixed;inset:0'; layer.onclick = (e) => { if (e.target === layer) close() };
		layer.innerHTML = '<div id=l role=listbox aria-multiselectable=true style="margin:100px">' + ['Mushroom', 'Onion', 'Sausage', 'Tomato'].map((x) => '<div role=option aria-selected=' + on.includes(x) + '>' + x + '</div>').join('') + '</div>';
		for (const x of layer.firstChild.children) x.onclick = () => { const t = x.textContent; on = on.includes(t) ? on.filter((y) => y !== t) : on.concat(t); x.setAttribute('aria-selected', on.includes(t)); f.textContent = o.value = on.join(', ') };
		document.body.append(layer); f.setAttribute('aria-expanded', true); f.setAttribute('aria-controls', 'l') };
</script>`

// modalSelect hides the page from others while its list is open, and one of its
// answers cannot be taken.
const modalSelect = `<button id=f type=button role=combobox aria-expanded=false aria-label=Food><span id=v>Select a fruit</span></button><script>
	const main = document.querySelector('main'); f.onclick = () => { const box = document.createElement('div'); box.setAttribute('role', 'listbox'); main.setAttribute('aria-hidden', true); f.setAttribute('aria-expanded', true);
		const close = () => { box.remove(); main.removeAttribute('aria-hidden'); f.setAttribute('aria-expanded', false) };
		setTimeout(() => { for (const x of ['Apple', 'Fig', 'Kiwi']) { const d = document.createElement('div'); d.setAttribute('role', 'option'); d.textContent = x; if (x === 'Fig') d.setAttribute('aria-disabled', true); d.onclick = () => { if (x !== 'Fig') { v.textContent = x === 'Kiwi' ? 'Apple' : x; close() } }; box.append(d) } }, 600);
		document.addEventListener('keydown', (e) => { if (e.key === 'Escape') close() }, { once: true }); document.body.append(box) };
</script>`

// plainSelect has no roles: it opens on a press on its box only, and its field
// takes no letters.
const plainSelect = `<label for=f>Food</label><div id=box style="border:1px solid;padding:9px"><span id=v></span><input id=f aria-autocomplete=list inputmode=none size=1></div><output id=o></output><script>
	let menu; box.addEventListener('pointerup', () => { if (menu) return; menu = document.createElement('div'); menu.className = 'food-list'; for (const x of ['Cake', 'Chips']) { const d = document.createElement('div'); d.className = 'list-item'; d.innerHTML = '<div class=item>' + x + '</div>'; d.onclick = (e) => { v.textContent = o.value = x; menu.remove(); menu = null; e.stopPropagation() }; menu.append(d) } document.body.append(menu) });
</script>`

// ownRadios are radios whose role only their component knows.
const ownRadios = `<form><div role=radiogroup aria-labelledby=q><p id=q>Time</p><label><y-radio id=f name=t value=am></y-radio> Morning</label><label><y-radio id=g name=t value=pm></y-radio> Afternoon</label></div></form><output id=o></output><script>
	customElements.define('y-radio', class extends HTMLElement { static formAssociated = true; constructor() { super(); this.i = this.attachInternals(); this.i.role = 'radio'; this.attachShadow({mode:'open'}).innerHTML = '<div class=container style="width:20px;height:20px;border:1px solid"></div>';
		this.onclick = () => { for (const r of document.querySelectorAll('y-radio')) r.i.setFormValue(r === this ? r.getAttribute('value') : null); o.value = this.getAttribute('value') } } });
</script>`

// wrapped is a component around one native control, which it draws a while after it
// was defined, as one does whose parts are loaded. The page is not quiet meanwhile.
func wrapped(inner string) string {
	return `<w-field id=f name=x></w-field><output id=o></output><script>
	customElements.define('w-field', class extends HTMLElement { connectedCallback() { const beat = setInterval(() => { o.title += '.' }, 50); setTimeout(() => { clearInterval(beat); const root = this.attachShadow({mode:'open'}); root.innerHTML = '<label>Word ` + inner + `</label>';
		root.querySelector('input').onchange = (e) => { o.value = e.target.type === 'checkbox' ? e.target.checked : e.target.value } }, 900) } });
</script>`
}

func TestComponents(t *testing.T) {
	one, many := fmt.Sprintf(slotSelect, ""), fmt.Sprintf(slotSelect, "multiple")
	held := "() => o.value"
	list := func(s ...string) []string { return s }
	tests := []struct {
		name, html string
		kind       page.Kind
		value      any
		read, want string
		state      string
	}{
		{"options in a slot", one, page.KindSelect, "Cherry", held, "c", "set"},
		{"options in a slot, none such", one, page.KindSelect, "Date", held, "", "option_not_found [Apple|Banana|Cherry]"},
		{"several in a slot, of which only the number shows", many, page.KindSelect, list("Apple", "c"), held, "a,c", "set"},
		{"beside an empty field", fmt.Sprintf(besideSelect, "false"), page.KindTypeahead, "Blue", held, "Blue", "set"},
		{"chips are added and taken away", fmt.Sprintf(besideSelect, "true"), page.KindTypeahead, list("Red", "Blue"), held, "Red,Blue", "set"},
		{"chips are there already", fmt.Sprintf(besideSelect, "true"), page.KindTypeahead, list("Green"), held, "Green", "already"},
		{"joined texts", joinedSelect, page.KindSelect, list("Onion", "Tomato"), held, "Onion, Tomato", "set"},
		{"joined texts that stay", joinedSelect, page.KindSelect, list("Sausage", "Onion"), "() => f.textContent", "Onion, Sausage", "already"},
		{"a late list that hides the page", modalSelect, page.KindSelect, "Apple", "() => v.textContent", "Apple", "set"},
		{"a disabled option", modalSelect, page.KindSelect, "Fig", "() => v.textContent", "Select a fruit", "option_not_found [Apple|Fig|Kiwi]"},
		{"another option than was pressed", modalSelect, page.KindSelect, "Kiwi", "() => v.textContent", "Apple", "value_mismatch"},
		{"a list without roles", plainSelect, page.KindSelect, "Chips", held, "Chips", "set"},
		{"radios with roles of their own", ownRadios, page.KindRadio, "Afternoon", held, "pm", "set"},
		{"a field that is drawn late", wrapped("<input>"), page.KindText, "Ada", held, "Ada", "set"},
		{"a wrapped switch", wrapped("<input type=checkbox role=switch>"), page.KindCheckbox, true, held, "true", "set"},
		{"a wrapped switch that stays off", wrapped("<input type=checkbox role=switch>"), page.KindCheckbox, false, held, "", "already"},
		{"a component that never started", `<z-select id=f><z-option>Red</z-option></z-select>`, page.KindSelect, "Red", "() => ''", "", "not_found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, tt.html)
			answer := field("#f", tt.kind, tt.value)
			got := v.set(t, answer)
			same(t, "state", []string{tt.state}, states(got))
			same(t, "page", tt.want, v.eval(t, tt.read))
			read, err := v.Verify(v.ctx, []page.Answer{answer})
			if err != nil {
				t.Fatal(err)
			}
			if kept := read[0].State == page.StateSet; kept != got[0].State.OK() {
				t.Errorf("set says %s, the look back %s", got[0].State, read[0].State)
			}
		})
	}
}

// TestNextAfterList: a list that lies over the page is out of the way afterwards.
func TestNextAfterList(t *testing.T) {
	v := show(t, joinedSelect)
	got := v.set(t, field("#f", page.KindSelect, []string{"Mushroom"}), field("#n", page.KindText, "Ada"))
	same(t, "states", []string{"set", "set"}, states(got))
	same(t, "expanded", "false", v.eval(t, "() => f.getAttribute('aria-expanded')"))
}

// TestComponentControls: what a component slots and keeps to itself is listed too.
func TestComponentControls(t *testing.T) {
	v := show(t, `<form>`+fmt.Sprintf(slotSelect, "")+ownRadios+`<x-group id=g label=Contact></x-group><script>
		customElements.define('x-group', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'open'}).innerHTML = '<fieldset role=radiogroup><legend>Contact</legend><slot></slot><input tabindex=-1 required></fieldset>'; this.innerHTML = '<x-radio role=radio aria-checked=false value=post tabindex=0>Post</x-radio><x-radio role=radio aria-checked=false value=mail>Mail</x-radio>' } });
	</script><label><k-switch id=s></k-switch> Parking</label><label for=m>Framework</label><div role=combobox aria-label="pick a value" aria-owns=ml tabindex=-1><input id=m style="width:0;border:0;padding:0"><span>Select one</span></div><k-button></k-button><script>
		customElements.define('k-switch', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'open'}).innerHTML = '<input id=switch type=checkbox role=switch>' } });
		customElements.define('k-button', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'open'}).innerHTML = '<button id=button><span><slot></slot></span></button>'; this.textContent = 'Book' } });
	</script></form>`)
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range inv.Controls {
		got = append(got, fmt.Sprintf("%s %s %d", c.Kind, c.Label, len(c.Options)))
		if c.Kind == page.KindSelect && len(c.Options) > 0 || c.Kind == page.KindCheckbox {
			got = append(got, c.Selector)
		}
	}
	for _, b := range inv.Buttons {
		got = append(got, b.Text)
	}
	same(t, "controls", []string{"select Fruit 3", `x-select[name="fruit"]`, "radio Time 2", "radio Contact 2", "checkbox Parking 0", "#s", "typeahead Framework 0", "Book"}, got)
}
