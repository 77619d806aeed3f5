// Radios, checkboxes, switches and native selects: states, never toggles.

function isOn(e) {
  if (isChoice(e) && tagOf(e) === 'INPUT') return e.checked && !e.indeterminate;
  for (const a of ['aria-checked', 'aria-pressed', 'aria-selected']) if (has(e, a)) return attr(e, a) === 'true';
  return keepsRole(e) ? ownOn(e) : !!e.checked;
}

function choiceItem(e) {
  return { el: e, value: attr(e, 'value') !== null ? attr(e, 'value') : attr(e, 'data-value') || '', label: optionName(e), id: idOf(e), disabled: disabled(e) };
}

// ownOption uses the selector that the field's description has for the option.
function ownOption(a, want, among) {
  const w = wantText(want);
  const o = (a.options || []).find((x) => x.value === w) || (a.options || []).find((x) => fold(x.value) === fold(w) || (x.label && fold(x.label) === fold(w)));
  if (!o || !o.selector) return null;
  const r = resolve({ selector: o.selector }, settable, controlOf);
  const el = r.els.find((e) => among.includes(e)) || (r.els.length === 1 ? r.els[0] : null);
  return el ? { el, used: o.selector } : null;
}

function radiosOf(c) {
  const css = 'input[type=radio],[role=radio]';
  if (isChoice(c.el)) return groupOf(c.el);
  const inner = within(c.el, css);
  if (inner.length) return inner;
  const pressed = within(c.el, 'button[aria-pressed],[role=option],[role=tab]');
  if (pressed.length) return pressed;
  return has(c.el, 'aria-pressed') ? groupOf(c.el) : [c.el];
}

async function putRadio(c) {
  const group = radiosOf(c);
  const items = group.filter(settable).map(choiceItem);
  const own = ownOption(c.a, c.a.value, group);
  let hit = own ? { item: choiceItem(own.el) } : matchOption(c.a.value, items, c.a.options, true);
  if (!own && !hit.item && c.a.value === true && isChoice(c.el)) hit = { item: choiceItem(c.el) };
  if (own) c.used = own.used;
  if (hit.ambiguous) return severalOptions(hit.ambiguous);
  if (!hit.item || hit.item.disabled) {
    if (worthWaiting(c)) return waitOn();
    const off = hit.disabled || hit.item;
    return done('option_not_found', {
      candidates: labelsOf(items.filter((i) => !i.disabled)), message: off ? 'this option is disabled' : 'no option with that value or label',
    });
  }
  return turn(c, [{ el: hit.item.el, on: true, label: hit.item.label || hit.item.value }]);
}

// oneBox is the box that a yes or no is about, null when there are several: the
// control, or the only one that a component wraps.
function oneBox(c) {
  if (c.els.length === 1 && isChoice(c.el)) return c.el;
  const inside = within(c.el, 'input[type=checkbox],[role=checkbox],[role=switch]');
  return inside.length === 1 ? inside[0] : null;
}

async function putCheckbox(c) {
  const bool = Array.isArray(c.a.value) ? null : boolOf(c.a.value);
  const box = bool === null ? null : oneBox(c);
  if (box) return turn(c, [{ el: box, on: bool, label: bool ? 'true' : 'false' }]);
  const group = checkboxesOf(c);
  const items = group.filter(settable).map(choiceItem);
  const wanted = [];
  for (const v of Array.isArray(c.a.value) ? c.a.value : [c.a.value]) {
    const own = ownOption(c.a, v, group);
    const hit = own ? { item: choiceItem(own.el) } : matchOption(v, items, c.a.options, true);
    if (hit.ambiguous) return severalOptions(hit.ambiguous);
    if (!hit.item) return worthWaiting(c) ? waitOn() : done('option_not_found', { candidates: labelsOf(items), message: 'no option with that value or label' });
    wanted.push(hit.item);
  }
  const chosen = new Set(wanted.map((i) => i.el));
  const plan = items.filter((i) => !chosen.has(i.el)).map((i) => ({ el: i.el, on: false }));
  for (const i of wanted) plan.push({ el: i.el, on: true, label: i.label || i.value });
  return turn(c, plan);
}

function checkboxesOf(c) {
  const fromOptions = (c.a.options || []).filter((o) => o.selector).map((o) => resolve({ selector: o.selector }, settable, controlOf).els[0]).filter(Boolean);
  if (fromOptions.length > 1) return fromOptions;
  if (c.els.length > 1) return c.els;
  return isChoice(c.el) ? boxGroup(c.el) : within(c.el, 'input[type=checkbox],[role=checkbox],[role=switch]');
}

// turn brings every choice of a plan into its state: by script first, then by
// real clicks on what a person would click.
async function turn(c, plan) {
  const got = () => plan.filter((p) => p.on !== undefined && isOn(p.el)).map((p) => p.label || optionName(p.el)).join(', ') || (plan.length === 1 ? String(isOn(plan[0].el)) : '');
  const wrong = () => plan.filter((p) => p.el.isConnected && (isOn(p.el) !== p.on || p.el.indeterminate));
  if (!wrong().length) return done(c.step === 'clicked' ? 'set' : c.w.touched ? 'set' : 'already', { via: c.step === 'clicked' ? 'click' : c.w.touched ? 'set' : '', got: got() });
  const off = wrong().find((p) => disabled(p.el));
  if (off) return worthWaiting(c) ? waitOn() : done('disabled', { got: got(), message: 'it is disabled' });
  if (c.step !== 'clicked' && c.step !== 'keys' && !c.w.touched) {
    c.w.touched = true;
    for (const p of plan) flip(p);
    if (await until(() => !wrong().length, tagOf(plan[0].el) === 'INPUT' ? 60 : 300)) return done('set', { via: 'set', got: got() });
    for (const p of wrong()) { const f = faces(p.el).find(visible); if (f) poke(f); }
    if (await until(() => !wrong().length, 60)) return done('set', { via: 'set', got: got() });
  }
  if (c.step === 'clicked' && await until(() => !wrong().length, 400)) return done('set', { via: 'click', got: got() });
  c.w.clicks = (c.w.clicks || 0) + 1;
  if (c.w.clicks > plan.length + 1) return done('value_mismatch', { via: 'click', got: got(), message: 'the page does not keep this choice' });
  c.el = wrong()[0].el;
  const t = await trusted(c, 'click', 'clicked');
  return t.need.point ? t : done('value_mismatch', { got: got(), message: 'it cannot be clicked: ' + (t.need.why || 'nothing of it is visible') });
}

// flip clicks a choice until it is in its state; a half-checked box needs two.
function flip(p) {
  for (let i = 0; i < 3 && p.el.isConnected && (isOn(p.el) !== p.on || p.el.indeterminate); i++) {
    if (disabled(p.el)) return;
    if (tagOf(p.el) === 'INPUT') { focusOn(p.el); HTMLElement.prototype.click.call(p.el); }
    else { focusOn(p.el); poke(p.el); return; }
  }
}

function optionItem(o) {
  return { el: o, value: o.value, label: o.label || textContentOf.call(o), id: idOf(o), disabled: o.disabled || (closest(o, 'optgroup') || {}).disabled === true };
}

async function putSelect(c) {
  const e = c.el;
  const items = Array.from(e.options).map(optionItem);
  const wants = Array.isArray(c.a.value) ? c.a.value : [c.a.value];
  if (wants.length > 1 && !e.multiple) return done('value_mismatch', { message: 'the page takes one option only' });
  const picked = [];
  for (const v of wants) {
    const hit = matchSelect(c, v, items);
    if (hit.ambiguous) return severalOptions(hit.ambiguous);
    if (!hit.item) {
      if (worthWaiting(c)) return waitOn();
      return done('option_not_found', { candidates: labelsOf(items.filter((i) => !i.disabled)), message: hit.disabled ? 'this option is disabled' : 'no option with that value or label' });
    }
    picked.push(hit.item.el);
  }
  const same = () => Array.from(again(c).selectedOptions).every((o) => picked.some((p) => p === o || p.value === o.value)) && c.el.selectedOptions.length === picked.length;
  const got = () => Array.from(c.el.selectedOptions).map((o) => norm(o.label)).join(', ');
  if (same()) return done(c.step === 'typed' ? 'set' : 'already', { via: c.step === 'typed' ? 'keys' : '', got: got() });
  if (c.step === 'typed') return done('value_mismatch', { via: 'keys', got: got(), message: 'the page keeps another option' });
  if (c.step === '' || c.step === 'wait') {
    focusOn(e);
    if (e.multiple) for (const o of Array.from(e.options)) o.selected = picked.includes(o);
    else picked[0].selected = true;
    fire(e, 'input');
    fire(e, 'change');
    leave(e);
    if (same()) return done('set', { via: 'set', got: got() });
  }
  if (e.multiple) return done('value_mismatch', { got: got(), message: 'the page keeps other options' });
  return need('type', 'typed', { text: norm(picked[0].label), focused: (focusOn(c.el), true), keep: true, point: false, x: 0, y: 0 });
}

// matchSelect also understands months in any spelling, for dates in selects.
function matchSelect(c, v, items) {
  const hit = matchOption(v, items, c.a.options, false);
  if (hit.item || hit.ambiguous || hit.disabled) return hit;
  const b = typeof v === 'boolean' ? matchOption(v, items, c.a.options, true) : {};
  if (b.item) return b;
  const n = numberOf(v);
  const open = items.filter((i) => !i.disabled && (i.value !== '' || norm(i.label)));
  if (n !== null) {
    const hits = open.filter((i) => numberOf(i.value) === n || numberOf(i.label) === n);
    if (hits.length === 1) return { item: hits[0] };
    const months = open.filter((i) => monthNumber(i.label.split(/\W+/).find((w) => /[a-z]{3}/i.test(w)) || '') > 0);
    if (months.length >= 12 && n >= 1 && n <= 12) return { item: months.find((i) => monthNumber(i.label.split(/\W+/).find((w) => /[a-z]{3}/i.test(w))) === n) };
  } else if (monthNumber(v)) {
    const hits = open.filter((i) => numberOf(i.value) === monthNumber(v) || monthNumber(i.label) === monthNumber(v));
    if (hits.length === 1) return { item: hits[0] };
  }
  return {};
}
