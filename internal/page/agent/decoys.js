// Controls that are no question for the person who fills the form in.

const HONEY = /\b(honey ?pot|hp ?field|hp|bot ?(field|check|catcher)|gotcha|leave ?(this )?(field )?(blank|empty)|do not fill|fill this (in|out) only)\b/;
const LEAVE_EMPTY = /\b(leave (this|it)( field| box)? (blank|empty|unchanged)|(do not|don't) (fill|enter|type|complete)( in| out| anything)?( this| in this)?( field| box)?|if you are (a )?human|for robots only|keep this field (blank|empty))\b/;
const LANGUAGES = /^(english|espa\u00f1ol|fran\u00e7ais|deutsch|italiano|portugu\u00eas|\u4e2d\u6587|\u65e5\u672c\u8a9e|\ud55c\uad6d\uc5b4|ti\u1ebfng vi\u1ec7t|\u0440\u0443\u0441\u0441\u043a\u0438\u0439|tagalog|kreyol|polski|\u0627\u0644\u0639\u0631\u0628\u064a\u0629|cymraeg|m\u0101ori)\b/i;

// surroundings is what a widget stands in, found in one climb.
function surroundings(e) {
  const out = { header: false, footer: false, nav: false, main: false, search: false, cookie: false, chat: false, news: false, aside: false, form: null };
  for (let n = parentOf(e); n && n !== body(); n = parentOf(n)) {
    const tag = tagOf(n);
    const role = roleOf(n);
    if (tag === 'FORM' && !out.form) out.form = n;
    if (tag === 'MAIN' || role === 'main') out.main = true;
    if (tag === 'HEADER' || role === 'banner') out.header = true;
    if (tag === 'FOOTER' || role === 'contentinfo') out.footer = true;
    if (tag === 'ASIDE' || role === 'complementary') out.aside = true;
    if (tag === 'NAV' || role === 'navigation') out.nav = true;
    if (role === 'search' || tag === 'SEARCH') out.search = true;
    const words = ' ' + SPLIT(idOf(n) + ' ' + (attr(n, 'class') || '') + ' ' + (attr(n, 'aria-label') || '')).slice(0, 40).join(' ') + ' ';
    if (/ (cookies?|onetrust|gdpr|cookiebot|ccpa|consent (banner|manager|popup|modal|dialog)|privacy (banner|center|manager)) /.test(words)) out.cookie = true;
    if (/ (live ?chat|chat (widget|window|box|bot|panel|container|launcher|form)|chatbot|intercom|zendesk|drift|webchat) /.test(words)) out.chat = true;
    if (/ (newsletter|mailing list|subscribe|signup form|sign up form|email signup|email updates) /.test(words)) out.news = true;
    if (/ (site header|masthead|topbar|navbar|page header|global header) /.test(words) && !out.form) out.header = true;
    if (/ (site footer|page footer|global footer) /.test(words)) out.footer = true;
  }
  return out;
}

// decoyOf says why a widget is no question; empty for a real one.
function decoyOf(w, scene) {
  const e = w.el;
  const at = surroundings(e);
  const edge = !at.main && (at.header || at.footer || at.nav);
  const words = fold(w.raw);
  const said = ' ' + SPLIT([attr(e, 'name'), idOf(e), attr(e, 'class')].join(' ')).join(' ') + ' ';
  if (trapped(w, said, words)) return 'honeypot';
  if (!w.visible) return 'not shown';
  if (CAPTCHA_LABEL.test(words) && words.length < 120) return 'captcha';
  if (at.cookie) return 'consent';
  if (at.chat) return 'chat';
  if (searchesSite(w, at, edge, words, scene)) return 'site search';
  if (picksLanguage(w, at, edge, words, said, scene)) return 'language';
  if (subscribes(w, at, edge, words, scene)) return 'newsletter';
  if (asksAboutPage(at, scene)) return 'feedback';
  if (edge && (typeOf(e) === 'password' || (at.form && all(at.form, 'input[type=password]').length))) return 'sign-in';
  if (w.readonly) return 'readonly';
  return '';
}

// trapped: there for machines only. What is merely not displayed may be a
// question that comes up later.
function trapped(w, said, words) {
  if (/^(file|radio)$/.test(w.kind)) return false;
  if (LEAVE_EMPTY.test(words) || LEAVE_EMPTY.test(fold(w.hint))) return true;
  if (w.visible) return false;
  if (HONEY.test(said.trim()) || HONEY.test(words)) return true;
  const e = w.el;
  if (!rendered(e)) return attr(e, 'tabindex') === '-1' && /^(off|nope|new-password|false)$/.test(attr(e, 'autocomplete') || '') && !comboLike(e) && !w.twin;
  return !comboLike(e) && tagOf(e) !== 'SELECT';
}

function searchesSite(w, at, edge, words, scene) {
  if (!/^(text|search|typeahead)$/.test(w.kind)) return false;
  const named = /\b(search|find|buscar|rechercher)\b/.test(words) || w.kind === 'search' || /^(q|s|query|search|keywords?|search_?(term|query|text|field|box))$/i.test(attr(w.el, 'name') || idOf(w.el));
  if (at.search) return !at.main || scene.real > 1 || named && !inMainForm(w, at, scene);
  if (edge) return named;
  return named && !!at.form && at.form.method === 'get' && !inMainForm(w, at, scene) && alone(w, at, scene) && scene.real > 1;
}

const alone = (w, at, scene) => !!at.form && (scene.forms.get(at.form) || 0) <= 1;
const inMainForm = (w, at, scene) => !!at.form && at.form === scene.mainForm;

function picksLanguage(w, at, edge, words, said, scene) {
  if (!/^(select|radio|typeahead)$/.test(w.kind)) return false;
  const endonyms = (w.options || []).filter((o) => LANGUAGES.test(o.label)).length;
  const named = /^(select |choose |change |site |page |your )?(language|lang|idioma|langue|sprache|locale)( selector| picker| switcher)?$/.test(words.replace(/[^\p{L} ]/gu, '').trim()) || / (lang|language|locale) (select|selector|picker|switch|switcher) /.test(said);
  if (edge) return named || / (lang|language|locale) /.test(said) || endonyms >= 2;
  return (named || endonyms >= 2 && endonyms === w.options.length) && !inMainForm(w, at, scene) && scene.real > 1;
}

const SUBSCRIBES = /\b(subscribe|newsletter|mailing list|e-?mail updates|abonnieren|s'abonner|suscr[ií]b\w+)\b|メールマガジン|メルマガ/;
const ABOUT_PAGE = /\b(was this (page|information|article|content) (helpful|useful)|did you find what you were looking for|how (useful|helpful) was this page|is there anything wrong with this page|help us improve (this|our) (page|site|website))\b|このページ(の情報)?は(お?役に立|わかりやす|見つけやす)/;
const MOST_ASIDE = 4; // questions that a form beside the main one may have

// besideMain: in a small form of its own, while the page has another one.
const besideMain = (at, scene) => !!at.form && at.form !== scene.mainForm && (scene.forms.get(at.form) || 0) <= MOST_ASIDE && (scene.forms.get(scene.mainForm) || 0) > 0;

// asksAboutPage: what visitors think of the page is asked on every page of a site.
function asksAboutPage(at, scene) {
  return besideMain(at, scene) && ABOUT_PAGE.test(fold(glance(parentOf(at.form) || at.form, 600)));
}

function subscribes(w, at, edge, words, scene) {
  if ((at.aside || besideMain(at, scene)) && at.form && (scene.forms.get(at.form) || 0) <= MOST_ASIDE && SUBSCRIBES.test(fold(glance(at.form, 400)))) return true;
  if (inMainForm(w, at, scene) && scene.real > 1 && !edge) return false;
  if (at.news && (at.footer || at.header || !at.main || !inMainForm(w, at, scene))) return scene.real > 1 || edge;
  if (!edge || !/\be-?mail\b/.test(words)) return false;
  return /\b(subscribe|newsletter|updates|sign up|join our)\b/.test(fold(textOf(at.form || w.field || w.el)).slice(0, 400)) || at.footer;
}
