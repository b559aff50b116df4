/**
 * Chance that repeats itself: the same seed and the same place give the same figures (mulberry32), in whichever process
 * and order the places are asked for.
 */
export class Chance {
  #state: number;

  /** `place`: which of many rows of figures this is, for example the number of a vault. */
  constructor(seed: number, place: number) {
    this.#state = mixed(mixed(seed >>> 0) ^ Math.imul(place + 1, 0x9e3779b1)) >>> 0;
  }

  /** Returns 0 ≤ figure < 1. */
  figure(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    return mixed(this.#state) / 4_294_967_296;
  }

  /** Returns a whole number, `from` ≤ n ≤ `to`. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.figure() * (to - from + 1));
  }

  /** Returns whether something of this likelihood happens. */
  happens(share: number): boolean {
    return this.figure() < share;
  }

  /** Returns a wait (in the unit of `mean`) between things that happen at random. */
  wait(mean: number): number {
    return -Math.log(1 - this.figure()) * mean;
  }

  /** Returns how often something happens that happens `mean` times on average (Poisson). */
  count(mean: number): number {
    const floor = Math.exp(-mean);
    let [count, left] = [0, this.figure()];
    while (left > floor) {
      count += 1;
      left *= this.figure();
    }
    return count;
  }

  /** Returns one of several things, each as likely as its weight says. Throws where there is none. */
  pick<Item>(items: readonly (readonly [number, Item])[]): Item {
    let sum = 0;
    for (const [weight] of items) sum += weight;
    let left = this.figure() * sum;
    for (const [weight, item] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    const last = items.at(-1);
    if (last === undefined) throw new Error('there is nothing to pick from');
    return last[1];
  }
}

function mixed(figure: number): number {
  let x = Math.imul(figure ^ (figure >>> 15), figure | 1);
  x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
  return (x ^ (x >>> 14)) >>> 0;
}
