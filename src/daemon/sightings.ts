import type { Sighting } from '../steward/hindsight.ts';
import { fold } from '../vault/names.ts';
import type { EventRecord } from '../vault/record.ts';
import type { Frontmatter } from '../vault/records/values.ts';
import { readFresh } from './reading.ts';
import { byTime } from './replay.ts';
import type { Workspace } from './workspace.ts';

/** An event note has room for so much of the former frontmatter, in characters of JSON; beyond it fields are left out. */
const SURELY_WHOLE = 12 * 1024;

/** What the notes tell of one note, in the order of time. */
interface Course {
  readonly seen: readonly Sighting[];
  /** Event path → how many of the sightings are not later than it. */
  readonly until: ReadonlyMap<string, number>;
}

/** How each note was seen again after a decision about it: by every later event, and as it is. Each event is read once. */
export class Sightings {
  readonly #space: Workspace;
  readonly #courses = new Map<string, Course>();
  readonly #about: ReadonlyMap<string, readonly EventRecord[]>;

  constructor(space: Workspace) {
    this.#space = space;
    this.#about = Map.groupBy(space.vault.catalogue.events(), ({ fields }) => this.#place(fields.target_path));
  }

  /** The sightings after an event, oldest first. */
  after(event: EventRecord): Iterable<Sighting> {
    const { seen, until } = this.#course(event.fields.target_path);
    const from = until.get(event.path) ?? seen.length;
    return {
      *[Symbol.iterator]() {
        for (let at = from; at < seen.length; at += 1) {
          const sighting = seen[at];
          if (sighting !== undefined) yield sighting;
        }
      },
    };
  }

  #course(path: string | null): Course {
    const place = this.#place(path);
    const known = this.#courses.get(place);
    if (known !== undefined) return known;
    const events = (this.#about.get(place) ?? []).toSorted(byTime);
    const note = path === null ? null : readFresh(this.#space, this.#space.vault.catalogue.whereabouts(path));
    const present = note === null ? [] : [{ fields: note.data, isWhole: true, decided: [] }];
    const course = {
      seen: [...events.map(sightingBy), ...present],
      until: new Map(events.map((event, nth) => [event.path, nth + 1])),
    };
    this.#courses.set(place, course);
    return course;
  }

  #place(path: string | null): string {
    return path === null ? '' : fold(this.#space.vault.catalogue.whereabouts(path));
  }
}

// What an event decided about itself stands in its changes; they hold what those fields were before it.
function sightingBy({ fields }: EventRecord): Sighting {
  const before = Object.entries(fields.changes).map(([field, change]) => [field, change.before] as const);
  return {
    fields: { ...fields.prior_frontmatter, ...Object.fromEntries(before) },
    isWhole: isWhole(fields.prior_frontmatter),
    decided: Object.keys(fields.changes),
  };
}

function isWhole(prior: Frontmatter): boolean {
  return Object.keys(prior).length > 0 && JSON.stringify(prior).length < SURELY_WHOLE;
}
