import { z } from 'zod';

/** One gate as an event note records it: what was measured against what, and whether it let the decision through. */
const recordedGate = z.object({
  /** `discretion`, `mode`, `rate_guard`; `writing` for a change that may not be made, `person` for one only proposed. */
  gate: z.string(),
  /** What was measured; null where there was nothing to measure. */
  figure: z.number().nullish().catch(null).transform(orNull),
  threshold: z.number().nullish().catch(null).transform(orNull),
  held: z.boolean(),
  /** One sentence, without the gate's name. */
  reason: z.string().catch(''),
});
export type RecordedGate = z.infer<typeof recordedGate>;

/** The gates of an event note. What cannot be read as a gate is left out: a note is no worse a record for it. */
export const recordedGates = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.flatMap(gateOf));

function gateOf(item: unknown): RecordedGate[] {
  if (typeof item === 'string') return sentenceGate(item);
  const parsed = recordedGate.safeParse(item);
  return parsed.success ? [parsed.data] : [];
}

// As the first version wrote them: `refuses: rate guard: 60 of 60 used this minute; …`
function sentenceGate(sentence: string): RecordedGate[] {
  const [, word, name, reason] = /^(holds|refuses): ([a-z ]+): (.*)$/s.exec(sentence) ?? [];
  if (name === undefined || reason === undefined) return [];
  return [{ gate: name.replaceAll(' ', '_'), figure: null, threshold: null, held: word === 'holds', reason }];
}

function orNull<Value>(value: Value | null | undefined): Value | null {
  return value ?? null;
}
