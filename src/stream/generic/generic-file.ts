import { z } from 'zod';
import type { Seal } from '../../vault/seal.ts';
import { type GenericEvent, genericEvent } from './generic-event.ts';

/** Larger than the largest event that is handed in. */
const MAX_BYTES = 512 * 1024;

const sealedFile = z.strictObject({ source: z.string(), event: genericEvent, seal: z.string() });
/** What a person drops is the event alone; a copy of a sealed file is worth no more than that. */
const droppedFile = z.union([genericEvent, sealedFile.transform(({ event }) => event)]);

/** An event as a file holds it; `source`: the source that handed it in, by the program's own mark, null where it has none. */
export interface FiledEvent {
  readonly source: string | null;
  readonly event: GenericEvent;
}

/** Returns the text of the file with the program's mark. `file`: where it will be. */
export function genericText(event: GenericEvent, source: string, file: string, seal: Seal): string {
  const filed = { source, event: genericEvent.parse(event) };
  return `${JSON.stringify({ ...filed, seal: seal.of(marked(filed, file)) }, null, 2)}\n`;
}

/** Returns the event that a file holds, or why it holds none: a sentence. */
export function readGeneric(bytes: Uint8Array, file: string, seal: Seal): FiledEvent | string {
  if (bytes.length > MAX_BYTES) return `It is larger than ${MAX_BYTES / 1024} KiB, which no event is.`;
  const json = jsonIn(bytes);
  if (json === undefined) return 'It is not JSON.';
  const sealed = sealedFile.safeParse(json);
  if (sealed.success && seal.holds(marked(sealed.data, file), sealed.data.seal)) {
    const { source, event } = sealed.data;
    return { source, event };
  }
  const dropped = droppedFile.safeParse(json);
  if (dropped.success) return { source: null, event: dropped.data };
  return `It holds no event: ${whyNoEvent(genericEvent.safeParse(json).error ?? dropped.error)}.`;
}

/**
 * Returns the first thing that is wrong with an event, in plain words. It names only fields that events have, and no value
 * of it: `payment.currency must be three capitals, as in EUR`.
 */
export function whyNoEvent(error: z.ZodError): string {
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  if (issue === undefined || (field === '' && issue.code === 'invalid_type')) return 'it must be an object in braces';
  const subject = field === '' ? 'it' : field;
  if (issue.code === 'unrecognized_keys')
    return `${subject} has a field that no event has; its fields are ${fieldsOf(field)}`;
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${subject} is missing or is of another type`;
  return issue.message.startsWith('must') || issue.message.startsWith('cannot')
    ? `${subject} ${issue.message}`
    : `${subject} is not as it must be: ${plainReason(issue)}`;
}

function plainReason(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big') return `at most ${issue.maximum} characters`;
  if (issue.code === 'too_small') return 'it must not be empty';
  if (issue.code === 'invalid_type') return `it must be a ${issue.expected}`;
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  return 'see the fields of an event in docs/sources.md';
}

function fieldsOf(field: string): string {
  const { shape } = genericEvent;
  if (field === 'payment') return Object.keys(shape.payment.unwrap().shape).join(', ');
  if (field === 'appointment') return Object.keys(shape.appointment.unwrap().shape).join(', ');
  return Object.keys(shape).join(', ');
}

// The place is part of it: a copy elsewhere was not handed in there.
function marked({ source, event }: Pick<z.infer<typeof sealedFile>, 'source' | 'event'>, file: string): string {
  return `event ${source} ${file}\0${JSON.stringify(event)}`;
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
