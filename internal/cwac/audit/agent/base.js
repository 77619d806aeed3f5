// Access to the document that its own content cannot get in the way of: a page may
// name its elements after DOM methods, so that documents and forms are only ever
// touched through the prototypes.

const getter = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get;
const bodyOf = getter(Document.prototype, 'body');
const rootOf = getter(Document.prototype, 'documentElement');
const activeOf = getter(Document.prototype, 'activeElement');
const titleOf = getter(Document.prototype, 'title');
const nodeTypeOf = getter(Node.prototype, 'nodeType');
const parentNodeOf = getter(Node.prototype, 'parentNode');
const childrenOf = getter(Element.prototype, 'children');
const tagGetter = getter(Element.prototype, 'localName');
const outerOf = getter(Element.prototype, 'outerHTML');
const textContentOf = getter(Node.prototype, 'textContent');
const shadowGetter = getter(Element.prototype, 'shadowRoot');

const LIMIT = { roots: 20000, html: 300, list: 5000, links: 10001, address: 5000, text: 4000 };

const page = () => rootOf.call(document);
const body = () => bodyOf.call(document) || page();
const tagOf = (e) => String(tagGetter.call(e));
const attr = (e, name) => Element.prototype.getAttribute.call(e, name);
const has = (e, name) => Element.prototype.hasAttribute.call(e, name);
const is = (e, css) => Element.prototype.matches.call(e, css);
const closest = (e, css) => Element.prototype.closest.call(e, css);
const rectOf = (e) => Element.prototype.getBoundingClientRect.call(e);
const rootNodeOf = (e) => Node.prototype.getRootNode.call(e);
const listen = (target, type, fn, options) => EventTarget.prototype.addEventListener.call(target, type, fn, options);

function all(root, css) {
  if (root.nodeType === 9) return Array.from(Document.prototype.querySelectorAll.call(root, css));
  if (root.nodeType === 11) return Array.from(DocumentFragment.prototype.querySelectorAll.call(root, css));
  return Array.from(Element.prototype.querySelectorAll.call(root, css));
}

// Closed shadow roots are handed in from outside. A host then has its root as a
// property of its own in this world, where axe looks for it; the list keeps both.
const pierced = [];
const shadowOf = (e) => (pierced.length && Object.hasOwn(e, 'shadowRoot') ? e.shadowRoot : shadowGetter.call(e));

function adopt(host, root) {
  if (pierced.includes(root)) return;
  pierced.push(host, root);
  Object.defineProperty(host, 'shadowRoot', { value: root, configurable: true });
}

// hosts of closed roots that nothing may look into.
const sealed = new Set();
const seal = (host) => { sealed.add(host); };

// roots are the document and every shadow root in it, in document order.
function roots() {
  const list = [document];
  for (let i = 0; i < list.length && list.length < LIMIT.roots; i++) {
    for (const e of all(list[i], '*')) {
      const shadow = shadowOf(e);
      if (shadow) list.push(shadow);
    }
  }
  return list;
}

// deep finds css in every root. It throws on a selector that is none.
function deep(css) {
  const out = [];
  for (const r of roots()) for (const e of all(r, css)) out.push(e);
  return out;
}

// parentOf climbs the tree as it is drawn: slots and shadow hosts included.
function parentOf(e) {
  if (e.assignedSlot) return e.assignedSlot;
  const p = parentNodeOf.call(e);
  if (!p) return null;
  const type = nodeTypeOf.call(p);
  if (type === 11) return p.host || null;
  return type === 1 ? p : null;
}

function contains(outer, inner) {
  for (let n = inner; n; n = parentOf(n)) if (n === outer) return true;
  return false;
}

const norm = (s) => String(s == null ? '' : s).replace(/\s+/g, ' ').trim();
const cut = (s, max) => (s.length > max ? s.slice(0, max) : s);

// A document that may run no scripts has no timers either, not even for this world.
let timers = false;
setTimeout(() => { timers = true; });
const pause = async (ms) => { if (timers) await new Promise((done) => setTimeout(done, ms)); };
const frame = async () => { if (timers) await new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 50); }); };
const visible = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });

// htmlOf is the element's own markup, bounded: without its content when that is long.
function htmlOf(e) {
  const whole = outerOf.call(e);
  if (whole.length <= LIMIT.html) return whole;
  return cut(outerOf.call(Node.prototype.cloneNode.call(e, false)), LIMIT.html);
}

// boxOf is where e is drawn in the document, or null when it is not.
function boxOf(e, offset) {
  const r = rectOf(e);
  if (!r.width && !r.height) return null;
  const at = offset || { x: scrollX, y: scrollY };
  const round = (n) => Math.round(n * 100) / 100;
  return { x: round(r.x + at.x), y: round(r.y + at.y), width: round(r.width), height: round(r.height) };
}

// stepsOf climbs from e to its root: the nearest element with an id of its own ends
// the way.
function stepsOf(e, root) {
  const steps = [];
  for (let n = e; n && nodeTypeOf.call(n) === 1; n = parentNodeOf.call(n)) {
    const id = attr(n, 'id');
    if (id && all(root, '[id="' + CSS.escape(id) + '"]').length === 1) { steps.unshift({ tag: tagOf(n), id }); break; }
    const parent = parentNodeOf.call(n);
    let index = 0;
    let same = 0;
    if (parent) for (const c of nodeTypeOf.call(parent) === 1 ? childrenOf.call(parent) : parent.children) {
      if (tagOf(c) === tagOf(n)) { same++; if (c === n) index = same; }
    }
    steps.unshift({ tag: tagOf(n), index, same });
  }
  return steps;
}

function xpathOf(e) {
  const steps = stepsOf(e, rootNodeOf(e));
  const first = steps.length && steps[0].id ? '/' : '';
  return first + steps.map((s) => '/' + s.tag + (s.id ? "[@id='" + s.id + "']" : s.same > 1 ? '[' + s.index + ']' : '')).join('');
}

function selectorOf(e) {
  const parts = [];
  for (let n = e; n; n = rootNodeOf(n).host) {
    parts.unshift(stepsOf(n, rootNodeOf(n)).map((s) => (s.id ? '#' + CSS.escape(s.id) : CSS.escape(s.tag) + (s.same > 1 ? ':nth-of-type(' + s.index + ')' : ''))).join(' > '));
  }
  return parts.join(' >>> ');
}

// place is what a finding says of an element.
const place = (e, offset) => ({ html: htmlOf(e), xpath: xpathOf(e), selector: selectorOf(e), box: boxOf(e, offset) });
