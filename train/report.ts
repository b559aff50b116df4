import { likelihood, treesScore } from '../src/stream/trained/boosted-trees.ts';
import { titleOf } from '../test/eval/case.ts';
import { type Asked, toldOf } from './effects-training.ts';
import { FOLDS, foldOf, groupOf } from './folds.ts';
import type { JudgedPair } from './pairs.ts';
import { learnTrees } from './tree-training.ts';

const THRESHOLDS = [0.3, 0.5, 0.7, 0.9];

/** Returns how well what was learnt does on sentences and mails that were left out when it was learnt. */
export function reportOf(asked: readonly Asked[], pairs: readonly JudgedPair[], least: number): string {
  const sentences = toldOf(asked).map(({ change, likely, isSo }) => {
    const rows = THRESHOLDS.map((from) => `${from}: ${shares(likely, isSo, from)}`);
    return `${change.padEnd(10)} ${rows.join('  ')}  Brier ${brier(likely, isSo).toFixed(3)}`;
  });
  return ['Sentences (of a group that was left out)', ...sentences, '', ...mailsIn(pairs, least)].join('\n');
}

function shares(likely: readonly number[], isSo: readonly boolean[], from: number): string {
  const chosen = likely.flatMap((each, at) => (each >= from ? [isSo[at] === true] : []));
  const right = chosen.filter(Boolean).length;
  return `${percent(right, chosen.length)} right, ${percent(right, isSo.filter(Boolean).length)} found`;
}

function brier(likely: readonly number[], isSo: readonly boolean[]): number {
  return likely.reduce((sum, each, at) => sum + (each - Number(isSo[at])) ** 2, 0) / Math.max(1, likely.length);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`;
}

function mailsIn(pairs: readonly JudgedPair[], least: number): readonly string[] {
  const scored = Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const trees = learnTrees(pairs.filter(({ mail }) => foldOf(groupOf(mail)) !== fold));
    return pairs
      .filter(({ mail }) => foldOf(groupOf(mail)) === fold)
      .map((pair) => ({ pair, likely: likelihood(treesScore(trees, pair.values)) }));
  });
  const bySuggestion = Map.groupBy(scored, ({ pair }) => `${titleOf(pair.mail)} ${pair.nth}`);
  const best = [...bySuggestion.values()].map((each) =>
    each.reduce((one, other) => (other.likely > one.likely ? other : one)),
  );
  const proposals = new Map(
    best
      .toSorted((one, other) => one.likely - other.likely)
      .map((each) => [`${titleOf(each.pair.mail)} ${each.pair.task}`, each]),
  );
  const chosen = [...proposals.values()].filter(({ likely }) => likely >= least);
  const right = chosen.filter(({ pair }) => pair.isRight).length;
  const likely = scored.map((each) => each.likely);
  const isSo = scored.map(({ pair }) => pair.isRight);
  return [
    'Mails (of a family that was left out)',
    `pairs ${pairs.length}, proposed ${chosen.length}, ${percent(right, chosen.length)} right; Brier ${brier(likely, isSo).toFixed(4)}`,
  ];
}
