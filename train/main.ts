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
const { file, asked, pairs } = await learnReader(material);
const text = `${JSON.stringify({ ...file, made_from: materialHash() })}\n`;
readerOf(file);
fs.writeFileSync(FILE, text);
console.log(`${path.basename(FILE)}: ${(text.length / 1000).toFixed(0)} kB`);
console.log(reportOf(asked, pairs, file.least));
