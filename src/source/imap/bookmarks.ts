import type { Arrival, Inlet } from '../connector.ts';
import { cursorOf, type FolderMark, marksIn, withMark } from './cursor.ts';

/** Where each folder was left, as the inlet knows it. */
export class Bookmarks {
  readonly #inlet: Inlet;
  readonly #names: readonly string[];
  #marks: readonly FolderMark[];

  constructor(inlet: Inlet, names: readonly string[]) {
    this.#inlet = inlet;
    this.#names = names;
    this.#marks = marksIn(inlet.cursor());
  }

  of(name: string): FolderMark | undefined {
    return this.#marks.find((mark) => mark.name === name);
  }

  /** Puts what came, and only then moves the mark. Does nothing where nothing came and the mark is where it was. */
  async put(arrivals: readonly Arrival[], mark: FolderMark): Promise<void> {
    if (arrivals.length === 0 && isSame(this.of(mark.name), mark)) return;
    const marks = withMark(this.#marks, mark);
    await this.#inlet.put(arrivals, cursorOf(marks, this.#names));
    this.#marks = marks;
  }
}

function isSame(one: FolderMark | undefined, other: FolderMark): boolean {
  return (
    one !== undefined &&
    Object.entries(other).every(([key, value]) => Object.entries(one).some(([k, v]) => k === key && v === value))
  );
}
