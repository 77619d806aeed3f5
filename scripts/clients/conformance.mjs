// Runs the official conformance suite against the real program: with its fixtures, where every scored scenario must
// pass, and without, where the scenarios that need none must. Usage: node conformance.mjs BINARY CLIENTS_DIR DOCUMENT [--write]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';

const [binary, clients, document] = process.argv.slice(2, 5).map(p => resolve(p));
const write = process.argv[5] === '--write';
const home = mkdtempSync(join(tmpdir(), 'legwork-conformance-'));
const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() };
const suite = join(clients, 'node_modules', '@modelcontextprotocol', 'conformance');
const version = JSON.parse(readFileSync(join(suite, 'package.json'))).version;

// The suite has frozen requirements for two revisions; for the one before, all that applies to it counts.
const revisions = {
  '2025-06-18': ['--spec-version', '2025-06-18', '--suite', 'all'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2026-07-28': ['--requirements', '2026-07-28'],
};

// What a server without the fixtures must pass on every endpoint, wherever it applies.
const withoutFixtures = ['server-initialize', 'server-session-lifecycle', 'ping', 'logging-set-level', 'tools-list', 'resources-list',
  'prompts-list', 'server-sse-multiple-streams', 'dns-rebinding-protection', 'caching', 'sep-2164-resource-not-found', 'http-header-validation',
  'input-required-result-missing-input-response', 'input-required-result-unsupported-methods', 'input-required-result-ignore-extra-params',
  'input-required-result-validate-input'];

// The checks of server-stateless that need no fixture; at / less the one for prompts, which the document explains. At /mcp the bounty
// server has prompts.
const statelessPasses = { '/mcp': 24, '/': 23 };

// Starts the program on a free port and waits until it says where it listens.
async function start(...args) {
  const child = spawn(binary, ['http', '--addr', '127.0.0.1:0', ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL')); // also after an error below: nothing else would end it
  const ended = new Promise(done => child.on('exit', done));
  let log = '';
  const address = await new Promise((done, fail) => {
    child.on('error', fail);
    ended.then(() => fail(new Error(`legwork http ended:\n${log}`)));
    child.stderr.on('data', d => {
      log += d;
      const found = /"msg":"listening".*"address":"([^"]+)"/.exec(log);
      if (found) done(found[1]);
    });
  });
  return {
    url: `http://${address}`,
    stop: async () => {
      assert.equal(child.exitCode, null, `legwork http ended under the suite:\n${log.slice(-4000)}`);
      child.kill('SIGTERM');
      assert.equal(await ended, 0, `legwork http did not stop cleanly:\n${log.slice(-4000)}`);
    },
  };
}

// Runs one set of requirements and returns what each scenario found.
async function run(url, revision) {
  const out = mkdtempSync(join(home, 'run-'));
  const child = spawn(process.execPath, [join(suite, 'dist', 'index.js'), 'server', '--url', url, ...revisions[revision], '-o', out],
    { env, cwd: out, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  let text = '';
  child.stdout.on('data', d => { text += d; });
  child.stderr.on('data', d => { text += d; });
  const code = await new Promise((done, fail) => child.on('error', fail).on('close', done));
  const unscored = Object.fromEntries([...text.matchAll(/^ {2}[✓✗] (\S+) \((\S+)\)$/gm)].map(m => [m[1], m[2]]));
  const scenarios = {};
  for (const dir of readdirSync(out)) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(dir)?.[1];
    if (!name) continue;
    const checks = JSON.parse(readFileSync(join(out, dir, 'checks.json')));
    const count = status => checks.filter(c => c.status === status).length;
    scenarios[name] = {
      unscored: unscored[name], passed: count('SUCCESS'), warned: count('WARNING'),
      failed: checks.filter(c => c.status === 'FAILURE').map(c => `${name} ${c.id}: ${(c.errorMessage ?? '').slice(0, 300)}`),
    };
  }
  for (const [, name] of text.matchAll(/^[✓✗] (\S+): \d+ passed/gm)) assert.ok(scenarios[name], `no results of ${name}`);
  assert.ok(Object.keys(scenarios).length > 20, `the suite ran nothing:\n${text.slice(-4000)}`);
  return { code, scenarios };
}

const problems = [];
function problem(text) {
  problems.push(text);
  console.log(`FAIL ${text}`);
}

const sum = (results, keep, value) => Object.values(results).filter(keep).reduce((n, r) => n + value(r), 0);

async function withFixtures() {
  const server = await start('--conformance-fixtures');
  const all = {};
  for (const revision of Object.keys(revisions)) {
    const { code, scenarios } = await run(`${server.url}/mcp`, revision);
    all[revision] = scenarios;
    const scored = r => !r.unscored;
    const failed = Object.values(scenarios).filter(scored).flatMap(r => r.failed);
    failed.forEach(f => problem(`${revision} ${f}`));
    if (code !== 0 && failed.length === 0) problem(`${revision}: the suite ended with ${code}`);
    const others = Object.entries(scenarios).filter(([, r]) => r.unscored && r.failed.length > 0).map(([name]) => name);
    console.log(`${failed.length ? 'FAIL' : 'ok  '} ${revision} with fixtures: ${Object.values(scenarios).filter(scored).length} scored scenarios, ` +
      `${sum(scenarios, scored, r => r.passed)} checks passed, ${failed.length} failed` + (others.length ? `; not scored and failing: ${others.join(', ')}` : ''));
  }
  await server.stop();
  return all;
}

async function ordinary() {
  const server = await start();
  const all = {};
  for (const path of ['/mcp', '/']) {
    for (const revision of Object.keys(revisions)) {
      const { scenarios } = await run(server.url + path, revision);
      (all[path] ??= {})[revision] = scenarios;
      const must = withoutFixtures.filter(name => scenarios[name]);
      must.flatMap(name => scenarios[name].failed).forEach(f => problem(`${revision} at ${path} ${f}`));
      const stateless = scenarios['server-stateless'];
      if (stateless && stateless.passed !== statelessPasses[path]) {
        problem(`${revision} at ${path} server-stateless: ${stateless.passed} checks passed, not ${statelessPasses[path]}\n  ${stateless.failed.join('\n  ')}`);
      }
      console.log(`ok   ${revision} without fixtures at ${path}: ${must.length} scenarios need none, ${sum(scenarios, () => true, r => r.passed)} checks passed`);
    }
  }
  await checked(server.url);
  await server.stop();
  const alike = path => plainTable(all[path]).replace(/^\| server-stateless .*$/m, '');
  assert.equal(alike('/mcp'), alike('/'), 'both endpoints answer alike');
  return all['/'];
}

// Has the program's own check run the suite, and read it: both revisions, and no failure.
async function checked(url) {
  const args = ['check', '--json', '--no-probes', '--conformance', '--conformance-dir', clients, `${url}/mcp`];
  const child = spawn(binary, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000 });
  let out = '', log = '';
  child.stdout.on('data', d => { out += d; });
  child.stderr.on('data', d => { log += d; });
  await new Promise((done, fail) => child.on('error', fail).on('close', done));
  assert.ok(out, `legwork check said nothing:\n${log}`);
  const report = JSON.parse(out);
  const steps = report.steps.filter(s => s.name === 'conformance');
  assert.equal(steps.length, Object.keys(revisions).length - 1, `legwork check ran the suite:\n${log}`);
  for (const s of steps) assert.match(s.detail, /: [1-9]\d* checks passed/);
  const found = report.findings.filter(f => f.rule === 'conformance' && f.severity === 'error');
  found.forEach(f => problem(`legwork check: ${f.subject} ${f.title} ${f.evidence}`));
  if (!found.length) console.log(`ok   legwork check runs the suite: ${steps.map(s => s.detail).join('; ')}`);
}

// What a cell of the tables says.
function cell(r) {
  if (!r) return '';
  const total = r.passed + r.failed.length;
  return (total === 0 ? 'nothing to check' : `${r.passed}/${total}`) + (r.warned ? `, ${r.warned} advice` : '') + (r.unscored ? ` (${r.unscored})` : '');
}

function table(results, keep) {
  const names = [...new Set(Object.values(results).flatMap(Object.keys))].filter(keep).sort();
  const head = Object.keys(revisions);
  return [`| scenario | ${head.join(' | ')} |`, `|---|${head.map(() => '---|').join('')}`,
    ...names.map(n => `| ${n} | ${head.map(r => cell(results[r][n])).join(' | ')} |`)].join('\n');
}

const plainTable = results => table(results, n => withoutFixtures.includes(n) || n === 'server-stateless');

function tables(fixtures, plain) {
  const totals = Object.entries(fixtures).map(([revision, scenarios]) => {
    const scored = r => !r.unscored;
    return `| ${revision} | ${Object.values(scenarios).filter(scored).length} | ${sum(scenarios, scored, r => r.passed)} | ${sum(scenarios, scored, r => r.failed.length)} |`;
  });
  return [`Suite ${version}.`, '', '### With the fixtures, at `/mcp`', '', '| revision | scored scenarios | checks passed | checks failed |', '|---|---|---|---|', ...totals,
    '', table(fixtures, () => true), '', '### Without the fixtures', '', 'At `/`; the same at `/mcp`, with one check of `server-stateless` more:', '',
    plainTable(plain)].join('\n');
}

try {
  const fixtures = await withFixtures();
  const plain = await ordinary();
  const [begin, end] = ['<!-- results, written by scripts/conformance.sh --write -->', '<!-- end of the results -->'];
  const text = readFileSync(document, 'utf8');
  const [before, rest] = text.split(begin), [, after] = rest.split(end);
  const fresh = `${before}${begin}\n${tables(fixtures, plain)}\n${end}${after}`;
  if (write) {
    writeFileSync(document, fresh);
  } else if (fresh !== text) {
    const old = new Set(text.split('\n'));
    problem(`docs/conformance.md is out of date (scripts/conformance.sh --write). New lines:\n${fresh.split('\n').filter(l => !old.has(l)).join('\n')}`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
console.log(problems.length ? `conformance: ${problems.length} problems` : 'conformance: all scored scenarios pass');
process.exitCode = problems.length ? 1 : 0;
