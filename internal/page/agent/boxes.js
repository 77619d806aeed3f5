// Where things are drawn, in pixels of the document.

function boxes(arg) {
  const off = arg.scrolled ? [scrollX, scrollY] : [0, 0];
  if (arg.frame) {
    const e = frameElement({ selector: arg.frame });
    return e ? [boxOf([e], off)] : [];
  }
  return arg.targets.map((t) => {
    const r = resolve(t, settable, controlOf);
    const e = r.els[0];
    if (!e) return { x: 0, y: 0, w: 0, h: 0 };
    const group = typeOf(e) === 'radio' || roleOf(e) === 'radio' ? groupOf(e) : [e];
    return boxOf(group.flatMap((x) => (isChoice(x) ? [x, ...faces(x)] : [faceOf(x) || x])), off);
  });
}

function boxOf(list, off) {
  const rects = list.map((e) => e.getBoundingClientRect()).filter((r) => r.width > 1 && r.height > 1);
  if (!rects.length) return { x: 0, y: 0, w: 0, h: 0 };
  const left = Math.min(...rects.map((r) => r.left));
  const top = Math.min(...rects.map((r) => r.top));
  return {
    x: left + off[0], y: top + off[1],
    w: Math.max(...rects.map((r) => r.right)) - left, h: Math.max(...rects.map((r) => r.bottom)) - top,
  };
}
