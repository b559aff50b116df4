/** A binary heap: the smallest item first, by the given order. */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #order: (a: Item, b: Item) => number;

  constructor(order: (a: Item, b: Item) => number) {
    this.#order = order;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Returns the smallest item and leaves it in. */
  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#less(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Takes the smallest item out and returns it. */
  pop(): Item | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length > 0 && last !== undefined) {
      items[0] = last;
      this.#sink();
    }
    return top;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (this.#less(left, least)) least = left;
      if (this.#less(right, least)) least = right;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #less(a: number, b: number): boolean {
    const [one, other] = [this.#items[a], this.#items[b]];
    return one !== undefined && other !== undefined && this.#order(one, other) < 0;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#items[a], this.#items[b]];
    if (one === undefined || other === undefined) return;
    this.#items[a] = other;
    this.#items[b] = one;
  }
}
