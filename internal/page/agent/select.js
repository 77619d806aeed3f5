// The selector grammar, in one place:
//   css                  pierces every shadow root; css:has-text('x') and more css after it
//   text, text='x'       the smallest visible elements with that text, or the button around it
//   id                   with or without '#'
//   label, label='x'     the control with that label
//   role, role=button[name='x']
//   auto                 css if it looks like css and matches, else id, else text

const TAGS = new Set(('a article aside body button canvas caption dd details dialog div dl dt em fieldset figure footer form h1 h2 h3 h4 h5 h6 ' +
  'header iframe img input label legend li main nav ol option output p pre section select small span strong summary svg table tbody td ' +
  'textarea tfoot th thead tr ul').split(' '));

const CLICKABLE = 'a[href],button,summary,label,input[type=submit],input[type=button],input[type=image],input[type=reset],' +
  '[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=radio],[role=checkbox],[role=switch]';
let CONTROL = 'input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=image]):not([type=reset]),select,textarea,' +
  '[contenteditable]:not([contenteditable=false]),[role=combobox],[role=listbox],[role=slider],[role=switch],[role=checkbox],[role=radio],' +
  '[role=textbox],[role=searchbox],[role=spinbutton]';

function unquote(s) {
  const m = /^\s*(["'])([\s\S]*)\1\s*$/.exec(s);
  return m ? m[2].replace(/\\(["'\\])/g, '$1') : s.trim();
}

function looksLikeCSS(s) {
  if (/^[#.[*:]/.test(s)) return true;
  if (/[>[=\]~]|:(has-text|nth|first|last|not|has|is|checked)\b/.test(s) && /^[a-z*]/i.test(s)) return true;
  if (/^[a-z][a-z0-9-]*([#.][\w-]+)+/i.test(s)) return true;
  return s.split(/\s+/).every((w) => TAGS.has(w) || /^[a-z]+-[a-z-]+$/.test(w));
}

// find returns every element that the selector means, seen or not.
function find(selector, type) {
  const s = String(selector || '').trim();
  if (!s) return { els: [], took: '' };
  const prefix = /^(css|text|id|label|role|xpath)=([\s\S]*)$/.exec(s);
  if (prefix) return { els: findAs(prefix[1], prefix[2]), took: prefix[1] };
  if (s.startsWith('//')) return { els: findAs('xpath', s), took: 'xpath' };
  if (type && type !== 'auto') return { els: findAs(type, s), took: type };
  if (looksLikeCSS(s)) {
    const els = tryCSS(s);
    if (els && els.length) return { els, took: 'css' };
    if (/^[#.[]/.test(s)) return { els: cssOrID(s), took: 'css' };
  }
  if (/^[^\s]+$/.test(s)) {
    const els = findAs('id', s);
    if (els.length) return { els, took: 'id' };
  }
  return { els: findAs('text', s), took: 'text' };
}

function findAs(type, s) {
  switch (type) {
    case 'id': return deep('[id="' + CSS.escape(unquote(s).replace(/^#/, '')) + '"]');
    case 'text': case 'has-text': return byText(unquote(s));
    case 'label': return byLabel(unquote(s));
    case 'role': return byRole(s);
    case 'xpath': return byXPath(s);
    default: return cssOrID(s);
  }
}

// cssOrID also takes an id that is not escaped, such as #first.name.
function cssOrID(s) {
  const els = tryCSS(s) || [];
  return els.length || !/^#\S+$/.test(s) ? els : findAs('id', s);
}

// malformed is what is wrong with a selector that is no CSS, although it is said to
// be, or looks so; '' for any other.
function malformed(arg) {
  const s = String(arg.selector || '').trim();
  const prefix = /^(css|text|id|label|role|xpath)=([\s\S]*)$/.exec(s);
  const type = prefix ? prefix[1] : arg.type || 'auto';
  const css = prefix ? prefix[2] : s;
  if (s.startsWith('//') || type !== 'css' && !(type === 'auto' && looksLikeCSS(s))) return '';
  try { byCSS(css); } catch (e) { return cut(String(e.message || e).replace(/^Failed to execute [^:]*: /, ''), 300); }
  return '';
}

function tryCSS(s) {
  try { return byCSS(s); } catch (e) { return null; }
}

// byCSS splits a selector at its :has-text('x') parts.
function byCSS(s) {
  const at = s.indexOf(':has-text(');
  if (at < 0) return deep(s.replace(/:visible\b/g, ''));
  const rest = s.slice(at + 10);
  const m = /^\s*(["'])((?:\\.|(?!\1)[\s\S])*)\1\s*\)/.exec(rest) || /^()([^)]*)\)/.exec(rest);
  if (!m) throw new Error('the text of :has-text() is not closed');
  const want = fold(m[2].replace(/\\(["'\\])/g, '$1'));
  let els = deep(s.slice(0, at).trim() || '*').filter((e) => ownTextHas(e, want));
  els = els.filter((e) => !els.some((o) => o !== e && tagOf(o) === tagOf(e) && contains(e, o)));
  const tail = rest.slice(m[0].length);
  if (!tail.trim()) return els;
  const out = [];
  for (const e of els) for (const x of all(e, ':scope' + tail)) out.push(x);
  return out;
}

function ownTextHas(e, want) {
  return fold(buttonText(e)).includes(want);
}

// buttonText is what a person would call a thing to press.
function buttonText(e) {
  if (tagOf(e) === 'INPUT') return e.value || attr(e, 'alt') || attr(e, 'aria-label') || '';
  return textOf(e) || attr(e, 'aria-label') || (e.getRootNode().host && flatText(e)) || attr(e, 'title') || attr(e, 'alt') || '';
}

const SILENT = /^(SCRIPT|STYLE|NOSCRIPT|HEAD|TITLE|META|LINK|TEMPLATE|HTML|BODY|OPTION|OPTGROUP)$/;

function byText(s) {
  const want = fold(s);
  if (!want) return [];
  const exact = [];
  const part = [];
  for (const r of roots()) {
    for (const e of all(r, '*').slice(0, LIMIT.nodes)) {
      if (SILENT.test(tagOf(e))) continue;
      const raw = textContentOf.call(e);
      if (raw.length > 5000 && e.children.length) continue; // what is meant is smaller
      if (fold(raw).indexOf(want) < 0 && fold(attr(e, 'aria-label') || e.value || attr(e, 'alt') || '').indexOf(want) < 0) continue;
      const t = fold(buttonText(e));
      if (t === want || fold(attr(e, 'aria-label') || '') === want) exact.push(e);
      else if (t.includes(want)) part.push(e);
    }
  }
  const found = exact.some(visible) || !part.length ? exact : part;
  const small = found.filter((e) => !found.some((o) => o !== e && contains(e, o)));
  const out = [];
  for (const e of small) {
    const press = closest(e, CLICKABLE) || e;
    if (!out.includes(press)) out.push(press);
  }
  const press = out.filter((e) => is(e, CLICKABLE) && visible(e));
  return press.length ? press.filter((e) => tagOf(e) !== 'LABEL').length ? press.filter((e) => tagOf(e) !== 'LABEL') : press : out;
}

const bare = (s) => fold(s).replace(/\s*(\*|\(required\)|\(optional\)|required|optional)\s*$/, '').replace(/[\s*:]+$/, '');

function byLabel(s) {
  const want = bare(s);
  if (!want) return [];
  const named = deep(CONTROL + ',button').map((e) => ({ e, names: namesOf(e).map(bare) }));
  for (const test of [(n) => n === want, (n) => n.startsWith(want), (n) => n.includes(want)]) {
    const hits = named.filter((x) => x.names.some(test)).map((x) => x.e);
    if (hits.length) return hits;
  }
  return [];
}

const ROLES = {
  button: 'button,input[type=submit],input[type=button],input[type=reset],input[type=image],summary,[role=button]',
  link: 'a[href],area[href],[role=link]', heading: 'h1,h2,h3,h4,h5,h6,[role=heading]',
  checkbox: 'input[type=checkbox],[role=checkbox]', radio: 'input[type=radio],[role=radio]',
  textbox: 'input:not([type]),input[type=text],input[type=email],input[type=tel],input[type=url],textarea,[role=textbox],[contenteditable=true]',
  combobox: 'select:not([multiple]),input[list],[role=combobox]', listbox: 'select[multiple],[role=listbox]',
  spinbutton: 'input[type=number],[role=spinbutton]', slider: 'input[type=range],[role=slider]', searchbox: 'input[type=search],[role=searchbox]',
  group: 'fieldset,[role=group]', table: 'table,[role=table]', img: 'img,[role=img]', dialog: 'dialog,[role=dialog]',
};

function byRole(s) {
  const m = /^\s*([a-z]+)\s*(?:\[\s*name\s*=\s*([\s\S]*?)\s*\])?\s*$/.exec(s);
  if (!m) return [];
  const els = deep(ROLES[m[1]] || '[role="' + m[1] + '"]').filter((e) => !attr(e, 'role') || roleOf(e) === m[1]);
  if (m[2] === undefined) return els;
  const want = bare(unquote(m[2]));
  const names = (e) => [bare(nameOf(e)), bare(buttonText(e))];
  const exact = els.filter((e) => names(e).includes(want));
  return exact.length ? exact : els.filter((e) => names(e).some((n) => n.includes(want)));
}

function byXPath(s) {
  const out = [];
  try {
    const r = Document.prototype.evaluate.call(document, s, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    for (let i = 0; i < r.snapshotLength; i++) if (r.snapshotItem(i).nodeType === 1) out.push(r.snapshotItem(i));
  } catch (e) { /* not an XPath: nothing matches */ }
  return out;
}

// controlOf turns a label or a wrapper into the control that it stands for.
function controlOf(e) {
  if (is(e, CONTROL)) return e;
  if (tagOf(e) === 'LABEL' && e.control) return e.control;
  if (attr(e, 'for')) { const c = byId(attr(e, 'for'), e); if (c) return c; }
  return e;
}

// choices lists what a target can mean, in the order to try.
function choices(t) {
  const list = [];
  if (t.selector) list.push([t.selector, t.type || 'auto']);
  for (const a of t.alternatives || []) list.push([a, 'auto']);
  if (t.text) list.push(['text=' + t.text, 'text']);
  return list;
}

// resolve finds the usable elements of a target; usable decides what counts.
function resolve(t, usable, map) {
  let hidden = null;
  for (const [sel, type] of choices(t)) {
    const f = find(sel, type);
    const els = [];
    for (const e of f.els) { const x = map ? map(e) : e; if (!els.includes(x)) els.push(x); }
    if (!els.length) continue;
    const good = els.filter(usable);
    if (good.length) return { els: good, used: sel, took: f.took, all: els.length };
    if (!hidden) hidden = { els: [], hidden: els, used: sel, took: f.took, all: els.length };
  }
  return hidden || { els: [], used: '', took: '', all: 0 };
}

// theButton picks the one element to press, or says which ones it could be.
function theButton(t, near) {
  const r = resolve(t, visible);
  let els = r.els;
  if (!els.length) return { el: null, hidden: (r.hidden || [])[0] || null, used: r.used, candidates: [] };
  if (els.length > 1) els = narrowed(els, openDialog() ? (e) => contains(openDialog(), e) : null);
  if (els.length > 1) els = narrowed(els, (e) => !disabled(e));
  if (els.length > 1) els = narrowed(els, (e) => (near || []).some((n) => n.form && e.form === n.form));
  if (els.length > 1) els = narrowed(els, (e) => is(e, 'button,input,[role=button]'));
  if (els.length > 1) els = narrowed(els, (e) => !!closest(e, 'main,[role=main],form'));
  if (els.length > 1) els = els.filter((e) => !els.some((o) => o !== e && contains(e, o)));
  if (els.length > 1) return { el: null, ambiguous: true, used: r.used, candidates: els.slice(0, 8).map(describe) };
  return { el: els[0], used: r.used, candidates: [] };
}

function narrowed(els, test) {
  if (!test) return els;
  const some = els.filter(test);
  return some.length ? some : els;
}
