// What a person sees and reaches with the Tab key.

const stops = []; // the elements that had the focus, in order

// focused is the element that has the focus, inside shadow roots too.
function focused() {
  let e = activeOf.call(document);
  for (let shadow = e && shadowOf(e); shadow && shadow.activeElement; shadow = e && shadowOf(e)) e = shadow.activeElement;
  return e && e !== body() && e !== page() ? e : null;
}

const blur = (e) => (e instanceof SVGElement ? SVGElement : HTMLElement).prototype.blur.call(e);

// focusStart puts the page where a person begins, with all that can be stopped still.
async function focusStart() {
  stops.length = 0;
  for (const m of deep('video,audio')) HTMLMediaElement.prototype.pause.call(m);
  for (const m of deep('marquee')) if (typeof m.stop === 'function') m.stop();
  const e = focused();
  if (e) blur(e);
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  await frame();
  still();
  return deep('[tabindex]').filter((n) => n.tabIndex > 0).slice(0, 20).map(selectorOf);
}

// drawn lets transitions end and the page be drawn.
async function drawn() {
  await frame();
  still();
  await frame();
}

// Kinds of input that show a text cursor when they have the focus.
const CARET = 'textarea,[contenteditable]:not([contenteditable=false]),input:not([type]),input[type=text],input[type=search],input[type=email],input[type=url],input[type=tel],input[type=password],input[type=number],input[type=date],input[type=time],input[type=datetime-local],input[type=month],input[type=week]';

const plain = (r) => ({ x: r.left, y: r.top, width: r.width, height: r.height });

// regionsOf are where the focus of e can show: its own box, its labels, and what
// stands for it when the element itself is not drawn.
function regionsOf(e) {
  const list = Array.from(e.getClientRects()).slice(0, 20).map(plain);
  for (const label of Array.from(e.labels || []).slice(0, 3)) list.push(plain(rectOf(label)));
  const r = rectOf(e);
  const style = getComputedStyle(e);
  const hidden = r.width < 4 || r.height < 4 || style.opacity === '0' || style.clipPath !== 'none' || style.clip !== 'auto';
  const parent = hidden && parentOf(e);
  if (parent && parent !== body()) list.push(plain(rectOf(parent)));
  return list.filter((b) => b.width > 0 && b.height > 0);
}

// topAt is what is drawn on top at a point, inside shadow roots too.
function topAt(x, y) {
  let root = document;
  let hit = null;
  for (let i = 0; i < 40; i++) {
    const next = root.nodeType === 9 ? Document.prototype.elementFromPoint.call(root, x, y) : root.elementFromPoint(x, y);
    if (!next || next === hit) break;
    hit = next;
    if (!shadowOf(hit)) break;
    root = shadowOf(hit);
  }
  return hit;
}

function stuck(e) {
  for (let n = e; n; n = parentOf(n)) if (/fixed|sticky/.test(getComputedStyle(n).position)) return n;
  return null;
}

// obscured tells how much of e lies under content that stays in its place.
function obscured(e) {
  const r = rectOf(e);
  let points = 0;
  let covered = 0;
  let by = null;
  for (const fx of [0.04, 0.27, 0.5, 0.73, 0.96]) for (const fy of [0.1, 0.5, 0.9]) {
    const x = r.left + r.width * fx;
    const y = r.top + r.height * fy;
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
    points++;
    const hit = topAt(x, y);
    if (!hit || contains(e, hit) || contains(hit, e) || Array.from(e.labels || []).some((l) => contains(l, hit))) continue;
    const over = stuck(hit);
    if (over && !contains(over, e)) { covered++; by = by || over; }
  }
  return { points, covered, by: by ? selectorOf(by) : '' };
}

// focusAt says what has the focus in this document.
async function focusAt(arg) {
  await drawn();
  const e = focused();
  if (!e) return { kind: 'none' };
  if (is(e, 'iframe,frame')) return { kind: 'frame', offset: contentBox(e, arg.offset || { x: 0, y: 0 }), ...stopOf(e, arg) };
  return { kind: 'element', ...stopOf(e, arg) };
}

function stopOf(e, arg) {
  let key = stops.indexOf(e);
  const seen = key >= 0;
  if (!seen) key = stops.push(e) - 1;
  const at = arg.offset || { x: 0, y: 0 };
  const modal = closest(e, 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true]');
  return {
    key, seen, place: place(e, arg.document), caret: is(e, CARET),
    regions: regionsOf(e).map((b) => ({ x: b.x + at.x, y: b.y + at.y, width: b.width, height: b.height })),
    obscured: obscured(e), modal: !!modal, doc: { x: scrollX, y: scrollY },
  };
}

let lent = null; // the element that the focus was taken from

// focusDrop takes the focus away, for the picture without it.
async function focusDrop() {
  lent = focused();
  if (lent) blur(lent);
  await drawn();
}

// focusBack gives it back, so that the next key goes where a person's would.
function focusBack() {
  if (lent && lent.isConnected) (lent instanceof SVGElement ? SVGElement : HTMLElement).prototype.focus.call(lent, { preventScroll: true, focusVisible: true });
  lent = null;
}

const TABBABLE = 'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,iframe,[tabindex],audio[controls],video[controls],[contenteditable]:not([contenteditable=false])';

// unreached are elements that the Tab key should have come to and has not.
function unreached() {
  const groups = new Set();
  for (const e of stops) if (e.type === 'radio' && e.name) groups.add(e.name);
  return deep(TABBABLE).filter((e) => e.tabIndex >= 0 && !stops.includes(e) && !is(e, ':disabled') && visible(e) && !closest(e, '[inert]')
    && !(e.type === 'radio' && groups.has(e.name))).slice(0, 20).map(selectorOf);
}

// extent is the size of the whole document and of the window on it, after the way back to
// the top: content that is fixed stands there where the window is.
async function extent() {
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  await frame();
  const root = document.scrollingElement || page();
  return { width: root.scrollWidth, height: root.scrollHeight, viewWidth: innerWidth, viewHeight: innerHeight, x: scrollX, y: scrollY };
}
