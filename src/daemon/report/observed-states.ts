import type { Sighting } from '../../steward/hindsight/hindsight.ts';
import type { Sight } from '../../steward/learning/hand.ts';
import { nameKey } from '../../vault/index/index-keys.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { fold } from '../../vault/note-names.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import type { StatusWords } from '../../vault/records/status-words.ts';
import type { Frontmatter } from '../../vault/records/values.ts';
import { targetPath } from '../context/event-target.ts';
import type { Workspace } from '../context/ports.ts';
import { inOrder } from './recorded-decisions.ts';

/**
 * Below this many characters of JSON an event note holds the whole former frontmatter; above it, fields are left out.
 */
const SURELY_WHOLE = 12 * 1024;

/** A state of a note, and the names of the signals that were weighed on it. */
interface ObservedState extends Sighting {
  readonly signals: ReadonlySet<string>;
}

/** The states that one note was observed in, oldest first. */
interface NoteHistory {
  readonly states: readonly ObservedState[];
  readonly present: Sight | null;
  /** Event path → how many of the states are not later than it. */
  readonly until: ReadonlyMap<string, number>;
}

/** The states that each note was observed in: at every event about it, and as it is now. Each event is read once. */
export class ObservedStates {
  readonly #space: Workspace;
  readonly #histories = new Map<string, NoteHistory>();
  readonly #eventsAbout: ReadonlyMap<string, readonly EventRecord[]>;

  constructor(space: Workspace) {
    this.#space = space;
    this.#eventsAbout = Map.groupBy(space.vault.catalogue.events(), (event) => keyOf(targetPath(space.vault, event)));
  }

  /**
   * Returns the states of the event's note after the event, oldest first. A later event that weighed one of its signals
   * decided about all its fields again.
   */
  after(event: EventRecord): Iterable<Sighting> {
    const { states, until } = this.#historyOf(targetPath(this.#space.vault, event));
    const from = until.get(event.path) ?? states.length;
    const fields = Object.keys(event.fields.changes);
    const signals = event.fields.signals.map(nameKey);
    return {
      *[Symbol.iterator]() {
        for (let at = from; at < states.length; at += 1) {
          const state = states[at];
          if (state === undefined) return;
          const isWeighedAgain = signals.some((signal) => state.signals.has(signal));
          yield isWeighedAgain ? { ...state, decided: fields } : state;
        }
      },
    };
  }

  /** Returns the event's note as it is now; null where it is gone, or cannot be read. */
  present(event: EventRecord): Sight | null {
    return this.#historyOf(targetPath(this.#space.vault, event)).present;
  }

  #historyOf(path: string | null): NoteHistory {
    const key = keyOf(path);
    const known = this.#histories.get(key);
    if (known !== undefined) return known;
    const events = inOrder(this.#eventsAbout.get(key) ?? []);
    const { words } = this.#space.vault.catalogue;
    const note = path === null ? null : this.#space.notes.fresh(path);
    const present = note === null ? null : { fields: note.data, isWhole: true, words };
    const now = { at: this.#space.context.now(), decided: [], signals: new Set<string>() };
    const history: NoteHistory = {
      states: [
        ...events.map((event) => stateBefore(event, words)),
        ...(present === null ? [] : [{ ...present, ...now }]),
      ],
      present,
      until: new Map(events.map((event, nth) => [event.path, nth + 1])),
    };
    this.#histories.set(key, history);
    return history;
  }
}

// A note is known by its current path, as names compare.
function keyOf(path: string | null): string {
  return path === null ? '' : fold(path);
}

// The recorded frontmatter shortens long values; a change holds the former value of its own field.
function stateBefore({ name, fields }: EventRecord, words: StatusWords): ObservedState {
  const before = Object.entries(fields.changes).map(([field, change]) => [field, change.before] as const);
  return {
    fields: { ...fields.prior_frontmatter, ...Object.fromEntries(before) },
    isWhole: isWhole(fields.prior_frontmatter),
    words,
    at: momentOf(name, fields.timestamp),
    decided: Object.keys(fields.changes),
    signals: new Set(fields.signals.map(nameKey)),
  };
}

function isWhole(prior: Frontmatter): boolean {
  return Object.keys(prior).length > 0 && JSON.stringify(prior).length < SURELY_WHOLE;
}
