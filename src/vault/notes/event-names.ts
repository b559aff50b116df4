import { sha256 } from '../hash.ts';
import { stem } from '../note-names.ts';
import { EventClock } from './event-clock.ts';

/** File names are limited to 255 bytes, and the parts before and after a slug need room too. */
const MAX_SLUG_BYTES = 150;

/** Names event notes so that each name is later than the ones before. */
export class EventNames {
  readonly #isFree: (name: string) => boolean;
  readonly #clock = new EventClock();

  /** `isFree`: whether no note has this name yet, in whatever folder: links lead to names. */
  constructor(isFree: (name: string) => boolean) {
    this.#isFree = isFree;
  }

  /** Returns a name for an event note of a type about a target that no note has yet. `now` in epoch ms. */
  free(type: string, target: string, now: number): string {
    const name = (time: string) => `${type}-${time}-${short(stem(target))}`;
    return name(this.#clock.next(now, (time) => this.#isFree(name(time))));
  }
}

/** Whether a name is one that an event note about this target may have. */
export function isNamedAfter(name: string, target: string): boolean {
  return name.endsWith(`-${short(stem(target))}`);
}

const NAME_TIME = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)(?:-(\d{3}))?Z/;
/** A name may hold a moment slightly later than the timestamp; one further off was not given by the program. */
const APART_MS = 2000;

/**
 * Returns the moment of an event note in epoch ms: its timestamp holds seconds, and where two things happened within
 * one second, its name holds the milliseconds. NaN where neither can be read.
 */
export function momentOf(name: string, timestamp: string | null): number {
  const written = Date.parse(timestamp ?? '');
  const [, hour, minute, second, ms = '000'] = NAME_TIME.exec(name) ?? [];
  const named = Date.parse(`${hour}:${minute}:${second}.${ms}Z`);
  return Math.abs(named - written) <= APART_MS ? named : written;
}

/**
 * Returns an intent's name in the journal and the history: that of the event note it leads to, cut to a safe length.
 */
export function intentId(eventPath: string): string {
  const name = stem(eventPath);
  return Buffer.byteLength(name) <= MAX_SLUG_BYTES + 60 ? name : `${short(name)}-${sha256(name).slice(0, 8)}`;
}

function short(name: string): string {
  let cut = name;
  while (Buffer.byteLength(cut) > MAX_SLUG_BYTES) cut = cut.slice(0, -1);
  return cut;
}
