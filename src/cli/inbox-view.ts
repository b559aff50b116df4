import type { Explanation } from '../features/explain.ts';
import type { WaitingEntry } from '../steward/inbox.ts';
import { isDone, NOUNS } from '../steward/inbox-words.ts';
import type { AnswerRecord } from '../steward/types.ts';
import { StewardError } from '../vault/errors.ts';
import { parseItemPath, stem } from '../vault/layout.ts';
import { asClause, calibrationWords, changeLines, originLines, outcomeStyle, saidText, trustText } from './print.ts';
import { clean, count, formatMoment, type Printer } from './terminal.ts';

// What `steward inbox` shows: an entry, what came of an answer, and on request its mail and its note.

/** Returns the title of a note, given its path or a link to it. A link has a path only if another note has the name: then so has the title. */
export function parseTitle(written: string): string {
  const [, linked] = /^\[\[([^\]|]*\/[^\]|]*)/.exec(written) ?? [];
  if (linked !== undefined) return linked;
  return stem(written.replace(/^\[\[|\]\]$/g, '').replace(/\|.*$/, ''));
}

/** Prints one entry: what it is about and what is asked, then who said it, in lines of at most 100 columns. */
export function printDecision(out: Printer, entry: WaitingEntry, { withEvent }: { readonly withEvent: boolean }): void {
  const { kind, target, matter, change, candidates, event, warning = null } = entry;
  if (warning !== null) for (const line of out.wrapped(warning, 2)) out.line(out.paint('red', line));
  const within = matter === null || matter === target ? '' : ` (${parseTitle(matter)})`;
  const about = target === null ? [] : [`${parseTitle(target)}${within}`];
  const noun = NOUNS[kind];
  const asks = change ?? (candidates.length > 0 ? 'which note is meant?' : null);
  const [first = noun, ...more] = out.wrapped([noun, ...about, ...(asks === null ? [] : [asks])].join('  '), 4);
  out.line(first.slice(2).replace(noun, out.paint('yellow', noun)));
  for (const line of more) out.line(line);
  const plain = (text: string) => print(out, text, 4);
  for (const line of originLines(entry, saidText(entry))) plain(line);
  const known = trustText(entry);
  if (known !== '') printDim(out, known);
  candidates.forEach((link, at) => {
    plain(`${at + 1}  ${parseTitle(link)}`);
  });
  // A daemon of an earlier version doesn't say why.
  const why = (entry.why ?? []).map(asClause);
  if (why.length > 0 && entry.kind !== 'question') plain(`only proposed: ${why.join('; ')}`);
  if (entry.isStale === true) plain('its note has changed since: the next check evaluates it again');
  if (withEvent && event !== null && change?.includes(event) !== true) out.styled('dim', `    ${event}`);
}

/** Prints in one line what came of each answer, and under it what was learnt. */
export function printCame(out: Printer, answers: readonly AnswerRecord[]): void {
  for (const answer of answers) {
    const { outcome, target, changes, calibration, message, untaught } = answer;
    const title = target === null ? null : parseTitle(target);
    const changed = changeLines(changes).join(', ');
    const word = isDone(answer) ? WORDS[outcome] : undefined;
    const what = word !== undefined && changed !== '' ? `${title}: ${changed}` : message;
    const lead = word ?? `Not done (${outcome})`;
    const [first = lead, ...more] = out.wrapped(`${lead}. ${what}`, 2);
    out.line(first.replace(lead, out.paint(outcomeStyle(outcome), lead)));
    for (const line of more) out.line(line);
    // Behind the first sentence: what else it did, such as signing a licence.
    const rest = changed === '' ? undefined : /^[^.]+\. (.+)$/s.exec(message)?.[1];
    if (word !== undefined && rest !== undefined) print(out, rest, 4);
    const moved = Object.entries(calibration).map(([source, figures]) => `${source} ${calibrationWords(figures)}`);
    if (moved.length > 0) printDim(out, `learned: ${moved.join(', ')}`);
    if (untaught != null) printDim(out, `nothing learned: ${untaught}`);
  }
}

const WORDS: Partial<Readonly<Record<AnswerRecord['outcome'], string>>> = {
  confirmed: 'Done',
  dismissed: 'Dismissed',
  reversed: 'Undone',
};

/** Prints why something was only proposed: the sentence that answers, the gates and the signals. */
export function printReason(
  out: Printer,
  { sentence, sections }: Explanation,
  localised: (text: string) => string,
): void {
  print(out, localised(sentence), 4);
  for (const { title, lines } of sections.filter(({ title }) => title !== ALREADY_OFFERED)) {
    printDim(out, title);
    for (const line of lines) print(out, localised(line), 6);
  }
}

/** The keys offer it. */
const ALREADY_OFFERED = 'What you can do';

function print(out: Printer, text: string, indent: number): void {
  for (const line of out.wrapped(text, indent)) out.line(line);
}

function printDim(out: Printer, text: string): void {
  for (const line of out.wrapped(text, 4)) out.line(out.paint('dim', line));
}

/** How many lines of a mail or a note are shown. */
const MOST_LINES = 40;
const MAX_SHOWN_BYTES = 1024 * 1024;

/** Prints the mail that an entry is about, or why it can't be shown. `root`: the vault's folder. */
export async function showMail(out: Printer, root: string, { mail, from, quote }: WaitingEntry): Promise<void> {
  if (mail === null) return print(out, 'No mail is behind this.', 4);
  const file = parseItemPath(mail)?.file ?? mail;
  const bytes = await bytesIn(root, file);
  if (bytes === null) {
    const words = quote === null ? '' : ` It says: “${quote}”`;
    return print(out, `The vault no longer has ${file}.${from === null ? '' : ` It was from ${from}.`}${words}`, 4);
  }
  if (!/\.eml$/i.test(file)) return printText(out, bytes.toString('utf8'), file);
  const { parseMail } = await import('../streams/mail.ts');
  const read = await parseMail(file, bytes, { sourceType: 'mail', trustedServers: [] });
  if (!read.ok) return out.trouble(read.trouble);
  const { event } = read;
  const who = [event.fromName, event.from === null ? null : `<${event.from}>`].filter((part) => part !== null);
  print(out, `From: ${who.join(' ')}`, 4);
  print(out, `Subject: ${event.subject}`, 4);
  if (event.originAt !== null) print(out, `Date: ${formatMoment(event.originAt)}`, 4);
  out.line();
  printText(out, event.text, file);
}

/** Prints the note that an entry is about, or the event note if it is about none. */
export async function showNote(out: Printer, root: string, { target }: WaitingEntry): Promise<void> {
  if (target === null) return print(out, 'It is about no note yet.', 4);
  const bytes = await bytesIn(root, target);
  if (bytes === null) return print(out, `${target} can’t be read.`, 4);
  out.styled('bold', `    ${parseTitle(target)}`);
  printText(out, bytes.toString('utf8'), target);
}

async function bytesIn(root: string, file: string): Promise<Buffer | null> {
  const { readInside } = await import('../vault/files.ts');
  try {
    return readInside(root, file, MAX_SHOWN_BYTES).bytes;
  } catch (error) {
    if (error instanceof StewardError || (error instanceof Error && 'code' in error)) return null; // gone, or too large
    throw error;
  }
}

function printText(out: Printer, text: string, file: string): void {
  const lines = text.trim().split(/\r?\n/);
  for (const line of lines.slice(0, MOST_LINES)) print(out, line.replaceAll('\t', '  '), 4);
  if (lines.length > MOST_LINES) printDim(out, `… ${count(lines.length - MOST_LINES, 'more line')}: ${clean(file)}`);
}
