import { z } from 'zod';

/** The form of each answer: that of `--json` (docs/contract.md, section 16). Fields may be added, so more is let through. */
const entry = z.looseObject({});
const entries = z.array(entry);
const schemaVersion = z.literal(1);
const optionalText = z.string().nullable();

export const statusAnswer = z.looseObject({
  schemaVersion,
  vault: z.looseObject({ path: z.string(), state: z.enum(['present', 'away']) }),
  daemon: z.looseObject({ state: z.string() }),
  mode: z.looseObject({ effective: z.string() }),
  waiting: entries,
  schedules: entries,
  proposals: entries,
  sources: entries,
  trouble: entries,
});

export const inboxAnswer = z.looseObject({
  schemaVersion,
  waiting: z.array(
    z.looseObject({
      kind: z.string(),
      event: optionalText,
      target: optionalText,
      change: optionalText,
      from: optionalText,
      quote: optionalText,
      since: optionalText,
    }),
  ),
});

export const explainAnswer = z.looseObject({
  schemaVersion,
  note: z.string(),
  kind: z.string(),
  sentence: z.string(),
  sections: z.array(z.looseObject({ title: z.string(), lines: z.array(z.string()) })),
  gates: entries,
  gatesNow: entries,
});

export const logAnswer = z.looseObject({
  schemaVersion,
  events: z.array(z.looseObject({ event: z.string(), time: z.string(), decision: z.string(), outcome: z.string() })),
});

export const lookupAnswer = z.looseObject({
  schemaVersion,
  ok: z.boolean(),
  text: z.string(),
  citations: entries,
  notRead: entries,
});

export const proposeAnswer = z.looseObject({
  schemaVersion,
  outcome: z.enum(['waiting', 'later']),
  known: z.boolean(),
  target: z.string(),
  change: optionalText,
  signal: optionalText,
  event: optionalText,
  heldBy: z.array(z.looseObject({ gate: z.string(), reason: z.string() })),
  reason: z.string(),
});
