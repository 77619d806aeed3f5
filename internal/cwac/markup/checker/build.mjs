// Makes bundle.js, which is committed: the two libraries and main.mjs as one script.
import { build } from 'esbuild';
import fs from 'node:fs';

const absent = new URL('absent.mjs', import.meta.url).pathname;
await build({
  entryPoints: ['main.mjs'],
  outfile: 'bundle.js',
  bundle: true,
  minify: true,
  format: 'iife',
  platform: 'browser',
  target: 'chrome110',
  conditions: ['browser'],
  legalComments: 'none',
  charset: 'ascii',
  alias: { ajv: absent, semver: absent, kleur: absent, '@sidvind/better-ajv-errors': absent, '@html-validate/stylish': absent },
});
const licences = ['html-validate', 'parse5', 'entities'].map((name) => {
  const dir = `node_modules/${name}/`;
  const file = fs.readdirSync(dir).find((f) => /^licen[cs]e/i.test(f));
  const { version } = JSON.parse(fs.readFileSync(dir + 'package.json', 'utf8'));
  return `# ${name} ${version}\n\n${fs.readFileSync(dir + file, 'utf8').trim()}\n`;
});
fs.writeFileSync('LICENSES', licences.join('\n\n'));
