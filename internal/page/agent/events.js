// Giving a control a value the way that typing does, as far as a script can.

const setterOf = (proto) => Object.getOwnPropertyDescriptor(proto, 'value').set;
const setInput = setterOf(HTMLInputElement.prototype);
const setArea = setterOf(HTMLTextAreaElement.prototype);

function setNative(e, v) {
  if (tagOf(e) === 'TEXTAREA') setArea.call(e, v);
  else if (tagOf(e) === 'INPUT') setInput.call(e, v);
  else e.value = v;
}

const fire = (e, name, Type, init) =>
  e.dispatchEvent(new (Type || Event)(name, Object.assign({ bubbles: true, composed: true }, init || {})));

const key = (e, name, k) => fire(e, name, KeyboardEvent, { key: k, cancelable: true });

// focusOn moves the focus and makes sure that the page hears of it, also where
// the browser gives a background frame no focus events.
function focusOn(e) {
  const before = document.hasFocus();
  let heard = false;
  const ear = () => { heard = true; };
  e.addEventListener('focus', ear, { once: true, capture: true });
  e.focus({ preventScroll: true });
  e.removeEventListener('focus', ear, { capture: true });
  if (heard || (before && activeOf.call(document) === e)) return;
  e.dispatchEvent(new FocusEvent('focus', { composed: true }));
  fire(e, 'focusin', FocusEvent);
}

function leave(e) {
  let heard = false;
  const ear = () => { heard = true; };
  e.addEventListener('blur', ear, { once: true, capture: true });
  e.blur();
  e.removeEventListener('blur', ear, { capture: true });
  if (heard) return;
  e.dispatchEvent(new FocusEvent('blur', { composed: true }));
  fire(e, 'focusout', FocusEvent);
}

function selectAll(e) {
  try { e.select(); } catch (err) { /* has no selection */ }
}

// enter replaces the control's text and tells the page as typing would.
function enter(e, v) {
  const last = v ? v[v.length - 1] : 'Backspace';
  const kind = v ? 'insertText' : 'deleteContentBackward';
  const data = v || null;
  selectAll(e);
  key(e, 'keydown', last);
  fire(e, 'beforeinput', InputEvent, { cancelable: true, inputType: kind, data });
  setNative(e, v);
  fire(e, 'input', InputEvent, { inputType: kind, data });
  key(e, 'keyup', last);
}

// typeInto is the whole visit of a text control: come, type, leave.
function typeInto(e, v) {
  focusOn(e);
  enter(e, v);
  fire(e, 'change');
  leave(e);
}

// poke is a click by script: every event that a press makes, in order.
function poke(e) {
  const r = e.getBoundingClientRect();
  const at = { clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, cancelable: true, view: window };
  fire(e, 'pointerover', PointerEvent, at);
  fire(e, 'mouseover', MouseEvent, at);
  fire(e, 'mousemove', MouseEvent, at);
  fire(e, 'pointerdown', PointerEvent, Object.assign({ button: 0, buttons: 1, isPrimary: true }, at));
  fire(e, 'mousedown', MouseEvent, Object.assign({ button: 0, buttons: 1, detail: 1 }, at));
  fire(e, 'pointerup', PointerEvent, Object.assign({ button: 0, isPrimary: true }, at));
  fire(e, 'mouseup', MouseEvent, Object.assign({ button: 0, detail: 1 }, at));
  if (e instanceof HTMLElement) HTMLElement.prototype.click.call(e);
  else fire(e, 'click', MouseEvent, Object.assign({ button: 0, detail: 1 }, at));
}
