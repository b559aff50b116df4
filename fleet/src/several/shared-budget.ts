import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import {
  type BudgetRefusal,
  type Diagnostic,
  EXIT,
  errorReason,
  findSharedRefusal,
  type SharedBudget,
  type Spending,
  type SpendingCaps,
  StewardError,
  sumLastDay,
  systemCode,
} from '../steward.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** If the files can't be read or written, the budget counts as spent for so long (ms), and they are tried again. */
const AGAIN_MS = 60_000;
const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = fs.constants;
const OWN_MODE = 0o600;
const OWN_FOLDER_MODE = 0o700;

/** What was set aside for a call. A later line with its id has what the call did cost. */
const setAside = z.strictObject({
  id: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  tokens: z.number().min(0),
  /** US dollars. */
  usd: z.number().min(0),
});
type SetAside = z.infer<typeof setAside>;

/** Lines before this one could not be read: until then (epoch ms) the budget counts as spent. */
const damageNote = z.strictObject({ spentUntil: z.number() });
const logLine = z.union([setAside, damageNote]);

/** How far a file was read, in bytes. */
interface ReadFile {
  bytes: number;
  /** Until when it counts as spent, since lines of it were unreadable (epoch ms). */
  spentUntil: number | null;
}

/**
 * The budget of a tenant on one host: what the models of all its vaults may cost in any 24 hours. `fleet/budget` in the state
 * folder has a file for each day (UTC), to which all processes of the host add lines. The order of the lines decides who had
 * the last of the budget.
 */
export class TenantBudget implements SharedBudget {
  readonly #folder: string;
  readonly #caps: SpendingCaps;
  readonly #report: (trouble: Diagnostic) => void;
  readonly #writer = randomBytes(6).toString('base64url');
  readonly #files = new Map<string, ReadFile>();
  /** By id, in the order of the lines. */
  readonly #calls = new Map<string, SetAside>();
  #made = 0;
  #isAway = false;
  #isReported = false;

  /** `folder`: where its files are; made if it is missing. `report` receives each problem once. */
  constructor(folder: string, caps: SpendingCaps, report: (trouble: Diagnostic) => void = () => {}) {
    this.#folder = folder;
    this.#caps = caps;
    this.#report = report;
  }

  reserve(cost: Spending, now: number): ReturnType<SharedBudget['reserve']> {
    const full = this.refusal(cost, now);
    if (full !== null) return { ok: false, refusal: full };
    this.#made += 1;
    const id = `${this.#writer}${this.#made}`;
    if (!this.#add({ id, at: now, ...cost })) return { ok: false, refusal: this.#away(now) };
    this.#isReported = false;
    this.#read(now);
    const lost = this.#refusal(this.#before(id), cost, now); // another process was first
    if (lost === null) return { ok: true, id };
    this.record(id, { tokens: 0, usd: 0 });
    return { ok: false, refusal: lost };
  }

  refusal(cost: Spending, now: number): BudgetRefusal | null {
    this.#read(now);
    return this.#refusal([...this.#calls.values()], cost, now);
  }

  record(id: string, cost: Spending): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    const settled = { ...call, ...cost };
    this.#calls.set(id, settled);
    // If the disk refuses, the expected cost counts after a restart.
    this.#add(settled);
  }

  spent(now: number): Spending & { readonly caps: SpendingCaps } {
    this.#read(now);
    return { ...sumLastDay([...this.#calls.values()], now), caps: this.#caps };
  }

  #refusal(entries: readonly SetAside[], cost: Spending, now: number): BudgetRefusal | null {
    if (this.#isAway) return this.#away(now);
    const spentUntil = Math.max(0, ...[...this.#files.values()].map((file) => file.spentUntil ?? 0));
    return findSharedRefusal({ entries, spentUntil }, cost, this.#caps, now);
  }

  #away(now: number): BudgetRefusal {
    const cap = this.#caps.usd ?? this.#caps.tokens ?? 0;
    const window = this.#caps.usd === null ? 'shared_budget_tokens_per_day' : 'shared_budget_usd_per_day';
    return { window, used: cap, cap, asked: 0, freeAt: now + AGAIN_MS };
  }

  #before(id: string): SetAside[] {
    const calls = [...this.#calls.values()];
    const nth = calls.findIndex((call) => call.id === id);
    return nth === -1 ? calls : calls.slice(0, nth);
  }

  /** Reads what was added to the files since the last time, and drops what is older than a day. */
  #read(now: number): void {
    try {
      fs.mkdirSync(this.#folder, { recursive: true, mode: OWN_FOLDER_MODE });
      const names = fs.readdirSync(this.#folder).filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name));
      for (const name of this.#files.keys()) if (!names.includes(name)) this.#files.delete(name);
      for (const name of names.sort()) {
        if (name < nameFor(now - DAY_MS)) fs.rmSync(path.join(this.#folder, name), { force: true });
        else this.#readFile(name, now);
      }
      this.#isAway = false;
    } catch (error) {
      this.#isAway = true;
      this.#reportOnce(error);
    }
    for (const [id, { at }] of this.#calls) if (at <= now - DAY_MS) this.#calls.delete(id);
  }

  #readFile(name: string, now: number): void {
    const place = path.join(this.#folder, name);
    const file = this.#files.get(name) ?? { bytes: 0, spentUntil: null };
    this.#files.set(name, file);
    const bytes = readFrom(place, file.bytes);
    const whole = bytes?.subarray(0, bytes.lastIndexOf('\n') + 1) ?? Buffer.alloc(0);
    file.bytes += whole.length;
    let isDamaged = bytes === null; // it is shorter than it was
    for (const line of whole.toString('utf8').split('\n')) {
      if (isEmpty(line)) continue;
      const read = logLine.safeParse(parsed(line)).data;
      if (read === undefined) isDamaged = true;
      else if ('id' in read) this.#calls.set(read.id, read);
      else [isDamaged, file.spentUntil] = [false, read.spentUntil];
    }
    if (!isDamaged) return;
    if (bytes === null) file.bytes = 0;
    file.spentUntil = now + DAY_MS;
    this.#report(damaged(place, file.spentUntil));
    append(place, { spentUntil: file.spentUntil }); // a restart doesn't prolong it
  }

  /** Adds a line. Returns false if the disk refuses it. */
  #add(call: SetAside): boolean {
    try {
      append(path.join(this.#folder, nameFor(call.at)), call);
      return true;
    } catch (error) {
      this.#reportOnce(error);
      return false;
    }
  }

  #reportOnce(error: unknown): void {
    if (!this.#isReported) this.#report(unreachable(this.#folder, error));
    this.#isReported = true;
  }
}

/**
 * Returns the budget that these variables set for all vaults of a host, or null if they set no limit. `state`: the folder of this
 * user's state. Throws `settings-budget` (78).
 */
export function tenantBudget(
  env: NodeJS.ProcessEnv,
  state: string,
  report: (trouble: Diagnostic) => void,
): TenantBudget | null {
  const caps = {
    usd: limit(env, 'STEWARD_FLEET_BUDGET_USD_PER_DAY', 'US dollars'),
    tokens: limit(env, 'STEWARD_FLEET_BUDGET_TOKENS_PER_DAY', 'tokens'),
  };
  if (caps.usd === null && caps.tokens === null) return null;
  return new TenantBudget(path.join(state, 'fleet', 'budget'), caps, report);
}

function limit(env: NodeJS.ProcessEnv, name: string, unit: string): number | null {
  const written = env[name]?.trim() ?? '';
  if (written === '') return null;
  const figure = Number(written);
  if (Number.isFinite(figure) && figure >= 0) return figure;
  throw new StewardError(
    {
      code: 'settings-budget',
      message: `${name} must be a number of ${unit}, 0 or more.`,
      hint: 'Set it to a figure such as 25, or unset it.',
    },
    EXIT.settings,
  );
}

function nameFor(at: number): string {
  return `${new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)}.jsonl`;
}

/** Returns the bytes of a file from an offset on; null if it is shorter. Throws the system's error. */
function readFrom(file: string, offset: number): Buffer | null {
  if (!fs.existsSync(file)) return Buffer.alloc(0); // another process has deleted it, since it is old
  const handle = fs.openSync(file, O_RDONLY | O_NOFOLLOW);
  try {
    const length = fs.fstatSync(handle).size - offset;
    if (length < 0) return null;
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, offset));
  } finally {
    fs.closeSync(handle);
  }
}

/** Adds a line in one write, on disk when this returns. It begins with a line end, in case a crash cut off the line before. */
function append(file: string, line: z.infer<typeof logLine>): void {
  const handle = fs.openSync(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, OWN_MODE);
  try {
    fs.writeFileSync(handle, `\n${JSON.stringify(line)}\n`);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

// A crash cut off the last of a line: its call was not made, or what was set aside for it is in an earlier line.
function isEmpty(line: string): boolean {
  return line === '' || /^\{[^}]*$/.test(line);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function damaged(file: string, until: number): Diagnostic {
  return {
    code: 'tenant-budget-unreadable',
    file,
    line: null,
    column: null,
    message: `A part of the spending of all vaults can't be read. It counts as spent until ${new Date(until).toISOString()}.`,
    hint: 'To let models be asked earlier, stop the host, delete the file, and start the host.',
  };
}

function unreachable(folder: string, error: unknown): Diagnostic {
  return {
    code: 'tenant-budget-unreadable',
    file: folder,
    line: null,
    column: null,
    message: `The spending of all vaults can't be read or written (${systemCode(error) ?? errorReason(error)}). No model is asked until it can.`,
    hint: 'Look at the disk and the rights of the folder. It is tried again each minute.',
  };
}
