// Choices without any role: a box that opens a list of its own, as older
// libraries draw them.

const BARE = '[tabindex][class*=dropdown i],[tabindex][class*=select i],[data-dropdown],[class*="ui selection dropdown"]';
const BARE_ITEMS = 'li,[class*=item],[class*=option]';

// bareItems are the answers in the hidden list of such a box. Links that lead
// somewhere make it a menu.
function bareItems(e) {
  const items = innermost(within(e, BARE_ITEMS).filter((x) => x !== e && !within(x, BARE_ITEMS).length && norm(textContentOf.call(x))));
  const leads = (x) => [x].concat(within(x, 'a[href]')).some((a) => tagOf(a) === 'A' && !/^(#|javascript:|$)/.test(attr(a, 'href') || ''));
  return items.length > 1 && !items.some(leads) ? items : [];
}

// bareChoices are the boxes of a form that can have the focus, hold a list that is
// not shown, and no control that would be listed by itself.
function bareChoices(claimed) {
  return deep(BARE).slice(0, 300).filter((e) => {
    if (claimed.has(e) || roleOf(e) || is(e, CONTROL + ',button,a') || !visible(e) || !closest(e, 'form') || closest(e, 'nav,header,[role=toolbar],[role=menubar]')) return false;
    if (within(e, CONTROL).some(settable) || besides(e, 'select').length) return false;
    return bareItems(e).length > 1 && bareItems(e).filter(visible).length <= 1;
  }).map((e) => newWidget(e, { bare: true }));
}

// bareOptions reads the answers of a box that is closed.
function bareOptions(e) {
  return bareItems(e).map((x) => ({ el: null, value: attr(x, 'data-value') || '', label: norm(attr(x, 'data-text') || textContentOf.call(x)), group: '', disabled: disabled(x), on: false }))
    .filter((o, i, list) => !PROMPT.test(o.label) && list.findIndex((p) => p.label === o.label) === i);
}
