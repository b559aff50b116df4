import { z } from 'zod';
import { usage } from '../../steward/ports/evaluator.ts';
import type { Seal } from '../../vault/seal.ts';
import { debate } from './debate.ts';

/** The phases of a round, in their order. */
const PHASES = ['opening', 'speaking', 'review', 'rebuttal', 'verdict'] as const;
export type Phase = (typeof PHASES)[number];

/**
 * How an agent's file came about: as claimed, under another name than claimed, written from its reply, or not at all.
 */
const FILE_STATES = ['written', 'found', 'fallback', 'missing'] as const;

const base = { at: z.string(), round: z.number().int().min(1) };
const phase = z.enum(PHASES);

const said = z.object({
  what: z.literal('said'),
  ...base,
  phase,
  who: z.string(),
  /** Null where there was no answer; `failure` says why. */
  text: z.string().nullable(),
  failure: z.string().nullable(),
  seconds: z.number().min(0),
  usage: usage.nullable(),
  /** The number of the request that the message made, or null where it made none or was refused. */
  request: z.number().int().nullable(),
  file: z.object({ path: z.string(), state: z.enum(FILE_STATES), reason: z.string().nullable() }).nullable(),
  /** The files of the roundtable that the speaker opened. Absent where it opened none, as in earlier logs: they are sealed. */
  read: z.array(z.string()).optional(),
});
export type Said = z.infer<typeof said>;

const asked = z.object({
  what: z.literal('asked'),
  ...base,
  id: z.number().int().min(1),
  /** An agent's name, or `judge` for a check. */
  by: z.string(),
  text: z.string(),
  /** Why it was not looked up; null where it was. */
  refused: z.string().nullable(),
  /** The number of the request of an earlier round that it repeats, whose answer it got; absent where it is new. */
  again: z.number().int().optional(),
});
export type Asked = z.infer<typeof asked>;

const result = z.object({
  what: z.literal('result'),
  ...base,
  id: z.number().int().min(1),
  /** `late`: it arrived after its time was up and was dropped. `timeout`: nothing arrived in time. */
  standing: z.enum(['taken', 'late', 'timeout']),
  ok: z.boolean(),
  text: z.string(),
  by: z.string(),
  seconds: z.number().min(0),
  usage: usage.nullable(),
});
export type Result = z.infer<typeof result>;

const flag = z.object({
  what: z.literal('flag'),
  ...base,
  phase,
  agent: z.string(),
  figure: z.string(),
  sentence: z.string(),
  /** Why a place is not believed; absent where a figure is simply nowhere. */
  reason: z.string().exactOptional(),
});
export type Flag = z.infer<typeof flag>;

const halt = z.object({
  what: z.literal('halt'),
  ...base,
  agent: z.string(),
  reason: z.string(),
  /** Whether a figure of this agent was flagged before the judge read it. Only then does the halt count. */
  flagged: z.boolean(),
});

const ran = z.object({
  what: z.literal('ran'),
  ...base,
  phase,
  /** The elapsed time of the phase. */
  wall_seconds: z.number().min(0),
  /** The sum of the times that its agents took. */
  agents_seconds: z.number().min(0),
  agents: z.number().int().min(0),
});
export type Ran = z.infer<typeof ran>;

const intermission = z.object({ what: z.literal('intermission'), ...base, waiting: z.array(z.string()) });
const note = z.object({ what: z.literal('note'), ...base, text: z.string() });
const closed = z.object({ what: z.literal('closed'), ...base, converged: z.boolean(), debate });

const entry = z.discriminatedUnion('what', [said, asked, result, flag, halt, ran, intermission, note, closed]);
export type Entry = z.infer<typeof entry>;

/** `steward-log-<id>.json`: everything that was asked and answered in one roundtable, in order. */
export const roundtableLog = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  question: z.string(),
  agents: z.array(z.object({ name: z.string(), role: z.string(), model: z.string() })),
  max_rounds: z.number().int().min(1),
  /** SHA-256 of its briefing. */
  briefing_sha256: z.string(),
  /** The name of the event note that the daemon convened it about; null where a person holds it. */
  convened_for: z.string().nullable().default(null),
  /** Why there is no evidence; null where there is some. */
  no_evidence: z.string().nullable(),
  recorded: z.boolean(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  ended: z.enum(['converged', 'max_rounds']).nullable(),
  /**
   * File → the SHA-256 of everything that was or was about to be written there. Only these contents are ever replaced.
   */
  written: z.record(z.string(), z.array(z.string())),
  entries: z.array(entry),
});
export type RoundtableLog = z.infer<typeof roundtableLog>;

/** The log with the program's mark on every byte of it; null or absent in a log that others have written. */
const sealedFile = roundtableLog.extend({ seal: z.string().nullable().default(null) });

/** Returns the text of the log of a roundtable in a folder, with the program's mark on all of it. */
export function sealedText(log: RoundtableLog, folder: string, seal: Seal): string {
  return `${JSON.stringify({ ...log, seal: seal.of(covered(log, folder)) }, null, 1)}\n`;
}

/**
 * Reads what is in the place of a log: the log, `foreign` where the program did not write it as it is for the roundtable
 * in this folder, or null where it is no log.
 */
export function readSealed(written: unknown, folder: string, seal: Seal): RoundtableLog | 'foreign' | null {
  const parsed = sealedFile.safeParse(written);
  if (!parsed.success) return null;
  const { seal: mark, ...log } = parsed.data;
  return seal.holds(covered(log, folder), mark) ? log : 'foreign';
}

// Through the schema, so that what is written and what is read have the same order of keys.
function covered(log: RoundtableLog, folder: string): string {
  return JSON.stringify(['roundtable', folder, roundtableLog.parse(log)]);
}

/** A larger file is no log. */
export const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** Returns the name of the log in a roundtable's folder. */
export function logName(id: string): string {
  return `steward-log-${id}.json`;
}

/** Returns the entries of one kind, in order. */
export function entriesOf<What extends Entry['what']>(
  log: RoundtableLog,
  what: What,
): Extract<Entry, { what: What }>[] {
  return log.entries.filter((one): one is Extract<Entry, { what: What }> => one.what === what);
}

/** Returns what was said in one phase of a round, in order. */
export function saidIn(log: RoundtableLog, round: number, phase: Phase): Said[] {
  return entriesOf(log, 'said').filter((one) => one.round === round && one.phase === phase);
}
