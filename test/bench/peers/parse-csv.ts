// The floor of reading a statement: csv-parse alone, with its rows counted. Prints the milliseconds.
import fs from 'node:fs';
import { parse } from 'csv-parse/sync';

const [file = ''] = process.argv.slice(2);
const before = performance.now();
const rows = parse(fs.readFileSync(file));
if (rows.length < 2) throw new Error(`${file} has no rows`);
console.log(performance.now() - before);
