import type { Figures, Scores, Share } from './figures.ts';
import { interval, markdownTable, percent } from './table.ts';

/** How far two labellers agree, measured once on these mails. */
const SECOND_LABELS =
  'A second language model labelled 100 random mails of the test without seeing labels or program. It agreed on the changes of 98 (93–99), and on changes and requests of 91 (84–95).';

/** Returns docs/dev/scorecard.md: what the reader that comes with the program finds in mail that it wasn't tuned for. */
export function scorecard(all: readonly Figures[]): string {
  const test = all.find(({ part }) => part === 'test');
  if (test === undefined) throw new Error('there is no blind test');
  return [
    '# Scorecard',
    '`npm run eval -- --scorecard` writes this page. [How well mails are read](evaluation.md) explains the mails and the terms; the [glossary](../style.md#glossary) has the words.',
    `The test has ${test.mails} mails that weren't used for tuning. Each share has its 95 % interval (Wilson) in parentheses.`,
    SECOND_LABELS,
    '## Proposals and questions',
    table(all.map((each) => [each.part, each.changes])),
    '**Right**: of the proposals or questions; one answer of a question is enough. **Proposed**, **found**: of the expected changes; *found* also counts answers of questions.',
    '## Mails without a change, and changes made without asking',
    'The last two columns assume that every sender is authenticated and has a licence for everything. 0 % is not *never*: see the upper end of its interval.',
    markdownTable(
      ['part', 'mails without a change', 'with a proposal', 'changes made without asking', 'of these wrong'],
      all.map(({ part, quiet: { proposed }, wrong_acts: { loose } }) => [
        ...[part, String(proposed.of), shown(proposed), String(loose.of), shown(loose)],
      ]),
    ),
    '## The test, split by property, the weakest first',
    '`sender: unknown` is like your first week, before your notes list who writes about them.',
    table(splits(test)),
  ].join('\n\n');
}

function splits({ by }: Figures): (readonly [string, Scores])[] {
  const rows = Object.entries(by).flatMap(([split, own]) =>
    Object.entries(own).map(([name, scores]) => [`${split}: ${name}`, scores] as const),
  );
  return rows
    .filter(([, { found }]) => found.of > 0 && found.share !== null)
    .toSorted(([, one], [, other]) => (one.found.share ?? 1) - (other.found.share ?? 1));
}

function table(rows: readonly (readonly [string, Scores])[]): string {
  const head = ['', 'proposals', 'right', 'questions', 'right', 'expected', 'proposed', 'found'];
  return markdownTable(
    head,
    rows.map(([name, { loose, questions, found }]) => [
      ...[name, String(loose.precision.of), shown(loose.precision), String(questions.of), shown(questions)],
      ...[String(found.of), shown(loose.recall), shown(found)],
    ]),
  );
}

function shown(share: Share): string {
  return share.share === null ? '–' : `${percent(share)} (${interval(share)})`;
}
