import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ask } from '../../src/daemon/client.ts';
import { compose, type Request } from '../../src/daemon/compose.ts';
import type { Workspace } from '../../src/daemon/context.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { DaemonEvent, Environment } from '../../src/daemon/environment.ts';
import type { RuntimePaths } from '../../src/daemon/runtime-paths.ts';
import { Journal } from '../../src/vault/journal.ts';
import { type OwnPlaces, ownPlaces } from '../../src/vault/layout.ts';
import { Publisher } from '../../src/vault/publish.ts';
import { Clock, HOUR, MINUTE } from '../support/clock.ts';
import { placed } from '../support/placed.ts';

const LIVE: Environment = { ceiling: 'live', confidenceThreshold: null, highConfidenceThreshold: null };

/** In memory where possible, so that no test waits for a busy disk; the system calls are the same. */
const HOMES = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** How often a predicate is checked; it only affects how soon a test ends. */
const LOOK_AGAIN_MS = 20;

/** How long an answer may take; a command waits for notes that are being edited. */
const ANSWER_WITHIN_MS = 60_000;

/** At which moment of an intent the power goes: what is on disk then is all that is left. */
export const CRASH_POINTS = ['journalled', 'decided', 'followed', 'idle'] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/**
 * A vault on disk, a daemon on it and a clock that is moved by hand. Knows no test runner, so that the long form can be
 * a plain script. The files are real; the clock is real time moved ahead, so that what was written is in the past.
 */
export class World {
  readonly home = fs.realpathSync(fs.mkdtempSync(path.join(HOMES, 've-')));
  readonly clock = new Clock();
  /** How often each kind of event was reported. */
  readonly said = new Map<DaemonEvent['what'], number>();
  root: string;
  #outside: RuntimePaths;
  #daemon: Daemon | null = null;
  #life = 0;
  #parts = 0;

  constructor() {
    this.root = path.join(this.home, 'vault-0');
    this.#outside = this.#outsideOf(0);
    fs.mkdirSync(this.root);
  }

  get daemon(): Daemon {
    if (this.#daemon === null) throw new Error('the daemon does not run');
    return this.#daemon;
  }

  // One key through all lives of the daemon, outside the vault.
  #env(): Environment {
    return { ...LIVE, sealKey: path.join(this.home, 'seal-key') };
  }

  get socket(): string {
    return this.#outside.socket;
  }

  get places(): OwnPlaces {
    return ownPlaces(this.root);
  }

  at(file: string): string {
    return placed(this.root, file);
  }

  read(file: string): string {
    return fs.readFileSync(this.at(file), 'utf8');
  }

  /** Puts a file in its place in one step, as a sync tool does. `ageMs`: how old its mtime is. */
  write(file: string, text: string, ageMs: number = HOUR): void {
    this.#parts += 1;
    const part = path.join(this.home, `part-${this.#parts}`);
    fs.writeFileSync(part, text);
    const time = new Date(this.clock.now() - ageMs);
    fs.utimesSync(part, time, time);
    const place = path.join(this.root, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.renameSync(part, place);
  }

  /** Returns every file under a folder of the vault, vault-relative and sorted. */
  files(folder: string): string[] {
    if (!fs.existsSync(this.at(folder))) return [];
    const found = fs.readdirSync(this.at(folder), { recursive: true, withFileTypes: true });
    return found
      .filter((item) => item.isFile())
      .map((item) => path.relative(this.root, path.join(item.parentPath, item.name)))
      .sort();
  }

  async start(): Promise<void> {
    const say = ({ what }: DaemonEvent) => void this.said.set(what, (this.said.get(what) ?? 0) + 1);
    this.#daemon = await Daemon.start(
      { root: this.root, env: this.#env(), now: this.clock.now, emit: say },
      this.#outside,
    );
  }

  async stop(): Promise<void> {
    await this.#daemon?.[Symbol.asyncDispose]();
    this.#daemon = null;
  }

  /** Asks the daemon as a command does, over its socket. */
  async ask(request: Request): Promise<unknown> {
    const asked = await ask(this.socket, request, ANSWER_WITHIN_MS);
    if (typeof asked === 'string' || !asked.ok) throw new Error(JSON.stringify(asked));
    return asked.result;
  }

  /** The vault as a command finds it that only reads, apart from what the daemon holds in memory. */
  async reading(): Promise<Workspace> {
    const parts = { root: this.root, env: this.#env(), now: this.clock.now, emit: () => {} };
    return (await compose({ ...parts, readsOnly: true })).space;
  }

  /** Lets time pass in steps no longer than `step`, everything due in each of them done. */
  async pass(ms: number, step = 30 * MINUTE): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      this.clock.move(Math.min(step, left));
      await this.settle();
    }
  }

  /** Makes the daemon read the disk and the clock, and waits until everything that follows is done. */
  async settle(): Promise<void> {
    await this.daemon.wake();
    await this.daemon.idle();
  }

  /** Resolves when something holds that the daemon brings about by itself. The test's own timeout is the limit. */
  async until(holds: () => boolean, everyMs = LOOK_AGAIN_MS): Promise<void> {
    while (!holds()) await wait(everyMs);
  }

  /**
   * Cuts the power during `work`, at the first intent that reaches `point` (or at the end of the work): a new daemon
   * starts on what was on the disk at that instant. Whatever the first one did later is lost with its disk.
   */
  async crash(point: CrashPoint, work: () => Promise<void>): Promise<void> {
    const next = path.join(this.home, `vault-${this.#life + 1}`);
    const cut = () => {
      if (!fs.existsSync(next)) fs.cpSync(this.root, next, { recursive: true, preserveTimestamps: true });
    };
    this.#cutAt(point, cut);
    await work();
    cut();
    uncut();
    await this.stop();
    fs.rmSync(this.root, { recursive: true });
    this.#life += 1;
    this.root = next;
    this.#outside = this.#outsideOf(this.#life);
    loseHolder(this.places.lock);
    fs.writeFileSync(path.join(this.places.tmp, 'half-written.part'), 'half a no');
    await this.start();
  }

  async remove(): Promise<void> {
    await this.stop();
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  #cutAt(point: CrashPoint, cut: () => void): void {
    if (point === 'journalled') {
      Journal.prototype.open = function (work) {
        OPEN.call(this, work);
        cut();
      };
    }
    if (point === 'decided') {
      Publisher.prototype.publish = function (edition) {
        const published = PUBLISH.call(this, edition);
        cut();
        return published;
      };
    }
    if (point === 'followed') {
      Journal.prototype.close = function (id) {
        cut();
        CLOSE.call(this, id);
      };
    }
  }

  #outsideOf(life: number): RuntimePaths {
    return {
      socket: path.join(this.home, `out-${life}`, 's.sock'),
      snapshot: path.join(this.home, `out-${life}`, 's'),
    };
  }
}

const { open: OPEN, close: CLOSE } = Journal.prototype;
const { publish: PUBLISH } = Publisher.prototype;

function uncut(): void {
  Object.assign(Journal.prototype, { open: OPEN, close: CLOSE });
  Publisher.prototype.publish = PUBLISH;
}

// The copied lock names this very process, which is still alive; a crash leaves a lock whose process is gone.
function loseHolder(lock: string): void {
  const held = z.looseObject({}).parse(JSON.parse(fs.readFileSync(lock, 'utf8')));
  fs.writeFileSync(lock, JSON.stringify({ ...held, birth: 'of a process that is gone' }));
}
