import { z } from 'zod';
import { orNull } from './values.ts';

/** One gate as an event note records it: what was measured against what, and whether it let the decision through. */
const recordedGate = z.object({
  /** `discretion`, `mode`, `rate_guard`; `writing` for a change that is not allowed, `person` for one only proposed. */
  gate: z.string(),
  /** What was measured; null where there was nothing to measure. */
  figure: orNull(z.number()).catch(null),
  threshold: orNull(z.number()).catch(null),
  held: z.boolean(),
  /** One sentence, without the gate's name. */
  reason: z.string().catch(''),
});
export type RecordedGate = z.infer<typeof recordedGate>;

/** The gates of an event note. What cannot be read as a gate is left out; the note is still a valid record. */
export const recordedGates = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.flatMap(gateOf));

function gateOf(item: unknown): RecordedGate[] {
  if (typeof item === 'string') return sentenceGate(item);
  const parsed = recordedGate.safeParse(item);
  return parsed.success ? [parsed.data] : [];
}

// The form the first version wrote: `refuses: rate guard: 60 of 60 used this minute; …`
function sentenceGate(sentence: string): RecordedGate[] {
  const [, word, name, reason] = /^(holds|refuses): ([a-z ]+): (.*)$/s.exec(sentence) ?? [];
  if (name === undefined || reason === undefined) return [];
  return [{ gate: name.replaceAll(' ', '_'), figure: null, threshold: null, held: word === 'holds', reason }];
}
