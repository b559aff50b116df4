import { z } from 'zod';
import { round4 } from '../steward/gates/rounding.ts';
import type { Extracted } from '../steward/ports/extractor.ts';
import type { StreamEvent } from '../steward/ports/stream-event.ts';
import { unit } from '../vault/records/values.ts';
import { oneLine } from './mail/plain-text.ts';
import { NO_FIT } from './rules-extractor.ts';
import { rankTargets } from './targets/ranking.ts';
import { TARGET_FLOOR } from './targets/score.ts';
import type { TargetIndex } from './targets/target-index.ts';

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

const MAX_CLOSEST = 3;
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

/** Returns why an event that was looked into gives no signal; `reason` in the words of whoever read it. */
export function silentReading(event: StreamEvent, extracted: Extracted, reason: string, index: TargetIndex): Silence {
  const closest = rankTargets(index, event, null)
    .slice(0, MAX_CLOSEST)
    .map(({ candidate, score }) => ({ note: candidate.path, score: Math.min(1, round4(score)) }));
  const [best] = closest;
  return {
    kind: kindOf(extracted, best !== undefined && best.score >= TARGET_FLOOR),
    reason: oneLine(reason, MAX_TEXT),
    ...headOf(event),
    by: oneLine(extracted.extractor, MAX_TEXT),
    closest,
  };
}

function kindOf({ rejected, usage, unusable, skipped }: Extracted, fits: boolean): Silence['kind'] {
  if (rejected.length > 0) return 'struck';
  if (usage !== null && unusable === null) return 'model-none';
  if (skipped?.startsWith(NO_FIT) === true) return 'no-note';
  return fits ? 'nothing-said' : 'no-note';
}

function headOf({ from, subject }: StreamEvent): Pick<Silence, 'from' | 'subject'> {
  return { from: from === null ? null : oneLine(from, MAX_NAME), subject: oneLine(subject, MAX_NAME) };
}
