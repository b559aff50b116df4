import { dayWords } from '../../steward/perception/finding.ts';
import { sentAt, speakerOf } from '../../steward/trust/speaker.ts';
import type { SignalRecord, TargetRecord } from '../../vault/index/record.ts';
import { clipped, fieldLine } from '../../vault/notes/note-text.ts';
import type { IndexAccess } from '../context/ports.ts';

const MAX_NAME = 60;

/**
 * Returns a sentence on who was last heard about a note or its matter, and when; null where nobody is expected to speak.
 * A name is text from outside: it counts only where a channel vouches for it, else the address stands for it.
 */
export function heardLine(space: IndexAccess, target: TargetRecord): string | null {
  const { catalogue } = space.vault;
  const matter = target.kind === 'task' ? catalogue.matterOf(target) : null;
  const now = space.context.now();
  const last = [target, ...(matter === null ? [] : [matter])]
    .flatMap((note) => catalogue.signalsFor(note))
    .flatMap((signal) => dated(signal, now))
    .reduce<Dated | null>((one, other) => (one === null || other.at > one.at ? other : one), null);
  if (last !== null) return lastWords(space, last, now);
  const [sender] = [...target.fields.senders, ...(matter?.fields.senders ?? [])];
  const name = sender === undefined ? null : shortName(sender);
  return name === null ? null : `Nothing was heard from ${name} so far.`;
}

interface Dated {
  readonly signal: SignalRecord;
  readonly at: number;
}

function dated(signal: SignalRecord, now: number): Dated[] {
  const at = sentAt(signal);
  return at === null || at > now ? [] : [{ signal, at }];
}

function lastWords(space: IndexAccess, { signal, at }: Dated, now: number): string | null {
  const { pattern, channel, vouched } = speakerOf(space, signal);
  const shown = vouched === 'pass' ? signal.fields.from?.replace(/(?<!\s)\s*<[^<>]*>\s*$/, '') : null;
  const name = shortName(shown ?? '') ?? shortName(pattern ?? '') ?? channel;
  const day = dayWords(at, now);
  return day === 'today' ? `${name} was last heard today.` : `Nothing was heard from ${name} since ${day}.`;
}

function shortName(written: string): string | null {
  const line = fieldLine(written);
  return line === null ? null : clipped(line, MAX_NAME);
}
