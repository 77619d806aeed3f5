// Frames that belong to one form. The outer page asks each frame for its answers
// before it sends the form; a frame passes the question on to its own frames.
'use strict';

// collect returns the answers of all frames below this document.
async function collect() {
  const all = {};
  for (const frame of document.querySelectorAll('iframe')) {
    Object.assign(all, await ask(frame.contentWindow));
  }
  return all;
}

function ask(other) {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = (event) => resolve(event.data);
    other.postMessage('collect', '*', [channel.port2]);
  });
}

// answerFrames makes this document answer such questions.
function answerFrames() {
  window.addEventListener('message', async (event) => {
    if (event.data !== 'collect') return;
    const own = Object.fromEntries([...document.querySelectorAll('[name]')].map((input) => [input.name, input.value]));
    event.ports[0].postMessage(Object.assign(own, await collect()));
  });
}

// sendWithFrames adds the frames' answers to the form and posts it.
function sendWithFrames(form) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    for (const [name, value] of Object.entries(await collect())) {
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name, value });
      form.append(input);
    }
    form.submit();
  });
}
