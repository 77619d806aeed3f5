// What makes a page wider than its window (WCAG 2.2, 1.4.10).

// The content that the criterion lets be wide: data tables, code, pictures, media.
function exception(e) {
  const table = closest(e, 'table,[role=table],[role=grid],[role=treegrid]');
  if (table && (all(table, 'th').length || has(table, 'role'))) return 'data table';
  if (closest(e, 'pre,code,samp')) return 'code';
  if (closest(e, 'svg,img,canvas,picture,map,[role=img],math')) return 'picture';
  if (closest(e, 'video,audio,object,embed,iframe')) return 'media';
  if (closest(e, '[role=toolbar]')) return 'toolbar';
  return '';
}

// cropped tells whether something around e keeps it from widening the page: a
// scroller or a clip of its own that fits, or a fixed place in the window.
function cropped(e, fits) {
  for (let n = e; n && n !== body() && n !== page(); n = parentOf(n)) {
    const style = getComputedStyle(n);
    if (style.position === 'fixed') return true;
    if (n !== e && style.overflowX !== 'visible' && fits(n)) return true;
  }
  return false;
}

// widerByText tells whether e holds text that runs out of it.
function widerByText(e, reach) {
  if (e.scrollWidth - e.clientWidth <= 1 || !e.clientWidth || getComputedStyle(e).overflowX !== 'visible') return 0;
  if (!Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.data.trim())) return 0;
  return reach(rectOf(e).left + e.scrollWidth);
}

// widerByMargin are the elements that fit, and whose margins do not: those of inline
// boxes, such as buttons in a row, widen the page too. Of one inside of another only
// the inner one is named.
function widerByMargin(reach, fits, max) {
  const found = [];
  for (const r of roots()) for (const e of all(r, '*')) {
    if (found.length >= max) return found;
    if (e === page() || e === body() || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const margin = parseFloat(style.marginRight);
    const box = rectOf(e);
    if (!(margin > 0) || !box.width || /fixed|absolute/.test(style.position) || cropped(e, fits)) continue;
    const beyond = Math.round(reach(box.right + margin));
    if (beyond > 1 && style.display.startsWith('inline')) found.push({ ...place(e), beyond, part: 'margin', exception: exception(e) });
  }
  return found;
}

function reflow(arg) {
  const root = document.scrollingElement || page();
  const width = root.clientWidth;
  const overflow = Math.max(0, root.scrollWidth - width);
  const [x, y] = [scrollX, scrollY];
  scrollTo({ left: 100, top: 0, behavior: 'instant' });
  const capped = Math.round(Math.abs(scrollX));
  scrollTo({ left: x, top: y, behavior: 'instant' });
  const culprits = [];
  let more = 0;
  if (!overflow) return { overflow, capped, width, culprits, more };
  const rtl = getComputedStyle(page()).direction === 'rtl';
  const beyond = (r) => (rtl ? -(r.left + scrollX) : r.right + scrollX - width);
  const fits = (e) => beyond(rectOf(e)) <= 1;
  const reach = (right) => right + scrollX - width;
  let left = 20000;
  for (const r of roots()) for (const e of all(r, '*')) {
    if (left-- < 0) break;
    if (e === page() || tagOf(e) === 'head' || !e.checkVisibility()) continue;
    const box = rectOf(e);
    const out = box.width && box.height ? beyond(box) : 0;
    const text = out <= 1 && !rtl ? widerByText(e, reach) : 0;
    if (out <= 1 && text <= 1) continue;
    const parent = parentOf(e);
    if (out > 1 && parent && parent !== page() && !fits(parent)) continue;
    if (cropped(e, fits)) continue;
    if (culprits.length >= arg.max) { more++; continue; }
    culprits.push({ ...place(e), beyond: Math.round(Math.max(out, text)), part: out <= 1 ? 'text' : '', exception: exception(e) });
  }
  if (!culprits.length && !rtl) culprits.push(...widerByMargin(reach, fits, arg.max));
  return { overflow, capped, width, culprits, more };
}
