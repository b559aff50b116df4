import { SentenceMemory } from '../language/sentence-memory.ts';
import type { Silence } from '../rules/event-findings.ts';
import type { TargetCandidate, TargetIndex } from '../targets/target-index.ts';
import type { ThingSet } from '../things/things-named.ts';
import type { TrainedReader } from '../trained/trained-reader.ts';
import { type Saying, topicsOf } from './heard.ts';
import { Remembered } from './remembered.ts';
import { type TaskWords, taskWordsOf } from './task-words.ts';

/** So many tasks are remembered: mails are about the same ones again and again. */
const MOST_TASKS = 2_000;

/**
 * What is remembered from mail to mail. The words of the tasks that mails were measured against last, as long as no note
 * changes: they are the same for every mail, and made anew for each they took a third of the time that a mail takes. And
 * what was found out about the last sentences by their words alone.
 */
export class TaskBook {
  readonly silence: Silence = new SentenceMemory();
  readonly heard = new SentenceMemory<Saying>();
  readonly #reader: TrainedReader;
  #index: TargetIndex | null = null;
  #revision = 0;
  readonly #words = new Remembered<TargetCandidate, TaskWords>(MOST_TASKS);
  readonly #siblings = new Remembered<string, ThingSet>(MOST_TASKS);

  constructor(reader: TrainedReader) {
    this.#reader = reader;
  }

  /** Returns the words of a task, and what they name. */
  wordsOf(task: TargetCandidate, index: TargetIndex): TaskWords {
    this.#follow(index);
    return this.#words.of(task, () =>
      taskWordsOf(task, index, {
        deedsOf: (name) => topicsOf(name, this.#reader),
        siblingsOf: (matter) => this.#siblings.of(matter, () => thingsOfTasks(matter, index)),
      }),
    );
  }

  #follow(index: TargetIndex): void {
    if (this.#index === index && this.#revision === index.revision) return;
    this.#index = index;
    this.#revision = index.revision;
    this.#words.clear();
    this.#siblings.clear();
  }
}

function thingsOfTasks(matter: string, index: TargetIndex): ThingSet {
  return new Set(index.openTasksOf(matter).flatMap((task) => [...index.things.of(task.path)]));
}
