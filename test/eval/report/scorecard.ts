import type { Figures, Scores, Share } from './figures.ts';
import { interval, markdownTable, percent } from './table.ts';

/** How far two labellers agree, measured once on these mails. */
const SECOND_LABELS =
  'A second labeller, also a language model, labelled 100 random mails of the test without seeing the labels or the program. It agreed on the changes of 98 mails (93–99), and on changes and requests of 91 (84–95).';

/** Returns docs/dev/scorecard.md: what the reader that comes with the program finds in mail that it wasn't tuned for. */
export function scorecard(all: readonly Figures[]): string {
  const test = all.find(({ part }) => part === 'test');
  if (test === undefined) throw new Error('there is no blind test');
  return [
    '# Scorecard',
    '`npm run eval -- --scorecard` writes this page. It needs no key. [How well mails are read](evaluation.md) explains the mails and the terms; the [glossary](../style.md#glossary) has the words.',
    `The test has ${test.mails} mails that weren't used for tuning. Each share has its 95 % interval (Wilson) in parentheses.`,
    SECOND_LABELS,
    '## Proposals and questions',
    table(all.map((each) => [each.part, each.changes])),
    '- **Right**: the share of the proposals or questions that are right. A question is right if one of its answers is.',
    '- **Proposed**, **found**: the share of the expected changes that Steward proposes, or that it proposes or offers as an answer.',
    '## Mails that change nothing',
    markdownTable(
      ['part', 'mails', 'with a proposal'],
      all.map(({ part, quiet }) => [part, String(quiet.proposed.of), shown(quiet.proposed)]),
    ),
    '## Changes made without asking',
    'This assumes that your mail server authenticates every sender, and that every sender has a licence for everything. No share here means never: see the upper end of its interval.',
    markdownTable(
      ['part', 'made without asking', 'of these wrong'],
      all.map(({ part, wrong_acts: { loose } }) => [part, String(loose.of), shown(loose)]),
    ),
    '## The test, split by property, the weakest first',
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
