// From the elements of a page to its widgets: one widget is one question, also
// where several elements make it, or where its own control does not show.

const MORE = 'button[aria-haspopup],[role=button][aria-haspopup],[aria-haspopup=listbox]';

// widgetsOf lists the widgets of this document in the order of the page.
function widgetsOf() {
  const claimed = new Set();
  const list = [];
  const base = deep(CONTROL);
  const popups = popupsOf();
  const add = (w) => { for (const x of w.els) claimed.add(x); list.push(w); };
  for (const e of base) {
    if (claimed.has(e) || partOfOther(e, popups)) continue;
    const w = widgetAt(e, claimed);
    if (w) add(w);
  }
  for (const e of deep(MORE)) if (!claimed.has(e)) { const w = openerAt(e, claimed); if (w) add(w); }
  for (const w of bareChoices(claimed)) add(w);
  for (const w of pressedGroups(claimed)) add(w);
  for (const w of dropZones(claimed, list)) add(w);
  return inOrder(list);
}

const newWidget = (e, more) => Object.assign({ el: e, els: [e], box: null, twin: null }, more || {});

// popupsOf are the lists that belong to a control which opens them. combos has the
// popups that a choice opens, whatever is around its list in them.
function popupsOf() {
  const out = new Set();
  out.combos = new Set();
  for (const e of deep('[aria-controls],[aria-owns]')) {
    if (roleOf(e) !== 'combobox' && !has(e, 'aria-haspopup') && !has(e, 'aria-autocomplete') && !has(e, 'aria-expanded')) continue;
    for (const a of ['aria-controls', 'aria-owns']) for (const id of (attr(e, a) || '').split(/\s+/)) {
      const l = id && byId(id, e);
      if (l) out.add(l);
      if (l && comboLike(e) && !contains(l, e) && (is(l, LISTS) || within(l, LISTS).length)) out.combos.add(l);
    }
  }
  out.calendars = calendars();
  return out;
}

// CALENDAR_PART is what a calendar calls the controls that turn its pages.
const CALENDAR_PART = /^(the )?(year|month|hour|minute|second|am\/?pm|choose (a )?(year|month)|select (a )?(year|month))s?$/;

// calendars are the open boxes that offer the days of a month. Their own year and
// month are no questions of the form: the date field is.
function calendars() {
  return deep('[class*=calendar],[class*=datepicker],[class~=litepicker],[class*=pika-single],[class~=flatpickr-calendar],[class*=timepicker]').slice(0, 50).filter((n) => {
    if (within(n, 'form').length || within(n, CONTROL).length > 8) return false;
    if (/time|flatpickr-calendar|litepicker/i.test(attr(n, 'class') || '') && /^(absolute|fixed)$/.test(getComputedStyle(n).position)) return true;
    if (!visible(n)) return false;
    const days = all(n, 'td,span,button,a,div,[role=gridcell]').slice(0, 400).filter((x) => !x.children.length).map((x) => norm(textContentOf.call(x)));
    return new Set(days.filter((s) => /^([1-9]|[12]\d|3[01])$/.test(s))).size >= 28;
  });
}

// turnsCalendar: a list of months or of years.
function turnsCalendar(e) {
  if (tagOf(e) !== 'SELECT') return false;
  const labels = Array.from(e.options).map((o) => norm(o.label)).filter(Boolean);
  return labels.length > 0 && (labels.every((s) => /^(1[89]|2[01])\d\d$/.test(s)) || labels.every((s) => monthNumber(s.replace(/\d/g, '')) > 0));
}

// partOfOther: e is a piece of a widget that is listed by another element.
function partOfOther(e, popups) {
  const role = roleOf(e);
  if (popups.calendars.some((n) => contains(n, e)) && (turnsCalendar(e) || namesOf(e).concat(attr(e, 'name') || '').some((s) => CALENDAR_PART.test(fold(s))))) return true;
  if (closest(e, '[role=option]') || popups.combos.size && ancestor(e, (n) => popups.combos.has(n), 12)) return true;
  if (role === 'listbox') {
    if (popups.has(e) || !visible(e) || comboLike(e) || namedAsCombo(e)) return true;
    if (e.previousElementSibling && is(e.previousElementSibling, '[aria-haspopup=listbox]:not([aria-controls],[aria-owns])')) return true; // its opener does not name it
    return !within(e, OPTION).length && tagOf(e) !== 'SELECT';
  }
  if (ancestor(e, (n) => popups.has(n) && is(n, LISTS), 12)) return !isChoice(e) || roleOf(e) !== '';
  if (e.isContentEditable && tagOf(e) !== 'INPUT' && tagOf(e) !== 'TEXTAREA' && parentOf(e) && parentOf(e).isContentEditable) return true;
  if (role === 'textbox' && !/^(INPUT|TEXTAREA)$/.test(tagOf(e)) && !e.isContentEditable) return true;
  const wraps = role || tagOf(e).includes('-') ? within(e, CONTROL).filter((x) => x !== e) : [];
  if (role === 'combobox' && wraps.some((x) => isTextual(x) && (visible(x) && wideEnough(x) || fadedCombo(x)))) return true;
  if (/^(textbox|searchbox|spinbutton|slider)$/.test(role) && wraps.some((x) => /^(INPUT|TEXTAREA)$/.test(tagOf(x)))) return true;
  if (/^(checkbox|radio|switch)$/.test(role) && wraps.some((x) => isChoice(x) && settable(x))) return true;
  return !!hiddenPart(e);
}

// namedAsCombo: a list with the label of a combobox is the one that it opens, also
// while it closes and nothing refers to it any more.
function namedAsCombo(list) {
  const ids = (attr(list, 'aria-labelledby') || '').split(/\s+/).filter(Boolean);
  const takes = (x) => x && x !== list && comboLike(x) && !contains(list, x);
  return ids.some((id) => {
    const label = byId(id, list);
    return label && takes(label.control) || deep('[aria-labelledby~=' + cssString(id) + ']').some(takes);
  });
}

const wideEnough = (e) => e.getBoundingClientRect().width > 12;

// hiddenPart: the control does not show itself because a widget listed by
// another element stands for it.
function hiddenPart(e) {
  if (typeOf(e) === 'file') return false;
  const outer = ancestor(e, (n) => roleOf(n) === 'combobox' || (isChoice(n) && n !== e) || (roleOf(n) === 'slider'), 8);
  if (outer && !(visible(e) && wideEnough(e)) && visible(outer) && !fadedCombo(e)) return !isChoice(e) || isChoice(outer);
  if (isChoice(e)) return tagOf(e) === 'INPUT' && ariaHidden(e) && within(parentOf(e), '[role=checkbox],[role=radio],[role=switch]').some(visible);
  if ((!settable(e) || attr(e, 'tabindex') === '-1') && componentOwn(e)) return true; // it may show for a moment, to say what is wrong
  if (settable(e)) return false;
  if (tagOf(e) === 'SELECT') return !!frontOf(e, { kind: 'select' }) || besides(e, '[role=combobox],[aria-haspopup=listbox]').some(visible);
  let n = parentOf(e);
  for (let i = 0; n && i < 4; i++, n = parentOf(n)) {
    const front = within(n, '[role=combobox],[aria-haspopup=listbox],[contenteditable],[class*=date-picker],input').filter((x) => x !== e && visible(x));
    if (!front.length) continue;
    if (front.length > 1) return false;
    const f = front[0];
    const stands = f.isContentEditable || comboLike(f) || (/date-?picker/i.test(attr(n, 'class') || '') && tagOf(f) === 'INPUT');
    return stands && !/\S/.test(norm(Array.from(e.labels || []).filter(visible).map(plain).join('')).replace(norm(nameOf(f)), ''));
  }
  return false;
}

// componentOwn: a hidden input in a component that only carries what its choices
// or its one box for choosing say.
function componentOwn(e) {
  const host = e.getRootNode().host;
  const others = host ? within(host, CONTROL).filter((x) => x !== e && settable(x)) : [];
  return others.length > 0 && (others.every((x) => /^(radio|option)$/.test(roleOf(x)) || typeOf(x) === 'radio') || others.length === 1 && comboLike(others[0]));
}

// besides are the elements of a kind in the siblings just before and after e.
function besides(e, css) {
  return [e.previousElementSibling, e.nextElementSibling].filter(Boolean).flatMap((s) => (is(s, css) ? [s] : within(s, css)));
}

// twinFor is the native select behind a widget, also where it stands beside it.
function twinFor(e) {
  const twin = hiddenTwin(e);
  if (twin) return twin;
  let n = e;
  for (let i = 0; n && i < 3; i++, n = parentOf(n)) {
    const near = [n.previousElementSibling, n.nextElementSibling].filter((s) => s && tagOf(s) === 'SELECT' && !settable(s));
    if (near.length) return near[0];
    const p = parentOf(n);
    if (!p || within(p, CONTROL).some((x) => x !== e && !contains(n, x) && settable(x))) break;
  }
  return null;
}

// widgetAt is the widget that begins at e.
function widgetAt(e, claimed) {
  if (typeOf(e) === 'radio' || roleOf(e) === 'radio') {
    const group = groupOf(e).filter((x) => !claimed.has(x) && (typeOf(x) === 'radio' || roleOf(x) === 'radio'));
    return newWidget(e, { els: group.length ? group : [e] });
  }
  if (isBox(e)) {
    const boxes = boxesOf(e, [e]);
    if (boxes && boxes.length > 2 && boxes[0] === e) return newWidget(e, { els: boxes, boxes: boxes.length });
  }
  const w = newWidget(e);
  if (typeOf(e) === 'file') return w;
  if (!settable(e) && !isChoice(e)) w.box = wrapperOf(e);
  w.wrapper = !!w.box && (comboLike(e) || tagOf(e) === 'SELECT');
  return w;
}

// wrapperOf is the visible box of a combobox whose own input is out of sight.
function wrapperOf(e) {
  if (!comboLike(e) || !rendered(e)) return null;
  let n = parentOf(e);
  for (let i = 0; n && i < 5; i++, n = parentOf(n)) {
    if (within(n, CONTROL).some((x) => x !== e && settable(x))) return null;
    const r = n.getBoundingClientRect();
    if (visible(n) && r.width > 40 && r.height > 14 && n.checkVisibility({ opacityProperty: true })) return n;
  }
  return null;
}

// openerAt is the widget behind a button that opens a list or a calendar.
function openerAt(e, claimed) {
  if (is(e, CONTROL) && roleOf(e) !== '' || /^(menu|true)$/.test(attr(e, 'aria-haspopup')) || !visible(e)) return null;
  if (attr(e, 'aria-haspopup') === 'listbox' && /^\P{L}*\+\d{1,4}\b/u.test(textOf(e))) return newWidget(e); // the country's code beside a telephone number is an answer of its own
  let n = parentOf(e);
  for (let i = 0; n && i < 3; i++, n = parentOf(n)) {
    const near = within(n, CONTROL).filter((x) => x !== e && !isChoice(x) && settable(x) && !contains(e, x));
    if (near.some((x) => claimed.has(x)) && near.length === 1 && i < 2) return null;
    if (near.length) break;
  }
  if (attr(e, 'aria-haspopup') === 'listbox') return newWidget(e);
  if (besideField(e, claimed)) return null;
  if (!/^(dialog|grid)$/.test(attr(e, 'aria-haspopup'))) return null;
  const opened = byId((attr(e, 'aria-controls') || '').split(/\s+/)[0], e) || e.nextElementSibling;
  const says = fold([nameOf(e), textOf(e), attr(e, 'class'), idOf(e), opened ? attr(opened, 'class') : '', opened ? attr(opened, 'aria-label') : ''].join(' '));
  return /\bdate|\bday\b|calendar|birth/.test(says) ? newWidget(e, { calendar: true }) : null;
}

// besideField: a button stands in the box of one text field, as its calendar does.
function besideField(e, claimed) {
  let n = parentOf(e);
  for (let i = 0; n && i < 5 && !is(n, 'form,fieldset,main,body') && n.getBoundingClientRect().height < 140; i++, n = parentOf(n)) {
    const near = within(n, CONTROL).filter((x) => x !== e && settable(x) && !contains(e, x));
    if (near.length) return near.length === 1 && claimed.has(near[0]) && isTextual(near[0]);
  }
  return false;
}

// pressedGroups are rows of buttons of which one stays pressed.
function pressedGroups(claimed) {
  const out = [];
  const seen = new Set();
  for (const b of deep('button[aria-pressed],[role=button][aria-pressed]')) {
    if (seen.has(b) || closest(b, '[role=toolbar]')) continue;
    const box = ancestor(b, (n) => within(n, '[aria-pressed]').length > 1, 3);
    const row = box ? within(box, 'button[aria-pressed],[role=button][aria-pressed]').filter((x) => visible(x) && !claimed.has(x)) : [];
    row.forEach((x) => seen.add(x));
    if (row.length < 2 || row.length > 12 || within(box, CONTROL).length || !questionOf(row)) continue;
    out.push(newWidget(row[0], { els: row, pressed: true }));
  }
  return out;
}

const ZONE = '[class*=drop],[class*=Drop],[class*=upload],[class*=Upload],[id*=drop],[id*=upload],[tabindex],[role=button]';
const DROPS = /\b(drop|drag)\b[^.]{0,60}\b(files?|documents?|photos?|images?|pictures?|here)\b/i;

// dropZones take files although there is no input for them.
function dropZones(claimed, list) {
  const out = [];
  for (const e of deep(ZONE)) {
    if (out.some((w) => contains(w.el, e) || contains(e, w.el)) || !DROPS.test(textContentOf.call(e).slice(0, 300))) continue;
    if (!visible(e) || within(e, CONTROL).length || textContentOf.call(e).length > 400) continue;
    const near = ancestor(e, (n) => within(n, 'input[type=file]').length > 0, 4);
    if (near && near !== body()) continue;
    out.push(newWidget(e, { zone: true }));
  }
  return out;
}

// inOrder sorts widgets as a person meets them, components at their place.
function inOrder(list) {
  const chain = (e) => { const out = [e]; for (let h = e.getRootNode().host; h; h = h.getRootNode().host) out.unshift(h); return out; };
  const keyed = list.map((w) => ({ w, chain: chain(w.el) }));
  const before = (a, b) => {
    for (let i = 0; ; i++) {
      const x = a.chain[i];
      const y = b.chain[i];
      if (!x || !y) return (x ? 1 : 0) - (y ? 1 : 0);
      if (x !== y) return Node.prototype.compareDocumentPosition.call(x, y) & 4 ? -1 : 1;
    }
  };
  return keyed.sort(before).map((k) => k.w);
}

// shown: a person can use the widget.
function shown(w) {
  if (w.box) return visible(w.box);
  if (w.kind === 'file' && !w.zone) return fileShown(w.el);
  return w.els.some((e) => (isChoice(e) ? choiceShown(e) : w.kind === 'range' ? settable(e) || rendered(e) && visible(parentOf(e)) : w.pressed || w.calendar || w.zone || w.bare ? visible(e) : settable(e)));
}

function choiceShown(e) {
  if (visible(e) || faces(e).some(visible)) return true;
  const p = parentOf(e);
  return !!p && rendered(e) && visible(p) && p.checkVisibility({ opacityProperty: true }) && p.getBoundingClientRect().height >= 8 && p.getBoundingClientRect().right + scrollX > 0;
}

// fileShown: the input itself, its label, or a box with nothing else asked in it.
function fileShown(e) {
  if (visible(e) || faces(e).some(visible)) return true;
  let n = parentOf(e);
  for (let i = 0; n && i < 4 && n !== body(); i++, n = parentOf(n)) {
    if (within(n, CONTROL).some((x) => x !== e)) return false;
    if (visible(n)) return true;
  }
  return false;
}
