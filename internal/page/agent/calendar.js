// Calendars: boxes of days that a press fills a date in from.

const isCalendarOpener = (e) => is(e, 'button,[role=button]') || (e.readOnly && tagOf(e) === 'INPUT');

const CALENDARS = '[role=grid],table,[class*=calendar i],[class*=datepicker i],[class*=date-picker i],[class*=picker-body],[class*=daysContainer i],[class*=dayContainer i]';

// calendarOf is the open box of days: the smallest, and one that c opened.
function calendarOf(c) {
  const found = deep(CALENDARS).slice(0, 400).filter((g) => visible(g) && !contains(g, c.el) && dayCells(g).length >= 28);
  const grids = found.filter((g) => !found.some((o) => o !== g && contains(g, o)));
  if (grids.length < 2) return grids[0] || null;
  return grids.find((g) => !c.w.grids || !c.w.grids.has(g)) || grids[0];
}

// dayCells are the smallest elements that show the number of a day.
function dayCells(g) {
  const cells = within(g, 'button,[role=gridcell],td,a,span,div').slice(0, 1500).filter((e) => /^\d{1,2}$/.test(norm(textContentOf.call(e))) && !/week/i.test(attr(e, 'class') || ''));
  return cells.filter((e) => !cells.some((o) => o !== e && contains(e, o)) && visible(e));
}

// putCalendar picks a day in a calendar that has only buttons.
async function putCalendar(c) {
  const d = dateOf(c.a.value, c.a.mask);
  if (!d || !d.d) return done('value_mismatch', { message: 'the value is not a date (YYYY-MM-DD)' });
  const shown = () => (c.el.value !== undefined && tagOf(c.el) === 'INPUT' ? c.el.value : textOf(c.el));
  const same = () => sameDate(c.a.value, shown(), maskFor(c)) || twinDate(c, d);
  if (same()) { await shutCalendar(c); return done(c.step ? 'set' : 'already', { via: c.step ? 'click' : '', got: shown() }); }
  if (!calendarOf(c)) {
    if (c.w.tried) return worthWaiting(c) ? waitOn() : done('value_mismatch', { got: shown(), message: NO_CALENDAR });
    c.w.tried = true;
    focusOn(c.el);
    poke(c.el);
    if (!(await until(() => calendarOf(c), 400))) return trusted(c, 'click', 'opened');
  }
  const why = await turnTo(c, d);
  if (why) { await shutCalendar(c); return done('option_not_found', { message: why }); }
  const day = theDay(calendarOf(c), d);
  if (!day) { await shutCalendar(c); return done('option_not_found', { message: 'the calendar has no such day' }); }
  if (disabled(day) || optionOff(day)) { await shutCalendar(c); return done('option_not_found', { message: 'the calendar does not offer this day' }); }
  poke(day);
  const ok = await until(same, 400);
  await shutCalendar(c);
  if (ok) return done('set', { via: 'set', got: shown() });
  return done('value_mismatch', { via: 'set', got: shown(), message: 'the page does not show the day that was picked' });
}

// putDateText types a date, and picks it where the page takes no typed one but
// opens a calendar.
async function putDateText(c) {
  if (!c.w.pick) {
    const r = await putText(c);
    if (r.need || !dateOf(c.a.value) || !opensCalendar(c)) return r;
    if (r.state !== 'value_mismatch' && !(await takenBack(c))) return r;
    if (!c.w.iso && !c.a.mask) { // no word of the page says how it writes dates
      c.w.iso = true;
      c.step = '';
      return putDateText(c);
    }
    Object.assign(c.w, { pick: true, typed: r });
    c.step = '';
    if (typesIn(c.el) && c.el.value) enter(c.el, '');
  }
  const r = await putCalendar(c);
  return r.message === NO_CALENDAR ? Object.assign(c.w.typed, { state: 'value_mismatch' }) : r;
}

// takenBack: the page drops what was typed once the box is left.
async function takenBack(c) {
  const kept = () => sameAs(c, wantedText(c), again(c).value);
  leave(c.el);
  const lost = await until(() => !kept(), 250);
  if (!lost && kept()) { await shutCalendar(c); return false; }
  await until(() => !calendarOf(c), 500); // one that is closing takes no press
  return true;
}

const NO_CALENDAR = 'no calendar opened';

// opensCalendar: a calendar is open, or something near the box says that one comes.
const opensCalendar = (c) => !!calendarOf(c) || !!ancestorOrSelf(c.el, (n) => n !== body() && !is(n, 'form') && /picker|calendar/i.test(attr(n, 'class') || '')) || has(c.el, 'aria-haspopup') || DAY_PROMPT.test(norm(attr(c.el, 'placeholder')));

// shutCalendar closes a calendar that stays open, so that it covers nothing.
async function shutCalendar(c) {
  if (!calendarOf(c)) return;
  leave(c.el);
  if (await until(() => !calendarOf(c), 150)) return;
  key(c.el, 'keydown', 'Escape');
  key(c.el, 'keyup', 'Escape');
  if (await until(() => !calendarOf(c), 150) || openDialog()) return;
  fire(body(), 'mousedown', MouseEvent, {});
  fire(body(), 'mouseup', MouseEvent, {});
}

function twinDate(c, d) {
  if (!d) return false;
  const box = ancestor(c.el, (n) => within(n, 'input').length > 0, 3);
  return !!box && within(box, 'input').some((i) => { const x = dateOf(i.value); return !!x && x.y === d.y && x.m === d.m && x.d === d.d; });
}

const OUTSIDE = /outside|other|adjacent|prev|next|muted/i;

// saysDay is what a day says about itself or the cell around it.
const saysDay = (e) => [e, parentOf(e)].filter(Boolean).flatMap((x) => [attr(x, 'aria-label'), attr(x, 'title')]).filter(Boolean);

function theDay(g, d) {
  const iso = pad(d.y, 4) + '-' + pad(d.m, 2) + '-' + pad(d.d, 2);
  const exact = within(g, '[data-date="' + iso + '"],[data-value="' + iso + '"],[datetime="' + iso + '"]')[0];
  if (exact) return within(exact, 'button,a')[0] || exact;
  const days = dayCells(g).filter((e) => +norm(textContentOf.call(e)) === d.d);
  const said = days.filter((e) => saysDay(e).some((s) => { const x = dateOf(s); return !!x && x.y === d.y && x.m === d.m && x.d === d.d; }));
  if (said.length) return said[0];
  const own = days.filter((e) => ![e, parentOf(e)].some((x) => x && x !== g && (OUTSIDE.test(attr(x, 'class') || '') || has(x, 'data-outside'))));
  return own.length > 1 ? (d.d > 15 ? own[own.length - 1] : own[0]) : own[0] || null;
}

// shownMonth reads the calendar's heading, or the controls in its place.
function shownMonth(g) {
  const box = calendarBox(g);
  const headings = within(box, 'caption,h1,h2,h3,h4,[aria-live],[class*=title],[class*=caption],[class*=month],[class*=header],th,button');
  const says = [referenced(g, 'aria-labelledby'), attr(g, 'aria-label') || ''].concat(headings.filter((h) => textContentOf.call(h).length < 200).map(textOf));
  for (const s of says) {
    const m = /\b([a-z]{3,9})\.?,?\s*(\d{4})\b/i.exec(s) || /\b(\d{4})\s*([a-z]{3,9})\b/i.exec(s);
    if (!m) continue;
    const [word, year] = /\d/.test(m[1]) ? [m[2], m[1]] : [m[1], m[2]];
    if (monthNumber(word)) return { m: monthNumber(word), y: +year };
  }
  const m = within(box, 'select').map((s) => (s.selectedOptions[0] ? monthNumber(s.selectedOptions[0].label) : 0)).find((n) => n && true) ||
    headings.map((h) => monthNumber(textOf(h).split(' ')[0].replace(/\d/g, ''))).find((n) => n && true);
  const y = within(box, 'select,input').map((s) => +s.value).find((n) => n > 1800 && n < 2400);
  return m && y ? { m, y } : null;
}

const TURNERS = 'button,[role=button],a,span,div';

// turns: e is to be pressed to go one way, and is no day of another month.
const turnsTo = (e, way) => way.test(turnWords(e)) && !/\d/.test(textContentOf.call(e).slice(0, 20));
const turns = (n, way) => within(n, TURNERS).slice(0, 1500).some((b) => turnsTo(b, way));

// calendarBox is the box around the days with the buttons that turn it.
function calendarBox(g) {
  let n = g;
  for (let i = 0; n && i < 7 && n !== body() && !is(n, 'form,main'); i++, n = parentOf(n)) if (turns(n, FORTH) && turns(n, BACK)) return n;
  return closest(g, '[role=dialog],dialog,[class*=calendar],[class*=picker]') || parentOf(g) || g;
}

async function turnTo(c, d) {
  for (let i = 0; i < 1500; i++) {
    const g = calendarOf(c);
    const at = g && shownMonth(g);
    if (!at) return 'the calendar does not say which month it shows';
    const off = (d.y - at.y) * 12 + d.m - at.m;
    if (off === 0) return '';
    if (i < 3 && turnByControls(calendarBox(g), at, d)) { await frames(2); continue; }
    const button = turnButton(g, off, Math.abs(off) >= 12);
    if (!button) return 'the calendar has no button to another month';
    if (disabled(button)) return 'the calendar does not go to this month';
    poke(button);
    const moved = await until(() => { const n = calendarOf(c) && shownMonth(calendarOf(c)); return n && (n.m !== at.m || n.y !== at.y); }, 1000);
    if (!moved) return 'the calendar does not turn to another month';
  }
  return 'the month is too far away';
}

// turnByControls uses the calendar's own field or list for the year, and its list
// for the month. It reports whether it changed something.
function turnByControls(box, at, d) {
  const year = at.y !== d.y && within(box, 'input,select').find((x) => +x.value === at.y && visible(x) && !disabled(x));
  if (year && tagOf(year) === 'INPUT' && !year.readOnly) { typeInto(year, String(d.y)); return true; }
  if (year && tagOf(year) === 'SELECT') return chooseIn(year, (o) => +o.value === d.y || +o.label === d.y);
  const month = at.m !== d.m && within(box, 'select').find((s) => visible(s) && s.selectedOptions[0] && monthNumber(s.selectedOptions[0].label) === at.m);
  return !!month && chooseIn(month, (o) => monthNumber(o.label) === d.m);
}

function chooseIn(select, test) {
  const o = Array.from(select.options).find(test);
  if (!o || o.disabled) return false;
  o.selected = true;
  fire(select, 'input');
  fire(select, 'change');
  return true;
}

const FORTH = /(^|[^a-z])(next|forward)|right\b|\u203a|\u00bb|>/;
const BACK = /(^|[^a-z])(prev|back)|left\b|\u2039|\u00ab|</;

// turnWords are what a button that turns the pages of a calendar says.
const turnWords = (b) => fold([is(b, 'button,[role=button],a') ? buttonText(b) : '', attr(b, 'aria-label'), attr(b, 'title'), attr(b, 'class'), attr(b, 'data-action'), attr(b, 'data-direction')].filter(Boolean).join(' '));

function turnButton(g, off, years) {
  const box = calendarBox(g);
  const way = off > 0 ? FORTH : BACK;
  const all = within(box, TURNERS).slice(0, 1500).filter((b) => visible(b) && turnsTo(b, way) && !contains(b, g) && !contains(g, b));
  const real = all.filter((b) => is(b, 'button,[role=button],a'));
  const buttons = real.length ? real : all.filter((b) => !all.some((o) => o !== b && contains(o, b)));
  const year = buttons.filter((b) => /year|super/.test(turnWords(b)));
  if (years && year.length && !disabled(year[0])) return year[0]; // twelve months at once
  return buttons.find((b) => !/year|super|\bday/.test(turnWords(b))) || null;
}
