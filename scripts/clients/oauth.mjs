// Lets the official TypeScript clients log in to a protected server and use it: registration, code flow with PKCE, step-up, renewal.
// Usage: node oauth.mjs CLIENTS_DIR SERVER_URL ISSUER_URL CALLBACK
// The issuer is scripts/issuers/provider.mjs, whose login pages are filled in here as a browser would. Prints a line a check.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import assert from 'node:assert/strict';

const [clientsDir, base, issuer, callback] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(resolve(clientsDir), 'package.json')));
const load = async name => import(pathToFileURL(require.resolve(name)));
const kits = {
  v1: {
    ...(await load('@modelcontextprotocol/sdk/client/index.js')), ...(await load('@modelcontextprotocol/sdk/client/streamableHttp.js')),
    ...(await load('@modelcontextprotocol/sdk/client/auth.js')),
  },
  v2: await load('@modelcontextprotocol/client'),
};
const wizard = 'ssa-quick-calculator';

// A browser's part of a login: cookies, redirects and two forms. Returns the address at which it ends, that of the client.
async function logIn(from, user) {
  const cookies = new Map();
  let at = new URL(from), form;
  for (let step = 0; step < 20; step++) {
    const res = await fetch(at, {
      redirect: 'manual', method: form ? 'POST' : 'GET', body: form, headers: { cookie: [...cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
    });
    for (const line of res.headers.getSetCookie()) {
      const [name, ...value] = line.split(';')[0].split('=');
      cookies.set(name, value.join('='));
    }
    form = undefined;
    const to = res.headers.get('location');
    if (to) {
      at = new URL(to, at);
      if (at.href.startsWith(callback)) return at.searchParams;
      continue;
    }
    const page = await res.text();
    assert.ok(res.ok && at.pathname.startsWith('/interaction/'), `the login ends at ${at.pathname} with ${res.status}: ${page.slice(0, 500)}`);
    form = new URLSearchParams(page.includes('value="consent"') ? { prompt: 'consent' } : { prompt: 'login', login: user, password: 'not checked' });
  }
  throw new Error('the login goes round in circles');
}

// What an application gives the client: where it keeps tokens, and a browser.
function provider() {
  const kept = { logins: [] };
  return {
    kept, redirectUrl: callback,
    clientMetadata: {
      client_name: 'test', redirect_uris: [callback], token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
    },
    clientInformation: () => kept.client, saveClientInformation: c => { kept.client = c; },
    tokens: () => kept.tokens, saveTokens: t => { kept.tokens = t; },
    codeVerifier: () => kept.verifier, saveCodeVerifier: v => { kept.verifier = v; },
    saveDiscoveryState: s => { kept.discovery = s; }, discoveryState: () => kept.discovery,
    async redirectToAuthorization(url) {
      kept.logins.push(url.searchParams);
      kept.answer = await logIn(url, 'alice');
      assert.equal(kept.answer.get('iss'), issuer);
    },
  };
}

// What every application does: when a call needs a login, finish it and call again.
async function withLogin(kit, transport, auth, work) {
  try {
    return await work();
  } catch (err) {
    if (!(err instanceof kit.UnauthorizedError)) throw err;
    await transport.finishAuth(kit === kits.v2 ? auth.kept.answer : auth.kept.answer.get('code'));
    return work();
  }
}

async function connect(kit, url, auth, options) {
  const transport = new kit.StreamableHTTPClientTransport(new URL(url), { authProvider: auth });
  const client = new kit.Client({ name: 'test', version: '1' }, options);
  await client.connect(transport);
  return { client, transport, call: work => withLogin(kit, transport, auth, () => work(client)) };
}

async function logsIn(kit, url, options) {
  const auth = provider();
  const c = await connect(kit, url, auth, options);
  const { tools } = await c.call(client => client.listTools());
  assert.ok(tools.some(t => t.name === 'federalrunner_execute_wizard'));
  assert.equal(auth.kept.logins.length, 1);
  await c.client.close();
}

// A token that only reads: the run is refused, the client asks for more by itself, and the same session goes on. The client is the
// registered one, since one that registers itself may only ever ask for what it asked for first. It keeps no refresh token: SDK v1
// would renew the token as it is, and give up when that does not help.
async function stepsUp(kit, url, options) {
  const auth = provider();
  auth.kept.client = { client_id: 'app' };
  auth.saveTokens = ({ refresh_token, ...rest }) => { auth.kept.tokens = rest; };
  const scope = 'federalrunner:read';
  assert.equal(await kit.auth(auth, { serverUrl: url, scope }), 'REDIRECT');
  const answer = auth.kept.answer;
  const finished = kit === kits.v2 ? { authorizationCode: answer.get('code'), iss: answer.get('iss') } : { authorizationCode: answer.get('code') };
  assert.equal(await kit.auth(auth, { serverUrl: url, scope, ...finished }), 'AUTHORIZED');
  const c = await connect(kit, url, auth, options);
  const { tools } = await c.client.listTools();
  assert.ok(!tools.some(t => t.name === 'federalrunner_execute_wizard'), 'a reader is offered the run');
  const info = await c.client.callTool({ name: 'federalrunner_get_wizard_info', arguments: { wizard_id: wizard } });
  const session = c.transport.sessionId;
  const run = await c.call(client => client.callTool({
    name: 'federalrunner_execute_wizard', arguments: { wizard_id: wizard, user_data: info.structuredContent.example },
  }));
  assert.equal(run.structuredContent.status, 'success', JSON.stringify(run.structuredContent).slice(0, 2000));
  assert.equal(c.transport.sessionId, session);
  assert.equal(auth.kept.logins.length, 2);
  await c.client.close();
}

// A token that the server refuses is renewed without a login, and the same session goes on.
async function renews(kit, url, options) {
  const auth = provider();
  const c = await connect(kit, url, auth, options);
  await c.call(client => client.listTools());
  const session = c.transport.sessionId;
  const spoilt = auth.kept.tokens.access_token.replace(/.{8}$/, 'AAAAAAAA');
  auth.kept.tokens = { ...auth.kept.tokens, access_token: spoilt };
  await c.client.callTool({ name: 'federalrunner_list_wizards', arguments: {} });
  assert.notEqual(auth.kept.tokens.access_token, spoilt);
  assert.equal(auth.kept.logins.length, 1);
  assert.equal(c.transport.sessionId, session);
  await c.client.close();
}

let failed = 0;
async function check(name, work) {
  try {
    await work();
    console.log(`ok   ${name}`);
  } catch (err) {
    failed++;
    console.log(`FAIL ${name}\n${err.stack}`);
  }
}

const eras = [['SDK v1', kits.v1, {}], ['SDK v2, sessions', kits.v2, { versionNegotiation: { mode: 'legacy' } }],
  ['SDK v2, 2026-07-28', kits.v2, { versionNegotiation: { mode: { pin: '2026-07-28' } } }]];
for (const [name, kit, options] of eras) {
  for (const path of ['', '/', '/mcp', '/mcp/runner']) await check(`${name} logs in at "${path}"`, () => logsIn(kit, base + path, options));
  await check(`${name} steps up`, () => stepsUp(kit, `${base}/`, options));
  await check(`${name} renews its token`, () => renews(kit, `${base}/mcp`, options));
}
process.exitCode = failed ? 1 : 0;
