// What makes the pages nicer where JavaScript runs; all of them work without.
'use strict';

// Timers: the words of the page with its numbers counted anew, twice a minute.
const spans = document.body.dataset;
function span(ms) {
  const minutes = Math.max(0, Math.floor(ms / 60000));
  const parts = [[Math.floor(minutes / 1440), spans.days], [Math.floor(minutes / 60) % 24, spans.hours], [minutes % 60, spans.minutes]];
  const words = parts.filter(([n]) => n > 0).slice(0, 2).map(([n, word]) => word.replace('{n}', n));
  return words.length ? words.join(document.documentElement.lang === 'ja' ? '' : ' ') : spans.moment;
}
function tick() {
  for (const el of document.querySelectorAll('[data-until]')) {
    const ms = Date.parse(el.dataset.until) - Date.now();
    const text = (ms > 0 ? spans.left : spans.ago).replace('{span}', span(Math.abs(ms)));
    if (el.textContent !== text) el.textContent = text;
  }
}
if (document.querySelector('[data-until]')) { tick(); setInterval(tick, 30000); }

// The first thing to read after a form was refused is what is wrong with it.
document.getElementById('errors')?.focus();

// A form is sent once.
for (const form of document.querySelectorAll('form[method=post]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = 'yes';
    const button = form.querySelector('button');
    if (button?.dataset.labelBusy) button.textContent = button.dataset.labelBusy;
  });
}
addEventListener('pageshow', () => { for (const form of document.forms) delete form.dataset.sent; });

// Messages of the other side appear while the page is looked at.
const chat = document.querySelector('[data-chat]');
if (chat?.dataset.chat) {
  setInterval(async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(chat.dataset.chat, { headers: { Accept: 'text/html' } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.querySelector('[data-chat]');
      if (fresh && fresh.childElementCount > chat.childElementCount) {
        chat.append(...[...fresh.children].slice(chat.childElementCount));
      }
    } catch { /* the next round tries again */ }
  }, 15000);
}
