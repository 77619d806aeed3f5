// What a person can see and use.

// rendered: has a box, and no ancestor takes it out of reach.
function rendered(e) {
  if (!e.isConnected || !e.checkVisibility({ visibilityProperty: true })) return false;
  return !ancestorOrSelf(e, (n) => has(n, 'inert'));
}

function ancestorOrSelf(e, test) {
  return test(e) ? e : ancestor(e, test);
}

const ariaHidden = (e) => !!ancestorOrSelf(e, (n) => attr(n, 'aria-hidden') === 'true');

// tucked: rendered, but moved, clipped, shrunk or faded out of sight.
function tucked(e) {
  const r = e.getBoundingClientRect();
  if (r.width < 2 || r.height < 2) return !hasWideChild(e);
  if (r.right + scrollX <= 0 || r.bottom + scrollY <= 0) return true;
  if (!e.checkVisibility({ opacityProperty: true })) return true;
  const s = getComputedStyle(e);
  if (s.position === 'absolute' && /^rect\((0px|1px),? (0px|1px),? (0px|1px),? (0px|1px)\)$/.test(s.clip)) return true;
  if (/^inset\((50|100)%\)$/.test(s.clipPath)) return true;
  return clippedByParent(e);
}

// hasWideChild: a wrapper without a box of its own whose child has one.
function hasWideChild(e) {
  if (tagOf(e) === 'SELECT') return false; // its options have boxes, seen or not
  for (const c of Array.from(e.children).slice(0, 5)) {
    const r = c.getBoundingClientRect();
    if (r.width >= 2 && r.height >= 2) return true;
  }
  return false;
}

function clippedByParent(e) {
  let n = parentOf(e);
  for (let i = 0; n && i < 4; i++, n = parentOf(n)) {
    if (n.offsetWidth > 1 || n.offsetHeight > 1 || n.offsetWidth === undefined) continue;
    if (getComputedStyle(n).overflow !== 'visible' && getComputedStyle(n).display !== 'contents') return true;
  }
  return false;
}

function visible(e) {
  return rendered(e) && !tucked(e);
}

// faces are the elements that stand for a control when it does not show itself.
function faces(e) {
  const out = e.labels ? Array.from(e.labels) : [];
  const wrap = closest(e, 'label');
  if (wrap && !out.includes(wrap)) out.push(wrap);
  for (const id of (attr(e, 'aria-labelledby') || '').split(/\s+/)) {
    const l = byId(id, e);
    if (l && !out.includes(l)) out.push(l);
  }
  return out;
}

const isChoice = (e) => /^(radio|checkbox)$/.test(typeOf(e)) || /^(radio|checkbox|switch)$/.test(roleOf(e));

// settable: a person can give the control a value. Choices may be drawn by
// their label alone; a text input that is out of sight with no label in sight
// is a trap for machines.
function settable(e) {
  const shown = visible(e);
  if (isChoice(e)) {
    if (shown || faces(e).some(visible)) return true;
    const p = parentOf(e);
    return rendered(e) && !!p && visible(p);
  }
  if (typeOf(e) === 'file') return true;
  if (shown) return !ariaHidden(e);
  if (tagOf(e) === 'SELECT' && ancestor(e, (n) => roleOf(n) === 'combobox', 4)) return false; // that is what people use
  return rendered(e) && !ariaHidden(e) && (faces(e).some(visible) || fadedIn(e) || fadedCombo(e));
}

// fadedCombo: the field of a combobox that is transparent while the box around it,
// a combobox too, draws what was chosen.
function fadedCombo(e) {
  if (tagOf(e) !== 'INPUT' || roleOf(e) !== 'combobox') return false;
  const r = e.getBoundingClientRect();
  const box = r.height > 8 ? ancestor(e, (n) => roleOf(n) === 'combobox', 6) : null;
  return !!box && visible(box);
}

// fadedIn: the one text control of a component that shows its label in place of
// the control until it is used.
function fadedIn(e) {
  const host = e.getRootNode().host;
  if (!host || !/^(INPUT|TEXTAREA)$/.test(tagOf(e)) || !visible(host)) return false;
  const r = e.getBoundingClientRect();
  return r.width > 8 && r.height > 8 && all(e.getRootNode(), 'input,textarea,select').filter((x) => !ariaHidden(x)).length === 1;
}
