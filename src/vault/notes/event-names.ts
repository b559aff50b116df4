import { sha256 } from '../hash.ts';
import type { Layout } from '../layout.ts';
import { stem } from '../note-names.ts';
import { EventClock } from './event-clock.ts';

/** File names end at 255 bytes; what is put before and behind a slug needs room too. */
const MAX_SLUG_BYTES = 150;

/** Names event notes, each later than the ones before. */
export class EventNames {
  readonly #vault: { readonly layout: Layout; has(path: string): boolean };
  readonly #clock = new EventClock();

  constructor(vault: { readonly layout: Layout; has(path: string): boolean }) {
    this.#vault = vault;
  }

  /** A path for an event note of a type about a target, which no note has yet. `now` in epoch ms. */
  free(type: string, target: string, now: number): string {
    const folder = this.#vault.layout.folders.event;
    const path = (time: string) => `${folder}/${type}-${time}-${short(stem(target))}.md`;
    return path(this.#clock.next(now, (time) => !this.#vault.has(path(time))));
  }
}
const NAME_TIME = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)(?:-(\d{3}))?Z/;
/** A name given within a full second may hold a moment just behind it; one further off is not the program's. */
const APART_MS = 2000;

/**
 * The moment of an event note in epoch ms: its timestamp holds seconds, and where two things happened within one
 * second, its name holds the rest. NaN where it says none that can be read.
 */
export function momentOf(name: string, timestamp: string | null): number {
  const written = Date.parse(timestamp ?? '');
  const [, hour, minute, second, ms = '000'] = NAME_TIME.exec(name) ?? [];
  const named = Date.parse(`${hour}:${minute}:${second}.${ms}Z`);
  return Math.abs(named - written) <= APART_MS ? named : written;
}

/** What an intent is called in the journal and the history: the name of the event note it leads to. */
export function intentId(eventPath: string): string {
  const name = stem(eventPath);
  return Buffer.byteLength(name) <= MAX_SLUG_BYTES + 60 ? name : `${short(name)}-${sha256(name).slice(0, 8)}`;
}

function short(name: string): string {
  let cut = name;
  while (Buffer.byteLength(cut) > MAX_SLUG_BYTES) cut = cut.slice(0, -1);
  return cut;
}
