// Banners that ask whether data may be kept, and the way past them that gives nothing
// away.

const ASKS = /cookie|consent|gdpr|rgpd|dsgvo|datenschutz|einwillig|privacy|tracking|confidentialit|privacidad|riservatezza|samtycke|personvern|integritet/i;
const NAMED = '[id*=cookie i],[class*=cookie i],[id*=consent i],[class*=consent i],[id*=gdpr i],[class*=gdpr i],[id*=onetrust i],[id*=didomi i],[id*=usercentrics i],[id*=cmp i],[aria-label*=cookie i],[aria-label*=consent i]';
const DIALOG = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]';
const PRESSABLE = 'button,[role=button],a,input[type=button],input[type=submit]';

// What buttons are called that refuse, and then those that only close.
const REFUSE = [
  /\b(reject|refuse|decline|deny|disagree)\b/i, /\b(only|just|use)\b.*\b(necessary|essential|required)\b/i, /\b(necessary|essential|required)\b.*\bonly\b/i,
  /continue without (accepting|agreeing)/i, /\b(no,? thanks|do not (accept|allow|consent)|don.t (accept|allow))\b/i,
  /ablehnen|nur (notwendige|erforderliche|essenzielle)/i, /refuser|continuer sans accepter/i, /rechazar|solo (necesarias|esenciales)/i,
  /rifiuta/i, /weigeren|afwijzen|alleen noodzakelijke/i, /avvisa|neka|kun n\u00f8dvendige|endast n\u00f6dv\u00e4ndiga/i, /rejeitar|recusar/i, /odrzu\u0107/i,
];
const CLOSE = [/^(close|dismiss|hide|schlie\u00dfen|fermer|cerrar|chiudi|sluiten|\u00d7|x|\u2715|\u2716)\b/i, /^(\u00d7|\u2715|\u2716)$/, /\b(close|dismiss)\b.*\b(banner|notice|message|dialog|cookie)/i];
const NEVER = /accept all|allow all|alle akzeptieren|tout accepter|settings|preferences|einstellungen|manage|policy|more information|learn more/i;

const buttonName = (e) => norm(attr(e, 'aria-label') || e.value || textContentOf.call(e) || attr(e, 'title'));

// inFront tells whether e stands in front of the page.
function inFront(e) {
  if (is(e, DIALOG)) return true;
  const style = getComputedStyle(e);
  return /fixed|sticky/.test(style.position) || (style.position === 'absolute' && Number(style.zIndex) > 0);
}

function bannerOf(e) {
  const r = rectOf(e);
  if (r.width < 50 || r.height < 20 || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return null;
  const text = norm(e.innerText || '');
  if (!text || text.length > 6000 || !ASKS.test(text)) return null;
  const buttons = innerButtons(e);
  return buttons.length && buttons.length <= 40 ? { e, text, buttons } : null;
}

function innerButtons(e) {
  const out = all(e, PRESSABLE);
  for (const host of [e, ...all(e, '*')]) { const s = shadowOf(host); if (s) out.push(...all(s, PRESSABLE)); }
  return out.filter((b) => b.checkVisibility({ visibilityProperty: true }) && rectOf(b).width > 0);
}

function findBanner() {
  const list = new Set(deep(DIALOG));
  for (const e of deep(NAMED)) list.add(e);
  const seen = new Set();
  for (const b of deep(PRESSABLE).slice(0, 1000)) { // what stands in front and has something to press
    for (let n = parentOf(b), i = 0; n && i < 8 && n !== body() && !seen.has(n); n = parentOf(n), i++) {
      seen.add(n);
      if (/fixed|sticky/.test(getComputedStyle(n).position)) list.add(n);
    }
  }
  let best = null;
  for (const e of list) {
    const b = bannerOf(e);
    if (!b || !(inFront(e) || ancestorInFront(e) || is(e, NAMED))) continue;
    if (!best || b.buttons.length > best.buttons.length || (b.buttons.length === best.buttons.length && best.e.contains(e))) best = b;
  }
  return best;
}

function ancestorInFront(e) {
  for (let n = parentOf(e), i = 0; n && i < 6; n = parentOf(n), i++) if (n !== body() && n !== page() && inFront(n)) return true;
  return false;
}

let banner = null;

// consentFind finds the banner and the button to press, and brings it into view.
async function consentFind() {
  const found = findBanner();
  if (!found) { banner = null; return { found: false }; }
  banner = found.e;
  const out = { found: true, text: cut(found.text, 500), selector: selectorOf(found.e), action: '', button: '' };
  for (const [action, patterns] of [['rejected', REFUSE], ['closed', CLOSE]]) {
    for (const pattern of patterns) for (const b of found.buttons) {
      const name = buttonName(b);
      if (name.length > 80 || NEVER.test(name) || !pattern.test(name)) continue;
      if (tagOf(b) === 'a' && /^https?:/.test(attr(b, 'href') || '')) continue;
      b.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      await frame();
      const r = rectOf(b);
      return { ...out, action, button: name, x: r.left + r.width / 2, y: r.top + r.height / 2 };
    }
  }
  return out;
}

// consentGone waits until the banner is away.
async function consentGone(arg) {
  const end = performance.now() + arg.limit;
  for (;;) {
    if (!banner || !banner.isConnected || !bannerOf(banner)) return true;
    if (performance.now() >= end || !timers) return false;
    await pause(30);
  }
}
