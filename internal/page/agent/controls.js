// A description of every control of the page, for whoever writes a form down.

function controls(arg) {
  const max = arg.max || 500;
  const list = [];
  const done = new Set();
  let total = 0;
  for (const e of deep(CONTROL)) {
    if (done.has(e) || is(e, OPTION)) continue;
    const group = typeOf(e) === 'radio' || roleOf(e) === 'radio' ? groupOf(e) : [e];
    group.forEach((x) => done.add(x));
    total++;
    if (list.length < max) list.push(controlInfo(e, group));
  }
  return { controls: list, total, buttons: buttons(max) };
}

function controlInfo(e, group) {
  const radio = group.length > 1 || typeOf(e) === 'radio' || roleOf(e) === 'radio';
  const twin = comboLike(e) ? hiddenTwin(e) : null;
  const info = {
    selector: cssOf(e), alternatives: otherSelectors(e), tag: tagOf(e).toLowerCase(), type: typeOf(e) || roleOf(e), id: idOf(e), name: attr(e, 'name') || '',
    kind: kindOf(e, radio), label: cut(radio ? groupName(e) || beside(group[0]) : nameOf(e)), group: cut(groupName(e)), hint: cut(hintOf(e)),
    visible: group.some(settable), enabled: !group.every(disabled), readonly: !!e.readOnly, required: group.some(requiredMark),
    value: typeOf(e) === 'password' ? '' : cut(radio ? group.filter(isOn).map(optionName).join(', ') : String(e.value === undefined ? '' : e.value), 200),
    min: attr(e, 'min') || attr(e, 'aria-valuemin') || '', max: attr(e, 'max') || attr(e, 'aria-valuemax') || '', step: attr(e, 'step') || '', pattern: attr(e, 'pattern') || '',
    maxlength: e.maxLength > 0 ? e.maxLength : 0, inputmode: attr(e, 'inputmode') || '', autocomplete: attr(e, 'autocomplete') || '', placeholder: attr(e, 'placeholder') || '',
    accept: attr(e, 'accept') || '', multiple: !!e.multiple, options: [],
  };
  if (radio) info.options = group.map((x) => ({ value: choiceItem(x).value, label: cut(optionName(x)), selector: cssOf(x), disabled: disabled(x) }));
  const select = tagOf(e) === 'SELECT' ? e : twin;
  if (select) info.options = Array.from(select.options).slice(0, 5000).map((o) => ({ value: o.value, label: norm(o.label), selector: '', disabled: optionItem(o).disabled }));
  else if (e.list) info.options = Array.from(e.list.options).map((o) => ({ value: o.value, label: norm(o.label || o.value), selector: '', disabled: false }));
  return info;
}

function kindOf(e, radio) {
  const type = typeOf(e);
  if (radio) return 'radio';
  if (tagOf(e) === 'SELECT') return settable(e) || !frontOf(e, { kind: 'select' }) ? 'select' : 'typeahead';
  if (isChoice(e)) return 'checkbox';
  if (tagOf(e) === 'TEXTAREA') return 'textarea';
  if (comboLike(e) || e.list) return 'typeahead';
  if (type === 'file' || type === 'range' || type === 'search' || type === 'number') return type;
  if (/^(date|month|time|datetime-local|week)$/.test(type)) return 'date';
  if (roleOf(e) === 'slider') return 'range';
  return e.isContentEditable ? 'richtext' : 'text';
}

function requiredMark(e) {
  return !!e.required || attr(e, 'aria-required') === 'true' || !!closest(e, '[aria-required=true]') || /(\*|\(required\))\s*$/i.test(nameOf(e));
}

function hintOf(e) {
  const ids = (attr(e, 'aria-describedby') || '').split(/\s+/).filter(Boolean);
  return norm(ids.map((id) => byId(id, e)).filter((x) => x && !/error/i.test(idOf(x) + (attr(x, 'class') || ''))).map(textOf).join(' '));
}

// otherSelectors are ways to find e again when its first selector has changed.
function otherSelectors(e) {
  const out = [];
  const main = cssOf(e);
  const only = (css) => { try { return deep(css).length === 1; } catch (err) { return false; } };
  const tag = tagOf(e).toLowerCase();
  for (const a of ['name', 'data-testid', 'aria-label', 'autocomplete', 'placeholder']) {
    const v = attr(e, a);
    const css = v && tag + '[' + a + '=' + JSON.stringify(v) + ']';
    if (css && css !== main && only(css)) out.push(css);
  }
  const name = nameOf(e);
  if (name && byLabel(name).length === 1) out.push('label=' + name);
  return out.slice(0, 4);
}

function buttons(max) {
  const out = [];
  for (const e of deep('button,input[type=submit],input[type=button],input[type=image],[role=button],a[href]')) {
    if (out.length >= max) break;
    if (!visible(e)) continue;
    out.push({
      selector: cssOf(e), text: cut(buttonText(e), 120), tag: tagOf(e).toLowerCase(), enabled: !disabled(e),
      type: typeOf(e) || (tagOf(e) === 'BUTTON' ? e.type : roleOf(e)), href: tagOf(e) === 'A' ? cut(e.href, 500) : '',
    });
  }
  return out;
}
