import { expect, onTestFinished } from 'vitest';
import type { Capability } from '../../src/daemon/capability.ts';
import { ask } from '../../src/daemon/client.ts';
import type { Request } from '../../src/daemon/compose.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { DaemonEvent } from '../../src/daemon/environment.ts';
import { Clock } from './clock.ts';
import type { TempVault } from './temp-vault.ts';
import { LIVE, type Setting } from './workspace.ts';

type What = DaemonEvent['what'];
type Spread<H> = H extends { readonly what: infer W extends string }
  ? W extends string
    ? H & { what: W }
    : never
  : never;
type Of<W extends What> = Extract<Spread<DaemonEvent>, { readonly what: W }>;

interface RunSetting extends Setting {
  readonly capabilities?: readonly Capability[];
}

/** A daemon on a vault, and everything it reports. Stopped when the test ends. */
/** The machine may be busy. */
const PATIENCE_MS = 90_000;

export class Running {
  readonly happenings: DaemonEvent[] = [];
  readonly #vault: TempVault;
  readonly #waiting = new Set<() => void>();
  #daemon: Daemon | null = null;

  private constructor(vault: TempVault) {
    this.#vault = vault;
  }

  static async start(
    vault: TempVault,
    { env = LIVE, clock = new Clock(), evaluator, capabilities }: RunSetting = {},
  ): Promise<Running> {
    const running = new Running(vault);
    const say = (happening: DaemonEvent) => running.#hear(happening);
    vault.identify();
    onTestFinished(() => running.stop());
    const parts = { root: vault.root, env, now: clock.now, emit: say, ...(capabilities && { capabilities }) };
    const around = evaluator === undefined ? {} : { around: () => evaluator };
    running.#daemon = await Daemon.start({ ...parts, ...around }, vault.outside);
    return running;
  }

  get daemon(): Daemon {
    if (this.#daemon === null) throw new Error('the daemon does not run');
    return this.#daemon;
  }

  /** Resolves to the first event of this kind that matches, past or future. The test's own timeout is the limit. */
  async heard<W extends What>(what: W, fits: (happening: Of<W>) => boolean = () => true): Promise<Of<W>> {
    const isIt = (happening: DaemonEvent): happening is Of<W> => happening.what === what && fits(happening as Of<W>);
    await this.until(() => this.happenings.some(isIt));
    const found = this.happenings.find(isIt);
    if (found === undefined) throw new Error('unreachable');
    return found;
  }

  /**
   * Resolves when something holds, or the daemon has stopped. Checks after every event, and now and then for what happens
   * without one. Rejects after a minute and a half, with what has happened.
   */
  async until(holds: () => boolean): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearInterval(timer);
        clearTimeout(overdue);
        this.#waiting.delete(look);
        settle();
      };
      const look = () => {
        if (this.#daemon === null || holds()) end(resolve);
      };
      const timer = setInterval(look, 20);
      const overdue = setTimeout(
        () => end(() => reject(new Error(`It did not come about. ${this.#course()}`))),
        PATIENCE_MS,
      );
      this.#waiting.add(look);
    });
  }

  #course(): string {
    return `What happened:\n${this.happenings.map((one) => JSON.stringify(one)).join('\n')}`;
  }

  count(what: What): number {
    return this.happenings.filter((happening) => happening.what === what).length;
  }

  /** Makes the daemon read the disk, and waits until everything that follows is done. */
  async sync(): Promise<void> {
    await this.daemon.sync();
  }

  /** Asks over the socket, as a command does. */
  async ask(request: Request): Promise<unknown> {
    const asked = await ask(this.#vault.outside.socket, request, 120_000);
    if (typeof asked === 'string' || !asked.ok) throw new Error(JSON.stringify(asked));
    return asked.result;
  }

  /** Waits until what the program remembers under a name is on disk as `like` says. */
  async saved(name: string, like: object): Promise<void> {
    await expect.poll(() => this.#vault.state(name)).toMatchObject(like);
  }

  schedules(): string[] {
    return this.daemon.status().schedules.map((schedule) => schedule.name);
  }

  async stop(): Promise<void> {
    await this.#daemon?.[Symbol.asyncDispose]();
    this.#daemon = null;
  }

  #hear(happening: DaemonEvent): void {
    this.happenings.push(happening);
    for (const look of [...this.#waiting]) look();
  }
}
