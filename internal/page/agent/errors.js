// The form's own messages about what was entered, once each, with the control
// that they are about.

const INLINE = '.usa-error-message,.govuk-error-message,.invalid-feedback,.field-error,.error-message,.errorMessage,.form-error,.field-validation-error,' +
  '.input-error,.validation-error,.help-block-error,mat-error,.mat-error,.mat-mdc-form-field-error,.Mui-error[class*=FormHelperText],.ant-form-item-explain-error,' +
  '[class*=error-text],[class*=errorText],[class*=error-msg],[class*=errormsg],[class*=error_message],[class*=ErrorMessage],.parsley-required,label.error,span.error,p.error,div.error,' +
  'ul.error,ul.errors,ol.errors,.errorlist,.error_list,.error-list,.errmsg,.err_msg,.errMsg,.errorMsg,p.err,span.err,div.err,li.error,td .error,.fehler,.fehlermeldung,.wpcf7-not-valid-tip,.gfield_validation_message,' +
  '.hs-error-msg,.hs-error-msgs,.frm_error,.nf-error-msg,.form-item--error-message,.ui-message-error,.feedbackPanelERROR,.mktoErrorMsg,.mfp_err';
const SUMMARY = '.govuk-error-summary,.usa-alert--error,[class*=error-summary],[class*=errorSummary],[class*=ErrorSummary],.validation-summary-errors,.alert-danger,.alert-error';

const errorText = (e) => cut(norm(textOf(e).replace(/^\s*(error|alert|warning)\s*[:\u2013-]\s*/i, '')));
const cheerful = (e) => /success|info|confirm/.test(String(attr(e, 'class') || '')) && !/error|danger|invalid/.test(String(attr(e, 'class') || ''));

// harvest lists the errors. fields are answers or targets, for the index.
function harvest(arg) {
  const index = fieldIndex(arg.fields || []);
  const found = [];
  const add = (text, control, rank, sure) => { if (text) found.push({ text, control, rank, sure: !!sure }); }; // sure: a link leads there
  for (const sel of arg.extra || []) for (const e of find(sel, 'auto').els.filter(visible)) addBlock(e, add, 0);
  for (const e of deep('[aria-invalid=true]')) if (settable(e)) add(messageOf(e), e, 1);
  for (const e of deep(INLINE)) {
    if (!visible(e) || is(e, CONTROL)) continue;
    if (namesControls(e)) addBlock(e, add, 3);
    else if (is(e, 'ul,ol')) for (const li of within(e, 'li').filter(visible)) add(errorText(li), controlNear(e), 2);
    else if (severalIn(e)) for (const p of Array.from(e.children).filter(visible)) add(errorText(p), controlNear(e), 2);
    else if (!closest(e, 'ul.error,ul.errors,ol.errors,.errorlist,.error_list,.error-list')) add(errorText(e), controlNear(e), 2);
  }
  for (const e of deep(SUMMARY)) if (visible(e) && !cheerful(e)) addBlock(e, add, 3);
  for (const e of deep('[role=alert],[aria-live=assertive]')) if (visible(e) && !cheerful(e) && !SESSION.test(fold(textOf(e)))) addBlock(e, add, 4);
  for (const e of userInvalid()) add(e.validationMessage, e, 5);
  return unique(found, index);
}

// severalIn: a box with nothing but paragraphs has one message in each.
function severalIn(e) {
  const parts = Array.from(e.children).filter(visible);
  return parts.length > 1 && parts.every((p) => is(p, 'p,div') && norm(textOf(p))) && !Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.data.trim());
}

function userInvalid() {
  try { return deep('input:user-invalid,select:user-invalid,textarea:user-invalid').filter((e) => e.validationMessage && !(e.form && e.form.noValidate)); } catch (err) { return []; }
}

// linked is the element that a link within the page leads to.
const linked = (a) => byId(decoded((attr(a, 'href') || '').split('#')[1] || ''), a);

// namesControls: every link in it leads to a control, as in a summary of errors.
function namesControls(e) {
  const links = within(e, 'a[href*="#"]').filter(visible);
  return links.length > 0 && links.every((a) => { const t = linked(a); return !!t && (is(t, CONTROL) || within(t, CONTROL).length > 0); });
}

// addBlock reads a summary: its links, else its list, else its own text.
function addBlock(e, add, rank) {
  const links = within(e, 'a[href*="#"]').filter(visible);
  if (links.length) {
    for (const a of links) add(errorText(a), linked(a), rank, !!linked(a));
    return;
  }
  const items = within(e, 'li').filter((li) => visible(li) && !all(li, 'li').length);
  if (items.length) { for (const li of items) add(errorText(li), null, rank); return; }
  if (within(e, INLINE).filter((x) => x !== e && visible(x)).length) return;
  add(errorText(e), rank >= 3 && all(e, CONTROL).length ? null : controlNear(e), rank);
}

// messageOf is what the page says about an invalid control.
function messageOf(e) {
  const ids = ((attr(e, 'aria-errormessage') || '') + ' ' + (attr(e, 'aria-describedby') || '')).split(/\s+/).filter(Boolean);
  const els = ids.map((id) => byId(id, e)).filter((x) => x && visible(x));
  const owned = (attr(e, 'aria-errormessage') || '').split(/\s+/);
  const wrong = els.filter((x) => owned.includes(idOf(x)) || /err|invalid|alert|problem/i.test(idOf(x) + ' ' + attr(x, 'class') + ' ' + attr(x, 'role')));
  const text = (wrong.length ? wrong : els.filter((x) => !/hint|help|desc/i.test(idOf(x) + ' ' + attr(x, 'class')))).map(errorText).filter(Boolean).join(' ');
  if (text) return text;
  const box = ancestor(e, (n) => within(n, INLINE).some(visible), 4);
  if (box && within(box, CONTROL).length <= (isChoice(e) ? 12 : 3)) return errorText(within(box, INLINE).filter(visible)[0]);
  return e.validationMessage || 'marked as invalid';
}

const FEW = 4; // controls that one question may have

// controlNear is the control that a message stands beside.
function controlNear(e) {
  if (tagOf(e) === 'LABEL' && e.control) return e.control;
  let n = e;
  for (let i = 0; n && i < 3; i++, n = parentOf(n)) {
    const id = idOf(n);
    if (!id) continue;
    const c = deep('[aria-describedby~="' + CSS.escape(id) + '"],[aria-errormessage~="' + CSS.escape(id) + '"]')[0];
    if (c) return is(c, CONTROL) ? c : within(c, CONTROL)[0] || c;
  }
  n = parentOf(e);
  for (let i = 0; n && i < 4; i++, n = parentOf(n)) {
    const controls = within(n, CONTROL);
    if (!controls.length) continue;
    const one = controls.length === 1 || controls.every((c) => typeOf(c) === 'radio' && c.name === controls[0].name) || is(n, 'fieldset') && oneQuestion(controls);
    if (one) return controls[0];
    if (is(e, '.errorlist.nonfield')) return null; // Django's, about the whole form
    const after = is(e, '.errorlist') && e.nextElementSibling; // Django's, above its question
    const below = after && within(after, CONTROL)[0];
    if (below) return below;
    let p = e.previousElementSibling;
    for (let k = 0; p && k < 3; k++, p = p.previousElementSibling) {
      if (tagOf(p) === 'LABEL' && p.control && !contains(p, p.control)) return p.control; // its label stands before it
      const c = is(p, CONTROL) ? p : within(p, CONTROL)[0];
      if (c) return c;
    }
    let s = e.nextElementSibling;
    for (let k = 0; s && k < 2; k++, s = s.nextElementSibling) {
      const inside = is(s, CONTROL) ? [s] : within(s, CONTROL);
      if (inside.length) return inside.length <= FEW ? inside[0] : null; // above the whole form it is about none
    }
    return null;
  }
  return null;
}

// oneQuestion: the controls of a fieldset are choices, or the parts of a date.
const oneQuestion = (controls) => controls.every(isChoice) || controls.length <= 3 && controls.every((c) => partWord(c));

// fieldIndex maps every element that belongs to a field to its position.
function fieldIndex(fields) {
  const map = new Map();
  fields.forEach((f, i) => {
    const target = f.target || f;
    const put = (e) => { if (e && !map.has(e)) map.set(e, i); };
    const r = resolve(target, () => true, controlOf);
    for (const e of r.els.slice(0, 40)) {
      put(e);
      if (typeOf(e) === 'radio') groupOf(e).forEach(put);
      if (!is(e, CONTROL)) within(e, CONTROL).forEach(put);
    }
    for (const n of Object.keys(f.parts || {})) resolve(f.parts[n], () => true, controlOf).els.slice(0, 3).forEach(put);
    for (const o of f.options || []) if (o.selector) resolve({ selector: o.selector }, () => true, controlOf).els.slice(0, 3).forEach(put);
  });
  return map;
}

function indexOfControl(e, index) {
  if (!e) return -1;
  if (index.has(e)) return index.get(e);
  for (const c of within(e, CONTROL)) if (index.has(c)) return index.get(c);
  if (typeOf(e) === 'checkbox') for (const c of boxGroup(e)) if (index.has(c) && c.name && c.name === e.name) return index.get(c);
  const up = ancestor(e, (n) => index.has(n), 4);
  if (up) return index.get(up);
  const box = ancestor(e, (n) => is(n, 'fieldset,[role=group]'), 3);
  if (box) for (const c of within(box, CONTROL)) if (index.has(c)) return index.get(c);
  return -1;
}

// unique keeps one message where summary, inline text and attribute say the same.
function unique(found, index) {
  const out = [];
  for (const f of found.slice(0, 300)) {
    const at = indexOfControl(f.control, index);
    const text = fold(f.text);
    const about = (o) => f.control && (o.control === f.control || (at >= 0 && o.index === at));
    const alike = (o) => o.rank !== f.rank || o.fold.includes(text) || text.includes(o.fold);
    const twin = out.find((o) => o.fold === text || (about(o) && alike(o)));
    if (twin) {
      if (twin.index < 0 && at >= 0) { twin.index = at; twin.control = f.control; }
      if (!twin.control && f.control) twin.control = f.control;
      if (f.sure && !twin.sure && at >= 0 && twin.fold === text) Object.assign(twin, { control: f.control, index: at, sure: true });
      if (twin.text === 'marked as invalid') { twin.text = f.text; twin.fold = text; }
      continue;
    }
    if (out.some((o) => !f.control && text.includes(o.fold) && o.fold.length > 8)) continue;
    out.push({ text: f.text, fold: text, control: f.control, index: at, rank: f.rank, sure: f.sure });
    if (out.length >= 100) break;
  }
  return out.map((o) => ({ text: o.text, label: o.control ? cut(groupOrName(o.control)) : '', selector: o.control ? cssOf(o.control) : '', index: o.index }));
}

const groupOrName = (e) => (isChoice(e) && typeOf(e) === 'radio' ? groupName(e) || nameOf(e) : nameOf(e));

// cssOf is a selector that finds e again: id, name, or the way from the nearest id.
function cssOf(e) {
  const id = idOf(e);
  if (id && deep('[id="' + CSS.escape(id) + '"]').length === 1) return '#' + CSS.escape(id);
  const name = attr(e, 'name');
  const tag = tagOf(e).toLowerCase();
  if (name) {
    const value = isChoice(e) && attr(e, 'value') !== null ? '[value="' + CSS.escape(attr(e, 'value')) + '"]' : '';
    const css = tag + '[name="' + CSS.escape(name) + '"]' + value;
    if (deep(css).length === 1) return css;
  }
  const path = [];
  for (let n = e, i = 0; n && i < 8; n = n.parentElement, i++) {
    if (n !== e && idOf(n)) { path.unshift('#' + CSS.escape(idOf(n))); break; }
    const p = n.parentElement;
    const same = p ? Array.from(p.children).filter((x) => tagOf(x) === tagOf(n)) : [n];
    path.unshift(tagOf(n).toLowerCase() + (same.length > 1 ? ':nth-of-type(' + (same.indexOf(n) + 1) + ')' : ''));
    if (n === body()) break;
  }
  return path.join(' > ');
}
