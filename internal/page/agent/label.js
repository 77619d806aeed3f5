// What a control is called, by every technique that pages use.

// leafTexts are the texts below e, in order.
function leafTexts(e) {
  const out = [];
  const walker = Document.prototype.createTreeWalker.call(document, e, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n && out.length < 60; n = walker.nextNode()) if (n.data.trim() && !/^(SCRIPT|STYLE|OPTION)$/.test(tagOf(parentNodeOf.call(n)))) out.push(n);
  return out;
}

// stateWords are the two texts in a label of which a switch shows one at a time.
function stateWords(e) {
  if (tagOf(e) !== 'LABEL') return [];
  const texts = leafTexts(e);
  const on = texts.filter((x) => /^\s*(on|yes)\s*$/i.test(x.data));
  const off = texts.filter((x) => /^\s*(off|no)\s*$/i.test(x.data));
  return on.length === 1 && off.length === 1 && texts.length > 2 ? on.concat(off) : [];
}

// plain is the text of a label without the controls inside it.
function plain(e) {
  if (!e) return '';
  const state = stateWords(e);
  if (state.length) return norm(leafTexts(e).filter((x) => !state.includes(x)).map((x) => (x.nodeType === 3 ? x.data : '')).join(' '));
  if (!all(e, 'input,select,textarea,button,[role=listbox],[role=combobox]').length) {
    return norm(String(visible(e) ? e.innerText : textContentOf.call(e)).slice(0, 2000));
  }
  let s = '';
  const walk = (n, depth) => {
    for (const c of Array.from(n.childNodes)) {
      if (c.nodeType === 3) s += ' ' + c.data;
      else if (c.nodeType === 1 && depth < 12 && !/^(INPUT|SELECT|TEXTAREA|BUTTON|SCRIPT|STYLE|OPTION|DATALIST)$/.test(tagOf(c)) &&
        !/^(listbox|combobox)$/.test(roleOf(c))) walk(c, depth + 1);
    }
  };
  walk(e, 0);
  return norm(s.slice(0, 2000));
}

// referenced is the text that an attribute refers to. others leaves out what is
// in e itself: a list box is often named by its label and what is chosen in it.
function referenced(e, name, others) {
  const ids = (attr(e, name) || '').split(/\s+/).filter(Boolean);
  const els = ids.map((id) => byId(id, e)).filter((x) => x && !(others && contains(e, x)));
  return norm(els.map(plain).join(' '));
}

// namesOf lists a control's names, the strongest technique first.
function namesOf(e) {
  const out = [];
  const add = (s) => { const n = norm(s); if (n && !out.includes(n)) out.push(n); };
  if (tagOf(e) !== 'INPUT') add(referenced(e, 'aria-labelledby', true));
  add(referenced(e, 'aria-labelledby'));
  const said = norm(attr(e, 'aria-label'));
  const seen = Array.from(e.labels || []).map(plain);
  if (said && !shareWord(said, seen.join(' '))) seen.forEach(add); // such as what a calendar says about its keys
  add(said);
  seen.forEach(add);
  const wrap = closest(e, 'label');
  if (wrap) add(plain(wrap));
  if (!out.length && idOf(e)) for (const l of deep('label[for="' + CSS.escape(idOf(e)) + '"]')) add(plain(l));
  if (/^(submit|button|reset)$/.test(typeOf(e))) add(e.value);
  if (/^(BUTTON|A|SUMMARY)$/.test(tagOf(e)) || tagOf(e) !== 'INPUT' && /^(radio|checkbox|switch|option|button)$/.test(roleOf(e))) add(textOf(e) || e.getRootNode().host && flatText(e));
  if (!out.length) add(slotted(e));
  if (!out.length && sharedCell(e)) add(beside(e));
  if (!out.length) add(tableHeader(e) || headOf(e) && plain(headOf(e)));
  if (out.length === 1 && !isChoice(e) && headOf(e) && out[0] === plain(headOf(e)) && sharedCell(e) && unitAfter(e)) out[0] = tidy(out[0]) + ' (' + unitAfter(e) + ')';
  add(attr(e, 'placeholder'));
  if (!out.length && isChoice(e)) add(beside(e)); // its title says what to do
  add(attr(e, 'title'));
  if (!out.length) add(beside(e));
  if (!out.length) add(groupName(e));
  return out;
}

// shareWord: two texts are about the same as far as one word of both tells.
function shareWord(one, other) {
  const words = fold(one).split(/[^\p{L}\p{N}]+/u);
  return fold(other).split(/[^\p{L}\p{N}]+/u).some((w) => w && words.includes(w));
}

const nameOf = (e) => namesOf(e)[0] || '';

// slotted: a control inside a custom element is named by the element.
function slotted(e) {
  const host = e.getRootNode().host;
  if (!host) return '';
  const slot = all(e.getRootNode(), 'label slot, slot[name=label]')[0];
  if (slot && slot.assignedNodes) {
    const s = norm(slot.assignedNodes({ flatten: true }).map((n) => textContentOf.call(n)).join(' '));
    if (s) return s;
  }
  const l = idOf(host) && byId(idOf(host), host) === host ? all(host.getRootNode(), 'label[for="' + CSS.escape(idOf(host)) + '"]')[0] : null;
  return plain(l) || attr(host, 'label') || attr(host, 'aria-label') || plain(closest(host, 'label')) || '';
}

// tableHeader names a control by its column and row.
function tableHeader(e) {
  const cell = closest(e, 'td,th,[role=cell],[role=gridcell]');
  const row = cell && closest(cell, 'tr,[role=row]');
  const table = row && closest(row, 'table,[role=table],[role=grid]');
  if (!table) return '';
  const cells = Array.from(row.children);
  const at = cells.indexOf(cell);
  const head = all(table, 'tr,[role=row]').find((r) => r !== row && all(r, 'th,[role=columnheader]').length > 1);
  const column = head && head.children[at] ? plain(head.children[at]) : '';
  const rowHead = cells.find((c) => c !== cell && is(c, 'th,[role=rowheader]'));
  if (!column && !rowHead && at > 0) return all(cell, CONTROL).length > 1 && attr(e, 'title') ? '' : plain(cells[at - 1]);
  return [rowHead ? plain(rowHead) : '', column].filter(Boolean).join(' ');
}

// UNIT is what stands behind an answer, so before the next one, in Japanese.
const UNIT = /^[\s()\uff08\uff09]*(年|月|日|時|分|秒|円|通|人|歳|才|個|枚|回|部|号|番地|丁目)[\s()\uff08\uff09]*$/;

// unitAfter is the unit behind a control, '' when there is none.
function unitAfter(e) {
  const n = e.nextSibling;
  const t = n && n.nodeType === 3 ? norm(n.data) : '';
  return UNIT.test(t) ? t : '';
}

// sharedCell is the cell of a list or a table that asks for several things at once,
// such as the two names of a person, null when e has it for itself.
function sharedCell(e) {
  const cell = isChoice(e) ? null : closest(e, 'dd,td');
  return cell && within(cell, CONTROL).filter((x) => !isChoice(x) && settable(x)).length > 1 ? cell : null;
}

// headOf is what such a cell is headed by: the term before it, or the head of its row.
function headOf(e) {
  const cell = closest(e, 'dd,td');
  if (!cell) return null;
  if (tagOf(cell) === 'DD') {
    let p = cell.previousElementSibling;
    while (p && tagOf(p) === 'DD') p = p.previousElementSibling;
    return p && tagOf(p) === 'DT' ? p : null;
  }
  return Array.from(parentOf(cell).children).find((x) => tagOf(x) === 'TH') || null;
}

// groupName is the question that a set of controls answers together.
function groupName(e) {
  const g = ancestor(e, (n) => is(n, 'fieldset,[role=radiogroup]') || is(n, '[role=group]') && !!ownGroupName(n), 30);
  return g ? ownGroupName(g) : '';
}

function ownGroupName(g) {
  const legend = all(g, 'legend').find((l) => closest(l, 'fieldset') === g);
  return plain(legend) || referenced(g, 'aria-labelledby') || norm(attr(g, 'aria-label'));
}

// beside is the text just before a control, or just after a choice.
function beside(e) {
  const before = isChoice(e) && e.previousSibling && e.previousSibling.nodeType === 3 ? norm(e.previousSibling.data) : '';
  if (/\p{L}\s*:$/u.test(before) && before.length < 40) return before; // "No: ( ) Yes: ( )"
  const next = (n) => (isChoice(e) ? n.nextSibling : n.previousSibling);
  let n = e;
  for (let level = 0; n && level < 3; level++) {
    for (let s = next(n), i = 0; s && i < 4; s = next(s), i++) {
      if (s.nodeType === 1 && (is(s, CONTROL) || all(s, CONTROL).length)) break;
      const t = norm(s.nodeType === 3 ? s.data : s.nodeType === 1 && !/^(SCRIPT|STYLE)$/.test(tagOf(s)) ? textContentOf.call(s) : '');
      if (/[\p{L}\p{N}]/u.test(t) && t.length < LIMIT.text && (isChoice(e) || !UNIT.test(t))) return t;
    }
    n = parentOf(n);
    if (n && all(n, CONTROL).length > 1) return '';
  }
  return '';
}

// optionName is what one radio or checkbox says, without its group's question.
function optionName(e) {
  const names = namesOf(e).filter((n) => n !== groupName(e));
  if (names.length) return names[0];
  const p = parentOf(e);
  return p && all(p, CONTROL).length === 1 ? plain(p) : '';
}
