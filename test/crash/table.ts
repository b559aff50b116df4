/** The result of one line of a walk. */
export interface Row {
  /** Points or races. */
  readonly tried: number;
  /** At how many of them the process really was killed, the failure was reported, or the write was found. */
  readonly hit: number;
  readonly told: string;
  readonly findings: readonly string[];
}

interface Named {
  readonly part: string;
  readonly what: string;
}

/** How many findings of one line are shown in full. */
const SHOWN = 10;

/** The lines of a walk, printed as they come and summed up in a Markdown table. */
export class Table {
  readonly #lines: (Named & Row)[] = [];
  readonly #leftOut: Named[] = [];
  readonly #until: number;

  /** `until`: after this time, in epoch ms, no new line begins. */
  constructor(until: number) {
    this.#until = until;
  }

  /** Does the work of one line and prints its result. */
  async row(named: Named, work: () => Promise<Row>): Promise<void> {
    const start = Date.now();
    if (start > this.#until) {
      this.#leftOut.push(named);
      return;
    }
    if (process.stderr.isTTY) process.stderr.write(`${named.part}: ${named.what} …\r`);
    const row = await work();
    this.#lines.push({ ...named, ...row });
    const seconds = Math.round((Date.now() - start) / 1000);
    const told = row.told === '' ? '' : `, ${row.told}`;
    const what = `${named.part}: ${named.what}`.padEnd(64);
    console.log(`${what} ${row.tried} tried, ${row.hit} hit${told}, ${row.findings.length} bad, ${seconds} s`);
    for (const found of row.findings.slice(0, SHOWN)) console.log(`    ${found}`);
  }

  get bad(): number {
    return this.#lines.reduce((sum, { findings }) => sum + findings.length, 0);
  }

  /** Returns the whole table, with a sum for each part. */
  text(): string {
    const lines = this.#lines.map((line) => cells(line.part, line.what, line));
    const parts = [...new Set(this.#lines.map(({ part }) => part))];
    const sums = parts.map((part) =>
      cells(`**${part}**`, 'in all', sumOf(this.#lines.filter((one) => one.part === part))),
    );
    const head = ['| part | what | tried | hit | bad | |', '|---|---|--:|--:|--:|---|'];
    const end = this.bad === 0 ? 'Nothing was lost.' : `${this.bad} places where something went wrong.`;
    const left = this.#leftOut.map(({ part, what }) => `Left out for want of time: ${part}, ${what}`);
    return [...head, ...lines, ...sums, '', ...left, end].join('\n');
  }
}

function sumOf(lines: readonly Row[]): Row {
  return {
    tried: lines.reduce((sum, { tried }) => sum + tried, 0),
    hit: lines.reduce((sum, { hit }) => sum + hit, 0),
    told: '',
    findings: lines.flatMap(({ findings }) => findings),
  };
}

function cells(part: string, what: string, { tried, hit, told, findings }: Row): string {
  return `| ${part} | ${what} | ${tried} | ${hit} | ${findings.length} | ${told} |`;
}
