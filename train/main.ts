// `npm run train [-- --report]`: learns the reader of mails from the sentences in train/data and the cases of test/eval that
// may be learnt from, and writes it to src/stream/trained/reader.json. The same data and code give the same file.
import fs from 'node:fs';
import path from 'node:path';
import { readerOf } from '../src/stream/trained/trained-reader.ts';
import { learnReader } from './learning.ts';
import { loadMaterial, type Material, materialHash } from './material.ts';
import { reportOf } from './report.ts';

const FILE = path.join(import.meta.dirname, '../src/stream/trained/reader.json');
const material: Material = loadMaterial();
const started = performance.now();
const tell = (done: string) => console.log(`${((performance.now() - started) / 1000).toFixed(0)} s: ${done}`);
const { file, asked, mails } = await learnReader(material, tell);
const text = `${JSON.stringify({ ...file, made_from: materialHash() })}\n`;
readerOf(file);
fs.writeFileSync(FILE, text);
tell(`${path.basename(FILE)}: ${(text.length / 1000).toFixed(0)} kB`);
if (process.argv.includes('--report')) console.log(reportOf(asked, mails));
