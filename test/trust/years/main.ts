// `npm run trust [-- --seed 2] [-- --write]`: three simulated years, month by month. --write puts the chart into
// docs/trust.md, where `npm run test:night` compares it.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { SEED } from './assumed.ts';
import { chartIn, TRUST_PAGE, withChart } from './chart.ts';
import { liveYears } from './life.ts';
import { pageOf, tableOf } from './report.ts';

const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: String(SEED) }, write: { type: 'boolean', default: false } },
});
const seed = Number(options.seed);
if (!Number.isInteger(seed)) throw new Error('--seed takes a whole number');
const happened = await liveYears(seed);
console.log(`Three simulated years, seed ${seed}\n\n${tableOf(happened)}\n\n${pageOf(happened)}`);
const page = fs.readFileSync(TRUST_PAGE, 'utf8');
if (options.write) fs.writeFileSync(TRUST_PAGE, withChart(page, pageOf(happened)));
else if (seed === SEED && chartIn(page) !== pageOf(happened)) {
  console.log('\ndocs/trust.md shows another chart: write this one with `npm run trust -- --write`.');
}
