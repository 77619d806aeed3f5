// The aid estimator's behaviour: conditional questions, "none of these",
// and state suggestions of which only a picked one counts.
(() => {
  'use strict';
  const form = document.querySelector('form.practice-form');
  if (!form) return;

  // Conditional questions. A hidden question is disabled, so it is not sent.
  const questions = [...form.querySelectorAll('[data-question]')];
  const holds = (need) => {
    const inputs = [...form.elements].filter((e) => e.name === need.id && !e.disabled);
    const values = inputs.map((e) => {
      if (e.type === 'checkbox') return String(e.checked);
      if (e.type === 'radio') return e.checked ? e.value : '';
      return e.value;
    }).filter((v) => v !== '');
    return values.length > 0 && (!need.values || values.some((v) => need.values.includes(v)));
  };
  const refresh = () => {
    for (const q of questions) {
      const shown = JSON.parse(q.dataset.shows).every(holds);
      q.hidden = !shown;
      for (const e of q.querySelectorAll('input, select')) e.disabled = !shown;
    }
  };
  form.addEventListener('change', refresh);

  // "None of these apply" and the others exclude each other.
  form.addEventListener('change', (event) => {
    const box = event.target;
    if (box.type !== 'checkbox' || !box.checked) return;
    for (const other of box.closest('fieldset').querySelectorAll('input[type=checkbox]')) {
      const conflict = 'exclusive' in box.dataset || 'exclusive' in other.dataset;
      if (other !== box && conflict) other.checked = false;
    }
  });

  // State suggestions.
  const load = fetch('/aid-estimator/states').then((r) => r.json());
  for (const box of form.querySelectorAll('[data-typeahead]')) typeahead(box);

  function typeahead(box) {
    const input = box.querySelector('input[role=combobox]');
    const picked = box.querySelector('input[type=hidden]');
    const list = box.querySelector('ul');
    let timer = 0;
    let active = -1;

    const close = () => {
      list.hidden = true;
      active = -1;
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
    };
    const announce = () => picked.dispatchEvent(new Event('change', { bubbles: true }));
    const choose = (text) => {
      input.value = text;
      picked.value = text;
      close();
      announce();
    };
    const highlight = (n) => {
      const items = [...list.children].filter((li) => li.getAttribute('role') === 'option');
      if (items.length === 0) return;
      active = (n + items.length) % items.length;
      items.forEach((li, i) => li.setAttribute('aria-selected', String(i === active)));
      input.setAttribute('aria-activedescendant', items[active].id);
    };
    const suggest = async () => {
      const wanted = input.value.trim().toLowerCase();
      const all = await load;
      const found = wanted === '' ? [] : all.filter((s) => s.toLowerCase().includes(wanted));
      list.replaceChildren(...found.map((text, i) => {
        const li = document.createElement('li');
        li.id = input.id + '-' + i;
        li.setAttribute('role', 'option');
        li.setAttribute('aria-selected', 'false');
        li.textContent = text;
        li.addEventListener('mousedown', (event) => event.preventDefault()); // keep the focus
        li.addEventListener('click', () => choose(text));
        return li;
      }));
      if (wanted !== '' && found.length === 0) {
        const li = document.createElement('li');
        li.className = 'practice-no-match';
        li.textContent = 'No results found';
        list.append(li);
      }
      active = -1;
      list.hidden = wanted === '';
      input.setAttribute('aria-expanded', String(found.length > 0));
    };

    input.addEventListener('input', () => {
      if (picked.value !== '') {
        picked.value = '';
        announce();
      }
      clearTimeout(timer);
      timer = setTimeout(suggest, 400);
    });
    input.addEventListener('keydown', (event) => {
      const open = !list.hidden;
      if (event.key === 'ArrowDown' && open) {
        event.preventDefault();
        highlight(active + 1);
      } else if (event.key === 'ArrowUp' && open) {
        event.preventDefault();
        highlight(active - 1);
      } else if (event.key === 'Enter' && open) {
        event.preventDefault();
        if (active >= 0) list.children[active].click();
      } else if (event.key === 'Escape') {
        close();
      }
    });
    input.addEventListener('blur', close);
  }

  refresh();
  const summary = document.getElementById('error-summary');
  if (summary) summary.focus();
})();
