// `npm run train [-- --report]`: learns the reader of mails from the sentences in train/data and the cases of test/eval that
// may be learnt from, and writes it to data/reader.json. The same data and code give the same file. `--keep` keeps the weights
// and records the present data and code: for a change of the code after which the sentences give the same numbers.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeReader } from '../src/reading/learnt.ts';
import { learnReader } from './learning.ts';
import { loadMaterial, type Material, materialHash } from './material.ts';
import { reportOf } from './report.ts';

const FILE = path.join(import.meta.dirname, '../data/reader.json');
if (process.argv.includes('--keep')) {
  keepWeights();
  process.exit();
}
const material: Material = loadMaterial();
const started = performance.now();
const tell = (done: string) => console.log(`${((performance.now() - started) / 1000).toFixed(0)} s: ${done}`);
const { file, asked, mails } = await learnReader(material, tell);
const text = `${JSON.stringify({ ...file, made_from: materialHash() })}\n`;
makeReader(file);
fs.writeFileSync(FILE, text);
tell(`${path.basename(FILE)}: ${(text.length / 1000).toFixed(0)} kB`);
if (process.argv.includes('--report')) console.log(reportOf(asked, mails));

function keepWeights(): void {
  const stored = z.looseObject({ made_from: z.string() }).parse(JSON.parse(fs.readFileSync(FILE, 'utf8')));
  fs.writeFileSync(FILE, `${JSON.stringify({ ...stored, made_from: materialHash() })}\n`);
}
