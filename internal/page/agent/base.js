// Words, roots and safe access to the document. A page may name its elements
// after DOM methods (<input name="getAttribute">), so that documents and forms
// are only ever touched through the prototypes.

const LIMIT = { roots: 2000, text: 300, list: 60, nodes: 40000 };

const getter = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get;
const bodyOf = getter(Document.prototype, 'body');
const rootOf = getter(Document.prototype, 'documentElement');
const activeOf = getter(Document.prototype, 'activeElement');
const parentNodeOf = getter(Node.prototype, 'parentNode');
const textContentOf = getter(Node.prototype, 'textContent');
const idGetter = getter(Element.prototype, 'id');
const tagGetter = getter(Element.prototype, 'tagName');

const body = () => bodyOf.call(document) || rootOf.call(document);
const page = () => rootOf.call(document);
const idOf = (e) => idGetter.call(e);
const tagOf = (e) => String(tagGetter.call(e)).toUpperCase();
const attr = (e, name) => Element.prototype.getAttribute.call(e, name);
const has = (e, name) => Element.prototype.hasAttribute.call(e, name);
const is = (e, css) => Element.prototype.matches.call(e, css);
const closest = (e, css) => Element.prototype.closest.call(e, css);
const typeOf = (e) => (tagOf(e) === 'INPUT' ? String(e.type).toLowerCase() : '');
const roleOf = (e) => (attr(e, 'role') || ownRoles.get(tagOf(e)) || '').trim().split(/\s+/)[0].toLowerCase();

function all(root, css) {
  if (root.nodeType === 9) return Array.from(Document.prototype.querySelectorAll.call(root, css));
  if (root.nodeType === 11) return Array.from(DocumentFragment.prototype.querySelectorAll.call(root, css));
  return Array.from(Element.prototype.querySelectorAll.call(root, css));
}

// norm makes one line of a text: every kind of space is one space.
function norm(s) {
  return String(s == null ? '' : s).replace(/[\s\u00a0\u200b-\u200d\u2060\ufeff]+/g, ' ').trim();
}

// fold also removes what two writers of one word differ in: quotes, dashes, case.
function fold(s) {
  return norm(norm(s).normalize('NFKC').replace(/[\u2018\u2019\u02bc\u2032`\u00b4]/g, "'")
    .replace(/[\u201c\u201d\u2033]/g, '"').replace(/[\u2010-\u2015\u2212]/g, '-')).toLowerCase();
}

// slug keeps letters and digits only: "Bachelor's degree" and bachelors_degree agree.
function slug(s) {
  return fold(s).replace(/[^\p{L}\p{N}]+/gu, '');
}

function cut(s, max) {
  const n = max || LIMIT.text;
  return s.length > n ? s.slice(0, n - 1) + '\u2026' : s;
}

// Closed shadow roots are handed in from outside, when nothing else was found.
const closedRoots = new WeakMap();
const shadowOf = (e) => e.shadowRoot || closedRoots.get(e) || null;

function adoptClosed(host, root) {
  if (host && root) closedRoots.set(host, root);
  rootsMemo.at = -1e9;
}

const rootsMemo = { at: -1e9, tree: -1, list: [] };

// roots are the document and every shadow root in it, in document order.
function roots() {
  drainActivity();
  const now = performance.now();
  if (rootsMemo.tree === activity.tree && now - rootsMemo.at < 150) return rootsMemo.list;
  const list = [document];
  for (let i = 0; i < list.length && list.length < LIMIT.roots; i++) {
    for (const e of all(list[i], '*')) {
      const shadow = shadowOf(e);
      if (!shadow) continue;
      list.push(shadow);
      watchRoot(shadow);
      learnRole(e, shadow);
    }
  }
  rootsMemo.list = list;
  rootsMemo.at = now;
  rootsMemo.tree = activity.tree;
  return list;
}

// deep finds css in every root. It throws on a selector that is none.
function deep(css) {
  const out = [];
  for (const r of roots()) for (const e of all(r, css)) out.push(e);
  return out;
}

// within finds css below e as the tree is drawn: through the shadow roots that
// e contains, and with what is put into their slots.
function within(e, css) {
  const out = all(e, css);
  if (roots().length === 1) return out;
  const seen = new Set(out);
  const add = (list) => { for (const x of list) if (!seen.has(x)) { seen.add(x); out.push(x); } };
  const own = shadowOf(e);
  const slots = all(e, 'slot');
  for (const r of roots()) {
    if (r === document || (r !== own && !contains(e, r.host))) continue;
    add(all(r, css));
    slots.push(...all(r, 'slot'));
  }
  for (const slot of slots) for (const x of slot.assignedElements({ flatten: true })) {
    if (contains(x, e)) continue;
    if (is(x, css)) add([x]);
    add(all(x, css));
  }
  return out;
}

// parentOf climbs the tree as it is drawn: slots and shadow hosts included.
function parentOf(e) {
  if (e.assignedSlot) return e.assignedSlot;
  const p = parentNodeOf.call(e);
  if (!p) return null;
  if (p.nodeType === 11) return p.host || null;
  return p.nodeType === 1 ? p : null;
}

function contains(outer, inner) {
  for (let n = inner; n; n = parentOf(n)) if (n === outer) return true;
  return false;
}

function ancestor(e, test, levels) {
  let n = parentOf(e);
  for (let i = 0; n && i < (levels || 200); i++, n = parentOf(n)) if (test(n)) return n;
  return null;
}

// byId looks in the element's own root first, as HTML does, then everywhere.
function byId(id, near) {
  if (!id) return null;
  const root = near ? near.getRootNode() : document;
  const css = '[id="' + CSS.escape(id) + '"]';
  return all(root, css)[0] || deep(css)[0] || null;
}

// decoded is the id that a fragment means. A fragment may be no proper escape,
// such as #100%, and then means itself.
function decoded(fragment) {
  try { return decodeURIComponent(fragment); } catch (err) { return fragment; }
}

function describe(e) {
  const id = idOf(e);
  const words = cut(norm(tagOf(e) === 'INPUT' || tagOf(e) === 'SELECT' ? nameOf(e) : textOf(e)), 60);
  const tag = tagOf(e).toLowerCase() + (typeOf(e) && typeOf(e) !== 'text' ? '[type=' + typeOf(e) + ']' : '');
  return tag + (id ? '#' + id : '') + (words ? ' "' + words + '"' : '');
}

// glance is the beginning of the visible text, without laying out all of it.
function glance(root, max) {
  let s = '';
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(), i = 0; n && s.length < max && i < 5000; n = walker.nextNode(), i++) {
    const words = n.data.trim();
    if (!words) continue;
    const p = n.parentElement;
    if (!p || /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|OPTION|TEXTAREA)$/.test(tagOf(p)) || !p.checkVisibility({ visibilityProperty: true })) continue;
    s += ' ' + words.slice(0, max);
  }
  return norm(s.slice(0, max));
}

// textOf is what a person reads in e, bounded.
function textOf(e) {
  if (tagOf(e) !== 'INPUT' && textContentOf.call(e).length > 20000) return glance(e, 5000);
  const s = tagOf(e) === 'INPUT' ? e.value : e.innerText !== undefined ? e.innerText : textContentOf.call(e);
  return norm(String(s || '').slice(0, 5000));
}
