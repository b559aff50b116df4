import { refusalWords } from '../../steward/gates-gate.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { momentOf, shown } from '../../vault/note-text.ts';
import type { Changes, RecordedGate } from '../../vault/records.ts';
import { gateLine } from '../../vault/words/gate-words.ts';
import type { Times } from './explanation.ts';

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Returns the text with each ISO moment in it reformatted. */
export function timed(text: string, times: Times): string {
  return text.replace(ISO, (written) => times(Date.parse(written)));
}

/** Returns a line for each gate, with its figures. */
export function gateLines(gates: readonly RecordedGate[], times: Times): string[] {
  return gates.map((gate) => timed(gateLine(gate), times));
}

/** Returns why the first closed gate refused; null where every gate held. */
export function refusedReason(gates: readonly RecordedGate[], times: Times): string | null {
  const refused = gates.find((gate) => !gate.held);
  if (refused === undefined) return null;
  return timed(refusalWords(refused.gate, refused.reason).replace(/\.$/, ''), times);
}

/** Returns a line for each changed field: its value before and after. */
export function changeLines(changes: Changes): string[] {
  return Object.entries(changes).map(([field, { before, after }]) => `${field}: ${shown(before)} → ${shown(after)}`);
}

/** Returns what an event asks of a person, in one line: what was found, or the words of the sender. */
export function askedText({ fields: { change, quote } }: EventRecord): string {
  return shown(`${change ?? 'something'}${quote === null ? '' : ` (“${quote}”)`}`);
}

/** Returns when an event happened, formatted; its own text where that is no moment. */
export function whenOf({ name, fields }: EventRecord, times: Times): string {
  const at = momentOf(name, fields.timestamp);
  return Number.isNaN(at) ? fields.timestamp : times(at);
}

/** Returns the lines, or `none` where there are none. */
export function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['none'] : lines;
}

/** Returns the text with its first letter in lower case. */
export function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
