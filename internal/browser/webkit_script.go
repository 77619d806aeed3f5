package browser

// There is no world of its own for a driver's scripts: they run in the page's. What
// the program keeps in a document hangs on the document under a symbol whose name
// nobody can guess, in a property that no loop finds and no script changes. A page
// that goes looking for it (Object.getOwnPropertySymbols) can find it, and a page that
// replaced the language's own functions before the first call is believed what it
// says. Neither gives it anything that it did not have: the network guard is outside,
// and what is read back is always the page's word.
//
// Scripts get {key, ...} as their first argument. Data is never part of the text.

// worldScript finds or makes the world of the document.
const worldScript = `
const mark = Symbol.for(arguments[0].key);
const worldOf = (d) => {
	if (!d[mark]) {
		const frames = new Map(), names = new WeakMap(), token = performance.timeOrigin.toString(36) + Math.random().toString(36).slice(2);
		Object.defineProperty(d, mark, { value: {
			token, scope: Object.create(null), ready: false, results: new Map(), frames, names, count: 0,
			parse: JSON.parse, text: JSON.stringify, later: setTimeout.bind(window),
			nameOf(e) {
				if (!names.has(e)) { names.set(e, token + '.' + ++this.count); frames.set(names.get(e), e); }
				return names.get(e);
			},
		} });
		if (d === document) for (const kind of ['alert', 'confirm']) { // the protocol does not tell which it is
			window[kind] = new Proxy(window[kind], { apply(box, self, args) {
				d[mark].box = kind;
				return Reflect.apply(box, self, args);
			} });
		}
	}
	return d[mark];
};
const world = worldOf(document);
`

// callScript runs a function and waits a slice for the promise that it may return.
// What came of it is kept until the program says that it has it: a message box makes
// the driver lose the answer.
const (
	callScript = worldScript + `
const call = arguments[0], done = arguments[1];
for (const id of call.had) world.results.delete(id);
if (!world.ready) { done({ missing: true }); return; }
const said = (e) => String(e && e.stack && e.message !== undefined ? e.name + ': ' + e.message : e);
const entry = { outcome: null, wake: null };
const settle = (outcome) => { entry.outcome = outcome; if (entry.wake) entry.wake(); };
world.results.set(call.id, entry);
try {
	let value;
	with (world.scope) { value = (function (globalThis) { return (`
	callScriptEnd = `); })(world.scope)(world.parse(call.arg)); }
	const kept = (v) => call.frame
		? (v && v.contentWindow !== undefined && /^i?frame$/i.test(v.tagName) ? { frame: world.nameOf(v) } : { frame: '', tag: v ? String(v.tagName) : '' })
		: { value: v === undefined ? '' : world.text(v) };
	if (value && typeof value.then === 'function') value.then((v) => settle(kept(v)), (e) => settle({ thrown: said(e) }));
	else settle(kept(value));
} catch (e) { settle({ thrown: said(e) }); }
` + awaitScript

	// takeScript asks again for what came of a call.
	takeScript = worldScript + `
const call = arguments[0], done = arguments[1];
const entry = world.results.get(call.id);
if (!entry) { done({ gone: true }); return; }
` + awaitScript

	awaitScript = `
if (entry.outcome) { done(entry.outcome); return; }
const timer = world.later(() => { entry.wake = null; done({ waiting: true }); }, call.slice);
entry.wake = () => { entry.wake = null; done(entry.outcome); };
`
)

// installScript runs the scripts of the tab in a document that has not had them.
const (
	installScript    = worldScript + "if (world.ready) return; world.ready = true; (function (globalThis) {\n"
	installScriptEnd = "\n})(world.scope);"
)

// framesScript lists the frames of the document, and of the documents in them that it
// may look into; the others are marked as foreign.
const framesScript = worldScript + `
const list = (d) => {
	const out = [];
	if (!d.defaultView || !d.defaultView.length) return out;
	const w = worldOf(d);
	const walk = (root) => {
		for (const e of root.querySelectorAll('*')) {
			if (e.shadowRoot) walk(e.shadowRoot);
			if (!/^i?frame$/i.test(e.tagName) || !e.contentWindow) continue;
			const f = { id: w.nameOf(e), name: e.name || '', foreign: false, url: '', token: '', frames: [] };
			let inner = null;
			try { inner = e.contentDocument; } catch (refused) { inner = null; }
			if (!inner) f.foreign = true;
			else { f.url = inner.URL; f.token = worldOf(inner).token; f.frames = list(inner); }
			out.push(f);
		}
	};
	walk(d);
	return out;
};
return { token: world.token, url: location.href, state: document.readyState, empty: !document.body || !document.body.firstChild, frames: list(document) };
`

// frameScript gives the frame element of a name, if it is still in the document.
const frameScript = worldScript + `
const e = world.frames.get(arguments[0].frame);
return e && e.isConnected ? e : null;
`

// offsetScript tells where the content of a frame begins in the viewport, after it was
// scrolled into view: a click into a frame that is out of sight misses.
const offsetScript = worldScript + `
const e = world.frames.get(arguments[0].frame);
if (!e || !e.isConnected) return null;
const seen = (r) => r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth;
if (!seen(e.getBoundingClientRect())) e.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
const r = e.getBoundingClientRect(), s = getComputedStyle(e);
return { x: r.left + e.clientLeft + parseFloat(s.paddingLeft), y: r.top + e.clientTop + parseFloat(s.paddingTop) };
`

// boxScript tells which kind of message box the document opened last.
const boxScript = worldScript + "return world.box || '';"
