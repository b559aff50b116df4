import { answerAll, undoAll } from '../../../daemon/answers/answer-all.ts';
import { type Answer, isDone } from '../../../undo/order.ts';
import { EXIT, StewardError } from '../../../vault/errors.ts';
import { stem } from '../../../vault/note-names.ts';
import type { CommandContext } from '../../base/context.ts';
import { handOver } from '../../base/hand-over.ts';
import { printAnswers } from '../../print/print-answers.ts';

/** What a person says to some entries; `note`: the one that is chosen, where one of several is meant. */
export interface Given {
  readonly what: 'confirm' | 'dismiss' | 'force';
  readonly note: string | null;
}

/** What came of it. `undoable`: the notes to name where it is to be taken back. */
interface Came {
  readonly isDone: boolean;
  readonly undoable: readonly string[];
}

const NOTHING: Came = { isDone: false, undoable: [] };

/** Carries out answers as the commands do, each with a note of its own, and prints what came of each. */
export class Answers {
  readonly #context: CommandContext;
  readonly #root: string;

  constructor(context: CommandContext, root: string) {
    this.#context = context;
    this.#root = root;
  }

  /** Answers the events of these names. */
  async give(events: readonly string[], { what, note }: Given): Promise<Came> {
    const answers = await this.#tried(() =>
      what === 'force' ? this.#undo(events, true) : this.#answer(what, events, note),
    );
    // What changed nothing can give nothing back.
    const made = answers?.filter((answer) => isDone(answer) && Object.keys(answer.changes).length > 0) ?? [];
    const undoable = made.flatMap((answer) => (answer.note === null ? [] : [stem(answer.note)]));
    return answers === null ? NOTHING : { isDone: answers.every(isDone), undoable };
  }

  /** Takes back what the notes of these names record. */
  async takeBack(names: readonly string[]): Promise<boolean> {
    const answers = await this.#tried(() => this.#undo(names, false));
    return answers?.every(isDone) === true;
  }

  // One that cannot be answered, as where it was answered elsewhere meanwhile, does not end the round.
  async #tried(act: () => Promise<Answer[]>): Promise<Answer[] | null> {
    try {
      const answers = await act();
      printAnswers(this.#context.out, answers, false);
      return answers;
    } catch (error) {
      if (!(error instanceof StewardError) || error.exit === EXIT.tryAgain) throw error;
      this.#context.err.trouble(error.trouble);
      return null;
    }
  }

  #answer(kind: 'confirm' | 'dismiss', events: readonly string[], choose: string | null): Promise<Answer[]> {
    const request = { op: 'answer' as const, kind, events: [...events], choose, dryRun: false };
    return handOver(this.#context, this.#root, request, (space) => answerAll(space, request));
  }

  #undo(events: readonly string[], force: boolean): Promise<Answer[]> {
    const request = { op: 'undo' as const, events: [...events], last: null, reason: null, force, dryRun: false };
    return handOver(this.#context, this.#root, request, (space) => undoAll(space, request));
  }
}
