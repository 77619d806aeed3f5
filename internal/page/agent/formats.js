// What kind of control it is, and what its value means. A format that is not
// certain is none: a wrong one makes good answers look bad.

const MONTH_MASK = /(^|[^/.\-a-z])(m{2}\s?[-/.]\s?(y{4}|y{2})|y{4}-m{2})(?![-/.\w])/i;
const SHAPES = [['ssn', /^[_x#9]{3}-[_x#9]{2}-[_x#9]{4}$/i], ['phone', /^\+?1?[ -]?\(?[_x#59]{3}\)?[ -]?[_x#59]{3}[ -][_x#594]{4}$/i], ['zip', /^[_x#9]{5}(-[_x#9]{4})?$/i]];
const MONEY = /\b(income|salary|wages?|earnings|balance|savings|amount|cost|costs|price|payments?|rent|fees?|assets|debts?|tuition|net worth|expenses|budget|contributions?|withholding|mortgage|deposit|donation|investments?|cash|pensions?|alimony|child support|scholarships?)\b/;
const NOT_MONEY = /\b(grams?|kilograms?|kg|lit(er|re)s?|tonnes|acres|hectares|how many|number of|types?|kinds?|sources?|date|years? of|the year|that year|last year|year in|months?|names?|status|frequency|percent(age)?|rates?|growth|number|no|id|who|which|describe|explain|reason|method|plan|period|term|account|address|where|when|why|does|do you|did you|are you|is your|have you|will you|can you)\b/;
const COUNT = /\b(how many|how old|number of (?!your|the account)|count of|quantity|household size|family size|age|dependents|years? (of|in|at|already|completed|worked)|children)\b/;

// typedFormat is the format that the control itself declares.
function typedFormat(e) {
  const types = { email: 'email', tel: 'phone', url: 'url', date: 'date', month: 'month', time: 'time', file: 'file', range: 'range' };
  if (types[typeOf(e)]) return types[typeOf(e)];
  if (roleOf(e) === 'slider') return 'range';
  const auto = fold(attr(e, 'autocomplete')).split(' ').pop();
  if (/^tel(-national)?$/.test(auto)) return 'phone';
  return { email: 'email', bday: 'date', url: 'url', 'transaction-amount': 'currency' }[auto] || '';
}

// formatOf is the meaning of a text control's value.
function formatOf(w) {
  const e = w.el;
  if (w.kind === 'file' || w.kind === 'range' || w.kind === 'richtext') return w.kind;
  if (STAMPS.test(typeOf(e))) return '';
  const typed = typedFormat(e);
  if (typed) return typed;
  if (/^(select|radio|checkbox|typeahead|textarea)$/.test(w.kind) || typeOf(e) === 'password') return '';
  const label = fold(w.label);
  const about = fold([w.label, w.hint, attr(e, 'placeholder'), attr(e, 'data-mask'), attr(e, 'data-format')].join(' '));
  const shape = norm(attr(e, 'placeholder') || attr(e, 'data-mask'));
  for (const [format, test] of SHAPES) if (shape && test.test(shape)) return format;
  if (dateMask(about) || maskOfExample(shape)) return 'date';
  if (DAY_PROMPT.test(norm(attr(e, 'placeholder')))) return 'date';
  if (MONTH_MASK.test(about)) return 'month';
  if (w.calendar || w.kind === 'date' || ancestor(e, (n) => /date-?picker|datepicker/i.test(n.localName + ' ' + (attr(n, 'class') || '')), 3)) return 'date';
  return wordFormat(e, w, label) || numberFormat(e, w, label);
}

// wordFormat goes by the words of the question.
function wordFormat(e, w, label) {
  const unit = unitOf(w);
  const short = e.maxLength > 0 && e.maxLength < 7; // a part of a number in boxes
  if (unit === '%' || /\bpercent(age)?\b|\(\s*%\s*\)|%\s*$|\binterest rate\b|\bapr\b/.test(label)) return 'percent';
  if (unit === '$') return 'currency';
  if (label.length > 120) return '';
  if (/\bsocial security (number|no)\b|\bssn\b/.test(label) && !/\blast (4|four)\b/.test(label)) return 'ssn';
  if (/\be-?mail( address| id)?\b|メール|courriel|\bcorreo\b/.test(label) && !/件名|本文|確認/.test(label) && !/\b(subject|message|prefer|how|why|type|list|receive|contact by)\b/.test(label)) return 'email';
  if (!short && (/\b(tele)?phone\b|\b(telefon(nummer)?|t[ée]l[ée]phone|tel[ée]fono|telefone|telefoon(nummer)?|handynummer|rufnummer)\b|電話番号|携帯電話|\b(mobile|cell|fax)( phone)?( number| no)\b|\b(mobile|fax)$/.test(label)) && !/\b(type|extension|ext|prefer|kind|model|call|how|bill|by)\b/.test(label)) return 'phone';
  if (/\bzip( ?code)?\b/.test(label) && !/\bpost(al|code)/.test(label)) return 'zip';
  if (/\b(web ?site|web address|url|homepage)\b/.test(label) && !/\b(name|how|which|hear|heard|did)\b/.test(label)) return 'url';
  if (dateWords(label) && !/\b(year|month|day)$|^(year|month|day)\b/.test(label) && typeOf(e) !== 'number') return 'date';
  if (MONEY.test(label) && !NOT_MONEY.test(label) && w.kind !== 'search' && (typeOf(e) !== 'number' || !COUNT.test(label))) return 'currency';
  return '';
}

const dateWords = (s) => DATE_WORDS.test(s) || /\bdate\b|\bbirth ?date\b|\bdate of birth\b|\bdob\b|\bbirthday\b/.test(s) && !/\bdate (range|format)|up to date\b/.test(s);

// unitOf is the sign that the page puts before or after the control.
function unitOf(w) {
  const e = w.el;
  const sign = (s) => { const t = norm(s); return /^(us|usd|ca|au|nz)?\s?\$$|^(usd|\u20ac|\u00a3|eur|gbp)$/i.test(t) ? '$' : /^(%|percent)$/i.test(t) ? '%' : ''; };
  const found = sign((e.previousSibling && e.previousSibling.nodeType === 3 && e.previousSibling.data) || '') || sign((e.nextSibling && e.nextSibling.nodeType === 3 && e.nextSibling.data) || '');
  if (found) return found;
  if (/^\s*\$\s*[\d,.]*\s*$/.test(attr(e, 'placeholder') || '') || /\(\s*(us)?\s*\$\s*\)|\bin (us )?dollars\b|\(usd\)/i.test(w.raw)) return '$';
  if (/^\s*\d*\s*%\s*$/.test(attr(e, 'placeholder') || '')) return '%';
  let n = parentOf(e);
  for (let i = 0; n && i < 3; i++, n = parentOf(n)) {
    if (w.under(n) > 1) break;
    for (const x of within(n, 'span,div,i,b,label,p,slot,[slot]').slice(0, 40)) {
      const t = textContentOf.call(x);
      if (t.length < 12 && sign(t)) return sign(t);
    }
  }
  return '';
}

function numberFormat(e, w, label) {
  const step = attr(e, 'step') || '';
  const spin = typeOf(e) === 'number' || roleOf(e) === 'spinbutton';
  if (spin && (step === 'any' || /\.\d*[1-9]/.test(step))) return 'decimal';
  if (spin) return 'integer';
  const mode = attr(e, 'inputmode') || '';
  if (/^year\b|\byear$|\byear (of|in|that|which|when|you)\b/.test(label) && (e.maxLength === 4 || /^year\b/.test(label) || mode === 'numeric')) return 'integer';
  if (COUNT.test(label) && (mode === 'numeric' || mode === 'decimal' || /^(how many|number of|age$)/.test(label) || /^\[?0-9|\\d/.test(attr(e, 'pattern') || ''))) return 'integer';
  return '';
}

// typingKind is the kind of a control that takes text.
function typingKind(e) {
  const type = typeOf(e);
  if (suggests(e)) return 'typeahead';
  if (tagOf(e) === 'TEXTAREA') return 'textarea';
  if (type === 'search' || roleOf(e) === 'searchbox') return 'search';
  if (type === 'number' || roleOf(e) === 'spinbutton') return 'number';
  if (tagOf(e) !== 'INPUT' && e.isContentEditable) return 'richtext';
  return 'text';
}

const SUGGESTERS = /(^|[\s_-])(typeahead|autocomplete|ui-autocomplete-input|tt-input|pac-target-input|aa-input|awesomplete)([\s_-]|$)/i;

// suggests: what is typed brings suggestions.
function suggests(e) {
  if (tagOf(e) === 'INPUT' && e.list) return true;
  if (/^(list|both)$/.test(attr(e, 'aria-autocomplete') || '')) return true;
  if (/^(listbox|tree|grid)$/.test(attr(e, 'aria-haspopup') || '')) return true;
  if (SUGGESTERS.test(attr(e, 'class') || '')) return true;
  const combo = roleOf(e) === 'combobox' ? e : ancestor(e, (n) => roleOf(n) === 'combobox', 3);
  if (!combo || attr(e, 'aria-autocomplete') === 'none' && !has(combo, 'aria-controls') && !has(combo, 'aria-owns')) return false;
  return [e, combo].some((x) => has(x, 'aria-controls') || has(x, 'aria-owns') || has(x, 'aria-haspopup'));
}

const DATE_TYPES = /^(date|month|time|datetime-local|week)$/;

// STAMPS are the types whose values are no day, month or time: a pattern says how
// they are written (HTML, section 2.3.5, dates and times).
const STAMPS = /^(datetime-local|week)$/;
const STAMP_PATTERN = { week: '[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])', 'datetime-local': '[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]' };

function kindFor(e, w) {
  const type = typeOf(e);
  if (type === 'radio' || roleOf(e) === 'radio' || w.pressed) return 'radio';
  if (isChoice(e)) return 'checkbox';
  if (type === 'file' || w.zone) return 'file';
  if (type === 'range' || roleOf(e) === 'slider') return 'range';
  if (DATE_TYPES.test(type) && !STAMPS.test(type) || w.calendar || picksDate(e, w)) return 'date';
  if (tagOf(e) === 'SELECT' || roleOf(e) === 'listbox' || w.bare) return 'select';
  if (comboLike(e) && typesInside(e)) return 'typeahead';
  if (comboLike(e) && !typesIn(e) || is(e, 'button,[role=button]')) return 'select';
  if (w.wrapper) return 'typeahead'; // the box around it lets it come up, to be typed in
  return typingKind(e);
}

const DAY_PROMPT = /^(please )?(select|pick|choose|enter) (a |the )?(date|day)$/i;
const PICKER = /flatpickr|calendar|date-?(time-?)?picker|date-?editor|datepick|pickadate|pikaday|litepicker|daterange|picker__input/i;
const NO_DAY = /\b(phone|number|time|rates?|care|names?|where|place|city|town|country|format|how|why|who|what do|pass|trip)\b/i;
const WHEN = /\b(date|day|when|birth|arriv\w*|depart\w*|check-?(in|out)|return|start|end|from|until|due)\b/i;

// picksDate: a text box that takes no letters because a calendar fills it in.
function picksDate(e, w) {
  if (tagOf(e) !== 'INPUT' || disabled(e) || !/^(text|)$/.test(typeOf(e))) return false;
  if (!e.readOnly) return roleOf(e) === 'combobox' ? /^(dialog|grid)$/.test(attr(e, 'aria-haspopup') || '') && (DAY_PROMPT.test(norm(attr(e, 'placeholder'))) || PICKER.test([attr(parentOf(e), 'class'), attr(e, 'class')].join(' '))) : !!w.days && !comboLike(e) && !e.value && /\b(date|day|born|birthday)\b/i.test(nameOf(e)) && !NO_DAY.test(nameOf(e)) && nameOf(e).length < 60;
  const says = (n) => [attr(n, 'class'), n.localName, attr(n, 'data-toggle'), attr(n, 'data-bs-toggle')].join(' ');
  let n = e;
  for (let i = 0; n && i < 4 && n !== body() && (i === 0 || w.under(n) <= 1); i++, n = parentOf(n)) if (PICKER.test(says(n))) return true;
  if ([e.previousElementSibling, e.nextElementSibling].some((x) => x && PICKER.test(says(x)))) return true;
  const label = nameOf(e);
  if (/^(dialog|grid|true)$/.test(attr(e, 'aria-haspopup') || '')) return WHEN.test(label);
  return !e.value && (dateWords(fold(label)) || WHEN.test(label) && (!!dateMask(attr(e, 'placeholder')) || !!w.days));
}

// shapeOf is how the page writes the value, if it shows that.
function shapeOf(e, w) {
  const says = [attr(e, 'placeholder'), attr(e, 'data-mask'), attr(e, 'data-format'), w.hint, w.raw].map(norm);
  if (w.format === 'date') {
    if (DATE_TYPES.test(typeOf(e))) return '';
    return says.map(dateMask).find(Boolean) || says.slice(0, 3).map(maskOfExample).find(Boolean) || '';
  }
  if (w.format === 'month') for (const s of says) { const m = MONTH_MASK.exec(s); if (m) return norm(m[2]).toUpperCase(); }
  const shape = says.slice(0, 2).find((s) => /[_#]{2,}/.test(s) && !/[a-z]{2}/i.test(s));
  return shape || '';
}
