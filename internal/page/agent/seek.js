// Reading the answers that a control offers only when it is opened or typed
// into, and leaving it as it was.

let hunt = null;

// seek does one step: open, look, type, close.
async function seek(arg) {
  switch (arg.step) {
    case 'open': return seekOpen(arg);
    case 'type': return seekType(arg);
    case 'close': return seekClose();
    case 'restore': return seekRestore();
    default: return seekLook({ wait: true });
  }
}

const foundHere = (more) => Object.assign({ state: 'open', items: [], open: 0, size: 0, quiet: quietFor(), changed: false, since: 0, textual: false, was: '', x: 0, y: 0, point: false }, more || {});

async function seekOpen(arg) {
  const f = locate({ target: arg.target, kind: arg.kind, options: [] });
  if (!f.el) return foundHere({ state: f.state });
  const e = f.el;
  const twin = tagOf(e) === 'SELECT' ? e : comboLike(e) ? hiddenTwin(e) : null;
  if (twin && selectOptions(twin).length) return foundHere({ state: disabled(twin) && twin === e ? 'partial' : 'whole', items: selectOptions(twin) });
  if (tagOf(e) === 'SELECT') return lazySelect(e);
  if (tagOf(e) === 'INPUT' && e.list) return foundHere({ state: 'whole', items: Array.from(e.list.options).map((o) => ({ value: o.value, label: norm(o.label || o.value), group: '', disabled: false, on: false })) });
  if (roleOf(e) === 'listbox') return foundHere({ state: 'whole', items: listOptions(e) });
  if (disabled(e)) return foundHere({ state: 'partial' });
  const c = { a: { kind: arg.kind, options: [], value: '' }, el: e, els: [e], used: f.used, arg, w: {}, step: '' };
  hunt = { c, seen: new Map(), was: typedIn(e), hidden: hiddenNear(e), query: '', before: '', at: performance.now(), top: false, most: 0 };
  c.w.before = new WeakSet(deep(LISTS + ',' + LOOSE_LISTS).filter(visible));
  focusOn(e);
  if (typedIn(e) && !e.readOnly) enter(e, '');
  if (!isTextual(e) || e.readOnly || attr(e, 'aria-expanded') !== 'true') poke(e);
  await until(() => offered(c).length, 250);
  const at = offered(c).length ? {} : await press(e, 200);
  return Object.assign(await seekLook({}), { point: !!at.ok, x: at.x || 0, y: at.y || 0 });
}

// typedIn is the text in a control that takes text.
const typedIn = (e) => (isTextual(e) && e.value !== undefined ? e.value : '');

async function lazySelect(e) {
  if (disabled(e)) return foundHere({ state: 'partial' });
  focusOn(e);
  fire(e, 'mousedown', MouseEvent, { cancelable: true });
  await until(() => selectOptions(e).length, 500);
  leave(e);
  return foundHere({ state: selectOptions(e).length ? 'whole' : 'partial', items: selectOptions(e) });
}

// hiddenNear remembers the inputs that carry what a widget holds.
function hiddenNear(e) {
  let n = parentOf(e);
  for (let i = 0; n && i < 3; i++, n = parentOf(n)) {
    const list = within(n, 'input[type=hidden]');
    if (list.length && list.length < 4) return list.map((el) => ({ el, value: el.value }));
    if (within(n, CONTROL).length > 3) break;
  }
  return [];
}

const NO_MATCH = /^(no|zero|0) (results?|match(es|ing)?|options?|suggestions?|items?|data|entries)\b|^nothing (found|matches)|^(searching|loading)\b|^(type|enter|start typing|keep typing|please enter)\b.*(search|more|character|letter)/i;

// proposals are what is offered, without the words that say that nothing is.
function proposals(c) {
  const items = offered(c);
  return items.length <= 2 ? items.filter((i) => !NO_MATCH.test(i.label)) : items;
}

async function seekLook(arg) {
  const c = hunt.c;
  const end = performance.now() + 250;
  if (arg.wait) await change(40);
  if (!hunt.top) await toTop(c);
  hunt.top = hunt.top && offered(c).length > 0;
  let size = 0;
  let first = null;
  for (;;) {
    const items = proposals(c);
    if (first === null) first = listText(c);
    if (first !== hunt.before) hunt.most = Math.max(hunt.most, items.length);
    for (const i of items) {
      size = Math.max(size, +attr(i.el, 'aria-setsize') || 0);
      if (i.label && !hunt.seen.has(i.value + '\0' + i.label)) hunt.seen.set(i.value + '\0' + i.label, choiceSeen(i));
    }
    if (hunt.seen.size >= c.arg.limit || performance.now() >= end || !items.length || !(await scrollFurther(c))) break;
  }
  const list = Array.from(hunt.seen.values()).filter((o, i) => !isPrompt({ label: o.label, value: o.value || (PROMPT.test(o.label) ? o.label : 'x'), disabled: o.disabled }, i));
  const now = proposals(c);
  return foundHere({
    items: list, open: now.length, most: hunt.most, size, changed: hunt.before !== first, since: performance.now() - hunt.at, more: performance.now() >= end && canScroll(c), textual: typesIn(c.el), several: listsOf(c).some((l) => attr(l, 'aria-multiselectable') === 'true'), was: hunt.was,
    prefix: now.length > 0 && now.every((i) => fold(i.label).startsWith(hunt.query)),
  });
}

const scrollBox = (l) => scrollBoxIn(l);

// scrollFurther goes on in a list. One that draws only the rows in view goes by
// parts, and the rows are waited for; any other may only grow at its end.
async function scrollFurther(c) {
  let moved = false;
  for (const l of listsOf(c)) {
    const box = scrollBox(l);
    const room = box ? box.scrollHeight - box.clientHeight - box.scrollTop : 0;
    if (room <= 1) continue;
    const els = optionsOf(l);
    const drawn = els.reduce((sum, e) => sum + e.getBoundingClientRect().height, 0);
    const partly = drawn < box.scrollHeight * 0.8;
    const was = labelsIn(els);
    box.scrollTop += partly ? Math.max(20, box.clientHeight * 0.7) : room;
    const more = await until(() => labelsIn(optionsOf(l)) !== was, partly ? 400 : 150);
    moved = moved || !!more || partly;
  }
  return moved;
}

const labelsIn = (els) => els.length + ' ' + els.map(optionText).join('\n');
const canScroll = (c) => listsOf(c).some((l) => { const b = scrollBox(l); return b && b.scrollTop + b.clientHeight < b.scrollHeight - 1; });

function choiceSeen(i) {
  const box = ancestor(i.el, (n) => roleOf(n) === 'group', 3);
  return { value: i.value, label: cut(i.label), group: box ? referenced(box, 'aria-labelledby') || norm(attr(box, 'aria-label')) : '', disabled: i.disabled, on: attr(i.el, 'aria-selected') === 'true' && isOn(i.el) };
}

// listText is what the lists say, wherever they are scrolled to.
const listText = (c) => listsOf(c).map((l) => textContentOf.call(l)).join('\n');

async function toTop(c) {
  for (const l of listsOf(c)) {
    hunt.top = true;
    const b = scrollBox(l);
    if (!b || b.scrollTop <= 0) continue;
    b.scrollTop = 0;
    await frames(2);
  }
}

// seekType asks for what a text brings; blank only empties the control.
async function seekType(arg) {
  const c = hunt.c;
  await toTop(c);
  hunt.before = listText(c);
  hunt.query = fold(arg.text);
  hunt.at = performance.now();
  hunt.most = 0;
  hunt.top = false;
  focusOn(c.el);
  if (arg.keys) { selectAll(c.el); return foundHere({}); }
  enter(c.el, arg.text);
  await until(() => listText(c) !== hunt.before, 60);
  return seekLook({});
}

// seekClose closes what was opened, gently first: an Escape may close more.
async function seekClose() {
  const c = hunt.c;
  const open = () => offered(c).length > 0 && (!has(c.el, 'aria-expanded') || attr(c.el, 'aria-expanded') === 'true');
  if (isTextual(c.el) && !c.el.readOnly && typedIn(c.el) !== hunt.was) enter(c.el, hunt.was);
  if (!isTextual(c.el) && open()) { poke(c.el); await until(() => !open(), 200); }
  leave(c.el);
  if (await until(() => !open(), 300)) return foundHere({ state: lostValue() ? 'lost' : 'closed', was: hunt.was });
  const at = activeOf.call(document) || c.el;
  for (const e of at === c.el || at === body() ? [c.el] : [at, c.el]) { key(e, 'keydown', 'Escape'); key(e, 'keyup', 'Escape'); }
  if (!(await until(() => !open(), 300))) { fire(body(), 'mousedown', MouseEvent, {}); fire(body(), 'mouseup', MouseEvent, {}); HTMLElement.prototype.click.call(body()); }
  leave(c.el);
  await until(() => !open(), 300);
  return foundHere({ state: lostValue() ? 'lost' : open() ? 'open' : 'closed', was: hunt.was });
}

const lostValue = () => typedIn(hunt.c.el) !== hunt.was || hunt.hidden.some((h) => h.el.isConnected && h.el.value !== h.value);

// seekRestore puts back what picking the old answer again could not.
function seekRestore() {
  const c = hunt.c;
  if (isTextual(c.el) && typedIn(c.el) !== hunt.was) { setNative(c.el, hunt.was); fire(c.el, 'change'); }
  for (const h of hunt.hidden) if (h.el.isConnected && h.el.value !== h.value) { setNative(h.el, h.value); fire(h.el, 'change'); }
  return foundHere({ state: lostValue() ? 'lost' : 'closed' });
}
