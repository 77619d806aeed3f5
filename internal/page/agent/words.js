// What the page says about a control: its question, hint, section, and whether
// it must be answered.

// tidy takes the marks for required and optional off a label.
function tidy(s) {
  return norm(norm(s).replace(/^[*\uff0a\u203b]\s*/, '').replace(LEADING_MARK, '').replace(/\s*(\*+|[-\u2013\u2014,:|]\s*(required|optional))\s*$/i, '').replace(TRAILING_MARK, '')
    .replace(/\s*[*\uff0a\u203b]+\s*$/, '').replace(/\s*[:\uff1a]\s*$/, '')) || norm(s);
}

const HINTS = '.hint,.usa-hint,.govuk-hint,.form-text,.help-text,.helper-text,.help-block,.description,mat-hint,small,[class*=hint],[class*=Hint],' +
  '[class*=helper],[class*=HelperText],[class*=help-text],[class*=HelpText],[slot=help-text],[slot=hint],[slot=helper-text]';
const WRONG = /error|invalid|danger|alert|feedback/i;

// fieldBox is the largest box around a widget in which nothing else is asked.
function fieldBox(w, scene) {
  let box = null;
  let n = parentOf(w.box || w.el);
  for (let i = 0; n && i < 6 && n !== body() && !is(n, 'form,main,dialog,[role=dialog],body'); i++, n = parentOf(n)) {
    if ((scene.under.get(n) || 0) > 1) break;
    box = n;
    if (is(n, 'fieldset')) break;
  }
  return box;
}

// inField lists what the box of a widget holds besides its controls.
function inField(w, scene, css) {
  const box = w.field;
  return box ? within(box, css).filter((e) => visible(e) && !is(e, CONTROL) && !all(e, CONTROL).length) : [];
}

function hintFor(w, scene) {
  const out = [];
  const add = (s) => { const t = norm(s); if (t && !out.some((o) => o.includes(t))) out.push(t); };
  const says = (e) => { if (e && !WRONG.test(idOf(e) + ' ' + (attr(e, 'class') || '')) && roleOf(e) !== 'alert') add(textOf(e)); };
  const described = [w.el, ancestor(w.el, (n) => is(n, 'fieldset,[role=group],[role=radiogroup]'), 8)];
  for (const e of described) {
    if (!e || (e !== w.el && (scene.under.get(e) || 0) > 1)) continue;
    for (const id of (attr(e, 'aria-describedby') || '').split(/\s+/).filter(Boolean)) says(byId(id, e));
    add(attr(e, 'aria-description'));
  }
  for (const e of inField(w, scene, HINTS)) if (!closest(e, 'label,legend,[role=option],[role=listbox]')) says(e);
  return cut(out.join(' '));
}

// questionOf is what a set of controls answers together.
function questionOf(els, scene) {
  const e = els[0];
  let box = els.length > 1 ? ancestor(e, (n) => els.every((x) => contains(n, x)), 30) : parentOf(e);
  const alone = (n) => within(n, CONTROL).filter((x) => !els.includes(x) && settable(x)).length === 0;
  const name = e && attr(e, 'name');
  const said = name && els.length > 1 && !byId(name, e) && all(e.getRootNode(), 'label[for="' + CSS.escape(name) + '"]').find(visible);
  if (said && plain(said)) return plain(said); // its label is for the name, since no radio has an id
  const cell = e && closest(e, 'tr,[role=row]');
  if (cell && els.every((x) => contains(cell, x))) {
    const head = all(cell, 'th,[role=rowheader]').find((h) => !all(h, CONTROL).length) || all(cell, 'td')[0];
    if (head && !els.some((x) => contains(head, x)) && plain(head)) return tidy(plain(head));
  }
  for (let i = 0; box && i < 8 && box !== body(); i++, box = parentOf(box)) {
    if (i && (scene ? (scene.under.get(box) || 0) > 1 : !alone(box))) break;
    const q = ownQuestion(box, els) || textBefore(box, els);
    if (q) return tidy(q);
    if (is(box, 'fieldset,form')) break;
  }
  return tidy(groupName(e));
}

// ownQuestion is the name that a box gives itself.
function ownQuestion(box, els) {
  const legend = tagOf(box) === 'FIELDSET' ? all(box, 'legend').find((l) => closest(l, 'fieldset') === box) : null;
  const host = attr(box, 'label') && tagOf(box).includes('-') ? attr(box, 'label') : '';
  return plain(legend) || referenced(box, 'aria-labelledby') || norm(attr(box, 'aria-label')) || norm(host);
}

const childNodesOf = getter(Node.prototype, 'childNodes');
const previousOf = getter(Node.prototype, 'previousSibling');

// textBefore is the text of a box before its first control, or just before it.
function textBefore(box, els) {
  const first = els[0];
  const child = Array.from(childNodesOf.call(box)).find((n) => n === first || (n.nodeType === 1 && contains(n, first)));
  for (let s = child ? previousOf.call(child) : null, i = 0; s && i < 6; s = previousOf.call(s), i++) {
    if (s.nodeType === 1 && (is(s, CONTROL) || all(s, CONTROL).length)) return '';
    if (s.nodeType === 1 && (WRONG.test(attr(s, 'class') || '') || is(s, HINTS) || !visible(s) || /^(SCRIPT|STYLE|BR|HR)$/.test(tagOf(s)))) continue;
    if (s.nodeType === 1 && tagOf(s) === 'LABEL' && s.control && els.includes(s.control) && isChoice(s.control)) continue;
    const t = norm(s.nodeType === 3 ? s.data : s.nodeType === 1 ? plain(s) : '');
    if (/\p{L}/u.test(t) && t.length < LIMIT.text) return t;
  }
  return '';
}

// firstText is the first text of a box that is no hint, for controls that write
// their own state beside themselves.
function firstText(box, skip) {
  for (const e of all(box, 'label,legend,span,p,b,strong,h2,h3,h4,div').slice(0, 30)) {
    const t = all(e, CONTROL + ',button,p,div,span').length ? '' : plain(e);
    if (skip && skip.test(t)) continue;
    if (/\p{L}/u.test(t) && t.length < 160 && visible(e) && !is(e, HINTS) && !closest(e, 'button') && !WRONG.test(attr(e, 'class') || '')) return t;
  }
  return '';
}

const REQUIRED = { test: (s) => /^\s*[*\uff0a]|[*\uff0a]\s*:?\s*$/.test(s) || NEEDED_MARK.test(s) };
const OPTIONAL = { test: (s) => /^optional\b/i.test(s) || FREE_MARK.test(s) };
const STAR = new RegExp('^(?:[*\\uff0a]|' + OPENS + '?(?:' + NEEDED + ')' + SHUTS + '?)$', 'iu');
const SPARE = new RegExp('^' + OPENS + '?(?:' + FREE + ')' + SHUTS + '?$', 'iu');

// starred: the mark is drawn beside the words, or by the style sheet.
function starred(e) {
  if (!e) return false;
  for (const which of ['::after', '::before']) if (/^["'][\s(]*[*\uff0a]/.test(getComputedStyle(e, which).content)) return true;
  return false;
}

// demand tells whether a widget must be answered, and how the page says so.
function demand(w, scene) {
  const els = w.els;
  if (els.some((e) => e.required) || carriers(w, scene).some((e) => e.required)) return { required: true, by: 'attribute', optional: false };
  const group = w.kind === 'radio' || w.parts ? ancestor(w.el, (n) => is(n, 'fieldset,[role=group],[role=radiogroup]'), 12) : null;
  const asked = els.concat(group && (scene.under.get(group) || 0) <= 1 ? [group] : []);
  const host = w.el.getRootNode().host;
  if (host && has(host, 'required') && attr(host, 'required') !== 'false') return { required: true, by: 'attribute', optional: false };
  for (const e of asked) if (attr(e, 'aria-required') === 'true') return { required: true, by: 'aria', optional: false };
  const holder = ancestor(w.el, (n) => attr(n, 'aria-required') === 'true', 8);
  if (holder && (scene.under.get(holder) || 0) <= 1) return { required: true, by: 'aria', optional: false };
  if (w.kind === 'checkbox' && w.set) return { required: false, by: '', optional: OPTIONAL.test(w.raw) };
  const marks = inField(w, scene, 'abbr,sup,span,em,i,b,strong,[class*=required],[class*=optional]').map((e) => norm(textContentOf.call(e))).filter((s) => s.length < 14);
  if (OPTIONAL.test(w.raw) || marks.some((s) => SPARE.test(s))) return { required: false, by: '', optional: true };
  if (REQUIRED.test(w.raw) || marks.some((s) => STAR.test(s))) return { required: true, by: 'label', optional: false };
  const head = sharedCell(w.el) && headOf(w.el);
  if (head && OPTIONAL.test(plain(head))) return { required: false, by: '', optional: true };
  if (head && REQUIRED.test(plain(head))) return { required: true, by: 'label', optional: false };
  if (labelElements(w).some(starred)) return { required: true, by: 'label', optional: false };
  if (scene.allRequired) return { required: true, by: 'convention', optional: false };
  return { required: false, by: '', optional: scene.restOptional };
}

// carriers are the native controls out of sight that send what a widget holds.
function carriers(w, scene) {
  if (w.twin) return [w.twin];
  if (w.els.length > 1 || !/^(select|typeahead|date)$/.test(w.kind) || tagOf(w.el) === 'SELECT') return [];
  let n = parentOf(w.el);
  for (let i = 0; n && i < 4 && (scene.under.get(n) || 0) <= 1 && !is(n, 'form,fieldset,main,body'); i++, n = parentOf(n)) {
    const found = within(n, 'input,select').filter((x) => x !== w.el && !isChoice(x) && !settable(x));
    if (found.length) return found;
  }
  return [];
}

// labelElements are the elements that carry the question's words.
function labelElements(w) {
  const out = w.kind === 'radio' || w.parts ? [] : faces(w.el);
  const box = ancestor(w.el, (n) => tagOf(n) === 'FIELDSET', 8);
  if (box && (w.kind === 'radio' || w.parts)) { const l = all(box, 'legend')[0]; if (l) out.push(l); }
  for (const l of out.slice()) out.push(...all(l, 'span,abbr').slice(0, 4));
  return out;
}

const ALL_REQUIRED = /\ball (fields|questions|answers|sections|items|of the (fields|questions))( below| on this page| in this form)? (are|is|must be)( all)? (required|mandatory|answered|completed|filled)|\b(fields|questions) are (required|mandatory) unless|required unless (they are |otherwise )?(marked|stated|noted|indicated)|\bonly (the )?optional (fields|questions) are marked|\banswer all (of )?the questions\b/i;

// conventions of the whole page about what must be answered.
function conventions() {
  const text = glance(mainBox(), 12000);
  return { allRequired: ALL_REQUIRED.test(text), restOptional: false };
}

const SPLIT = (s) => String(s || '').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
