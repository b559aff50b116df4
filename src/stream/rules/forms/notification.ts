import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import { type LabelledLine, labelledLines } from '../../forms/labels/labelled-lines.ts';
import { codesIn } from '../../money/reference.ts';
import { statusIn } from './status.ts';
import { isNothingLeft } from './sum-left.ts';

/** Marks that shops and offices put on what they send to one person as well as on what they send to all. */
const MAYBE_TO_ONE = /^(?:List-Unsubscribe|List-Id|Precedence: bulk|Auto-Submitted: auto-(?:generated|notified))/;
/** What newsletters tell of as well. */
const OF_ALL = new Set(['event', 'confirmation']);

/** Whether a mail that a machine sent may be to one person after all, by its headers alone. An automatic reply is not. */
export function mayBeNotification({ bulkReason }: Pick<StreamEvent, 'bulkReason'>): boolean {
  return MAYBE_TO_ONE.test(bulkReason ?? '');
}

/** Whether a mail that a machine sent is about something of the reader's own: it has a number or a state of an order, say. */
export function isNotification(event: StreamEvent): boolean {
  if (!mayBeNotification(event)) return false;
  const told = event.forms?.things ?? [];
  return told.some(({ kind }) => !OF_ALL.has(kind)) || labelledLines(event.text).some(isOfOne);
}

function isOfOne({ kinds, value, isBare }: LabelledLine): boolean {
  if (kinds.includes('reference')) return codesIn(value).size > 0;
  if (kinds.includes('open')) return !isBare && isNothingLeft(value) !== null;
  return kinds.some((kind) => kind.startsWith('status')) && statusIn(value, isBare) !== null;
}
