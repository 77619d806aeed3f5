// Text in a control: written by script, read back, typed with real keys if the
// page kept something else.

const done = (state, more) => Object.assign({ state, via: '', got: '', candidates: [], message: '' }, more || {});
const need = (what, step, more) => ({ need: Object.assign({ what, step }, more || {}) });

// trusted asks for real input on e, with the point to press if there is one.
async function trusted(c, what, step, more) {
  const f = faceOf(c.face || c.el);
  const at = f ? await press(f, 400) : {};
  if (!at.ok) focusOn(c.el);
  return need(what, step, Object.assign({ x: at.x || 0, y: at.y || 0, point: !!at.ok, why: at.why || '' }, more || {}));
}

// faceOf is the visible thing to press for a control.
function faceOf(e) {
  if (visible(e)) return e;
  const face = faces(e).find(visible);
  if (face) return face;
  const p = parentOf(e);
  return p && visible(p) ? p : null;
}

// worthWaiting: the page may still change by itself.
function worthWaiting(c) {
  const t = performance.now() - c.w.began;
  if (t > c.arg.timeout) return false;
  if (!c.resumed) return true;
  return !(c.arg.idle && quietFor() > c.arg.quiet && t > c.arg.quiet) || busy();
}

const waitOn = (step) => need('wait', step || 'wait');

function wantedText(c) {
  const e = c.el;
  let v = wantText(c.a.value);
  const num = numberOf(v);
  if (typeOf(e) === 'number' && num !== null) v = /^0\d/.test(v) ? v : norm(v).replace(/[^\d.eE+-]/g, '');
  if (dateLike(c)) {
    const d = dateOf(v);
    if (d && d.d && d.y) v = formatDate(d, maskFor(c));
  }
  if (e.maxLength > 0 && v.length > e.maxLength) {
    const tight = v.replace(/[^\p{L}\p{N}]/gu, '');
    if (/\d/.test(v) && tight.length <= e.maxLength) v = tight;
  }
  return v;
}

const dateLike = (c) => c.a.kind === 'date' || c.a.format === 'date';

// maskFor is how the page wants a date in one text control.
function maskFor(c) {
  if (c.a.mask && /y/i.test(c.a.mask)) return c.a.mask;
  if (c.w.iso) return 'YYYY-MM-DD';
  if (learnt.has(c.el)) return learnt.get(c.el);
  const says = [attr(c.el, 'placeholder'), attr(c.el, 'data-mask'), attr(c.el, 'data-format'), attr(c.el, 'aria-description'),
    referenced(c.el, 'aria-describedby'), nameOf(c.el)].filter(Boolean).join(' ');
  return dateMask(says) || maskOfExample(attr(c.el, 'placeholder')) || localMask(c.el);
}

function sameAs(c, want, got) {
  if (tagOf(c.el) === 'TEXTAREA') return want.replace(/\r\n?/g, '\n').trim() === String(got).replace(/\r\n?/g, '\n').trim() || sameText(want, got);
  if (dateLike(c) && dateOf(want, maskFor(c))) return sameDate(want, got, maskFor(c));
  return sameText(want, got);
}

async function putText(c) {
  const e = c.el;
  const want = wantedText(c);
  if (e.readOnly) return done(sameAs(c, want, e.value) ? 'already' : 'readonly', { got: e.value, message: 'the page does not let it be changed' });
  if (c.step === 'typed') return typedText(c, want);
  if (c.step === 'entered') return enteredText(c);
  if (c.step !== 'keys') {
    if (norm(e.value) === norm(want)) return afterText(c, 'already', '');
    if (e.maxLength > 0 && want.length > e.maxLength) return done('value_mismatch', { got: e.value, message: 'the page takes at most ' + e.maxLength + ' characters' });
    typeInto(e, want);
    const now = again(c);
    if (sameAs(c, want, now.value)) return afterText(c, 'set', 'set');
    if (tagOf(now) === 'INPUT' && /[\r\n]/.test(want)) return done('value_mismatch', { got: now.value, message: 'the field has one line, and the value has several' });
  }
  return trusted(c, 'type', 'typed', { text: want });
}

// again finds the control once more if the page replaced it.
function again(c) {
  if (!c.el.isConnected) {
    const f = locate(c.a);
    if (f.el) c.el = f.el;
  }
  return c.el;
}

async function typedText(c, want) {
  const e = again(c);
  leave(e);
  const ok = await until(() => sameAs(c, want, again(c).value), 250);
  if (ok) return afterText(c, 'set', 'keys');
  return done('value_mismatch', { via: 'keys', got: c.el.value, message: 'the page keeps another value than the one that was entered' });
}

// afterText presses Enter where the field answers to it.
async function afterText(c, state, via) {
  if (c.a.kind === 'search' && state === 'set') {
    focusOn(c.el);
    return trusted(c, 'enter', 'entered');
  }
  return done(state, { via, got: c.el.value });
}

// enteredText lets what Enter has started come to its end.
async function enteredText(c) {
  c.w.entered = c.w.entered || performance.now();
  await frames(3);
  const t = performance.now() - c.w.entered;
  if (t < c.arg.timeout && (t < 150 || !c.arg.idle || quietFor() < 100 || busy())) return waitOn('entered');
  return done('set', { via: 'keys', got: again(c).value });
}

// putRich writes into an editable element that is no form control.
async function putRich(c) {
  const e = c.el;
  const want = wantText(c.a.value);
  const read = () => (e.innerText !== undefined ? e.innerText : textContentOf.call(e));
  const same = () => norm(read()) === norm(want);
  if (attr(e, 'aria-readonly') === 'true') return done('readonly', { got: read() });
  if (c.step === 'typed') {
    leave(e);
    return done(same() ? 'set' : 'value_mismatch', { via: 'keys', got: read(), message: same() ? '' : 'the page keeps another text' });
  }
  if (same() && c.step === '') return done('already', { got: read() });
  if (c.step === '') {
    focusOn(e);
    const range = document.createRange();
    range.selectNodeContents(e);
    const sel = getSelection();
    sel.removeAllRanges();
    sel.addRange(range);
    Document.prototype.execCommand.call(document, 'insertText', false, want);
    fire(e, 'change');
    leave(e);
    if (same()) return done('set', { via: 'set', got: read() });
  }
  return trusted(c, 'type', 'typed', { text: want });
}

// putBoxes writes one character into each box of a row.
async function putBoxes(c, boxes) {
  const want = wantText(c.a.value).replace(/\s|-/g, '');
  const got = () => boxes.map((b) => b.value).join('');
  if (want.length !== boxes.length) {
    return done('value_mismatch', { got: got(), message: 'the page has ' + boxes.length + ' boxes for ' + want.length + ' characters' });
  }
  if (c.step === 'typed') return done(got() === want ? 'set' : 'value_mismatch', { via: 'keys', got: got() });
  if (got() === want) return done('already', { got: got() });
  if (c.step === '') {
    boxes.forEach((b, i) => { focusOn(b); enter(b, want[i]); fire(b, 'change'); });
    leave(boxes[boxes.length - 1]);
    if (got() === want) return done('set', { via: 'set', got: got() });
  }
  for (const b of boxes) enter(b, '');
  c.el = boxes[0];
  return trusted(c, 'type', 'typed', { text: want, keep: true });
}

function boxesOf(e, els) {
  if (els.length > 1 && els.every(isBox)) return els;
  if (!isBox(e)) return null;
  const row = ancestor(e, (n) => within(n, 'input').filter(isBox).length > 1, 3);
  const boxes = row ? within(row, 'input').filter(isBox) : [];
  return boxes.length > 1 ? boxes : null;
}
