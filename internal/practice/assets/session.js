// Asks "Are you still there?" after a while without an answer from the visitor,
// as forms with a server-side session do, and ends the session if nobody is.
(() => {
  'use strict';
  const modal = document.getElementById('session-timeout');
  if (!modal) return;
  const after = Number(modal.dataset.after);
  const base = modal.dataset.base;
  const grace = Math.max(after, 60000);
  let timer = 0;

  const post = (what) => fetch(base + 'session/' + what, { method: 'POST' });
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, after);
  };
  const ask = () => {
    modal.hidden = false;
    document.getElementById('session-stay').focus();
    timer = setTimeout(end, grace);
  };
  const end = async () => {
    await post('end');
    location.assign('/' + location.pathname.split('/')[1] + '/');
  };
  document.getElementById('session-stay').addEventListener('click', async () => {
    modal.hidden = true;
    const answer = await post('stay');
    if (answer.status === 410) {
      location.assign('/' + location.pathname.split('/')[1] + '/');
      return;
    }
    wait();
  });
  document.getElementById('session-end').addEventListener('click', end);
  wait();
})();
