// Runs foreign MCP clients against the real program over stdio and HTTP: the official TypeScript client of both
// protocol eras and the Inspector's command line. Usage: node check.mjs BINARY CLIENTS_DIR
import { spawn, execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import assert from 'node:assert/strict';

const binary = resolve(process.argv[2]);
const clients = resolve(process.argv[3]);
const require = createRequire(pathToFileURL(join(clients, 'package.json')));
const load = async name => import(pathToFileURL(require.resolve(name)));
const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'legwork-clients-'));
const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() };

const legacy = {
  ...(await load('@modelcontextprotocol/sdk/client/index.js')),
  ...(await load('@modelcontextprotocol/sdk/client/stdio.js')),
  ...(await load('@modelcontextprotocol/sdk/client/streamableHttp.js')),
};
const modern = { ...(await load('@modelcontextprotocol/client')), ...(await load('@modelcontextprotocol/client/stdio')) };

const port = await new Promise((done, fail) => {
  const s = createServer().on('error', fail).listen(0, '127.0.0.1', () => {
    const { port } = s.address();
    s.close(() => done(port));
  });
});
const url = `http://127.0.0.1:${port}/`;
const server = spawn(binary, ['http', '--addr', `127.0.0.1:${port}`], { env, stdio: ['ignore', 'ignore', 'pipe'] });
let log = '';
server.stderr.on('data', d => { log += d; });
const deadline = Date.now() + 60_000;
for (;;) {
  const up = await fetch(url + 'health').then(r => r.ok, () => false);
  if (up) break;
  assert.ok(Date.now() < deadline && server.exitCode === null, `legwork http did not come up:\n${log}`);
  await new Promise(r => setTimeout(r, 50));
}

// "/" has the runner's tools, stdio those of all servers.
const names = ['federalrunner_escalate_run', 'federalrunner_execute_wizard', 'federalrunner_get_run', 'federalrunner_get_wizard_info',
  'federalrunner_list_wizards', 'federalrunner_validate_user_data'];
const scans = ['cancel_scan', 'compare_scans', 'generate_report', 'get_page', 'get_results', 'get_summary', 'list_scans', 'scan', 'scan_status']
  .map(name => `cwac_${name}`);
const tests = ['answer_request', 'await_event', 'call_tool', 'check_server', 'complete', 'connect_to_server', 'disconnect', 'get_connection_status', 'get_prompt', 'get_transcript',
  'list_prompts', 'list_resources', 'list_tools', 'read_resource', 'record_suite', 'run_suite', 'snapshot'];
const bounties = ['accept_application', 'approve_bounty_completion', 'call_human_fast', 'cancel_bounty', 'connect_agent_account', 'create_bounty',
  'extend_deadline', 'get_bounty', 'get_conversation', 'list_applications', 'list_bounties', 'open_dispute', 'rate_human',
  'reject_bounty_completion', 'request_revision', 'search_humans', 'send_message', 'start_conversation', 'wait_for_bounty'];
const all = [...scans, ...names, ...tests, ...bounties, ...['click_element', 'close_session', 'complete_discovery', 'draft_page', 'execute_actions', 'get_page_info',
  'list_sessions', 'probe_page', 'resume_session', 'save_page_metadata', 'save_schema', 'start_discovery', 'undo_or_goto']
  .map(name => `federalscout_${name}`)].sort();

// One client: list, call, validate against the output schema (the SDK does), and recover from an error by its text.
async function exercise(kit, transport, expected, options) {
  const client = new kit.Client({ name: 'check', version: '1' }, options);
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(t => t.name).sort(), expected);
    const list = await client.callTool({ name: 'federalrunner_list_wizards', arguments: {} });
    assert.equal(list.structuredContent.count, 4);
    const info = await client.callTool({ name: 'federalrunner_get_wizard_info', arguments: { wizard_id: 'ssa-quick-calculator.json' } });
    const example = info.structuredContent.example;
    const wrong = await client.callTool({ name: 'federalrunner_get_wizard_info', arguments: { wizard_id: 'ssa-quick-calc' } });
    assert.ok(wrong.isError && wrong.content.at(-1).text.includes('ssa-quick-calculator'), 'the error names the wizards there are');
    const answer = await client.callTool({ name: 'federalrunner_execute_wizard', arguments: { wizard_id: 'ssa-quick-calculator', user_data: example } });
    assert.equal(answer.structuredContent.status, 'success', JSON.stringify(answer.structuredContent).slice(0, 2000));
    assert.ok(answer.content.some(c => c.type === 'image'), 'pictures are image blocks');
    assert.equal(answer.content.filter(c => c.type === 'image').length, answer.structuredContent.screenshots_included);
  } finally {
    await client.close();
  }
}

let failed = 0, passed = 0;
async function check(name, work) {
  try {
    await work();
    passed++;
    console.log(`ok   ${name}`);
  } catch (err) {
    failed++;
    console.log(`FAIL ${name}\n${err.stack}`);
  }
}

const stdio = kit => new kit.StdioClientTransport({ command: binary, args: ['stdio'], env, stderr: 'ignore' });
const http = kit => new kit.StreamableHTTPClientTransport(new URL(url));
await check('TypeScript SDK v1 over stdio', () => exercise(legacy, stdio(legacy), all));
await check('TypeScript SDK v1 over HTTP', () => exercise(legacy, http(legacy), names));
for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
  const era = mode.pin ?? mode, options = { versionNegotiation: { mode } };
  await check(`TypeScript SDK v2 over stdio, era ${era}`, () => exercise(modern, stdio(modern), all, options));
  await check(`TypeScript SDK v2 over HTTP, era ${era}`, () => exercise(modern, http(modern), names, options));
}

const node = process.execPath;
const inspector = join(clients, 'node_modules', '.bin', 'inspector');
async function inspect(target, ...args) {
  const { stdout } = await run(node, [inspector, '--cli', ...target, ...args], { env, maxBuffer: 32 << 20 });
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}
for (const [name, target, expected] of [['stdio', [binary, 'stdio'], all], ['HTTP', [url, '--transport', 'http'], names]]) {
  await check(`Inspector over ${name}`, async () => {
    const list = await inspect(target, '--method', 'tools/list', '--strict');
    assert.deepEqual(list.tools.map(t => t.name).sort(), expected);
    const res = await inspect(target, '--method', 'tools/call', '--tool-name', 'federalrunner_get_wizard_info', '--tool-arg', 'wizard_id=fsa-estimator');
    assert.ok(JSON.stringify(res).includes('json-schema.org/draft-07'), 'the contract is there');
  });
}

server.kill('SIGTERM');
await new Promise(r => server.on('exit', r));
rmSync(home, { recursive: true, force: true });
console.log(`foreign MCP clients: ${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
