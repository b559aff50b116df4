/** How many requests each agent has left in one roundtable. What one does not use goes to nobody, and nowhere. */
export class Allowance {
  readonly each: number;
  readonly #spent = new Map<string, number>();

  constructor(each: number) {
    this.each = each;
  }

  /** Takes one request of an agent's; false where none is left. */
  take(agent: string): boolean {
    const spent = this.#spent.get(agent) ?? 0;
    if (spent >= this.each) return false;
    this.#spent.set(agent, spent + 1);
    return true;
  }

  left(agent: string): number {
    return this.each - (this.#spent.get(agent) ?? 0);
  }
}
