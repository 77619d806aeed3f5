// What the program calls. Every function takes one JSON value and returns one.

// survey looks at targets; suspect is asked for when one is missing.
function survey(arg) {
  const seen = sightsAt(arg.targets);
  return { seen, suspect: seen.some((s) => !s.present) && suspect() };
}

function sightsAt(targets) {
  return targets.map((t) => {
    const r = resolve(t, settable, controlOf);
    const seen = r.els.length ? r : resolve(t, visible);
    const e = seen.els[0] || (r.hidden || [])[0];
    if (!e) return { present: false, visible: false, enabled: false, count: 0, value: '', used: '' };
    return {
      present: true, visible: seen.els.length > 0, enabled: !disabled(e), count: seen.els.length || (r.hidden || []).length, used: seen.used || r.used,
      value: valueOf(e),
    };
  });
}

// valueOf is what a control holds, as its page shows it.
function valueOf(e) {
  if (typeOf(e) === 'radio' || roleOf(e) === 'radio') return groupOf(e).filter(isOn).map(optionName).join(', ');
  if (isChoice(e)) return String(isOn(e));
  if (tagOf(e) === 'SELECT') return Array.from(e.selectedOptions).map((o) => norm(o.label)).join(', ');
  return e.value === undefined ? textOf(e).slice(0, 2000) : String(e.value);
}

// suspect tells whether a closed shadow root may be somewhere: an element that
// takes up room although nothing is in it.
function suspect() {
  for (const r of roots()) for (const e of all(r, '*').slice(0, LIMIT.nodes)) {
    if (shadowOf(e)) continue;
    const tag = tagOf(e);
    if (tag.includes('-') && is(e, ':defined')) return true;
    if (/^(DIV|SPAN|SECTION|ARTICLE|ASIDE|MAIN|HEADER|FOOTER|NAV|P|BLOCKQUOTE)$/.test(tag) && is(e, ':empty') && e.offsetHeight > 12 && e.offsetWidth > 40) return true;
  }
  return false;
}

function remember() {
  rememberControls();
  return true;
}

function forget() {
  forgetControls();
  return true;
}

// frameElement resolves the iframe of one step of a frame path.
function frameElement(arg) {
  const t = { selector: arg.selector, type: 'auto' };
  const r = resolve(t, (e) => is(e, 'iframe,frame') && visible(e));
  if (r.els[0]) return r.els[0];
  const any = find(arg.selector, 'auto').els;
  const f = any.find((e) => is(e, 'iframe,frame')) || any.map((e) => within(e, 'iframe,frame')[0]).find(Boolean);
  if (f) f.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return f || null;
}

// onScreenFrame brings a frame's element into view, so that presses reach it.
function showFrame(arg) {
  const e = frameElement(arg);
  if (!e) return false;
  const r = e.getBoundingClientRect();
  if (r.top < 0 || r.bottom > innerHeight) e.scrollIntoView({ block: 'center', behavior: 'instant' });
  return true;
}

const api = {
  survey, suspect, set, verify, controls, place, read, readTargets, settle, errors: harvest,
  aim, observe, tookWrong, boxes, landed, rowState, saveButton, remember, forget, hide, unhide, showFrame, seek, agree, opensDays, notices, malformed, openSections,
};

globalThis.legworkPage = {
  run: async (call) => ({ value: await api[call.name](call.arg) }),
  frame: frameElement,
  adopt: adoptClosed,
};
