import { likelihood, treesScore } from '../src/reading/learnt.ts';
import { type Asked, toldOf } from './effects-training.ts';
import { examplesOf, type RankedMail, rankedApart } from './fit-training.ts';
import { FOLDS, foldOf } from './folds.ts';
import type { JudgedChange, JudgedMail } from './pairs.ts';
import { learnTrees } from './tree-training.ts';

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

/** Returns how well what was learnt does on sentences and mails that were left out when it was learnt. */
export function reportOf(asked: readonly Asked[], mails: readonly JudgedMail[]): string {
  const sentences = toldOf(asked).map(({ change, likely, isSo }) => {
    const rows = THRESHOLDS.map((from) => `${from}: ${shares(likely, isSo, from)}`);
    return `${change.padEnd(10)} ${rows.join('  ')}  Brier ${brier(likely, isSo).toFixed(3)}`;
  });
  return [
    'Sentences of a group that was left out: right / found',
    ...sentences,
    '',
    'Mails of a person who was left out: right / found',
    ...mailsIn(rankedApart(mails)),
  ].join('\n');
}

/** A change with how likely it was held to be, by what was learnt without its person. */
interface Held {
  readonly change: JudgedChange;
  readonly likely: number;
}

function mailsIn(mails: readonly RankedMail[]): readonly string[] {
  const trees = Array.from({ length: FOLDS }, (_, fold) =>
    learnTrees(examplesOf(mails.filter(({ judged }) => foldOf(judged.person) !== fold))),
  );
  const held = [...Map.groupBy(mails, ({ judged }) => judged.person)].map(([person, own]) => {
    const fit = trees[foldOf(person)] ?? { base: 0, trees: [] };
    const all = own.map(({ changes }) =>
      onePerTask(changes.map(({ change, values }) => ({ change, likely: likelihood(treesScore(fit, values)) }))),
    );
    return { person, held: all.flat(), wanted: wantedIn(own) };
  });
  const whole = {
    person: 'all',
    held: held.flatMap((each) => each.held),
    wanted: held.reduce((sum, each) => sum + each.wanted, 0),
  };
  return [...held, whole].map(({ person, held: own, wanted }) => {
    const rows = THRESHOLDS.map((from) => {
      const chosen = own.filter(({ likely }) => likely >= from);
      const right = chosen.filter(({ change }) => change.isMeant).length;
      return `${from}: ${percent(right, chosen.length)} / ${percent(right, wanted)}`;
    });
    return `${person.padEnd(10)} ${rows.join('  ')}  Brier ${brier(
      own.map(({ likely }) => likely),
      own.map(({ change }) => change.isMeant),
    ).toFixed(3)}`;
  });
}

function onePerTask(held: readonly Held[]): readonly Held[] {
  const byTask = Map.groupBy(held, ({ change }) => change.task.path);
  return [...byTask.values()].map((each) => each.reduce((one, other) => (other.likely > one.likely ? other : one)));
}

function wantedIn(mails: readonly RankedMail[]): number {
  return mails.reduce((sum, { judged }) => sum + judged.mail.expect.filter(({ set }) => set !== null).length, 0);
}

function shares(likely: readonly number[], isSo: readonly boolean[], from: number): string {
  const chosen = likely.flatMap((each, at) => (each >= from ? [isSo[at] === true] : []));
  const right = chosen.filter(Boolean).length;
  return `${percent(right, chosen.length)} / ${percent(right, isSo.filter(Boolean).length)}`;
}

function brier(likely: readonly number[], isSo: readonly boolean[]): number {
  return likely.reduce((sum, each, at) => sum + (each - Number(isSo[at])) ** 2, 0) / Math.max(1, likely.length);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`;
}
