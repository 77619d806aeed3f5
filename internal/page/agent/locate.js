// From an answer to the control that takes it.

let fresh = null; // the controls that were there before a row was opened

function rememberControls() {
  fresh = new WeakSet(deep(CONTROL));
}

function forgetControls() {
  fresh = null;
}

// locate finds an answer's control: {el, els, used} or {state, hidden, candidates}.
function locate(a) {
  let r = resolve(a.target || {}, settable, controlOf);
  if (!r.els.length) r = byOption(a) || byPart(a) || r;
  if (!r.els.length) {
    const front = r.hidden && frontOf(r.hidden[0], a);
    if (front) return { el: front, els: [front], used: r.used, behind: r.hidden[0] };
    return { state: r.hidden ? 'hidden' : 'not_found', used: r.used, hidden: r.hidden };
  }
  const els = r.els.length > 1 ? oneField(a, r.els) : r.els;
  if (els.length > 1 && !together(a, els)) return { state: 'ambiguous', used: r.used, candidates: els.slice(0, 8).map(describe) };
  return { el: els[0], els, used: r.used };
}

function byOption(a) {
  for (const o of a.options || []) {
    if (!o.selector) continue;
    const r = resolve({ selector: o.selector }, settable, controlOf);
    if (r.els.length) return r;
  }
  return null;
}

function byPart(a) {
  for (const name of Object.keys(a.parts || {})) {
    const r = resolve(a.parts[name], settable, controlOf);
    if (r.els.length) return r;
  }
  return null;
}

function oneField(a, els) {
  let list = els;
  if (fresh) list = narrowed(list, (e) => !fresh.has(e));
  const dialog = openDialog();
  if (list.length > 1 && dialog) list = narrowed(list, (e) => contains(dialog, e));
  if (list.length > 1) list = narrowed(list, visible);
  if (list.length > 1) list = narrowed(list, (e) => is(e, CONTROL));
  return list;
}

// together: several elements that are one field.
function together(a, els) {
  if (els.every(isChoice)) {
    if (Array.isArray(a.value) || a.kind === 'radio') return true;
    if (els.every((e) => e.name && e.name === els[0].name)) return typeOf(els[0]) === 'radio' || (a.options || []).length > 0;
    return false;
  }
  if (a.kind === 'date' || a.parts) return els.length <= 3;
  return els.every(isBox) && els.length > 1;
}

// isBox: one box of a row that takes one character each.
const isBox = (e) => tagOf(e) === 'INPUT' && e.maxLength === 1;

// frontOf finds the visible widget that stands in for a hidden native control.
function frontOf(e, a) {
  if (!/^(SELECT|INPUT|TEXTAREA)$/.test(tagOf(e)) || isChoice(e)) return null;
  if (typeOf(e) === 'hidden' && !/^(select|typeahead|date|richtext|radio)$/.test(a.kind || '')) return null;
  const around = tagOf(e) === 'SELECT' && ancestor(e, (x) => roleOf(x) === 'combobox', 4);
  if (around && visible(around)) return around;
  let n = parentOf(e);
  for (let i = 0; n && i < 3; i++, n = parentOf(n)) {
    const combo = within(n, '[role=combobox],[aria-haspopup=listbox]').filter((x) => visible(x) || tagOf(e) === 'SELECT' && x !== e && rendered(x) && visible(parentOf(x)));
    if (combo.length === 1) return combo[0];
    const others = within(n, CONTROL).filter((x) => x !== e && visible(x));
    if (others.length === 1 && (tagOf(e) === 'SELECT' || a.kind === 'date' || a.kind === 'richtext')) return others[0];
    if (others.length > 1) return null;
  }
  return null;
}

// innerControls are the controls that a wrapper stands for.
function innerControls(e) {
  return within(e, CONTROL).filter(settable);
}

// groupOf lists the radios that exclude each other, e among them.
function groupOf(e) {
  if (typeOf(e) === 'radio' && e.name) {
    const css = 'input[type=radio][name="' + CSS.escape(e.name) + '"]';
    const same = all(e.getRootNode(), css).filter((x) => x.form === e.form);
    if (same.length > 1) return same;
    const far = deep(css);
    if (far.length > 1) return far;
  }
  const role = keepsRole(e) ? '' : roleOf(e);
  const css = typeOf(e) === 'radio' ? 'input[type=radio]' : role ? '[role="' + role + '"]' : tagOf(e).toLowerCase();
  if (keepsRole(e) && attr(e, 'name')) {
    const same = deep(css + '[name="' + CSS.escape(attr(e, 'name')) + '"]').filter((x) => formOf(x) === formOf(e));
    if (same.length > 1) return same;
  }
  const box = ancestor(e, (n) => is(n, 'fieldset,[role=radiogroup],[role=group]'), 20);
  if (box) return within(box, css);
  const wide = ancestor(e, (n) => within(n, css).length > 1, 6);
  return wide ? within(wide, css) : [e];
}

// boxGroup lists checkboxes that are answered together.
function boxGroup(e) {
  const css = 'input[type=checkbox],[role=checkbox],[role=switch]';
  if (typeOf(e) === 'checkbox' && e.name) {
    const same = all(e.getRootNode(), 'input[type=checkbox][name="' + CSS.escape(e.name) + '"]').filter((x) => x.form === e.form);
    if (same.length > 1) return same;
  }
  const box = ancestor(e, (n) => is(n, 'fieldset,[role=group]'), 20);
  return box ? within(box, css) : [e];
}
