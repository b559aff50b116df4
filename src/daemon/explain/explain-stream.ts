import { TARGET_FLOOR } from '../../stream/targets/score.ts';
import { StewardError } from '../../vault/errors.ts';
import type { FileStat } from '../../vault/files.ts';
import { itemIn } from '../../vault/notes/stream-path.ts';
import { accountOf } from '../context/fleeting/fleeting-mails.ts';
import type { ReadAccess, Workspace } from '../context/ports.ts';
import type { StreamRead } from '../context/remembered/stream-read.ts';
import { isNamed, type TrailEntry } from '../context/trail.ts';
import { explainItems, gaveWords, givenSignals, signalsFrom } from './explain-items.ts';
import { BLANK, type Explanation, type Section, type Times } from './explanation.ts';
import { ended, silentWords } from './silent-words.ts';

/** The records, and what is known of stream files. */
export type StreamAccess = ReadAccess & Pick<Workspace, 'ingest'>;

/** What became of a stream file. */
interface Fate {
  readonly sentence: string;
  readonly sections: readonly Section[];
}

/**
 * Explains a file of the stream, by its path or name, also one that is no longer there: the signals that it gave and what
 * has become of them, or why it gave none. Null where nothing is known of such a file. Throws `file-ambiguous` for a name
 * that several files have.
 */
export function explainStream(space: StreamAccess, written: string, times: Times): Explanation | null {
  const named = filesNamed(space, written);
  if (named.length > 1) throw severalFiles(written, named);
  const [file] = named;
  const items = file === undefined ? null : (space.context.state.get('streams')[file]?.items ?? null);
  if (file !== undefined && items !== null) return explainItems(space, file, items, times);
  const entry = space.ingest.trail.find(file ?? written);
  const known = file ?? entry?.file ?? itemNamed(space, written) ?? fleetingNamed(space, written);
  if (known === null) return null;
  return { ...BLANK, note: known, kind: 'stream', ...fateOf(space, known, entry, times) };
}

function fateOf(space: StreamAccess, file: string, entry: TrailEntry | null, times: Times): Fate {
  const signals = signalsFrom(space, file);
  if (signals.length > 0) {
    const sections = [...accountSection(space, file), givenSignals(space, signals, times)];
    return { sentence: gaveWords(signals.length), sections };
  }
  const read = space.context.state.get('streams')[file];
  const isUnread = isReadAgain(space.vault.streams.get(file), read);
  if (!isUnread && entry !== null && isOf(entry, read)) return silentFate(space, entry, times);
  if (isUnread || read === undefined)
    return { sentence: `It has not been read yet${waitingWords(space, file)}.`, sections: [] };
  const why = read.refused ?? read.skipped;
  return { sentence: why === null ? GONE : `It gave no signal: ${why}.`, sections: [readAt(read.at, times)] };
}

// A file that has other bytes by now, or came back under its name, says nothing of what was read before.
function isReadAgain(now: FileStat | undefined, read: StreamRead | undefined): boolean {
  if (now === undefined) return false;
  return read === undefined || (read.sha256 !== '' && (read.size !== now.size || read.mtimeMs !== now.mtimeMs));
}

/** Whether an entry is of the last reading of its file: one before may have given nothing where this one gave signals. */
function isOf({ at }: TrailEntry, read: StreamRead | undefined): boolean {
  return read === undefined || (read.signals === 0 && at >= read.at);
}

const GONE = 'It gave signals, but their notes are gone.';

function silentFate(space: StreamAccess, entry: TrailEntry, times: Times): Fate {
  const twin = entry.kind === 'same-bytes' ? signalsFrom(space, twinIn(entry.reason)) : [];
  return {
    sentence: `It gave no signal: ${silentWords(entry)}.`,
    sections: [
      { title: 'The file', lines: headLines(entry, times) },
      ...(entry.closest.length === 0 ? [] : [{ title: CLOSEST, lines: entry.closest.map(closestLine) }]),
      ...(twin.length === 0 ? [] : [givenSignals(space, twin, times)]),
    ],
  };
}

const CLOSEST = `The closest notes (${TARGET_FLOOR} needed)`;

function headLines({ from, subject, by, reason, kind, at }: TrailEntry, times: Times): string[] {
  return [
    ...(from === null ? [] : [`from ${from}`]),
    ...(subject === null ? [] : [`subject: ${subject}`]),
    `${kind === 'unread-kind' ? 'seen' : 'read'} ${times(at)}${by === null ? '' : ` by ${by}`}`,
    ...(kind === 'no-note' ? [`found in it: ${reason}`] : []),
  ];
}

function closestLine({ note, score }: TrailEntry['closest'][number]): string {
  return `${note} ${score.toFixed(2)}`;
}

function readAt(at: number, times: Times): Section {
  return { title: 'The file', lines: [`read ${times(at)}`] };
}

function twinIn(reason: string): string | null {
  return /^it was read as (.+)$/.exec(reason)?.[1] ?? null;
}

function waitingWords({ ingest }: StreamAccess, file: string): string {
  const waiting = ingest.waiting.get(file);
  return waiting === undefined ? '' : `: ${ended(waiting.reason)}`;
}

/** The path of a mail that was deleted once it had been read, where it gave signals. */
function fleetingNamed({ context }: ReadAccess, written: string): string | null {
  const gone = context.state.get('cleared');
  return Object.keys(gone).find((file) => isNamed(file, written)) ?? null;
}

function accountSection({ context }: ReadAccess, file: string): readonly Section[] {
  const account = accountOf(context, file);
  const words = `the mail itself lies in the account ${account}, outside the vault`;
  return account === null ? [] : [{ title: 'The file', lines: [words] }];
}

/** The path of an event in a file that holds many, where signals came of it. */
function itemNamed(space: ReadAccess, written: string): string | null {
  return itemIn(written) !== null && signalsFrom(space, written).length > 0 ? written : null;
}

/** The file of a path, or those of a name. */
function filesNamed({ vault }: ReadAccess, written: string): readonly string[] {
  if (itemIn(written) !== null && !vault.streams.has(written)) return [];
  return vault.streams.has(written)
    ? [written]
    : [...vault.streams.keys()].filter((file) => isNamed(file, written)).sort();
}

const MOST_NAMED = 5;

function severalFiles(written: string, files: readonly string[]): StewardError {
  const rest = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  return new StewardError({
    code: 'file-ambiguous',
    message: `${files.length} files of the stream are named "${written}": ${files.slice(0, MOST_NAMED).join(', ')}${rest}.`,
    hint: 'Give the path of one of them.',
  });
}
