// `npm run eval [-- --held-out] [-- --record]`: how well the embedded rules read the cases in test/eval/cases, and how
// well a model (--model) does where ANTHROPIC_API_KEY is set, after printing what it may cost.
// --held-out also lists the misses of the held-out part; --record writes the figures that `npm test` compares with.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readEnvironment } from '../../src/daemon/context/environment.ts';
import { DEFAULT_SETTINGS } from '../../src/daemon/context/settings.ts';
import { rules } from '../../src/model/evaluators/rules.ts';
import { AnthropicExtractor } from '../../src/model/extractor/anthropic-extractor.ts';
import { priceOf } from '../../src/model/prices.ts';
import { Provider } from '../../src/model/provider/provider.ts';
import { OPEN_DOOR } from '../model/open-door.ts';
import { type CaseSet, loadCases } from './case.ts';
import { estimate, estimateWords } from './estimate.ts';
import { type Evaluation, evaluate, figuresOf } from './evaluation.ts';
import { patient } from './patient.ts';
import { modelReader, rulesReader, Took } from './reader.ts';
import { report, wrongActsOf } from './report.ts';

const { values: options } = parseArgs({
  options: {
    'held-out': { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    model: { type: 'string', default: DEFAULT_SETTINGS.model_extraction },
  },
});
const cases = loadCases();

console.log(`Read by rules\n`);
const byRules = await evaluate(cases, rulesReader, rules);
told(byRules);
if (options.record) {
  const recorded = path.join(import.meta.dirname, 'recorded.json');
  fs.writeFileSync(recorded, `${JSON.stringify(figuresOf(byRules), null, 2)}\n`);
}
const { provider } = readEnvironment(process.env);
if (provider) told(await askedOf(new Provider(provider, OPEN_DOOR), cases));
else console.log('\nNo model is measured: ANTHROPIC_API_KEY is not set.');

async function askedOf(provider: Provider, cases: CaseSet): Promise<Evaluation> {
  const price = priceOf(options.model, null, null);
  const extractor = new AnthropicExtractor(provider, { model: options.model, price });
  console.log(`\n\nRead by ${options.model}\n\n${estimateWords(await estimate(cases, extractor), price)}`);
  const took = new Took();
  const reader = modelReader(
    patient(extractor, (seconds) => wait(seconds * 1000)),
    took,
  );
  const evaluation = await evaluate(cases, reader, rules);
  console.log(`It took ${took.tokensIn} tokens read and ${took.tokensOut} written for ${took.asked} questions.\n`);
  return evaluation;
}

function told(evaluation: Evaluation): void {
  console.log(report(evaluation, options['held-out']));
  if (wrongActsOf(evaluation).length > 0) process.exitCode = 1;
}
