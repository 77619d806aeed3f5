// Ways to find a control again, each tried on the page before it is offered.

const SCORE = { id: 95, name: 90, testid: 85, label: 80, role: 75, placeholder: 60, autocomplete: 60, path: 30, bound: 88, tied: 65, counter: 40, random: 10, inner: 70 };
// Attributes in which frameworks keep the name of what a control is bound to.
const BOUND = ['formcontrolname', 'ng-model', 'data-name', 'data-field', 'data-field-name'];
const TIED = ['aria-labelledby', 'aria-controls', 'aria-owns'];
const TESTIDS = ['data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-cy', 'data-automation-id'];

const cssString = (s) => '"' + String(s).replace(/["\\]/g, '\\$&').replace(/[\n\r\f]/g, (c) => '\\' + c.charCodeAt(0).toString(16) + ' ') + '"';

// Ids that a framework counts up: another number on the next visit.
const COUNTED = /^(mat|mdc|cdk|mat-mdc|ng|ngb|p|pn|pr)[-_][a-z-_]*\d+([-_][a-z-]+)*$|:r[0-9a-z]+:|\u00abr[0-9a-z]+\u00bb|_r_[0-9a-z]+_|(?:^|[:_])j_id(?:t|_)?\d+|^(ember|ext-gen|yui|isc_|vs|uid-?|gwt-uid-|auto_?id_?|id__)\d+|^(react-select|select2|rc_select|rc-|downshift|mui|mantine|chakra|headlessui|radix|el-id|el-|input-v|v|pv_id|pn_id|ui-id|formly|reka|bits|bits-ui|base-ui|melt|kobalte|ark|zag|field-:|sl|wa|dijit_\w+|aui|choices--)[-_:].*\d/;
const PLAIN_COUNTER = /^(input|field|control|checkbox|select|radio|text|textfield|textbox|combobox)[-_]?\d+$/i;

// randomLooking: nobody chose this word, so that it will be another one tomorrow.
function randomLooking(s) {
  if (COUNTED.test(s) || /[0-9a-f]{8}-[0-9a-f]{4}-/i.test(s) || /\d{6,}/.test(s)) return true;
  for (const word of s.split(/[^A-Za-z0-9]+/)) {
    if (word.length < 5) continue;
    const digits = word.replace(/\D/g, '').length;
    if (word.length >= 8 && digits >= 2 && /^[0-9a-f]+$/i.test(word) && /[a-f]/i.test(word)) return true;
    if (digits >= 3 && (word.match(/\d[A-Za-z]|[A-Za-z]\d/g) || []).length >= 3) return true;
  }
  return false;
}

// scoreOf is how likely a way still works tomorrow; named: the page uses the
// same word as the control's name, so that somebody chose it.
function scoreOf(basis, s, named) {
  if (randomLooking(s)) return SCORE.random;
  return basis === 'id' && PLAIN_COUNTER.test(s) && !named ? SCORE.counter : SCORE[basis];
}

// wayIndex remembers which element a word means alone, so that 500 controls are
// not looked up 500 times. Several elements under one key are null.
function wayIndex() {
  const index = { one: new Map(), names: new Map(), places: new WeakMap() };
  const put = (key, e) => index.one.set(key, index.one.has(key) && index.one.get(key) !== e ? null : e);
  for (const e of deep('[id]')) put('#' + idOf(e), e);
  for (const a of ['name'].concat(TESTIDS, BOUND, TIED, ['placeholder', 'autocomplete', 'label'])) {
    for (const e of deep('[' + a + ']')) {
      const css = byAttribute(e, a);
      put(css, e);
      if (a === 'name' && isChoice(e) && attr(e, 'value') !== null) put(css + '[value=' + cssString(attr(e, 'value')) + ']', e);
    }
  }
  for (const e of deep(CONTROL + ',button')) {
    const names = namesOf(e);
    index.names.set(e, names);
    for (const n of new Set(names.map(bare))) put('label=' + n, e);
    const role = rolePlayed(e);
    if (role) for (const n of new Set([bare(names[0] || ''), bare(buttonText(e))])) if (n) put('role=' + role + '=' + n, e);
  }
  return index;
}

const byAttribute = (e, a) => tagOf(e).toLowerCase() + '[' + a + '=' + cssString(attr(e, a)) + ']';

const TYPE_ROLES = { '': 'textbox', text: 'textbox', email: 'textbox', tel: 'textbox', url: 'textbox', checkbox: 'checkbox', radio: 'radio', number: 'spinbutton', range: 'slider', search: 'searchbox' };

// rolePlayed is the one role under which the selector grammar finds e.
function rolePlayed(e) {
  if (attr(e, 'role')) return /^[a-z]+$/.test(roleOf(e)) ? roleOf(e) : '';
  switch (tagOf(e)) {
    case 'INPUT': return has(e, 'list') ? '' : TYPE_ROLES[attr(e, 'type') === null ? '' : typeOf(e)] || '';
    case 'SELECT': return e.multiple ? 'listbox' : 'combobox';
    case 'TEXTAREA': return 'textbox';
    case 'BUTTON': return 'button';
    default: return '';
  }
}

// waysTo lists the ways to e alone, best first.
function waysTo(e, index) {
  const out = [];
  const alone = (key) => index.one.get(key) === e;
  const add = (basis, selector, word) => { if (!out.some((w) => w.selector === selector)) out.push({ selector, basis, score: scoreOf(basis, word, attr(e, 'name') === word) }); };
  const id = idOf(e);
  if (id && alone('#' + id)) add('id', '#' + CSS.escape(id), id);
  const name = attr(e, 'name');
  if (name) {
    const css = byAttribute(e, 'name');
    const value = isChoice(e) && attr(e, 'value') !== null ? css + '[value=' + cssString(attr(e, 'value')) + ']' : css;
    if (alone(value)) add('name', value, name);
    else if (alone(css)) add('name', css, name);
  }
  for (const a of TESTIDS) if (attr(e, a) && alone(byAttribute(e, a))) add('testid', byAttribute(e, a), attr(e, a));
  for (const a of BOUND.concat(TIED)) if (attr(e, a) && alone(byAttribute(e, a))) out.push({ selector: byAttribute(e, a), basis: 'name', score: scoreOf(BOUND.includes(a) ? 'bound' : 'tied', attr(e, a)) });
  wordWays(e, index, alone, add);
  for (const a of ['placeholder', 'autocomplete']) {
    const v = attr(e, a);
    if (v && !/^(on|off|new-password|nope|none|false)$/i.test(v) && alone(byAttribute(e, a))) add(a, byAttribute(e, a), '');
  }
  if (e.getRootNode().host) for (const w of out) if (/^(id|name)$/.test(w.basis)) w.score = Math.min(w.score, SCORE.inner); // the component's own words
  hostWays(e, index, add);
  const path = pathTo(e, index);
  if (path) add('path', path, '');
  return out.filter((w) => w.selector.length <= MOST.word).sort((a, b) => b.score - a.score);
}

// wordWays are the ways by what the page says in words.
function wordWays(e, index, alone, add) {
  const chosen = comboLike(e) && !isTextual(e) ? bare(textOf(e)) : '';
  const names = (index.names.get(e) || []).filter((n) => !chosen || !bare(n).includes(chosen));
  const name = names.find((n) => bare(n) && bare(n).length <= 100 && alone('label=' + bare(n)));
  if (name) add('label', 'label=' + tidy(name), '');
  const role = rolePlayed(e);
  if (role && names[0] && bare(names[0]) && names[0].length <= 100 && alone('role=' + role + '=' + bare(names[0]))) {
    add('role', 'role=' + role + '[name=' + JSON.stringify(tidy(names[0])) + ']', '');
  }
}

// hostWays name a control inside a component by the component.
function hostWays(e, index, add) {
  const host = e.getRootNode().host;
  if (!host) return;
  const inner = innerControls(host);
  if (inner.length !== 1 || inner[0] !== e) return;
  if (idOf(host) && index.one.get('#' + idOf(host)) === host) add('id', '#' + CSS.escape(idOf(host)), idOf(host));
  for (const a of ['name'].concat(TESTIDS)) {
    if (attr(host, a) && index.one.get(byAttribute(host, a)) === host) add(a === 'name' ? 'name' : 'testid', byAttribute(host, a), attr(host, a));
  }
  if (attr(host, 'label') && index.one.get(byAttribute(host, 'label')) === host) add('placeholder', byAttribute(host, 'label'), '');
}

const childrenOf = getter(Element.prototype, 'children');

// placeAmong is e's position among its siblings of the same tag; 0 if alone.
function placeAmong(e, index) {
  const p = parentNodeOf.call(e);
  if (!p || p.nodeType === 9) return 0;
  let places = index.places.get(p);
  if (!places) {
    places = { at: new Map(), counts: new Map() };
    for (const c of Array.from(p.nodeType === 1 ? childrenOf.call(p) : p.children)) {
      const n = (places.counts.get(tagOf(c)) || 0) + 1;
      places.counts.set(tagOf(c), n);
      places.at.set(c, n);
    }
    index.places.set(p, places);
  }
  return places.counts.get(tagOf(e)) > 1 ? places.at.get(e) : 0;
}

// pathTo is the way down from the nearest thing with a lasting id.
function pathTo(e, index) {
  const path = [];
  let sure = false; // from one known place, every step is to one child only
  for (let n = e, i = 0; n && n.nodeType === 1 && i < 25; n = parentNodeOf.call(n), i++) {
    const id = idOf(n);
    if (n !== e && id && index.one.get('#' + id) === n && !randomLooking(id)) { path.unshift('#' + CSS.escape(id)); sure = true; break; }
    const at = placeAmong(n, index);
    path.unshift(CSS.escape(tagOf(n).toLowerCase()) + (at ? ':nth-of-type(' + at + ')' : ''));
    if (n === body()) { sure = true; break; }
  }
  const css = path.join(' > ');
  if (sure) return css;
  const found = deep(css);
  return found.length === 1 && found[0] === e ? css : '';
}

// twinWays find the box that a library draws by the native control that it hides,
// which has the name that the form's author gave it.
function twinWays(w, index) {
  const e = w.el;
  const part = roleOf(e) ? '[role="' + roleOf(e) + '"]' : tagOf(e).toLowerCase();
  const out = [];
  for (const x of waysTo(w.twin, index)) {
    if (!/^(id|name)$/.test(x.basis)) continue;
    const css = [part + ':has(' + x.selector + ')', x.selector + ' + ' + part, x.selector + ' + * ' + part].find((s) => { const found = tryCSS(s) || []; return found.length === 1 && found[0] === e; });
    if (css) out.push({ selector: css, basis: x.basis, score: x.score - 1 });
  }
  return out;
}

// wrapperWays find the visible box of a control that does not show itself.
function wrapperWays(box, e, index) {
  const out = waysTo(box, index).filter((w) => w.basis !== 'path');
  const chain = [];
  for (let n = parentNodeOf.call(e); n && n !== box; n = parentNodeOf.call(n)) chain.unshift(tagOf(n).toLowerCase());
  for (const w of waysTo(e, index)) {
    if (!/^(id|name|testid)$/.test(w.basis)) continue;
    const css = tagOf(box).toLowerCase() + ':has(> ' + chain.concat(w.selector).join(' > ') + ')';
    const found = tryCSS(css);
    if (found && found.length === 1 && found[0] === box) out.push({ selector: css, basis: w.basis, score: w.score - 1 });
  }
  const path = pathTo(box, index);
  if (path) out.push({ selector: path, basis: 'path', score: SCORE.path });
  return out.sort((a, b) => b.score - a.score);
}

// agree tells for every list of ways whether each of them leads the way that a
// field is set to the same control.
function agree(arg) {
  const one = (selector) => {
    const r = resolve({ selector, type: 'css' }, () => true, controlOf);
    if (r.els.length !== 1) return null;
    const e = r.els[0];
    const inner = is(e, CONTROL) ? [] : within(e, CONTROL);
    return inner.length === 1 ? inner[0] : e;
  };
  return arg.lists.map((list) => {
    const first = list.length ? one(list[0]) : null;
    return first ? list.filter((s) => { const e = one(s); return !e || (e !== first && !contains(e, first) && !contains(first, e)); }) : list;
  });
}
