// `npm run eval [-- OPTIONS]`: how well the embedded reader reads the cases in test/eval/cases, and how well a model (--model)
// does where ANTHROPIC_API_KEY is set, after printing what it may cost.
//   --train     also the cases that the reader has learnt from
//   --misses    also lists what was not read as expected, of the parts that are not blind
//   --json      prints all figures as JSON, and nothing else; no model is asked
//   --markdown  prints the tables of docs/dev/evaluation.md, and nothing else; no model is asked
//   --scorecard writes docs/dev/scorecard.md; no model is asked
//   --record    writes the figures that `npm run test:ci` compares with
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readEnvironment } from '../../src/daemon/environment.ts';
import { AnthropicExtractor } from '../../src/providers/extractor.ts';
import { Provider } from '../../src/providers/provider.ts';
import { rules } from '../../src/providers/substitutes.ts';
import { findPrice } from '../../src/steward/budget.ts';
import { DEFAULT_SETTINGS } from '../../src/steward/settings.ts';
import { OPEN_DOOR } from '../providers/open-door.ts';
import { evaluateParts, type PartResult } from './evaluation.ts';
import { estimate, estimateWords } from './model/estimate.ts';
import { patient } from './model/patient.ts';
import { PARTS, partsNamed } from './parts.ts';
import { modelReader, rulesReader, Took } from './reader.ts';
import { type Figures, figuresOf, recordedOf } from './report/figures.ts';
import { markdown } from './report/markdown.ts';
import { wrongActsOf } from './report/misses.ts';
import { scorecard } from './report/scorecard.ts';
import { report } from './report/text.ts';

const { values: options } = parseArgs({
  options: {
    train: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    scorecard: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    model: { type: 'string', default: DEFAULT_SETTINGS.model_extraction },
  },
});
const SCORECARD = path.join(import.meta.dirname, '../../docs/dev/scorecard.md');
const parts = partsNamed(PARTS.filter((part) => options.train || part !== 'train'));
const results = await evaluateParts(parts, rulesReader, rules);
const figures = results.map(figuresOf);
if (options.record) record(figures);
if (options.scorecard) fs.writeFileSync(SCORECARD, `${scorecard(figures)}\n`);
else if (options.json) console.log(JSON.stringify(figures, null, 2));
else if (options.markdown) console.log(markdown(figures));
else await print();
if (results.some(actsWrongly)) process.exitCode = 1;

async function print(): Promise<void> {
  console.log('Read by rules and by what was learnt\n');
  printed(results);
  const { provider } = readEnvironment(process.env);
  if (provider) printed(await askedOf(new Provider(provider, OPEN_DOOR)));
  else console.log('No model is measured: ANTHROPIC_API_KEY is not set.');
}

async function askedOf(provider: Provider): Promise<readonly PartResult[]> {
  const price = findPrice(options.model, null, null);
  const extractor = new AnthropicExtractor(provider, { model: options.model, price });
  const reckoned = await estimate(
    parts.flatMap(({ sets }) => sets),
    extractor,
  );
  console.log(`\nRead by ${options.model}\n\n${estimateWords(reckoned, price)}`);
  const took = new Took();
  const reader = modelReader(
    patient(extractor, (seconds) => wait(seconds * 1000)),
    took,
  );
  const asked = await evaluateParts(parts, reader, rules);
  console.log(`It took ${took.tokensIn} tokens read and ${took.tokensOut} written for ${took.asked} questions.\n`);
  return asked;
}

function printed(all: readonly PartResult[]): void {
  for (const each of all) {
    console.log(`${report(figuresOf(each), each, options.misses)}\n`);
    if (actsWrongly(each)) process.exitCode = 1;
    // What a blind part would have done wrongly is not shown either: nobody may correct the reader by it.
    if (!each.isBlind) for (const line of wrongActsOf(each)) console.log(`  ${line}`);
  }
}

// In a blind part only the change counts: nobody looks which sentence was quoted.
function actsWrongly(each: PartResult): boolean {
  return each.isBlind ? figuresOf(each).wrong_acts.loose.count > 0 : wrongActsOf(each).length > 0;
}

function record(all: readonly Figures[]): void {
  const recorded = all.filter(({ part }) => part !== 'train').map((each) => [each.part, recordedOf(each)]);
  const file = path.join(import.meta.dirname, 'recorded.json');
  fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(recorded), null, 2)}\n`);
}
