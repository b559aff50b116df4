import { clipped, escapeMarkdown, joinLines, keptPart, linkTo, noteText, type PartMarks } from './note-text.ts';
import { LICENCE_KINDS, type LicenceKind } from './record.ts';

/** The marks of the part of a licence note that says what it allows, or how it ended. */
export const LICENCE_PART: PartMarks = { begin: '%% steward %%', end: '%% /steward %%' };

/** The rights of a sender under each kind, in words after "may". All but the last are about tasks. */
const MAY: Readonly<Record<LicenceKind, string>> = {
  done: 'mark tasks as done',
  archived: 'archive tasks',
  due: 'move dates',
  fields: 'fill in other fields',
  matter: 'close the matter itself',
};

/** Returns what some kinds allow, as words after "may": `mark tasks as done and move dates`. */
export function kindsWords(kinds: readonly LicenceKind[]): string {
  const words = LICENCE_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => MAY[kind]);
  const last = words.at(-1) ?? 'do nothing';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * The contents of a licence, for its note and for the command line. `matter`: the matter's name; null for all that name
 * the sender.
 */
interface LicenceTelling {
  readonly sender: string;
  readonly matter: string | null;
  readonly kinds: readonly LicenceKind[];
  readonly until: string | null;
  readonly evidence: string | null;
}

/** The state of a licence, as its note says it. */
export type LicenceStanding =
  | { readonly kind: 'offered' }
  | { readonly kind: 'valid' }
  | { readonly kind: 'ended'; readonly because: string };

function who(sender: string): string {
  return sender.slice(sender.indexOf(':') + 1) || sender;
}

/** Returns what a licence says now, as sentences of Markdown. */
export function licenceWords(telling: LicenceTelling, standing: LicenceStanding): string {
  const where = telling.matter === null ? 'in every matter that names them' : `in ${linkTo(telling.matter)}`;
  const name = escapeMarkdown(clipped(joinLines(who(telling.sender)), 120));
  const what = `${name} ${standing.kind === 'valid' ? 'may' : 'to'} ${kindsWords(telling.kinds)} ${where} without asking you`;
  const evidence = telling.evidence === null ? '' : ` Until now: ${escapeMarkdown(telling.evidence)}.`;
  if (standing.kind === 'offered')
    return `Allow ${what}?${evidence} Tick \`active\` above to allow it for a year. Delete from \`kinds\` what you don't allow, or delete this note to say no.`;
  if (standing.kind === 'ended') return `This licence has ended: ${standing.because}.`;
  const until = telling.until === null ? '' : `, until ${telling.until}`;
  return `${what}${until}.${evidence} Untick \`active\` above, or delete this note, to end it. It also ends if you undo a change made under it.`;
}

export function licenceNoteText(fields: Readonly<Record<string, unknown>>, words: string): string {
  return noteText(fields, keptPart(LICENCE_PART, words));
}
