import { sha256 } from '../../vault/hash.ts';
import type { FaultEntry } from '../context/remembered/fault-entry.ts';
import type { Context } from '../context.ts';
import { type Component, isVital } from '../runtime/component.ts';
import { describeError } from './describe-error.ts';
import { faultProblem } from './fault-problems.ts';

/** A component may fail so often within so many ms; at the next error the daemon restarts. */
const MAX_RECENT = 4;
const RECENT_MS = 60_000;
const MAX_ENTRIES = 20;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Their errors may quote a password or a token. */
const SECRET: ReadonlySet<Component> = new Set<Component>(['sources', 'notifications', 'plane']);

/** Remembers unexpected errors, and decides whether the daemon can continue after one. */
export class FaultBook {
  readonly #context: Pick<Context, 'state' | 'now' | 'emit'>;
  readonly #recent = new Map<Component, number[]>();

  constructor(context: Pick<Context, 'state' | 'now' | 'emit'>) {
    this.#context = context;
  }

  /** Records an error that no code caught. Returns whether the daemon can continue. `isInDoubt`: a change of notes is unfinished. */
  uncaught(component: Component, error: unknown, isInDoubt: boolean): boolean {
    const continues = !isVital(component) && !isInDoubt && !this.#isTooOften(component);
    this.#record(component, error, continues);
    return continues;
  }

  /** Records an unexpected error that the component has dealt with itself. */
  caught(component: Component, error: unknown): void {
    this.#record(component, error, true);
  }

  #isTooOften(component: Component): boolean {
    const now = performance.now();
    const recent = (this.#recent.get(component) ?? []).filter((at) => now - at < RECENT_MS);
    this.#recent.set(component, [...recent, now]);
    return recent.length >= MAX_RECENT;
  }

  #record(component: Component, error: unknown, continued: boolean): void {
    const { state, now, emit } = this.#context;
    const said = describeError(error, SECRET.has(component));
    const key = sha256(`${component}\n${said.name}\n${said.stack}`).slice(0, 16);
    const known = state.get('faults')[key];
    const entry: FaultEntry = {
      ...{ component, ...said, continued },
      first: known?.first ?? now(),
      last: now(),
      count: (known?.count ?? 0) + 1,
    };
    state.set('faults', withEntry(state.get('faults'), key, entry));
    emit({ what: 'fault', component, stack: entry.stack, continued, trouble: faultProblem(entry) });
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
