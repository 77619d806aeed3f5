// What a page offers to press, and what is in front of it.

const PRESSES = 'button,input[type=submit],input[type=button],input[type=image],input[type=reset],[role=button],[role=link],a[href],summary';
const ONWARD = /^(continue|next|submit|save (and|&) continue|calculate|estimate|view (your |my )?(estimate|results?|answer)|get (my |your )?(estimate|results?|started)|start|begin|apply|send|finish|review|proceed|confirm|check|see (my |your )?results?|go|register|done|agree)\b/;
const BACKWARD = /^(back|previous|cancel|clear|reset|start over|skip|close|search|sign|log ?(in|out)|print|help|delete|remove|add|edit|save (draft|for later)|menu|accept|reject|no,? thanks|stay|end session|upload|choose|browse|exit)\b/;

// modalOpen is the dialog in front, if it leaves nothing else to use.
function modalOpen(list) {
  const d = openDialog();
  if (!d) return null;
  const modal = attr(d, 'aria-modal') === 'true' || (tagOf(d) === 'DIALOG' && is(d, ':modal'));
  return modal && list.some((w) => contains(d, w.el) && w.visible) ? d : null;
}

const dialogName = (d) => cut(referenced(d, 'aria-labelledby') || norm(attr(d, 'aria-label')) || within(d, 'h1,h2,h3,h4,[role=heading]').filter(visible).map(textOf)[0] || 'dialog', 200);

// modalMessage is the name of a dialog in front that asks nothing.
function modalMessage() {
  const d = openDialog();
  return d && (attr(d, 'aria-modal') === 'true' || is(d, ':modal')) ? dialogName(d) : '';
}

function buttons(max, index, taken, dialog, aside) {
  const found = deep(PRESSES).filter((e) => !taken.has(e) && !ancestor(e, (n) => is(n, 'button,a[href],[role=button]'), 3) && visible(e));
  const at = inOrder(found.map((e) => newWidget(e))).map((w) => w.el);
  if (dialog) at.sort((a, b) => (contains(dialog, b) ? 1 : 0) - (contains(dialog, a) ? 1 : 0));
  const main = mainPresses(at, dialog);
  const texts = at.map((e) => fold(buttonText(e)));
  const times = new Map();
  for (const s of texts) times.set(s, (times.get(s) || 0) + 1);
  const notices = new Map();
  const list = at.slice(0, max).map((e, i) => {
    const ways = waysTo(e, index).concat(times.get(texts[i]) === 1 && (at.length < 500 || is(e, 'button,input')) ? textWay(e, texts[i], texts) : []);
    ways.sort((a, b) => b.score - a.score);
    const form = is(e, 'button,input') ? e.form : closest(e, 'form');
    return {
      selector: ways.length ? ways[0].selector : '', ways, text: cut(tidyText(e), 120), also: alsoSaid(e), notice: noticeOf(e, form, texts[i], notices), tag: tagOf(e).toLowerCase(), type: tagOf(e) === 'INPUT' ? typeOf(e) : tagOf(e) === 'BUTTON' ? e.type : '', role: roleOf(e),
      href: tagOf(e) === 'A' ? cut(String(e.href), 500) : '', enabled: !disabled(e), primary: main.has(e), inForm: !!form, asks: onlyAsks(e, form), aside: !!form && aside.has(form), shadow: hostsOf(e), class: cut(attr(e, 'class') || '', MOST.word), expanded: attr(e, 'aria-expanded') || '',
    };
  });
  return { list, total: at.length };
}

// onlyAsks: the button sends a form by GET, as its markup says, to a page: by HTTP
// that asks for something and acts on nothing (RFC 9110, section 9.2.1).
function onlyAsks(e, form) {
  if (!form || !is(e, 'button,input') || !/^(submit|image)$/.test(e.type)) return false;
  const how = has(e, 'formmethod') ? attr(e, 'formmethod') : attr(form, 'method');
  return fold(how || '') === 'get' && !has(form, 'onsubmit') && !has(e, 'onclick');
}

const tidyText = (e) => norm(buttonText(e)) || norm(within(e, 'img[alt],svg title').map((x) => attr(x, 'alt') || textContentOf.call(x))[0]);

// alsoSaid are the names of a button that are not written on it.
function alsoSaid(e) {
  const seen = fold(buttonText(e));
  const more = [attr(e, 'aria-label'), attr(e, 'title'), referenced(e, 'aria-labelledby'), referenced(e, 'aria-describedby')].map((s) => norm(s || ''));
  return cut(more.filter((s) => s && fold(s) !== seen).join('; '), 300);
}

const NOTICE = /[^.!?]*\b(?:by|when|once|after|as soon as)( you)? (select|click|press|choos|tap|continu|hit)[^.!?]{0,90}\byou( are| will|'ll|’ll|'re|’re)?( hereby| formally| electronically| legally)? (submit|send|pay|sign|lodge|file|order|buy)[^.!?]*/;
const PASSIVE_NOTICE = [/\b(by|when|once|after|if|as soon as)\b[^.!?]{0,20}\b(select|click|press|choos|tap|continu|hit)/, /\b(application|form|claim|request|order|report|return|complaint|petition|registration|declaration|data|answers?|details|information)\b[^.!?]{0,30}\b(is|are|will be|gets?) ((then|finally|automatically|immediately|formally|legally|also) )*(submitted|sent|filed|lodged|signed|placed|transmitted)\b/, /\b(not|nothing|never|no longer|only)\b/];
const NOTICE_TO = /[^.!?]*\b(select|click|press|choose|tap|hit)( on)?( the)? ["'“‘]?([^"'”’.!?]{1,40}?)["'”’]?( button)? to (submit|send|pay|sign|lodge|file|order|finish|complete) (my|your|the|this|it)\b[^.!?]*/;

// OTHER is the button that a notice names.
const OTHER = /(?:select|click|press|choos|tap|hit)\w*(?: on)?(?: the)? ["']?(submit|send|pay|sign|finish|complete|confirm|continue|next)\b/;

// noticeOf is what the button's form says about pressing it, if that submits. A
// sentence that names a button is about that one.
function noticeOf(e, form, text, known) {
  if (!is(e, 'button,input,[role=button]')) return '';
  const around = form || closest(e, 'main,[role=main]') || body();
  if (!known.has(around)) known.set(around, fold(glance(around, 20000)));
  const words = known.get(around);
  const says = NOTICE.exec(words);
  const other = says && OTHER.exec(says[0]);
  if (says && leads(e, form, text) && !(other && !text.includes(other[1]))) return cut(norm(says[0]), 200);
  const to = NOTICE_TO.exec(words);
  if (to && fold(to[4]) === text) return cut(norm(to[0]), 200);
  const foreign = sentencesThatAct(words).find((s) => (namedIn(s).length ? namedIn(s).includes(text) : leads(e, form, text)));
  return foreign ? cut(foreign, 200) : '';
}

// leads: the button is one that may lead on, by its words or as what the form is sent by.
const leads = (e, form, text) => mainWords(text) || !!form && is(e, 'button,input') && /^(submit|image)$/.test(e.type) && !BACKWARD.test(text) && !AWAY.test(text);

const mainWords = (text) => ONWARD.test(text) && !BACKWARD.test(text);

// textWay finds a button by its words, where nothing else says them.
function textWay(e, t, texts) {
  if (!t || t.length > 60) return [];
  const tag = tagOf(e).toLowerCase();
  if (tag !== 'input' && texts.filter((s) => s.includes(t)).length > 1) return [];
  const value = tag === 'input' ? attr(e, 'value') : '';
  if (tag === 'input' && !value) return [];
  const css = value ? 'input[type=' + typeOf(e) + '][value=' + cssString(value) + ']' : tag + ':has-text(' + cssString(norm(buttonText(e))) + ')';
  const found = tryCSS(css);
  return found && found.length === 1 && found[0] === e ? [{ selector: css, basis: 'label', score: SCORE.label }] : [];
}

// mainPresses are the buttons that look like the way on, one a form.
function mainPresses(list, dialog) {
  const best = new Map();
  const last = new Map();
  const formOf = (e) => (is(e, 'button,input') && e.form) || closest(e, 'form') || null;
  for (const e of list) if (is(e, 'button,input,[role=button]')) last.set(formOf(e), e);
  for (const e of list) {
    if (dialog && !contains(dialog, e)) continue;
    const score = pressScore(e, last.get(formOf(e)) === e);
    const had = best.get(formOf(e));
    if (score >= 3 && (!had || score >= had.score)) best.set(formOf(e), { e, score });
  }
  const asks = Array.from(best.keys()).some((f) => f && within(f, CONTROL).length);
  return new Set(Array.from(best.entries()).filter(([f]) => f || !asks).map(([, b]) => b.e));
}

function pressScore(e, isLast) {
  const text = fold(buttonText(e));
  const words = ' ' + SPLIT((attr(e, 'class') || '') + ' ' + idOf(e)).join(' ') + ' ';
  const submit = is(e, 'button,input') && /^(submit|image)$/.test(e.type) && !!e.form;
  let n = (submit ? 2 : 0) + (isLast ? 1 : 0) + (ONWARD.test(text) ? 2 : 0) + (/ (primary|continue|next|submit|cta|main) /.test(words) ? 1 : 0);
  if (is(e, 'button,input,[role=button]') || / (button|btn) /.test(words)) n++;
  if (/ (secondary|outline|tertiary|link|plain|text|inverse|cancel|back|ghost|unstyled) /.test(words)) n -= 2;
  if (BACKWARD.test(text) || e.type === 'reset') n -= 3;
  return n;
}
