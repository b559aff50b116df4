import { isChoice, isQuestion } from '../../steward/attention/asking.ts';
import { standingOf } from '../../steward/attention/standing.ts';
import { handsOffReason } from '../../steward/changes/opt-out.ts';
import type { ProposalStatus } from '../../steward/proposals/proposal-status.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { chosenIn, isChosenIn } from '../../vault/notes/choice-list.ts';
import { isSiblingType } from '../../vault/records/event.ts';
import { REMARKS } from '../../vault/words/remark-words.ts';
import type { ReadAccess } from '../context/ports.ts';

/** Returns why an answer in an event note can mean nothing there; null where it can, or where none is given. */
export function remarkOn(space: ReadAccess, event: EventRecord): string | null {
  const { type, confirm, dismiss, undo, undo_recipe: recipe } = event.fields;
  if (isSiblingType(type) || !(confirm || dismiss || undo || isChosenIn(event.fields))) return null;
  if (recipe !== null) return confirm || dismiss ? REMARKS.isMade : null;
  const status = standingOf(space, event);
  switch (status.kind) {
    case 'none':
      return undo ? REMARKS.changedNothing : REMARKS.nothingProposed;
    case 'waiting':
    case 'stale':
      return remarkOnOpen(space, event);
    default:
      return remarkOnClosed(event, status);
  }
}

/** Returns the matter or task that a person has chosen, or why it cannot be the one. */
export function chosenTarget(space: ReadAccess, choose: string): TargetRecord | string {
  const found = space.vault.catalogue.resolve(choose, ['task', 'matter']);
  if (found?.kind !== 'task' && found?.kind !== 'matter') return REMARKS.noSuchNote;
  return handsOffReason(space, found) ?? found;
}

function remarkOnOpen(space: ReadAccess, event: EventRecord): string | null {
  const { confirm, dismiss, undo } = event.fields;
  if (confirm && dismiss) return REMARKS.both;
  if (undo) return REMARKS.changedNothingYet;
  if (isQuestion(event)) return confirm ? REMARKS.onlySeen : null;
  if (!isChoice(event)) return null;
  if (dismiss) return isChosenIn(event.fields) ? REMARKS.chosenAndDismissed : null;
  if (!isChosenIn(event.fields)) return REMARKS.which;
  const choose = chosenIn(event.fields);
  if (choose === null) return REMARKS.several;
  const chosen = chosenTarget(space, choose);
  return typeof chosen === 'string' ? chosen : null;
}

function remarkOnClosed(
  event: EventRecord,
  status: Exclude<ProposalStatus, { kind: 'none' | 'waiting' | 'stale' }>,
): string | null {
  const { confirm, dismiss, undo } = event.fields;
  if (status.kind === 'confirmed') return dismiss ? REMARKS.confirmed(status.by.name) : null;
  if (undo) return REMARKS.changedNothing;
  if (status.kind === 'dismissed') return confirm ? REMARKS.dismissed(status.by.name) : null;
  if (!confirm && !dismiss) return null;
  return status.kind === 'settled' ? REMARKS.settled(status.reason) : REMARKS.superseded(status.by.name);
}
