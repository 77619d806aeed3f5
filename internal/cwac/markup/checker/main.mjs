// Checks the source of an HTML document against the HTML standard: parse errors by
// parse5, content models, attributes and references by html-validate.
import { HtmlValidate, StaticConfigLoader } from 'html-validate/browser';
import { parse } from 'parse5';

// html-validate's preset "standard" holds what the standard demands. Off are what
// parse5 reports by the standard's own names, and what is about html-validate itself.
// On are two demands of the standard that the preset lacks. IDs and labels are checked
// below: html-validate takes quadratic time for them.
const rules = {
  'attr-spacing': 'off',
  'close-attr': 'off',
  'deprecated-rule': 'off',
  'doctype-html': 'off',
  'empty-title': 'error', // 4.2.2
  'input-attributes': 'error', // 4.10.5
  'no-dup-attr': 'off',
  'no-dup-id': 'off',
  'no-raw-characters': 'off',
  'no-unused-disable': 'off',
  'unrecognized-char-ref': 'off',
  'multiple-labeled-controls': 'off',
  'valid-for': 'off',
};

// The standard does not demand a title of frames; that is for the accessibility audit.
const untitled = {
  frame: { attributes: { title: { required: false } } },
  iframe: { attributes: { title: { required: false } } },
};

const checker = new HtmlValidate(
  new StaticConfigLoader({ root: true, extends: ['html-validate:standard'], elements: ['html5', untitled], rules }),
);

// once leaves out what is said twice: the end tag of an element around one that was
// left open, and that an obsolete element is no permitted content.
function once(messages) {
  const obsolete = new Set(messages.filter((m) => m.ruleId === 'deprecated').map((m) => m.offset));
  return (m) =>
    !(m.ruleId === 'close-order' && /seen but there were open elements/.test(m.message)) &&
    !(m.ruleId === 'element-permitted-content' && obsolete.has(m.offset));
}

const maxRepairs = 40;

// models are the findings of html-validate. Its parser stops where it cannot go on; the
// character there is blanked, and it starts again, so that the rest is checked too.
function models(source, solidi) {
  // comments in the document must not steer the checker
  let text = source.replaceAll('[html-validate-', '[html_validate-').replace(/^\s*<\?xml[^>]*>/, (s) => ' '.repeat(s.length));
  // it takes an element that ends with /> for closed, browsers do not
  const parts = [];
  let from = 0;
  for (const end of solidi) {
    if (end - 2 < from || text.slice(end - 2, end) !== '/>') continue;
    parts.push(text.slice(from, end - 2), ' ');
    from = end - 1;
  }
  text = parts.join('') + text.slice(from);
  let last = -1;
  for (let n = 0; ; n++) {
    const messages = checker.validateStringSync(text).results.flatMap((r) => r.messages);
    const stop = messages.find((m) => m.ruleId === 'parser-error');
    if (!stop) return { messages: messages.filter(once(messages)) };
    if (n === maxRepairs || stop.offset <= last) {
      return { messages: messages.filter((m) => m !== stop), stopped: { line: stop.line, column: stop.column } };
    }
    last = stop.offset;
    text = text.slice(0, last) + ' ' + text.slice(last + 1);
  }
}

// references are the attributes whose values are IDs of elements in the same tree:
// of HTML, and of ARIA (WAI-ARIA 1.2, 6.2.4).
const references = new Set(
  ('for list form headers itemref popovertarget commandfor aria-activedescendant aria-controls aria-describedby ' +
    'aria-details aria-errormessage aria-flowto aria-labelledby aria-owns').split(' '),
);

const labelable = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']); // 4.10.2

// survey walks the tree: it finds IDs that two elements have, and references to IDs
// that none has. What is in a template is a tree of its own and not looked at. It
// returns how many elements there are and how deep they are nested.
function survey(document, report) {
  const ids = new Map();
  const wanted = [];
  const stack = [[document, 0]];
  let elements = 0;
  let deepest = 0;
  while (stack.length) {
    const [node, depth] = stack.pop();
    if (node.attrs) elements++;
    deepest = Math.max(deepest, depth);
    for (const { name, value } of node.attrs ?? []) {
      const at = node.sourceCodeLocation?.attrs?.[name];
      if (name === 'id') {
        if (ids.has(value)) report('no-dup-id', at, `The ID "${value}" is that of an earlier element`);
        else ids.set(value, node);
      } else if (references.has(name)) {
        for (const id of value.split(/[\t\n\f\r ]+/)) if (id) wanted.push({ id, name, at, node });
      }
    }
    for (let i = (node.childNodes?.length ?? 0) - 1; i >= 0; i--) stack.push([node.childNodes[i], depth + 1]);
  }
  for (const { id, name, at, node } of wanted) {
    const target = ids.get(id);
    if (!target) report('no-missing-references', at, `${name} refers to "${id}", but no element has this ID`);
    else if (name === 'for' && node.tagName === 'label' && !canBeLabelled(target)) {
      report('valid-for', at, `The label is for "${id}", a <${target.tagName}>, which cannot have a label`);
    }
  }
  return { elements, deepest };
}

function canBeLabelled(node) {
  if (node.tagName.includes('-')) return true; // it may be a form-associated custom element
  const hidden = node.attrs.some((a) => a.name === 'type' && a.value.toLowerCase() === 'hidden');
  return labelable.has(node.tagName) && !(node.tagName === 'input' && hidden);
}

// excerpt is the tag at an offset, or the text around it.
function excerpt(source, offset) {
  const open = source.lastIndexOf('<', offset);
  if (open >= 0 && offset - open < 300) {
    const close = source.indexOf('>', open);
    if (close < 0 || close >= offset) return source.slice(open, close < 0 ? open + 300 : Math.min(close + 1, open + 300));
  }
  return source.slice(Math.max(0, offset - 40), offset + 80);
}

globalThis.legworkHTML = function (arg) {
  const found = [];
  const counts = {};
  const add = (rule, kind, at, message, selector, url) => {
    counts[rule] = (counts[rule] ?? 0) + 1;
    if (counts[rule] > arg.perRule || found.length >= arg.limit) return;
    found.push({
      rule, kind, message, selector: selector ?? '', url: url ?? '',
      line: at.line, column: at.column, html: excerpt(arg.source, at.offset),
    });
  };
  // close-order says the same, and names the element that was left open
  const drop = (...rules) => {
    for (const rule of rules) delete counts[rule];
    found.splice(0, found.length, ...found.filter((f) => !rules.includes(f.rule)));
  };
  const solidi = [];
  const document = parse(arg.source, {
    sourceCodeLocationInfo: true,
    onParseError: (e) => {
      add(e.code, 'parse', { line: e.startLine, column: e.startCol, offset: e.startOffset }, '');
      if (e.code === 'non-void-html-element-start-tag-with-trailing-solidus') solidi.push(e.endOffset);
    },
  });
  const size = survey(document, (rule, at, message) => {
    add(rule, 'model', { line: at?.startLine ?? 0, column: at?.startCol ?? 0, offset: at?.startOffset ?? 0 }, message);
  });
  let stopped;
  if (size.elements > arg.elements || size.deepest > arg.depth) {
    stopped = { line: 0, column: 0, error: `${size.elements} elements, ${size.deepest} deep` };
  } else {
    try {
      const r = models(arg.source, solidi);
      stopped = r.stopped;
      if (!stopped) drop('end-tag-without-matching-open-element', 'closing-of-element-with-open-child-elements');
      for (const m of r.messages) add(m.ruleId, 'model', m, m.message, m.selector, m.ruleUrl);
    } catch (e) {
      stopped = { line: 0, column: 0, error: String(e?.message ?? e).slice(0, 300) };
    }
  }
  found.sort((a, b) => a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : 1));
  return { found, counts, stopped };
};
