// Dates: one native control, three controls, one masked text, or a calendar.

const PARTS = ['month', 'day', 'year'];

function partValues(v) {
  if (v && typeof v === 'object') return v;
  const d = dateOf(v);
  return d ? { month: pad(d.m, 2), day: d.d ? pad(d.d, 2) : '', year: pad(d.y, 4) } : null;
}

// putParts sets month, day and year one by one through the ordinary ways.
async function putParts(c, parts) {
  const values = partValues(c.a.value);
  if (!values) return done('value_mismatch', { message: 'the value is not a date (YYYY-MM-DD)' });
  const names = Object.keys(parts).filter((n) => values[n] !== undefined && values[n] !== '');
  c.w.part = c.w.part || 0;
  c.w.got = c.w.got || {};
  c.w.states = c.w.states || [];
  for (; c.w.part < names.length; c.w.part++) {
    const n = names[c.w.part];
    c.w.subw = c.w.subw || { began: performance.now() };
    const sub = partOf(c, parts[n], values[n]);
    if (typeOf(sub.el) === 'number' || !(sub.el.maxLength >= 2 || sub.el.maxLength < 0)) sub.a.value = String(+values[n] || values[n]);
    const r = await widgetFor(sub)(sub);
    if (r.need) return r;
    if (!/^(set|already)$/.test(r.state)) return Object.assign(r, { message: n + ': ' + (r.message || r.state) });
    c.w.got[n] = r.got;
    c.w.states.push(r);
    c.w.subw = null;
    c.step = '';
  }
  const via = c.w.states.map((s) => s.via).find((v) => v) || '';
  return done(c.w.states.some((s) => s.state === 'set') ? 'set' : 'already', { via, got: names.map((n) => c.w.got[n]).join('/') });
}

// partOf is one part as a field of its own.
function partOf(c, part, value) {
  const a = { id: c.a.id, target: part.target || {}, kind: '', value, options: [] };
  return { a, el: part.el, els: [part.el], arg: c.arg, step: c.step, resumed: c.resumed, w: c.w.subw || {} };
}

// namedParts resolves the parts that the field's description gives.
function namedParts(a) {
  const out = {};
  for (const n of Object.keys(a.parts || {})) {
    const r = resolve(a.parts[n], settable, controlOf);
    if (!r.els.length) return null;
    out[n] = { el: oneField(a, r.els)[0], target: a.parts[n] };
  }
  return Object.keys(out).length ? out : null;
}

// partWord is the part of a date that a box is for, by its own word for itself:
// autocomplete, the end of its id or name, its label, or its placeholder.
function partWord(e) {
  const auto = /\bbday-(day|month|year)\b/.exec(attr(e, 'autocomplete') || '');
  if (auto) return auto[1];
  for (const words of [SPLIT(idOf(e)).slice(-1), SPLIT(attr(e, 'name')).slice(-1), SPLIT(nameOf(e)), SPLIT(attr(e, 'placeholder'))]) {
    const hits = PARTS.filter((p) => words.length === 1 && PART_WORDS[p].test(words[0]));
    if (hits.length) return hits[0];
  }
  return '';
}

// guessedParts reads which of two or three controls is which.
function guessedParts(els) {
  if (els.length < 2 || els.length > 3) return null;
  const out = {};
  for (const e of els) {
    const says = fold([attr(e, 'autocomplete'), nameOf(e), attr(e, 'name'), idOf(e), attr(e, 'placeholder')].join(' '));
    const n = partWord(e) || PARTS.find((p) => says.includes(p)) || (/\bmm\b/.test(says) ? 'month' : /\bdd\b/.test(says) ? 'day' : /\byy/.test(says) ? 'year' : '');
    if (!n || out[n]) return null;
    out[n] = { el: e };
  }
  return out;
}

function dateParts(c) {
  const named = namedParts(c.a);
  if (named) return named;
  if (c.els.length > 1) return guessedParts(c.els);
  if (!is(c.el, CONTROL)) return guessedParts(innerControls(c.el).filter((e) => !isChoice(e)));
  if (tagOf(c.el) !== 'SELECT' && !partBox(c.el)) return null;
  const box = ancestor(c.el, (n) => within(n, CONTROL).filter(settable).length > 1, 6);
  return box ? guessedParts(within(box, CONTROL).filter(settable)) : null;
}

// partBox: a text box that has room for a part of a date only, or says so.
const partBox = (e) => tagOf(e) === 'INPUT' && !isChoice(e) && !DATE_TYPES.test(typeOf(e)) && (e.maxLength > 0 && e.maxLength <= 4 || !!partWord(e) && !DATE_MASK.test(attr(e, 'placeholder') || ''));

// otherParts: near a box for one part of a date is one for another part.
function otherParts(e) {
  const part = partBox(e) && partWord(e);
  const box = part && ancestor(e, (n) => within(n, CONTROL).filter(settable).length > 1, 6);
  return !!box && within(box, CONTROL).some((x) => x !== e && partWord(x) && partWord(x) !== part);
}

function putNativeDate(c) {
  const e = c.el;
  const d = dateOf(c.a.value, c.a.mask);
  const t = typeOf(e);
  let want = norm(wantText(c.a.value));
  if (d && t === 'date' && d.d) want = pad(d.y, 4) + '-' + pad(d.m, 2) + '-' + pad(d.d, 2);
  if (d && t === 'month') want = pad(d.y, 4) + '-' + pad(d.m, 2);
  if (d && t === 'datetime-local' && !/T/.test(want)) want += 'T00:00';
  if (e.readOnly) return done('readonly', { got: e.value });
  if (e.value === want) return done('already', { got: e.value });
  typeInto(e, want);
  const now = again(c);
  if (now.value === want) return done('set', { via: 'set', got: now.value });
  return done('value_mismatch', { via: 'set', got: now.value, message: now.value === '' ? 'the page takes no such ' + t : 'the page keeps another ' + t });
}

const isCalendarOpener = (e) => is(e, 'button,[role=button]') || (e.readOnly && tagOf(e) === 'INPUT');

function calendarOf(c) {
  const grids = deep('[role=grid],table').filter((g) => visible(g) && dayCells(g).length >= 28);
  if (grids.length < 2) return grids[0] || null;
  return grids.find((g) => !c.w.grids || !c.w.grids.has(g)) || grids[0];
}

function dayCells(g) {
  return all(g, 'button,[role=gridcell],td,a').filter((e) => /^\d{1,2}$/.test(norm(textOf(e))) && !all(e, 'button,a').length);
}

// putCalendar picks a day in a calendar that has only buttons.
async function putCalendar(c) {
  const d = dateOf(c.a.value, c.a.mask);
  if (!d || !d.d) return done('value_mismatch', { message: 'the value is not a date (YYYY-MM-DD)' });
  const shown = () => (c.el.value !== undefined && tagOf(c.el) === 'INPUT' ? c.el.value : textOf(c.el));
  const same = () => sameDate(c.a.value, shown(), maskFor(c)) || twinDate(c, d);
  if (same()) return done(c.step ? 'set' : 'already', { via: c.step ? 'click' : '', got: shown() });
  if (!calendarOf(c)) {
    if (c.w.tried) return worthWaiting(c) ? waitOn() : done('value_mismatch', { message: 'no calendar opened' });
    c.w.tried = true;
    focusOn(c.el);
    poke(c.el);
    if (!(await until(() => calendarOf(c), 400))) return trusted(c, 'click', 'opened');
  }
  const why = await turnTo(c, d);
  if (why) return done('option_not_found', { message: why });
  const day = theDay(calendarOf(c), d);
  if (!day) return done('option_not_found', { message: 'the calendar has no such day' });
  if (disabled(day)) return done('option_not_found', { message: 'the calendar does not offer this day' });
  poke(day);
  if (await until(same, 400)) return done('set', { via: 'set', got: shown() });
  return done('value_mismatch', { via: 'set', got: shown(), message: 'the page does not show the day that was picked' });
}

function twinDate(c, d) {
  if (!d) return false;
  const box = ancestor(c.el, (n) => within(n, 'input').length > 0, 3);
  return !!box && within(box, 'input').some((i) => { const x = dateOf(i.value); return !!x && x.y === d.y && x.m === d.m && x.d === d.d; });
}

function theDay(g, d) {
  const iso = pad(d.y, 4) + '-' + pad(d.m, 2) + '-' + pad(d.d, 2);
  const exact = all(g, '[data-date="' + iso + '"],[data-value="' + iso + '"],[datetime="' + iso + '"]')[0];
  if (exact) return all(exact, 'button,a')[0] || exact;
  const days = dayCells(g).filter((e) => +norm(textOf(e)) === d.d && !/outside|other|adjacent|prev|next|muted/.test(String(attr(e, 'class') || '')));
  const said = days.filter((e) => { const x = dateOf(attr(e, 'aria-label') || ''); return !!x && x.y === d.y && x.m === d.m && x.d === d.d; });
  if (said.length) return said[0];
  return days.length > 1 ? (d.d > 15 ? days[days.length - 1] : days[0]) : days[0] || null;
}

// shownMonth reads the calendar's heading.
function shownMonth(g) {
  const box = calendarBox(g);
  const headings = all(box, 'caption,h1,h2,h3,h4,[aria-live],[class*=title],[class*=caption],[class*=month],[class*=header],th');
  const says = [referenced(g, 'aria-labelledby'), attr(g, 'aria-label') || ''].concat(headings.map(textOf));
  for (const s of says) {
    const m = /\b([a-z]{3,9})\.?,?\s+(\d{4})\b/i.exec(s);
    if (m && monthNumber(m[1])) return { m: monthNumber(m[1]), y: +m[2] };
  }
  const sel = all(box, 'select');
  const m = sel.map((s) => (s.selectedOptions[0] ? monthNumber(s.selectedOptions[0].label) : 0)).find((n) => n && true);
  const y = sel.map((s) => +s.value).find((n) => n > 1800);
  return m && y ? { m, y } : null;
}

const calendarBox = (g) => closest(g, '[role=dialog],dialog,[class*=calendar],[class*=picker]') || parentOf(g) || g;

async function turnTo(c, d) {
  for (let i = 0; i < 1500; i++) {
    const g = calendarOf(c);
    const at = g && shownMonth(g);
    if (!at) return 'the calendar does not say which month it shows';
    const off = (d.y - at.y) * 12 + d.m - at.m;
    if (off === 0) return '';
    const button = turnButton(g, off, Math.abs(off) >= 12);
    if (!button) return 'the calendar has no button to another month';
    if (disabled(button)) return 'the calendar does not go to this month';
    poke(button);
    const moved = await until(() => { const n = calendarOf(c) && shownMonth(calendarOf(c)); return n && (n.m !== at.m || n.y !== at.y); }, 1000);
    if (!moved) return 'the calendar does not turn to another month';
  }
  return 'the month is too far away';
}

function turnButton(g, off, years) {
  const box = calendarBox(g);
  const way = off > 0 ? /next|forward|\u203a|\u00bb|>/ : /prev|back|\u2039|\u00ab|</;
  const says = (b) => fold([buttonText(b), attr(b, 'aria-label'), attr(b, 'title'), attr(b, 'class')].join(' '));
  const buttons = all(box, 'button,[role=button],a').filter((b) => visible(b) && way.test(says(b)));
  const year = buttons.filter((b) => /year/.test(says(b)));
  if (years && year.length && !disabled(year[0])) return year[0]; // twelve months at once
  return buttons.find((b) => !/year|day/.test(says(b))) || null;
}
