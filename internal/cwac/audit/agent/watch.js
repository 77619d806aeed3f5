// Notes when the page last changed itself. It runs in every document from its start.
(function () {
  'use strict';
  if (Object.hasOwn(globalThis, 'legworkWatch')) return;
  const w = { any: performance.now(), built: -1 };
  Object.defineProperty(globalThis, 'legworkWatch', { value: w });
  const silent = /^(script|style|link|meta|noscript|template|iframe)$/;
  const content = (n) => (n.nodeType === 3 ? n.data.trim() !== '' : n.nodeType === 1 && !silent.test(n.localName));
  const inBody = (n) => !(n.nodeType === 1 && (n.localName === 'html' || n.localName === 'head' || n.localName === 'title'));
  const observer = new MutationObserver((list) => {
    w.any = performance.now();
    if (document.readyState === 'loading') return;
    for (const m of list) {
      if (m.type === 'attributes' || !inBody(m.target)) continue;
      if (m.type === 'characterData' || Array.from(m.addedNodes).some(content)) { w.built = w.any; return; }
    }
  });
  // What the parser added last is told of after it has ended, as if a script had added it.
  if (document.readyState === 'loading') {
    document.addEventListener('readystatechange', () => {
      if (observer.takeRecords().length > 0) w.any = performance.now();
    }, { once: true });
  }
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['class', 'style', 'hidden', 'src', 'open'] });
})();
