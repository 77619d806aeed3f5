// The lists that choices open: in the page, in a portal, in a shadow root or in
// its slot, with roles or without any.

const OPTION = '[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]';
const LISTS = '[role=listbox],[role=menu],[role=tree],[role=grid]';
const LOOSE_LISTS = 'ul,ol,[class*=suggest],[class*=autocomplete],[class*=typeahead],[class*=dropdown],[class*=menu],[class*=list],[class*=results],' +
  '[class*=options],[class*=popup],[class*=popover],[class*=overlay]';

const isTextual = (e) => /^(INPUT|TEXTAREA)$/.test(tagOf(e)) || attr(e, 'contenteditable') === 'true';

// typesIn: letters that are typed into e narrow its list down. In others they
// choose at once, or nothing comes of them.
const typesIn = (e) => isTextual(e) && !e.readOnly && attr(e, 'inputmode') !== 'none' && attr(e, 'aria-readonly') !== 'true';

function comboLike(e) {
  if (roleOf(e) === 'combobox' || /^(list|both)$/.test(attr(e, 'aria-autocomplete') || '')) return true;
  if (/^(listbox|tree|grid)$/.test(attr(e, 'aria-haspopup') || '')) return true;
  return !!ancestor(e, (n) => roleOf(n) === 'combobox', 3);
}

// typesInside: e is the box around the field of a combobox that narrows its list
// down, shown or not until the list is open.
const typesInside = (e) => !isTextual(e) && !hiddenTwin(e) && within(e, 'input:not([type=hidden])').some((x) => typesIn(x) && !isChoice(x) && !ariaHidden(x) && attr(x, 'tabindex') !== '-1');

// boxedCombo: a choice that is typed into, and shows what it holds in the box
// around its field.
const boxedCombo = (w) => w.kind === 'typeahead' && !isTextual(w.el);

// listShown also takes a list without a box of its own around options that show.
const listShown = (l) => visible(l) || within(l, OPTION).slice(0, 3).some(visible);

// listsOf are the visible lists that offer something for e.
function listsOf(c) {
  const out = [];
  const add = (l) => { if (l && !out.includes(l) && l !== c.el && listShown(l)) out.push(l); };
  const near = [c.el, ancestor(c.el, (n) => roleOf(n) === 'combobox', 3)].filter(Boolean);
  const named = [];
  for (const e of near) for (const a of ['aria-controls', 'aria-owns']) for (const id of (attr(e, a) || '').split(/\s+/)) {
    const l = id && byId(id, e);
    if (l && l !== c.el) named.push(l);
    add(l);
  }
  if (!out.length && attr(c.el, 'aria-expanded') === 'true') for (const l of named) add(popupAround(c, l));
  // A list that the combobox names is its list, open or not: another one is somebody else's.
  if (named.length) return out;
  const wrap = parentOf(c.el);
  for (const l of deep(LISTS)) if (!c.w.before || !c.w.before.has(l) || (wrap && contains(wrap, l))) add(l);
  preferOwn(c, out);
  const host = c.el.getRootNode().host;
  if (!out.length && host && isOwnList(host)) add(host);
  if (out.length) return out;
  for (const l of deep(LOOSE_LISTS)) if ((!c.w.before || !c.w.before.has(l)) && !contains(l, c.el)) add(l);
  return out.filter((l) => !out.some((o) => o !== l && contains(o, l)));
}

// preferOwn leaves out the lists of other controls where e has one inside, and
// the ones that show what was chosen where another one has opened.
function preferOwn(c, lists) {
  for (const better of [(l) => contains(c.el, l), (l) => !!c.w.before && !c.w.before.has(l)]) {
    const some = lists.filter(better);
    if (some.length) lists.splice(0, lists.length, ...some);
  }
}

// popupAround is the visible popup around a list that is for screen readers only.
function popupAround(c, list) {
  const box = visible(list) ? null : ancestor(list, (n) => visible(n) && n.getBoundingClientRect().height > 12, 4);
  return box && box !== body() && !contains(box, c.el) ? box : null;
}

// isOwnList: the component around a control holds the options itself.
const isOwnList = (host) => all(host, OPTION).length > 0;

function optionsOf(list) {
  let els = within(list, OPTION).filter(visible);
  if (!els.length) els = innermost(within(list, 'li,[class*=option],[class*=item]').filter((e) => !all(e, 'li').length));
  if (!els.length) els = Array.from(list.children);
  return els.filter((e) => visible(e) && !is(e, '[aria-hidden=true]'));
}

// innermost leaves out what holds others, since only those are pressed.
function innermost(els) {
  const set = new Set(els);
  const outer = new Set();
  for (const e of els) for (let n = parentOf(e), i = 0; n && i < 6; n = parentOf(n), i++) if (set.has(n)) outer.add(n);
  return els.filter((e) => !outer.has(e) || !textOf(e));
}

function offered(c) {
  const seen = new Set();
  const out = [];
  for (const l of listsOf(c)) for (const e of optionsOf(l)) {
    if (seen.has(e)) continue;
    seen.add(e);
    out.push({ el: e, value: optionValue(e), label: optionText(e), id: '', disabled: optionOff(e) });
  }
  return out;
}

// partOfOption is the component that an option in a shadow root belongs to.
function partOfOption(e) {
  const host = e.getRootNode().host;
  return host && all(e.getRootNode(), OPTION).length === 1 && /option|item/i.test(tagOf(host)) ? host : null;
}

function optionValue(e) {
  const host = partOfOption(e);
  return attr(e, 'data-value') || attr(e, 'value') || (host && attr(host, 'value')) || '';
}

function optionOff(e) {
  const off = (x) => attr(x, 'aria-disabled') === 'true' || is(x, ':disabled') || has(x, 'disabled') || has(x, 'data-disabled') && attr(x, 'data-disabled') !== 'false' || /(^|[\s_-])(is-)?disabled(\s|$)/.test(attr(x, 'class') || '');
  const outer = is(e, OPTION) ? null : parentOf(e); // of an option without a role, only the inside is known
  return off(e) || !!outer && is(outer, '[class*=option],[class*=item],li') && off(outer) || !!partOfOption(e) && optionOff(partOfOption(e));
}

// optionOn tells whether an option is chosen; null where the list does not say.
function optionOn(e) {
  for (const x of [e, partOfOption(e)].filter(Boolean)) {
    if (has(x, 'aria-checked')) return attr(x, 'aria-checked') === 'true';
    const box = within(x, 'input[type=checkbox],input[type=radio]')[0];
    if (box) return box.checked;
    if (has(x, 'aria-selected')) return attr(x, 'aria-selected') === 'true';
    if (has(x, 'selected')) return true;
  }
  return null;
}

// unmarked is a label without the tick that shows it chosen.
const unmarked = (s) => norm(norm(s).replace(/^[\u2713\u2714]\s*|\s*[\u2713\u2714]$/g, '')) || norm(s);

// optionText leaves out what is read to screen readers only ("1 of 50").
function optionText(e) {
  const quiet = all(e, '.usa-sr-only,.govuk-visually-hidden,.visually-hidden,.sr-only,[class*=hidden-text]');
  if (!quiet.length) {
    const host = partOfOption(e);
    return unmarked(attr(e, 'data-label') || textOf(e) || (host ? textOf(host) : '') || (shadowOf(e) ? flatText(e) : '') || attr(e, 'aria-label') || attr(e, 'label') || '');
  }
  let s = norm(textContentOf.call(e));
  for (const q of quiet) s = norm(s.replace(norm(textContentOf.call(q)), ' '));
  return s;
}

// scrollBoxIn is what scrolls in or around a list; some lists scroll by script
// what is cut off.
function scrollBoxIn(l) {
  const near = [l, parentOf(l)].concat(within(l, '*').slice(0, 200)).filter(Boolean);
  return near.find(scrolls) || near.find((e) => e !== near[1] && e.scrollHeight > e.clientHeight * 1.5 && e.clientHeight > 60 && getComputedStyle(e).overflowY === 'hidden') || null;
}

const scrolls = (e) => e.scrollHeight > e.clientHeight + 4 && e.clientHeight > 20 && /auto|scroll/.test(getComputedStyle(e).overflowY);

function scrollOn(c) {
  let moved = false;
  for (const l of listsOf(c)) {
    const box = scrollBoxIn(l);
    if (!box || box.scrollTop + box.clientHeight >= box.scrollHeight - 1) continue;
    box.scrollTop += Math.max(20, box.clientHeight * 0.9);
    c.w.typed = Math.max(c.w.typed, performance.now() - 300);
    moved = true;
  }
  return moved;
}
