// Uploads, as bytes through a DataTransfer: no path of this machine is needed.

function filesOf(v) {
  return (Array.isArray(v) ? v : [v]).filter((f) => f && typeof f === 'object').map((f) => {
    const raw = atob(f.data || '');
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new File([bytes], f.name || 'file', { type: f.type || '' });
  });
}

// fileInputFor finds the input behind a button, a label or a drop zone.
function fileInputFor(e) {
  if (typeOf(e) === 'file') return e;
  let n = e;
  for (let i = 0; n && i < 5; i++, n = parentOf(n)) {
    const inputs = within(n, 'input[type=file]');
    if (inputs.length === 1) return inputs[0];
    if (inputs.length > 1) return null;
  }
  const every = deep('input[type=file]');
  return every.length === 1 ? every[0] : null;
}

async function putFile(c) {
  const files = filesOf(c.a.value);
  if (!files.length) return done('value_mismatch', { message: 'the value is no file' });
  const dt = new DataTransfer();
  for (const f of files) dt.items.add(f);
  const input = fileInputFor(c.el);
  if (c.w.gave) return keptFiles(c, input, files);
  if (input && disabled(input)) return worthWaiting(c) ? waitOn() : done('disabled');
  if (input && files.length > 1 && !input.multiple) return done('value_mismatch', { message: 'the page takes one file only' });
  if (!input && !dropOn(c.el, dt)) return done('value_mismatch', { message: 'this takes no files' });
  c.w.gave = true;
  if (input) {
    input.files = dt.files;
    fire(input, 'input');
    fire(input, 'change');
  }
  await frame();
  return keptFiles(c, input, files);
}

// keptFiles waits until the page shows that it has the files: one that sends
// them at once empties its input and names them when they have arrived.
async function keptFiles(c, input, files) {
  const has = await until(() => { const h = holdsFiles(c.el, c.a.value); return h.ok ? h : null; }, 200);
  if (has) return done('set', { via: 'set', got: has.got, message: input ? refusedType(input, files) : '' });
  if (worthWaiting(c)) return waitOn();
  return done('value_mismatch', { via: 'set', got: holdsFiles(c.el, c.a.value).got, message: 'the page does not show that it kept the file' });
}

// holdsFiles tells whether the input of e holds these files, by name and size,
// or else whether the page names every one of them.
function holdsFiles(e, value) {
  const want = (Array.isArray(value) ? value : [value]).filter((f) => f && typeof f === 'object')
    .map((f) => ({ name: f.name || 'file', size: bytesIn(f.data || '') }));
  const input = fileInputFor(e);
  const have = input ? Array.from(input.files) : [];
  const got = have.map((f) => f.name).join(', ');
  if (!want.length) return { ok: false, got };
  if (have.length) return { ok: have.length === want.length && want.every((w, i) => w.name === have[i].name && w.size === have[i].size), got };
  const shown = shownNames();
  return want.every((w) => shown.includes(norm(w.name))) ? { ok: true, got: want.map((w) => w.name).join(', ') } : { ok: false, got };
}

// bytesIn is the length of what base64 text stands for.
const bytesIn = (s) => Math.floor(s.replace(/=+$/, '').length * 3 / 4);

// shownNames is the page's text, with the texts in which pages put a file's name.
function shownNames() {
  const texts = roots().map((r) => glance(r === document ? body() : r, 200000));
  for (const e of deep('input:not([type=file]):not([type=hidden]):not([type=password]),[title],[aria-label]')) {
    if (visible(e)) texts.push(norm(e.value), norm(attr(e, 'title')), norm(attr(e, 'aria-label')));
  }
  return texts.join('\n');
}

function refusedType(input, files) {
  const accept = fold(input.accept || '').split(/\s*,\s*/).filter(Boolean);
  const ok = (f) => accept.some((a) => (a[0] === '.' ? fold(f.name).endsWith(a) : a.endsWith('/*') ? f.type.startsWith(a.slice(0, -1)) : f.type === a));
  return accept.length && !files.every(ok) ? 'the page asks for ' + cut(accept.join(', '), 100) : '';
}

// dropOn drops the files and tells whether anything there takes them.
function dropOn(zone, dt) {
  const r = zone.getBoundingClientRect();
  const at = { dataTransfer: dt, cancelable: true, clientX: r.left + r.width / 2, clientY: r.top + r.height / 2 };
  fire(zone, 'dragenter', DragEvent, at);
  const over = !fire(zone, 'dragover', DragEvent, at);
  const took = !fire(zone, 'drop', DragEvent, at);
  return over || took;
}

// putRange moves a native range, or a slider of the page's own with keys.
async function putRange(c) {
  const e = c.el;
  const want = numberOf(wantText(c.a.value));
  if (want === null) return done('value_mismatch', { message: 'the value is not a number' });
  if (tagOf(e) === 'INPUT') {
    if (+e.value === want) return done('already', { got: e.value });
    typeInto(e, String(want));
    return done(+again(c).value === want ? 'set' : 'value_mismatch', { via: 'set', got: c.el.value, message: +c.el.value === want ? '' : 'the page keeps another number' });
  }
  const now = numberOf(attr(e, 'aria-valuenow') || '');
  if (now === want) return done(c.w.keys ? 'set' : 'already', { via: c.w.keys ? 'keys' : '', got: String(now) });
  if (c.w.keys && (now === null || now === c.w.at || c.w.keys > 40)) return done('value_mismatch', { via: 'keys', got: String(now), message: 'the slider stops at another number' });
  const step = c.w.keys && c.w.pressed === 1 && c.w.at !== undefined ? Math.abs(now - c.w.at) || 1 : c.w.unit || 0;
  c.w.unit = step;
  const n = step ? Math.round(Math.abs(want - now) / step) : 1;
  if (step && n < 1) return done('value_mismatch', { via: 'keys', got: String(now), message: 'the slider has no such number' });
  c.w.keys = (c.w.keys || 0) + 1;
  c.w.at = now;
  c.w.pressed = n;
  focusOn(e);
  return need('press', 'pressed', { keys: Array(Math.min(n, 500)).fill(want > now ? 'ArrowRight' : 'ArrowLeft') });
}
