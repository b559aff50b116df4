import { type Calibration, recorded } from '../steward/learning/calibration.ts';
import { matterField } from '../steward/ports/matter-link.ts';
import { appendFields } from '../vault/frontmatter/append.ts';
import { sealReversal } from '../vault/index/seals.ts';
import { wikilink } from '../vault/links.ts';
import { stem } from '../vault/note-names.ts';
import { briefly, changeLine, noteText } from '../vault/notes/note-text.ts';
import { NOBODY_SPOKE, spokenFields } from '../vault/notes/spoken.ts';
import { utc } from '../vault/time.ts';
import type { Step } from '../vault/transaction/intent.ts';
import { textStep } from '../vault/transaction/steps.ts';
import { type Becoming, boxFields, EVENT_CLASSES, saysField, undoable } from '../vault/words/becoming.ts';
import { reversalBody } from '../vault/words/reversal-words.ts';
import { briefConflicts, changesMade, type UndoAssessment } from './assessment.ts';
import { type Answerable, targetOf, type UndoOrder } from './order.ts';
import type { UndoSpace } from './undo-space.ts';

/** An order to take an event back, and how that ends. */
export interface AssessedOrder {
  readonly order: UndoOrder;
  /** The event that made the change, or null where the order names none. */
  readonly subject: Answerable | null;
  readonly assessment: UndoAssessment;
}

/** Returns the vault-relative path of the reversal note: the file that a person dropped, or a new one. */
export function reversalPath(space: UndoSpace, { order, subject }: AssessedOrder): string {
  if (order.file !== null) return order.file.path;
  const target = subject === null ? 'unknown' : (targetOf(subject) ?? 'unknown');
  return space.transactions.eventPath(typeOf(order), target, space.context.now());
}

/**
 * Returns the step that writes the reversal note: a new one, or a person's own, completed. Null where the person's file
 * has gone meanwhile.
 */
export function reversalStep(
  space: UndoSpace,
  assessed: AssessedOrder,
  path: string,
  calibrations: readonly Calibration[],
): Step | null {
  const { order, subject, assessment } = assessed;
  const now = space.context.now();
  const matter = matterField(space.vault, subject === null ? null : targetOf(subject));
  const fields = reversalFields(assessed, calibrations, now);
  if (order.file !== null) {
    const text = space.notes.text(path);
    if (text === null) return null;
    const completed = missingFields(order, { ...matter, ...fields });
    const written = { ...space.notes.fresh(path)?.data, ...completed };
    const append = { ...completed, seal: sealReversal(space.context.seal, path, written) };
    return { ...textStep(path, text, appendFields(path, text, append)), append };
  }
  const becoming = becomingOf(assessed, now);
  const { from, quote, outcome, force, ...recorded } = fields;
  const frontmatter = {
    ...boxFields(becoming),
    change: changeLine(changesMade(assessment)),
    ...{ from, quote, outcome, cssclasses: EVENT_CLASSES, type: typeOf(order), timestamp: utc(now), ...matter },
    ...recorded,
    ...(force ? { force } : {}),
    ...saysField(becoming),
  };
  const sealed = { ...frontmatter, seal: sealReversal(space.context.seal, path, frontmatter) };
  return { do: 'create', path, text: noteText(sealed, bodyOf(assessed, becoming)) };
}

// What was taken back can be made again; what found the field changed can still be forced, as long as an undo is possible.
function becomingOf({ order, subject, assessment }: AssessedOrder, now: number): Becoming {
  const { outcome, inverse } = assessment;
  if (outcome === 'reversed') return undoable('reversal', inverse);
  const until = Date.parse(subject?.fields.undo_recipe?.expires_at ?? '');
  return outcome === 'conflict' && !order.force && until > now ? { kind: 'forcible', until } : { kind: 'nothing' };
}

function reversalFields(
  { order, subject, assessment }: AssessedOrder,
  calibrations: readonly Calibration[],
  now: number,
): Record<string, unknown> {
  const target = subject === null ? null : targetOf(subject);
  const conflicts = briefConflicts(assessment);
  return {
    reverses: subject === null ? null : wikilink(subject.path),
    target: target === null ? null : wikilink(target),
    target_path: target,
    change: changeLine(changesMade(assessment)),
    ...spokenFields(subject?.fields ?? NOBODY_SPOKE),
    ...(subject === null || order.file?.fields.event_found === false ? { event_found: subject !== null } : {}),
    ...(order.reason === null ? {} : { reason: order.reason }),
    reversed_by: order.by,
    force: order.force,
    outcome: assessment.outcome,
    vault_patch_applied: assessment.outcome === 'reversed',
    plane_revert_applied: false,
    ...(conflicts.length === 0 ? {} : { conflicts }),
    changes: briefly(changesMade(assessment)),
    ...recorded(calibrations),
    settled_at: utc(now),
    undo_recipe: assessment.inverse,
  };
}

// What a person wrote in their file stays as they wrote it; the program adds what it knows.
function missingFields(order: UndoOrder, fields: Record<string, unknown>): Record<string, unknown> {
  const own = order.file?.fields;
  const { reverses, reversed_by, force, reason: _, ...rest } = fields;
  return {
    ...(own?.type ? {} : { type: typeOf(order) }),
    ...(own?.reverses ? {} : { reverses }),
    ...(own?.reversed_by ? {} : { reversed_by }),
    ...(own?.force ? {} : { force }),
    ...rest,
  };
}

function typeOf({ event }: UndoOrder): 'signal-action-reversed' | 'steward-action-reversed' {
  return event?.name.startsWith('signal-') ? 'signal-action-reversed' : 'steward-action-reversed';
}

function bodyOf({ order, subject, assessment }: AssessedOrder, becoming: Becoming): string {
  const target = subject === null ? null : targetOf(subject);
  const telling = {
    ...{ outcome: assessment.outcome, event: subject?.name ?? null, target: target === null ? null : stem(target) },
    ...{ why: assessment.why, reason: order.reason, conflicts: briefConflicts(assessment) },
    changes: changesMade(assessment),
  };
  return reversalBody(telling, becoming);
}
