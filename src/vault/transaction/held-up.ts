import { sha256 } from '../hash.ts';
import { intentId } from '../note-text.ts';
import type { Intent, Step } from './intent.ts';

/** An action that the disk refuses to finish. */
interface Held {
  readonly intent: Intent;
  /** The steps that are still to be made; those that are done are never made again. */
  readonly left: readonly Step[];
}

/** A note's text as it will be, once what waits for it is written, and the hash of its bytes. */
interface PendingText {
  readonly text: string;
  readonly sha: string;
}

/**
 * The actions that wait for the disk, in the order in which they were decided. Each holds back only the notes that it
 * still has to write.
 */
export class HeldUp {
  readonly #held = new Map<string, Held>();

  /** Keeps an action, or what is left of one that was kept before. */
  keep(intent: Intent, left: readonly Step[]): void {
    this.#held.set(intent.id, { intent, left });
  }

  /** Forgets an action that is finished or withdrawn. */
  forget(id: string): void {
    this.#held.delete(id);
  }

  /** Returns the steps that an action still has to make; null for one that is not held up. */
  leftOf(id: string): readonly Step[] | null {
    return this.#held.get(id)?.left ?? null;
  }

  /** Whether an action is held up that is known to have been decided. */
  isDecided(id: string): boolean {
    return this.#held.get(id)?.intent.decided === true;
  }

  /** Returns all actions that are held up, the first decided first. */
  all(): Held[] {
    return [...this.#held.values()];
  }

  /** Returns the notes that wait to be written. */
  notes(): Set<string> {
    return new Set(this.all().flatMap(heldBack));
  }

  /**
   * Returns what a note will hold, given the hash of what is in it now (null where there is none). Null where nothing
   * waits for it, or where somebody has changed it since: then nobody knows before it is written.
   */
  pending(note: string, now: string | null): PendingText | null {
    let pending: PendingText | null = null;
    let sha = now;
    for (const step of this.all().flatMap(({ left }) => left)) {
      const fits = step.path === note && (step.do === 'edit' ? step.before_sha256 : null) === sha;
      if (!fits) continue;
      sha = sha256(step.text);
      pending = { text: step.text, sha };
    }
    return pending;
  }
}

// Until its event note is there, nobody can see what an action has done: it holds back all that it touches.
function heldBack({ intent, left }: Held): string[] {
  const isRecorded = !left.some((step) => step.do === 'create' && intentId(step.path) === intent.id);
  return (isRecorded ? left : [...intent.steps, ...left]).map((step) => step.path);
}

/** Returns intents in the order in which they were decided: one that edits what another leaves comes after it. */
export function inOrder(intents: readonly Intent[]): Intent[] {
  const byTime = intents.toSorted((one, other) => (one.at === other.at ? 0 : one.at < other.at ? -1 : 1));
  const leaves = new Map(byTime.flatMap((intent) => intent.steps.map((step) => [resultOf(step), intent] as const)));
  const ordered = new Set<Intent>();
  const visited = new Set<Intent>();
  const visit = (intent: Intent): void => {
    if (visited.has(intent)) return;
    visited.add(intent);
    for (const step of intent.steps) {
      const before = step.do === 'edit' ? leaves.get(`${step.before_sha256} ${step.path}`) : undefined;
      if (before !== undefined) visit(before);
    }
    ordered.add(intent);
  };
  for (const intent of byTime) visit(intent);
  return [...ordered];
}

function resultOf(step: Step): string {
  return `${step.do === 'edit' ? step.after_sha256 : sha256(step.text)} ${step.path}`;
}
