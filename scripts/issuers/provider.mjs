// An OpenID provider that behaves as Auth0 does where MCP servers meet it, on loopback, for tests: its paths, client_credentials by
// POST and by Basic, `audience` beside `resource`, dynamic registration, PKCE, introspection, revocation, JWT and opaque tokens.
// Usage: node provider.mjs CLIENTS_DIR PORT SETTINGS, where SETTINGS is JSON. POST /admin with JSON changes the settings while it
// runs: {resources: [..]} whose tokens can be had, {ttl: seconds}, {format: "jwt" | "opaque"}, {keys: "rotate" | "drop"}.
// It ends with its standard input, so that it cannot outlive the test that started it.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [clientsDir, port, given] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(resolve(clientsDir), 'package.json')));
const { Provider, errors } = await import(pathToFileURL(require.resolve('oidc-provider')));

const scopes = ['federalrunner:read', 'federalrunner:execute', 'federalscout:discover', 'cwac:read', 'cwac:scan', 'mcptest:run', 'bounty:read', 'bounty:post', 'metrics:read'];
const settings = { resources: [], ttl: 3600, format: 'jwt', secret: 'secret', redirect: 'http://127.0.0.1:9/callback', ...JSON.parse(given || '{}') };
const issuer = `http://127.0.0.1:${port}${settings.slash ? '/' : ''}`; // Auth0's names end in a slash

const machine = (id, method, scope) => ({
  client_id: id, client_secret: settings.secret, token_endpoint_auth_method: method, scope,
  grant_types: ['client_credentials'], redirect_uris: [], response_types: [],
});
const tools = scopes.slice(0, 3).join(' ');
const clients = [
  machine('machine', 'client_secret_post', tools),
  machine('machine-basic', 'client_secret_basic', tools),
  machine('other-machine', 'client_secret_post', tools),
  machine('reader', 'client_secret_post', 'federalrunner:read'),
  machine('scraper', 'client_secret_post', 'metrics:read'),
  machine('resource-server', 'client_secret_basic', 'federalrunner:read'),
  { client_id: 'app', token_endpoint_auth_method: 'none', application_type: 'native', redirect_uris: [settings.redirect],
    grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
];

let keyNumber = 0;
const newKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: `key-${process.pid}-${++keyNumber}`,
});
let keys = [newKey()];

// A provider cannot change its keys, so each change makes a new one. Both keep what they know in the same memory.
function build() {
  const p = new Provider(issuer, {
    clients, jwks: { keys }, cookies: { keys: ['for tests only'] },
    scopes: ['openid', 'offline_access', ...scopes],
    routes: { authorization: '/authorize', token: '/oauth/token', registration: '/oidc/register', introspection: '/oauth/introspect', revocation: '/oauth/revoke' },
    pkce: { required: () => true },
    ttl: { ClientCredentials: () => settings.ttl, AccessToken: () => settings.ttl },
    issueRefreshToken: async (ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    clientBasedCORS: () => true,
    features: {
      clientCredentials: { enabled: true }, introspection: { enabled: true, allowedPolicy: (ctx, client) => client.clientId === 'resource-server' },
      revocation: { enabled: true }, registration: { enabled: true }, devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true, useGrantedResource: () => true, defaultResource: () => settings.resources[0],
        getResourceServerInfo(ctx, resource) {
          if (!settings.resources.includes(resource)) throw new errors.InvalidTarget();
          return { scope: scopes.join(' '), audience: resource, accessTokenFormat: settings.format, accessTokenTTL: settings.ttl, jwt: { sign: { alg: 'RS256' } } };
        },
      },
    },
  });
  p.on('server_error', (ctx, err) => console.error('server_error', err));
  p.on('grant.error', (ctx, err) => console.error('grant.error', err.error, err.error_description));
  return p.callback();
}
let handle = build();

function change(wanted) {
  const { keys: what, ...rest } = wanted;
  Object.assign(settings, rest);
  if (what === 'rotate') keys = [newKey(), keys[0]];
  if (what === 'drop') keys = [keys[0]];
  if (what) handle = build();
}

async function bodyOf(req) {
  let text = '';
  for await (const part of req.setEncoding('utf8')) text += part;
  return text;
}

// Auth0 calls the resource `audience`, and grants all that the client may have when no scope is asked for.
function asForm(req, text) {
  const form = new URLSearchParams(text);
  if (form.has('audience')) { form.set('resource', form.get('audience')); form.delete('audience'); }
  if (form.get('grant_type') === 'client_credentials' && !form.has('scope')) {
    const basic = Buffer.from((req.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString().split(':')[0];
    const client = clients.find(c => c.client_id === (form.get('client_id') ?? basic));
    if (client) form.set('scope', client.scope);
  }
  return form;
}

const server = createServer(async (req, res) => {
  try {
    const url = new URL(req.url, issuer);
    if (url.pathname === '/admin') {
      change(JSON.parse(await bodyOf(req)));
      res.end('{}');
      return;
    }
    if (url.pathname === '/authorize' && url.searchParams.has('audience')) {
      url.searchParams.set('resource', url.searchParams.get('audience'));
      url.searchParams.delete('audience');
      req.url = url.pathname + url.search;
    }
    if (url.pathname === '/oauth/token' && req.method === 'POST') {
      req.body = Object.fromEntries(asForm(req, await bodyOf(req)));
    }
    handle(req, res);
  } catch (err) {
    res.writeHead(400).end(String(err));
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log(`issuer ${issuer}`));
process.stdin.on('end', () => process.exit(0)).resume();
