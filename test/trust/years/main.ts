// `npm run trust [-- --seed 2] [-- --write]`: two simulated years of a private person and of a consultant, month by month.
// --licensed: what is left to ask if the person has signed for every sender but outsiders on the first day
// --write puts the figures of seed 1 into docs/dev/trust.md, where `npm run test:night` compares them.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { PEOPLE, SEED } from './assumed.ts';
import { chartIn, TRUST_PAGE, withChart } from './chart.ts';
import { type Life, liveYears } from './life.ts';
import { pageOf, tableOf } from './report.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(SEED) },
    licensed: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(options.seed);
if (!Number.isInteger(seed)) throw new Error('--seed takes a whole number');
const lives: Life[] = [];
for (const person of PEOPLE) {
  lives.push(await liveYears(seed, person, { signsAll: options.licensed }));
  console.log(`${person.name}, seed ${seed}\n\n${lives.slice(-1).map(tableOf).join()}\n`);
}
console.log(pageOf(lives));
const page = fs.readFileSync(TRUST_PAGE, 'utf8');
const isChart = seed === SEED && !options.licensed;
if (options.write && isChart) fs.writeFileSync(TRUST_PAGE, withChart(page, pageOf(lives)));
else if (isChart && chartIn(page) !== pageOf(lives)) {
  console.error('\ndocs/dev/trust.md shows other figures: write these with `npm run trust -- --write`.');
  process.exitCode = 1;
}
