// The driver of filling: answers in order, each set and read back, as far as a
// script gets. What needs real input or a look at the network is handed back,
// and the caller comes again with the same run and the next step.

let touched = 0; // when a control was last set
const runs = { id: 0, memory: new Map() };

// widgetFor decides by the element, then by the kind, how to set a control.
function widgetFor(c) {
  const e = c.el;
  const kind = c.a.kind || '';
  const role = roleOf(e);
  const type = typeOf(e);
  if (type === 'file' || kind === 'file') return putFile;
  if (tagOf(e) === 'SELECT') return putSelect;
  if (type === 'radio' || role === 'radio') return putRadio;
  if (isChoice(e)) return putCheckbox;
  if (type === 'range' || role === 'slider') return putRange;
  if (/^(date|month|time|datetime-local|week)$/.test(type)) return putNativeDate;
  if (role === 'listbox') return putListbox;
  const boxes = boxesOf(e, c.els);
  if (boxes) return (x) => putBoxes(x, boxes);
  if (/^(INPUT|TEXTAREA)$/.test(tagOf(e))) return textWidget(c);
  if (e.isContentEditable && !comboLike(e)) return putRich;
  return innerWidget(c);
}

function textWidget(c) {
  const e = c.el;
  if (dateLike(c) && e.readOnly || picks(c)) return putCalendar;
  if (dateLike(c)) return putDateText;
  if (c.a.kind === 'typeahead' || (c.a.kind === 'select' && !e.form) || comboLike(e) || e.list) return putCombo;
  if (c.a.kind === 'select' || (c.a.keys && c.a.kind !== 'search')) return putCombo;
  return putText;
}

// innerWidget sees through a wrapper to the controls inside it.
function innerWidget(c) {
  const e = c.el;
  const kind = c.a.kind || '';
  if (unstarted(e)) return async () => (worthWaiting(c) ? waitOn() : done('not_found', { message: 'the page never started its component ' + describe(e) }));
  if (comboLike(e) && !within(e, 'input:not([type=hidden])').filter(visible).length) return putCombo;
  const inner = innerControls(e);
  if (kind === 'date' && isCalendarOpener(e)) return putCalendar;
  if (inner.some((x) => typeOf(x) === 'radio' || roleOf(x) === 'radio')) return putRadio;
  if (inner.length && inner.every(isChoice)) return putCheckbox;
  if (inner.length && inner.every(isBox)) return (x) => putBoxes(x, inner);
  if (inner.length === 1) { c.el = inner[0]; c.els = [inner[0]]; return widgetFor(c); }
  if (within(e, 'button[aria-pressed]').length || has(e, 'aria-pressed')) return putRadio;
  if (kind === 'date' && calendarOf(c)) return putCalendar;
  if (/^(select|typeahead)$/.test(kind)) return putCombo;
  if (has(e, 'contenteditable')) return putRich;
  return async () => (worthWaiting(c) ? waitOn() : done('not_found', { message: 'there is no control in ' + describe(e) })); // a component may draw itself late
}

async function putField(c) {
  if (c.a.kind === 'date' || c.a.format === 'date' || c.a.kind === 'group') {
    const parts = dateParts(c);
    if (parts) return putParts(c, parts);
    const part = c.a.kind !== 'group' && dateOf(c.a.value) && otherParts(c.el) && partWord(c.el);
    if (part) return done('value_mismatch', { got: c.el.value, message: 'this box takes the ' + part + ' only, and the boxes for the rest of the date were not recognised' });
  }
  return widgetFor(c)(c);
}

// hiddenOf is the control of an answer when it is on the page but not shown.
function hiddenOf(a) {
  const f = locate(a);
  const away = !f.el && f.state === 'hidden' && resolve(a.target, settable, controlOf).hidden;
  return (away && away[0]) || null;
}

// put does one answer until it is done or needs something from outside.
async function put(a, arg, w) {
  const step = arg.step === 'wait' ? '' : arg.step || '';
  const c = { a, arg, w, step, resumed: arg.resumed };
  const t = performance.now();
  const pause = pauses();
  for (;;) {
    if (!w.revealed) { // what is asked in a closed section is there to be opened
      const away = hiddenOf(a);
      w.revealed = true;
      if (away) await reveal(away);
    }
    const f = w.opened && w.found.el.isConnected ? w.found : locate(a); // what is open may hide all else, its own control too
    if (f.state === 'ambiguous') return done('ambiguous', { used: f.used, candidates: f.candidates, message: 'several controls match' });
    if (f.el) {
      w.found = f;
      Object.assign(c, { el: f.el, els: f.els, used: f.used, face: w.face });
      if (!disabled(f.el) || typeOf(f.el) === 'radio' || c.step) break;
      if (performance.now() - t > 200 && holds(c).ok) return done(w.opened ? 'set' : 'already', { used: f.used, got: holds(c).got });
      if (performance.now() - t > 200) return worthWaiting(c) ? waitOn() : done('disabled', { used: f.used, message: 'it is disabled' });
    } else if (performance.now() - t > 200) {
      if (worthWaiting(c)) return need('wait', 'wait', { missing: f.state === 'not_found' });
      return done(f.state, { used: f.used, message: f.state === 'hidden' ? 'it is on the page, but not shown' : 'nothing on the page matches' });
    }
    await pause();
  }
  const r = await putField(c);
  if (!r.need) r.used = c.used;
  return r;
}

// set works through the answers from arg.from on. It returns what is done and,
// if it could not go on, what it needs.
async function set(arg) {
  if (runs.id !== arg.run) { runs.id = arg.run; runs.memory = new Map(); }
  const outcomes = [];
  await stayHere();
  if (tookWrong() && arg.step !== 'wait') arg.step = ''; // nothing came of the press: the answer begins anew
  for (let i = arg.from; i < arg.answers.length; i++) {
    const a = arg.answers[i];
    let w = runs.memory.get(i);
    if (!w) { w = { began: performance.now() }; runs.memory.set(i, w); }
    const first = i === arg.from;
    const sub = Object.assign({}, arg, { step: first ? arg.step : '', resumed: first && !!arg.step });
    const count = activity.count;
    const t = performance.now();
    const r = await put(a, sub, w);
    if (r.need) {
      if (r.need.what === 'wait' && performance.now() - t < 150) await until(() => { drainActivity(); return activity.count !== count; }, 200);
      return { outcomes, at: i, need: r.need, late: [] };
    }
    outcomes.push(Object.assign({ id: a.id, ms: Math.round(performance.now() - w.began) }, r));
    w.via = r.via;
    touched = performance.now();
    if (arg.only) return { outcomes, at: i + 1, need: null, late: [] };
  }
  return { outcomes, at: arg.answers.length, need: null, late: arg.once ? [] : await lateChanges(arg) };
}

// lateChanges looks once more, two frames later, at what was set by script.
async function lateChanges(arg) {
  await frames(2);
  touched = performance.now() - 35;
  const late = [];
  arg.answers.forEach((a, i) => {
    const w = runs.memory.get(i);
    if (!w || w.via !== 'set' || w.gave) return; // what was sent already is not sent twice
    const r = readBack(a);
    if (r.state === 'value_mismatch') late.push(i);
  });
  return late;
}

// verify reads every answer back and touches nothing.
async function verify(arg) {
  if (performance.now() - touched < 35) await frames(2);
  if (arg.answers.some((a) => a.kind === 'file')) await until(() => arg.answers.every((a) => a.kind !== 'file' || readBack(a).state !== 'value_mismatch'), 1000);
  return arg.answers.map((a) => Object.assign({ id: a.id, ms: 0, via: '', candidates: [], message: '' }, readBack(a)));
}

function readBack(a) {
  const f = locate(a);
  if (!f.el) return { state: f.state, used: f.used, got: '' };
  const c = { a, el: f.el, els: f.els, used: f.used, w: {}, arg: {}, step: '' };
  const r = holds(c);
  return { state: r.ok ? 'set' : 'value_mismatch', used: c.used, got: r.got, empty: r.got === '' };
}

// holds tells whether a control has its value now.
function holds(c) {
  const a = c.a;
  const parts = a.kind === 'date' || a.format === 'date' || a.kind === 'group' ? dateParts(c) : null;
  if (parts) {
    const v = partValues(a.value) || {};
    const names = Object.keys(parts).filter((n) => v[n]);
    const one = (n) => holds(partOf(c, parts[n], v[n]));
    return { ok: names.every((n) => one(n).ok), got: names.map((n) => one(n).got).join('/') };
  }
  const put = widgetFor(c);
  if (unstarted(c.el)) return { ok: false, got: '' };
  if (put === putFile) return holdsFiles(c.el, a.value);
  if (put === putSelect) {
    const on = Array.from(c.el.selectedOptions);
    const items = Array.from(c.el.options).map(optionItem);
    const wants = Array.isArray(a.value) ? a.value : [a.value];
    const want = wants.map((v) => (matchSelect(c, v, items).item || {}).el);
    return { ok: on.length === want.length && on.every((o) => want.some((w) => w && (w === o || w.value === o.value))), got: on.map((o) => norm(o.label)).join(', ') };
  }
  if (put === putRadio) {
    const group = radiosOf(c);
    const on = group.filter(isOn);
    const own = ownOption(a, a.value, group);
    const item = own ? { el: own.el } : matchOption(a.value, group.map(choiceItem), a.options, true).item || (a.value === true ? { el: c.el } : null);
    return { ok: !!item && on.includes(item.el), got: on.map(optionName).join(', ') };
  }
  if (put === putCheckbox) return holdsBoxes(c);
  if (put === putCombo) {
    c.twin = hiddenTwin(c.el);
    if (Array.isArray(a.value) || severalTaken(c)) { c.many = true; const now = compared(c); return { ok: now.ok, got: now.held.list.length ? now.held.list.join(', ') : shownValue(c) }; }
    return { ok: committed(c, labelsWanted(c, a.value), false), got: twinText(c) || shownValue(c) };
  }
  if (put === putListbox) {
    const on = optionsOf(c.el).filter(isOn).map(optionText);
    const wants = Array.isArray(a.value) ? a.value : [a.value];
    return { ok: wants.every((v) => labelsWanted(c, v).some((w) => on.some((t) => fold(t) === fold(w)))), got: on.join(', ') };
  }
  if (put === putRange) { const got = c.el.value !== undefined ? c.el.value : attr(c.el, 'aria-valuenow'); return { ok: numberOf(got) === numberOf(wantText(a.value)), got: String(got) }; }
  if (put === putRich) { const got = textOf(c.el); return { ok: norm(wantText(a.value)) === norm(got), got }; }
  if (put === putCalendar) { const want = wantedDays(a.value, a.mask); return { ok: !!want && !lacks(c, want) && showsDays(c, want), got: shownIn(c) }; }
  const boxes = boxesOf(c.el, c.els);
  if (boxes) { const got = boxes.map((b) => b.value).join(''); return { ok: got === wantText(a.value).replace(/\s|-/g, ''), got }; }
  const got = c.el.value !== undefined ? String(c.el.value) : textOf(c.el);
  if (put === putNativeDate && STAMPS.test(typeOf(c.el))) return { ok: sameStamp(got, typeOf(c.el) === 'week' ? norm(wantText(a.value)) : stamp(wantText(a.value))), got };
  if (put === putNativeDate) return { ok: sameDate(a.value, got) || got === wantText(a.value), got };
  return { ok: sameAs(c, wantedText(c), got), got };
}

function holdsBoxes(c) {
  const a = c.a;
  const bool = Array.isArray(a.value) ? null : boolOf(a.value);
  const box = bool === null ? null : oneBox(c);
  if (box) return { ok: isOn(box) === bool && !box.indeterminate, got: String(isOn(box)) };
  const group = checkboxesOf(c).filter(settable);
  const items = group.map(choiceItem);
  const wants = (Array.isArray(a.value) ? a.value : [a.value]).map((v) => (ownOption(a, v, group) || matchOption(v, items, a.options, true).item || {}).el);
  const on = group.filter(isOn);
  return { ok: on.length === wants.length && on.every((e) => wants.includes(e)), got: on.map(optionName).join(', ') };
}
