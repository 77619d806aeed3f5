// Hiding fields while a picture is taken.

const maskedStyles = new Map();

const UNREADABLE = [
  ['filter', 'blur(9px)'], ['color', 'transparent'], ['-webkit-text-fill-color', 'transparent'], ['text-shadow', 'none'],
  ['background-color', '#8a8a8a'], ['background-image', 'none'], ['transition', 'none'],
];

function hide(arg) {
  unhide();
  for (const t of arg.targets) {
    for (const e of resolve(t, () => true, controlOf).els.slice(0, 20)) {
      const box = isChoice(e) ? ancestor(e, (n) => is(n, 'fieldset,[role=radiogroup],[role=group]'), 8) : null;
      const list = box ? [box] : [e].concat(isChoice(e) ? faces(e) : [], twinsOf(e));
      for (const x of list) blur(x);
    }
  }
  return maskedStyles.size;
}

// twinsOf are what shows the value beside the control: a combobox's own face.
function twinsOf(e) {
  const front = visible(e) ? null : frontOf(e, { kind: 'select' });
  return front ? [front] : [];
}

function blur(e) {
  if (maskedStyles.has(e) || !e.style) return;
  maskedStyles.set(e, attr(e, 'style'));
  for (const [name, value] of UNREADABLE) e.style.setProperty(name, value, 'important');
}

function unhide() {
  for (const [e, style] of maskedStyles) {
    if (style === null) Element.prototype.removeAttribute.call(e, 'style');
    else Element.prototype.setAttribute.call(e, 'style', style);
  }
  maskedStyles.clear();
  return true;
}

// extent is the size of the whole page and of the window on it.
async function extent() {
  if (quietFor() < 50) { // what an answer has brought up may still be put in its place
    const count = activity.count;
    await change(LOOK / 2);
    drainActivity();
    if (activity.count !== count) await frame();
  }
  const d = page();
  const b = body();
  return {
    width: Math.max(d.clientWidth, 1), height: Math.max(d.scrollHeight, b.scrollHeight, innerHeight, 1),
    viewport: innerHeight, x: Math.round(scrollX), y: Math.round(scrollY),
  };
}
