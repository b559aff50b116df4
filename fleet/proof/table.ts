/** A row of a proof: what was measured, the figure, and what it should be. */
export interface Figure {
  readonly what: string;
  readonly value: number | string;
  readonly unit: string;
  /** What it must be for the proof to hold; null where it is only reported. */
  readonly aim: { readonly most?: number; readonly least?: number; readonly is?: number } | null;
}

/** Whether a figure is as it should be. */
function holds({ value, aim }: Figure): boolean {
  if (aim === null || typeof value === 'string') return true;
  const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY, is = value } = aim;
  return value <= most && value >= least && value === is;
}

/** Prints the figures as a table, or as JSON. Returns whether all are as they should be. */
export function printFigures(title: string, figures: readonly Figure[], isJson: boolean): boolean {
  const rows = figures.map((figure) => ({ ...figure, holds: holds(figure) }));
  if (isJson) console.log(JSON.stringify({ proof: title, figures: rows }, null, 2));
  else {
    const cells = rows.map(({ what, value, unit, aim, holds: isIt }) => [
      what,
      shown(value),
      unit,
      aimOf(aim),
      isIt ? '' : 'MISSED',
    ]);
    const widths = [0, 1, 2, 3].map((nth) => Math.max(...cells.map((row) => row[nth]?.length ?? 0)));
    console.log(`\n${title}`);
    for (const [what = '', value = '', ...rest] of cells) {
      const [unit = '', aim = '', missed = ''] = rest;
      const end = [unit.padEnd(widths[2] ?? 0), aim.padEnd(widths[3] ?? 0), missed].join('  ').trimEnd();
      console.log(`  ${what.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${end}`);
    }
  }
  return rows.every((row) => row.holds);
}

function shown(value: number | string): string {
  if (typeof value === 'string') return value;
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}

function aimOf(aim: Figure['aim']): string {
  if (aim === null) return '';
  if (aim.is !== undefined) return `(must be ${aim.is})`;
  return aim.most !== undefined ? `(at most ${aim.most})` : `(at least ${aim.least})`;
}

/** Returns the value below which a share of the values lies (0.5: the median); NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
