// Sections that a person opens to see the questions in them: a closed details, and a
// box that a button of the same form shows.

const openedSections = new WeakSet();

const questionsIn = (box, form) => within(box, CONTROL).filter((x) => typeOf(x) !== 'hidden' && (!form || x.form === form || closest(x, 'form') === form));

// sectionButton shows the box with this id: no list, and nothing that sends the form.
function sectionButton(box) {
  const id = idOf(box);
  if (!id) return null;
  const shows = '[aria-controls=' + cssString(id) + '],[data-bs-target=' + cssString('#' + id) + '],[data-target=' + cssString('#' + id) + ']';
  return deep(shows).find((b) => {
    if (!(is(b, '[role=tab]') || attr(b, 'aria-expanded') === 'false') || has(b, 'aria-haspopup') || isChoice(b) || is(b, 'input,select') || is(b, 'a[href]:not([href^="#"])') || !visible(b)) return false;
    if (is(b, 'button') && b.form && b.type === 'submit' && attr(b, 'role') !== 'tab') return false;
    const form = closest(b, 'form');
    return questionsIn(box, form).length > 0;
  }) || null;
}

const SIGNS = /sign|unterschrift|firma\b|assinatura|handtekening|underskrift|podpis|\u7f72\u540d|\u30b5\u30a4\u30f3|\u7b7e\u540d/i;

// drawnBoxes are the names of the boxes of forms that are signed by hand.
function drawnBoxes() {
  const out = [];
  for (const e of deep('form canvas, canvas[class*=sign i], canvas[id*=sign i], [class*=signature-pad i] canvas').slice(0, 20)) {
    if (!visible(e)) continue;
    const label = (idOf(e) && deep('label[for=' + cssString(idOf(e)) + ']')[0]) || ancestor(e, (n) => within(n, 'label,legend').length > 0 && !is(n, 'form,body,main'), 3);
    const name = attr(e, 'aria-label') || referenced(e, 'aria-labelledby') || (label ? textOf(tagOf(label) === 'LABEL' ? label : within(label, 'label,legend')[0]) : '');
    if (SIGNS.test([name, attr(e, 'class'), idOf(e), attr(parentOf(e), 'class')].join(' '))) out.push(cut(norm(name) || 'signature', 100));
  }
  return Array.from(new Set(out));
}

// openSections opens those that are closed, each once, and tells how many there were.
async function openSections() {
  let n = 0;
  for (const d of deep('details:not([open])')) {
    if (openedSections.has(d) || has(d, 'name') || !questionsIn(d).length) continue; // with a name, one closes the other
    openedSections.add(d);
    d.open = true;
    n++;
  }
  const boxes = new Set(deep('[aria-expanded=false][aria-controls]').map((b) => byId((attr(b, 'aria-controls') || '').split(/\s+/)[0], b)).filter(Boolean));
  for (const box of Array.from(boxes).slice(0, 40)) {
    const b = !openedSections.has(box) && !rendered(box) && sectionButton(box);
    if (!b || roleOf(b) === 'combobox') continue;
    openedSections.add(box);
    poke(b);
    await until(() => visible(box), 500);
    n++;
  }
  return n;
}

// reveal opens the closed section around a control; false if there is none.
async function reveal(e) {
  for (let n = parentOf(e); n && n !== body(); n = parentOf(n)) {
    if (tagOf(n) === 'DETAILS' && !n.open) { n.open = true; await frames(2); return true; }
    const b = !rendered(n) && sectionButton(n);
    if (!b) continue;
    poke(b);
    await until(() => visible(n), 600);
    return true;
  }
  return false;
}
