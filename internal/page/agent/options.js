// The answers that a choice offers, as far as the page has them already.

const PROMPT = /^[\s\-\u2013\u2014.\u2026]*$|^[\s\-\u2013\u2014.\u2026]*(please )?(select|choose|pick|click to select|seleccione|elija|s\u00e9lectionner|choisir|bitte w\u00e4hlen)\b|^loading\b/i;

// isPrompt: an option that only says that one must be chosen.
function isPrompt(o, i) {
  const label = norm(o.label);
  if (PROMPT.test(label) && (o.value === '' || o.value === label || o.disabled || i === 0)) return true;
  if (o.value !== '' || i > 0) return false;
  return o.disabled || !/^(none|no\b|not |any|all|n\/a|neither|unknown)/i.test(label);
}

function selectOptions(select) {
  const out = [];
  Array.from(select.options).forEach((o, i) => {
    const item = optionItem(o);
    if (isPrompt({ label: o.label, value: o.value, disabled: item.disabled }, i) || !norm(o.label) && !norm(o.text)) return; // nobody can tell what a blank one means
    const group = tagOf(parentNodeOf.call(o)) === 'OPTGROUP' ? attr(parentNodeOf.call(o), 'label') || '' : '';
    out.push({ el: null, value: o.value, label: norm(o.label) || norm(o.text), group, disabled: item.disabled, on: o.selected });
  });
  return out;
}

// listOptions reads the options of a list, shown or not.
function listOptions(list) {
  return within(list, OPTION).filter((e) => attr(e, 'aria-hidden') !== 'true').map((e) => {
    const box = ancestor(e, (n) => roleOf(n) === 'group', 3);
    return {
      el: null, value: optionValue(e), label: visible(e) || partOfOption(e) || shadowOf(e) ? optionText(e) : norm(attr(e, 'data-label') || textContentOf.call(e) || attr(e, 'aria-label')),
      group: box && contains(list, box) ? referenced(box, 'aria-labelledby') || norm(attr(box, 'aria-label')) : '', disabled: attr(e, 'aria-disabled') === 'true', on: attr(e, 'aria-selected') === 'true' || attr(e, 'aria-checked') === 'true',
    };
  }).filter((o) => o.label);
}

function optionsFor(w) {
  const e = w.el;
  if (w.kind === 'radio') return withoutQuestion(w.label, toldApart(w.els.map((x) => ({ el: x, value: choiceItem(x).value, label: w.pressed ? norm(textOf(x)) : tidy(optionName(x)), group: '', disabled: disabled(x), on: isOn(x) }))));
  const native = tagOf(e) === 'SELECT' ? e : w.twin;
  if (native) return selectOptions(native);
  if (e.list) return Array.from(e.list.options).map((o) => ({ el: null, value: o.value, label: norm(o.label || o.value), group: '', disabled: !!o.disabled, on: false }));
  if (roleOf(e) === 'listbox') return once(withoutPrompts(listOptions(e)));
  if (w.bare) return bareOptions(e);
  if (w.kind !== 'select' && !boxedCombo(w)) return [];
  const lists = ownLists(w);
  return withoutPrompts(lists.flatMap(listOptions));
}

const withoutPrompts = (items) => items.filter((o, i) => !isPrompt({ label: o.label, value: o.value || (PROMPT.test(o.label) ? o.label : 'x'), disabled: o.disabled }, i));

// once: a list that keeps what is shown when it is closed, too, has each option twice.
const once = (items) => items.filter((o, i) => items.findIndex((x) => x.value === o.value && x.label === o.label) === i);

// withoutQuestion takes the question away that each answer begins with: in a table of
// ratings, a cell is named by its row and its column.
function withoutQuestion(question, list) {
  const rest = list.map((o) => (question && o.label.startsWith(question + ' ') ? o.label.slice(question.length + 1).replace(/^[-\u2013\u2014:,]\s+/, '') : ''));
  return list.length > 1 && rest.every(Boolean) && new Set(rest).size === list.length ? list.map((o, i) => Object.assign(o, { label: rest[i] })) : list;
}

// toldApart gives choices that look alike, as stars do, the names that set them
// apart: what their labels say when pointed at, or their values.
function toldApart(list) {
  if (list.length < 2 || new Set(list.map((o) => o.label)).size > 1) return list;
  const titles = list.map((o) => norm(attr(o.el, 'title')) || faces(o.el).map((f) => norm(attr(f, 'title') || attr(f, 'aria-label'))).find(Boolean) || o.value);
  return new Set(titles).size === list.length ? list.map((o, i) => Object.assign(o, { label: titles[i] })) : list;
}

// ownLists are the lists that a closed combobox already has in the page.
function ownLists(w) {
  const out = [];
  const near = [w.el, ancestor(w.el, (n) => roleOf(n) === 'combobox', 3)].filter(Boolean);
  for (const e of near) for (const a of ['aria-controls', 'aria-owns']) for (const id of (attr(e, a) || '').split(/\s+/)) {
    const l = id && byId(id, e);
    if (l && !out.includes(l)) out.push(l);
  }
  if (!out.length) for (const l of within(w.box || w.el, LISTS)) if (!out.includes(l)) out.push(l);
  const host = w.el.getRootNode().host;
  if (out.some((l) => !within(l, OPTION).length) && host && within(host, OPTION).length) return [host];
  return out;
}

// optionsKnown: the list is whole as it stands.
function optionsKnown(w) {
  const e = w.el;
  if (w.kind === 'radio' || w.parts) return true;
  if (!/^(select|typeahead)$/.test(w.kind)) return true;
  if (tagOf(e) === 'SELECT' || w.twin || e.list) return w.options.length > 0 && !disabled(e);
  if (!w.options.length) return false;
  const size = Math.max(0, ...ownLists(w).flatMap((l) => within(l, '[aria-setsize]').slice(0, 1)).map((x) => +attr(x, 'aria-setsize') || 0));
  return size <= w.options.length;
}

// optionsInfo are the options of one control, as far as the look has room for them.
function optionsInfo(w, index, left) {
  const out = [];
  for (const o of w.options) {
    if (out.length >= MAX_OPTIONS || left.options <= 0 || left.letters <= 0) break;
    const info = optionInfo(o, index);
    left.options--;
    left.letters -= info.value.length + info.label.length + info.selector.length;
    out.push(info);
  }
  return out;
}

function optionInfo(o, index) {
  const ways = o.el ? waysTo(o.el, index) : [];
  const nameless = o.value === 'on' && o.el && !has(o.el, 'value') || o.value.length > MOST.word;
  return { value: nameless ? '' : o.value, label: cut(o.label), selector: ways.length ? ways[0].selector : '', group: o.group || '', disabled: !!o.disabled, on: !!o.on };
}
