import { permitted } from '../../steward/changes/field-mapping.ts';
import type { Permission } from '../../steward/changes/permission.ts';
import {
  type Judged,
  NO_OVERRIDES,
  type Overrides,
  type Replayed,
  rejudge,
  under,
} from '../../steward/hindsight/replay.ts';
import { goesOn } from '../../steward/ports/evaluator.ts';
import { same } from '../../vault/frontmatter/equal.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { briefly } from '../../vault/notes/note-text.ts';
import type { Workspace } from '../context/ports.ts';
import { type DecisionContext, DecisionContexts, discretionFigures, mutationContextThen } from './decision-context.ts';
import { recordedOutcome } from './recorded-decisions.ts';
import { isSameConfidence, type JudgedBy, judgeOf, replayedDecision, trust } from './replayed-decision.ts';

/** A recorded decision that can be made again, or the sentence that says why it cannot. */
export type Reproduction =
  | {
      readonly ok: true;
      readonly judgedBy: JudgedBy;
      /** What became of it, with the gate that decided. */
      readonly recorded: Replayed;
      /** Returns what would have become of it under other settings. */
      readonly under: (overrides: Overrides) => Replayed;
    }
  | { readonly ok: false; readonly reason: string };

/** Makes recorded decisions again. */
export class Replayer {
  readonly #space: Workspace;
  readonly #contexts: DecisionContexts;

  constructor(space: Workspace) {
    this.#space = space;
    this.#contexts = new DecisionContexts(space);
  }

  /**
   * Makes a decision again as it was made. Only one that comes out as it was recorded can tell what else might have
   * come of it.
   */
  reproduce(event: EventRecord): Reproduction {
    const context = this.#contexts.contextOf(event);
    if (context === null) return { ok: false, reason: 'Which note it is about, or when, cannot be read from it.' };
    return (
      this.#reproducedBy(context, judgeOf(context)) ??
      this.#reproducedBy(context, 'record') ?? { ok: false, reason: unlikeReason(context) }
    );
  }

  #reproducedBy(context: DecisionContext, judgedBy: JudgedBy): Reproduction | null {
    const judge = (overrides: Overrides) => this.#judged(context, judgedBy, overrides);
    const judged = judge(NO_OVERRIDES);
    const recorded = rejudge(judged, context.circumstances);
    if (!agrees(context.event, judged, recorded)) return null;
    const replayed = (overrides: Overrides) => rejudge(judge(overrides), under(overrides, context.circumstances));
    return { ok: true, judgedBy, recorded, under: replayed };
  }

  #judged(context: DecisionContext, judgedBy: JudgedBy, overrides: Overrides): Judged {
    const settings = {
      ...this.#space.context.settings,
      ...(overrides.editable_fields === undefined ? {} : { editable_fields: overrides.editable_fields }),
      ...(overrides.protected_fields === undefined ? {} : { protected_fields: overrides.protected_fields }),
    };
    const decision = replayedDecision(context, judgedBy, settings, overrides);
    const mutationContext = mutationContextThen(this.#space.vault, context, settings);
    const permission = permitted(decision, mutationContext, settings.field_mapping);
    return {
      decision: decision.decision,
      confidence: decision.confidence,
      permission: leftToPerson(permission, context),
      signals: discretionFigures(context, (signal) => trust(context, signal, overrides)),
      person: context.person,
    };
  }
}

function agrees(event: EventRecord, { permission }: Judged, replayed: Replayed): boolean {
  const { decision, confidence, changes } = event.fields;
  if (replayed.outcome !== recordedOutcome(event)) return false;
  // A date that moved was called still_active before there was a word for it; the changes are compared below.
  if (replayed.decision !== decision && !(goesOn(replayed.decision) && goesOn(decision))) return false;
  const made = permission.ok ? permission.changes : {};
  return isSameConfidence(replayed.confidence, confidence) && same(briefly(made), briefly(changes));
}

// A decision that was weighed again, after a person had changed the note, could only ever be proposed.
function leftToPerson(permission: Permission, { person }: DecisionContext): Permission {
  return permission.ok && person !== null ? { ...permission, needsPerson: true } : permission;
}

function unlikeReason({ signals }: DecisionContext): string {
  const missing =
    signals === null ? 'Signals it rests on are gone' : 'The settings or notes around it were others then';
  return `${missing}: what is recorded does not follow from what is there now.`;
}
