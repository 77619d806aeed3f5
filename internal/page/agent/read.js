// Reading an answer page: text with the main content first, pairs, tables,
// headline figures and downloads.

const CHROME = 'header,nav,footer,aside,[role=banner],[role=navigation],[role=contentinfo],[role=search],[role=complementary]';

// clean keeps the lines of a text but not its empty stretches.
function clean(s) {
  return String(s || '').replace(/[ \t\u00a0\u200b]+/g, ' ').replace(/ ?\n ?/g, '\n').replace(/\n{3,}/g, '\n\n').trim();
}

// shadowText is the text of the shadow roots below e, which innerText lacks.
function shadowText(e) {
  if (roots().length === 1) return '';
  const parts = [];
  for (const r of roots()) {
    if (r === document || !contains(e, r.host) || !visible(r.host)) continue;
    for (const c of Array.from(r.children)) if (!/^(STYLE|SCRIPT|LINK)$/.test(tagOf(c)) && c.innerText) parts.push(c.innerText);
  }
  return clean(parts.join('\n'));
}

function mainText() {
  if (textContentOf.call(body()).length > 3e6) {
    const text = glance(body(), 200000); // more than anybody reads: not laid out
    return { text, length: textContentOf.call(body()).length };
  }
  const whole = clean(body().innerText);
  const main = deep('main,[role=main],#main,#main-content,#content').find((e) => visible(e) && textOf(e)) || withoutChrome();
  const first = main && main !== body() ? clean(main.innerText) : whole;
  const shadows = shadowText(body());
  const extra = shadows && !whole.includes(shadows.slice(0, 80)) ? '\n\n' + shadows : '';
  if (first === whole || !first) return { text: whole + extra, length: (whole + extra).length };
  const at = whole.indexOf(first);
  const rest = at >= 0 ? clean(whole.slice(0, at) + '\n' + whole.slice(at + first.length)) : whole;
  const text = first + extra + (rest ? '\n\n' + rest : '');
  return { text, length: text.length };
}

// withoutChrome finds the block with the answer when nothing is marked as main.
function withoutChrome() {
  const blocks = all(body(), 'article,section,form,div').filter((e) => !closest(e, CHROME) && visible(e)).slice(0, 400);
  const h = deep('h1').find((e) => visible(e) && !closest(e, CHROME));
  const box = h && ancestor(h, (n) => textOf(n).length > textOf(h).length + 20 && n !== body(), 6);
  return box && !all(box, 'nav,footer').length ? box : blocks.find((e) => all(e, 'h1').length && !all(e, 'nav,footer').length) || null;
}

function pairs() {
  const out = [];
  const seen = new Set();
  const add = (label, value) => {
    const l = cut(norm(label).replace(/\s*[:\uff1a]\s*$/, ''), 160);
    const v = cut(norm(value), 500);
    if (!l || !v || out.length >= 200 || seen.has(l + '\n' + v)) return;
    seen.add(l + '\n' + v);
    out.push({ label: l, value: v });
  };
  for (const dt of deep('dt')) {
    if (!visible(dt)) continue;
    let dd = dt.nextElementSibling;
    const values = [];
    for (let i = 0; dd && i < 12 && tagOf(dd) !== 'DT'; i++, dd = dd.nextElementSibling) if (tagOf(dd) === 'DD' && !is(dd, '[class*=actions]')) values.push(textOf(dd));
    if (!values.length && parentOf(dt) && tagOf(parentOf(dt)) !== 'DL') values.push(...all(parentOf(dt), 'dd').map(textOf));
    add(textOf(dt), values.join('; '));
  }
  for (const tr of deep('tr')) {
    const cells = Array.from(tr.children).filter(visible);
    if (cells.length !== 2 || tagOf(cells[1]) !== 'TD' || all(cells[1], CONTROL).length) continue;
    if (tagOf(cells[0]) === 'TH' || /[:\uff1a]\s*$/.test(textOf(cells[0])) || twoColumns(tr)) add(textOf(cells[0]), textOf(cells[1]));
  }
  for (const e of deep('p,li,div,span,td,output,h2,h3,h4')) {
    if (out.length >= 200) break;
    if (e.children.length > 3 || textContentOf.call(e).length > 600 || closest(e, CHROME) || !visible(e) || all(e, CONTROL + ',p,li,div').length) continue;
    const m = /^([^:\n]{2,80}):\s+(\S[^\n]{0,300})$/.exec(textOf(e));
    if (m && !/^https?$/i.test(m[1]) && !/\d$/.test(m[1])) add(m[1], m[2]);
  }
  return out;
}

function twoColumns(tr) {
  const table = closest(tr, 'table');
  const list = table ? all(table, 'tr') : [];
  return list.length > 0 && list.every((r) => r.children.length === 2 && !Array.from(r.children).every((c) => tagOf(c) === 'TH'));
}

function tables() {
  const out = [];
  for (const t of deep('table')) {
    if (out.length >= 20) break;
    if (!visible(t) || all(t, 'table').length || roleOf(t) === 'presentation') continue;
    const rows = all(t, 'tr').filter(visible).slice(0, 200).map((r) => Array.from(r.children).slice(0, 30).map((c) => cut(textOf(c), 200)));
    if (rows.some((r) => r.length > 1)) out.push(rows);
  }
  return out;
}

const FIGURE = /^(about |approx(imately|\.)? |up to |~)?[-+\u2212]?\s*[$\u20ac\u00a3\u00a5]?\s*[-\u2212]?\d[\d,.]*\s*%?\s*(\/?\s*(per )?(mo(nth)?|month|year|yr|week|years|months|points))?$/i;

// amounts are figures that stand out by their size.
function amounts() {
  const base = parseFloat(getComputedStyle(body()).fontSize) || 16;
  const out = [];
  for (const e of deep('p,div,span,strong,b,h1,h2,h3,h4,td,dd,output,em')) {
    if (out.length >= 30) break;
    if (e.children.length > 2 || textContentOf.call(e).length > 200 || closest(e, CHROME)) continue;
    const t = textOf(e);
    if (!t || t.length > 40 || !FIGURE.test(t) || !visible(e)) continue;
    if (parseFloat(getComputedStyle(e).fontSize) < base * 1.35) continue;
    if (out.some((o) => contains(o.el, e) || contains(e, o.el))) continue;
    out.push({ el: e, label: figureName(e, t), value: t });
  }
  return out.map((o) => ({ label: o.label, value: o.value }));
}

// figureName is the text that says what a figure is.
function figureName(e, figure) {
  const ref = referenced(e, 'aria-labelledby') || attr(e, 'aria-label');
  if (ref) return cut(norm(ref), 160);
  let n = e;
  for (let i = 0; n && n !== body() && i < 4; i++, n = parentOf(n)) {
    for (const sib of [n.previousElementSibling, n.nextElementSibling]) {
      const t = sib && visible(sib) ? textOf(sib) : '';
      if (t && t.length < 160 && !FIGURE.test(t)) return t;
    }
    const p = parentOf(n);
    const rest = p ? norm(textOf(p).replace(figure, ' ')) : '';
    if (rest && rest.length < 160) return rest;
  }
  return heading();
}

function links() {
  const out = [];
  for (const a of deep('a[href]')) {
    if (out.length >= 50) break;
    const href = a.href;
    const text = textOf(a) || attr(a, 'aria-label') || '';
    const file = /\.(pdf|csv|docx?|xlsx?|zip|txt|ics|rtf|json|xml)([?#]|$)/i.test(href);
    if (!visible(a) || !/^(https?|blob):/.test(href)) continue;
    if (file || has(a, 'download') || /\b(download|pdf|print(able)?)\b/i.test(text)) out.push({ text: cut(norm(text), 120), url: cut(href, 2000) });
  }
  return out;
}

function read(arg) {
  const t = mainText();
  const title = deep('title')[0];
  return {
    url: location.href, title: cut(norm(title ? textContentOf.call(title) : '')), heading: heading(),
    text: t.text.slice(0, arg.max || 20000), length: t.length, seen: t.length > 0,
    pairs: pairs(), tables: tables(), amounts: amounts(), links: links(),
  };
}

// readTargets gives the text of single elements, in order, for rules.
function readTargets(arg) {
  return arg.targets.map((t) => {
    const r = resolve(t, (e) => visible(e));
    const e = r.els[0];
    if (!e) return '';
    return cut(tagOf(e) === 'SELECT' ? norm((e.selectedOptions[0] || {}).label) : is(e, 'input,textarea') ? norm(e.value) : textOf(e), 2000);
  });
}
