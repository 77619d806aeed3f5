// Comboboxes and typeaheads: type, see what is offered, take exactly the wanted
// one, and check that the page took it. The first suggestion is never a guess.

const OPTION = '[role=option],[role=menuitemradio],[role=treeitem]';
const LISTS = '[role=listbox],[role=menu],[role=tree],[role=grid]';
const LOOSE_LISTS = 'ul,ol,[class*=suggest],[class*=autocomplete],[class*=typeahead],[class*=dropdown],[class*=menu],[class*=listbox],[class*=results]';

const isTextual = (e) => /^(INPUT|TEXTAREA)$/.test(tagOf(e)) || attr(e, 'contenteditable') === 'true';

function comboLike(e) {
  if (roleOf(e) === 'combobox' || /^(list|both)$/.test(attr(e, 'aria-autocomplete') || '')) return true;
  if (/^(listbox|tree|grid)$/.test(attr(e, 'aria-haspopup') || '')) return true;
  return !!ancestor(e, (n) => roleOf(n) === 'combobox', 3);
}

// listsOf are the visible lists that offer something for e.
function listsOf(c) {
  const out = [];
  const add = (l) => { if (l && !out.includes(l) && l !== c.el && visible(l)) out.push(l); };
  const near = [c.el, ancestor(c.el, (n) => roleOf(n) === 'combobox', 3)].filter(Boolean);
  let named = false;
  for (const e of near) for (const a of ['aria-controls', 'aria-owns']) for (const id of (attr(e, a) || '').split(/\s+/)) {
    const l = id && byId(id, e);
    named = named || Boolean(l && l !== c.el);
    add(l);
  }
  // A list that the combobox names is its list, open or not: another one is somebody else's.
  if (named) return out;
  const wrap = parentOf(c.el);
  for (const l of deep(LISTS)) if (!c.w.before || !c.w.before.has(l) || (wrap && contains(wrap, l))) add(l);
  if (out.length) return out;
  for (const l of deep(LOOSE_LISTS)) if ((!c.w.before || !c.w.before.has(l)) && !contains(l, c.el)) add(l);
  return out.filter((l) => !out.some((o) => o !== l && contains(o, l)));
}

function optionsOf(list) {
  let els = within(list, OPTION);
  if (!els.length) els = within(list, 'li,[class*=option],[class*=item]').filter((e) => !all(e, 'li').length);
  if (!els.length) els = Array.from(list.children);
  return els.filter((e) => visible(e) && !is(e, '[aria-hidden=true]'));
}

function offered(c) {
  const seen = [];
  for (const l of listsOf(c)) for (const e of optionsOf(l)) {
    if (seen.some((i) => i.el === e)) continue;
    seen.push({ el: e, value: attr(e, 'data-value') || attr(e, 'value') || '', label: optionText(e), id: '', disabled: attr(e, 'aria-disabled') === 'true' });
  }
  return seen;
}

// optionText leaves out what is read to screen readers only ("1 of 50").
function optionText(e) {
  const quiet = all(e, '.usa-sr-only,.govuk-visually-hidden,.visually-hidden,.sr-only');
  if (!quiet.length) return norm(attr(e, 'data-label') || textOf(e) || attr(e, 'aria-label') || '');
  let s = norm(textContentOf.call(e));
  for (const q of quiet) s = norm(s.replace(norm(textContentOf.call(q)), ' '));
  return s;
}

// hiddenTwin is the native control behind the combobox, if there is one.
function hiddenTwin(e) {
  let n = parentOf(e);
  for (let i = 0; n && i < 3; i++, n = parentOf(n)) {
    if (within(n, CONTROL).some((x) => x !== e && settable(x))) return null;
    // Hidden by itself: a select in a hidden part of the form is another question.
    const selects = within(n, 'select').filter((s) => !settable(s) && rendered(parentOf(s)));
    if (selects.length === 1) return selects[0];
    if (selects.length > 1) return null;
  }
  return null;
}

// labelsWanted are the texts that stand for the wanted value.
function labelsWanted(c, value) {
  const w = wantText(value);
  const out = [w];
  const opt = (c.a.options || []).find((o) => o.value === w || fold(o.value) === fold(w) || (o.label && fold(o.label) === fold(w)));
  if (opt && opt.label && !out.includes(opt.label)) out.unshift(opt.label);
  const twin = c.twin;
  if (twin) {
    const hit = matchOption(w, Array.from(twin.options).map(optionItem), c.a.options, false);
    if (hit.item && !out.includes(norm(hit.item.label))) out.unshift(norm(hit.item.label));
  }
  return out;
}

function shownValue(c) {
  if (isTextual(c.el) && c.el.value !== undefined) return c.el.value;
  const inner = within(c.el, 'input:not([type=hidden])')[0];
  return inner && inner.value ? inner.value : textOf(c.el);
}

// committed: the page holds the wanted option, not just its text.
function committed(c, words, strict) {
  const twin = c.twin;
  if (twin && twin.isConnected) {
    const on = twin.selectedOptions[0];
    return !!on && words.some((w) => fold(on.label) === fold(w) || fold(on.value) === fold(w));
  }
  const shown = fold(shownValue(c));
  if (words.some((w) => shown === fold(w))) return !strict || !isOpen(c);
  if (Array.isArray(c.a.value)) return chips(c).some((t) => words.some((w) => t === fold(w)));
  return false;
}

function chips(c) {
  const box = ancestor(c.el, (n) => within(n, '[class*=chip],[class*=tag],[class*=token],[class*=multi],[role=listitem],li').length > 0, 4);
  if (!box) return [];
  return within(box, '[class*=chip],[class*=tag],[class*=token],[class*=multi],[role=listitem],li').filter((e) => !is(e, OPTION))
    .map((e) => fold(textOf(e)).replace(/\s*(\u00d7|x|remove|delete)$/, '').replace(/^(remove|\u00d7)\s*/, ''));
}

const isOpen = (c) => attr(c.el, 'aria-expanded') === 'true' ? listsOf(c).length > 0 : offered(c).length > 0;

async function putCombo(c) {
  c.twin = hiddenTwin(c.el);
  const list = Array.isArray(c.a.value) ? c.a.value : [c.a.value];
  c.w.sub = c.w.sub || 0;
  for (; c.w.sub < list.length; c.w.sub++) {
    const r = await pickOne(c, list[c.w.sub]);
    if (r.need || !/^(set|already)$/.test(r.state)) return r;
    c.w.last = r;
    c.w.opened = c.w.typed = 0;
    c.step = '';
  }
  return Object.assign({}, c.w.last || done('already'), { got: twinText(c) || shownValue(c) });
}

const twinText = (c) => (c.twin && c.twin.selectedOptions[0] ? norm(c.twin.selectedOptions[0].label) : '');

async function pickOne(c, value) {
  const words = labelsWanted(c, value);
  if (c.step === 'picked') {
    const ok = await until(() => committed(c, words, true), 500);
    if (ok) leaveCombo(c);
    if (ok && committed(c, words, false)) return done('set', { via: 'click', got: shownValue(c) });
    return done('value_mismatch', { via: 'click', got: shownValue(c), message: 'the page does not keep the option that was picked' });
  }
  if (!c.w.opened) {
    if (c.twin && committed(c, words, false)) return done('already', { got: shownValue(c) });
    if (!c.twin && !isTextual(c.el) && committed(c, words, false)) return done('already', { got: shownValue(c) });
    if (tagOf(c.el) === 'INPUT' && c.el.list) return fromDatalist(c, words);
    openCombo(c, tagOf(c.el) === 'TEXTAREA' ? words[0] : norm(words[0]));
  }
  if (c.step === 'typed' || c.step === 'opened') c.w.typed = performance.now();
  const item = await lookFor(c, words);
  if (item && item.ambiguous) { closeCombo(c); return severalOptions(item.ambiguous); }
  if (item) return take(c, item, words);
  return nothingOffered(c, words);
}

function openCombo(c, text) {
  c.w.opened = c.w.typed = performance.now();
  c.w.before = c.w.before || new WeakSet(deep(LISTS + ',' + LOOSE_LISTS).filter(visible));
  c.w.seen = new Map();
  const e = c.el;
  focusOn(e);
  if (!isTextual(e)) {
    if (attr(e, 'aria-expanded') !== 'true') poke(e);
    return;
  }
  HTMLElement.prototype.click.call(e);
  if (e.readOnly) return;
  if (e.value) enter(e, '');
  enter(e, text);
}

// NOTHING is what lists say instead of an option.
const NOTHING = /^(no|keine|aucun|sin) (results?|match(es)?|options?|suggestions?|data|entries|items)\b|\bnothing (was )?found\b|^(loading|searching|please (wait|enter|type))\b/i;

// lookFor waits a slice for the wanted option, scrolling lists that draw only
// the rows in view.
async function lookFor(c, words) {
  const end = performance.now() + 250;
  const pause = pauses();
  for (;;) {
    const items = offered(c);
    for (const i of items) if (c.w.seen.size < 2000 && !NOTHING.test(i.label)) c.w.seen.set(i.label, i);
    for (const w of words) {
      const hit = matchOption(w, items, [], false);
      if (hit.item || hit.ambiguous) return hit.item || hit;
    }
    if (performance.now() >= end) return null;
    if (items.length && performance.now() - c.w.typed >= 60 && scrollOn(c)) await frame(); // rows are drawn when they come into view
    else await pause();
  }
}

const scrolls = (e) => e.scrollHeight > e.clientHeight + 4 && e.clientHeight > 20 && /auto|scroll/.test(getComputedStyle(e).overflowY);

function scrollOn(c) {
  let moved = false;
  for (const l of listsOf(c)) {
    const box = [l, parentOf(l)].concat(within(l, '*').slice(0, 200)).find((e) => e && scrolls(e));
    if (!box || box.scrollTop + box.clientHeight >= box.scrollHeight - 1) continue;
    box.scrollTop += Math.max(20, box.clientHeight * 0.9);
    c.w.typed = Math.max(c.w.typed, performance.now() - 300);
    moved = true;
  }
  return moved;
}

async function take(c, item, words) {
  item.el.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  if (!c.w.keys) {
    poke(item.el);
    if (await until(() => committed(c, words, true), 350)) {
      leaveCombo(c);
      await frame();
      if (committed(c, words, false)) return done('set', { via: 'set', got: shownValue(c) });
    }
    if (item.el.isConnected && visible(item.el)) return pressOption(c, item);
    return retype(c, words);
  }
  return pressOption(c, item);
}

async function pressOption(c, item) {
  const at = await press(item.el, 300);
  return at.ok ? need('click', 'picked', { x: at.x, y: at.y, point: true }) : done('value_mismatch', { got: shownValue(c), message: 'the option cannot be clicked: ' + at.why });
}

function retype(c, words) {
  c.w.keys = true;
  c.w.opened = performance.now();
  c.w.seen = c.w.seen || new Map();
  if (!isTextual(c.el) || c.el.readOnly) return trusted(c, 'click', 'opened');
  return trusted(c, 'type', 'typed', { text: words[0], open: true });
}

// nothingOffered decides whether to wait on, to type with real keys, or to give up.
function nothingOffered(c, words) {
  const t = performance.now() - c.w.typed;
  const waited = t > (strictCombo(c) ? 900 : 450) && c.resumed && c.arg.idle && quietFor() > (strictCombo(c) ? 600 : 300);
  if (!waited && performance.now() - c.w.began < c.arg.timeout) return waitOn('wait');
  if (!c.w.keys && !c.w.seen.size && (strictCombo(c) || !isTextual(c.el))) return retype(c, words);
  if (!c.w.seen.size && isTextual(c.el) && !strictCombo(c)) {
    leaveCombo(c);
    return done(sameText(words[0], shownValue(c)) ? 'set' : 'value_mismatch', { via: c.w.keys ? 'keys' : 'set', got: shownValue(c) });
  }
  closeCombo(c);
  const labels = Array.from(c.w.seen.keys()).filter(Boolean).slice(0, LIMIT.list).map((s) => cut(s, 120));
  return done('option_not_found', { candidates: labels, message: labels.length ? 'no suggestion is exactly that' : 'the page suggested nothing' });
}

// strictCombo: the field counts only what was picked.
const strictCombo = (c) => c.twin || /^(typeahead|select)$/.test(c.a.kind || '') || (c.a.options || []).length > 0;

function closeCombo(c) {
  if (isTextual(c.el) && !c.el.readOnly && strictCombo(c)) enter(c.el, '');
  key(c.el, 'keydown', 'Escape');
  key(c.el, 'keyup', 'Escape');
  leave(c.el);
}

function leaveCombo(c) {
  if (isTextual(c.el)) fire(c.el, 'change');
  leave(c.el);
}

function fromDatalist(c, words) {
  const items = Array.from(c.el.list.options).map(optionItem);
  for (const w of words) {
    const hit = matchOption(w, items, c.a.options, false);
    if (hit.item) {
      const was = c.el.value === hit.item.value;
      if (!was) typeInto(c.el, hit.item.value);
      return done(c.el.value === hit.item.value ? (was ? 'already' : 'set') : 'value_mismatch', { via: 'set', got: c.el.value });
    }
  }
  if (strictCombo(c)) return worthWaiting(c) ? waitOn() : done('option_not_found', { candidates: labelsOf(items) });
  typeInto(c.el, words[0]);
  return done(sameText(words[0], c.el.value) ? 'set' : 'value_mismatch', { via: 'set', got: c.el.value });
}

// putListbox chooses in a list that is always open.
async function putListbox(c) {
  const wants = Array.isArray(c.a.value) ? c.a.value : [c.a.value];
  const items = optionsOf(c.el).map((e) => ({ el: e, value: attr(e, 'data-value') || '', label: optionText(e), id: idOf(e), disabled: disabled(e) }));
  const plan = [];
  for (const v of wants) {
    const hit = matchOption(v, items, c.a.options, false);
    if (hit.ambiguous) return severalOptions(hit.ambiguous);
    if (!hit.item) return worthWaiting(c) ? waitOn() : done('option_not_found', { candidates: labelsOf(items) });
    plan.push({ el: hit.item.el, on: true, label: hit.item.label });
  }
  if (attr(c.el, 'aria-multiselectable') === 'true') for (const i of items) if (!plan.some((p) => p.el === i.el)) plan.unshift({ el: i.el, on: false });
  return turn(c, plan);
}
