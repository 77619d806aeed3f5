// Dates: one native control, three controls, one masked text, or a calendar.

const PARTS = ['month', 'day', 'year'];

function partValues(v) {
  if (v && typeof v === 'object') return v;
  const d = dateOf(v);
  return d ? { month: pad(d.m, 2), day: d.d ? pad(d.d, 2) : '', year: pad(d.y, 4) } : null;
}

// putParts sets month, day and year one by one through the ordinary ways.
async function putParts(c, parts) {
  const values = partValues(c.a.value);
  if (!values) return done('value_mismatch', { message: 'the value is not a date (YYYY-MM-DD)' });
  const names = Object.keys(parts).filter((n) => values[n] !== undefined && values[n] !== '');
  c.w.part = c.w.part || 0;
  c.w.got = c.w.got || {};
  c.w.states = c.w.states || [];
  for (; c.w.part < names.length; c.w.part++) {
    const n = names[c.w.part];
    c.w.subw = c.w.subw || { began: performance.now() };
    const sub = partOf(c, parts[n], values[n]);
    if (typeOf(sub.el) === 'number' || !(sub.el.maxLength >= 2 || sub.el.maxLength < 0)) sub.a.value = String(+values[n] || values[n]);
    const r = await widgetFor(sub)(sub);
    if (r.need) return r;
    if (!/^(set|already)$/.test(r.state)) return Object.assign(r, { message: n + ': ' + (r.message || r.state) });
    c.w.got[n] = r.got;
    c.w.states.push(r);
    c.w.subw = null;
    c.step = '';
  }
  const via = c.w.states.map((s) => s.via).find((v) => v) || '';
  return done(c.w.states.some((s) => s.state === 'set') ? 'set' : 'already', { via, got: names.map((n) => c.w.got[n]).join('/') });
}

// partOf is one part as a field of its own.
function partOf(c, part, value) {
  const a = { id: c.a.id, target: part.target || {}, kind: '', value, options: [] };
  return { a, el: part.el, els: [part.el], arg: c.arg, step: c.step, resumed: c.resumed, w: c.w.subw || {} };
}

// namedParts resolves the parts that the field's description gives.
function namedParts(a) {
  const out = {};
  for (const n of Object.keys(a.parts || {})) {
    const r = resolve(a.parts[n], settable, controlOf);
    if (!r.els.length) return null;
    out[n] = { el: oneField(a, r.els)[0], target: a.parts[n] };
  }
  return Object.keys(out).length ? out : null;
}

// partWord is the part of a date that a box is for, by its own word for itself:
// autocomplete, the end of its id or name, its label, or its placeholder.
function partWord(e) {
  const auto = /\bbday-(day|month|year)\b/.exec(attr(e, 'autocomplete') || '');
  if (auto) return auto[1];
  for (const words of [SPLIT(idOf(e)).slice(-1), SPLIT(attr(e, 'name')).slice(-1), SPLIT(nameOf(e)), SPLIT(attr(e, 'placeholder'))]) {
    const hits = PARTS.filter((p) => words.length === 1 && PART_WORDS[p].test(words[0]));
    if (hits.length) return hits[0];
  }
  return '';
}

// guessedParts reads which of two or three controls is which.
function guessedParts(els) {
  if (els.length < 2 || els.length > 3) return null;
  const out = {};
  for (const e of els) {
    const says = fold([attr(e, 'autocomplete'), nameOf(e), attr(e, 'name'), idOf(e), attr(e, 'placeholder')].join(' '));
    const n = partWord(e) || PARTS.find((p) => says.includes(p)) || (/\bmm\b/.test(says) ? 'month' : /\bdd\b/.test(says) ? 'day' : /\byy/.test(says) ? 'year' : '');
    if (!n || out[n]) return null;
    out[n] = { el: e };
  }
  return out;
}

function dateParts(c) {
  const named = namedParts(c.a);
  if (named) return named;
  if (c.els.length > 1) return guessedParts(c.els);
  if (!is(c.el, CONTROL)) return guessedParts(innerControls(c.el).filter((e) => !isChoice(e)));
  if (tagOf(c.el) !== 'SELECT' && !partBox(c.el)) return null;
  const box = ancestor(c.el, (n) => within(n, CONTROL).filter(settable).length > 1, 6);
  return box ? guessedParts(within(box, CONTROL).filter(settable)) : null;
}

// partBox: a text box that has room for a part of a date only, or says so.
const partBox = (e) => tagOf(e) === 'INPUT' && !isChoice(e) && !DATE_TYPES.test(typeOf(e)) && (e.maxLength > 0 && e.maxLength <= 4 || !!partWord(e) && !dateMask(attr(e, 'placeholder')));

// otherParts: near a box for one part of a date is one for another part.
function otherParts(e) {
  const part = partBox(e) && partWord(e);
  const box = part && ancestor(e, (n) => within(n, CONTROL).filter(settable).length > 1, 6);
  return !!box && within(box, CONTROL).some((x) => x !== e && partWord(x) && partWord(x) !== part);
}

// stamp writes a day and time as the control does; a day alone begins at midnight.
const stamp = (s) => { const m = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/i.exec(norm(s)); return m ? m[1] + 'T' + (m[2] || '00:00') : norm(s); };

// sameStamp: browsers leave out seconds of zero.
const sameStamp = (a, b) => a.replace(/(:\d\d):00(\.0+)?$/, '$1') === b.replace(/(:\d\d):00(\.0+)?$/, '$1');

function putNativeDate(c) {
  const e = c.el;
  const d = dateOf(c.a.value, c.a.mask);
  const t = typeOf(e);
  let want = norm(wantText(c.a.value));
  if (d && t === 'date' && d.d) want = pad(d.y, 4) + '-' + pad(d.m, 2) + '-' + pad(d.d, 2);
  if (d && t === 'month') want = pad(d.y, 4) + '-' + pad(d.m, 2);
  if (t === 'datetime-local') want = stamp(want);
  if (e.readOnly) return done('readonly', { got: e.value });
  if (sameStamp(e.value, want)) return done('already', { got: e.value });
  typeInto(e, want);
  const now = again(c);
  if (sameStamp(now.value, want)) return done('set', { via: 'set', got: now.value });
  return done('value_mismatch', { via: 'set', got: now.value, message: now.value === '' ? 'the page takes no such ' + t : 'the page keeps another ' + t });
}
