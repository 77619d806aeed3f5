// What a choice of a component library holds, as it shows it: in its own text,
// in its text field, in chips, or in a native control behind it.

// flatChildren are the nodes below n as they are drawn.
function flatChildren(n) {
  const shadow = n.nodeType === 1 ? shadowOf(n) : null;
  if (shadow) return Array.from(childNodesOf.call(shadow));
  if (n.nodeType === 1 && tagOf(n) === 'SLOT' && n.assignedNodes) {
    const put = n.assignedNodes({ flatten: true });
    if (put.length) return put;
  }
  return Array.from(childNodesOf.call(n));
}

// flatText is the text of e with what is in shadow roots and slots.
function flatText(e) {
  let s = '';
  const walk = (n, depth) => {
    if (n.nodeType === 3) { s += n.data; return; }
    if (n.nodeType !== 1 && n.nodeType !== 11 || depth > 20 || n.nodeType === 1 && /^(STYLE|SCRIPT|TEMPLATE)$/.test(tagOf(n))) return;
    s += ' ';
    for (const x of flatChildren(n)) walk(x, depth + 1);
    s += ' ';
  };
  walk(e, 0);
  return norm(s.slice(0, 5000));
}

// shellOf is the box that a person takes for the control: the largest one with
// nothing else asked, and without the words of its question.
function shellOf(e) {
  const ids = (attr(e, 'aria-labelledby') || '').split(/\s+/).filter(Boolean);
  const asks = (n) => all(n, 'label,legend').some((l) => !ariaHidden(l) && (l.htmlFor === idOf(e) || tagOf(l) === 'LEGEND')) || ids.some((id) => all(n, '[id="' + CSS.escape(id) + '"]').length > 0);
  let shell = e;
  let n = parentOf(e);
  for (let i = 0; n && i < 7; i++, n = parentOf(n)) {
    if (n === body() || is(n, 'form,fieldset,main,label,td,th,tr,table,dialog,[role=dialog],[role=group],[role=radiogroup]')) break;
    if (tagOf(n) === 'SLOT') continue;
    if (within(n, CONTROL).some((x) => x !== e && !contains(x, e) && !contains(e, x) && !partOfList(x) && settable(x))) break;
    if (all(n, HINTS).some((h) => visible(h) && !contains(h, e)) && shell !== e || asks(n)) break;
    if (n.getBoundingClientRect().height > 240 && !shadowOf(n)) break;
    shell = n;
  }
  return shell;
}

const partOfList = (e) => !!ancestorOrSelf(e, (n) => is(n, LISTS) || is(n, OPTION));

const MUTE = '[aria-live],[role=log],[role=status],[role=alert],[class*=laceholder]:not([class*=selected]),[class*=a11y],[class*=sr-only],[class*=visually-hidden],[class*=live-region],select,datalist,option,template,style,script,' + OPTION + ',' + LISTS;

// pieces are the texts in the shell of a choice, each with the element that has
// it, without lists, announcements, placeholders and the words of the question.
function pieces(c) {
  const shell = shellOf(c.el);
  const shown = isTextual(c.el) ? '' : textOf(c.el);
  const words = new Set(namesOf(c.el).filter((n) => n !== shown).slice(0, 1).map(bare));
  const out = [];
  const walk = (n, depth) => {
    if (n.nodeType !== 1 && n.nodeType !== 11 || depth > 24 || out.length > 200) return;
    if (n.nodeType === 1 && n !== c.el && n !== shell && (is(n, MUTE) || /-(option|item)$/i.test(tagOf(n)) || tagOf(n) === 'LABEL' || tagOf(n) === 'LEGEND' || !drawn(n))) return;
    const kids = flatChildren(n);
    const own = norm(kids.map((x) => (x.nodeType === 3 ? x.data : ' ')).join(''));
    if (own && n.nodeType === 1 && !words.has(bare(own)) && onShow(n)) out.push({ el: n, text: own });
    for (const x of kids) walk(x, depth + 1);
  };
  walk(shell, 0);
  return { shell, list: out };
}

// drawn also takes what has no box itself but hands its place to what is in it.
const drawn = (n) => n.checkVisibility({ visibilityProperty: true }) || getComputedStyle(n).display === 'contents';
const onShow = (n) => { const r = n.getBoundingClientRect(); return r.width >= 2 && r.height >= 2 || tagOf(n) === 'SLOT' || getComputedStyle(n).display === 'contents'; };

// saysWhole: the whole text of an element around a piece is one of the words.
function saysWhole(piece, shell, wanted) {
  let n = piece.el;
  for (let i = 0; n && i < 5; i++, n = parentOf(n)) {
    if (wanted.includes(fold(i ? flatText(n) : piece.text)) || i && wanted.includes(fold(textOf(n)))) return true;
    if (n === shell) break;
  }
  return false;
}

const CHIP = '[class*=chip],[class*=Chip],[class*=tag],[class*=Tag],[class*=token],[class*=pill],[class*=multi],[role=listitem],[class*=selection-item],[class*=selected-item],li';
const SIGN = /^[\s\u00d7\u2715\u2716\u2717xX+,;|\u2022\u25be\u25bc\u25b4\u25b2\u2304\u2193\u203a>]*$/;
const COUNTS = /^\+?\s*\d+\s*(more|others?|(items?|options?|labels?)?\s*(are )?selected)?\s*(\.{3}|\u2026)?$|^\+\d+$|^(alle?|all)( \(\d+\))?( selected)?$/i;

// chips are the answers that a choice of several shows: {el, text}. partial
// tells how many there are where it says only that.
function chips(c) {
  const { shell, list } = pieces(c);
  const known = knownLabels(c);
  const out = [];
  let partial = 0;
  const add = (p, chip) => {
    if (SIGN.test(p.text) || PROMPT.test(p.text)) return;
    const n = /\d+/.exec(p.text);
    if (COUNTS.test(p.text) && !known.includes(fold(p.text))) { partial = n ? +n[0] : 1; return; }
    if (chip && out.some((x) => x.el === chip)) return;
    for (const t of splitJoined(chip ? chipText(chip) : p.text, known)) out.push({ el: chip || p.el, text: t });
  };
  for (const p of list) add(p, chipAround(p.el, shell, list));
  if (!out.length && isTextual(c.el) && !typesIn(c.el) && c.el.value) add({ el: c.el, text: c.el.value }, null);
  return { list: out, partial };
}

// chipAround is the smallest box around a piece that looks like a chip; a row of
// chips often looks like one too.
function chipAround(e, shell, list) {
  let n = e;
  for (let i = 0; n && n !== shell && i < 6; i++, n = parentOf(n)) {
    if (!is(n, CHIP)) continue;
    const several = list.filter((p) => contains(n, p.el) && !SIGN.test(p.text)).length > 1;
    return several && ROWS.test(attr(n, 'class') || '') ? null : n;
  }
  return null;
}

const ROWS = /(tags|chips|tokens|pills|values|items|list|group|container|wrapper|multi)\b|pillsList|(Tags|Chips|List|Group)\b/;

const chipText = (chip) => norm(flatText(chip).replace(/\s*(\u00d7|\u2715|\bx|\bremove|\bdelete)$/i, '').replace(/^(remove|\u00d7)\s+/i, ''));

const knownLabels = (c) => (c.w.seen ? Array.from(c.w.seen.keys()) : []).concat((c.a.options || []).map((o) => o.label || o.value)).concat([].concat(c.a.value || []).flatMap((v) => labelsWanted(c, v))).map(fold).filter(Boolean);

// splitJoined takes "Onion, Sausage" apart, by the known labels where it can.
function splitJoined(text, labels) {
  const t = fold(text);
  if (!/[,;|]/.test(text) || labels.includes(t)) return [text];
  const out = [];
  let rest = t;
  const sorted = labels.slice().sort((a, b) => b.length - a.length);
  while (rest) {
    const hit = sorted.find((l) => rest.startsWith(l) && /^\s*([,;|]|$)/.test(rest.slice(l.length)));
    if (!hit) return text.split(/\s*[,;|]\s+|\s*[,;|]$/).map(norm).filter(Boolean);
    out.push(hit);
    rest = rest.slice(hit.length).replace(/^\s*[,;|]\s*/, '');
  }
  return out;
}

// hiddenTwin is the native control behind the combobox, if there is one.
function hiddenTwin(e) {
  const inside = isTextual(e) ? [] : within(e, 'select').filter((s) => !settable(s) && rendered(parentOf(s)));
  if (inside.length === 1) return inside[0];
  let n = parentOf(e);
  for (let i = 0; n && i < 3; i++, n = parentOf(n)) {
    if (within(n, CONTROL).some((x) => x !== e && !partOfList(x) && settable(x))) return null;
    // Hidden by itself: a select in a hidden part of the form is another question.
    const selects = within(n, 'select').filter((s) => !settable(s) && rendered(parentOf(s)));
    if (selects.length === 1) return selects[0];
    if (selects.length > 1) return null;
  }
  return null;
}

const twinText = (c) => (c.twin ? Array.from(c.twin.selectedOptions).map((o) => norm(o.label)).join(', ') : '');

// shownValue is what a choice says that it holds.
function shownValue(c) {
  if (isTextual(c.el) && c.el.value) return c.el.value;
  const inner = within(c.el, 'input:not([type=hidden])')[0];
  if (inner && inner.value) return inner.value;
  if (!isTextual(c.el) && textOf(c.el)) return textOf(c.el);
  return pieces(c).list.map((p) => p.text).filter((t) => !SIGN.test(t)).join(', ');
}

// committed: the page holds the wanted option, not just its text.
function committed(c, words, strict) {
  const wanted = words.map(fold).filter(Boolean);
  if (c.many) return heldOf(c).list.some((t) => wanted.includes(t));
  const twin = c.twin;
  if (twin && speaks(twin)) {
    const on = twin.selectedOptions[0];
    return !!on && wanted.some((w) => fold(on.label) === w || fold(on.value) === w);
  }
  const closed = () => !strict || !isOpen(c);
  if (wanted.includes(fold(isTextual(c.el) ? c.el.value : textOf(c.el))) || !isTextual(c.el) && wanted.includes(fold(shownValue(c)))) return closed();
  if (isTextual(c.el) && c.el.value) return false;
  const { shell, list } = pieces(c);
  return list.some((p) => saysWhole(p, shell, wanted)) && closed();
}

// speaks: a native control holds what the choice before it holds. One whose options have
// no words is there for browsers that fill in by themselves, and may not follow.
const speaks = (twin) => twin.isConnected && (!twin.options.length || Array.from(twin.options).some((o) => o.label));

// heldOf is the folded list of what a choice of several holds, and how many
// there are where it says no more.
function heldOf(c) {
  if (c.twin && c.twin.multiple && speaks(c.twin)) return { list: Array.from(c.twin.selectedOptions).map((o) => fold(o.label)), partial: 0, chips: chips(c).list };
  const shown = chips(c);
  const list = shown.list.map((x) => fold(x.text));
  if (!list.length || shown.partial) for (const i of isOpen(c) ? offered(c) : []) if (optionOn(i.el) && !list.includes(fold(i.label))) list.push(fold(i.label));
  if (shown.partial) for (const e of closedOptions(c)) if (optionOn(e)) list.push(fold(optionText(e)));
  return { list: Array.from(new Set(list)), partial: shown.partial, chips: shown.list };
}

// closedOptions are the options of a closed list, as far as the page keeps them.
function closedOptions(c) {
  const lists = ['aria-controls', 'aria-owns'].flatMap((a) => (attr(c.el, a) || '').split(/\s+/)).map((id) => id && byId(id, c.el)).filter(Boolean);
  const host = c.el.getRootNode().host;
  return lists.concat(host ? [host] : []).flatMap((l) => within(l, OPTION)).slice(0, 500);
}

// isOpen: something is offered. What a closed box shows in a list of its own is
// what was chosen.
const isOpen = (c) => (attr(c.el, 'aria-expanded') === 'true' ? listsOf(c).length > 0 : attr(c.el, 'aria-expanded') === 'false' && !isTextual(c.el) ? offered(c).some((i) => !contains(c.el, i.el)) : offered(c).length > 0);
