// What a press really hits. Between the look at a place and the press there the
// page may move: a press that lands on something else must not count there.

let hit = null; // the press that is awaited: {el, state: open, right, wrong}
let watchingHits = false;

// expectHit makes the next press count on e only.
function expectHit(e) {
  hit = { el: e, state: 'open' };
  if (watchingHits) return;
  watchingHits = true;
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) addEventListener(type, onPress, true);
}

function onPress(event) {
  if (!hit || !event.isTrusted || event.detail === 0 && event.type === 'click') return;
  if (hit.state === 'open' && /down$/.test(event.type)) hit.state = onTarget(event, hit.el) ? 'right' : 'wrong';
  if (hit.state !== 'wrong') return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function onTarget(event, e) {
  const path = event.composedPath();
  if (!e.isConnected) return false;
  if (path.includes(e) || reaches(path[0], e)) return true;
  for (let host = e.getRootNode().host; host; host = host.getRootNode().host) if (path[0] === host) return true; // a closed root hides what is in it
  return false;
}

// tookWrong tells once whether the last press was caught on something else.
function tookWrong() {
  const wrong = !!hit && hit.state === 'wrong';
  if (wrong) hit = null;
  return wrong;
}
