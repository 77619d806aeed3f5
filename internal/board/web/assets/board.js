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

// Files go up in pieces, so that a lost connection costs one piece and not the
// file; what was begun is found again after a reload.
const piece = 1 << 20;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
class Refused extends Error {}

async function ask(method, address, headers, body) {
  const answer = await fetch(address, { method, headers: { 'Tus-Resumable': '1.0.0', 'Accept-Language': document.documentElement.lang, ...headers }, body });
  if (answer.ok) return answer;
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 409 && answer.status !== 429) throw new Refused(await answer.text());
  throw new Error(String(answer.status));
}

async function begin(base, kind, file, key) {
  const known = localStorage.getItem(key);
  if (known) {
    try {
      const answer = await ask('HEAD', base + known);
      return [known, Number(answer.headers.get('Upload-Offset'))];
    } catch (error) { if (error instanceof Refused) localStorage.removeItem(key); else throw error; }
  }
  const answer = await ask('POST', base, { 'Upload-Length': String(file.size), 'Upload-Metadata': 'kind ' + btoa(kind) });
  const id = answer.headers.get('Location').split('/').pop();
  localStorage.setItem(key, id);
  return [id, 0];
}

async function send(base, kind, file, tell) {
  const key = ['upload', kind, file.name, file.size, file.lastModified].join(':');
  for (let failures = 0; ;) {
    try {
      let [id, offset] = await begin(base, kind, file, key);
      while (offset < file.size) {
        const answer = await ask('PATCH', base + id, { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' }, file.slice(offset, offset + piece));
        offset = Number(answer.headers.get('Upload-Offset'));
        failures = 0;
        tell(offset);
      }
      const stored = await (await ask('POST', base + id + '/complete')).json();
      localStorage.removeItem(key);
      return stored.id;
    } catch (error) {
      if (error instanceof Refused) { localStorage.removeItem(key); throw error; }
      if (++failures > 8) throw error;
      await pause(Math.min(30000, 500 * 2 ** failures));
    }
  }
}

async function sendAll(form, input, status) {
  const files = [...input.files];
  const whole = files.reduce((sum, file) => sum + file.size, 0) || 1;
  const ids = [];
  let before = 0;
  for (const file of files) {
    ids.push(await send(form.dataset.upload, form.dataset.kind, file, (n) => {
      status.textContent = form.dataset.progress.replace('{percent}', String(Math.floor((before + n) * 100 / whole)));
    }));
    before += file.size;
  }
  return ids;
}

const delivery = document.querySelector('form[data-upload]');
const chosen = delivery?.querySelector('input[type=file]');
if (chosen) {
  delivery.addEventListener('submit', async (event) => {
    if (!chosen.files.length || delivery.querySelector('[name=upload]')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (delivery.dataset.sending) return;
    delivery.dataset.sending = 'yes';
    const status = delivery.querySelector('[role=status]');
    try {
      for (const id of await sendAll(delivery, chosen, status)) {
        delivery.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'upload', value: id }));
      }
      chosen.disabled = true;
      delivery.submit();
    } catch (error) {
      status.textContent = error instanceof Refused ? error.message : delivery.dataset.failed;
      delete delivery.dataset.sending;
    }
  }, { capture: true });
}

// Another prefecture has other cities to choose from.
const prefecture = document.getElementById('profile-prefecture');
const cities = document.getElementById('cities');
if (prefecture && cities) {
  prefecture.addEventListener('change', async () => {
    if (!prefecture.value) return;
    const answer = await fetch('/me/cities/' + prefecture.value);
    if (answer.ok && !answer.redirected) cities.innerHTML = await answer.text();
  });
}

// Pushes: the button is there where the browser can, and leads through its own question.
const devices = document.querySelector('form[data-push]');
if (devices && 'serviceWorker' in navigator && 'PushManager' in window) {
  devices.hidden = false;
  devices.addEventListener('submit', async (event) => {
    if (devices.elements.endpoint.value) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const status = devices.querySelector('[role=status]');
    try {
      if (await Notification.requestPermission() !== 'granted') { status.textContent = devices.dataset.denied; return; }
      await navigator.serviceWorker.register('/worker.js');
      const worker = await navigator.serviceWorker.ready;
      const options = { userVisibleOnly: true, applicationServerKey: devices.dataset.push };
      let own = await worker.pushManager.getSubscription();
      try { own = await worker.pushManager.subscribe(options); } catch (error) {
        if (!own) throw error; // one for another key of the board is of no use
        await own.unsubscribe();
        own = await worker.pushManager.subscribe(options);
      }
      const { endpoint, keys } = own.toJSON();
      Object.assign(devices.elements.endpoint, { value: endpoint });
      Object.assign(devices.elements.p256dh, { value: keys.p256dh });
      Object.assign(devices.elements.auth, { value: keys.auth });
      devices.submit();
    } catch { status.textContent = devices.dataset.failed; }
  }, { capture: true });
}

// Who signs out of a browser is not told on it any more.
document.querySelector('form[action="/logout"]')?.addEventListener('submit', async (event) => {
  const form = event.currentTarget;
  if (!('serviceWorker' in navigator) || form.dataset.quiet) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  try {
    const worker = await navigator.serviceWorker.getRegistration();
    await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  } catch { /* the push service forgets it, or the next push does */ }
  form.dataset.quiet = 'yes';
  form.submit();
}, { capture: true });
