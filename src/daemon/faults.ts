import { AsyncLocalStorage } from 'node:async_hooks';
import { type Diagnostic, diagnostic, EXIT, StewardError } from '../vault/errors.ts';
import { sha256 } from '../vault/note-text.ts';
import { localTime } from '../vault/time.ts';
import type { Context } from './context.ts';
import type { DaemonEvent } from './environment.ts';
import type { FaultEntry } from './state.ts';

/** A part of a daemon, as far as its unexpected errors are concerned. */
export interface Component {
  readonly name: string;
  /** Its name as part of a sentence: `the sources`. */
  readonly words: string;
  /** Whether the daemon has to restart after an unexpected error in it, since the state in memory can't be trusted. */
  readonly isVital?: boolean;
  /** Whether its errors may quote a password or a token. */
  readonly isSecret?: boolean;
}

export const CORE: Component = { name: 'core', words: 'its core', isVital: true };
export const SCHEDULE: Component = { name: 'schedule', words: 'the schedule', isVital: true };
export const HOUSEKEEPING: Component = { name: 'housekeeping', words: 'the hourly housekeeping' };
export const REQUESTS: Component = { name: 'requests', words: 'answering commands' };
const UNKNOWN: Component = { name: 'unknown', words: 'an unknown component', isVital: true };

const current = new AsyncLocalStorage<Component>();

/** Does some work as a component: errors that no code catches, in it and in everything that it starts, count as the component's. */
export function within<Result>(component: Component, work: () => Result): Result {
  return current.run(component, work);
}

/** Returns a function that does its work as the present component, whoever calls it. */
export function bound<Result>(work: () => Result): () => Result {
  return AsyncLocalStorage.bind(work);
}

const MAX_MESSAGE_CHARS = 200;
const MAX_FRAMES = 20;
const MAX_FRAME_CHARS = 300;
/** Errors of the engine itself: their messages name parts of the program. */
const OF_ENGINE: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError']);

type Description = Pick<FaultEntry, 'name' | 'message' | 'stack'>;

/**
 * Describes an error, without what it could quote. A parser quotes what it read, and Node the arguments that it refuses. Of a
 * component that works with passwords (`isSecret`) only messages of the engine are kept.
 */
export function describeError(error: unknown, isSecret: boolean): Description {
  if (!(error instanceof Error)) return { name: typeof error, message: '', stack: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const isOfEngine = OF_ENGINE.has(error.name) && code === null;
  const isQuoting = error instanceof SyntaxError || code?.startsWith('ERR_') === true;
  const isKept = isOfEngine || (!isSecret && !isQuoting);
  return {
    name: code === null ? error.name : `${error.name} ${code}`,
    message: isKept ? (error.message.split('\n')[0] ?? '').slice(0, MAX_MESSAGE_CHARS) : '',
    stack: framesOf(error.stack ?? ''),
  };
}

function framesOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames
    .slice(0, MAX_FRAMES)
    .map((frame) => frame.trim().slice(0, MAX_FRAME_CHARS))
    .join('\n');
}

/** Returns the error `unexpected-fault` (75), with which a daemon ends after an error that it can't continue after. */
export function unexpectedFault(error: unknown): StewardError {
  const { name, message } = describeError(error, true);
  const what = message === '' ? name : `${name}: ${message}`;
  return new StewardError(
    {
      code: 'unexpected-fault',
      message: `Steward stopped because of an unexpected error (${what}).`,
      hint: 'A service starts it again; in a terminal, start it yourself. This is a bug in Steward: please report it with the stack from `steward status --json`.',
    },
    EXIT.tryAgain,
    { cause: error },
  );
}

/** How long after the last time an unexpected error is a problem. */
const SHOWN_MS = 24 * 60 * 60 * 1000;

/** Returns the problems of the unexpected errors of the last day. */
export function faultProblems({ state, now }: Pick<Context, 'state' | 'now'>): readonly Diagnostic[] {
  return Object.values(state.get('faults'))
    .filter(({ last }) => now() - last < SHOWN_MS)
    .map(faultProblem);
}

function faultProblem({ component, words, name, message, stack, last, count, continued }: FaultEntry): Diagnostic {
  const when = localTime(last).replace('T', ' ').slice(0, 16);
  const often = count === 1 ? when : `${count} times, last ${when}`;
  const what = message === '' ? name : `${name}: ${message}`;
  const then = continued ? 'Steward continued.' : 'Steward stopped, so that it starts again in a sound state.';
  return {
    ...diagnostic({
      code: 'unexpected-fault',
      message: `Steward met an unexpected error in ${words} (${often}): ${what.replace(/\.?$/, '.')}`,
      hint: `${then} This is a fault of the program; please report it with the stack from .steward/state/faults.json. The entry disappears a day after the last time.`,
    }),
    component,
    stack,
  };
}

/** Returns what is told of an error that nobody remembers, as the daemon does not run. */
export function faultEvent({ component, error }: Fault, now: number): DaemonEvent {
  const { name, words } = component;
  const said = describeError(error, true);
  const entry = { ...said, component: name, words, first: now, last: now, count: 1, continued: false };
  return { what: 'fault', component: name, stack: entry.stack, continued: false, trouble: faultProblem(entry) };
}

/** How many errors a component may have within `RECENT_MS`; at the next one the daemon restarts. */
const MAX_RECENT = 4;
const RECENT_MS = 60_000;
const MAX_ENTRIES = 20;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Remembers unexpected errors, and decides whether the daemon can continue after one. */
export class FaultBook {
  readonly #context: Pick<Context, 'state' | 'now' | 'emit'>;
  readonly #recent = new Map<string, number[]>();

  constructor(context: Pick<Context, 'state' | 'now' | 'emit'>) {
    this.#context = context;
  }

  /** Records an error that no code caught. Returns whether the daemon can continue. `isInDoubt`: a change of notes is unfinished. */
  uncaught(component: Component, error: unknown, isInDoubt: boolean): boolean {
    const continues = component.isVital !== true && !isInDoubt && !this.#isTooOften(component.name);
    this.#record(component, error, continues);
    return continues;
  }

  caught(component: Component, error: unknown): void {
    this.#record(component, error, true);
  }

  #isTooOften(component: string): boolean {
    const now = performance.now();
    const recent = (this.#recent.get(component) ?? []).filter((at) => now - at < RECENT_MS);
    this.#recent.set(component, [...recent, now]);
    return recent.length >= MAX_RECENT;
  }

  #record(component: Component, error: unknown, continued: boolean): void {
    const { state, now, emit } = this.#context;
    const said = describeError(error, component.isSecret === true);
    const key = sha256(`${component.name}\n${said.name}\n${said.stack}`).slice(0, 16);
    const known = state.get('faults')[key];
    const entry: FaultEntry = {
      ...said,
      component: component.name,
      words: component.words,
      continued,
      first: known?.first ?? now(),
      last: now(),
      count: (known?.count ?? 0) + 1,
    };
    state.set('faults', withEntry(state.get('faults'), key, entry));
    emit({ what: 'fault', component: component.name, stack: entry.stack, continued, trouble: faultProblem(entry) });
    try {
      state.save('faults');
    } catch {
      // The disk refuses it, or the vault belongs to another process by now: the log has it.
    }
  }
}

function withEntry(
  before: Readonly<Record<string, FaultEntry>>,
  key: string,
  entry: FaultEntry,
): Record<string, FaultEntry> {
  const { [key]: _, ...others } = before;
  const recent = Object.entries(others)
    .filter(([, { last }]) => entry.last - last < KEPT_MS)
    .sort(([, one], [, other]) => other.last - one.last)
    .slice(0, MAX_ENTRIES - 1);
  return Object.fromEntries([[key, entry], ...recent]);
}

/** An error that no code caught, and the component whose work it came from. */
export interface Fault {
  readonly component: Component;
  readonly error: unknown;
}

type FaultListener = (fault: Fault) => void;

/**
 * Listens to exceptions and rejections that no code caught, and passes each to the listener of the work that it came from: one
 * of several vaults, for example. Faults of other work go to `unowned`; without it they end the process.
 */
export class LastResort implements Disposable {
  readonly #owner = new AsyncLocalStorage<FaultListener>();
  readonly #unowned: FaultListener;
  readonly #listen = (error: unknown): void => {
    try {
      (this.#owner.getStore() ?? this.#unowned)({ component: current.getStore() ?? UNKNOWN, error });
    } catch (failure) {
      giveUp(error, failure);
    }
  };

  constructor(unowned?: FaultListener) {
    this.#unowned = unowned ?? ((fault) => this.#endProcess(fault));
    process.on('uncaughtException', this.#listen);
    process.on('unhandledRejection', this.#listen);
  }

  /** Does some work; `listener` gets the faults that come up in it, and in everything that it starts. */
  within<Result>(listener: FaultListener, work: () => Result): Result {
    return this.#owner.run(listener, work);
  }

  /** From now on a fault ends the process, as Node does it. */
  [Symbol.dispose](): void {
    process.off('uncaughtException', this.#listen);
    process.off('unhandledRejection', this.#listen);
  }

  #endProcess({ error }: Fault): void {
    this[Symbol.dispose]();
    process.nextTick(() => {
      throw error;
    });
  }
}

/**
 * Ends the process with exit code 75 if it has not ended after this many ms: what a fault left behind may keep it
 * alive.
 */
export function endWithin(ms: number): void {
  setTimeout(() => process.exit(EXIT.tryAgain), ms).unref();
}

// The handler itself failed: no part of the program can be trusted now.
function giveUp(...errors: readonly unknown[]): void {
  try {
    for (const error of errors) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  } finally {
    process.exit(EXIT.tryAgain);
  }
}
