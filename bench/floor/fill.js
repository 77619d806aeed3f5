// Sets what one page asks for, in order, and returns how tall the page became.
// Steps: {text, value} types; {click} picks a radio or a box; {pick, value} types
// and waits for the suggestion of that name. A step waits until its field shows.
async (steps) => {
  const until = (ready) => new Promise((resolve) => {
    const now = ready();
    if (now) {
      resolve(now);
      return;
    }
    const watch = new MutationObserver(() => {
      const found = ready();
      if (!found) return;
      watch.disconnect();
      resolve(found);
    });
    watch.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
  });
  const usable = (id) => until(() => {
    const e = document.getElementById(id);
    return e && !e.disabled && !e.closest('[hidden]') && e;
  });
  const type = (e, value) => {
    e.value = value;
    e.dispatchEvent(new Event('input', { bubbles: true }));
  };
  for (const s of steps) {
    if (s.click) {
      (await usable(s.click)).click();
    } else if (s.text) {
      const e = await usable(s.text);
      type(e, s.value);
      e.dispatchEvent(new Event('change', { bubbles: true }));
    } else {
      const e = await usable(s.pick);
      type(e, s.value);
      const list = document.getElementById(e.getAttribute('aria-controls'));
      const option = await until(() => [...list.children].find((li) => li.textContent === s.value));
      option.click();
    }
  }
  return document.documentElement.scrollHeight;
}
