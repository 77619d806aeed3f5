// What happens on the page, observed. Waiting is always for something: a
// mutation, a frame, or the end of a short slice after which the caller looks
// at the network, which a script cannot see.

const activity = { tree: 0, last: performance.now(), count: 0 };

const observer = new MutationObserver(noteMutations);
const watched = new WeakSet();
const waiters = new Set();

function noteMutations(records) {
  if (!records.length) return;
  activity.last = performance.now();
  activity.count += records.length;
  for (const wake of waiters) wake();
  for (const r of records) if (r.type === 'childList') { activity.tree++; return; }
}

const drainActivity = () => noteMutations(observer.takeRecords());

function watchRoot(root) {
  if (watched.has(root)) return;
  watched.add(root);
  observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}
watchRoot(document);

// frame resolves at the next frame, or soon where no frames are drawn.
function frame() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 50);
    requestAnimationFrame(() => { clearTimeout(timer); resolve(); });
  });
}

// change resolves at the next mutation, or after ms: some changes are none in the
// tree. It asks for no frame, since every frame is drawn. A page that changes all
// the time is looked at every few ms only.
const LOOK = 8;

function change(ms) {
  return new Promise((resolve) => {
    const began = performance.now();
    const done = () => { waiters.delete(wake); resolve(); };
    let timer = setTimeout(done, ms);
    const wake = () => {
      const early = LOOK - (performance.now() - began);
      clearTimeout(timer);
      if (early > 0) timer = setTimeout(done, early);
      else done();
    };
    waiters.add(wake);
  });
}

// pauses grow while nothing happens: 8, 16, 32, then 40 ms.
function pauses() {
  let ms = LOOK / 2;
  return () => { ms = Math.min(ms * 2, 40); return change(ms); };
}

async function frames(n) {
  for (let i = 0; i < n; i++) await frame();
}

// until tries test at every change for at most ms and returns its first true answer.
async function until(test, ms) {
  const end = performance.now() + ms;
  const pause = pauses();
  for (;;) {
    const v = test();
    if (v) return v;
    if (performance.now() >= end) return null;
    await pause();
  }
}

const quietFor = () => { drainActivity(); return performance.now() - activity.last; };

const BUSY = '[aria-busy="true"],[role=progressbar]:not([aria-valuenow]),.spinner,.loading,.is-loading';

// settle waits until nothing has changed for quiet ms, at most for one slice. A
// long quiet counts from the last answer on: the page may only begin to react.
async function settle(arg) {
  const end = performance.now() + (arg.slice || 250);
  const quiet = arg.quiet || 100;
  const calm = () => quietFor() >= quiet && (quiet <= 100 || performance.now() - touched >= quiet);
  while (document.readyState === 'loading' || !calm() || busy()) {
    if (performance.now() >= end) return { quiet: false, activity: activity.count };
    await change(20);
  }
  await frames(2);
  return { quiet: quietFor() >= Math.min(quiet, 30), activity: activity.count };
}

// busy: something on the page says that it is at work. A sign that has not moved
// anything for long is decoration.
const busy = () => quietFor() < 4000 && anyVisible(BUSY);

function anyVisible(css) {
  for (const e of deep(css)) if (visible(e)) return true;
  return false;
}

// hitBy is what a click at a point would really reach, through shadow roots.
function hitBy(x, y) {
  let root = document;
  let hit = null;
  for (let i = 0; i < 40; i++) {
    const next = root.nodeType === 9 ? Document.prototype.elementFromPoint.call(root, x, y) : root.elementFromPoint(x, y);
    if (!next || next === hit) break;
    hit = next;
    const shadow = shadowOf(hit);
    if (!shadow) break;
    root = shadow;
  }
  return hit;
}

// reaches tells whether a click on hit acts on e.
function reaches(hit, e) {
  if (!hit) return false;
  if (contains(e, hit)) return true;
  const label = hit.closest && closest(hit, 'label');
  return !!label && label.control === e && !closest(hit, 'a[href],button');
}

function onScreen(r) {
  return r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth;
}

// pointsOf are places to press e, best first: the middle, then other parts of it.
function pointsOf(e) {
  const out = [];
  for (const r of Array.from(e.getClientRects()).slice(0, 4)) {
    if (r.width < 1 || r.height < 1) continue;
    for (const [fx, fy] of [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
      out.push([r.left + r.width * fx, r.top + r.height * fy]);
    }
  }
  return out.filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
}

// restless: something may be moving the elements of the page right now. What a
// script moves changes at every frame, so that two quiet ones are enough.
const restless = () => quietFor() < 35 || document.getAnimations().some((a) => a.playState === 'running');

// press waits for one slice until e can be clicked and says where.
async function press(e, slice) {
  const end = performance.now() + (slice || 250);
  let why = 'it is not visible';
  let cover = null;
  for (;;) {
    if (!e.isConnected) return { why: 'it left the page' };
    if (!visible(e)) why = 'it is not visible';
    else if (disabled(e)) why = 'it is disabled';
    else {
      const apart = !onScreen(e.getBoundingClientRect());
      if (apart) e.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const a = e.getBoundingClientRect();
      if (apart || restless()) await frame();
      const b = e.getBoundingClientRect();
      if (Math.abs(a.x - b.x) + Math.abs(a.y - b.y) > 1) why = 'it moves';
      else {
        for (const [x, y] of pointsOf(e)) if (reaches(hitBy(x, y), e)) { expectHit(e); return { ok: true, x, y }; }
        const mid = [b.left + b.width / 2, b.top + b.height / 2];
        cover = hitBy(mid[0], mid[1]);
        why = 'it is covered by ' + (cover ? describe(cover) : 'nothing that can be clicked');
        if (cover && (await clearCover(cover, e))) continue;
      }
    }
    if (performance.now() >= end) return { why, disabled: why === 'it is disabled', covered: !!cover };
    await frame();
  }
}

function disabled(e) {
  if (is(e, ':disabled')) return true;
  if (attr(e, 'aria-disabled') === 'true') return true;
  return !!ancestor(e, (n) => attr(n, 'aria-disabled') === 'true' && /^(radiogroup|group|listbox)$/.test(roleOf(n)), 6);
}
