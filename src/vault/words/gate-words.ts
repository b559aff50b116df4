import { escapeMarkdown } from '../notes.ts';
import type { RecordedGate } from '../records.ts';

/** Returns one gate as a line: whether it holds, its name, its figures in words. */
export function gateLine({ gate, held, reason }: RecordedGate): string {
  return `${held ? 'holds' : 'refuses'}: ${gate.replaceAll('_', ' ')}: ${reason}`;
}

/** Returns why the steward acted alone, a sentence for a body; null where no gate says who spoke. */
export function whyActed(gates: readonly RecordedGate[]): string | null {
  const sender = gates.find(({ gate, held }) => gate === 'sender' && held);
  return sender === undefined ? null : `It was sure enough to act alone: ${escapeMarkdown(sender.reason)}`;
}

/** Returns why a change is only proposed, a sentence for a body. */
export function whyProposed(gates: readonly RecordedGate[], mode: 'shadow' | 'live'): string {
  if (mode === 'shadow') return 'Only proposed: in shadow mode the steward changes no note by itself.';
  const refused = gates.find(({ held }) => !held);
  return `Only proposed: ${refused === undefined ? 'a gate held it back.' : plainReason(refused)}`;
}

function plainReason({ gate, figure, threshold, reason }: RecordedGate): string {
  const measured = figure === null || threshold === null ? '' : ` (${figure}, and ${threshold} is needed)`;
  if (gate === 'discretion' && measured !== '') return `what was read is not sure enough for its source${measured}.`;
  if (gate === 'mode' && measured !== '') return `the steward is not sure enough of it${measured}.`;
  return escapeMarkdown(reason);
}
