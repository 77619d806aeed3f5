// What a crawler and a report want to know of the page beside its faults.

const addressOf = (e) => { try { return new URL(attr(e, 'href'), e.baseURI).href; } catch (bad) { return ''; } };

const linkOf = (e) => ({ href: addressOf(e), text: cut(norm(attr(e, 'aria-label') || textContentOf.call(e)), 200), rel: attr(e, 'rel') || '', raw: cut(attr(e, 'href') || '', LIMIT.address) });

function metaOf(name) {
  for (const e of all(document, 'meta[name]')) if (String(attr(e, 'name')).toLowerCase() === name) return attr(e, 'content') || '';
  return '';
}

// visibleText is the beginning of what a person can read.
function visibleText(max) {
  const whole = body();
  if (!whole) return '';
  let s = '';
  if (textContentOf.call(whole).length < 200000) {
    s = whole.innerText || '';
    for (const shadow of roots().slice(1, 100)) { // which innerText leaves out
      for (const e of shadow.children) if (!is(e, 'style,script,template,slot')) s += ' ' + (e.innerText || '');
    }
    return cut(norm(s), max);
  }
  const walker = Document.prototype.createTreeWalker.call(document, whole, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(), i = 0; n && s.length < max && i < 5000; n = walker.nextNode(), i++) {
    const p = n.parentElement;
    if (n.data.trim() && p && !is(p, 'script,style,noscript,template') && p.checkVisibility()) s += ' ' + n.data.trim();
  }
  return cut(norm(s), max);
}

// className words that a template chose: none with digits, which number pages and
// hash styles.
const wordsOf = (e) => (attr(e, 'class') || '').split(/\s+/).filter((w) => w && !/\d/.test(w) && w.length < 40).sort().slice(0, 6).join('.');

// skeleton is the structure that pages of one template share: landmarks and boxes
// with a class, runs of equal ones once, and nothing of what is written in them.
function skeleton(e, depth, inMain) {
  const tag = tagOf(e);
  if (/^(script|style|link|noscript|template|svg|br|hr)$/.test(tag)) return '';
  const words = wordsOf(e);
  const box = /^(main|article|section|aside|nav|header|footer|form|table|dialog|iframe)$/.test(tag) || (/^(div|ul|ol)$/.test(tag) && words);
  const main = inMain || tag === 'main' || attr(e, 'role') === 'main';
  const kids = [];
  if (depth > 0) {
    for (const c of Array.from(childrenOf.call(e)).slice(0, 400)) {
      const s = skeleton(c, depth - 1, main);
      if (s && !kids.includes(s)) kids.push(s);
    }
  }
  const inner = kids.join(',');
  if (inMain && (!box || tag === 'table' || tag === 'form' || tag === 'iframe')) return inner;
  if (!box && tag !== 'body' && tag !== 'html') return inner;
  return tag + (words ? '.' + words : '') + (inner ? '(' + inner + ')' : '');
}

// linksOf are the links of the document, the first of those with one address. There are
// at most as many as tell the crawl that it takes too few.
function linksOf() {
  const links = new Map();
  for (const e of deep('a[href],area[href]')) {
    if (links.size >= LIMIT.links) break;
    const raw = attr(e, 'href');
    if (!links.has(raw)) links.set(raw, linkOf(e));
  }
  return [...links.values()];
}

// facts is everything at once.
function facts(arg) {
  const links = linksOf();
  if (arg.frame) return { links };
  const canonical = all(document, 'link[rel~=canonical][href]')[0];
  const root = page();
  return {
    links, canonical: canonical ? cut(addressOf(canonical), LIMIT.text) : '', lang: root ? cut(attr(root, 'lang') || '', 100) : '', title: cut(titleOf.call(document), LIMIT.text),
    robots: cut(metaOf('robots'), 1000), description: cut(metaOf('description'), 1000), base: document.baseURI, url: location.href, contentType: document.contentType,
    text: visibleText(arg.text), elements: all(document, '*').length, skeleton: cut(body() ? skeleton(body(), 9, false) : '', 20000),
    refresh: cut(all(document, 'meta[http-equiv]').filter((e) => /^refresh$/i.test(attr(e, 'http-equiv'))).map((e) => attr(e, 'content') || '')[0] || '', 500),
    frames: deep('iframe,frame').length, details: deep('details:not([open])').length,
  };
}

// elements are what a selector finds, with their markup.
function elements(arg) {
  const out = [];
  let total = 0;
  for (const e of deep(arg.selector)) {
    total++;
    if (out.length < arg.max) out.push({ ...place(e, arg.offset), outer: cut(outerOf.call(e), arg.bytes) });
  }
  return { total, list: out };
}
