// Repeatable rows.

// rowState is what tells whether a row was opened or stored.
function rowState(arg) {
  const fields = sightsOf(arg.fields).filter(Boolean);
  const first = fields[0] && fields[0].el;
  const empty = !first || (isChoice(first) ? !groupOf(first).some(isOn) : !first.value);
  const r = arg.row && (arg.row.selector || arg.row.text) ? resolve(arg.row, visible) : null;
  return {
    rows: r ? r.els.length : -1, dialog: !!openDialog(), shown: fields.length, empty, quiet: quietFor(),
    fresh: fields.some((s) => fresh && !fresh.has(s.el)), errors: harvest({ fields: [] }).length,
  };
}

// saveButton finds what stores an open row when nobody said how it is called.
function saveButton(arg) {
  const dialog = openDialog();
  const fields = sightsOf(arg.fields).filter(Boolean);
  const words = dialog ? /^(save|add|ok|done|confirm|submit|apply|continue)\b/ : /^save\b/;
  const good = (b) => words.test(fold(buttonText(b))) && !/^save (and|&|progress|draft|for later)\b/.test(fold(buttonText(b)));
  if (dialog) { const b = pressable(dialog).find(good); return b ? { selector: cssOf(b), type: 'css' } : null; }
  let n = fields.length ? parentOf(fields[0].el) : null;
  for (let i = 0; n && n !== body() && i < 8; i++, n = parentOf(n)) {
    const b = pressable(n).find(good);
    if (b) return { selector: cssOf(b), type: 'css' };
  }
  return null;
}
