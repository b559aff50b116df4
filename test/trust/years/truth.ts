/** What is so, as it comes about: the latest value of each field of each task at any moment. */
export class Truth {
  readonly #happened = new Map<string, { readonly day: number; readonly value: string }[]>();

  /** Something comes about on a day. */
  happens(
    day: number,
    { task, field, value }: { readonly task: number; readonly field: string; readonly value: string },
  ): void {
    const key = `${task} ${field}`;
    const former = this.#happened.get(key) ?? [];
    this.#happened.set(
      key,
      [...former, { day, value }].toSorted((one, other) => one.day - other.day),
    );
  }

  /** Returns what is so on a day; null where nothing has come about yet, `open` for a state. */
  now(task: number, field: string, day: number): string | null {
    const known = this.#happened.get(`${task} ${field}`) ?? [];
    return known.findLast((one) => one.day <= day)?.value ?? (field === 'state' ? 'open' : null);
  }
}
