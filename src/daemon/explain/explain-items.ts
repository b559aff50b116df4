import { countsOf, type ItemsRead, itemWords } from '../../stream/items/items-read.ts';
import type { SignalRecord } from '../../vault/index/record.ts';
import { shown } from '../../vault/notes/note-text.ts';
import { streamFileOf } from '../../vault/notes/stream-path.ts';
import type { ReadAccess, Workspace } from '../context/ports.ts';
import { signalSentence } from './explain-signal.ts';
import { BLANK, type Explanation, type Section, type Times } from './explanation.ts';
import { silentWords } from './silent-words.ts';

/** How many signals of a file are told one by one. */
const MOST_SIGNALS = 20;
/** Of how many events it is told why they gave none. */
const MOST_SILENT = 10;

/** The records, and why events gave no signal. */
type ItemsAccess = ReadAccess & Pick<Workspace, 'ingest'>;

/**
 * Explains a file that holds many events: what became of them, which were refused, the newest signals, and of the newest events
 * without one why they gave none.
 */
export function explainItems(space: ItemsAccess, file: string, items: ItemsRead, times: Times): Explanation {
  const signals = signalsOfFile(space, file);
  const shownOnes = signals.slice(-MOST_SIGNALS);
  const sections = [
    { title: 'Its events', lines: [itemWords(countsOf(items)), ...restLines(items)] },
    ...(items.troubles.length === 0 ? [] : [{ title: 'Refused', lines: troubleLines(items) }]),
    ...(shownOnes.length === 0 ? [] : [givenSignals(space, shownOnes, times)]),
    ...silentSection(space, file),
  ];
  return {
    ...BLANK,
    note: file,
    kind: 'stream',
    sentence: itemsSentence(items.read + items.known, signals.length, reasonOf(space, file)),
    sections,
  };
}

function itemsSentence(events: number, signals: number, reason: string | null): string {
  if (events === 0) return reason === null ? 'No event has been read from it.' : `No event is read from it: ${reason}`;
  if (events === 1) return `It holds one event. ${signals === 0 ? 'That gave no signal.' : gaveWords(signals)}`;
  return `It holds ${events} events. ${gaveWords(signals)}`;
}

function reasonOf({ context }: ReadAccess, file: string): string | null {
  const read = context.state.get('streams')[file];
  return read?.refused ?? read?.skipped ?? null;
}

function silentSection({ ingest }: ItemsAccess, file: string): Section[] {
  const lines = ingest.trail.within(file, MOST_SILENT).flatMap((entry) => {
    const named = entry.subject === null ? entry.file : `${entry.subject} (${entry.file})`;
    return [named, `  ${silentWords(entry)}`];
  });
  return lines.length === 0 ? [] : [{ title: 'Without a signal, the newest first', lines }];
}

/** Returns the sentence about how many signals something gave. */
export function gaveWords(count: number): string {
  if (count === 0) return 'None gave a signal.';
  return count === 1 ? 'It gave one signal.' : `It gave ${count} signals.`;
}

/** Returns the signals of one event, by the path of its file, or by its own path in a file that holds many. */
export function signalsFrom({ vault }: ReadAccess, path: string | null): SignalRecord[] {
  if (path === null) return [];
  return vault.catalogue.signals().filter(({ fields: { source_event_path: from } }) => {
    return from === path || (from !== null && streamFileOf(from) === path);
  });
}

/** Returns the section that tells signals, and what has become of them. */
export function givenSignals(space: ReadAccess, signals: readonly SignalRecord[], times: Times): Section {
  const lines = signals.flatMap((signal) => {
    const { raw_quote: quote, target_path: target } = signal.fields;
    const said = `[[${signal.name}]] “${quote ?? ''}” for ${target === null ? 'no note' : shown(target)}`;
    return [said, `  ${signalSentence(space, signal, times)}`];
  });
  return { title: 'Signals, and what has become of them', lines };
}

function signalsOfFile({ vault }: ReadAccess, file: string): SignalRecord[] {
  return vault.catalogue
    .signals()
    .filter(({ fields }) => fields.source_event_path !== null && streamFileOf(fields.source_event_path) === file);
}

function restLines({ isDone, open }: ItemsRead): string[] {
  const waiting = Object.keys(open).length;
  if (isDone) return [];
  return [waiting === 0 ? 'The steward is still reading it.' : 'Reading goes on when fewer of them wait for a model.'];
}

function troubleLines({ troubles, refused }: ItemsRead): string[] {
  const lines = troubles.map(({ place, reason }) => `${place}: ${reason}`);
  return refused > troubles.length ? [...lines, `and ${refused - troubles.length} more`] : lines;
}
