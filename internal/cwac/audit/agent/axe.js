// axe-core runs here. Its rules are watched one by one: each is told when the time
// is over, so that what was found until then is kept.

let current = null; // the run that is going on

// fails tells what a node's checks amount to: true for a fault, null for a doubt.
function verdict(node) {
  const results = (list) => list.map((c) => c.result);
  const any = results(node.any);
  const none = results(node.none);
  const every = results(node.all);
  if ((any.length && !any.includes(true) && !any.includes(undefined)) || every.includes(false) || none.includes(true)) return 'fault';
  if ((any.length && !any.includes(true)) || every.includes(undefined) || none.includes(undefined)) return 'doubt';
  return 'pass';
}

// beside tells whether what e needs may be in a closed root: its label, its list.
function beside(e) {
  for (let n = sealed.size ? parentOf(e) : null; n; n = parentOf(n)) if (sealed.has(n)) return true;
  return false;
}

// considersAll tells whether a rule compares its nodes with each other at the end.
function considersAll(axe, rule) {
  if (rule.pageLevel) return true;
  return [rule.any, rule.all, rule.none].some((list) => list.some((c) => {
    const check = axe._audit.checks[c.id || c];
    return check && typeof check.after === 'function';
  }));
}

// kept is a rule's result without what nobody will read: the selectors of ten
// thousand paragraphs that are in order cost more than the rule itself.
function kept(axe, rule, result) {
  if (!result || !result.nodes) return result;
  const whole = considersAll(axe, rule);
  let passed = 0;
  const nodes = [];
  for (const node of result.nodes) {
    const v = verdict(node);
    if (v === 'pass' && !whole && passed++) continue;
    const e = node.node && node.node.element;
    if (v !== 'pass' || whole) node.legwork = { box: e ? boxOf(e, current.offset) : null, frame: current.frame, unsure: !!e && beside(e) };
    nodes.push(node);
  }
  const limit = LIMIT.list;
  if (nodes.length > limit && !whole) {
    current.dropped.push({ rule: rule.id, nodes: nodes.length - limit });
    nodes.length = limit;
  }
  result.nodes = nodes;
  return result;
}

// watchRules makes the rules of axe heed the limits of the current run.
function watchRules(axe) {
  for (const rule of axe._audit.rules) {
    if (Object.hasOwn(rule, 'run')) continue;
    const proto = Object.getPrototypeOf(rule);
    rule.run = function (context, options, resolve, reject) {
      const mine = current;
      if (mine.over()) { mine.skipped.push(rule.id); resolve(undefined); return; }
      proto.run.call(rule, context, options, (result) => {
        const done = kept(axe, rule, result);
        mine.raw.push(done);
        resolve(done);
      }, reject);
    };
    rule.runChecks = function (type, node, options, context, resolve, reject) { // eslint-disable-line max-params
      const first = current.looked.get(rule.id) || node; // a rule that has begun looks at one element at least
      current.looked.set(rule.id, first);
      if (first !== node && current.over()) { current.unexamined.add(rule.id); resolve({ type, results: [] }); return; }
      proto.runChecks.call(rule, type, node, options, context, resolve, reject);
    };
  }
}

// The rules that look at every piece of text take most of the time, so they come last.
const SLOW = ['link-in-text-block', 'target-size', 'region', 'color-contrast-enhanced', 'color-contrast'];

function orderRules(axe) {
  if (axe.legworkOrder) return;
  axe.legworkOrder = axe._audit.rules.map((r) => r.id);
  axe._audit.rules.sort((a, b) => SLOW.indexOf(a.id) - SLOW.indexOf(b.id));
}

// optionsFor turns what was asked for into axe's options.
function optionsFor(axe, o) {
  const options = { xpath: true, resultTypes: ['violations', 'incomplete'], rules: {}, preload: { assets: ['cssom', 'media'], timeout: 3000 } };
  const known = new Set(axe._audit.rules.map((r) => r.id));
  const tags = new Set(axe._audit.rules.flatMap((r) => r.tags));
  for (const id of [...o.rules, ...o.disable]) if (!known.has(id)) throw new TypeError('no rule is named ' + id);
  for (const tag of o.tags) if (!tags.has(tag)) throw new TypeError('no rule has the tag ' + tag);
  if (o.rules.length) options.runOnly = { type: 'rule', values: o.rules };
  else if (o.tags.length) options.runOnly = { type: 'tag', values: o.tags };
  for (const rule of axe._audit.rules) {
    if (o.disable.includes(rule.id) || (!o.best && rule.tags.includes('best-practice'))) options.rules[rule.id] = { enabled: false };
  }
  if (o.rules.length) options.runOnly.values = o.rules.filter((id) => !o.disable.includes(id));
  return options;
}

// contextOf is axe's context. In the page itself it is made from selectors, each of
// which must find something; in a frame the parent's run has made it.
function contextOf(o) {
  if (o.context) return o.context;
  if (!o.include.length && !o.exclude.length) return undefined;
  const unmatched = [];
  const entry = (path) => {
    let found = [];
    try { found = all(document, path[0][0]); } catch (bad) { throw new TypeError('no selector: ' + path[0][0]); }
    if (!found.length) unmatched.push(path[0][0]);
    const steps = path.map((s) => (s.length > 1 ? s : s[0]));
    return path.length > 1 ? { fromFrames: steps } : path[0].length > 1 ? { fromShadowDom: path[0] } : path[0][0];
  };
  const context = {};
  if (o.include.length) context.include = o.include.map(entry);
  if (unmatched.length) throw new RangeError('nothing matches ' + unmatched[0]);
  if (o.exclude.length) context.exclude = o.exclude.map(entry);
  return context;
}

// axe divides the page into cells of 200 pixels. An element of a thousand million
// pixels, as some pages push aside or hide with, would have it fill all memory: in
// this world such elements have the size that is the most a page can need.
const HUGE = 100000;

function bound(e) {
  const cutRect = (r) => {
    const x = Math.max(-HUGE, Math.min(r.x, HUGE));
    const y = Math.max(-HUGE, Math.min(r.y, HUGE));
    return new DOMRect(x, y, Math.min(r.width, HUGE), Math.min(r.height, HUGE));
  };
  pierced.push(e);
  Object.defineProperty(e, 'getBoundingClientRect', { configurable: true, value: () => cutRect(rectOf(e)) });
  Object.defineProperty(e, 'getClientRects', { configurable: true, value: () => Array.from(Element.prototype.getClientRects.call(e)).slice(0, 1000).map(cutRect) });
}

function boundHuge() {
  for (const r of roots()) for (const e of all(r, '*')) {
    const box = rectOf(e);
    if (box.width > HUGE || box.height > HUGE) bound(e);
  }
  for (const cell of deep('td[rowspan],th[rowspan]')) {
    const table = closest(cell, 'table');
    if (cell.rowSpan <= 1000 || !table) continue;
    pierced.push(cell); // it cannot reach further than the table has rows
    Object.defineProperty(cell, 'rowSpan', { configurable: true, value: Math.min(cell.rowSpan, table.rows.length) });
  }
}

// axeRun runs the rules in this document and keeps what they found. It returns the
// frames whose documents have to be looked at as well.
async function axeRun(o) {
  const axe = globalThis.legworkAxe;
  let end = 0; // of the time for the rules: looking at the tree does not count
  current = {
    frame: o.frame, offset: o.offset, raw: [], skipped: [], unexamined: new Set(), looked: new Map(), dropped: [],
    over: () => performance.now() > (end = end || performance.now() + o.limit), partial: null, options: null,
  };
  salvage(axe); // an earlier run in this document may have been ended half way
  current.raw = [];
  boundHuge();
  orderRules(axe);
  watchRules(axe);
  const options = optionsFor(axe, o);
  const context = contextOf(o);
  current.options = options;
  let frames = [];
  if (o.frames && deep('iframe,frame').length) {
    frames = axe.utils.getFrameContexts(context === undefined ? document : context, options);
    axe.teardown();
  }
  const began = current;
  const partial = await axe.runPartial(context === undefined ? document : context, options);
  began.partial = partial;
  return { frames, ...limits(began) };
}

// salvage makes a partial result of the rules that finished before axe was ended.
function salvage(axe) {
  if (!axe._running && !axe._tree) return;
  if (current && current.raw.length) {
    try {
      const results = axe.utils.nodeSerializer.mapRawResults(current.raw.filter(Boolean));
      current.partial = { results, frames: [], environmentData: axe.utils.getEnvironmentData() };
    } catch (broken) { current.partial = null; }
  }
  axe._running = false;
  axe.teardown();
}

const limits = (run) => ({ skipped: run.skipped, unexamined: [...run.unexamined], dropped: run.dropped });

// axeRescue is asked for after a run was ended from outside.
function axeRescue() {
  const ran = new Set(current.raw.filter(Boolean).map((r) => r.id));
  salvage(globalThis.legworkAxe);
  const wanted = globalThis.legworkAxe._audit.rules.filter((r) => axeWants(r, current.options)).map((r) => r.id);
  current.skipped = wanted.filter((id) => !ran.has(id));
  return { frames: [], rescued: !!current.partial, ...limits(current) };
}

function axeWants(rule, options) {
  const only = options.runOnly;
  if (only && only.type === 'rule') return only.values.includes(rule.id);
  const chosen = options.rules[rule.id];
  if (chosen) return chosen.enabled;
  if (only) return rule.tags.some((t) => only.values.includes(t));
  return rule.enabled && !rule.tags.includes('experimental');
}

// axePartial is this frame's part of the result, for the document around it.
const axePartial = () => current.partial;

// dataOf are the figures behind a verdict: colours, sizes, names.
function dataOf(node) {
  const out = {};
  for (const check of [...node.any, ...node.all, ...node.none]) {
    const d = check.data;
    if (d === null || d === undefined || d === '') continue;
    if (typeof d !== 'object' || Array.isArray(d)) { if (JSON.stringify(d).length < 500) out[check.id] = d; continue; }
    for (const [k, v] of Object.entries(d)) if (v !== null && JSON.stringify(v || '').length < 500) out[k] = v;
  }
  return out;
}

const flat = (target) => target.map((t) => (Array.isArray(t) ? t.join(' >>> ') : t));

function nodeOf(node) {
  const at = node.legwork || {};
  const xpath = node.xpath || [];
  const last = xpath[xpath.length - 1];
  return {
    html: node.html || '', xpath: Array.isArray(last) ? last.join('') : String(last || ''), selector: flat(node.target).join(' | '),
    impact: node.impact || '', summary: node.failureSummary || '', data: dataOf(node), box: at.box, frame: at.frame || '', unsure: !!at.unsure,
  };
}

function ruleOf(result) {
  return {
    id: result.id, impact: result.impact || '', help: result.help, description: result.description, helpUrl: result.helpUrl,
    tags: result.tags, nodes: result.nodes.map(nodeOf), error: result.error ? String(result.error.message || result.error) : '',
  };
}

// axeFinish puts the parts of all frames together. A null stands for a frame that
// could not be looked at.
async function axeFinish(o) {
  const axe = globalThis.legworkAxe;
  const rank = new Map(axe.legworkOrder.map((id, i) => [id, i]));
  const out = await axe.finishRun([current.partial, ...o.partials], current.options);
  const inOrder = (list) => list.sort((a, b) => rank.get(a.id) - rank.get(b.id));
  const ran = [...out.violations, ...out.incomplete, ...out.passes, ...out.inapplicable].map((r) => r.id);
  current = null;
  return {
    violations: inOrder(out.violations).map(ruleOf), incomplete: inOrder(out.incomplete).map(ruleOf),
    passes: out.passes.length, rules: Array.from(new Set(ran)).sort(),
  };
}

// axeFrame is the element of a frame that axe has named.
const axeFrame = (selector) => globalThis.legworkAxe.utils.shadowSelect(selector);

// contentBox is where the document of a frame begins in this one.
function contentBox(e, offset) {
  const r = rectOf(e);
  const at = offset || { x: scrollX, y: scrollY };
  const style = getComputedStyle(e);
  return { x: r.x + e.clientLeft + parseFloat(style.paddingLeft) + at.x, y: r.y + e.clientTop + parseFloat(style.paddingTop) + at.y };
}
