import type { Sighting } from '../../steward/hindsight/hindsight.ts';
import { nameKey } from '../../vault/index/index-keys.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { fold } from '../../vault/note-names.ts';
import type { Frontmatter } from '../../vault/records/values.ts';
import type { Workspace } from '../context/ports.ts';
import { inOrder } from './replay.ts';

/** An event note has room for so much of the former frontmatter, in characters of JSON; beyond it fields are left out. */
const SURELY_WHOLE = 12 * 1024;

/** A sighting, and the signals that were weighed when it was made. */
interface Seen extends Sighting {
  readonly signals: ReadonlySet<string>;
}

/** What the notes tell of one note, in the order of time. */
interface Course {
  readonly seen: readonly Seen[];
  /** Event path → how many of the sightings are not later than it. */
  readonly until: ReadonlyMap<string, number>;
}

/** How each note was seen again after a decision about it: by every later event, and as it is. Each event is read once. */
export class ObservedStates {
  readonly #space: Workspace;
  readonly #courses = new Map<string, Course>();
  readonly #about: ReadonlyMap<string, readonly EventRecord[]>;

  constructor(space: Workspace) {
    this.#space = space;
    this.#about = Map.groupBy(space.vault.catalogue.events(), ({ fields }) => this.#place(fields.target_path));
  }

  /** The sightings after an event, oldest first. A later event that weighed one of its signals decided anew about it all. */
  after(event: EventRecord): Iterable<Sighting> {
    const { seen, until } = this.#course(event.fields.target_path);
    const from = until.get(event.path) ?? seen.length;
    const fields = Object.keys(event.fields.changes);
    const signals = event.fields.signals.map(nameKey);
    return {
      *[Symbol.iterator]() {
        for (let at = from; at < seen.length; at += 1) {
          const sighting = seen[at];
          if (sighting === undefined) return;
          const isAnew = signals.some((signal) => sighting.signals.has(signal));
          yield isAnew ? { ...sighting, decided: fields } : sighting;
        }
      },
    };
  }

  #course(path: string | null): Course {
    const place = this.#place(path);
    const known = this.#courses.get(place);
    if (known !== undefined) return known;
    const events = inOrder(this.#about.get(place) ?? []);
    const note = path === null ? null : this.#space.notes.fresh(this.#space.vault.catalogue.currentPath(path));
    const present =
      note === null ? [] : [{ fields: note.data, isWhole: true, decided: [], signals: new Set<string>() }];
    const course = {
      seen: [...events.map(sightingBy), ...present],
      until: new Map(events.map((event, nth) => [event.path, nth + 1])),
    };
    this.#courses.set(place, course);
    return course;
  }

  #place(path: string | null): string {
    return path === null ? '' : fold(this.#space.vault.catalogue.currentPath(path));
  }
}

// What an event decided about itself stands in its changes; they hold what those fields were before it.
function sightingBy({ fields }: EventRecord): Seen {
  const before = Object.entries(fields.changes).map(([field, change]) => [field, change.before] as const);
  return {
    fields: { ...fields.prior_frontmatter, ...Object.fromEntries(before) },
    isWhole: isWhole(fields.prior_frontmatter),
    decided: Object.keys(fields.changes),
    signals: new Set(fields.signals.map(nameKey)),
  };
}

function isWhole(prior: Frontmatter): boolean {
  return Object.keys(prior).length > 0 && JSON.stringify(prior).length < SURELY_WHOLE;
}
