import { z } from 'zod';

const MINUTE = 60_000;
export const SECONDS = 24 * 60 * 60;
export const MINUTES = 24 * 60;

/** Why a vault wakes, in the order in which one is named where several are true. */
export const CAUSES = [
  'cron',
  'date',
  'digest',
  'common',
  'period',
  'poll',
  'settling',
  'news',
  'housekeeping',
  'mail',
  'edit',
] as const;
export type Cause = (typeof CAUSES)[number];
/** Those that come from outside; all others are timers. */
export const NUDGES: readonly Cause[] = ['mail', 'edit'];

/** By how much (ms) wakes are spread, each vault by a share of its own, to see what that would do. */
export const SPREADS = [0, MINUTE, 5 * MINUTE, 15 * MINUTE] as const;

const counts = z.array(z.int().min(0));
const asJson = z.object({
  seconds: z.array(counts.length(SECONDS)).length(SPREADS.length),
  causes: z.array(counts.length(CAUSES.length)).length(MINUTES),
  awake: z.array(z.number().min(0)).length(MINUTES),
  vaults: z.record(z.string(), z.object({ vaults: z.int(), wakes: z.int() })),
  ticks: z.int(),
  matters: z.int(),
  tasks: z.int(),
});
type TallyJson = z.infer<typeof asJson>;

/** What is counted of one day, second by second. Two tallies can be added. */
export class Tally {
  /** For each of `SPREADS`, the wakes of each second of the day. What is put off past its end counts at its beginning. */
  readonly seconds = SPREADS.map(() => new Uint32Array(SECONDS));
  /** For each minute, the wakes by cause. */
  readonly causes = Array.from({ length: MINUTES }, () => new Uint32Array(CAUSES.length));
  /** For each minute, how long (ms) vaults were awake, together. */
  readonly awake = new Float64Array(MINUTES);
  /** By liveliness: how many vaults, and how many wakes. */
  readonly vaults = new Map<string, { vaults: number; wakes: number }>();
  /** Ticks of matters. */
  ticks = 0;
  matters = 0;
  tasks = 0;
  readonly #from: number;

  /** `from`: when the day begins (epoch ms). */
  constructor(from: number) {
    this.#from = from;
  }

  /** A vault that is counted. */
  vault(liveliness: string, matters: readonly { readonly tasks: readonly unknown[] }[]): void {
    this.#of(liveliness).vaults += 1;
    this.matters += matters.length;
    for (const { tasks } of matters) this.tasks += tasks.length;
  }

  /** A vault wakes. `share`: of the time by which wakes are spread, what this vault takes (0–1). */
  wake(at: number, cause: Cause, liveliness: string, share: number): void {
    if (at < this.#from || at >= this.#from + SECONDS * 1000) return;
    const isTimer = !NUDGES.includes(cause) && cause !== 'settling';
    for (let nth = 0; nth < SPREADS.length; nth += 1) {
      const later = isTimer ? (SPREADS[nth] ?? 0) * share : 0;
      const second = Math.floor((at - this.#from + later) / 1000) % SECONDS;
      const seconds = this.seconds[nth];
      if (seconds !== undefined) seconds[second] = (seconds[second] ?? 0) + 1;
    }
    const causes = this.causes[this.#minute(at)];
    const nth = CAUSES.indexOf(cause);
    if (causes !== undefined) causes[nth] = (causes[nth] ?? 0) + 1;
    this.#of(liveliness).wakes += 1;
  }

  /** A matter ticks. */
  tick(at: number): void {
    if (at >= this.#from) this.ticks += 1;
  }

  /** A vault was awake. */
  stay(from: number, until: number): void {
    if (from < this.#from) return;
    const minute = this.#minute(from);
    this.awake[minute] = (this.awake[minute] ?? 0) + until - from;
  }

  /** Adds what another has counted of the same day. */
  add(other: TallyJson): void {
    for (const [nth, seconds] of other.seconds.entries()) addTo(this.seconds[nth], seconds);
    for (const [nth, causes] of other.causes.entries()) addTo(this.causes[nth], causes);
    addTo(this.awake, other.awake);
    for (const [name, { vaults, wakes }] of Object.entries(other.vaults)) {
      this.#of(name).vaults += vaults;
      this.#of(name).wakes += wakes;
    }
    this.ticks += other.ticks;
    this.matters += other.matters;
    this.tasks += other.tasks;
  }

  /** As another process reads it. */
  toJSON(): TallyJson {
    return {
      seconds: this.seconds.map((one) => [...one]),
      causes: this.causes.map((one) => [...one]),
      awake: [...this.awake],
      vaults: Object.fromEntries(this.vaults),
      ticks: this.ticks,
      matters: this.matters,
      tasks: this.tasks,
    };
  }

  #minute(at: number): number {
    return Math.floor((at - this.#from) / MINUTE) % MINUTES;
  }

  #of(liveliness: string): { vaults: number; wakes: number } {
    const known = this.vaults.get(liveliness) ?? { vaults: 0, wakes: 0 };
    this.vaults.set(liveliness, known);
    return known;
  }
}

/** Reads what another process has counted. Throws where it is none. */
export function readTally(text: string): TallyJson {
  return asJson.parse(JSON.parse(text));
}

function addTo(sums: Uint32Array | Float64Array | undefined, more: readonly number[]): void {
  for (const [nth, figure] of more.entries()) if (sums !== undefined) sums[nth] = (sums[nth] ?? 0) + figure;
}
