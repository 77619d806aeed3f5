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

// settle is one slice of waiting for the page to come to rest. A page that builds
// itself by script gets more patience than one that came whole.
async function settle(arg) {
  const end = performance.now() + arg.slice;
  const w = globalThis.legworkWatch;
  for (;;) {
    const now = performance.now();
    const wait = w.built >= 0 ? Math.max(arg.quiet - (now - w.any), arg.patience - (now - w.built)) : arg.quiet - (now - w.any);
    const ready = document.readyState === 'complete' && document.fonts.status === 'loaded';
    if (ready && wait <= 0) break;
    if (now >= end) return { calm: false, complete: document.readyState === 'complete' };
    await pause(Math.min(ready ? wait : 20, end - now) + 1);
  }
  await frame();
  await frame();
  return { calm: true, complete: true };
}
