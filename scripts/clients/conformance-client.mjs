// Runs the client scenarios of the official conformance suite: every scored one must pass.
// Usage: node conformance-client.mjs BINARY CLIENTS_DIR DOCUMENT [--write], from the root of the repository; BINARY is relative to it,
// because the suite takes a command line apart at its spaces.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';

const [binary, clientsDir, document] = process.argv.slice(2, 5);
const write = process.argv[5] === '--write';
const suite = join(resolve(clientsDir), 'node_modules', '@modelcontextprotocol', 'conformance');
const version = JSON.parse(readFileSync(join(suite, 'package.json'))).version;
const home = mkdtempSync(join(tmpdir(), 'legwork-conformance-client-'));
const revisions = ['2025-11-25', '2026-07-28'];
const [begin, end] = ['<!-- results of the client, written by scripts/conformance-client.sh --write -->', '<!-- end of the results of the client -->'];

// The scenarios lie in folders of their names, with the time behind: some of them one level down, such as auth/.
function results(folder, prefix = '') {
  return readdirSync(folder, { withFileTypes: true }).filter(d => d.isDirectory()).flatMap(d => {
    const name = /^(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(d.name)?.[1];
    const at = join(folder, d.name);
    return name && existsSync(join(at, 'checks.json')) ? [[prefix + name, at]] : results(at, `${prefix}${d.name}/`);
  });
}

// Runs what a revision requires and returns what each scenario found.
async function run(revision) {
  const out = join(home, revision);
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() };
  const args = [join(suite, 'dist', 'index.js'), 'client', '--command', `./${binary}`, '--requirements', revision, '-o', out];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  let text = '';
  child.stdout.on('data', d => { text += d; });
  child.stderr.on('data', d => { text += d; });
  const code = await new Promise((done, fail) => child.on('error', fail).on('close', done));
  const unscored = Object.fromEntries([...text.matchAll(/^ {2}[✓✗] (\S+) \((\S+)\)$/gm)].map(m => [m[1], m[2]]));
  const scenarios = {};
  for (const [name, at] of results(out)) {
    const checks = JSON.parse(readFileSync(join(at, 'checks.json')));
    const count = status => checks.filter(c => c.status === status).length;
    const said = file => (existsSync(join(at, file)) ? readFileSync(join(at, file), 'utf8').slice(-1500) : '');
    scenarios[name] = {
      unscored: unscored[name], passed: count('SUCCESS'), warned: count('WARNING'),
      failed: checks.filter(c => c.status === 'FAILURE').map(c => `${name} ${c.id}: ${(c.errorMessage ?? c.description ?? '').slice(0, 300)}\n${said('stderr.txt')}`),
    };
  }
  const listed = [...text.matchAll(/^[✓✗] (\S+): \d+ passed/gm)].map(m => m[1]);
  for (const name of listed) assert.ok(scenarios[name], `no results of ${name}`);
  assert.ok(listed.length > 20, `the suite ran nothing:\n${text.slice(-4000)}`);
  return { code, scenarios };
}

const problems = [];
function problem(text) {
  problems.push(text);
  console.log(`FAIL ${text}`);
}

const scored = r => !r.unscored;
const sum = (results, value) => Object.values(results).filter(scored).reduce((n, r) => n + value(r), 0);

function cell(r) {
  if (!r) return '';
  const advice = r.warned ? `, ${r.warned} advice` : '';
  return `${r.passed}/${r.passed + r.failed.length}${advice}${r.unscored ? ` (${r.unscored})` : ''}`;
}

function tables(all) {
  const names = [...new Set(Object.values(all).flatMap(Object.keys))].sort();
  return [
    '| revision | scored scenarios | checks passed | checks failed |', '|---|---|---|---|',
    ...revisions.map(r => `| ${r} | ${Object.values(all[r]).filter(scored).length} | ${sum(all[r], s => s.passed)} | ${sum(all[r], s => s.failed.length)} |`), '',
    `| scenario | ${revisions.join(' | ')} |`, '|---|---|---|',
    ...names.map(n => `| ${n} | ${revisions.map(r => cell(all[r][n])).join(' | ')} |`),
  ].join('\n');
}

try {
  const all = {};
  for (const revision of revisions) {
    const { code, scenarios } = await run(revision);
    all[revision] = scenarios;
    const failed = Object.values(scenarios).filter(scored).flatMap(r => r.failed);
    failed.forEach(f => problem(`${revision} ${f}`));
    if (code !== 0 && failed.length === 0) problem(`${revision}: the suite ended with ${code}`);
    console.log(`${failed.length ? 'FAIL' : 'ok  '} ${revision} client: ${Object.values(scenarios).filter(scored).length} scored scenarios, ` +
      `${sum(scenarios, r => r.passed)} checks passed, ${failed.length} failed`);
  }
  const text = readFileSync(document, 'utf8');
  const [before, rest] = text.split(begin), [, after] = rest.split(end);
  const fresh = `${before}${begin}\nSuite ${version}.\n\n${tables(all)}\n${end}${after}`;
  if (write) {
    writeFileSync(document, fresh);
  } else if (fresh !== text) {
    const old = new Set(text.split('\n'));
    problem(`${document} is out of date (scripts/conformance-client.sh --write). New lines:\n${fresh.split('\n').filter(l => !old.has(l)).join('\n')}`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
console.log(problems.length ? `conformance of the client: ${problems.length} problems` : 'conformance of the client: all scored scenarios pass');
process.exitCode = problems.length ? 1 : 0;
