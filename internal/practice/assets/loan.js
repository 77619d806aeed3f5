// The loan simulator: a client-side program. It draws the step that the server
// describes, sends the answers, and moves on with pushState when they are
// accepted. Nothing is decided here.
(() => {
  'use strict';
  const app = document.getElementById('app');
  if (!app) return;
  const tool = app.dataset.tool;
  const api = '/loan-simulator/api/' + tool + '/';
  let step = null;

  // el('p', {class: 'x'}, child, ...) builds an element; text is never markup.
  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (typeof value === 'function') node.addEventListener(name, value);
      else if (value === true) node.setAttribute(name, '');
      else if (value !== false && value != null) node.setAttribute(name, value);
    }
    node.append(...children.flat().filter((c) => c != null && c !== false));
    return node;
  }

  async function call(path, options) {
    const answer = await fetch(api + path, options);
    const body = await answer.json();
    if (body.redirect) location.assign(body.redirect);
    return body;
  }

  // ---- questions ----

  const choice = (q, c, type) => {
    const kind = type === 'radio' ? 'radios' : 'checkboxes';
    return el('div', { class: 'govuk-' + kind + '__item' },
      el('input', {
        class: 'govuk-' + kind + '__input', type, id: c.input_id, name: c.field || q.name,
        value: c.field ? 'true' : c.value, checked: !!c.chosen, 'data-exclusive': !!c.exclusive,
      }),
      el('label', { class: 'govuk-label govuk-' + kind + '__label', for: c.input_id }, c.label));
  };

  function group(q, type) {
    const kind = type === 'radio' ? 'radios' : 'checkboxes';
    return el('fieldset', { class: 'govuk-fieldset' },
      el('legend', { class: 'govuk-fieldset__legend govuk-fieldset__legend--m' }, q.label),
      hint(q), el('div', { 'data-error-here': true }),
      el('div', { class: 'govuk-' + kind }, q.choices.map((c) => choice(q, c, type))));
  }

  const hint = (q) => q.hint ? el('div', { class: 'govuk-hint' }, q.hint) : null;
  const labelled = (q, ...control) => [
    el('label', { class: 'govuk-label govuk-label--s', for: q.input_id }, q.label), hint(q), el('div', { 'data-error-here': true }), ...control];

  function textInput(q) {
    const input = el('input', { class: 'govuk-input govuk-input--width-10', id: q.input_id, name: q.name, type: 'text', inputmode: 'decimal', value: q.value });
    return labelled(q, el('div', { class: 'govuk-input__wrapper' },
      q.prefix ? el('div', { class: 'govuk-input__prefix', 'aria-hidden': 'true' }, q.prefix) : null, input,
      q.suffix ? el('div', { class: 'govuk-input__suffix', 'aria-hidden': 'true' }, q.suffix) : null));
  }

  function select(q) {
    return labelled(q, el('select', { class: 'govuk-select', id: q.input_id, name: q.name },
      el('option', { value: '' }, 'Select'),
      q.choices.map((c) => el('option', { value: c.value, selected: !!c.chosen }, c.label))));
  }

  // Only a picked suggestion fills the hidden input; typing empties it.
  function typeahead(q) {
    const place = el('div', {});
    const hidden = el('input', { type: 'hidden', name: q.name, value: q.value });
    const pick = (value) => {
      hidden.value = value;
      hidden.dispatchEvent(new Event('change', { bubbles: true }));
    };
    let timer = 0;
    const source = (text, show) => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        const query = new URLSearchParams(values(app.querySelector('form')));
        query.set('q', text);
        const answer = await fetch(q.source + '?' + query);
        show(await answer.json());
      }, 300);
    };
    queueMicrotask(() => {
      window.accessibleAutocomplete({
        element: place, id: q.input_id, name: q.name + '_text', source, minLength: 2, confirmOnBlur: false,
        defaultValue: q.value, onConfirm: (value) => { if (value !== undefined) pick(value); },
      });
      place.addEventListener('input', () => { if (hidden.value !== '') pick(''); });
    });
    return labelled(q, place, hidden);
  }

  // ---- the loan table ----

  function rows(q) {
    const table = el('div', { id: 'loan_table' });
    const add = el('button', { type: 'button', class: 'govuk-button govuk-button--secondary', id: q.input_id, click: () => openRow(q, table) }, 'Add a Loan');
    drawRows(q, table, add, q.rows);
    return [el('h2', { class: 'govuk-heading-m' }, q.label), hint(q), el('div', { 'data-error-here': true }), table, add];
  }

  function drawRows(q, table, add, list) {
    q.rows = list;
    const head = el('thead', { class: 'govuk-table__head' }, el('tr', { class: 'govuk-table__row' },
      q.sub.map((s) => el('th', { class: 'govuk-table__header', scope: 'col' }, s.label)), el('th', { class: 'govuk-table__header', scope: 'col' }, 'Action')));
    const body = el('tbody', { class: 'govuk-table__body' }, list.map((cells, i) => el('tr', { class: 'govuk-table__row', 'data-loan-row': i },
      cells.map((c) => el('td', { class: 'govuk-table__cell' }, c)),
      el('td', { class: 'govuk-table__cell' }, el('button', {
        type: 'button', class: 'practice-link', id: 'fsa_Button_LoanSimulatorAddLoanRemove_' + i,
        click: async () => {
          const answer = await call('rows/' + i, { method: 'DELETE' });
          drawRows(q, table, document.getElementById(q.input_id), answer.rows);
        },
      }, 'Remove')))));
    table.replaceChildren(list.length === 0
      ? el('p', { class: 'govuk-inset-text' }, 'You have not added a loan yet.') : el('table', { class: 'govuk-table' }, head, body));
    add.disabled = list.length >= q.max_rows;
  }

  function openRow(q, table) {
    const close = () => { modal.remove(); document.getElementById(q.input_id).focus(); };
    const save = async (event) => {
      event.preventDefault();
      const answer = await call('rows', { method: 'POST', body: new URLSearchParams(values(form)) });
      if (answer.errors) return complain(form, answer.errors);
      close();
      drawRows(q, table, document.getElementById(q.input_id), answer.rows);
    };
    const form = el('form', { novalidate: true, autocomplete: 'off', submit: save },
      q.sub.map((s) => el('div', { class: 'govuk-form-group', 'data-question': s.id }, draw(s))),
      el('div', { class: 'govuk-button-group' },
        el('button', { type: 'submit', class: 'govuk-button', id: 'fsa_Button_LoanSimulatorAddLoanSave' }, 'Save'),
        el('button', { type: 'button', class: 'govuk-button govuk-button--secondary', click: close }, 'Cancel')));
    const modal = el('div', { class: 'practice-modal', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'loan-heading' },
      el('div', { class: 'practice-modal-box' }, el('h2', { class: 'govuk-heading-m', id: 'loan-heading' }, 'Add a loan'), form));
    // The usual rate of the chosen type, until somebody types another.
    form.querySelector('select').addEventListener('change', () => {
      form.elements.loan_interest_rate.value = '5.50';
    });
    app.append(modal);
    form.querySelector('select').focus();
  }

  // ---- a step ----

  const drawings = {
    radio: (q) => [group(q, 'radio')], checkbox: (q) => [group(q, 'checkbox')], text: textInput, select, typeahead, rows,
  };
  const draw = (q) => drawings[q.kind](q);

  // values lists what the form would send. Hidden questions are left out.
  function values(form) {
    const list = [];
    for (const e of form.elements) {
      if (!e.name || e.disabled || e.closest('[hidden]')) continue;
      if ((e.type === 'radio' || e.type === 'checkbox') && !e.checked) continue;
      list.push([e.name, e.value]);
    }
    return list;
  }

  // meaning is what conditions compare: a choice's meaning, not its attribute.
  function meaning(form, id) {
    const q = step.questions.find((x) => x.id === id);
    const parts = [...form.elements].filter((e) => e.name === (q ? q.name : id) && !e.closest('[hidden]'));
    for (const e of parts) {
      if (e.type === 'checkbox') return String(e.checked);
      if (e.type === 'radio' && !e.checked) continue;
      const c = q && q.choices && q.choices.find((x) => x.value === e.value);
      return c ? c.means : e.value;
    }
    return '';
  }

  function refresh(form) {
    for (const q of step.questions) {
      const place = form.querySelector('[data-question="' + q.id + '"]');
      place.hidden = !(q.shows || []).every((need) => {
        const v = meaning(form, need.id);
        return v !== '' && (!need.values || need.values.includes(v));
      });
    }
  }

  function exclude(box) {
    if (box.type !== 'checkbox' || !box.checked) return;
    for (const other of box.closest('fieldset').querySelectorAll('input[type=checkbox]')) {
      const conflict = 'exclusive' in box.dataset || 'exclusive' in other.dataset;
      if (other !== box && conflict) other.checked = false;
    }
  }

  function complain(form, errors) {
    for (const old of form.querySelectorAll('.govuk-error-message, .govuk-error-summary')) old.remove();
    for (const old of form.querySelectorAll('[aria-invalid]')) { old.removeAttribute('aria-invalid'); old.removeAttribute('aria-describedby'); }
    for (const old of form.querySelectorAll('.govuk-form-group--error')) old.classList.remove('govuk-form-group--error');
    for (const e of errors) {
      const place = [...form.querySelectorAll('[data-question]')].find((d) => d.dataset.question === e.id);
      if (!place) continue;
      place.classList.add('govuk-form-group--error');
      place.querySelector('[data-error-here]').append(el('p', { class: 'govuk-error-message', id: e.id + '-error' }, el('span', { class: 'govuk-visually-hidden' }, 'Error: '), e.text));
      for (const input of place.querySelectorAll('input, select')) {
        input.setAttribute('aria-invalid', 'true');
        input.setAttribute('aria-describedby', e.id + '-error');
      }
    }
    const summary = el('div', { class: 'govuk-error-summary', role: 'alert', tabindex: '-1' },
      el('h2', { class: 'govuk-error-summary__title' }, 'There is a problem'),
      el('div', { class: 'govuk-error-summary__body' }, el('ul', { class: 'govuk-list govuk-error-summary__list' },
        errors.map((e) => el('li', {}, e.input_id ? el('a', { href: '#' + e.input_id }, e.text) : e.text)))));
    form.prepend(summary);
    summary.focus();
  }

  async function submit(event) {
    event.preventDefault();
    const form = event.target;
    const button = document.getElementById('fsa_Button_WizardContinue');
    button.disabled = true;
    const answer = await call('steps/' + step.path, { method: 'POST', body: new URLSearchParams(values(form)) });
    button.disabled = false;
    if (answer.errors) return complain(form, answer.errors);
    if (!answer.next) return;
    history.pushState({ path: answer.next }, '', '/loan-simulator/' + tool + '/' + answer.next);
    await show(answer.next);
  }

  async function show(path) {
    if (path === 'results') return showResults();
    step = await call('steps/' + path);
    if (!step.questions) return;
    document.title = step.title + ' - Loan Simulator (practice)';
    const form = el('form', { novalidate: true, autocomplete: 'off', submit },
      step.questions.map((q) => el('div', { class: 'govuk-form-group', 'data-question': q.id, 'data-kind': q.kind }, draw(q))),
      el('div', { class: 'govuk-button-group' },
        el('button', { type: 'submit', class: 'govuk-button', id: 'fsa_Button_WizardContinue' }, step.last ? 'View Results' : 'Continue')));
    form.addEventListener('change', (e) => { exclude(e.target); refresh(form); });
    app.replaceChildren(
      el('span', { class: 'govuk-caption-l' }, 'Step ' + step.number + ' of ' + step.total),
      el('h1', { class: 'govuk-heading-l' }, step.title),
      step.intro ? el('p', { class: 'govuk-body' }, step.intro) : '', form);
    refresh(form);
    window.scrollTo(0, 0);
  }

  async function showResults() {
    const out = await call('result');
    if (!out.heading) return;
    document.title = 'Results - Loan Simulator (practice)';
    const item = (p) => el('div', { class: 'govuk-summary-list__row' },
      el('dt', { class: 'govuk-summary-list__key' }, p.label), el('dd', { class: 'govuk-summary-list__value' }, p.value));
    const [head, ...body] = out.table;
    app.replaceChildren(
      el('h1', { class: 'govuk-heading-l' }, out.heading),
      el('div', { class: 'govuk-panel practice-panel' }, el('div', { class: 'govuk-panel__body' }, out.headline.label),
        el('div', { class: 'govuk-panel__title', id: 'headline-amount' }, out.headline.value)),
      el('dl', { class: 'govuk-summary-list' }, out.pairs.map(item), item({ label: 'Practice reference', value: out.reference })),
      el('h2', { class: 'govuk-heading-m' }, 'Details'),
      el('table', { class: 'govuk-table' },
        el('thead', { class: 'govuk-table__head' }, el('tr', { class: 'govuk-table__row' }, head.map((c) => el('th', { class: 'govuk-table__header', scope: 'col' }, c)))),
        el('tbody', { class: 'govuk-table__body' }, body.map((r) => el('tr', { class: 'govuk-table__row' }, r.map((c) => el('td', { class: 'govuk-table__cell' }, c)))))),
      el('p', { class: 'govuk-body' }, el('a', { class: 'govuk-link', href: '/loan-simulator/' }, 'Start over')));
    window.scrollTo(0, 0);
  }

  window.addEventListener('popstate', () => show(location.pathname.split('/').pop()));
  show(app.dataset.step);
})();
