import { linkKey } from '../../links.ts';
import type { MatterRecord, TaskRecord, VaultRecord } from '../record.ts';
import type { Postings } from './postings.ts';

interface Parts {
  readonly postings: Readonly<Record<'doubtful' | 'due' | 'taskLink', Postings>>;
  readonly get: (path: string) => VaultRecord | undefined;
  readonly resolve: (link: string) => VaultRecord | null;
  readonly matterOf: (task: TaskRecord) => MatterRecord | null;
}

/** The tasks that somebody has to look at, so that nobody has to go over all of them. */
export class Agenda {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the tasks with which something may be wrong, by their notes alone: a status, a date, an id. */
  doubtful(): TaskRecord[] {
    return this.#at('doubtful', 'task');
  }

  /** Returns the tasks that name a matter which is not there. Pauses after each name. */
  *strays(): Generator<void, TaskRecord[]> {
    const { postings, matterOf, resolve } = this.#parts;
    // Whether a link leads to a matter is the same for all links of one key, and nearly all keys are such a link themselves.
    const strays: TaskRecord[] = [];
    for (const key of [...postings.taskLink.keys()]) {
      yield;
      if (linkKey(key) === key && resolve(key)?.kind === 'matter') continue;
      const [first] = this.#tasks(postings.taskLink.get(key).slice(0, 1));
      if (first !== undefined && matterOf(first) === null) strays.push(...this.#at('taskLink', key));
    }
    return strays;
  }

  /** Returns the open tasks that are due on a day (`YYYY-MM-DD`) or before, and those whose day is not plainly written. */
  dueBy(last: string): TaskRecord[] {
    return [...this.#parts.postings.due.keys()].filter((day) => day <= last).flatMap((day) => this.#at('due', day));
  }

  #at(index: keyof Parts['postings'], key: string): TaskRecord[] {
    return this.#tasks(this.#parts.postings[index].get(key));
  }

  #tasks(paths: readonly string[]): TaskRecord[] {
    return paths.flatMap((path) => this.#parts.get(path) ?? []).filter((record) => record.kind === 'task');
  }
}
