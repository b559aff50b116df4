import type { Figures, Scores } from './figures.ts';
import { interval, markdownTable, percent } from './table.ts';

const ACCURACY = ['precision (95 %)', 'any quote', 'recall (95 %)', 'any quote'];

/** Returns the tables of docs/dev/evaluation.md: all parts, and the stages of the blind test. The scorecard splits it by property. */
export function markdown(all: readonly Figures[]): string {
  const parts = markdownTable(
    ['part', 'mails', 'changes', ...ACCURACY, 'made without asking', 'of these wrong', 'Brier'],
    all.map((each) => [
      ...[each.part, String(each.mails), String(each.changes.strict.recall.of), ...accuracy(each.changes)],
      ...[String(each.wrong_acts.strict.of), String(each.wrong_acts.strict.count)],
      each.reliability.strict.brier?.toFixed(3) ?? '–',
    ]),
  );
  const test = all.find(({ part }) => part === 'test');
  return test === undefined ? parts : `${parts}\n\n${stages(test)}`;
}

function stages({ stages: all }: Figures): string {
  const rows = Object.entries(all).map(([name, { heard, placed, proposed, acted }]) => [
    ...[name, String(heard.of)],
    ...[heard, placed, proposed, acted].map((share) => `${share.count} (${percent(share)})`),
  ]);
  const head = [
    ...['', 'expected', 'detected', 'of these, right note'],
    ...['of these, proposed correctly', 'of these, made without asking'],
  ];
  return markdownTable(head, rows);
}

function accuracy({ strict, loose }: Scores): readonly string[] {
  return [
    ...[`${percent(strict.precision)} (${interval(strict.precision)})`, percent(loose.precision)],
    ...[`${percent(strict.recall)} (${interval(strict.recall)})`, percent(loose.recall)],
  ];
}
