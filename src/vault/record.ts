import { z } from 'zod';
import { type Diagnostic, diagnostic, editDistance } from './errors.ts';
import type { FileStat } from './files.ts';
import { findSetAside, type SetAside } from './foreign-fields.ts';
import {
  type BeforeAfter,
  type Frontmatter,
  fieldPosition,
  findSecondBlock,
  noteBody,
  type ParsedNote,
  readNote,
  type Yaml,
  yamlValue,
} from './frontmatter.ts';
import { DEFAULT_FOLDERS, fold, type Layout, type PathKind, plainPath, stem } from './layout.ts';
import { resolveLinks } from './links.ts';
import {
  type Checkboxes,
  clipped,
  countCheckboxes,
  formatOpenBoxes,
  linesWithNumbers,
  tickedCandidates,
} from './note-text.ts';
import { type ActionKind, hasRecord, isKeptInRecord, RECORD, unpackRecord } from './record-text.ts';
import { sourceName } from './source-names.ts';

// The meaning of the fields of each kind of note: schemas, format versions, and the way from a note to a record.

const text = z.string();

/** A scalar a person may have left unquoted (`owner: 42`), as text; absent, null and empty are all null. */
export const optionalText = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .optional()
  .transform((value) => (value === undefined || value === null || value === '' ? null : String(value)));

/** The path of a note that another note names; null if no note is named, or the text is no valid path. */
const optionalPath = optionalText.transform((value) => (value === null ? null : plainPath(value)));

/** A list of texts; a single text counts as a list of one, absent and null as an empty list. */
export const textList = z
  .union([z.string(), z.number(), z.null(), z.array(z.union([z.string(), z.number(), z.null()]))])
  .optional()
  .transform((value): readonly string[] => {
    if (value === undefined || value === null) return [];
    const items = Array.isArray(value) ? value : [value];
    return items.filter((item) => item !== null && item !== '').map(String);
  });

/** Returns a schema that turns a missing or empty value into null. */
function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null);
}

/** Returns a schema of a map of such values, which turns a missing or empty one into a new empty map. */
function mapOf<Value>(value: z.ZodType<Value>) {
  return z
    .record(z.string(), value)
    .nullish()
    .transform((map): Record<string, Value> => map ?? {});
}

/** A checkbox: ticked where it is `true` or `"true"`, otherwise not. */
export const checkbox = z
  .union([z.boolean(), z.string(), z.number(), z.null()])
  .optional()
  .transform((value) => value === true || value === 'true');

/** `steward: false` opts a note out; anything else, or nothing, leaves it in. */
export const stewardSwitch = z
  .unknown()
  .optional()
  .transform((value) => value !== false && value !== 'false');

/** How UUIDs are written. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id in another system, in lower case: nothing else of a note may come into an address. */
export const uuid = z
  .string()
  .regex(UUID)
  .transform((id) => id.toLowerCase());

/** A number from 0 to 1 inclusive. */
export const unit = z
  .number({ error: 'must be a number from 0 to 1' })
  .min(0, { error: 'must be a number from 0 to 1' })
  .max(1, { error: 'must be a number from 0 to 1' });

const optionalUnit = orNull(unit);

/** `high | normal | none`; absent is normal. */
const surfaceClass = z
  .enum(['high', 'normal', 'none'], { error: 'must be high, normal or none' })
  .nullish()
  .transform((value) => value ?? 'normal');

export const STATES = ['open', 'snoozed', 'done', 'archived'] as const;
export type State = (typeof STATES)[number];

const LEGACY_STATES: ReadonlyMap<string, State> = new Map([
  ['resolved', 'done'],
  ['completed', 'done'],
  ['abandoned', 'archived'],
  ['cancelled', 'archived'],
]);

/** Returns the state that a word means, legacy words included (contract, section 3), or null for an unknown word. */
export function parseState(word: string): State | null {
  const folded = word.trim().toLowerCase();
  return STATES.find((state) => state === folded) ?? LEGACY_STATES.get(folded) ?? null;
}

export const MUTATION_CLASSES = ['state_change', 'context_edit', 'parent_matter', 'related'] as const;
export type MutationClass = (typeof MUTATION_CLASSES)[number];

/** The names people use for the kinds of values that a schema expects. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  record: 'a map',
  object: 'a map',
};

/**
 * Returns what is wrong with a field, as the rest of a sentence that begins with its name: what its schema says of it, else
 * the same in plain words. No value is repeated.
 */
export function issueWords(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'is not valid';
  // All that zod says by itself begins so; whatever our schemas say does not.
  if (!/^(?:Invalid|Too |Unrecognized|Not a )/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${issue.values.join()}` : `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return issue.origin === 'string' ? 'is too long' : `must be ${issue.maximum} at most`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be ${issue.minimum} at least`;
    default:
      return 'is not valid';
  }
}

/** One gate as an event note records it: what was measured against what, and whether it let the decision through. */
const recordedGate = z.object({
  /** `discretion`, `mode`, `rate_guard`; `writing` for a change that is not allowed, `person` for one only proposed. */
  gate: z.string(),
  /** The measured figure; null for a gate without one. */
  figure: orNull(z.number()).catch(null),
  threshold: orNull(z.number()).catch(null),
  held: z.boolean(),
  /** One sentence, without the gate's name. */
  reason: z.string().catch(''),
});
export type RecordedGate = z.infer<typeof recordedGate>;

/** The gates of an event note. Unreadable entries are left out; the note is still a valid record. */
export const recordedGates = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.flatMap(gateOf));

function gateOf(item: unknown): RecordedGate[] {
  const parsed = recordedGate.safeParse(item);
  return parsed.success ? [parsed.data] : [];
}

const members = z.union([z.array(z.string()), z.string().transform((one) => [one])]);

/** Where TaskNotes keeps the completed days of a task that recurs. */
export const OCCURRENCES = 'complete_instances';

/** Every field belongs to exactly one class (section 3); whether it may be written at all is another question. */
const CLASS_OF_FIELD: ReadonlyMap<string, MutationClass> = new Map<string, MutationClass>([
  ['state', 'state_change'],
  ['status', 'state_change'],
  ['completedDate', 'state_change'],
  ['snoozed_until', 'state_change'],
  [OCCURRENCES, 'state_change'],
  ['parent_matter', 'parent_matter'],
  ['related_orgs', 'related'],
  ['related_projects', 'related'],
  ['related_to', 'related'],
]);

/** Returns the class of a field. A field that is not in the table is a context_edit. */
export function classOfField(field: string): MutationClass {
  return CLASS_OF_FIELD.get(field) ?? 'context_edit';
}

/**
 * A change that a signal proposes: a class and the fields it sets, adds to, or removes from. `{state: done}` sets a
 * field, and its class is that of the field.
 */
export const mutationProposal = z.preprocess(
  withClass,
  z.object({
    class: z.enum(MUTATION_CLASSES),
    set: mapOf(yamlValue),
    add: mapOf(members),
    remove: mapOf(members),
  }),
);
export type MutationProposal = z.infer<typeof mutationProposal>;

function withClass(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const fields = Object.keys(raw);
  const [first] = fields;
  const isWhole = first === undefined || fields.some((field) => ['class', 'set', 'add', 'remove'].includes(field));
  return isWhole ? raw : { class: classOfField(first), set: raw };
}

/**
 * One change to one field, as evaluators and proposals name it. `value`: a scalar for set, members for add and remove.
 */
export const fieldChange = z.object({
  field: z.string().min(1),
  op: z.enum(['set', 'add', 'remove']),
  value: yamlValue,
});
export type FieldChange = z.infer<typeof fieldChange>;

const beforeAfter: z.ZodType<BeforeAfter> = z.object({ before: yamlValue, after: yamlValue });

/** How one field is put back: its value before and after, and its exact former bytes (null if it was absent). */
const fieldRecipe = z.object({
  before: yamlValue,
  after: yamlValue,
  /** The whole former entry: key, value, trailing comment, line end. */
  before_source: z.string().nullable(),
  /** The key that preceded the former entry, '' for the first; only if the change removed the entry. */
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
  /** True if the note had no frontmatter and the change made one. */
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
const SIBLING_TYPES = [
  'steward-action-confirmed',
  'signal-action-confirmed',
  'steward-action-dismissed',
  'signal-action-dismissed',
] as const;
/** Whether a `type` is that of the note that records a confirmation or a dismissal. */
export function isSiblingType(type: unknown): boolean {
  return SIBLING_TYPES.some((one) => one === type);
}

const REVERSAL_TYPES = ['steward-action-reversed', 'signal-action-reversed'] as const;

/** The outcome of an event (contract, section 3). */
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

export const lessonFigures = mapOf(mapOf(beforeAfter));

/** What an answer taught: how it was given, and what moved in the note of each source, or why nothing did. */
const lessonRecord = z.object({ by: optionalText, none: optionalText, moved: lessonFigures });
export type LessonRecord = z.infer<typeof lessonRecord>;

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
  /** The program's own finding, without a signal, as one text that can be compared; otherwise null. */
  perceived: optionalText,
  /** Who judged: `rules …`, a model's id, or `none: …` for a signal that was strong enough alone. */
  evaluator: optionalText,
  /** True exactly while it waits for a person. `waiting` says the same, in the place where a person looks. */
  pending_confirmation: checkbox,
  waiting: checkbox,
  /** Its outcome so far. */
  outcome: orNull(z.enum(EVENT_OUTCOMES)).catch(null),
  /** The change in one line, the sender and the quote, as a person reads them. */
  change: optionalText,
  from: optionalText,
  quote: optionalText,
  /** The file that it was read from, as a link; null if the vault does not keep it. */
  mail: optionalText,
  /** The notes that could be meant, as links, and the one that a person has chosen. */
  candidates: textList,
  choose: optionalText,
  /** Those of the candidates that are ticked in the note's own list. Taken from the body, whatever a field of this name says. */
  ticked: textList,
  /** Why a ticked box has no effect here. */
  remark: optionalText,
  /** The present text of the program's part of the body, as a key; null without such a part. */
  says: optionalText,
  /** The lesson of the event about the sources behind it; null if it hasn't taught yet. */
  taught: orNull(z.enum(['right', 'wrong', 'nothing'])).catch(null),
  taught_by: optionalText,
  taught_at: optionalText,
  /** Of the note of an answer: what the answer taught. */
  lesson: orNull(lessonRecord).catch(null),
  /** The program's mark on an event note that it wrote itself. */
  seal: optionalText,
  /** The marks of machines that found the note when they first met the vault. */
  adopted: textList,
  /** Restores the note's `pending_confirmation` to the byte when the proposal closes. */
  pending_patch: orNull(vaultPatch),
  /** Whether this event removed the note's `pending_confirmation`, since no live proposal was waiting any more. */
  pending_cleared: checkbox,
  /** The effect of the action in another system (`ExternalEffect`), or null. */
  plane_action: z
    .unknown()
    .optional()
    .transform((value) => value ?? null),
  /** Why the other system was not told. */
  plane_skipped: optionalText,
  /** SHA-256 of the note as this event left it: the same bytes are not judged twice. */
  note_sha256: optionalText,
  undo_recipe: orNull(undoRecipe),
  confirms: optionalText,
  dismisses: optionalText,
  /** In the note of an answer: why, in the user's own words. */
  reason: optionalText,
  confirm: checkbox,
  dismiss: checkbox,
  /** Not now: closes a proposal without teaching anything. In the note of an answer: that this was meant. */
  later: checkbox,
  undo: checkbox,
  /** Confirms a proposal, and signs a licence for its sender. */
  always: checkbox,
  /** A link to the licence under which the program acted. */
  licence: optionalText,
  /** All signals that were evaluated together, those included that this decision isn't based on. */
  considered: textList,
  /** Asks for a roundtable about a proposal; a checkbox only on proposals. */
  deliberate: checkbox,
  /** A link to the roundtable's conclusion. */
  advice: optionalText,
});
export type EventFields = z.infer<typeof eventFields>;

const OUTCOMES = ['reversed', 'conflict', 'expired', 'already-reversed', 'not-applied', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What the program writes into a person's order once it has dealt with it. */
const answeredFields = {
  /** False if it was refused before the event it names had appeared: it is tried again once that event appears. */
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
  /** The lesson that it taught, or took back, in full; null if it moved no figure. */
  lesson: orNull(lessonRecord).catch(null),
  /** Observations that it took back or restored, written the same way. */
  observations: mapOf(z.string()),
  /** Who had spoken, and the quote, as the event that it takes back has them. */
  from: optionalText,
  quote: optionalText,
  /** The present text of the program's part of the body, as a key; null without such a part. */
  says: optionalText,
  undo_recipe: orNull(undoRecipe),
  undo: checkbox,
  /** The program's mark on a reversal that it wrote or completed. */
  seal: optionalText,
  adopted: textList,
});
export type ReversalFields = z.infer<typeof reversalFields>;

/** Taken from the body, whatever a field of this name says. */
const fromBody = z
  .unknown()
  .optional()
  .transform((): string => '');

/** The fields that matters and tasks have. */
const targetFields = {
  /** Under which name the note itself has its state, and so which one is written. */
  state_field: z.string().default('state'),
  state: z.enum(STATES, { error: 'must be open, snoozed, done or archived' }).default('open'),
  /** The value of `status` that has no known meaning: the note is left alone. Null if its state is known. */
  unexplained: optionalText,
  /** What the note is by another program's fields, so that it is left alone: `archived (its tag)`. Null for most notes. */
  set_aside: optionalText,
  surface_class: surfaceClass,
  /** A matter has no parent; there it is read only to report a circle. */
  parent_matter: textList,
  next_check_after: optionalText,
  pending_confirmation: checkbox,
  discretion_threshold: optionalUnit,
  related_orgs: textList,
  related_projects: textList,
  related_to: textList,
  aliases: textList,
  senders: textList,
  keywords: textList,
  steward: stewardSwitch,
  /** The lines of the body that have a number. */
  numbers: fromBody,
};

/** `matter/<slug>.md`: one ongoing affair. Unknown keys stay in the note and are ignored. */
export const matterFields = z.object({
  ...targetFields,
  steward_schedule: optionalText,
  summary: optionalText,
  description: optionalText,
  owner: optionalText,
  signal_sources: textList,
  plane_project_id: optionalText,
  /** The texts of the body's open checkboxes, one on a line. */
  open_boxes: fromBody,
});
export type MatterFields = z.infer<typeof matterFields>;

/** No more is read of what a field says of a payment. */
const MOST_CHARACTERS = 200;

const loose = z
  .unknown()
  .optional()
  .transform((value): readonly string[] => (Array.isArray(value) ? value : [value]).flatMap(written));

// A number that the note does not hold exactly would be another reference.
function written(value: unknown): string[] {
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'string' && !isExact) return [];
  const text = String(value).trim().slice(0, MOST_CHARACTERS);
  return text === '' ? [] : [text];
}

/**
 * `task/<slug>.md`: something to be done under a matter.
 *
 * Parsed after the settings' field mapping, so that `status` has become `state`, and `projects` `parent_matter`, and
 * after the vault's own words, so that `state` is one of the program's; `state_field` says under which name the note
 * itself has it, and so which one is written.
 */
export const taskFields = z.object({
  ...targetFields,
  due: optionalText,
  scheduled: optionalText,
  snoozed_until: optionalText,
  blocked_on: textList,
  current_state: optionalText,
  completedDate: optionalText,
  plane_issue_id: optionalText,
  /** Details of a payment. People use these names for other things too, so no value is wrong. */
  amount: loose,
  reference: loose,
  invoice: loose,
  iban: loose,
  counterparty: loose,
});

/** The task's fields as they are used. */
export const task = taskFields.transform(taskOf);

/** Returns a task's fields with what it says of a payment put together. */
function taskOf(fields: z.output<typeof taskFields>) {
  const { amount, reference, invoice, iban, counterparty, ...others } = fields;
  const payment = paymentIn({ amount, reference: [...reference, ...invoice], iban, counterparty });
  return { ...others, parent_matter: fields.parent_matter[0] ?? null, payment };
}
export type TaskFields = ReturnType<typeof taskOf>;

/** The details of a payment in a task's own fields: sums, references, IBANs, and who it goes to or comes from. */
export interface PaymentFields {
  readonly amount: readonly string[];
  readonly reference: readonly string[];
  readonly iban: readonly string[];
  readonly counterparty: readonly string[];
}

// Most tasks have no such field, and thousands of empty lists would be kept.
function paymentIn(fields: PaymentFields): PaymentFields | null {
  const { amount, reference, iban, counterparty } = fields;
  return amount.length + reference.length + iban.length + counterparty.length > 0 ? fields : null;
}

/** How many letters a mistyped name may differ by. */
const MOST_EDITS = 3;

/** Returns the name that is spelt most like a written one, or null if no name is near. */
export function nearest(mistyped: string, names: readonly string[]): string | null {
  const written = mistyped.toLowerCase();
  const near = names
    .map((name) => ({ name, edits: editDistance(written, name.toLowerCase(), MOST_EDITS) }))
    .filter(({ name, edits }) => edits <= Math.min(MOST_EDITS, name.length / 2))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.name ?? null;
}

const count = z
  .number()
  .int({ error: 'must be a whole number, 0 or more' })
  .min(0, { error: 'must be a whole number, 0 or more' })
  .nullish()
  .transform((value) => value ?? 0);

/** By which rule a note's figures came about: `outcomes` since only what a person lets be known teaches. */
export const LEARNS_FROM = 'outcomes';

/** `instinct/<channel>.md` and `instinct/<channel>/<pattern>.md`: how often one source was right. */
export const instinctFields = z.object({
  source_type: optionalText,
  /** Who speaks in the channel; absent for the channel itself. */
  pattern: optionalText,
  prior: optionalUnit,
  confidence: optionalUnit,
  /** How often it was right; wrong, wrong since it was last right, and taken back. */
  observations: count,
  wrong: orNull(count),
  wrong_in_a_row: count,
  reversals: count,
  calibration_status: z
    .enum(['pending', 'live', 'pruned'])
    .nullish()
    .transform((value) => value ?? null),
  pinned: checkbox,
  last_negative_at: optionalText,
  /** `steward` if the program itself set the pin, with its floor; absent for a person's pin. */
  pinned_by: optionalText,
  /** `outcomes`; absent in a note of before this rule, and in one that a person made. */
  learns_from: optionalText,
  steward: stewardSwitch,
});
export type InstinctFields = z.infer<typeof instinctFields>;

/** How well a sender is known to the note that a signal is about (contract, section 6). */
const SENDER_STANDINGS = ['named', 'licensed', 'unknown'] as const;
export type SenderStanding = (typeof SENDER_STANDINGS)[number];

/** Whether a channel authenticates a sender (contract, section 10). */
export const AUTHENTICATION_RESULTS = ['pass', 'fail', 'none'] as const;
export type AuthenticationResult = (typeof AUTHENTICATION_RESULTS)[number];

/** The kinds of evidence that lead from an event to a note. */
export const TARGET_EVIDENCE = ['link', 'reference', 'sender', 'name', 'keyword', 'words', 'amount', 'model'] as const;
export type TargetEvidence = (typeof TARGET_EVIDENCE)[number];

const SIGNAL_STATUSES = ['unrouted', 'applied', 'skipped'] as const;

/** `signal/<id>.md`: what one stream event means for one matter or task. One dropped by hand may lack many fields. */
export const signalFields = z.object({
  created: optionalText,
  origin_at: optionalText,
  source_type: optionalText.transform((value) => value ?? 'other'),
  source_event_path: optionalText,
  raw_quote: optionalText,
  /** Whether the sentence begins before the quote. */
  quote_cut: checkbox,
  /** Whether the sentence goes on behind the quote. */
  quote_open: checkbox,
  target_kind: orNull(z.enum(['task', 'matter'])),
  target_path: optionalText,
  target_matter_path: optionalText,
  target_confidence: unit.nullish().transform((value) => value ?? 1),
  target_candidates: textList,
  target_ambiguous: checkbox,
  effect: z
    .enum(['mutation', 'action', 'none'])
    .nullish()
    .transform((value) => value ?? 'none'),
  effect_confidence: unit.nullish().transform((value) => value ?? 0),
  effect_confidence_raw: optionalUnit,
  mutation_proposal: orNull(mutationProposal),
  reasoning: optionalText,
  headline: optionalText,
  /** The part of a task's sum that a bank line paid: `500.00 EUR`; `-500.00 EUR` if it went back. */
  paid: optionalText,
  /** The sender as shown, and the address: `Anna Example <anna@northgate-notary.example>`. */
  from: optionalText,
  /** Who in the channel spoke: a mail's sender address, a counterparty, an organiser, an author. */
  pattern: optionalText,
  /** Whether the target or its matter names the sender, or it had earned that, when the signal was written. */
  sender_known: orNull(z.enum(SENDER_STANDINGS)).catch(null),
  /** Whether the channel authenticates the sender, and which server said so. */
  authenticated: z
    .enum(AUTHENTICATION_RESULTS)
    .nullish()
    .catch('none')
    .transform((value) => value ?? 'none'),
  authenticated_by: optionalText,
  /** The kinds of evidence that led to the target: see `TARGET_EVIDENCE`. */
  target_evidence: textList,
  /** Whether what led to the target is in the same passage as the finding, or the sender belongs to it alone. */
  target_near: checkbox,
  /** The line of the matter's note that it is about, where that is one with an open checkbox. */
  target_line: optionalText,
  /** Whether the source says that the affair itself has ended, not that one thing under it was done. */
  ends_matter: checkbox,
  /** The warnings about the sender or the text, in plain words. */
  warnings: textList,
  /** Why nothing is done on its word alone: marked as spam, or perhaps not seen as it is read. */
  doubts: textList,
  /** The program's mark on a signal that it wrote itself. */
  seal: optionalText,
  status: z
    .enum(SIGNAL_STATUSES)
    .nullish()
    .transform((value) => value ?? 'unrouted'),
  /** Whether the message was read again, in another form, and no longer says so. */
  withdrawn: checkbox,
  applied_at: optionalText,
  audit_record_path: optionalText,
  steward: stewardSwitch,
});
export type SignalFields = z.infer<typeof signalFields>;

/** Whether a signal asks for something that was not done yet. Nothing else of it can be weighed, whoever sent it. */
export function isWeighable({ steward, effect, status, withdrawn }: SignalFields): boolean {
  return steward && effect !== 'none' && status !== 'applied' && !withdrawn;
}

/** What one of a vault's own words for the state of a note means. */
export interface StatusWord {
  /** As the person spells it, and as it is written. */
  readonly word: string;
  readonly state: State;
}

/** The words of one vault, in the order in which its settings list them. */
export type StatusWords = readonly StatusWord[];
export const NO_WORDS: StatusWords = [];

/** The words that TaskNotes comes with, beside those of this program; `true` and `false` are a checkbox. */
const TASKNOTES: StatusWords = [
  { word: 'none', state: 'open' },
  { word: 'in-progress', state: 'open' },
  { word: 'true', state: 'done' },
  { word: 'false', state: 'open' },
];

/**
 * Returns the state that a field's value means, or null if it is unknown: no word of the vault, of this program or of
 * TaskNotes, or more than one value.
 */
export function stateMeant(value: unknown, words: StatusWords): State | null {
  const text = singleText(value);
  if (text === null || text === '') return null;
  const listed = wordIn(text, words)?.state;
  return listed ?? parseState(text) ?? wordIn(text, TASKNOTES)?.state ?? null;
}

/**
 * Returns how a state is written in place of `held`: the vault's first word for it, or a list with that word if `held`
 * is a list. If a note names its state `state`, only in place of one of the vault's own words. A checkbox stays a
 * checkbox, and a number a number; undefined if neither can say the state.
 */
export function stateWritten(state: State, field: string, held: unknown, words: StatusWords): Yaml | undefined {
  const single: unknown = Array.isArray(held) ? held[0] : held;
  const text = singleText(held) ?? '';
  const isTheirs = field !== 'state' || wordIn(text, words) !== null;
  const listed = isTheirs ? words.filter((one) => one.state === state).map(({ word }) => word) : [];
  const value = valueLike(single, listed, state);
  return Array.isArray(held) && value !== undefined ? [value] : value;
}

// Of several words, the first that the type of the field can hold.
function valueLike(held: unknown, listed: readonly string[], state: State): Yaml | undefined {
  if (typeof held === 'boolean') {
    const word = listed.find((one) => /^(?:true|false)$/i.test(one)) ?? CHECKBOX[state];
    return word === undefined ? undefined : word.toLowerCase() === 'true';
  }
  if (typeof held === 'number') {
    const word = listed.find((one) => one.trim() !== '' && Number.isFinite(Number(one)));
    return word === undefined ? undefined : Number(word);
  }
  return listed[0] ?? state;
}

const CHECKBOX: Readonly<Partial<Record<State, string>>> = { open: 'false', done: 'true' };

function wordIn(text: string, words: StatusWords): StatusWord | null {
  if (words.length === 0) return null;
  const key = wordKey(text);
  return words.find(({ word }) => wordKey(word) === key) ?? null;
}

/** Under which key two spellings are one word: case, composition and the blanks at its ends make no difference. */
export function wordKey(word: string): string {
  return fold(word.trim());
}

// Null if there are several values, or one that is no word.
function singleText(value: unknown): string | null {
  if (Array.isArray(value)) return value.length > 1 ? null : Array.isArray(value[0]) ? null : singleText(value[0]);
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? null : String(value).trim();
}

/**
 * The rights that a licence may give (contract, section 6): `due` with scheduled and snoozed, `fields` every other
 * field, `matter` the end of a matter.
 */
export const LICENCE_KINDS = ['done', 'archived', 'due', 'fields', 'matter'] as const;
export type LicenceKind = (typeof LICENCE_KINDS)[number];

/** By which yes of the user a licence was signed; `count`: by the setting `autonomy: by_count`. */
const SIGNED_BY = ['box', 'inbox', 'command', 'hand', 'rehearsal', 'count'] as const;
export type SignedBy = (typeof SIGNED_BY)[number];

/** `licence/<name>.md`: a sender may make some kinds of changes without asking. One by hand needs only sender, kinds and `active`. */
export const licenceFields = z.object({
  /** The channel and who speaks in it: `mail:anna@northgate-notary.example`. */
  sender: z.string({ error: 'must name a sender' }).trim().min(1, { error: 'must name a sender' }),
  /** A link; null for every matter in which a note names the sender. */
  matter: optionalText,
  kinds: textList.pipe(
    z.array(z.enum(LICENCE_KINDS, { error: `may only contain ${LICENCE_KINDS.join(', ')}` })).readonly(),
  ),
  /** The last day on which it counts, `YYYY-MM-DD`. */
  until: optionalText,
  active: checkbox,
  evidence: optionalText,
  offered_at: optionalText,
  signed_at: optionalText,
  signed_by: orNull(z.enum(SIGNED_BY)).catch(null),
  ended_at: optionalText,
  ended_because: optionalText,
  /** The program's mark: what it covers was agreed to on this machine. */
  seal: optionalText,
  steward: stewardSwitch,
});
export type LicenceFields = z.infer<typeof licenceFields>;

export const ORDER_OUTCOMES = ['confirmed', 'dismissed', 'conflict', 'not-a-proposal', 'refused'] as const;
export type OrderOutcome = (typeof ORDER_OUTCOMES)[number];

/**
 * `event/…-action-confirmed-….md` or `…-dismissed-…` as a person drops it: it needs only `confirms` or `dismisses`, or
 * only its name. Once carried out, it becomes the sibling note itself, an event; otherwise the program says why not.
 */
const orderFields = z.object({
  type: orNull(z.enum(SIBLING_TYPES)),
  confirms: optionalText,
  dismisses: optionalText,
  reason: optionalText,
  /** Whether a dismissal means "not now". */
  later: checkbox,
  /** Which of the notes that could be meant is meant. */
  choose: optionalText,
  outcome: orNull(z.enum(ORDER_OUTCOMES)),
  ...answeredFields,
});
type OrderFields = z.infer<typeof orderFields>;

const ORDER_NAME = /^(steward|signal)-action-(confirmed|dismissed)-/i;

/** Whether an event note's name says that it confirms or dismisses a proposal. */
function isOrderName(name: string): boolean {
  return ORDER_NAME.test(name);
}

/** Whether an event note is a person's order that has not been carried out, rather than the record of one that was. */
function isOrder(name: string, data: Frontmatter): boolean {
  const { type } = data;
  const isSibling = type === undefined || type === null ? isOrderName(name) : isSiblingType(type);
  return isSibling && data.outcome !== 'confirmed' && data.outcome !== 'dismissed';
}

/** A stored value as it was parsed, before it is checked. */
export type StoredFields = Readonly<Record<string, unknown>>;

/**
 * The versions of everything that is stored, and where a value says its own. A cache of another version is discarded,
 * and the notes are read again.
 */
export const FORMATS = {
  journal: { key: 'schemaVersion', version: 2 },
  state: { key: 'format', version: 2 },
  settings: { key: 'format', version: 1 },
  note: { key: 'steward_format', version: 1 },
  cache: { key: 'format', version: 22 },
} as const;

type FormatKind = keyof typeof FORMATS;

/** Returns the version that a stored value says: 1 without one, null if it isn't a whole number from 1 on. */
export function formatVersionNumber(kind: FormatKind, value: StoredFields): number | null {
  const written = value[FORMATS[kind].key] ?? 1;
  return typeof written === 'number' && Number.isInteger(written) && written >= 1 ? written : null;
}

/** Whether a stored value is of a version that only a newer program can read. */
export function isNewer(kind: FormatKind, value: StoredFields): boolean {
  return (formatVersionNumber(kind, value) ?? 1) > FORMATS[kind].version;
}

/** Returns the problem of a stored thing that a newer version of the program wrote. `what`: its beginning, in words. */
export function newerFormat(kind: FormatKind, value: StoredFields, file: string, what: string): Diagnostic {
  const [written, ours] = [formatVersionNumber(kind, value), FORMATS[kind].version];
  return diagnostic({
    code: `${kind}-newer`,
    file,
    message: `A newer version of vault-steward wrote ${what} (format ${written}; this version reads up to ${ours}).`,
    hint: 'Start the newer version. This one leaves it exactly as it is.',
  });
}

interface Base {
  /** Vault-relative path, forward slashes, as it is spelt on disk. */
  readonly path: string;
  /** File name without `.md`: the title, and the slug. */
  readonly name: string;
  readonly stat: FileStat;
}
export type MatterRecord = Base & {
  readonly kind: 'matter';
  readonly fields: MatterFields;
  /** The checkboxes of its body; absent if it has no checkboxes. */
  readonly boxes?: Checkboxes;
};
export type TaskRecord = Base & { readonly kind: 'task'; readonly fields: TaskFields };
export type SignalRecord = Base & { readonly kind: 'signal'; readonly fields: SignalFields };
export type EventRecord = Base & { readonly kind: 'event'; readonly fields: EventFields };
export type ReversalRecord = Base & { readonly kind: 'reversal'; readonly fields: ReversalFields };
/** A person's confirmation or dismissal as a file, not carried out yet: new, or refused. */
export type OrderRecord = Base & { readonly kind: 'order'; readonly fields: OrderFields };
export type InstinctRecord = Base & { readonly kind: 'instinct'; readonly fields: InstinctFields };
export type LicenceRecord = Base & { readonly kind: 'licence'; readonly fields: LicenceFields };
/** A note in a record folder that cannot be read as a record: it is reported and never changed. */
export type BadRecord = Base & {
  readonly kind: 'bad';
  readonly trouble: Diagnostic;
  /** The source that an instinct is about, where at least that can be read. */
  readonly source?: string;
  /** The path of the note that a sync tool made it a copy of. */
  readonly copyOf?: string;
};
export type VaultRecord =
  | MatterRecord
  | TaskRecord
  | SignalRecord
  | EventRecord
  | ReversalRecord
  | OrderRecord
  | InstinctRecord
  | LicenceRecord
  | BadRecord;
/** A record that a decision can be about. */
export type TargetRecord = MatterRecord | TaskRecord;

/** The names that other programs use for our fields: theirs → ours. */
export type FieldMapping = Readonly<Record<string, string>>;
export const DEFAULT_MAPPING: FieldMapping = { status: 'state', projects: 'parent_matter' };

const SCHEMAS = {
  matter: matterFields,
  task,
  signal: signalFields,
  event: eventFields,
  reversal: reversalFields,
  order: orderFields,
  instinct: instinctFields,
  licence: licenceFields,
};

/** The kinds of records that a vault has many of. */
export const NUMEROUS_KINDS = ['event', 'reversal', 'signal', 'task'] as const;
export type NumerousKind = (typeof NUMEROUS_KINDS)[number];

export function isNumerous(kind: VaultRecord['kind']): kind is NumerousKind {
  return NUMEROUS_KINDS.some((one) => one === kind);
}

export function emptyFields(kind: NumerousKind): Readonly<Record<string, unknown>> {
  const least = kind === 'event' ? { type: 'steward-action', timestamp: '' } : {};
  return SCHEMAS[kind].parse(least);
}

const REVERSAL_NAME = /^(steward|signal)-action-reversed-/i;

/** Whether an event note's name says that it takes another back. */
function isReversalName(name: string): boolean {
  return REVERSAL_NAME.test(name);
}

/**
 * Returns the record that a file of a record folder holds, or what is wrong with it (`bad`). Never throws. `words`: what
 * the vault's own words for states mean. `kind`: what the file is, where that is known.
 */
export function readRecord(
  layout: Layout,
  mapping: FieldMapping,
  file: string,
  stat: FileStat,
  bytes: Buffer,
  words: StatusWords = NO_WORDS,
  kind: PathKind = layout.kindOf(file),
): VaultRecord {
  const base = { path: file, name: stem(file), stat };
  const read = readNote(file, bytes);
  if (!read.ok) {
    const bare = read.trouble.code === 'note-empty' && kind === 'event';
    if (bare && isReversalName(base.name)) return { ...base, kind: 'reversal', fields: reversalFields.parse({}) };
    if (bare && isOrderName(base.name)) return { ...base, kind: 'order', fields: orderFields.parse({}) };
    return { ...base, kind: 'bad', trouble: read.trouble };
  }
  return recordOf(base, kind, read.note, { mapping, words, isAdopted: isAdopted(layout, kind) }, layout);
}

/** How a vault calls things: its names for fields, and its words for states. */
interface Names {
  readonly mapping: FieldMapping;
  readonly words: StatusWords;
  /** Whether the folder is one that the person had before: what is `type` there is theirs. */
  readonly isAdopted: boolean;
}

function isAdopted({ folders }: Layout, kind: PathKind): boolean {
  return (kind === 'task' || kind === 'matter') && folders[kind] !== DEFAULT_FOLDERS[kind];
}

/** Returns the folders between the record folder and a note. */
function foldersBelow({ folders }: Layout, kind: 'matter' | 'task', file: string): readonly string[] {
  return file.split('/').slice(folders[kind].split('/').length, -1);
}

function recordOf(base: Base, kind: PathKind, note: ParsedNote, names: Names, layout: Layout): VaultRecord {
  const { mapping, words } = names;
  const isPersons = kind === 'matter' || kind === 'task';
  const wrong =
    newerTrouble(base, kind, note.data) ??
    typeTrouble(base, kind, note, names) ??
    (isPersons ? findSecondBlock(base.path, note) : null);
  if (wrong !== null) return { ...base, kind: 'bad', trouble: wrong };
  const { data } = note;
  // The program's own notes have no relative links.
  const linked = kind === 'signal' || kind === 'instinct' ? data : withoutSingles(resolveLinks(data, base.path));
  const parsed = <Fields>(schema: z.ZodType<Fields>, input: Readonly<Record<string, unknown>> = data) => {
    const result = schema.safeParse(input);
    return result.success
      ? { fields: result.data, bad: null }
      : {
          fields: null,
          bad: { ...base, kind: 'bad' as const, trouble: schemaTrouble(base.path, note, result.error, mapping) },
        };
  };
  const aside = isPersons ? findSetAside(kind, data, foldersBelow(layout, kind, base.path)) : null;
  switch (kind) {
    case 'matter': {
      const { fields, bad } = parsed(SCHEMAS.matter, withAside(withState(linked, data, mapping, words), aside));
      const body = noteBody(note);
      const boxes = countCheckboxes(body);
      return (
        bad ?? {
          ...{
            ...base,
            kind,
            fields: { ...fields, numbers: linesWithNumbers(body), open_boxes: formatOpenBoxes(body) },
          },
          ...(boxes === null ? {} : { boxes }),
        }
      );
    }
    case 'task': {
      const { fields, bad } = parsed(SCHEMAS.task, withAside(mapped(linked, mapping, words), aside));
      return bad ?? { ...base, kind, fields: { ...fields, numbers: linesWithNumbers(noteBody(note)) } };
    }
    case 'signal': {
      const { fields, bad } = parsed(SCHEMAS.signal);
      return bad ?? { ...base, kind, fields };
    }
    case 'instinct': {
      const { fields, bad } = parsed(SCHEMAS.instinct);
      if (fields !== null) return { ...base, kind, fields };
      const pattern = typeof data.pattern === 'string' ? data.pattern : null;
      return typeof data.source_type === 'string' ? { ...bad, source: sourceName(data.source_type, pattern) } : bad;
    }
    case 'licence': {
      const { fields, bad } = parsed(SCHEMAS.licence, linked);
      return bad ?? { ...base, kind, fields };
    }
    default:
      return eventOf(base, note);
  }
}

// An event, a reversal, or an order that a person has dropped among the events.
function eventOf(base: Base, note: ParsedNote): EventRecord | ReversalRecord | OrderRecord | BadRecord {
  const kind = isReversal(base.name, note.data) ? 'reversal' : isOrder(base.name, note.data) ? 'order' : 'event';
  // An order that a person drops has a record once the program has dealt with it: before that, the property is their
  // own.
  const isOpen = kind !== 'event' && (note.data.outcome ?? null) === null;
  const read = isOpen ? { ok: true as const, data: note.data } : unpackRecord(kind, base.path, note);
  if (!read.ok) return { ...base, kind: 'bad', trouble: read.trouble };
  const parsed = <Fields>(schema: z.ZodType<Fields>, input: Frontmatter) => {
    const result = schema.safeParse(input);
    if (result.success) return { fields: result.data, bad: null };
    return {
      fields: null,
      bad: { ...base, kind: 'bad' as const, trouble: recordTrouble(base.path, kind, note, result.error) },
    };
  };
  if (kind === 'event') {
    const { fields, bad } = parsed(SCHEMAS.event, read.data);
    return bad ?? { ...base, kind, fields: { ...fields, ticked: tickedCandidates(noteBody(note), fields.candidates) } };
  }
  const linked = resolveLinks(read.data, base.path);
  if (kind === 'order') {
    const { fields, bad } = parsed(SCHEMAS.order, linked);
    return bad ?? { ...base, kind, fields };
  }
  const { fields, bad } = parsed(SCHEMAS.reversal, linked);
  return bad ?? { ...base, kind, fields };
}

// An error in a value of the record is reported at the record.
function recordTrouble(file: string, kind: ActionKind, note: ParsedNote, error: z.ZodError): Diagnostic {
  const trouble = schemaTrouble(file, note, error, {});
  const isInside = hasRecord(note.data) && isKeptInRecord(kind, String(error.issues[0]?.path[0] ?? ''));
  return isInside
    ? { ...trouble, ...fieldPosition(note, RECORD), message: `In ${RECORD}: ${trouble.message}` }
    : trouble;
}

function isReversal(name: string, data: Frontmatter): boolean {
  return data.type === undefined || data.type === null
    ? isReversalName(name)
    : REVERSAL_TYPES.some((type) => type === data.type);
}

/**
 * Returns a task's frontmatter with other programs' field names replaced by ours, and the vault's words for states too;
 * if a note has both names, ours wins.
 */
function mapped(data: Frontmatter, mapping: FieldMapping, words: StatusWords): Record<string, unknown> {
  let fields: Readonly<Record<string, unknown>> = data;
  for (const [theirs, ours] of Object.entries(mapping)) {
    if (ours === 'state' || data[theirs] === undefined || data[ours] !== undefined) continue;
    fields = { ...fields, [ours]: data[theirs] };
  }
  return withState(fields, data, mapping, words);
}

/** Returns fields in which a list of one value is that value (contract, section 3). */
function withoutSingles(data: Frontmatter): Frontmatter {
  const single = (value: Yaml): Yaml => {
    if (!Array.isArray(value) || value.length !== 1) return value;
    const [only = null]: readonly Yaml[] = value;
    return typeof only === 'object' ? value : only;
  };
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, single(value)]));
}

/** Returns fields with the state that a note names, under whichever name; a matter has no other name but for it. */
function withState(
  fields: Readonly<Record<string, unknown>>,
  data: Frontmatter,
  mapping: FieldMapping,
  words: StatusWords,
): Record<string, unknown> {
  const theirs = data.state === undefined ? theirStateField(data, mapping) : undefined;
  const isTheirs = theirs !== undefined;
  const written = data[theirs ?? 'state'];
  const state = singleText(written) === '' ? 'open' : stateMeant(written, words);
  const known = { ...fields, state_field: theirs ?? 'state', state: state ?? written, unexplained: null };
  // People invent statuses. A note with an unknown one is not finished, and Steward can't know what to do with it.
  const isUnexplained = state === null && (isTheirs || Array.isArray(written));
  if (!isUnexplained) return known;
  return {
    ...known,
    state: 'open',
    unexplained: clipped(singleText(written) ?? JSON.stringify(written), MOST_OF_A_WORD),
    steward: false,
  };
}

function theirStateField(data: Frontmatter, mapping: FieldMapping): string | undefined {
  return Object.keys(mapping).find((name) => mapping[name] === 'state' && data[name] !== undefined);
}

// A template has no real dates and links: its values are not read.
function withAside(
  fields: Readonly<Record<string, unknown>>,
  aside: SetAside | null,
): Readonly<Record<string, unknown>> {
  if (aside === null) return fields;
  const off = { steward: false, unexplained: null, set_aside: aside.words };
  if (aside.state === null) return aside.isTemplate ? off : { ...fields, ...off };
  return { ...fields, ...off, state: fields.state === 'done' ? 'done' : aside.state };
}

/** No more is kept of a word that nothing explains. */
const MOST_OF_A_WORD = 60;

/** What a note says where it is one of the program's own, and so never another one's. */
const OWN_TYPE = /^(matter|task|signal|instinct|licence|steward|source|(steward|signal)-action.*)$/;

/** The notes that the program writes itself. A version is read only there: a person's notes have no version. */
const OWN_KINDS: readonly PathKind[] = ['signal', 'event', 'instinct', 'licence'];

function newerTrouble({ path }: Base, kind: PathKind, data: Frontmatter): Diagnostic | null {
  return OWN_KINDS.includes(kind) && isNewer('note', data) ? newerFormat('note', data, path, 'this note') : null;
}

// The folder decides what a note is; if `type` contradicts it, the note is reported and left alone. In a folder that a
// person had before, `type` has their own words: only one of the program's contradicts it.
function typeTrouble(base: Base, kind: PathKind, note: ParsedNote, { isAdopted }: Names): Diagnostic | null {
  const { type } = note.data;
  if (type === undefined || type === null || type === '') return null;
  const fits =
    kind === 'event' ? typeof type === 'string' && /^(steward|signal)-action(-|$)/.test(type) : type === kind;
  if (fits || (isAdopted && !(typeof type === 'string' && OWN_TYPE.test(type)))) return null;
  // Not String(type): that throws for a mapping with a `toString` field.
  const said = clipped(typeof type === 'string' ? type : JSON.stringify(type), 60);
  return diagnostic({
    code: 'type-contradicts-folder',
    file: base.path,
    ...fieldPosition(note, 'type'),
    message: `The note says type: ${said}, but its folder is for ${kind} notes.`,
    hint: `Move the note to the folder for ${said}, or set type: ${kind}.`,
  });
}

// The name under which the note has a field of ours.
function ownName(field: string, { data }: ParsedNote, mapping: FieldMapping): string {
  if (Object.hasOwn(data, field)) return field;
  return Object.keys(mapping).find((name) => mapping[name] === field && Object.hasOwn(data, name)) ?? field;
}

/** Returns the text of a link that was written without quotes, which YAML reads as a list in a list; null for anything else. */
function unquotedLink(value: Yaml | undefined): string | null {
  if (!Array.isArray(value)) return null;
  for (const item of value) {
    const inner: Yaml = Array.isArray(item) && item.length === 1 && Array.isArray(item[0]) ? item[0] : item;
    if (Array.isArray(inner) && inner.length === 1 && typeof inner[0] !== 'object') return String(inner[0]);
  }
  return null;
}

function unquotedTrouble(file: string, note: ParsedNote, field: string, link: string): Diagnostic {
  return diagnostic({
    code: 'field-invalid',
    file,
    ...fieldPosition(note, field),
    message: `${field} has a link without quotes, so YAML reads [[${link}]] as a list.`,
    hint: `Write "[[${link}]]", with quotes. Until then Steward leaves the note alone.`,
  });
}

function schemaTrouble(file: string, note: ParsedNote, error: z.ZodError, mapping: FieldMapping): Diagnostic {
  const issue = error.issues[0];
  const field = ownName(String(issue?.path[0] ?? ''), note, mapping);
  const unquoted = unquotedLink(note.data[field]);
  if (unquoted !== null) return unquotedTrouble(file, note, field, unquoted);
  const where = [field, ...(issue?.path.slice(1) ?? [])].map(String).join('.');
  const said = issueWords(issue);
  return diagnostic({
    code: 'field-invalid',
    file,
    ...fieldPosition(note, field),
    message: where === '' ? `The frontmatter ${said}.` : `${where} ${said.endsWith('.') ? said : `${said}.`}`,
    hint: 'Correct the field; until then Steward ignores the note, and the rest of the vault works.',
  });
}

/** Orders records by their paths, letter by letter: the program's own notes begin with their moment. */
export function inPathOrder(a: VaultRecord, b: VaultRecord): number {
  return a.path < b.path ? -1 : 1;
}
