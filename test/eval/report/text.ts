import type { PartResult } from '../evaluation.ts';
import type { Figures, Scores, Share, Stages } from './figures.ts';
import { missesOf } from './misses.ts';
import { interval, percent, type Row, table } from './table.ts';

/** Returns the report of one part. The misses are listed only where it is not blind. */
export function report(figures: Figures, result: PartResult, listMisses: boolean): string {
  const misses = !listMisses ? [] : figures.isBlind ? ['Its misses are not shown: it is blind.'] : missesOf(result);
  return [heading(figures), scores(figures), stages(figures), reliability(figures), ...misses, acts(figures)].join(
    '\n\n',
  );
}

function heading({ part, mails, isBlind, quiet, decisions, wrong_decisions: wrong }: Figures): string {
  const line = `${part}: ${mails} mails${isBlind ? ', blind' : ''}`;
  const decided =
    decisions.of === 0
      ? ''
      : `\nSignals weighed together, decided rightly: ${counted(decisions)}; wrongly done alone: ${wrong}.`;
  const vain = `In ${counted(quiet.heard)} of the mails that change and ask nothing a change is heard;`;
  const alone = `${vain}\n${counted(quiet.left_alone)} are left alone.`;
  return `${line}\n${'='.repeat(line.length)}\n${alone}${decided}`;
}

function scores({ changes, requests, by }: Figures): string {
  const head = ['', 'said', 'precision', '95 %', 'any quote', 'expected', 'recall', '95 %', 'any quote'];
  const groups = Object.entries(by).flatMap(([split, own]) => [
    [],
    ...Object.entries(own).map(([name, each]) => scored(`${split}: ${name}`, each)),
  ]);
  return table(head, [scored('changes', changes), scored('requests', requests), ...groups]);
}

function scored(name: string, { strict, loose }: Scores): Row {
  const { precision, recall } = strict;
  return [
    ...[name, String(precision.of), percent(precision), interval(precision), percent(loose.precision)],
    ...[String(recall.of), percent(recall), interval(recall), percent(loose.recall)],
  ];
}

function stages({ stages: all }: Figures): string {
  const row = ([name, { heard, placed, proposed, acted }]: [string, Stages]): Row => [
    ...[name, String(heard.of)],
    ...[heard, placed, proposed, acted].map(stage),
  ];
  const head = ['of what is expected', 'all', 'heard', 'right note', 'proposed rightly', 'done alone'];
  return table(head, Object.entries(all).map(row));
}

function stage(share: Share): string {
  return share.share === null ? '–' : `${share.count} (${(share.share * 100).toFixed(0)} %)`;
}

function reliability({ reliability: { strict, loose } }: Figures): string {
  const rows = strict.bins.map(({ from, to, said, right }) => {
    const any = loose.bins.find((bin) => bin.from === from)?.right;
    return [
      ...[`${from.toFixed(2)}–${to.toFixed(2)}`, String(right.of), said.toFixed(2)],
      ...[percent(right), interval(right), any === undefined ? '–' : percent(any)],
    ];
  });
  const brier = `Brier ${points(strict.brier)} (any quote ${points(loose.brier)})`;
  return table([brier, 'changes', 'said', 'was right', '95 %', 'any quote'], rows);
}

function acts({ wrong_acts: { strict, loose } }: Figures): string {
  if (strict.of === 0) return 'Nothing would have been done without a person.';
  const range = `at most ${(strict.high * 100).toFixed(1)} % of such (95 %)`;
  return `Done without a person: ${strict.of}; wrongly: ${strict.count}, whatever is quoted: ${loose.count}; ${range}.`;
}

function counted(share: Share): string {
  return `${share.count} of ${share.of}${share.share === null ? '' : ` (${percent(share)})`}`;
}

function points(brier: number | null): string {
  return brier === null ? '–' : brier.toFixed(3);
}
