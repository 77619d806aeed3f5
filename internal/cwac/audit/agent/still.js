// Motion is taken out of the page before it is measured: what fades in is there,
// what turns for ever stands where its style puts it.

// still finishes what ends and drops what does not. It returns how many there were.
function still() {
  let n = 0;
  for (const a of Document.prototype.getAnimations.call(document)) {
    n++;
    try {
      const end = a.effect && a.effect.getComputedTiming().endTime;
      if (end === Infinity || a.timeline !== document.timeline) a.cancel();
      else a.finish();
    } catch (refused) { a.cancel(); }
  }
  return n;
}

// openDetails opens every details element, in shadow roots too.
function openDetails() {
  const closed = deep('details:not([open])');
  for (const e of closed) e.open = true;
  return closed.length;
}

// settle tells for how long the page has to stay as it is to be at rest, in
// milliseconds. A page that builds itself by script gets more patience than one that
// came whole.
function settle(arg) {
  const w = globalThis.legworkWatch;
  const now = performance.now();
  const complete = document.readyState === 'complete';
  const wait = Math.max(arg.quiet - (now - w.any), w.built >= 0 ? arg.patience - (now - w.built) : 0);
  if (!complete || document.fonts.status !== 'loaded') return { wait: Math.max(wait, 20), complete };
  return { wait: Math.max(wait, 0), complete };
}
