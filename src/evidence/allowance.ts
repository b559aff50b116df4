/** Counts the requests of each agent in one roundtable. What one agent does not use, no other agent gets. */
export class Allowance {
  /** How many requests each agent may make. */
  readonly each: number;
  readonly #used = new Map<string, number>();

  constructor(each: number) {
    this.each = each;
  }

  /** Uses up one request of an agent. Returns false where it has none left. */
  take(agent: string): boolean {
    const used = this.#used.get(agent) ?? 0;
    if (used >= this.each) return false;
    this.#used.set(agent, used + 1);
    return true;
  }
}
