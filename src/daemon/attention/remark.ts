import { isChoice, isQuestion } from '../../steward/attention/asking.ts';
import { standingOf } from '../../steward/attention/standing.ts';
import { handsOffReason } from '../../steward/changes/opt-out.ts';
import type { ProposalStatus } from '../../steward/proposals/proposal-status.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { chosenIn, isChosenIn } from '../../vault/notes/choice-list.ts';
import { isSiblingType } from '../../vault/records/event.ts';
import type { ReadAccess } from '../context/ports.ts';

/** Returns why an answer in an event note can mean nothing there; null where it can, or where none is given. */
export function remarkOn(space: ReadAccess, event: EventRecord): string | null {
  const { type, confirm, dismiss, undo, undo_recipe: recipe } = event.fields;
  if (isSiblingType(type) || !(confirm || dismiss || undo || isChosenIn(event.fields))) return null;
  if (recipe !== null) return confirm || dismiss ? 'The change was made already: tick undo to take it back.' : null;
  const status = standingOf(space, event);
  switch (status.kind) {
    case 'none':
      return undo ? NOTHING_MADE : 'Nothing is proposed here, so there is nothing to answer.';
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
  if (found?.kind !== 'task' && found?.kind !== 'matter') return 'choose names no matter and no task of this vault.';
  return handsOffReason(space, found) ?? found;
}

const WHICH = 'It may mean any of several notes: tick the right one below, or write its link into choose.';
const NOTHING_MADE = 'Nothing was changed here, so there is nothing to take back.';

function remarkOnOpen(space: ReadAccess, event: EventRecord): string | null {
  const { confirm, dismiss, undo } = event.fields;
  if (confirm && dismiss) return 'Both confirm and dismiss are ticked: untick one of them.';
  if (undo) return `${NOTHING_MADE} Tick dismiss to let it go.`;
  if (isQuestion(event)) return confirm ? 'No change is proposed: tick dismiss once you have seen to it.' : null;
  if (!isChoice(event)) return null;
  if (dismiss)
    return isChosenIn(event.fields) ? 'A note is chosen and dismiss is ticked: take one of them back.' : null;
  if (!isChosenIn(event.fields)) return WHICH;
  const choose = chosenIn(event.fields);
  if (choose === null) return 'More than one note is chosen: leave a tick at the right one alone, and choose empty.';
  const chosen = chosenTarget(space, choose);
  return typeof chosen === 'string' ? chosen : null;
}

function remarkOnClosed(
  event: EventRecord,
  status: Exclude<ProposalStatus, { kind: 'none' | 'waiting' | 'stale' }>,
): string | null {
  const { confirm, dismiss, undo } = event.fields;
  if (status.kind === 'confirmed')
    return dismiss ? `It was confirmed before, in [[${status.by.name}]]: tick undo there to take it back.` : null;
  if (undo) return NOTHING_MADE;
  if (status.kind === 'dismissed') return confirm ? `It was dismissed before, in [[${status.by.name}]].` : null;
  if (!confirm && !dismiss) return null;
  return status.kind === 'settled'
    ? `It closed itself before: ${status.reason}.`
    : `It was overtaken before, by [[${status.by.name}]].`;
}
