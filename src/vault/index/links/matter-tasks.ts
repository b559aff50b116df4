import { Lately } from '../../catalogue.ts';
import type { MatterRecord, TaskRecord, VaultRecord } from '../record.ts';
import type { LinkResolver } from './link-resolver.ts';

/** The records that are linked, and how they are linked. */
interface Linked {
  readonly links: LinkResolver;
  get(path: string): VaultRecord | undefined;
  /** Grows with all that may make a link lead elsewhere. */
  readonly revision: () => number;
}

/** Which tasks belong to a matter, and which matter a task belongs to, by their links. */
export class MatterTasks {
  readonly #linked: Linked;
  /** The paths of tasks, by the path of their matter. */
  readonly #tasks = new Lately<readonly string[]>();
  /** Matters, by the link that leads to them. */
  readonly #matters = new Lately<MatterRecord | null>();

  constructor(linked: Linked) {
    this.#linked = linked;
  }

  /** Returns the tasks whose `parent_matter` leads to this matter, however the link is written. */
  of(matter: MatterRecord): TaskRecord[] {
    const { get, revision } = this.#linked;
    if (get(matter.path) !== matter) return this.#linkedTo(matter); // as it was before: it may have had other names
    const paths = this.#tasks.at(matter.path, revision(), () => this.#linkedTo(matter).map(({ path }) => path));
    return paths.map(get).filter((record) => record?.kind === 'task');
  }

  /** Returns the matter a task belongs to, or null where its link leads to none. */
  matterOf({ fields: { parent_matter: parent } }: TaskRecord): MatterRecord | null {
    if (parent === null) return null;
    const { links, revision } = this.#linked;
    return this.#matters.at(parent, revision(), () => {
      const found = links.resolve(parent, ['matter']);
      return found?.kind === 'matter' ? found : null;
    });
  }

  #linkedTo(matter: MatterRecord): TaskRecord[] {
    return this.#linked.links
      .linkedTo(matter, 'taskLink')
      .filter((record): record is TaskRecord => record.kind === 'task' && this.matterOf(record)?.path === matter.path);
  }
}
