// A description of everything that a page offers, for whoever writes a form down.

const MAX_OPTIONS = 5000;

// What one look at a document takes in at most, so that no page can make it long:
// controls that are described, options of all of them and the characters of those,
// and the characters of a word that the page writes in its markup.
const MOST = { controls: 1500, options: 20000, letters: 3e6, word: 1000 };

// controls is the inventory of one document.
function controls(arg) {
  const max = arg.max > 0 ? arg.max : 500;
  const index = wayIndex();
  const found = widgetsOf();
  const scene = sceneOf(found.slice(0, MOST.controls));
  const days = deep('[class*=calendar],[class*=datepicker],[class*=date-picker],[class*=pika-],[class~=litepicker]').length > 0;
  for (const w of scene.list) describeWidget(Object.assign(w, { days }), scene);
  nameSets(scene.list, scene);
  const list = joinDates(scene.list, scene);
  scene.real = list.filter((w) => w.visible).length;
  scene.mainForm = formWithMost(list);
  const dialog = modalOpen(list);
  scene.left = { options: MOST.options, letters: MOST.letters };
  const out = list.slice(0, max).map((w) => controlInfo(w, scene, index, dialog));
  const pressed = buttons(max, index, new Set(found.flatMap((w) => w.els)), dialog, formsAside(list, out));
  return {
    controls: out, total: list.length + found.length - scene.list.length, buttons: pressed.list, totalButtons: pressed.total,
    dialog: dialog ? dialogName(dialog) : '', headings: scene.headings.slice(0, 20).map((h) => cut(textOf(h), 200)), drawn: drawnBoxes(), frames: framesHere(index),
  };
}

// SIDE are the reasons why a question is no question that make its form another one.
const SIDE = /^(consent|chat|site search|language|newsletter|feedback|sign-in)$/;

// formsAside are the forms that ask nothing of what the page is for.
function formsAside(list, infos) {
  const side = new Set();
  const real = new Set();
  infos.forEach((info, i) => {
    const form = list[i].el.form || closest(list[i].el, 'form');
    if (form && SIDE.test(info.decoy)) side.add(form);
    if (form && !info.decoy) real.add(form);
  });
  for (const f of real) side.delete(f);
  return side;
}

// sceneOf counts what stands under every box, once for all widgets.
function sceneOf(list) {
  const scene = { list, under: new Map(), boxes: new Map(), forms: new Map(), real: 0, mainForm: null, headings: [] };
  for (const w of list) {
    const seen = new Set();
    for (const e of w.els) for (let n = parentOf(e); n; n = parentOf(n)) {
      if (seen.has(n)) break;
      seen.add(n);
      scene.under.set(n, (scene.under.get(n) || 0) + 1);
      if (isChoice(e) && typeOf(e) !== 'radio' && roleOf(e) !== 'radio') scene.boxes.set(n, (scene.boxes.get(n) || 0) + 1);
      if (tagOf(n) === 'FORM') scene.forms.set(n, (scene.forms.get(n) || 0) + 1);
    }
  }
  scene.headings = deep('h1,h2,h3,h4,h5,h6,[role=heading]').filter((h) => visible(h) && textOf(h));
  return Object.assign(scene, conventions());
}

function formWithMost(list) {
  const counts = new Map();
  for (const w of list) {
    const f = w.visible ? closest(w.el, 'form') || null : null;
    if (f) counts.set(f, (counts.get(f) || 0) + 1);
  }
  return Array.from(counts.entries()).sort((a, b) => b[1] - a[1]).map((c) => c[0])[0] || null;
}

// describeWidget fills in what later decisions look at.
function describeWidget(w, scene) {
  const e = w.el;
  w.under = (n) => scene.under.get(n) || 0;
  w.kind = kindFor(e, w);
  w.visible = shown(w);
  w.field = fieldBox(w, scene);
  w.twin = comboLike(e) && w.els.length === 1 ? twinFor(e) : null;
  const several = w.kind === 'radio' || w.boxes;
  w.raw = several ? questionOf(w.els, scene) || groupName(e) || nameOf(e) : labelFor(w);
  w.label = cut(tidy(w.raw));
  w.hint = hintFor(w, scene);
  w.options = optionsFor(w);
  w.format = formatOf(w);
  if (w.kind === 'text' && /^(date|month|time)$/.test(w.format)) w.kind = 'date';
  if (w.kind === 'text' && /^(currency|integer|decimal|percent)$/.test(w.format) && /^(numeric|decimal)$/.test(attr(e, 'inputmode') || '')) w.kind = 'number';
  w.readonly = w.els.every((x) => !!x.readOnly && tagOf(x) === 'INPUT' || attr(x, 'aria-readonly') === 'true') && !/^(select|typeahead|date)$/.test(w.kind) && !comboLike(e);
}

// cellGroup is the question of a cell that asks for several things.
function cellGroup(w) {
  const head = sharedCell(w.el) && headOf(w.el);
  const s = head ? plain(head) : '';
  return tidy(s) === w.label ? '' : s;
}

// labelFor is the widget's own name, never what is chosen in it.
function labelFor(w) {
  const e = w.el;
  const chosen = fold(tagOf(e) === 'INPUT' || tagOf(e) === 'SELECT' ? '' : textOf(e));
  if (PROMPT.test(norm(attr(e, 'aria-label'))) && has(e, 'aria-label')) { // that is what to do, not what is asked
    const said = [e].concat(within(e, 'input,select')).flatMap((x) => Array.from(x.labels || [])).filter(visible).map(plain).find(Boolean);
    if (said) return said;
  }
  if (w.twin && !isTextual(e)) { const t = namesOf(w.twin)[0]; if (t && t !== attr(w.twin, 'placeholder')) return t; }
  const names = namesOf(e).filter((n) => isChoice(e) || !chosen || fold(n) !== chosen);
  if (w.kind === 'file' && (FETCH.test(names[0] || '') && (!visible(e) || names[0] === norm(attr(e, 'aria-label'))) || !faces(e).length && !attr(e, 'aria-label'))) { const t = fileQuestion(w, names); if (t) return t; }
  if (names.length && (names[0] !== attr(e, 'placeholder') || !w.field)) return names[0];
  const q = w.field || names.length ? '' : textBefore(parentOf(e), w.els);
  return (w.field && questionOf(w.els, { under: { get: w.under } })) || names[0] || q || (isChoice(e) ? optionName(e) : '') || looseLabel(w);
}

// looseLabel is the one label in a box around a control that belongs to nothing a
// person could use, as those of sliders do.
function looseLabel(w) {
  const e = w.el;
  let n = parentOf(e);
  for (let i = 0; n && i < 6 && w.under(n) <= 3 && !is(n, 'form,fieldset,main,body'); i++, n = parentOf(n)) {
    if (within(n, CONTROL).some((x) => x !== e && !contains(x, e) && settable(x))) return '';
    const labels = within(n, 'label').filter((l) => visible(l) && !contains(l, e) && textOf(l));
    if (labels.length) return labels.length === 1 ? plain(labels[0]) : '';
  }
  return '';
}

// FETCH is what is written on the button of a file control: not what is asked.
const FETCH = /^(select|choose|browse|upload|change|attach|add|pick|drop|drag)\b.{0,40}\b(files?|documents?|folder|here|browse|upload|choose)\b|^(browse|upload|choose|attach)\W*$|^no files? (chosen|selected)/i;

// fileQuestion is what a file control is for: another of its names, or the words
// in and before its box.
function fileQuestion(w, names) {
  const other = faces(w.el).length ? names.find((n) => !FETCH.test(n)) : '';
  return other || (w.field && (firstText(w.field, FETCH) || textBefore(parentOf(w.field), w.els))) || '';
}

// hostsOf names the elements in whose shadow roots e is, outermost first.
function hostsOf(e) {
  const list = [];
  for (let h = e.getRootNode().host; h && list.length < 20; h = h.getRootNode().host) list.unshift(cut(tagOf(h).toLowerCase() + (idOf(h) ? '#' + idOf(h) : ''), MOST.word));
  return list;
}

function controlInfo(w, scene, index, dialog) {
  const e = w.el;
  const need = demand(w, scene);
  const behind = dialog && !contains(dialog, e);
  const ways = waysOf(w, index);
  if (behind) w.visible = false;
  const options = optionsInfo(w, index, scene.left);
  return {
    selector: ways.length ? ways[0].selector : '', ways, shadow: hostsOf(e), class: cut(attr(e, 'class') || '', MOST.word), invalid: w.els.some((x) => attr(x, 'aria-invalid') === 'true'), tag: tagOf(e).toLowerCase(), type: typeOf(e) || (tagOf(e) === 'BUTTON' ? 'button' : ''), role: roleOf(e),
    id: cut(idOf(e), MOST.word), name: cut(attr(e, 'name') || '', MOST.word), kind: w.kind, format: w.format || '', label: w.label, group: cut(tidy(w.question || groupName(e) || cellGroup(w))), hint: w.hint, section: sectionOf(e, scene.headings),
    visible: w.visible, enabled: !w.els.every(disabled), readonly: !!w.readonly, required: need.required, requiredBy: need.by, optional: need.optional,
    decoy: behind ? 'behind the open dialog' : decoyOf(w, scene), value: cut(valueFor(w), 200), checked: w.kind === 'checkbox' && isOn(e), parts: (w.parts || []).map((p) => partInfo(p, index)),
    set: w.set || '', exclusive: !!w.exclusive, options, optionsTotal: w.options.length, optionsKnown: optionsKnown(w) && options.length === w.options.length,
    ...limitsOf(w),
  };
}

function limitsOf(w) {
  const e = w.el;
  const word = (a) => cut(attr(e, a) || '', MOST.word);
  return {
    min: word('min') || word('aria-valuemin'), max: word('max') || word('aria-valuemax'), step: word('step'), pattern: STAMP_PATTERN[typeOf(e)] || word('pattern'), minlength: w.boxes || (e.minLength > 0 ? e.minLength : 0),
    maxlength: w.boxes || (e.maxLength > 0 ? e.maxLength : 0), inputmode: word('inputmode'), autocomplete: word('autocomplete'), placeholder: word('placeholder'), accept: word('accept'),
    mask: shapeOf(e, w), multiple: takesSeveral(w),
  };
}

// takesSeveral asks the control, its component and its list.
function takesSeveral(w) {
  const e = w.el;
  const host = e.getRootNode().host;
  if (e.multiple || attr(e, 'aria-multiselectable') === 'true') return true;
  if (!comboLike(e)) return false;
  return !!(w.twin && w.twin.multiple) || !!host && has(host, 'multiple') && attr(host, 'multiple') !== 'false' || ownLists(w).some((l) => is(l, '[aria-multiselectable=true]') || within(l, '[role=listbox][aria-multiselectable=true]').length > 0);
}

const partInfo = (w, index) => {
  const ways = waysOf(w, index);
  return { part: w.part, selector: ways.length ? ways[0].selector : '', ways, label: w.label, kind: w.kind, options: w.options.map((o) => optionInfo(o, index)) };
};

// waysOf also knows the box of a date and the common name of radios.
function waysOf(w, index) {
  if (w.twin && !w.box && !isTextual(w.el)) return twinWays(w, index).concat(waysTo(w.el, index)).sort((a, b) => b.score - a.score);
  if (w.box) return wrapperWays(w.box, w.el, index);
  const ways = waysTo(w.el, index);
  if (w.parts) {
    const box = w.group && idOf(w.group) && index.one.get('#' + idOf(w.group)) === w.group && !randomLooking(idOf(w.group));
    return (box ? [{ selector: '#' + CSS.escape(idOf(w.group)), basis: 'id', score: SCORE.id }] : []).concat(ways);
  }
  const name = attr(w.el, 'name');
  if (w.kind === 'radio' && typeOf(w.el) === 'radio' && name) {
    const css = 'input[name=' + cssString(name) + ']';
    const found = tryCSS(css) || [];
    if (found.length === w.els.length && found.every((x) => w.els.includes(x)) && !ways.some((x) => x.selector === css)) ways.push({ selector: css, basis: 'name', score: scoreOf('name', name) - 1 });
  }
  return ways.sort((a, b) => b.score - a.score);
}

// sectionOf is the nearest heading above.
function sectionOf(e, headings) {
  let at = e;
  for (let h = e.getRootNode().host; h && !headings.some((x) => x.getRootNode() === at.getRootNode()); h = h.getRootNode().host) at = h;
  let low = 0;
  let high = headings.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (Node.prototype.compareDocumentPosition.call(headings[mid], at) & 4) low = mid + 1;
    else high = mid;
  }
  return low ? cut(textOf(headings[low - 1]), 200) : '';
}

function valueFor(w) {
  const e = w.el;
  if (typeOf(e) === 'password' || typeOf(e) === 'file') return '';
  if (w.kind === 'radio' || w.kind === 'select' && w.options.some((o) => o.on)) return w.options.filter((o) => o.on).map((o) => o.label || o.value).join(', ');
  if (w.kind === 'checkbox') return isOn(e) ? w.label : '';
  if (tagOf(e) === 'SELECT') return '';
  if (w.parts) return w.parts.map((p) => p.el.value || '').filter(Boolean).join('/');
  if (w.boxes) return w.els.map((x) => x.value).join('');
  if (w.calendar || w.zone) return '';
  if (w.kind === 'select' || boxedCombo(w) || w.kind === 'typeahead' && w.box) { const s = w.twin && speaks(w.twin) ? twinText({ twin: w.twin }) : shownValue({ el: w.box || e }); return PROMPT.test(norm(s)) || /^((no|0) (options?|items?)|none|nothing) (selected|chosen)$/i.test(norm(s)) ? '' : s; }
  if (w.kind === 'range') return String(e.value !== undefined ? e.value : attr(e, 'aria-valuenow') || '');
  return e.value === undefined ? textOf(e) : String(e.value);
}

// framesHere lists the frames in this document that a person can see.
function framesHere(index) {
  return deep('iframe,frame').slice(0, 60).map((f) => {
    const r = f.getBoundingClientRect();
    const ways = waysTo(f, index).filter((w) => !/^(label|role)$/.test(w.basis));
    const title = attr(f, 'title') ? byAttribute(f, 'title') : '';
    if (title && (tryCSS(title) || []).length === 1) ways.push({ selector: title, basis: 'label', score: SCORE.label });
    ways.sort((a, b) => b.score - a.score);
    const seen = tagOf(f) === 'FRAME' || visible(f) && r.width > 20 && r.height > 20;
    return { selector: ways.length ? ways[0].selector : '', title: norm(attr(f, 'title') || attr(f, 'name') || ''), src: attr(f, 'src') || '', shown: seen };
  });
}
