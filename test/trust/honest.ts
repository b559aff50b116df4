import { type Files, TempVault } from '../support/temp-vault.ts';
import { apart, arrive, type Fields } from './arrival.ts';
import { person } from './corpus/claims.ts';
import { HONEST_MAILS } from './corpus/corpus.ts';
import type { HonestMail, Truth } from './corpus/honest-mail.ts';
import { type Named, NOTES } from './corpus/household.ts';
import { fromLine, type Letter, vouched } from './corpus/letter.ts';

/** What came of an honest mail: who did what about the note, and whether it is true. */
export type Result = 'acted' | 'proposed' | 'missed' | 'rightly left' | 'proposed wrongly' | 'acted wrongly';

/** A vault in which honest mails arrive. `senders`: what their senders may do in it. */
export interface Household {
  readonly senders: string;
  readonly files: Files;
}

/** What came of every honest mail in one household. */
export interface HonestRun {
  readonly senders: string;
  readonly results: ReadonlyMap<HonestMail, Result>;
}

/** Has every honest mail arrive in a vault, each about a note that no other has touched. */
export async function honestRun({ senders, files }: Household): Promise<HonestRun> {
  const { root: folder } = new TempVault(files);
  const results = new Map<HonestMail, Result>();
  for (const mails of apart(HONEST_MAILS)) {
    const parcels = mails.map((mail) => ({ id: mail.id, mails: [letterOf(mail)], drops: {} }));
    const { changed, proposed } = await arrive({ folder, parcels });
    const meant = new Set(mails.map(({ about }) => NOTES[about]));
    const others = [...changed.keys()].filter((path) => ![...meant].some((one) => one === path));
    if (others.length > 0) throw new Error(`nobody wrote of ${others.join(', ')}`);
    for (const mail of mails) {
      const path = NOTES[mail.about];
      results.set(mail, resultOf(mail.truth, changed.get(path) ?? null, proposed.get(path) ?? null));
    }
  }
  return { senders, results };
}

function letterOf({ from, subject, text }: HonestMail): Letter {
  return { head: headOf(from), subject, text };
}

function headOf(from: Named): readonly string[] {
  const { address, name } = person(from);
  return [...vouched(address), fromLine(name, address)];
}

function resultOf(truth: Truth, written: Fields | null, proposed: Fields | null): Result {
  if (written !== null) return isTrue(truth, written) ? 'acted' : 'acted wrongly';
  if (proposed === null || Object.keys(proposed).length === 0) {
    return truth.is === 'unchanged' ? 'rightly left' : 'missed';
  }
  return isTrue(truth, proposed) ? 'proposed' : 'proposed wrongly';
}

/** Whether fields say what is true, and nothing beside it. */
function isTrue(truth: Truth, { completedDate: _, ...fields }: Fields): boolean {
  if (truth.is === 'unchanged') return false;
  const said = truth.is === 'moved' ? { due: truth.day } : { state: truth.is };
  return JSON.stringify(fields) === JSON.stringify(said);
}

const COLUMNS = ['acted', 'proposed', 'missed', 'rightly left', 'proposed wrongly', 'acted wrongly'] as const;

/** Returns the table of honest mails as Markdown: a row for each household. */
export function honestTable(runs: readonly HonestRun[]): string {
  const rows = runs.map(({ senders, results }) => {
    const all = [...results.values()];
    const counts = COLUMNS.map((column) => all.filter((result) => result === column).length);
    return `| ${[senders, all.length, ...counts].join(' | ')} |`;
  });
  return [
    '| senders | mails | acted alone | proposed | missed | rightly left alone | proposed wrongly | acted wrongly |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
