// Choices that take several answers: every wanted one is picked, every other one
// is taken away, and the whole set is read back.

// severalTaken: by its own word, the control takes more than one answer.
function severalTaken(c) {
  if (c.a.multiple) return true;
  if (c.twin) return c.twin.multiple;
  const host = c.el.getRootNode().host;
  return attr(c.el, 'aria-multiselectable') === 'true' || !!host && has(host, 'multiple') && attr(host, 'multiple') !== 'false';
}

const wantedSets = (c) => [].concat(c.a.value).filter((v) => v !== '' && v != null).map((v) => labelsWanted(c, v).map(fold));

// compared tells what is missing and what is too much.
function compared(c) {
  const sets = wantedSets(c);
  const held = heldOf(c);
  const extra = held.list.filter((t) => !sets.some((s) => s.includes(t)));
  const missing = sets.map((s, i) => i).filter((i) => !sets[i].some((t) => held.list.includes(t)));
  // "2 selected" counts them all, "+2" beside chips the ones without a chip.
  const counted = held.partial > 0 && (held.partial === sets.length || held.partial + held.chips.length === sets.length);
  return { held, extra, missing, ok: !extra.length && (counted || !missing.length && !held.partial) };
}

async function putMany(c) {
  c.many = true;
  c.w.taken = c.w.taken || new Set();
  c.w.turns = c.w.turns || 0;
  const values = [].concat(c.a.value).filter((v) => v !== '' && v != null);
  if (!c.w.turns && !c.w.opened && (await unread(c))) c.w.read = true;
  for (;;) {
    const now = compared(c);
    if (c.w.at === undefined) {
      if (c.w.turns++ > values.length * 2 + 30) return finish(c);
      const missing = now.missing.find((i) => !c.w.taken.has(i));
      const add = missing !== undefined && (!now.extra.length || values.length === 1 || c.w.stuck);
      if (!add && now.extra.length && !c.w.stuck) {
        const r = await drop(c, now.extra[0], now.held);
        if (r.need) return r;
        c.w.stuck = !r.ok;
        c.step = '';
        continue;
      }
      if (!add) return finish(c);
      Object.assign(c.w, { at: missing, opened: 0, typed: 0, keys: false, coaxed: false, off: false });
    }
    const r = await pickOne(c, values[c.w.at]);
    if (r.need) return r;
    if (!/^(set|already)$/.test(r.state)) { await shut(c); return r; }
    c.w.changed = c.w.changed || r.state === 'set';
    c.w.via = c.w.via || r.via;
    c.w.taken.add(c.w.at);
    c.w.at = undefined;
    c.step = '';
  }
}

// unread opens a list whose control says only how many of it are chosen.
async function unread(c) {
  const now = heldOf(c);
  if (!now.partial) return false;
  openCombo(c, '');
  return until(() => offered(c).length, 400);
}

async function finish(c) {
  await shut(c);
  const now = compared(c);
  const got = (now.held.list.length ? now.held.chips.map((x) => x.text) : []).join(', ') || twinText(c) || shownValue(c);
  if (now.ok) return done(c.w.changed ? 'set' : 'already', { via: c.w.changed ? c.w.via || 'set' : '', got });
  const message = now.missing.length ? 'the page does not keep every option that was picked' : 'the page keeps an option that is not wanted';
  return done('value_mismatch', { via: c.w.via || '', got, message });
}

// drop takes one answer away: by the sign on its chip, or by a press on it in
// the list.
async function drop(c, text, held) {
  const still = () => heldOf(c).list.includes(text);
  if (c.step === 'dropped') { c.w.changed = true; if (await until(() => !still(), 400)) return { ok: true }; }
  const chip = held.chips.find((x) => fold(x.text) === text);
  const alone = chip && held.chips.filter((x) => x.el === chip.el).length === 1;
  const sign = alone && removeSign(c, chip.el);
  if (sign) {
    poke(sign);
    c.w.changed = true;
    if (await until(() => !still(), 300)) return { ok: true };
    const at = c.step === 'dropped' ? {} : await press(sign, 200);
    if (at.ok) return need('click', 'dropped', { x: at.x, y: at.y, point: true });
  }
  if (!isOpen(c)) openCombo(c, '');
  const hit = () => offered(c).find((i) => fold(i.label) === text && !i.disabled);
  const item = (await until(hit, 400)) || (coax(c), await until(hit, 400));
  if (!item) return { ok: false };
  poke(item.el);
  c.w.changed = true;
  return { ok: !!(await until(() => !still(), 400)) };
}

const REMOVES = 'button,[role=button],[aria-label],[title],[class*=remove],[class*=Remove],[class*=close],[class*=clear],[class*=delete],[class*=cancel],[part*=remove],i,svg';
const REMOVAL = /remove|close|clear|delete|cancel|deselect|dismiss|\u00d7|\u2715/i;
const SIGN_AT_END = /[\s\u00d7\u2715\u2716\u2717]+$/;

// removeSign is what takes a chip away, in the chip or just behind its text. A
// sign that does not say so is none outside of a chip: it may open the list.
function removeSign(c, chip) {
  const shell = shellOf(c.el);
  const text = flatText(chip).replace(SIGN_AT_END, '');
  let n = chip;
  for (let i = 0; n && i < 4 && n !== shell && n !== c.el; i++, n = parentOf(n)) {
    if (flatText(n).replace(SIGN_AT_END, '') !== text) return null;
    const says = (x) => REMOVAL.test([attr(x, 'class'), attr(x, 'part'), attr(x, 'aria-label'), attr(x, 'title'), flatText(x)].join(' '));
    const signs = within(n, REMOVES).filter((x) => x !== chip && !contains(x, chip) && !flatText(x).replace(SIGN_AT_END, '') && visible(x));
    const sign = signs.find((x) => says(x) && is(x, 'button,[role=button]')) || signs.find(says) || (is(n, CHIP) ? signs[0] : null);
    if (sign) return sign;
  }
  return null;
}

// shut closes a list that stays open, without closing what is around it.
async function shut(c) {
  const gone = () => !isOpen(c);
  if (typesIn(c.el) && c.el.value) enter(c.el, '');
  if (gone()) { leave(c.el); return; }
  leave(c.el);
  if (await until(gone, 80)) return;
  const at = activeOf.call(document);
  const inside = listsOf(c).find((l) => at && contains(l, at));
  const calls = [inside ? at : listsOf(c)[0]].concat(openDialog() ? [] : [c.el]).filter(Boolean);
  for (const e of calls) {
    key(e, 'keydown', 'Escape');
    key(e, 'keyup', 'Escape');
    if (await until(gone, 150)) return;
  }
  const cover = hitBy(1, 1);
  if (cover && !within(cover, CONTROL).length && !openDialog()) poke(cover);
  if (await until(gone, 200)) return;
  poke(c.el);
  await until(gone, 200);
}
