import { z } from 'zod';
import type { StreamEvent } from '../steward/ports.ts';
import { unit } from '../vault/records/values.ts';
import { oneLine } from './mail/plain-text.ts';

/** At which step a stream file ended without a signal. */
const SILENCES = [
  /** No reader takes files of its kind. */
  'unread-kind',
  /** It cannot be read, or is no mail. */
  'unreadable',
  /** The same bytes were read under another name. */
  'same-bytes',
  /** It is not looked into: bulk mail, old mail, an unfilled template, the vault's own note. */
  'not-admitted',
  /** No note fits it well enough. */
  'no-note',
  /** A note fits, and nothing was found that changes it. */
  'nothing-said',
  /** What was read in it did not stand up to the checks. */
  'struck',
  /** A model was asked, and found nothing. */
  'model-none',
] as const;

const MAX_NAME = 120;
const MAX_TEXT = 300;

/** Why a stream event gave no signal: no more of its text than a signal would keep. */
export const silence = z.object({
  kind: z.enum(SILENCES),
  /** In a few words: `bulk mail: List-Unsubscribe`. */
  reason: z.string(),
  from: z.string().nullable(),
  subject: z.string().nullable(),
  /** Who read it; null where nobody did. */
  by: z.string().nullable(),
  /** The notes that it could most likely be about, best first. */
  closest: z.array(z.object({ note: z.string(), score: unit })),
});
export type Silence = z.infer<typeof silence>;

/** Returns why a file without an event gives no signal. */
export function silentFile(kind: 'unread-kind' | 'unreadable' | 'same-bytes', reason: string): Silence {
  return { kind, reason: oneLine(reason, MAX_TEXT), from: null, subject: null, by: null, closest: [] };
}

/** Returns why an event is not looked into. */
export function silentEvent(event: StreamEvent, reason: string): Silence {
  return { kind: 'not-admitted', reason: oneLine(reason, MAX_TEXT), ...headOf(event), by: null, closest: [] };
}

function headOf({ from, subject }: StreamEvent): Pick<Silence, 'from' | 'subject'> {
  return { from: from === null ? null : oneLine(from, MAX_NAME), subject: oneLine(subject, MAX_NAME) };
}
