/** What was measured in all rounds, in their order. */
export class Samples {
  readonly taken: readonly number[];
  readonly #sorted: readonly number[];

  constructor(taken: readonly number[]) {
    this.taken = taken;
    this.#sorted = [...taken].sort((a, b) => a - b);
  }

  /** Returns the value below which the share `at` (0 to 1) of all samples lies. */
  at(at: number): number {
    return this.#sorted[Math.min(this.#sorted.length - 1, Math.floor(at * this.#sorted.length))] ?? Number.NaN;
  }

  /** The middle one, or halfway between the two in the middle. */
  get median(): number {
    const { length } = this.#sorted;
    const [low = Number.NaN, high = low] = this.#sorted.slice(Math.ceil(length / 2) - 1, Math.floor(length / 2) + 1);
    return (low + high) / 2;
  }

  /** Returns these samples, each divided by the one that `floor` has of the same round. */
  over(floor: Samples): Samples {
    return new Samples(this.taken.map((value, round) => value / (floor.taken[round] ?? Number.NaN)));
  }
}

/** Measures several things in turn, round after round, so that whatever slows the machine slows all of them equally. */
export async function interleaved<Name extends string>(
  rounds: number,
  measures: { readonly [N in Name]: () => Promise<number> | number },
): Promise<{ [N in Name]: Samples }> {
  const names = Object.keys(measures) as Name[]; // the keys of our own record
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) taken.get(name)?.push(await measures[name]());
  }
  return Object.fromEntries(names.map((name) => [name, new Samples(taken.get(name) ?? [])])) as {
    [N in Name]: Samples;
  };
}
