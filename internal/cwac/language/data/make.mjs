// Makes the embedded data anew. It needs an npm package, a Go module and the file
// "cmudict" of NLTK's data (packages/corpora/cmudict.zip of github.com/nltk/nltk_data):
//
//   npm install vader-sentiment@1.1.3
//   node make.mjs node_modules cmudict/cmudict "$(go mod download -json github.com/neurosnap/sentences@v1.1.2 | sed -n 's/.*"Dir": "\(.*\)",/\1/p')"
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const [modules, cmudict, sentences] = process.argv.slice(2);
const here = import.meta.dirname;
const pack = (name, text) => fs.writeFileSync(path.join(here, name), zlib.gzipSync(text, { level: 9 }));
const lines = (...name) => fs.readFileSync(path.join(...name), 'latin1').split(/\r?\n/);

// Syllables: the vowels of the first pronunciation (FIRE 1 F AY1 ER0). A word of one
// syllable is left out, since an unknown word has one too.
const counts = new Map();
for (const line of lines(cmudict)) {
  const [word, , ...phones] = line.trim().split(/\s+/);
  if (word && !counts.has(word.toLowerCase())) counts.set(word.toLowerCase(), phones.filter((p) => /\d$/.test(p)).length);
}
const bySyllables = new Map();
for (const [word, n] of counts) {
  if (!bySyllables.has(n)) bySyllables.set(n, []);
  bySyllables.get(n).push(word);
}
const numbers = [...bySyllables.keys()].filter((n) => n !== 1).sort((a, b) => a - b);
pack('syllables.txt.gz', numbers.map((n) => `${n} ${bySyllables.get(n).sort().join(' ')}\n`).join(''));

// Sentiment: word and mean rating. NLTK writes ":P" small, so that the second ":p"
// of the list, rated 1.4, is the one that counts.
const ratings = new Map();
for (const line of fs.readFileSync(path.join(modules, 'vader-sentiment/vader_lexicon.txt'), 'utf8').split('\n')) {
  const [word, mean] = line.trim().split('\t');
  if (word) ratings.set(word === ':P' ? ':p' : word, mean);
}
pack('vader.txt.gz', [...ratings].map(([word, mean]) => `${word}\t${mean}\n`).join(''));

// Sentences: the English model, its keys in order.
const model = JSON.parse(fs.readFileSync(path.join(sentences, 'data/english.json'), 'utf8'));
const sorted = (o) => Object.fromEntries(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1)));
pack('punkt.json.gz', JSON.stringify(Object.fromEntries(Object.entries(model).map(([k, v]) => [k, sorted(v)]))));
