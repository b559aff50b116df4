import { TARGET_FLOOR } from '../../stream/targets/score.ts';
import type { SignalRecord } from '../../vault/index/record.ts';
import { shown } from '../../vault/notes/note-text.ts';
import type { ReadAccess, Workspace } from '../context/ports.ts';
import { isNamed, type TrailEntry } from '../context/trail.ts';
import { signalSentence } from './explain-signal.ts';
import { BLANK, type Explanation, type Section, type Times } from './explanation.ts';
import { lowerFirst } from './wording.ts';

/** The records, and what is known of stream files. */
export type StreamAccess = ReadAccess & Pick<Workspace, 'ingest'>;

/** What became of a stream file. */
interface Fate {
  readonly sentence: string;
  readonly sections: readonly Section[];
}

/**
 * Explains a file of the stream, by its path or name, also one that is no longer there: the signals that it gave and what
 * has become of them, or why it gave none. Null where nothing is known of such a file.
 */
export function explainStream(space: StreamAccess, written: string, times: Times): Explanation | null {
  const file = fileMeant(space, written);
  const entry = space.ingest.trail.find(file ?? written);
  const known = file ?? entry?.file ?? null;
  if (known === null) return null;
  return { ...BLANK, note: known, kind: 'stream', ...fateOf(space, known, entry, times) };
}

function fateOf(space: StreamAccess, file: string, entry: TrailEntry | null, times: Times): Fate {
  const signals = signalsOf(space, file);
  if (signals.length > 0) return { sentence: gaveWords(signals.length), sections: [given(space, signals, times)] };
  if (entry !== null) return silentFate(space, entry, times);
  const read = space.context.state.get('streams')[file];
  if (read === undefined) return { sentence: `It has not been read yet${waitingWords(space, file)}.`, sections: [] };
  const why = read.refused ?? read.skipped;
  return { sentence: why === null ? GONE : `It gave no signal: ${why}.`, sections: [readAt(read.at, times)] };
}

const GONE = 'It gave signals, and their notes are no longer there.';

function silentFate(space: StreamAccess, entry: TrailEntry, times: Times): Fate {
  const twin = entry.kind === 'same-bytes' ? signalsOf(space, twinIn(entry.reason)) : [];
  return {
    sentence: `It gave no signal: ${SAID[entry.kind](entry)}.`,
    sections: [
      { title: 'The file', lines: headLines(entry, times) },
      ...(entry.closest.length === 0 ? [] : [{ title: CLOSEST, lines: entry.closest.map(closestLine) }]),
      ...(twin.length === 0 ? [] : [given(space, twin, times)]),
    ],
  };
}

const CLOSEST = `The notes that come closest (${TARGET_FLOOR} is needed)`;

/** The rest of the sentence `It gave no signal: …`. */
const SAID: Readonly<Record<TrailEntry['kind'], (entry: TrailEntry) => string>> = {
  'unread-kind': ({ reason }) => reason,
  unreadable: ({ reason }) => lowerFirst(ended(reason)),
  'same-bytes': ({ reason }) => `the same bytes were read before; ${reason}`,
  'not-admitted': ({ reason }) => `it is not looked into, being ${reason}`,
  'no-note': () => 'no note fits it well enough',
  'nothing-said': ({ closest, reason }) =>
    `it may be about ${closest[0]?.note ?? 'a note'}, and ${saidNothing(reason)}`,
  struck: ({ reason }) => `what was read in it did not stand up to the checks. ${ended(reason)}`,
  'model-none': ({ by, closest }) =>
    `${by ?? 'a model'} was asked whether it changes ${closest[0]?.note ?? 'a note'}, and found nothing that does`,
};

/** What the rules say where they find no phrase that means a change. */
const NO_PHRASE = 'nothing that changes a matter';

function saidNothing(reason: string): string {
  return reason === NO_PHRASE ? 'says nothing that changes it' : `what it says is no change: ${ended(reason)}`;
}

function ended(reason: string): string {
  return reason.replace(/(?<![.\s])[.\s]+$/, '');
}

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

function gaveWords(count: number): string {
  return count === 1 ? 'It gave one signal.' : `It gave ${count} signals.`;
}

function given(space: ReadAccess, signals: readonly SignalRecord[], times: Times): Section {
  const lines = signals.flatMap((signal) => {
    const { raw_quote: quote, target_path: target } = signal.fields;
    const said = `[[${signal.name}]] “${quote ?? ''}” for ${target === null ? 'no note' : shown(target)}`;
    return [said, `  ${signalSentence(space, signal, times)}`];
  });
  return { title: 'Signals, and what has become of them', lines };
}

function signalsOf({ vault }: ReadAccess, file: string | null): SignalRecord[] {
  return file === null ? [] : vault.catalogue.signals().filter(({ fields }) => fields.source_event_path === file);
}

function twinIn(reason: string): string | null {
  return /^it was read as (.+)$/.exec(reason)?.[1] ?? null;
}

function waitingWords({ ingest }: StreamAccess, file: string): string {
  const waiting = ingest.waiting.get(file);
  return waiting === undefined ? '' : `: ${ended(waiting.reason)}`;
}

// A name that several files have means none of them.
function fileMeant({ vault }: ReadAccess, written: string): string | null {
  if (vault.streams.has(written)) return written;
  const named = [...vault.streams.keys()].filter((file) => isNamed(file, written));
  return named.length === 1 ? (named[0] ?? null) : null;
}
