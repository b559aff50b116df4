import { z } from 'zod';

/** The form of each answer: that of `--json` (docs/contract.md, section 16). Fields may be added, so more is let through. */
const entry = open({});
const entries = z.array(entry);
const schemaVersion = z.literal(1);
const optionalText = z.string().nullable();

export const statusAnswer = open({
  schemaVersion,
  vault: open({ path: z.string(), state: z.enum(['present', 'away']) }),
  daemon: open({ state: z.string() }),
  mode: open({ effective: z.string() }),
  waiting: entries,
  schedules: entries,
  proposals: entries,
  sources: entries,
  trouble: entries,
});

export const inboxAnswer = open({
  schemaVersion,
  waiting: z.array(
    open({
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

export const explainAnswer = open({
  schemaVersion,
  note: z.string(),
  kind: z.string(),
  sentence: z.string(),
  sections: z.array(open({ title: z.string(), lines: z.array(z.string()) })),
  gates: entries,
  gatesNow: entries,
});

export const noteAnswer = open({
  schemaVersion,
  note: z.string(),
  kind: z.enum(['task', 'matter']),
  fields: entry,
  tasks: z.array(open({ name: z.string(), state: z.string(), due: optionalText })),
});

export const logAnswer = open({
  schemaVersion,
  events: z.array(open({ event: z.string(), time: z.string(), decision: z.string(), outcome: z.string() })),
});

export const lookupAnswer = open({
  schemaVersion,
  ok: z.boolean(),
  text: z.string(),
  citations: entries,
  notRead: entries,
});

export const proposeAnswer = open({
  schemaVersion,
  outcome: z.enum(['waiting', 'later']),
  known: z.boolean(),
  target: z.string(),
  change: optionalText,
  signal: optionalText,
  event: optionalText,
  heldBy: z.array(open({ gate: z.string(), reason: z.string() })),
  reason: z.string(),
});

// Some clients take a form that says nothing of further fields, `{}`, for a mistake.
function open<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).meta({ additionalProperties: true });
}
