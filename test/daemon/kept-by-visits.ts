import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Daemon, visit } from '../../src/daemon/daemon.ts';
import type { DaemonEvent, Environment } from '../../src/daemon/environment.ts';
import { FileLeaseProvider } from '../../src/daemon/lease.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';

const NEVER = new AbortController().signal;
/** How long (ms) to wait for work that is under way. */
const SOON_MS = 20;
/** The clock goes on while one looks, by more on a loaded machine (ms). */
const MARGIN_MS = 60_000;
/** What happens at every start, and whenever a rhythm is worked out anew. */
const BESIDE: readonly DaemonEvent['what'][] = ['started', 'stopped', 'schedule-provisioned', 'schedule-removed'];

/** A vault that somebody looks after, by a clock that is moved by hand; it goes on with real time in between. */
abstract class LookedAfter {
  readonly vault: TempVault;
  protected readonly done: DaemonEvent[] = [];
  protected readonly now = () => Date.now() + this.#ahead;
  protected readonly parts;
  #ahead: number;

  /** `start`: where the clock begins (epoch ms). */
  constructor(files: Files, start: number, env: Environment) {
    this.vault = new TempVault(files);
    this.#ahead = start - Date.now();
    const emit = (event: DaemonEvent) => {
      if (!BESIDE.includes(event.what)) this.done.push(event);
    };
    this.parts = { root: this.vault.root, env, now: this.now, emit };
  }

  get time(): number {
    return this.now();
  }

  /** Moves the clock to a moment, if that lies ahead. */
  moveTo(moment: number): void {
    this.#ahead += Math.max(0, moment - this.now());
  }

  /** When there is next something to do (epoch ms); null: never. */
  abstract get until(): number | null;
  /** Does what there is to do now. */
  abstract look(): Promise<void>;

  /** Everything that was done, by what was told of it. */
  get deeds(): readonly string[] {
    return this.done.map((event) => timeless(JSON.stringify(event)));
  }

  /** The same without the looks themselves: of two that fall almost together one may do the work of both. */
  get effects(): readonly string[] {
    const effects = this.done.filter(({ what }) => what !== 'ticked' && what !== 'skipped');
    return effects.map((event) => timeless(JSON.stringify(event)));
  }

  /** All notes by their text, but the front page: what it says of time alone may wait for a day. */
  get notes(): readonly string[] {
    const files = fs.readdirSync(this.vault.root, { recursive: true, encoding: 'utf8' });
    return files
      .filter((file) => file.endsWith('.md') && !file.startsWith('.') && file !== 'steward.md')
      .map((file) => timeless(`${file}\n${fs.readFileSync(path.join(this.vault.root, file), 'utf8')}`))
      .sort();
  }
}

/** One with a resident daemon. */
export class Resident extends LookedAfter implements AsyncDisposable {
  #daemon: Daemon | null = null;

  async start(): Promise<this> {
    this.#daemon = await Daemon.start(this.parts, this.vault.outside);
    await this.look();
    return this;
  }

  get until(): number | null {
    return this.#daemon?.next() ?? null;
  }

  async look(): Promise<void> {
    await this.#daemon?.wake();
    await this.#daemon?.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemon?.[Symbol.asyncDispose]();
  }
}

/** One that is visited. */
export class Visited extends LookedAfter {
  until: number | null = null;

  async look(): Promise<void> {
    const keeper = new FileLeaseProvider({ ...this.parts, paths: this.vault.outside });
    const { until } = await visit(this.parts, this.vault.outside, keeper, NEVER);
    this.until = until;
  }
}

/** Lets time pass until a moment (epoch ms); whatever is to be done in between is done when it is said to be. */
export async function passed(one: LookedAfter, end: number, between: (at: number) => Promise<void> = async () => {}) {
  for (let until = one.until; until !== null && until < end; until = one.until) {
    if (until <= one.time) await wait(SOON_MS);
    await between(until);
    one.moveTo(until);
    await one.look();
  }
  await between(end);
  one.moveTo(end);
}

/** Looks half way to a moment (epoch ms), and just before it, whether anything is done, and returns what was. */
export async function earlyDeeds(one: LookedAfter, until: number): Promise<string[]> {
  const early: string[] = [];
  for (const at of [one.time + (until - one.time) / 2, until - MARGIN_MS]) {
    if (at <= one.time || until - at < MARGIN_MS) continue;
    const before = JSON.stringify([one.deeds, one.notes]);
    one.moveTo(at);
    await one.look();
    if (JSON.stringify([one.deeds, one.notes]) !== before)
      early.push(`${new Date(one.time).toISOString()} before ${new Date(until).toISOString()}`);
  }
  return early;
}

/** A text without the moments in it: two that do the same name them a little differently. */
function timeless(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(?:[.-]\d+)?Z?/g, 'THEN')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'THEN')
    .replace(/\b\d{13}\b/g, 'THEN')
    .replace(/(?<="(?:says|seal)":")[^"]*/g, '…')
    .replace(/^seal: .*$/gm, 'seal: …')
    .replace(/%% [0-9a-f]{16} %%/g, '%% … %%'); // the sum of a block that names moments
}
