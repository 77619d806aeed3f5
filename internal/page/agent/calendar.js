// Calendars: boxes of days that a press fills a date in from.

const isCalendarOpener = (e) => is(e, 'button,[role=button]') || (e.readOnly && tagOf(e) === 'INPUT');

const CALENDARS = '[role=grid],table,[class*=calendar i],[class*=datepicker i],[class*=date-picker i],[class*=litepicker i],[class*=daterange i],[class*=picker-body],[class*=days i],[class*=dayContainer i]';

// openGrids are the open boxes of days: the smallest ones.
function openGrids(c) {
  const found = deep(CALENDARS).slice(0, 400).filter((g) => visible(g) && !contains(g, c.el) && dayCells(g).length >= 28);
  return found.filter((g) => !found.some((o) => o !== g && contains(g, o)));
}

// calendarOf is the open box of days: one that c opened, and of several months
// beside each other the one that shows the month of d.
function calendarOf(c, d) {
  const grids = openGrids(c);
  const own = c.w.before ? grids.filter((g) => !c.w.before.has(g)) : grids;
  const list = own.length ? own : grids;
  if (list.length < 2) return list[0] || null;
  return d && list.find((g) => { const m = shownMonth(g, list); return m && m.y === d.y && m.m === d.m; }) || list[0];
}

const WEEK_NUMBER = /week-?(number|num|no)|weeknum|weeks\b|(^|[^a-z])week([^a-z]|$)|-kw\b/i;

// dayCells are the smallest elements that show the number of a day.
function dayCells(g) {
  const cells = within(g, 'button,[role=gridcell],td,a,span,div').slice(0, 1500).filter((e) => /^\d{1,2}$/.test(norm(textContentOf.call(e))) && !WEEK_NUMBER.test(attr(e, 'class') || ''));
  const outer = new Set();
  for (const e of cells) for (let n = parentOf(e), i = 0; n && n !== g && i < 4; i++, n = parentOf(n)) outer.add(n);
  return cells.filter((e) => !outer.has(e) && visible(e));
}

// wantedDays are the days that an answer is made of: one, with a time or without,
// or the first and the last of an interval (ISO 8601, 2026-12-01/2026-12-10).
function wantedDays(v, mask) {
  const s = norm(wantText(v));
  const ends = s.split('/');
  if (ends.length === 2 && ends.every((x) => /^\d{4}-\d{2}-\d{2}$/.test(x))) return { days: ends.map((x) => dateOf(x)), time: '' };
  if (/^\d{2}:\d{2}$/.test(s)) return { days: [], time: s };
  const d = dateOf(s, mask);
  return d && d.d ? { days: [d], time: STAMP.test(s) ? s.slice(11, 16) : '' } : null;
}

const STAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

// picks: the answer is one that only a calendar takes, and the box has one.
const picks = (c) => { const w = wantedDays(c.a.value); return !!w && (w.days.length !== 1 || !!w.time) && /^(text|)$/.test(typeOf(c.el)) && (c.el.readOnly || opensCalendar(c)); };

// learnt has how a box writes its days, once one was picked in its calendar.
const learnt = new WeakMap();

const shownIn = (c) => (c.el.value !== undefined && tagOf(c.el) === 'INPUT' ? c.el.value : textOf(c.el));

// lacking has what else a box wants than a day, once its calendar has shown it.
const lacking = new WeakMap();
const lacks = (c, want) => (want.days.length === 1 && !want.time && lacking.get(c.el)) || '';

// showsDays: the box shows what was wanted. Right after a day was picked, any order
// of day, month and year that fits it is the page's own.
function showsDays(c, want, picked) {
  const text = shownIn(c);
  const seen = datesIn(text);
  if (!want.days.length) return !seen.length && timeIn(text) === want.time;
  if (picked && want.days.every((d, i) => seen[i] && writtenAs(seen[i], d))) learnt.set(c.el, writtenAs(seen[0], want.days[0]));
  const ok = seen.length > 0 && want.days.every((d, i) => seen[i] && isDay(seen[i], d, maskFor(c))) || want.days.length === 1 && !seen.length && (sameDate(c.a.value, text, maskFor(c)) || twinDate(c, want.days[0]));
  return ok && seen.length <= want.days.length && timeIn(text) === want.time;
}

// putCalendar picks days in a calendar that has only buttons.
async function putCalendar(c) {
  const want = wantedDays(c.a.value, c.a.mask);
  if (!want) return done('value_mismatch', { message: 'the value is not a date (YYYY-MM-DD), nor a date with a time (YYYY-MM-DDThh:mm), nor two dates (YYYY-MM-DD/YYYY-MM-DD)' });
  const missing = lacks(c, want);
  if (missing) return done('value_mismatch', { got: shownIn(c), wants: missing, message: MORE_DAYS[missing] });
  if (showsDays(c, want, c.step === 'opened')) { await shutCalendar(c); return done(c.step ? 'set' : 'already', { via: c.step ? 'click' : '', got: shownIn(c) }); }
  if (!c.w.before) c.w.before = new Set(c.w.typed ? [] : openGrids(c));
  const open = () => (want.days.length ? openGrids(c).some((g) => !c.w.before.has(g)) : timeBox(c));
  if (!open()) {
    if (c.w.tried && !calendarOf(c)) return noCalendar(c);
    if (!c.w.tried) {
      c.w.tried = true;
      focusOn(c.el);
      poke(c.el);
      if (!(await until(open, 400)) && !(want.days.length && calendarOf(c))) return trusted(c, 'click', 'opened');
    }
  }
  const picked = await pickAll(c, want);
  if (picked.why) { await shutCalendar(c); return done('option_not_found', { message: picked.why }); }
  const more = wantsMore(c, want);
  if (more) lacking.set(c.el, more);
  await shutCalendar(c);
  if (!more && await until(() => showsDays(c, want, true), 100)) return done('set', { via: 'set', got: shownIn(c) });
  return done('value_mismatch', { via: 'set', got: shownIn(c), wants: more, message: more ? MORE_DAYS[more] : 'the page does not show the day that was picked' });
}

// opensDays presses a locked box, and tells what it takes if that opens a calendar or
// a choice of times; '' if it opens neither.
async function opensDays(target) {
  const el = resolve(target, settable, controlOf).els[0];
  if (!el || !el.readOnly || el.value) return '';
  const c = { a: { value: '' }, el, els: [el], w: {}, arg: {} };
  c.w.before = new Set(openGrids(c));
  focusOn(el);
  poke(el);
  const opened = await until(() => openGrids(c).some((g) => !c.w.before.has(g)) || timeBox(c), 400);
  const popup = opened && calendarOf(c) ? popupOf(calendarOf(c)) : null;
  const kind = !opened ? '' : !popup ? 'time' : timePart(popup, HOUR) ? 'datetime-local' : /range/i.test(attr(popup, 'class') || '') ? 'interval' : 'date';
  if (opened) await shutCalendar(c);
  if (timeBox(c)) key(el, 'keydown', 'Escape');
  leave(el);
  return kind;
}

// noCalendar: what opened has no days, or nothing did.
function noCalendar(c) {
  if (timeBox(c) && wantedDays(c.a.value, c.a.mask).days.length) { lacking.set(c.el, 'time'); key(c.el, 'keydown', 'Escape'); return done('value_mismatch', { got: shownIn(c), wants: 'time', message: MORE_DAYS.time }); }
  return worthWaiting(c) ? waitOn() : done('value_mismatch', { got: shownIn(c), message: NO_CALENDAR });
}

// pickAll picks what was wanted. A calendar that holds half an interval takes the
// first day for its end: then once more.
async function pickAll(c, want) {
  const shows = () => showsDays(c, want, true);
  for (let i = 0; i < Math.min(want.days.length, 2) || i < 1; i++) {
    for (const d of want.days) {
      const why = await pickDay(c, d);
      if (why) return { why };
      if (await until(shows, want.days.length > 1 ? 100 : 300)) return {};
    }
    await finishPick(c, want);
    if (await until(shows, 300)) return {};
  }
  return {};
}

// timeBox is an open box that asks for a time: one with controls for hours.
function timeBox(c) {
  return deep('[class*=time i]').slice(0, 50).find((n) => visible(n) && !contains(n, c.el) && !within(n, 'form').length && timePart(n, HOUR)) || null;
}

const HOUR = /hour|stunde|heure|(^|[^a-z])hh?([^a-z]|$)/;
const MINUTE = /minute|(^|[^a-z])(mm|mi|min)([^a-z]|$)/;
const timePart = (box, re) => within(box, 'input,select').find((x) => visible(x) && !disabled(x) && re.test(fold([attr(x, 'class'), attr(x, 'name'), attr(x, 'aria-label'), idOf(x)].join(' '))));

const MORE_DAYS = {
  interval: 'the calendar wants a first and a last day: give both, as YYYY-MM-DD/YYYY-MM-DD',
  time: 'the page wants a time of day: give it as hh:mm',
  'datetime-local': 'the calendar wants a time, too: give both, as YYYY-MM-DDThh:mm',
};

// wantsMore tells what else a calendar wants than the one day that was picked in
// it: the time that it shows now, or a second day, when it stays open for that.
function wantsMore(c, want) {
  const text = shownIn(c);
  const seen = datesIn(text);
  if (want.days.length > 1 || want.time) return '';
  if (seen.length === 1 && timeIn(text) && writtenAs(seen[0], want.days[0])) return 'datetime-local';
  if (!seen.length && calendarOf(c) && timePart(popupOf(calendarOf(c)), HOUR)) return 'datetime-local';
  const both = seen.length === 2 && seen.every((s) => writtenAs(s, want.days[0]));
  const half = seen.length < 2 && !otherEnd(c) && calendarOf(c) && (within(popupOf(calendarOf(c)), RANGE_DAY).length > 0 || /range/i.test(attr(popupOf(calendarOf(c)), 'class') || ''));
  return both || half ? 'interval' : '';
}

// otherEnd: beside the box is another one, which takes the other end of an interval.
const otherEnd = (c) => !!ancestor(c.el, (n) => !is(n, 'form,main,body') && within(n, 'input').filter((x) => isTextual(x) && visible(x)).length > 1, 3);

const RANGE_DAY = '[class*=range-start],[class*=range-from],[class*=start-date],[class*=start-range],[class*=startRange],[class*=rangeStart],[class*=range_start],[class*=is-start],[class*=startrange],[class*=range-begin]';

// pickDay turns the calendar to a day and presses it; it says why it could not.
async function pickDay(c, d) {
  if (!calendarOf(c)) { focusOn(c.el); poke(c.el); await until(() => calendarOf(c), 400); }
  const why = await turnTo(c, d);
  if (why) return why;
  const day = theDay(calendarOf(c, d), d);
  if (!day) return 'the calendar has no such day';
  if (disabled(day) || optionOff(day) || [day, parentOf(day)].some((x) => x && OFF_DAY.test(attr(x, 'class') || '') && dayCells(x).length < 2)) return 'the calendar does not offer this day';
  const was = shownIn(c);
  const took = () => shownIn(c) !== was || !calendarOf(c) || MARKED.test(attr(stillDay(day, c, d), 'class') || '') || attr(stillDay(day, c, d), 'aria-selected') === 'true';
  for (let i = 0; i < 2; i++) { // the first press may only wake a calendar that is coming in
    poke(stillDay(day, c, d));
    if (await until(took, 200)) break;
  }
  return '';
}

// stillDay is the day as the calendar has it now: some draw their days anew.
const stillDay = (day, c, d) => (day.isConnected ? day : (calendarOf(c, d) && theDay(calendarOf(c, d), d)) || day);

const MARKED = /select|active|chosen|start|from|(^|[^a-z])end([^a-z]|$)/i;

const OFF_DAY = /(^|[\s_-])(is-)?(disabled|locked|unselectable|unavailable|blocked|not-available)-?(\s|$|_)/i;
const CONFIRMS = /^(ok|okay|apply|done|set|confirm|select|choose|save|\u00fcbernehmen|anwenden|fertig|best\u00e4tigen|appliquer|valider|terminer|aplicar|aceptar|listo|applica|conferma|fatto|toepassen|gereed|anv\u00e4nd|klar|\u9069\u7528|\u6c7a\u5b9a|\u78ba\u5b9a|\u5b8c\u4e86|\u786e\u5b9a)$/;

// finishPick sets the time in the calendar and presses the button that takes the pick.
async function finishPick(c, want) {
  const g = want.days.length ? calendarOf(c) : timeBox(c);
  if (!g) return;
  const box = popupOf(g);
  if (want.time) await pickTime(c, box, want.time);
  const ok = within(box, 'button,[role=button],a').find((b) => visible(b) && !disabled(b) && CONFIRMS.test(fold(buttonText(b))));
  if (ok && !showsDays(c, want, true)) poke(ok);
}

// pickTime sets hours and minutes by the calendar's own controls, or by its list.
async function pickTime(c, box, time) {
  const [h, m] = time.split(':').map(Number);
  const put = (x, n) => (tagOf(x) === 'SELECT' ? chooseIn(x, (o) => +o.value === n || +o.label === n) : typeInto(x, String(n)));
  const [hour, minute] = [timePart(box, HOUR), timePart(box, MINUTE)];
  const half = within(box, '[class*=am-pm i],[class*=ampm i],[class*=meridi]').find((x) => visible(x) && /^(am|pm)$/i.test(textOf(x)));
  if (hour) put(hour, half ? h % 12 || 12 : h);
  if (minute) put(minute, m);
  if (half && fold(textOf(half)) !== (h < 12 ? 'am' : 'pm')) poke(half);
  if (hour) return frames(2);
  const entry = within(box, 'li,button,a,div,span').find((x) => visible(x) && !x.children.length && timeIn(textOf(x)) === time);
  if (entry) poke(entry);
  return frames(2);
}

// popupOf is the whole of a calendar: the box around its days that is laid over the page.
function popupOf(g) {
  let box = calendarBox(g);
  for (let n = box, i = 0; n && i < 6 && n !== body() && !is(n, 'form,main'); i++, n = parentOf(n)) {
    if (/calendar|picker/i.test(attr(n, 'class') || '')) box = n;
    if (/^(absolute|fixed)$/.test(getComputedStyle(n).position)) return n;
  }
  return box;
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
  return !!box && within(box, 'input').some((i) => { if (i !== c.el && visible(i)) return false; const x = dateOf(i.value); return !!x && x.y === d.y && x.m === d.m && x.d === d.d; });
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

// shownMonth reads the heading of the days, or the controls in its place. Of several
// months beside each other, each has its own.
function shownMonth(g, grids) {
  const own = grids && grids.length > 1 ? ancestor(g, (n) => monthIn(n, g) !== null, 4) : null;
  if (own && !grids.some((o) => o !== g && contains(own, o))) return monthIn(own, g);
  return monthIn(calendarBox(g), g);
}

const MONTH_YEAR = /(?<!\p{L})(\p{L}{3,14})\.?,?\s*(?:de\s+|del\s+)?(\d{4})(?!\d)/u;
const YEAR_MONTH = /(?<!\d)(\d{4})\s*[\u5e74\ub144/.-]?\s*(\p{L}{3,14}|\d{1,2}(?=\s*[\u6708\uc6d4]|$))/u;

function monthIn(box, g) {
  const headings = within(box, 'caption,h1,h2,h3,h4,[aria-live],[class*=title],[class*=caption],[class*=month],[class*=header],[class*=label],th,button');
  const says = [referenced(g, 'aria-labelledby'), attr(g, 'aria-label') || ''].concat(headings.filter((h) => textContentOf.call(h).length < 200).map(textOf));
  for (const s of says) {
    const m = MONTH_YEAR.exec(s);
    if (m && monthNumber(m[1])) return { m: monthNumber(m[1]), y: +m[2] };
    const n = YEAR_MONTH.exec(s);
    if (n && monthNumber(n[2])) return { m: monthNumber(n[2]), y: +n[1] };
  }
  const m = within(box, 'select').map((s) => (s.selectedOptions[0] ? monthNumber(s.selectedOptions[0].label) : 0)).find((n) => n && true) ||
    headings.map((h) => monthNumber(textOf(h).split(' ')[0].replace(/\d/g, ''))).find((n) => n && true);
  const y = within(box, 'select,input').map((s) => +s.value).find((n) => n > 1800 && n < 2400);
  return m && y ? { m, y } : null;
}

const TURNERS = 'button,[role=button],a,span,div';

// turns: e is to be pressed to go one way, and is no day of another month.
const turnsTo = (e, way) => way.test(turnWords(e)) && !/\d/.test(textContentOf.call(e).slice(0, 20));
const turns = (n, way, seen) => within(n, TURNERS).slice(0, 1500).some((b) => turnsTo(b, way) && (!seen || visible(b)));

// calendarBox is the box around the days with the buttons that turn it.
function calendarBox(g) {
  for (const seen of [true, false]) { // at the first or last month, one of the buttons may be hidden
    let n = g;
    for (let i = 0; n && i < 7 && n !== body() && !is(n, 'form,main'); i++, n = parentOf(n)) if (turns(n, FORTH, seen) && turns(n, BACK, seen)) return n;
  }
  return closest(g, '[role=dialog],dialog,[class*=calendar],[class*=picker]') || parentOf(g) || g;
}

async function turnTo(c, d) {
  for (let i = 0; i < 1500; i++) {
    const g = calendarOf(c, d);
    const at = g && shownMonth(g, openGrids(c));
    if (!at) return 'the calendar does not say which month it shows';
    const off = (d.y - at.y) * 12 + d.m - at.m;
    if (off === 0) return '';
    if (i < 12 && turnByControls(calendarBox(g), at, d)) { await frames(2); continue; }
    const button = turnButton(g, off, Math.abs(off) >= 12);
    if (!button) return 'the calendar has no button to another month';
    if (disabled(button)) return 'the calendar does not go to this month';
    poke(button);
    const moved = await until(() => { const n = calendarOf(c) && shownMonth(calendarOf(c), openGrids(c)); return n && (n.m !== at.m || n.y !== at.y); }, 1000);
    if (!moved) return 'the calendar does not turn to another month';
  }
  return 'the month is too far away';
}

// turnByControls uses the calendar's own field or list for the year, and its list
// for the month. It reports whether it changed something. A list that is laid over
// the heading without being seen is there to be used, too.
function turnByControls(box, at, d) {
  const there = (x) => (visible(x) || tagOf(x) === 'SELECT' && rendered(x) && x.offsetWidth > 10) && !disabled(x);
  const year = at.y !== d.y && within(box, 'input,select').find((x) => +x.value === at.y && there(x));
  if (year && tagOf(year) === 'INPUT' && !year.readOnly) { typeInto(year, String(d.y)); return true; }
  if (year && tagOf(year) === 'SELECT') {
    const near = Array.from(year.options).map((o) => +o.value || +o.label).filter((y) => y).sort((a, b) => Math.abs(a - d.y) - Math.abs(b - d.y))[0];
    return near !== at.y && chooseIn(year, (o) => +o.value === near || +o.label === near);
  }
  const month = at.m !== d.m && within(box, 'select').find((s) => there(s) && s.selectedOptions[0] && monthNumber(s.selectedOptions[0].label) === at.m);
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

const turnButton = (g, off, years) => turnIn(calendarBox(g), g, off, years) || turnIn(popupOf(g), g, off, years);

function turnIn(box, g, off, years) {
  const way = off > 0 ? FORTH : BACK;
  const all = within(box, TURNERS).slice(0, 1500).filter((b) => visible(b) && turnsTo(b, way) && !contains(b, g) && !contains(g, b));
  const real = all.filter((b) => is(b, 'button,[role=button],a'));
  const buttons = real.length ? real : all.filter((b) => !all.some((o) => o !== b && contains(o, b)));
  const year = buttons.filter((b) => /year|super/.test(turnWords(b)));
  if (years && year.length && !disabled(year[0])) return year[0]; // twelve months at once
  return buttons.find((b) => !/year|super|\bday/.test(turnWords(b))) || null;
}
