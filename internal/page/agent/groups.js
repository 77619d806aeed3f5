// Widgets that belong together: the three controls of one date, and the boxes
// of one question.

const PART_WORDS = { month: /^(month|mm|mon|mo)$/, day: /^(day|dd)$/, year: /^(year|yyyy|yy|yr)$/ };
const BORN = /\b(date|birth|birthday|dob|born|when|day|expir\w*|issued?|start\w*|end\w*|deadline|arriv\w*|depart\w*|effective|from|since)\b/i;

// partPlayed says whether a control asks for a month, a day or a year.
function partPlayed(w) {
  if (!/^(text|number|select|typeahead)$/.test(w.kind)) return '';
  const auto = /bday-(day|month|year)/.exec(attr(w.el, 'autocomplete') || '');
  if (auto) return auto[1];
  for (const words of [SPLIT(w.label), SPLIT(attr(w.el, 'placeholder')), SPLIT(idOf(w.el)).slice(-2), SPLIT(attr(w.el, 'name')).slice(-2)]) {
    const hits = Object.keys(PART_WORDS).filter((p) => words.some((x) => PART_WORDS[p].test(x)));
    if (hits.length === 1 && words.length <= 6) return hits[0];
  }
  return partByOptions(w) || partByUnit(w);
}

const UNIT_PARTS = { 年: 'year', 月: 'month', 日: 'day' };

// partByUnit goes by the word behind a control, as Japanese dates have it. Years of an
// era are no years of a date.
function partByUnit(w) {
  const next = w.el.nextSibling;
  const part = next && next.nodeType === 3 ? UNIT_PARTS[norm(next.data)[0]] || '' : '';
  if (part !== 'year') return part;
  const era = w.el.previousElementSibling;
  const short = (w.options || []).some((o) => /^\d{1,2}$/.test(o.label));
  return short || era && /昭和|平成|令和/.test(textContentOf.call(era)) ? '' : part;
}

function partByOptions(w) {
  const list = (w.options || []).map((o) => o.label);
  if (list.length >= 12 && list.length <= 13 && list.filter((s) => monthNumber(s)).length === 12) return 'month';
  if (list.length >= 28 && list.length <= 31 && list.every((s) => /^\d{1,2}$/.test(s))) return 'day';
  return list.length > 5 && list.every((s) => /^(19|20)\d\d$/.test(s)) ? 'year' : '';
}

// joinDates makes one widget of month, day and year that stand in one group.
function joinDates(list, scene) {
  const out = [];
  for (let i = 0; i < list.length; i++) {
    const three = list.slice(i, i + 3);
    const date = three.length === 3 && oneDate(three, scene);
    if (!date) { out.push(list[i]); continue; }
    out.push(date);
    i += 2;
  }
  return out;
}

function oneDate(three, scene) {
  const parts = three.map(partPlayed);
  if (new Set(parts).size !== 3 || parts.includes('')) return null;
  const els = three.map((w) => w.el);
  let box = ancestor(els[0], (n) => els.every((x) => contains(n, x)), 12);
  let question = '';
  for (let i = 0; box && i < 6 && box !== body() && (scene.under.get(box) || 0) === 3 && !question; i++) {
    question = ownQuestion(box, els) || cellQuestion(box, els) || looseQuestion(box, els, three);
    if (!question) box = parentOf(box);
  }
  if (!question) return null;
  for (const [i, w] of three.entries()) w.part = parts[i];
  const w = newWidget(els[0], { els, parts: three, group: boxWithID(els, box, scene), raw: question, label: tidy(question), kind: 'date', format: 'date', options: [], field: box, under: three[0].under });
  w.visible = three.some((p) => p.visible);
  w.readonly = three.every((p) => p.readonly);
  w.hint = three.map((p) => p.hint).find(Boolean) || inField(w, scene, HINTS).map(textOf).join(' ');
  return w;
}

// boxWithID is the box of a date that can be named: the smallest with an id.
function boxWithID(els, top, scene) {
  for (let n = ancestor(els[0], (x) => els.every((e) => contains(x, e)), 12); n; n = parentOf(n)) {
    if (idOf(n) && (scene.under.get(n) || 0) === 3 && !randomLooking(idOf(n))) return n;
    if (n === top) return top;
  }
  return top;
}

// cellQuestion is the first cell of the row of a table that is used for layout.
function cellQuestion(box, els) {
  const row = closest(box, 'tr,[role=row]');
  const head = row && all(row, 'th,td').find((c) => !els.some((x) => contains(c, x)) && !all(c, CONTROL).length);
  return head && Node.prototype.compareDocumentPosition.call(head, els[0]) & 4 ? plain(head) : '';
}

// looseQuestion is a label or a text that stands before the three.
function looseQuestion(box, els, three) {
  const own = three.map((w) => fold(w.label));
  const before = textBefore(box, els) || (box.previousElementSibling && !all(box.previousElementSibling, CONTROL).length && visible(box.previousElementSibling) && !is(box.previousElementSibling, HINTS) ? plain(box.previousElementSibling) : '');
  return before && before.length < 160 && BORN.test(before) && !own.includes(fold(before)) ? before : '';
}

const NONE = /^(none\b|no, |no (none|thanks)|n\/?a\b|not applicable|neither\b|nothing\b|i (do not|don['\u2019]t|have) (have|receive|get|want|any|none)\b|(these|this) (do|does) not apply|(do|does) not apply|no, none|none of)/i;

// nameSets says which checkboxes are boxes of one question.
function nameSets(list, scene) {
  const sets = new Map();
  for (const w of list) {
    if (w.kind !== 'checkbox') continue;
    const key = setOf(w, scene);
    if (key) sets.set(key, (sets.get(key) || []).concat(w));
  }
  for (const [key, members] of sets) {
    if (members.length < 2) continue;
    const first = members[0];
    const question = typeof key === 'string' ? questionOf(members.map((w) => w.el)) : ownQuestion(key, members.map((w) => w.el)) || questionOf(members.map((w) => w.el));
    const name = typeof key === 'string' ? key.slice(key.indexOf(':') + 1) : idOf(key) || slug(question).slice(0, 40) || 'set-' + (list.indexOf(first) + 1);
    for (const w of members) {
      w.set = name;
      w.question = w.question || tidy(question);
      w.exclusive = NONE.test(w.label);
    }
  }
}

function setOf(w, scene) {
  const e = w.el;
  const name = attr(e, 'name');
  if (typeOf(e) === 'checkbox' && name && boxGroup(e).filter((x) => x.name === name).length > 1) return 'name:' + name.replace(/\[\]$/, '');
  const box = ancestor(e, (n) => is(n, 'fieldset,[role=group]'), 20);
  if (box && (scene.boxes.get(box) || 0) > 1) return box;
  const wide = ancestor(e, (n) => (scene.boxes.get(n) || 0) > 2 || is(n, 'form,main,body'), 6);
  return wide && (scene.boxes.get(wide) || 0) > 2 && scene.boxes.get(wide) === scene.under.get(wide) && !is(wide, 'form,main,body') ? wide : null;
}
