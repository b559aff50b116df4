import { type Frontmatter, readNote, same, type Yaml } from '../../src/vault/frontmatter.ts';
import { fieldsOf } from './burst.ts';
import type { World } from './world.ts';

/** A change of one field, as an event note or a reversal records it. */
type Change = { readonly before: Yaml; readonly after: Yaml };

interface Expected {
  data: Record<string, Yaml>;
  body: string;
}

/** The field that the program sets and removes outside its decisions; its law is in `laws.ts`. */
const FLAG = 'pending_confirmation';

/**
 * What every note must hold: what a person wrote last, plus the changes that the event notes record, each starting from
 * the value that was there before. Anything on disk that this does not explain is wrong.
 */
export class Ledger {
  /** The event notes in the folder, by path. */
  readonly events = new Map<string, Frontmatter>();
  readonly #world: World;
  readonly #notes = new Map<string, Expected>();
  readonly #moved = new Map<string, string>();
  readonly #entered = new Set<string>();
  readonly #wrong: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  get notes(): string[] {
    return [...this.#notes.keys()];
  }

  /** Records that a person wrote this note. */
  wrote(path: string, text: string): void {
    this.#notes.set(path, expectedOf(path, text));
  }

  gone(path: string): void {
    this.#notes.delete(path);
  }

  moved(from: string, to: string): void {
    const note = this.#notes.get(from);
    if (note !== undefined) this.#notes.set(to, note);
    this.#notes.delete(from);
    this.#moved.set(from, to);
  }

  /** Returns the current path of a note that was once at `path`. */
  whereabouts(path: string): string {
    const next = this.#moved.get(path);
    return next === undefined ? path : this.whereabouts(next);
  }

  /** Enters the new event notes, in an order in which each starts from what the one before it left. */
  enter(): void {
    const fresh = this.#fresh();
    while (fresh.length > 0) {
      const next = fresh.findIndex(({ path, changes }) => this.#fits(path, changes));
      const [entered] = fresh.splice(Math.max(0, next), 1);
      if (entered === undefined) return;
      if (next < 0) this.#wrong.push(`${entered.event} does not start from what ${entered.path} held`);
      this.#apply(entered.path, entered.changes);
    }
  }

  /** Returns what is wrong with the notes, in sentences. */
  wrongs(): string[] {
    const found = ['matter', 'task'].flatMap((folder) => this.#world.files(folder));
    return [
      ...this.#wrong,
      ...found.filter((path) => !this.#notes.has(path)).map((path) => `${path} was made by nobody`),
      ...this.notes.filter((path) => !found.includes(path)).map((path) => `${path} is gone`),
      ...found.flatMap((path) => this.#differences(path)),
    ];
  }

  #fresh(): { event: string; path: string; changes: Readonly<Record<string, Change>> }[] {
    return this.#world.files('event').flatMap((event) => {
      if (this.#entered.has(event)) return [];
      const fields = fieldsOf(this.#world, event);
      this.events.set(event, fields);
      if (/-reversed-/.test(event) && typeof fields.outcome !== 'string') return []; // a person's order, to be completed
      this.#entered.add(event);
      const made = /-reversed-/.test(event) ? fields.outcome === 'reversed' : isRecord(fields.undo_recipe);
      if (!made || typeof fields.target_path !== 'string') return [];
      return [{ event, path: this.whereabouts(fields.target_path), changes: changesIn(fields) }];
    });
  }

  #fits(path: string, changes: Readonly<Record<string, Change>>): boolean {
    const data = this.#notes.get(path)?.data;
    return (
      data !== undefined && Object.entries(changes).every(([field, { before }]) => same(data[field] ?? null, before))
    );
  }

  #apply(path: string, changes: Readonly<Record<string, Change>>): void {
    const data = this.#notes.get(path)?.data;
    if (data === undefined) return;
    for (const [field, { after }] of Object.entries(changes)) {
      if (after === null) delete data[field];
      else data[field] = after;
    }
  }

  #differences(path: string): string[] {
    const expected = this.#notes.get(path);
    if (expected === undefined) return [];
    const held = expectedOf(path, this.#world.read(path));
    const fields = [...new Set([...Object.keys(expected.data), ...Object.keys(held.data)])];
    const differing = fields.filter((field) => !same(held.data[field] ?? null, expected.data[field] ?? null));
    const sentence = (field: string) =>
      `${path}: ${field} is ${JSON.stringify(held.data[field])}, not ${JSON.stringify(expected.data[field])}`;
    return [...differing.map(sentence), ...(held.body === expected.body ? [] : [`${path}: another body`])];
  }
}

/** Returns the changes that an event note names. The recipe has full values; the table may shorten a long one. */
function changesIn({ changes, undo_recipe: recipe }: Frontmatter): Readonly<Record<string, Change>> {
  const patch = isRecord(recipe) ? recipe.vault_patch : null;
  const fields = isRecord(patch) && isRecord(patch.fields) ? patch.fields : changes;
  return Object.fromEntries(
    Object.entries(isRecord(fields) ? fields : {}).flatMap(([field, change]) =>
      isRecord(change) ? [[field, { before: change.before ?? null, after: change.after ?? null }]] : [],
    ),
  );
}

export function isRecord(value: Yaml | undefined): value is Readonly<Record<string, Yaml>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expectedOf(path: string, text: string): Expected {
  const read = readNote(path, Buffer.from(text));
  if (!read.ok) throw new Error(`${path}: ${read.trouble.message}\n${text}`);
  const { [FLAG]: _, ...data } = read.note.data;
  return { data: { ...data }, body: text.slice(text.indexOf('\n---', 3)) };
}
