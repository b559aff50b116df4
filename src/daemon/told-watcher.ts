import type { Workspace } from './context.ts';
import { watcherProblem } from './status.ts';

/** Tells once, in the log as well as in `status`, that the watcher works no more: a limit of the system concerns whoever runs it. */
export class ToldWatcher {
  readonly #space: Pick<Workspace, 'context' | 'vault'>;
  #isTold = false;

  constructor(space: Pick<Workspace, 'context' | 'vault'>) {
    this.#space = space;
  }

  look(): void {
    const { context, vault } = this.#space;
    const reason = vault.watcherTrouble;
    if (reason !== null && !this.#isTold) context.emit({ what: 'trouble', trouble: watcherProblem(reason) });
    this.#isTold = reason !== null;
  }
}
