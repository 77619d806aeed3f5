// A typeahead as many agencies have built it: it filters after a pause and only
// a picked suggestion counts. What was merely typed leaves the value empty.
'use strict';

// typeahead joins an input, a list and a hidden value. settings:
//   delay    pause after the last key, in ms
//   suggest  function (text) -> array, or promise of an array, of names
//   event    the event that starts filtering (default "input")
function typeahead(input, list, hidden, settings) {
  let timer = 0;
  let round = 0;
  const close = () => { list.hidden = true; list.replaceChildren(); input.setAttribute('aria-expanded', 'false'); };
  const pick = (name) => { input.value = name; hidden.value = name; close(); };

  async function filter() {
    const mine = ++round;
    const text = input.value.trim().toLowerCase();
    const names = text === '' ? [] : await settings.suggest(text);
    if (mine !== round) return; // a newer question is on its way
    list.replaceChildren(...names.map((name, at) => {
      const option = document.createElement('li');
      option.setAttribute('role', 'option');
      option.id = input.id + '-option-' + at;
      option.textContent = name;
      option.addEventListener('mousedown', (event) => event.preventDefault());
      option.addEventListener('click', () => pick(name));
      return option;
    }));
    list.hidden = names.length === 0;
    input.setAttribute('aria-expanded', String(names.length > 0));
  }

  input.addEventListener(settings.event || 'input', () => {
    hidden.value = '';
    clearTimeout(timer);
    timer = setTimeout(filter, settings.delay);
  });
  input.addEventListener('keydown', (event) => {
    const options = [...list.children];
    let at = options.findIndex((one) => one.getAttribute('aria-selected') === 'true');
    if (list.hidden) return;
    if (event.key === 'Escape') close();
    if (event.key === 'Enter') {
      event.preventDefault();
      pick(options[Math.max(at, 0)].textContent); // Enter takes the first one
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      at = (at + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % options.length;
      options.forEach((one, n) => one.setAttribute('aria-selected', String(n === at)));
    }
  });
  input.addEventListener('blur', () => setTimeout(close, 200));
}
