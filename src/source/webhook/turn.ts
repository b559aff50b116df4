/** Something that turns out otherwise now and then: whoever waits for it hears of each turn, also of one just before. */
export class Turn {
  #isDue = false;
  #wake = () => {};

  /** Says that it is otherwise now. */
  tell(): void {
    this.#isDue = true;
    this.#wake();
  }

  /** Resolves as soon as it is otherwise than when it last resolved. One waits at a time. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#isDue = false;
        this.#wake = () => {}; // the next turn is for whoever waits next
        resolve();
      };
      if (this.#isDue) this.#wake();
    });
  }
}
