import { z } from 'zod';
import { row } from './row.ts';

/** A whole run, as `--json` prints it. */
export const report = z.strictObject({
  schemaVersion: z.literal(1),
  /** When it began (ISO 8601, in UTC), and how many seconds it took. */
  at: z.iso.datetime(),
  seconds: z.number(),
  /** With fewer rounds and smaller vaults: enough to see that it works. */
  isQuick: z.boolean(),
  machine: z.strictObject({
    node: z.string(),
    cpus: z.int(),
    model: z.string(),
    memoryGiB: z.number(),
    /** The file system in which the vaults were made. */
    disk: z.string(),
    /** How many processes wanted to run before the first measure. */
    load: z.number(),
  }),
  rows: z.array(row),
  /** What ended with an error, under the name of its measure. */
  failed: z.array(z.strictObject({ measure: z.string(), reason: z.string() })),
});

export type Report = z.infer<typeof report>;

/** Returns what a reader has to know of a run before its figures. */
export function headLines({ at, seconds, isQuick, machine, failed }: Report): string[] {
  const { node, cpus, model, memoryGiB, disk, load } = machine;
  const kind = isQuick ? 'A quick run: few rounds, small vaults.' : 'A whole run.';
  const took = seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`;
  const lines = [
    `${kind} ${at.slice(0, 10)}, Node ${node}, ${cpus} × ${model}, ${memoryGiB.toFixed(0)} GiB, ${disk}, ${took}, load ${load.toFixed(1)} before it.`,
  ];
  if (load > cpus / 2) lines.push('The machine was busy with other things: believe the ratios, not the times.');
  for (const { measure, reason } of failed) lines.push(`${measure} ended with an error: ${reason}`);
  return lines;
}
