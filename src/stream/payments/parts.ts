/** A part of a task's sum that a line of an account has paid. */
interface Part {
  /** The file that says so. */
  readonly file: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `500.00 EUR`; `-500.00 EUR` where it went back. */
  readonly paid: string;
}

/**
 * Returns what has been paid beside a line, each part once: a statement that was exported in two formats has every booking
 * twice, and what two files say of one day and one sum is taken for the same. Where it was not, too little is counted.
 */
export function partsBeside(line: Part, others: readonly Part[]): readonly string[] {
  const all = [...Map.groupBy([line, ...others], ({ day, paid }) => `${day} ${paid}`).values()];
  return all.flatMap((same) => {
    const most = Math.max(
      ...Map.groupBy(same, ({ file }) => file)
        .values()
        .map(({ length }) => length),
    );
    const counted = same.slice(0, most);
    return (same.includes(line) ? counted.slice(1) : counted).map(({ paid }) => paid);
  });
}
