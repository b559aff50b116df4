import { nameKey } from '../../vault/index/index-keys.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { sourceKey } from '../../vault/source-names.ts';

/** A decision, as far as it overtakes what was proposed before it. */
export interface Overtaking {
  readonly changes: object;
  /** Names of signals, or links to them. */
  readonly signals: readonly string[];
  /** Whose proposal it is: the keys of its sources; null where the change was made. */
  readonly speakers: readonly string[] | null;
  /** What the program found by itself, without a signal; null for anything else. */
  readonly perceived: string | null;
}

/**
 * What was decided about a note since a proposal was made. A proposal is overtaken where one of its signals was weighed
 * again, where one of its fields was written, or where all who spoke for it have spoken about the field again. What
 * somebody else proposes takes nobody's word off the list: a stranger could, with one mail. What the program found by
 * itself is overtaken by what it finds later.
 */
export class Since {
  readonly #keys = new Set<string>();

  add({ changes, signals, speakers, perceived }: Overtaking): void {
    if (perceived !== null) this.#keys.add(PERCEIVED);
    for (const signal of signals) this.#keys.add(signalKey(signal));
    for (const field of Object.keys(changes)) {
      if (speakers === null) this.#keys.add(fieldKey(field, null));
      for (const speaker of speakers ?? []) this.#keys.add(fieldKey(field, speaker));
    }
  }

  /** Whether all this together overtakes a proposal. */
  overtakes({ fields }: EventRecord): boolean {
    if (fields.perceived !== null && this.#keys.has(PERCEIVED)) return true;
    if (fields.signals.some((signal) => this.#keys.has(signalKey(signal)))) return true;
    const speakers = speakersOf(fields.source_contributions);
    return Object.keys(fields.changes).some((field) => {
      const isSaidAgain = speakers.every((speaker) => this.#keys.has(fieldKey(field, speaker)));
      return this.#keys.has(fieldKey(field, null)) || (speakers.length > 0 && isSaidAgain);
    });
  }
}

/** Whether one decision alone overtakes a proposal about the same note. */
export function supersedes(by: Overtaking, proposal: EventRecord): boolean {
  const since = new Since();
  since.add(by);
  return since.overtakes(proposal);
}

/** Returns how an event overtakes what was proposed before it. */
export function overtakingOf({ fields }: EventRecord): Overtaking {
  const { changes, signals, undo_recipe: recipe, confirms, source_contributions: contributions, perceived } = fields;
  const isMade = recipe !== null || confirms !== null;
  return { changes, signals, speakers: isMade ? null : speakersOf(contributions), perceived };
}

/** Returns the keys of the sources that bear a conclusion. */
export function speakersOf(contributions: Readonly<Record<string, number>>): string[] {
  return Object.entries(contributions).flatMap(([source, share]) => (share > 0 ? [sourceKey(source)] : []));
}

/** Stands for all that the program found by itself about one note. */
const PERCEIVED = 'perceived';

function signalKey(signal: string): string {
  return `signal ${nameKey(signal)}`;
}

function fieldKey(field: string, speaker: string | null): string {
  return speaker === null ? `made ${field}` : `said ${field} ${speaker}`;
}
