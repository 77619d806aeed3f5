// Where the tab is, and whether the page is a form at all.

function heading() {
  const seen = (css) => deep(css).find((e) => visible(e) && textOf(e) && !closest(e, '[role=dialog],dialog,[role=alert]'));
  const e = seen('main h1,[role=main] h1') || seen('h1') || seen('[role=heading][aria-level="1"]') || seen('main h2,[role=main] h2,form h2') || seen('legend') || seen('h2,h3');
  return e ? cut(textOf(e), 200) : '';
}

const stepNow = () => { const e = deep('[aria-current=step],[aria-current=page],.usa-step-indicator__segment--current,.is-active [class*=step],[class*=step].active,[class*=progress] .current')[0]; return e ? cut(textOf(e), 80) : ''; };

function hash(s) {
  let h = 0x811c9dc5;
  for (let i = 0; i < s.length; i++) h = Math.imul(h ^ s.charCodeAt(i), 0x01000193) >>> 0;
  return h.toString(16).padStart(8, '0');
}

const address = () => location.origin + location.pathname + (/^#!?\//.test(location.hash) ? location.hash : '');

// fingerprint is equal for two sights of one form step.
function fingerprint(head) {
  const names = [];
  for (const e of deep(CONTROL)) {
    if (names.length >= 120) break;
    if (settable(e)) names.push(typeOf(e) + ':' + nameOf(e));
  }
  return hash([address(), head, stepNow(), names.join('|')].join('\n'));
}

function place(arg, known) {
  const head = known === undefined ? heading() : known;
  const title = deep('title')[0];
  return { url: location.href, title: cut(norm(title ? textContentOf.call(title) : ''), 200), heading: head, verdict: verdict(arg || {}, head) };
}

const says = (kind, evidence) => ({ kind, evidence: cut(evidence, 160) });

function verdict(arg, head) {
  const title = fold(deep('title').map((e) => textContentOf.call(e))[0] || '');
  const top = fold(head);
  const text = fold(glance(body(), 6000));
  const fields = deep(CONTROL).filter((e) => visible(e) || (isChoice(e) && settable(e)));
  return captchaOn(text, fields) || blockedBy(arg.status || 0, title, top, text, fields) || codeAsked(top, text, fields) || loginAsked(title, top, text, fields) || says('', '');
}

const REFUSED = /^(access denied|access to this page has been denied|request (blocked|rejected)|forbidden|403\b.*|error 403.*|attention required.*|just a moment.*|pardon our interruption.*|you have been blocked.*|sorry, you have been blocked|the request could not be satisfied|unusual (traffic|activity).*|too many requests|429\b.*|blocked|the requested url was rejected.*)\W*$/;
const REFUSAL = /access denied|you don't have permission|request (was |has been )?(blocked|rejected)|the requested url was rejected|unusual (traffic|activity)|automated (requests|queries|access)|reference #?\d|ray id|incident id|too many requests|security service/;

function blockedBy(status, title, top, text, fields) {
  if (status === 401 || status === 403 || status === 429 || status === 451) return says('blocked', 'HTTP ' + status + (top ? ', "' + top + '"' : ''));
  if (status >= 500 && (REFUSAL.test(text) || REFUSED.test(top))) return says('blocked', 'HTTP ' + status + ', "' + (top || title) + '"');
  if (fields.length > 1 || text.length > 3000) return null;
  if (REFUSED.test(top) || REFUSED.test(title)) return says('blocked', 'the page says "' + (REFUSED.test(top) ? top : title) + '"');
  if (!fields.length && text.length < 900 && /access denied|you don't have permission to access|request (was |has been )?blocked|the requested url was rejected/.test(text)) return says('blocked', 'the page says that access is refused');
  return null;
}

const CAPTCHA_SRC = /recaptcha|hcaptcha|challenges\.cloudflare|turnstile|arkoselabs|funcaptcha|captcha-delivery|geetest|captcha/i;
const CAPTCHA_LABEL = /captcha|i'?m not a robot|i am not a robot|(characters|letters|text|code|word) (you see|shown|in the (image|picture))/;
const CAPTCHA_BOX = '.g-recaptcha,.h-captcha,.cf-turnstile,[data-sitekey],[class*=geetest],[id*=funcaptcha],#px-captcha,[class~=captcha],[class*=-captcha],#captcha';

function captchaOn(text, fields) {
  const answered = deep('[name=g-recaptcha-response],[name=h-captcha-response],[name=cf-turnstile-response]').some((e) => e.value);
  if (answered) return null;
  const big = (e) => { const r = e.getBoundingClientRect(); return visible(e) && r.width >= 60 && r.height >= 30; };
  for (const e of deep('iframe')) {
    if (!(CAPTCHA_SRC.test(attr(e, 'src') || '') || /captcha|not a robot|security challenge/i.test(attr(e, 'title') || ''))) continue;
    if (big(e) && !closest(e, '.grecaptcha-badge') && !/size=invisible/.test(attr(e, 'src') || '')) return says('captcha', 'a visible frame of a CAPTCHA');
  }
  for (const e of deep(CAPTCHA_BOX)) if (big(e) && attr(e, 'data-size') !== 'invisible') return says('captcha', 'a visible CAPTCHA widget');
  for (const e of fields) {
    const n = fold(namesOf(e).join(' '));
    if (n.length < 120 && CAPTCHA_LABEL.test(n)) return says('captcha', 'a field asks for "' + n + '"');
  }
  if (fields.length < 3 && text.length < 2500 && /(slide|drag)( the)?( slider| puzzle| piece| button| to)[^.]{0,40}(verify|unlock|puzzle|human|right|continue)|(verify|prove|confirm) (that )?(you are|you're) (a )?(human|person|not a robot)|checking (if|that) you are (a )?human|complete the security check/.test(text)) {
    return says('captcha', 'the page asks to prove that a person is there');
  }
  return null;
}

const CODE = /((verification|security|authentication|confirmation|access|one[- ]time|sign[- ]in) (pass)?code|one[- ]time (password|passcode|pin)|\b\d[- ]digit code|code (we|that was|was) (just )?(sent|texted|emailed)|authenticator app|two[- ](factor|step))/;

function codeAsked(top, text, fields) {
  const boxes = fields.filter(isBox);
  const others = fields.filter((e) => !isBox(e) && !isChoice(e));
  const marked = fields.find((e) => attr(e, 'autocomplete') === 'one-time-code');
  if (others.length + (boxes.length ? 1 : 0) > 1) return null;
  if (marked) return says('otp', 'a field for a one-time code');
  const one = others[0] || boxes[0];
  if (!one || (typeOf(one) && !/^(text|tel|number|password|search)$/.test(typeOf(one)))) return null;
  const near = fold(namesOf(one).join(' ') + ' ' + groupName(one));
  if (CODE.test(near) && CODE.test(text) && /sent|text(ed)? (you|to)|e-?mail|phone|authenticator/.test(text)) return says('otp', 'a field asks for "' + cut(near, 80) + '"');
  return CODE.test(top) && /sent|texted|e-?mail|phone|authenticator/.test(text) ? says('otp', 'the page says "' + top + '"') : null;
}

const LOGIN_PATH = /(^|\/)(log-?in|sign-?in|sso|auth(enticate)?)([./?-]|$)/;
const SIGNIN = /\b(sign|log) ?-?(in|on)\b|\blogin\b|\bauthenticat/;

function loginAsked(title, top, text, fields) {
  const secret = fields.find((e) => typeOf(e) === 'password');
  const path = fold(location.pathname);
  const named = SIGNIN.test(top) || SIGNIN.test(title) || LOGIN_PATH.test(path);
  if (secret) {
    const form = secret.form;
    const elsewhere = fields.filter((e) => !isChoice(e) && e !== secret && (!form || e.form !== form));
    const beside = fields.filter((e) => !isChoice(e) && e !== secret && form && e.form === form);
    if (elsewhere.length > 1 || beside.length > 3) return null;
    return says('login', 'a password field' + (named ? ' on a sign-in page' : ''));
  }
  const few = fields.filter((e) => !isChoice(e)).length <= 2 && text.length < 3000;
  return few && SIGNIN.test(top) && LOGIN_PATH.test(path) ? says('login', 'the page says "' + top + '"') : null;
}
