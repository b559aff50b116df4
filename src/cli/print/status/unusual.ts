import type { Status } from '../../../daemon/status/status.ts';
import { heldLines } from '../gates/guard-lines.ts';
import { count, local } from '../plain-text.ts';
import { costLines } from '../print-budget.ts';
import { keptText } from './print-retention.ts';
import { unreadWords } from './status-sections.ts';

/** Returns a line for each thing that most days do not have: what is held back, refused, still to be told, or cost something. */
export function unusualLines({ gates, streams, plane = null, edits, retention, costs }: Status): string[] {
  const [cost] = costLines(costs);
  const heard = (edits?.heard ?? 0) + (edits?.passed ?? 0); // an older snapshot knows nothing of them
  return [
    ...heldLines(gates),
    ...(gates.backoffUntil === null ? [] : [`the provider asked for a pause until ${local(gates.backoffUntil)}`]),
    ...(streams.waiting.length === 0 ? [] : [`${count(streams.waiting.length, 'file')} waiting for a model`]),
    ...refusedLine(streams),
    ...(streams.unreadKinds.length === 0 ? [] : [unreadWords(streams.unreadKinds)]),
    ...(plane === null ? [] : [`${count(plane.waiting, 'event')} waiting for Plane: ${plane.reason}`]),
    ...(heard === 0 ? [] : [`${count(heard, 'edit')} of yours heard today`]),
    ...(cost === undefined ? [] : [cost]),
    ...(retention === null ? [] : [keptText(retention)]),
  ];
}

function refusedLine({ refused }: Status['streams']): string[] {
  const [first] = refused;
  if (first === undefined) return [];
  const more = refused.length === 1 ? '' : ` (and ${refused.length - 1} more: steward status --all)`;
  return [`not read: ${first.file}: ${first.reason}${more}`];
}
