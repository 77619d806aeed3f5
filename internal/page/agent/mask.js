// Hiding fields while a picture is taken.

const maskedStyles = new Map();

const UNREADABLE = [
  ['filter', 'blur(9px)'], ['color', 'transparent'], ['-webkit-text-fill-color', 'transparent'], ['text-shadow', 'none'],
  ['background-color', '#8a8a8a'], ['background-image', 'none'], ['transition', 'none'],
];

// hide makes the targets and the values unreadable. It tells whether anything
// was there to hide, and how large the page is.
async function hide(arg) {
  unhide();
  await atRest();
  for (const t of arg.targets) {
    for (const e of resolve(t, () => true, controlOf).els.slice(0, 20)) {
      const box = isChoice(e) ? ancestor(e, (n) => is(n, 'fieldset,[role=radiogroup],[role=group]'), 8) : null;
      const list = box ? [box] : [e].concat(isChoice(e) ? faces(e) : [], twinsOf(e));
      for (const x of list) blur(x);
    }
  }
  const values = (arg.values || []).map(plainly).filter((v) => v.length >= LEAST);
  if (values.length) for (const r of roots()) conceal(r, values);
  return { hidden: maskedStyles.size > 0 || !!veiled.sheet, extent: extent() };
}

// Private values stand elsewhere too: a review page repeats them as text. Such
// text is painted over by a highlight, which changes neither the tree nor the
// layout, whatever element the text is in.
const LEAST = 4; // letters of a value that is looked for: shorter ones are everywhere
const ACROSS = 6; // letters of a value that is looked for across the borders of blocks
const VEIL = 'legwork-private';
const DRAWN = [['fill', 'transparent'], ['stroke', 'transparent']];
const veiled = { sheet: null, roots: [], marks: null };

// plainly keeps letters and digits in one form, letter by letter: what two texts
// give one after the other is what they give together.
const plainly = (s) => String(s).normalize('NFKD').toLowerCase().replace(/\u03c2/g, '\u03c3').replace(/[^\p{L}\p{N}]+/gu, '');

// conceal makes unreadable what shows one of the values in a root.
function conceal(root, values) {
  const shows = (s) => { const p = plainly(s); return values.some((v) => p.includes(v)); };
  for (const e of all(root, 'input,textarea,select')) {
    if (tagOf(e) !== 'SELECT') {
      if (shows(e.value) || (!e.value && shows(e.placeholder || ''))) blur(e);
    } else if (Array.from(e.size > 1 || e.multiple ? e.options : e.selectedOptions).some((o) => shows(o.label))) blur(e);
  }
  const found = spots(written(root), values);
  if (!found.length) return;
  if (!veiled.sheet) {
    veiled.sheet = new CSSStyleSheet();
    const clear = ['color', '-webkit-text-fill-color', '-webkit-text-stroke-color', 'fill', 'stroke'].map((p) => p + ':transparent!important').join(';');
    veiled.sheet.replaceSync('::highlight(' + VEIL + '){' + clear + ';text-shadow:none!important;text-decoration:none!important;background-color:#8a8a8a!important}');
    veiled.marks = new Highlight();
    veiled.marks.priority = 1000;
    CSS.highlights.set(VEIL, veiled.marks);
  }
  for (const range of found) {
    veiled.marks.add(range);
    for (const n of [range.startContainer, range.endContainer]) {
      const drawn = all(root, 'svg text').find((e) => contains(e, parentNodeOf.call(n))); // which takes no highlight
      if (drawn) blur(drawn, DRAWN);
    }
  }
  root.adoptedStyleSheets = Array.from(root.adoptedStyleSheets).concat(veiled.sheet);
  veiled.roots.push(root);
}

// written are the texts of a root in the order of the document: {node, at, end}
// tell where in the whole plain text each stands.
function written(root) {
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  const list = [];
  let text = '';
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const p = parentNodeOf.call(n);
    if (p && p.nodeType === 1 && /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|OPTION|TEXTAREA)$/.test(tagOf(p))) continue;
    const s = plainly(n.data);
    if (!s) continue;
    list.push({ node: n, at: text.length, end: text.length + s.length });
    text += s;
  }
  return { list, text };
}

// spots are the ranges of all values in what is written.
function spots(all, values) {
  const out = [];
  for (const v of values) {
    for (let i = all.text.indexOf(v); i >= 0; i = all.text.indexOf(v, i + 1)) {
      const first = pieceAt(all.list, i);
      const last = pieceAt(all.list, i + v.length - 1);
      if (first !== last && v.length < ACROSS && blockOf(first.node) !== blockOf(last.node)) continue;
      const range = new Range();
      range.setStart(first.node, placeIn(first.node.data, i - first.at));
      range.setEnd(last.node, placeIn(last.node.data, i + v.length - 1 - last.at, true));
      out.push(range);
    }
  }
  return out;
}

function pieceAt(list, i) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (list[mid].end > i) high = mid;
    else low = mid + 1;
  }
  return list[low];
}

// placeIn is where in a text its plain letter n begins, or ends.
function placeIn(data, n, end) {
  let raw = 0;
  let seen = 0;
  for (const c of data) {
    const letters = plainly(c).length;
    if (seen + letters > n) return end ? raw + c.length : raw;
    seen += letters;
    raw += c.length;
  }
  return raw;
}

// blockOf is the element whose line a text stands on.
function blockOf(node) {
  let n = parentNodeOf.call(node);
  while (n && n.nodeType === 1 && /^(inline|contents|ruby)/.test(getComputedStyle(n).display)) n = parentOf(n);
  return n;
}

function unveil() {
  if (!veiled.sheet) return;
  CSS.highlights.delete(VEIL);
  for (const r of veiled.roots) r.adoptedStyleSheets = Array.from(r.adoptedStyleSheets).filter((s) => s !== veiled.sheet);
  veiled.sheet = veiled.marks = null;
  veiled.roots = [];
}

// twinsOf are what shows the value beside the control: a combobox's own face.
function twinsOf(e) {
  const front = visible(e) ? null : frontOf(e, { kind: 'select' });
  return front ? [front] : [];
}

function blur(e, more) {
  if (maskedStyles.has(e) || !e.style) return;
  maskedStyles.set(e, attr(e, 'style'));
  for (const [name, value] of UNREADABLE.concat(more || [])) e.style.setProperty(name, value, 'important');
}

function unhide() {
  for (const [e, style] of maskedStyles) {
    attr(e, 'style'); // a drawing's attribute is written when it is read, also after it was taken away
    if (style === null) Element.prototype.removeAttribute.call(e, 'style');
    else Element.prototype.setAttribute.call(e, 'style', style);
  }
  maskedStyles.clear();
  unveil();
  return true;
}

// atRest waits for what an answer has brought up and still is put in its place.
async function atRest() {
  if (quietFor() >= 50) return;
  const count = activity.count;
  await change(LOOK / 2);
  drainActivity();
  if (activity.count !== count) await frame();
}

// extent is the size of the whole page and of the window on it.
function extent() {
  const d = page();
  const b = body();
  return {
    width: Math.max(d.clientWidth, 1), height: Math.max(d.scrollHeight, b.scrollHeight, innerHeight, 1),
    viewport: innerHeight, x: Math.round(scrollX), y: Math.round(scrollY),
  };
}
