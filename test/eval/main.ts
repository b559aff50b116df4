// `npm run eval [-- --held-out] [-- --record]`: how well the embedded rules read the cases in test/eval/cases.
// --held-out also lists the misses of that part; --record writes the figures that `npm test` holds them to.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { rules } from '../../src/model/rules.ts';
import { loadCases } from './case.ts';
import { evaluate, figuresOf } from './evaluation.ts';
import { rulesReader } from './reader.ts';
import { report, wrongActsOf } from './report.ts';

const { values: options } = parseArgs({ options: { 'held-out': { type: 'boolean' }, record: { type: 'boolean' } } });
const evaluation = await evaluate(loadCases(), rulesReader, rules);
console.log(report(evaluation, options['held-out'] === true));
if (options.record === true) {
  const recorded = path.join(import.meta.dirname, 'recorded.json');
  fs.writeFileSync(recorded, `${JSON.stringify(figuresOf(evaluation), null, 2)}\n`);
}
if (wrongActsOf(evaluation).length > 0) process.exitCode = 1;
