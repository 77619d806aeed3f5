// An OpenID provider that signs people in, on loopback, for the tests of the board: the authorization code flow with PKCE and the
// provider's own pages, which take any password. Whoever signs in as NAME has the address NAME@example.org; of those whose name
// begins with "un" it is not verified, and it is that of the rest of the name.
// Usage: node people.mjs CLIENTS_DIR PORT SETTINGS, where SETTINGS is JSON: {secret, redirects: [..], algorithm}.
// It ends with its standard input, so that it cannot outlive the test that started it.
import { createRequire } from 'node:module';
import { generateKeyPairSync } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [clientsDir, port, given] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(resolve(clientsDir), 'package.json')));
const { Provider } = await import(pathToFileURL(require.resolve('oidc-provider')));
const settings = { algorithm: 'RS256', ...JSON.parse(given) };
const issuer = `http://127.0.0.1:${port}`;
const key = { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'key' };

const provider = new Provider(issuer, {
  clients: [{
    client_id: 'board', client_secret: settings.secret, redirect_uris: settings.redirects, response_types: ['code'], grant_types: ['authorization_code'],
    token_endpoint_auth_method: settings.algorithm === 'HS256' ? 'client_secret_post' : 'client_secret_basic', id_token_signed_response_alg: settings.algorithm,
  }],
  jwks: { keys: [key] }, cookies: { keys: ['for tests only'] }, pkce: { required: () => true },
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'HS256'] },
  scopes: ['openid', 'email', 'profile'], claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: false, features: { devInteractions: { enabled: true } },
  findAccount: (ctx, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: id, email: `${id.replace(/^un/, '')}@example.org`, email_verified: !id.startsWith('un') }),
  }),
});
provider.use(async (ctx, next) => { // its pages ask for fonts elsewhere; tests stay on the machine
  await next();
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(/@import url\([^)]*\);/g, '');
});
provider.on('server_error', (ctx, err) => console.error('server_error', err));
provider.listen(Number(port), '127.0.0.1', () => console.log(`issuer ${issuer}`));
process.stdin.on('end', () => process.exit(0)).resume();
