import { linkKey } from '../links.ts';
import { fold, stem } from '../note-names.ts';
import { type EventFields, eventFields, type ReversalFields, reversalFields } from '../records/event.ts';
import { type SignalFields, signalFields } from '../records/signal.ts';
import type { Seal } from '../seal.ts';
import type { EventRecord, ReversalRecord } from './record.ts';

// What the program's mark on a note covers: all that decides what follows from it, and nothing that a person may tick or
// that changes afterwards. The name is part of it, so that a copy under another name is not the program's.

type NewFields = Readonly<Record<string, unknown>>;

/** A record with its name and fields, as the catalogue knows it. */
interface Marked<Fields> {
  readonly name: string;
  readonly fields: Fields & { readonly seal: string | null };
}

type MarkedRecord =
  | (Marked<EventFields> & Pick<EventRecord, 'kind'>)
  | (Marked<ReversalFields> & Pick<ReversalRecord, 'kind'>);

/** Returns the frontmatter of a new signal note with the program's mark. `path`: where the note will be. */
export function sealSignal<Fields extends NewFields>(
  seal: Seal,
  path: string,
  fields: Fields,
): Fields & { seal: string } {
  return { ...fields, seal: seal.of(sealedSignal(stem(path), signalFields.parse(fields))) };
}

/** Returns the frontmatter of a new event note with the program's mark. `path`: where the note will be. */
export function sealEvent<Fields extends NewFields>(
  seal: Seal,
  path: string,
  fields: Fields,
): Fields & { seal: string } {
  return { ...fields, seal: seal.of(sealedEvent(stem(path), eventFields.parse(fields))) };
}

/** Returns the mark of an event note of the program's own once some of its fields have changed. */
export function resealed(
  seal: Seal,
  { name, fields }: Marked<EventFields>,
  changed: Partial<Pick<EventFields, 'taught' | 'taught_by'>>,
): string {
  return seal.of(sealedEvent(name, { ...fields, ...changed }));
}

/** Whether the program itself wrote a signal note, as it is now. */
export function isOwnSignal(seal: Seal, record: Marked<SignalFields>): boolean {
  return seal.judged(record, () => seal.holds(sealedSignal(record.name, record.fields), record.fields.seal));
}

/** Whether the program itself wrote an action or a reversal, as its note is now. */
export function isOwn(seal: Seal, record: MarkedRecord): boolean {
  return seal.judged(record, () => seal.holds(sealedRecord(record), record.fields.seal));
}

/** Whether the program wrote the text of an event note, in this version or in an earlier one. `name`: without `.md`. */
export function wroteEvent(seal: Seal, name: string, fields: EventFields): boolean {
  return EVENT_FORMS.some((covered) => seal.holds(covered(name, fields), fields.seal));
}

/** The same for a reversal note. */
export function wroteReversal(seal: Seal, name: string, fields: ReversalFields): boolean {
  return seal.holds(sealedReversal(name, fields), fields.seal);
}

/** Whether a note may be answered by a box or a file: the program's own, or adopted as it is now. */
export function isAnswerable(seal: Seal, record: MarkedRecord): boolean {
  // The fields stand for the record, whose own key says whether it is the program's own.
  return isOwn(seal, record) || seal.judged(record.fields, () => isAdopted(seal, record));
}

/**
 * Returns the mark of a note that was found when key and vault first met. It may be answered, but nobody knows who wrote
 * it: it is no outcome, and teaches nothing by itself.
 */
export function adoptionSeal(seal: Seal, record: MarkedRecord): string {
  return seal.of(adopted(record));
}

function isAdopted(seal: Seal, record: MarkedRecord): boolean {
  return record.fields.adopted.some((mark) => seal.holds(adopted(record), mark));
}

function adopted(record: MarkedRecord): string {
  return `adopted ${sealedRecord(record)}`;
}

/** Returns the mark of a reversal note that is about to be written with these fields. `path`: where it is. */
export function sealReversal(seal: Seal, path: string, fields: NewFields): string {
  return seal.of(sealedReversal(stem(path), reversalFields.parse(fields)));
}

function sealedRecord(record: MarkedRecord): string {
  return record.kind === 'event' ? sealedEvent(record.name, record.fields) : sealedReversal(record.name, record.fields);
}

/** Returns what the mark on a signal note covers. `name`: the note's name without folder and `.md`. */
function sealedSignal(name: string, fields: SignalFields): string {
  const { source_type, pattern, source_event_path, raw_quote, origin_at, from } = fields;
  const { target_kind, target_path, target_confidence, target_ambiguous, target_candidates } = fields;
  const { target_evidence, target_near, ends_matter, authenticated, authenticated_by } = fields;
  const { effect, effect_confidence, effect_confidence_raw, mutation_proposal, created, warnings, doubts, paid } =
    fields;
  return canonical([
    'signal',
    fold(name),
    { source_type, pattern, source_event_path, raw_quote, origin_at, from },
    { target_kind, target_path, target_confidence, target_ambiguous, target_candidates },
    { target_evidence, target_near, ends_matter, authenticated, authenticated_by },
    { effect, effect_confidence, effect_confidence_raw, mutation_proposal },
    { created, warnings, doubts },
    // Only where there is one: the marks of earlier notes know of none.
    ...(paid === null ? [] : [{ paid }]),
  ]);
}

/**
 * Returns what the mark on an event note covers: what was decided and on which note, what a person is shown of it, what
 * it takes back or away, and what it has taught.
 */
function sealedEvent(name: string, fields: EventFields): string {
  const { type, timestamp, target_path, decision, mode, changes, source_contributions, signals } = fields;
  const { undo_recipe, pending_patch, pending_cleared, taught, taught_by, confirms, dismisses } = fields;
  const { confidence, note_sha256, prior_state, prior_frontmatter, change, from, quote, candidates, perceived } =
    fields;
  // Only where there is one: the marks of earlier notes know of none.
  const plane = fields.plane_action === null ? {} : { plane_action: fields.plane_action };
  return canonical([
    'event',
    fold(name),
    { type, timestamp, target_path, decision, mode, changes, source_contributions, ...plane },
    { confidence, note_sha256, prior_state, prior_frontmatter, change, from, quote },
    { signals: signals.map(linkKey), candidates: candidates.map(linkKey) },
    { undo_recipe, pending_patch, pending_cleared, taught, taught_by },
    { confirms: keyOf(confirms), dismisses: keyOf(dismisses) },
    // Only where there is one: the marks of earlier versions stay good.
    ...(perceived === null ? [] : [{ perceived }]),
  ]);
}

/** What the mark of the first version covered. It proves what was done, and no longer that a note is the program's own. */
function firstSealedEvent(name: string, fields: EventFields): string {
  const { type, timestamp, target_path, decision, mode, changes, source_contributions, signals } = fields;
  const { undo_recipe, pending_patch, taught, confirms, dismisses } = fields;
  return canonical([
    'event',
    fold(name),
    { type, timestamp, target_path, decision, mode, changes, source_contributions },
    { signals: signals.map(linkKey), undo_recipe, pending_patch, taught, answers: keyOf(confirms ?? dismisses) },
  ]);
}

/** What the mark on an event note covered in each version, newest first. */
const EVENT_FORMS = [sealedEvent, firstSealedEvent];

function sealedReversal(name: string, fields: ReversalFields): string {
  const { outcome, undo_recipe, calibration, observations, settled_at, reverses } = fields;
  return canonical([
    'reversal',
    fold(name),
    { outcome, undo_recipe, calibration, observations, settled_at },
    keyOf(reverses),
  ]);
}

function keyOf(link: string | null): string | null {
  return link === null ? null : linkKey(link);
}

/** JSON with the keys of every map in order: a note may have been written with its keys in another. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isMap(part) ? sorted(part) : part));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
