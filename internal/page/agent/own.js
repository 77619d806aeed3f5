// Components that keep their role to themselves: an element such as md-radio is
// a radio for a screen reader, but neither it nor what is in it says so in the
// tree. Its name does.

const ownRoles = new Map(); // by tag name

const NAMED_FOR = /(?:^|-)(radio|checkbox|switch)(?:-(?:button|box|item))?$/;

// learnRole notes the role of a component that has no other sign of it.
function learnRole(host, shadow) {
  const tag = tagOf(host);
  if (ownRoles.has(tag) || attr(host, 'role') || !tag.includes('-')) return;
  const named = NAMED_FOR.exec(tag.toLowerCase());
  if (!named || all(shadow, 'input,[role]').length || all(host, 'input,[role]').length) return;
  ownRoles.set(tag, named[1]);
  CONTROL += ',' + tag.toLowerCase();
}

const keepsRole = (e) => !attr(e, 'role') && ownRoles.has(tagOf(e));

const formOf = (e) => e.form || closest(e, 'form');

// ownOn tells whether such a component is on: by what it sends with its form,
// by the state that its style sheet goes by, or by how it draws itself.
function ownOn(e) {
  for (const css of [':state(checked)', '[aria-checked=true]']) if (matchesSafely(e, css)) return true;
  const name = attr(e, 'name');
  const form = name && formOf(e);
  if (form && !disabled(e)) {
    const sent = new FormData(form).getAll(name);
    if (sent.includes(attr(e, 'value') || 'on')) return true;
    if (sent.length) return false;
  }
  const shadow = shadowOf(e);
  return !!shadow && all(shadow, '.checked,.selected,[data-checked],[part~=checked]').length > 0;
}

// matchesSafely is is for selectors that not every browser knows.
function matchesSafely(e, css) {
  try { return is(e, css); } catch (err) { return false; }
}

// unstarted: a component whose script never ran, so that there is nothing to use.
const unstarted = (e) => tagOf(e).includes('-') && !is(e, ':defined') && !attr(e, 'role') && !within(e, CONTROL + ',button').length;
