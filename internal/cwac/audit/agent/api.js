// What can be called from outside, by name and with one argument.
const api = {
  ping: () => location.href,
  title: () => cut(titleOf.call(document), LIMIT.text),
  still, openDetails, settle, facts, elements, reflow,
  focusStart, focusAt, focusDrop, focusBack, unreached, extent, consentFind, consentGone, axeRun, axeRescue, axePartial, axeFinish,
  axeFrameAt: (a) => contentBox(axeFrame(a.selector), a.offset),
  ready: () => Object.hasOwn(globalThis, 'legworkAxe'),
};

Object.defineProperty(globalThis, 'legworkAudit', {
  value: {
    run: async (call) => ({ value: await api[call.name](call.arg) }),
    adopt, seal,
    element: (arg) => (arg.focused ? focused() : axeFrame(arg.selector)),
  },
});
