// Comboboxes and typeaheads: open or type, see what is offered, take exactly the
// wanted one, and check that the page took it. The first suggestion is never a guess.

// labelsWanted are the texts that stand for the wanted value.
function labelsWanted(c, value) {
  const w = wantText(value);
  const out = [w];
  const opt = (c.a.options || []).find((o) => o.value === w || fold(o.value) === fold(w) || (o.label && fold(o.label) === fold(w)));
  const add = (s) => { if (s && !out.includes(s)) out.unshift(s); };
  add(opt && opt.label);
  add(c.w.labels && c.w.labels[w]); // of the option that it turned out to be
  if (!opt && w && comboLike(c.el)) for (const e of closedOptions(c)) if (optionValue(e) === w) add(optionText(e));
  const twin = c.twin;
  if (twin) {
    const hit = matchOption(w, Array.from(twin.options).map(optionItem), c.a.options, false);
    if (hit.item) add(norm(hit.item.label));
  }
  return out;
}

async function putCombo(c) {
  c.twin = hiddenTwin(c.el);
  if (Array.isArray(c.a.value) || severalTaken(c)) return putMany(c);
  const r = await pickOne(c, c.a.value);
  return r.need || !/^(set|already)$/.test(r.state) ? r : Object.assign(r, { got: twinText(c) || shownValue(c) });
}

async function pickOne(c, value) {
  const words = labelsWanted(c, value);
  if (c.step === 'picked') {
    const ok = await until(() => committed(c, words, true), 500);
    if (ok && !c.many) leaveCombo(c);
    if (ok && committed(c, words, false)) return done('set', { via: 'click', got: shownValue(c) });
    return done('value_mismatch', { via: 'click', got: shownValue(c), message: 'the page does not keep the option that was picked' });
  }
  if (!c.w.opened) {
    if ((c.twin || !typesIn(c.el) || !c.el.value) && committed(c, words, false)) return done('already', { got: shownValue(c) });
    if (tagOf(c.el) === 'INPUT' && c.el.list) return fromDatalist(c, words);
    openCombo(c, tagOf(c.el) === 'TEXTAREA' ? words[0] : norm(words[0]));
  }
  if (c.w.poked && !c.many && committed(c, words, true)) { leaveCombo(c); return done('set', { via: 'set', got: shownValue(c) }); }
  if (c.step === 'typed' || c.step === 'opened') c.w.typed = performance.now();
  const item = await lookFor(c, words);
  if (item && item.ambiguous) { await closeCombo(c); return severalOptions(item.ambiguous); }
  if (item) {
    c.w.labels = Object.assign(c.w.labels || {}, { [wantText(value)]: norm(item.label) });
    return take(c, item, labelsWanted(c, value));
  }
  return nothingOffered(c, words);
}

function openCombo(c, text) {
  c.w.opened = c.w.typed = performance.now();
  c.w.before = c.w.before || new WeakSet(deep(LISTS + ',' + LOOSE_LISTS).filter(listShown));
  c.w.seen = c.w.seen || new Map();
  const e = c.el;
  if (!onScreen(e.getBoundingClientRect())) e.scrollIntoView({ block: 'center', behavior: 'instant' }); // lists hide while their control is out of sight
  focusOn(e);
  if (!typesIn(e)) {
    if (attr(e, 'aria-expanded') !== 'true' && !isOpen(c)) poke(e);
    return;
  }
  HTMLElement.prototype.click.call(e);
  if (e.value) enter(e, '');
  enter(e, text);
}

// coax opens a list in the other ways that people know: by a press on the whole
// box, and by the arrow key. What was typed would only narrow it down.
function coax(c) {
  c.w.coaxed = true;
  c.w.typed = performance.now();
  const e = c.el;
  if (typesIn(e) && e.value) enter(e, '');
  const shell = shellOf(e);
  poke(shell === e && partOfShadow(e) ? e.getRootNode().host : shell);
  if (isOpen(c)) return;
  key(e, 'keydown', 'ArrowDown');
  key(e, 'keyup', 'ArrowDown');
}

const partOfShadow = (e) => !!e.getRootNode().host;

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
      c.w.off = c.w.off || hit.disabled;
    }
    if (performance.now() >= end) return null;
    if (items.length && performance.now() - c.w.typed >= 60 && scrollOn(c)) await frame(); // rows are drawn when they come into view
    else await pause();
  }
}

async function take(c, item, words) {
  item.el.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  if (c.many && optionOn(item.el) && has(item.el, 'aria-checked')) return done('already', { got: shownValue(c) }); // a press would take it away
  if (!c.w.keys) {
    poke(item.el);
    c.w.poked = true;
    const slow = () => !typesIn(c.el) && committed(c, words, false); // its list only fades away
    if (await until(() => committed(c, words, true), 350) || slow() && await until(() => committed(c, words, true), 600)) {
      if (!c.many) leaveCombo(c);
      await frame();
      if (committed(c, words, false)) return done('set', { via: 'set', got: shownValue(c) });
    }
    if (item.el.isConnected && visible(item.el)) return pressOption(c, item, words);
    return retype(c, words);
  }
  return pressOption(c, item, words);
}

async function pressOption(c, item, words) {
  const at = await press(item.el, 300);
  if (!at.ok && await until(() => committed(c, words, !c.many), 600)) return done('set', { via: 'set', got: shownValue(c) });
  return at.ok ? need('click', 'picked', { x: at.x, y: at.y, point: true }) : done('value_mismatch', { got: shownValue(c), message: 'the option cannot be clicked: ' + at.why });
}

function retype(c, words) {
  c.w.keys = true;
  c.w.opened = performance.now();
  c.w.seen = c.w.seen || new Map();
  if (!typesIn(c.el)) return trusted(c, 'click', 'opened');
  return trusted(c, 'type', 'typed', { text: words[0], open: true });
}

// nothingOffered decides whether to wait on, to open the list in another way, to
// type with real keys, or to give up.
async function nothingOffered(c, words) {
  const strict = strictCombo(c);
  const t = performance.now() - c.w.typed;
  const shut = !c.w.seen.size && !c.w.coaxed && attr(c.el, 'aria-expanded') !== 'true' && !isOpen(c);
  if (shut && !typesIn(c.el) && t > 200 && quietFor() > 100) { coax(c); return waitOn('wait'); }
  const waited = t > (strict ? 900 : 450) && c.resumed && c.arg.idle && quietFor() > (strict ? 600 : 300);
  if (!waited && !c.w.off && performance.now() - c.w.began < c.arg.timeout) return waitOn('wait');
  if (shut && strict && comboLike(c.el)) { coax(c); return waitOn('wait'); }
  if (!c.w.keys && !c.w.seen.size && (strict || !typesIn(c.el))) return retype(c, words);
  if (!c.w.seen.size && typesIn(c.el) && !strict) {
    leaveCombo(c);
    return done(sameText(words[0], shownValue(c)) ? 'set' : 'value_mismatch', { via: c.w.keys ? 'keys' : 'set', got: shownValue(c) });
  }
  await closeCombo(c);
  const labels = Array.from(c.w.seen.keys()).filter(Boolean).slice(0, LIMIT.list).map((s) => cut(s, 120));
  return done('option_not_found', { candidates: labels, message: c.w.off ? 'this option is disabled' : labels.length ? 'no suggestion is exactly that' : 'the page suggested nothing' });
}

// strictCombo: the field counts only what was picked.
const strictCombo = (c) => c.twin || /^(typeahead|select)$/.test(c.a.kind || '') || (c.a.options || []).length > 0;

async function closeCombo(c) {
  if (typesIn(c.el) && strictCombo(c)) enter(c.el, '');
  key(c.el, 'keydown', 'Escape');
  key(c.el, 'keyup', 'Escape');
  await shut(c);
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

// putListbox chooses in a list that is always open, or that shows no more than its
// choice until it is pressed.
async function putListbox(c) {
  const wants = Array.isArray(c.a.value) ? c.a.value : [c.a.value];
  const items = optionsOf(c.el).map((e) => ({ el: e, value: attr(e, 'data-value') || '', label: optionText(e), id: idOf(e), disabled: disabled(e) }));
  const plan = [];
  for (const v of wants) {
    const hit = matchOption(v, items, c.a.options, false);
    if (hit.ambiguous) return severalOptions(hit.ambiguous);
    if (!hit.item && !c.w.tried && within(c.el, OPTION).some((e) => !visible(e))) {
      c.w.tried = true;
      poke((items[0] || c).el);
      return (await until(() => optionsOf(c.el).length > items.length, 400)) ? putListbox(c) : trusted(c, 'click', 'opened');
    }
    if (!hit.item) return worthWaiting(c) ? waitOn() : done('option_not_found', { candidates: labelsOf(items) });
    plan.push({ el: hit.item.el, on: true, label: hit.item.label });
  }
  if (attr(c.el, 'aria-multiselectable') === 'true') for (const i of items) if (!plan.some((p) => p.el === i.el)) plan.unshift({ el: i.el, on: false });
  return turn(c, plan);
}
