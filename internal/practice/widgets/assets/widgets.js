// What several widget pages share: sending a form without leaving the page.
'use strict';

// sendForm posts the form and returns {location} or {errors}.
async function sendForm(form) {
  const reply = await fetch(form.action, { method: 'POST', body: new FormData(form), headers: { Accept: 'application/json' } });
  return reply.json();
}

// showErrors writes the server's messages above the form and beside the fields.
function showErrors(errors) {
  document.querySelectorAll('.error-summary, .error-message').forEach((old) => old.remove());
  const summary = document.createElement('div');
  summary.className = 'error-summary';
  summary.setAttribute('role', 'alert');
  summary.tabIndex = -1;
  const heading = document.createElement('h2');
  heading.textContent = 'There is a problem';
  const list = document.createElement('ul');
  for (const error of errors) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = '#' + error.field;
    link.textContent = error.message;
    item.append(link);
    list.append(item);
    showInline(error);
  }
  summary.append(heading, list);
  document.querySelector('main h1').after(summary);
  summary.focus();
}

function showInline(error) {
  const input = document.getElementById(error.field);
  if (!input) return;
  const message = document.createElement('p');
  message.className = 'error-message';
  message.id = error.field + '-error';
  message.textContent = error.message;
  input.before(message);
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', message.id);
}
