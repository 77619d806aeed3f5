// Things that come between a person and the form: a dialog that asks whether
// anyone is still there, and a cookie notice that lies over a button.

const SESSION = /still (there|here|working|with us)|session (is about to|will|has almost|is going to) |about to (expire|time ?out|be (signed|logged|timed) out)|(signed|logged|log you|sign you|time you|timed) out (soon|in|due)|(for|due to|because of|after|been) (\w+ )?inactiv(e|ity)/;
const STAY = /^(stay|keep|continue|extend|remain|resume|i'?m (still )?here|yes|more time|i need more time|still here)\b|stay (signed|logged|connected)|keep (me )?(signed|logged|working)|(continue|extend) (my )?(session|working)/;
const LEAVE = /(sign|log) ?(me )?(out|off)|exit|end session|quit/;
const COOKIE = /cookie|consent|tracking|gdpr/;
const REJECT = /reject|decline|refuse|deny|necessary|essential|only required|no,? thanks|opt out/;

const REAL = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]';
const DIALOGS = REAL + ',[class*=modal],[class*=timeout]';

// openDialog is the dialog that is in front, if one is open.
function openDialog() {
  const list = deep(REAL).filter(visible);
  return list.find((d) => !list.some((o) => o !== d && contains(d, o))) || null;
}

function pressable(box) {
  return within(box, 'button,a[href],input[type=button],input[type=submit],[role=button]').filter((e) => visible(e) && !disabled(e));
}

// overlays tells whether a box stands apart from the page: it says that it is a
// dialog, or it is laid over the page.
function overlays(box) {
  return is(box, REAL) || !!ancestorOrSelf(box, (n) => n !== body() && /^(fixed|sticky)$/.test(getComputedStyle(n).position));
}

// submits tells whether a button would send a form that asks for something.
function submits(b) {
  const form = is(b, 'button,input') ? b.form : null;
  return !!form && /^(submit|image)$/.test(b.type) && within(form, CONTROL).length > 0;
}

// stayHere answers a session dialog the way a person at the form would. A box
// that asks for anything is part of the form, whatever it says; so is one that
// holds all of what the caller is about to use itself.
async function stayHere(own) {
  for (const box of deep(DIALOGS)) {
    if (!visible(box) || !overlays(box)) continue;
    if (!SESSION.test(fold(textOf(box).slice(0, 1500)))) continue;
    if (within(box, CONTROL).length) continue;
    const mine = own ? own() : [];
    if (mine.length && mine.every((e) => contains(box, e))) continue;
    const stay = pressable(box).find((b) => STAY.test(fold(buttonText(b))) && !LEAVE.test(fold(buttonText(b))) && !submits(b));
    if (!stay) continue;
    poke(stay);
    await until(() => !visible(box), 400);
    return true;
  }
  return false;
}

// clearCover takes a notice off the thing to press, but only by keeping the
// session or by refusing: it never agrees to anything.
async function clearCover(cover, e) {
  if (await stayHere(() => [e])) return true;
  const box = ancestorOrSelf(cover, (n) => /^(fixed|sticky)$/.test(getComputedStyle(n).position) || is(n, 'dialog,[role=dialog]'));
  if (!box || contains(box, e) || !COOKIE.test(fold(textOf(box).slice(0, 3000)))) return false;
  const no = pressable(box).find((b) => REJECT.test(fold(buttonText(b))));
  if (!no) return false;
  poke(no);
  await until(() => !visible(no), 400);
  return true;
}
