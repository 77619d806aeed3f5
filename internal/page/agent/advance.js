// Leaving a page: what it was before the button, and whether it is left.

let marked = null;

function sightsOf(fields) {
  return (fields || []).map((f) => {
    const r = resolve(f.target || f, settable, controlOf);
    return r.els.length ? { el: r.els[0], name: fold(groupOrName(r.els[0])) } : null;
  });
}

const mainBox = () => deep('main,[role=main],#main,#content').find(visible) || body();

const textHere = () => hash(glance(mainBox(), 4000));

// mark remembers the page as it is before the button is pressed.
function mark(arg, button) {
  const sights = sightsOf(arg.fields);
  const plain = !sights.some(Boolean); // nothing but its looks tells the page from the next
  const errors = harvest({ fields: [], extra: arg.extra });
  const head = heading();
  marked = { button, label: labelOf(button), href: location.href, heading: head, step: stepNow(), finger: plain ? fingerprint(head) : '', sights, text: plain ? textHere() : '', count: activity.count, errors: errors.map((e) => fold(e.text)) };
  return { url: location.href, address: address(), heading: marked.heading, step: marked.step, finger: marked.finger, names: sights.map((s) => (s ? s.name : null)), errors: marked.errors };
}

// aim finds the button and waits a slice until it can be pressed.
async function aim(arg) {
  await stayHere(() => resolve(arg.button, () => true).els);
  if (arg.answers) {
    const kept = await verify({ answers: arg.answers });
    if (kept.some((o) => o.state === 'value_mismatch')) return { state: 'lost', kept, quiet: quietFor(), candidates: [] };
  }
  const b = theButton(arg.button, sightsOf(arg.fields).filter(Boolean).map((s) => s.el));
  if (b.ambiguous) return { state: 'ambiguous', used: b.used, candidates: b.candidates };
  if (!b.el) {
    await until(() => theButton(arg.button, []).el, 200);
    return { state: b.hidden ? 'hidden' : 'not_found', used: b.used, quiet: quietFor(), candidates: [] };
  }
  if (arg.script) { // pressed once the answer is on its way: the press may end the document
    setTimeout(() => poke(b.el));
    return { state: 'ok', x: 0, y: 0, used: b.used, candidates: [], mark: mark(arg, b.el) };
  }
  const at = await press(b.el, 300);
  if (at.ok) return { state: 'ok', x: at.x, y: at.y, used: b.used, candidates: [], mark: arg.mark ? mark(arg, b.el) : null };
  return { state: at.disabled ? 'disabled' : 'blocked', why: at.why, used: b.used, quiet: quietFor(), candidates: [] };
}

// observe looks for one slice for what the press led to, in this document. As
// long as nothing has happened in it there is nothing to decide.
async function observe(arg) {
  const end = performance.now() + (arg.slice || 200);
  const pause = pauses();
  for (;;) {
    const r = decide(arg);
    if (r) return Object.assign(r, { quiet: quietFor(), rested: arg.idle && quietFor() > 100 });
    if (performance.now() >= end) return { state: 'waiting', quiet: quietFor() };
    await pause();
  }
}

function decide(arg) {
  if (!marked) return { state: 'lost' };
  if (tookWrong()) return { state: 'missed', how: '' };
  if (quietFor() <= 100 && activity.count === marked.count && location.href === marked.href) return null; // nothing has happened yet
  const changed = changes();
  const still = quietFor() > 100 && arg.idle && !busy();
  const strong = changed.address || changed.heading || changed.step;
  const how = changed.address ? 'same-document' : 'content';
  if (changed.gone && strong) return proved(arg, how) || (still ? proved(arg, how, true) : null);
  if (changed.renamed && strong) return proved(arg, how) || (still ? proved(arg, how, true) : null);
  if (!still) return null;
  const errors = harvest({ fields: [], extra: arg.extra }).map((e) => fold(e.text));
  const news = errors.some((e) => !marked.errors.includes(e));
  if (changed.gone || changed.renamed) return proved(arg, how, true);
  if (news) return { state: 'errors', how: '' };
  if (changed.address && !errors.length) return proved(arg, how, true);
  if (!marked.sights.some(Boolean) && (strong || textHere() !== marked.text || !visible(marked.button))) return proved(arg, how, true);
  const quick = arg.dialog || errors.length;
  if ((arg.calm || errors.length) && arg.since > (arg.dialog ? 400 : errors.length ? 600 : 1800) && quietFor() > (quick ? 200 : atWork() ? 8000 : 1500)) return { state: errors.length ? 'errors' : 'same', how: '' };
  return null;
}

const labelOf = (button) => fold(textOf(button) || button.value || '');

// atWork: the button says that it was pressed, which promises that something comes of it.
const atWork = () => disabled(marked.button) || !visible(marked.button) || labelOf(marked.button) !== marked.label;

function changes() {
  const seen = marked.sights.filter(Boolean);
  const here = (s) => s.el.isConnected && settable(s.el);
  const href = location.href;
  return {
    address: href !== marked.href && !(href.split('#')[0] === marked.href.split('#')[0] && byId(decoded(location.hash.slice(1)), null)),
    heading: heading() !== marked.heading, step: stepNow() !== marked.step,
    gone: seen.length > 0 && !seen.some(here),
    renamed: seen.length > 0 && seen.every((s) => here(s) && fold(groupOrName(s.el)) !== s.name),
  };
}

// proved checks the wizard's own proof; last says that nothing more will come.
function proved(arg, how, last) {
  const p = proof(arg);
  if (p.ok) return { state: 'moved', how };
  return last ? { state: 'unproved', how, missing: p.missing } : null;
}

function proof(arg) {
  const missing = [];
  const said = (e) => visible(e) && fold(textOf(e)).includes(fold(arg.heading));
  if (arg.heading && !deep('h1,h2,h3,legend,[role=heading]').some(said)) missing.push('the heading');
  if (arg.selector && (arg.selector.selector || arg.selector.text) && !resolve(arg.selector, (e) => visible(e) || settable(e)).els.length) missing.push('the element');
  return { ok: !missing.length, missing };
}

// landed judges a new document: the next page, or the same one once more.
function landed(arg) {
  const now = sightsOf(arg.fields).map((s) => (s ? s.name : null));
  const was = arg.before.names || [];
  const shown = was.filter((n) => n !== null).length;
  const kept = was.filter((n, i) => n !== null && now[i] === n).length;
  const errors = harvest({ fields: [], extra: arg.extra });
  const head = heading();
  const sameHead = head === arg.before.heading || fold(head).endsWith(fold(arg.before.heading)) && !!arg.before.heading;
  let same = shown > 0 && kept === shown && (sameHead || errors.length > 0);
  if (!same && shown > 0 && kept > 0 && errors.length > 0) same = true;
  if (!shown) same = address() === arg.before.address && fingerprint(head) === arg.before.finger;
  const p = proof(arg);
  const next = !same && p.ok && arg.next ? survey({ targets: arg.next }) : null;
  return { same, proved: p.ok, missing: p.missing, errors: errors.length, quiet: quietFor(), place: place(arg, head), next };
}
