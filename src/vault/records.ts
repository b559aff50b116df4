import { z } from 'zod';
import { plainPath } from './note-path.ts';
import { MUTATION_CLASSES } from './records/mutation-class.ts';
import {
  checkbox,
  mapOf,
  optionalPath,
  optionalText,
  orNull,
  text,
  textList,
  unit,
  yamlValue,
} from './records/values.ts';

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

const members = z.union([z.array(z.string()), z.string().transform((one) => [one])]);

/** What a signal proposes to write: a class and the fields it sets, adds to, or removes from. */
export const mutationProposal = z.object({
  class: z.enum(MUTATION_CLASSES),
  set: mapOf(yamlValue),
  add: mapOf(members),
  remove: mapOf(members),
});
export type MutationProposal = z.infer<typeof mutationProposal>;

/**
 * One change to one field, as evaluators and proposals name it. `value`: a scalar for set, members for add and remove.
 */
export const fieldChange = z.object({
  field: z.string().min(1),
  op: z.enum(['set', 'add', 'remove']),
  value: yamlValue,
});
export type FieldChange = z.infer<typeof fieldChange>;

/** What a change does to a field: its value before and after; null where the field is absent. */
const beforeAfter = z.object({ before: yamlValue, after: yamlValue });
export type BeforeAfter = z.infer<typeof beforeAfter>;
export type Changes = Readonly<Record<string, BeforeAfter>>;

/** How one field is put back: its value before and after, and its exact former bytes (null where it was absent). */
const fieldRecipe = z.object({
  before: yamlValue,
  after: yamlValue,
  /** The whole former entry: key, value, trailing comment, line end. */
  before_source: z.string().nullable(),
  /** The key the former entry stood behind, '' for the first; only where the change removed the entry. */
  behind: z.string().optional(),
});
export type FieldRecipe = z.infer<typeof fieldRecipe>;

const vaultPatch = z.object({
  /** Vault-relative path of the note; '' where it is spelled as no path is, which leads to no note. */
  target: z.string().transform((written) => plainPath(written) ?? ''),
  /** SHA-256, lower-case hex, over the note's whole bytes. */
  before_sha256: z.string(),
  after_sha256: z.string(),
  fields: z.record(z.string(), fieldRecipe),
  /** True where the note had no frontmatter and the change made one. */
  created_frontmatter: z.boolean().optional(),
});
export type VaultPatch = z.infer<typeof vaultPatch>;

const undoRecipe = z.object({
  expires_at: z.string(),
  vault_patch: vaultPatch,
  plane_revert: z
    .unknown()
    .optional()
    .transform((value) => value ?? null),
});
export type UndoRecipe = z.infer<typeof undoRecipe>;

export const EVENT_TYPES = ['steward-action', 'signal-action'] as const;
export const SIBLING_TYPES = [
  'steward-action-confirmed',
  'signal-action-confirmed',
  'steward-action-dismissed',
  'signal-action-dismissed',
] as const;
/** Whether a `type` is that of the note that records a confirmation or a dismissal. */
export function isSiblingType(type: unknown): boolean {
  return SIBLING_TYPES.some((one) => one === type);
}

export const REVERSAL_TYPES = ['steward-action-reversed', 'signal-action-reversed'] as const;

/** What has become of what an event records (contract, section 3). */
export const EVENT_OUTCOMES = [
  'proposed',
  'acted',
  'recorded',
  'confirmed',
  'dismissed',
  'reversed',
  'superseded',
  'expired',
] as const;
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

export const evidenceItem = z.object({ source: z.string(), ref: z.string(), note: z.string() });
export type EvidenceItem = z.infer<typeof evidenceItem>;

const contributions = mapOf(unit);

/** The audit record of one action, proposal, confirmation or dismissal. */
export const eventFields = z.object({
  type: z.enum([...EVENT_TYPES, ...SIBLING_TYPES]),
  timestamp: text,
  target: optionalText,
  target_path: optionalPath,
  decision: optionalText.transform((value) => value ?? ''),
  confidence: unit.nullish().transform((value) => value ?? 0),
  mode: z.enum(['shadow', 'live']).catch('shadow'),
  changes: mapOf(beforeAfter),
  prior_state: optionalText,
  prior_frontmatter: mapOf(yamlValue),
  source_contributions: contributions,
  /** Each gate with its figures at the time the note was written. */
  gates: recordedGates,
  signals: textList,
  /** What the program found by itself, without a signal, as one text that can be compared; null for anything else. */
  perceived: optionalText,
  /** Who judged: `rules …`, a model's id, or `none: …` for a signal that was strong enough alone. */
  evaluator: optionalText,
  /** True exactly while it waits for a person. `waiting` says the same, in the place where a person looks. */
  pending_confirmation: checkbox,
  waiting: checkbox,
  /** What has become of it so far; null in a note of before this field. */
  outcome: orNull(z.enum(EVENT_OUTCOMES)).catch(null),
  /** The change in one line, the sender and the quote, as a person reads them. */
  change: optionalText,
  from: optionalText,
  quote: optionalText,
  /** The notes that could be meant, as links, and the one that a person has chosen. */
  candidates: textList,
  choose: optionalText,
  /** Those of the candidates that are ticked in the note's own list. Taken from the body, whatever a field of this name says. */
  ticked: textList,
  /** Why a ticked box means nothing here. */
  remark: optionalText,
  /** What the program's part of the body says: what can be done, or what has become of it; null where it has none. */
  says: optionalText,
  /** What the event has taught the sources behind it, and by which outcome; null where nothing yet. */
  taught: orNull(z.enum(['right', 'wrong', 'nothing'])).catch(null),
  taught_by: optionalText,
  taught_at: optionalText,
  /** The program's mark on an event note that it wrote itself. */
  seal: optionalText,
  /** The marks of machines that found the note when they first met the vault. */
  adopted: textList,
  /** Restores the note's `pending_confirmation` to the byte when the proposal closes. */
  pending_patch: orNull(vaultPatch),
  /** Whether this event removed the note's `pending_confirmation`, since no live proposal was waiting any more. */
  pending_cleared: checkbox,
  /** What Plane is to be told of it; null where nothing. */
  plane_action: z
    .unknown()
    .optional()
    .transform((value) => value ?? null),
  /** SHA-256 of the note as this event left it: the same bytes are not judged twice. */
  note_sha256: optionalText,
  undo_recipe: orNull(undoRecipe),
  confirms: optionalText,
  dismisses: optionalText,
  confirm: checkbox,
  dismiss: checkbox,
  undo: checkbox,
  /** Asks for a roundtable about a proposal; a fourth checkbox, only on proposals. */
  deliberate: checkbox,
  /** A link to the roundtable's conclusion. */
  advice: optionalText,
});
export type EventFields = z.infer<typeof eventFields>;

export const OUTCOMES = ['reversed', 'conflict', 'expired', 'already-reversed', 'not-applied', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What the program writes into a person's order once it has dealt with it. */
export const answeredFields = {
  /** False where it was refused before the event it names had appeared: it is tried again once that event appears. */
  event_found: orNull(z.boolean()),
  settled_at: optionalText,
};

/** `event/…-action-reversed-….md`: takes an action back. One dropped by a person needs only `reverses`, or its name. */
export const reversalFields = z.object({
  type: orNull(z.enum(REVERSAL_TYPES)),
  reverses: optionalText,
  reason: optionalText,
  reversed_by: optionalText,
  force: checkbox,
  outcome: orNull(z.enum(OUTCOMES)),
  ...answeredFields,
  /** Calibration as written: source → "before → after". */
  calibration: mapOf(z.string()),
  /** Observations that it took back or restored, written the same way. */
  observations: mapOf(z.string()),
  /** Who had spoken, and the quote, as the event that it takes back has them. */
  from: optionalText,
  quote: optionalText,
  /** What the program's part of the body says of it; null where it has none. */
  says: optionalText,
  undo_recipe: orNull(undoRecipe),
  undo: checkbox,
  /** The program's mark on a reversal that it wrote or completed. */
  seal: optionalText,
  adopted: textList,
});
export type ReversalFields = z.infer<typeof reversalFields>;
