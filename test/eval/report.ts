import type { MailAnswer } from './answer.ts';
import { told } from './answer.ts';
import { titleOf } from './case.ts';
import { type Evaluation, partOf } from './evaluation.ts';
import type { Ruling } from './ruling.ts';
import { calibrationOf, changesIn, precision, recall, requestsIn, type Tally } from './score.ts';

type Row = readonly string[];

const PARTS = [
  { title: 'Tuned on', heldOut: false },
  { title: 'Held out', heldOut: true },
] as const;

/** Returns the whole report as text. Lists the misses of the held-out part only with `listHeldOut`. */
export function report(evaluation: Evaluation, listHeldOut: boolean): string {
  const parts = PARTS.map(({ title, heldOut }) => {
    const part = partOf(evaluation, heldOut);
    const misses = !heldOut || listHeldOut ? missesOf(part) : ['(run with --held-out to list its misses)'];
    return [heading(title, part), overall(part), by(part), calibration(part), ...misses].join('\n');
  });
  return [...parts, wrongActs(evaluation)].join('\n\n');
}

/** Returns what would have been done wrongly without a person, one line each; empty where nothing would. */
export function wrongActsOf({ answers, rulings }: Evaluation): readonly string[] {
  return [
    ...answers.flatMap(({ mail, wrongAct }) => (wrongAct === null ? [] : [`${titleOf(mail)}: ${wrongAct}`])),
    ...rulings
      .filter(({ actsWrongly }) => actsWrongly)
      .map(({ asked, verdict }) => `${titleOf(asked)}: ${ruled(verdict)}`),
  ];
}

function heading(title: string, { answers, rulings }: Evaluation): string {
  const line = `${title}: ${answers.length} mails, ${rulings.length} decisions`;
  return `${line}\n${'='.repeat(line.length)}`;
}

function overall({ answers, rulings }: Evaluation): string {
  const right = rulings.filter(({ isRight }) => isRight).length;
  return table(
    ['', 'mails', 'right', 'wrong', 'missed', 'precision', 'recall'],
    [
      tallied('changes', changesIn(answers)),
      tallied('requests', requestsIn(answers)),
      ['decisions', String(rulings.length), String(right), String(rulings.length - right), '', '', ''],
    ],
  );
}

/** The figures of the changes, grouped by domain, language and kind of case. */
function by({ answers }: Evaluation): string {
  const groups = (['domain', 'lang', 'kind'] as const).map((key) => {
    const rows = [...Map.groupBy(answers, ({ mail }) => mail[key])].toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    );
    const head = [`changes by ${key}`, 'mails', 'right', 'wrong', 'missed', 'precision', 'recall'];
    return table(
      head,
      rows.map(([name, own]) => tallied(name, changesIn(own))),
    );
  });
  return groups.join('\n');
}

function tallied(name: string, tally: Tally): Row {
  const { cases, right, wrong, missed } = tally;
  return [name, ...[cases, right, wrong, missed].map(String), percent(precision(tally)), percent(recall(tally))];
}

function calibration({ answers }: Evaluation): string {
  const { brier, bins } = calibrationOf(answers);
  const rows = bins.map(({ from, to, guesses, confidence, right }) => [
    `${from.toFixed(2)}–${Math.min(1, to).toFixed(2)}`,
    String(guesses),
    confidence.toFixed(2),
    right.toFixed(2),
  ]);
  const head = [`Brier ${brier === null ? '–' : brier.toFixed(3)}`, 'changes', 'said', 'was right'];
  return table(head, rows);
}

function missesOf({ answers, rulings }: Evaluation): readonly string[] {
  const lines = [...answers.flatMap(missLines), ...rulings.filter(({ isRight }) => !isRight).map(rulingLine)];
  return ['Not as expected:', ...(lines.length === 0 ? ['  nothing'] : lines)];
}

function missLines({ mail, guesses, missed }: MailAnswer): readonly string[] {
  const wrong = guesses
    .filter(({ meets }) => meets === null)
    .map(({ draft, isLeft }) => `  ${isLeft ? 'unsure ' : 'wrong  '} ${titleOf(mail)} (${mail.kind}): ${told(draft)}`);
  const left = missed.map(({ note, quote, set }) => {
    const what = set === null ? 'asks' : Object.values(set).join();
    return `  missed  ${titleOf(mail)} (${mail.kind}): ${what} → ${note} by “${quote}”`;
  });
  return [...wrong, ...left];
}

function rulingLine({ asked, verdict }: Ruling): string {
  return `  decided ${titleOf(asked)} (${asked.kind}): ${ruled(verdict)}, expected ${asked.expect.decision} ${JSON.stringify(asked.expect.set)}`;
}

function ruled({ decision, confidence, changes }: Ruling['verdict']): string {
  const what = changes.map(({ field, value }) => `${field}: ${JSON.stringify(value)}`).join(', ');
  return `${decision} at ${confidence} {${what}}`;
}

function wrongActs(evaluation: Evaluation): string {
  const acts = wrongActsOf(evaluation);
  if (acts.length === 0) return 'Nothing would have been done wrongly without a person.';
  return [`Done wrongly without a person: ${acts.length}`, ...acts.map((line) => `  ${line}`)].join('\n');
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

function table(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const line = (row: Row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return `\n${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')}`;
}
