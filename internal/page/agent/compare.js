// Is what the page holds what was wanted? Pages reformat: 5551234567 becomes
// (555) 123-4567, 120000 becomes $120,000.00, 2001-05-07 becomes 05/07/2001.

const NUMBER = /^[-+(]?\s*[$\u20ac\u00a3]?\s*[-+]?(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?\s*%?\)?$/;

function numberOf(s) {
  const t = norm(s);
  if (!/\d/.test(t) || !NUMBER.test(t)) return null;
  const n = parseFloat(t.replace(/[^\d.]/g, ''));
  return /^\(|-/.test(t) ? -n : n;
}

// digitsOf is a number without what does not count: a script's own numbers are the same
// from the sixteenth digit on.
function digitsOf(s) {
  const [whole, part] = norm(s).replace(/[^\d.]/g, '').split('.');
  const n = (whole || '').replace(/^0+/, '') || '0';
  const rest = (part || '').replace(/0+$/, '');
  return (/^\(|-/.test(norm(s)) && n + rest !== '0' ? '-' : '') + n + (rest && '.' + rest);
}

const wantText = (v) => (v == null ? '' : typeof v === 'boolean' ? (v ? 'yes' : 'no') : String(v));

function sameText(want, got) {
  const w = norm(want);
  const g = norm(got);
  if (w === g || fold(w) === fold(g)) return true;
  if (!w || !g) return false;
  const a = numberOf(w);
  const b = numberOf(g);
  if (a !== null && b !== null) return digitsOf(w) === digitsOf(g) && !(/^0\d{2,}$/.test(w) && !/^0/.test(g));
  if (/\d/.test(w) && !/[a-z]{3}/i.test(w) && !/[a-z]{3}/i.test(g)) return slug(w) === slug(g);
  return false;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

// dateOf reads an ISO date, or a shown one by its mask; null if it is none.
function dateOf(s, mask) {
  const t = norm(s);
  let m = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:T.*)?$/.exec(t);
  if (m) return { y: +m[1], m: +m[2], d: m[3] ? +m[3] : 0 };
  m = /^(\d{1,4})[\s./年月-]+(\d{1,2})[\s./年月-]+(\d{1,4})日?$/.exec(t);
  if (m) {
    const order = maskOrder(mask);
    const v = { [order[0]]: +m[1], [order[1]]: +m[2], [order[2]]: +m[3] };
    return { y: v.y, m: v.m, d: v.d };
  }
  m = /^(\d{1,2})[\s./-]+(\d{4})$/.exec(t);
  if (m) return { y: +m[2], m: +m[1], d: 0 };
  m = /([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/i.exec(t);
  if (m && monthNumber(m[1])) return { y: +m[3], m: monthNumber(m[1]), d: +m[2] };
  m = /(\d{1,2})\s+([a-z]{3,9})\.?\s+(\d{4})/i.exec(t);
  if (m && monthNumber(m[2])) return { y: +m[3], m: monthNumber(m[2]), d: +m[1] };
  m = /^([a-z]{3,9})\.?\s+(\d{4})$/i.exec(t);
  if (m && monthNumber(m[1])) return { y: +m[2], m: monthNumber(m[1]), d: 0 };
  return null;
}

// monthNumber is the month that a word names, in the language of the page, in
// English, or in another one that public forms are written in; 0 for any other word.
function monthNumber(word) {
  const w = fold(word).replace(/[^\p{L}\p{N}]/gu, '');
  if (/^\d+$/.test(w)) return +w >= 1 && +w <= 12 ? +w : 0;
  if (w.length < 3) return 0;
  const own = monthNames(fold(attr(document.documentElement, 'lang') || ''));
  const english = MONTHS.findIndex((m) => m.startsWith(w) || (w === 'sept' && m === 'september')) + 1;
  return own.get(w) || english || monthNames('').get(w) || 0;
}

const MONTH_LANGUAGES = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'pl', 'fi', 'cs', 'tr'];
const namesOfMonths = new Map();

// monthNames are the names of months in one language, or in all others than English:
// there only those that mean the same month in each. Names are those of the Unicode
// CLDR, as browsers have them.
function monthNames(lang) {
  if (namesOfMonths.has(lang)) return namesOfMonths.get(lang);
  const names = new Map();
  for (const l of lang ? [lang] : MONTH_LANGUAGES) for (const style of ['long', 'short']) for (const more of [{}, { day: 'numeric' }]) {
    let format = null;
    try { format = new Intl.DateTimeFormat(l, Object.assign({ month: style, timeZone: 'UTC' }, more)); } catch { continue; } // no such language
    for (let m = 1; m <= 12; m++) {
      const part = format.formatToParts(new Date(Date.UTC(2024, m - 1, 1))).find((p) => p.type === 'month');
      const w = part ? fold(part.value).replace(/[^\p{L}\p{N}]/gu, '') : '';
      if (/^\d*$/.test(w)) continue;
      for (const s of [w, w.slice(0, 3)]) if (s.length > 2 && (s === w || style === 'long')) names.set(s, names.has(s) && names.get(s) !== m ? 0 : m);
    }
  }
  namesOfMonths.set(lang, names);
  return names;
}

// datesIn are the days that a text shows, in its order: numbers whose order is open,
// or a day whose month is a word.
function datesIn(text) {
  const out = [];
  const s = norm(text);
  for (const m of s.matchAll(/(?<![\d/.-])(\d{1,4})\s?([/.\u5e74-])\s?(\d{1,2})\s?[/.\u6708-]\s?(\d{1,4})(?!\d)/g)) out.push({ at: m.index, nums: [+m[1], +m[3], +m[4]], sep: m[2] });
  for (const m of s.matchAll(/(\d{1,2})(?:\.|st|nd|rd|th)?\s+(?:de\s+)?(\p{L}{3,14})\.?,?\s+(?:de\s+)?(\d{4})/gu)) if (monthNumber(m[2])) out.push({ at: m.index, y: +m[3], m: monthNumber(m[2]), d: +m[1] });
  for (const m of s.matchAll(/(\p{L}{3,14})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/gu)) if (monthNumber(m[1])) out.push({ at: m.index, y: +m[3], m: monthNumber(m[1]), d: +m[2] });
  return out.sort((a, b) => a.at - b.at);
}

// writtenAs is the order in which a shown date has the day d, '' if it has it in none.
function writtenAs(shown, d) {
  if (!shown.nums) return shown.y === d.y && shown.m === d.m && shown.d === d.d ? 'words' : '';
  return ['YYYY-MM-DD', 'DD-MM-YYYY', 'MM-DD-YYYY'].find((mask) => isDay(shown, d, mask)) || '';
}

function isDay(shown, d, mask) {
  if (!shown.nums) return shown.y === d.y && shown.m === d.m && shown.d === d.d;
  const order = shown.nums[0] > 31 ? ['y', 'm', 'd'] : maskOrder(mask);
  const v = { [order[0]]: shown.nums[0], [order[1]]: shown.nums[1], [order[2]]: shown.nums[2] };
  return (v.y === d.y || v.y < 100 && v.y === d.y % 100) && v.m === d.m && v.d === d.d;
}

// timeIn is the first time of day that a text shows, as hh:mm; '' if there is none.
function timeIn(text) {
  const m = /(?<!\d)(\d{1,2})\s?[:h\u6642]\s?(\d{2})(?::\d{2})?(?:\s*([ap])\.?m\b)?/i.exec(norm(text));
  if (!m || +m[1] > 23 || +m[2] > 59) return '';
  const half = fold(m[3] || '');
  return pad(half ? (+m[1] % 12) + (half === 'p' ? 12 : 0) : +m[1], 2) + ':' + m[2];
}

// maskOrder says in which order a mask has year, month and day.
function maskOrder(mask) {
  const m = fold(mask || 'mm/dd/yyyy').replace(/[^ymd]/g, '').replace(/(.)\1+/g, '$1');
  return m.length === 3 ? m.split('') : ['m', 'd', 'y'];
}

const pad = (n, len) => String(n).padStart(len, '0');

function formatDate(d, mask) {
  return (mask || 'MM/DD/YYYY').replace(/y{2,4}|m{1,4}|d{1,2}/gi, (t) => {
    switch (t[0].toLowerCase()) {
      case 'y': return t.length === 2 ? pad(d.y % 100, 2) : pad(d.y, 4);
      case 'm': return t.length === 1 ? String(d.m) : t.length === 3 ? MONTHS[d.m - 1].slice(0, 3) : pad(d.m, 2);
      default: return t.length === 1 ? String(d.d) : pad(d.d, 2);
    }
  });
}

function sameDate(want, got, mask) {
  const a = dateOf(want, mask);
  const b = dateOf(got, mask);
  return !!a && !!b && a.y === b.y && a.m === b.m && (!a.d || !b.d || a.d === b.d);
}

const YES = ['true', 'yes', 'y', '1', 'on', 'checked'];
const NO = ['false', 'no', 'n', '0', 'off', 'unchecked'];

// boolOf reads a yes or no; null if it is neither.
function boolOf(v) {
  if (typeof v === 'boolean') return v;
  const s = fold(v);
  if (YES.includes(s)) return true;
  if (NO.includes(s) || s === '') return false;
  return null;
}

// matchOption finds the one item that a wanted value means. Items have value,
// label and id; known are the options that the field is said to have. Loose
// also takes what ids and beginnings of labels suggest, if only one does.
function matchOption(want, items, known, loose) {
  const w = wantText(want);
  const opt = (known || []).find((o) => o.value === w) ||
    (known || []).find((o) => fold(o.value) === fold(w) || (o.label && fold(o.label) === fold(w)));
  const words = [w];
  if (opt) for (const s of [opt.value, opt.label]) if (s && !words.includes(s)) words.push(s);
  const tests = [
    (i, s) => i.value === s && i.value !== 'on', (i, s) => norm(i.label) === norm(s), (i, s) => fold(i.label) === fold(s),
    (i, s) => i.value !== 'on' && i.value !== '' && fold(i.value) === fold(s),
    (i, s) => !!slug(s) && slug(i.label) === slug(s), (i, s) => !!slug(s) && i.value !== 'on' && slug(i.value) === slug(s),
  ];
  for (const s of words) {
    const hit = firstMatch(items, tests.map((t) => (i) => t(i, s)));
    if (hit) return hit;
  }
  const b = boolOf(want);
  if (b !== null && loose && w !== '') {
    const list = b ? YES : NO;
    const hit = firstMatch(items, [(i) => list.includes(fold(i.label)), (i) => i.value !== 'on' && list.includes(fold(i.value))]);
    if (hit) return hit;
  }
  return (loose && looseMatch(words, items)) || {};
}

function firstMatch(items, tests) {
  for (const t of tests) {
    const hits = items.filter(t);
    if (!hits.length) continue;
    const open = hits.filter((i) => !i.disabled);
    if (!open.length) return { disabled: true };
    if (open.every((i) => i.value === open[0].value && i.label === open[0].label) || open.length === 1) return { item: open[0] };
    return { ambiguous: open };
  }
  return null;
}

function looseMatch(words, items) {
  const ids = items.map((i) => slug(i.id || ''));
  const tails = withoutCommonStart(ids);
  for (const word of words) {
    const s = slug(word);
    if (!s) continue;
    for (const test of [(n) => tails[n] === s, (n) => s.length > 2 && tails[n].startsWith(s), (n) => s.length > 3 && slug(items[n].label).startsWith(s)]) {
      const hits = items.filter((_, n) => test(n));
      if (hits.length === 1) return { item: hits[0] };
    }
  }
  return null;
}

function withoutCommonStart(ids) {
  if (ids.length < 2 || ids.some((s) => !s)) return ids.map(() => '');
  let n = 0;
  while (ids.every((s) => n < s.length && s[n] === ids[0][n])) n++;
  return ids.map((s) => s.slice(n));
}

const labelsOf = (items) => items.slice(0, LIMIT.list).map((i) => cut(norm(i.label) || i.value, 120));

// severalOptions: to choose among options that look alike would be a guess.
function severalOptions(items) {
  return done('option_not_found', { candidates: items.slice(0, LIMIT.list).map((i) => norm(i.label) + ' [' + i.value + ']'), message: 'several options have this label' });
}
