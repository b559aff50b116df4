import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Frontmatter } from './frontmatter.ts';
import { isObject } from './json.ts';
import { fold, stem } from './layout.ts';
import { linkKey } from './links.ts';
import {
  type EventFields,
  eventFields,
  type LicenceFields,
  type ReversalFields,
  reversalFields,
  type SignalFields,
  signalFields,
  type VaultRecord,
} from './record.ts';
import { packRecord, withoutRecord } from './record-text.ts';

/** Half of a SHA-256 is more than enough against guessing, and stays readable in a note. */
const HEX_DIGITS = 32;

/**
 * The program's mark on notes that it wrote itself: an HMAC of what such a note says, by a key that is outside the
 * vault. Anyone who can write into the vault can copy a mark, but not make one for another note or another text.
 */
export class Seal {
  /** Made ready once: with the bare bytes each mark took five times as long. */
  readonly #key: KeyObject;
  readonly #judged = new WeakMap<object, boolean>();

  /** `key`: of this vault alone. */
  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** Returns the mark of a text, or of the bytes of one. */
  of(text: string | Uint8Array): string {
    return this.ofAll([text]);
  }

  ofAll(slices: Iterable<string | Uint8Array>): string {
    const mark = createHmac('sha256', this.#key);
    for (const slice of slices) mark.update(slice);
    return mark.digest('hex').slice(0, HEX_DIGITS);
  }

  /** Returns what `judge` says of a record; it is asked once for each, since a record never changes. */
  judged(record: object, judge: () => boolean): boolean {
    const known = this.#judged.get(record) ?? judge();
    this.#judged.set(record, known);
    return known;
  }

  /** Whether a mark is that of a text by the key of this vault; false for null, which isn't a mark. */
  holds(text: string | Uint8Array, mark: string | null): boolean {
    return isMark(this.of(text), mark);
  }

  /** The same of a text that is given in slices. */
  holdsAll(slices: Iterable<string | Uint8Array>, mark: string | null): boolean {
    return isMark(this.ofAll(slices), mark);
  }
}

function isMark(own: string, given: string | null): boolean {
  const [one, other] = [Buffer.from(own), Buffer.from(given ?? '')];
  return one.length === other.length && timingSafeEqual(one, other);
}

// The text that the program's mark on a note covers: all that decides what follows from it, and no field that a person
// may tick or that changes afterwards. The name is part of it, so that a copy under another name is not the program's.

type NewFields = Readonly<Record<string, unknown>>;

/** A record with its name and fields, as the catalogue knows it. */
interface Marked<Fields> {
  readonly name: string;
  readonly fields: Fields & { readonly seal: string | null };
}

type MarkedRecord =
  | (Marked<EventFields> & { readonly kind: 'event' })
  | (Marked<ReversalFields> & { readonly kind: 'reversal' });

/** Returns the frontmatter of a new signal note with the program's mark. `path`: where the note will be. */
export function sealSignal<Fields extends NewFields>(
  seal: Seal,
  path: string,
  fields: Fields,
): Fields & { seal: string } {
  return { ...fields, seal: seal.of(sealedSignal(stem(path), signalFields.parse(fields))) };
}

/** Returns the mark of a signal note of the program's own once its status is another. `path`: where the note is. */
export function resealedSignal(seal: Seal, path: string, fields: NewFields): string {
  return seal.of(sealedSignal(stem(path), signalFields.parse(fields)));
}

/**
 * Returns the frontmatter of an event note with the program's mark, as it is written. `path`: where the note will be; `file`: the
 * fields that it has already, where a person's own file becomes the note.
 */
export function sealEvent(
  seal: Seal,
  path: string,
  fields: NewFields,
  file: Frontmatter = {},
): Record<string, unknown> {
  const read = eventFields.parse({ ...withoutRecord('event', file), ...fields });
  return packRecord('event', { ...fields, seal: seal.of(sealedEvent(stem(path), read)) });
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

/** Whether a note bears a mark that this key has not made, or not for what the note says now. */
export function bearsOtherMark(seal: Seal, record: VaultRecord): boolean {
  switch (record.kind) {
    case 'event':
    case 'reversal':
      return record.fields.seal !== null && !isAnswerable(seal, record);
    case 'signal':
      return record.fields.seal !== null && !isOwnSignal(seal, record);
    case 'licence':
      return record.fields.seal !== null && !isOwnLicence(seal, record);
    default:
      return false;
  }
}

/** Whether a note may be answered by a box or a file: the program's own, or adopted as it is now. */
export function isAnswerable(seal: Seal, record: MarkedRecord): boolean {
  // The fields are the key of this result: the record itself is that of whether it is the program's own.
  return (
    isOwn(seal, record) ||
    seal.judged(record.fields, () => record.fields.adopted.some((mark) => seal.holds(adopted(record), mark)))
  );
}

/**
 * Returns the mark of a note that was found when key and vault first met. It may be answered, but its author isn't
 * known: it is no outcome, and teaches no lesson by itself.
 */
export function adoptionSeal(seal: Seal, record: MarkedRecord): string {
  return seal.of(adopted(record));
}

function adopted(record: MarkedRecord): string {
  return `adopted ${sealedRecord(record)}`;
}

/** Returns the mark of a licence that is offered, or that the user agreed to on this machine. `path`: where its note is. */
export function sealLicence(seal: Seal, path: string, fields: LicenceFields): string {
  return seal.of(sealedLicence(stem(path), fields));
}

/** Whether a licence is as the program offered it, or as the user agreed to it on this machine. */
export function isOwnLicence(seal: Seal, record: Marked<LicenceFields>): boolean {
  return seal.judged(record, () => seal.holds(sealedLicence(record.name, record.fields), record.fields.seal));
}

// `active` is a box for the user, and that a licence has ended takes a right away: neither needs a mark.
function sealedLicence(name: string, fields: LicenceFields): string {
  const { sender, matter, kinds, until, evidence, offered_at, signed_at, signed_by } = fields;
  return canonical([
    'licence',
    fold(name),
    { sender, matter: keyOf(matter), kinds: kinds.toSorted(), until },
    { evidence, offered_at, signed_at, signed_by },
  ]);
}

/** The same of a reversal note. */
export function sealReversal(
  seal: Seal,
  path: string,
  fields: NewFields,
  file: Frontmatter = {},
): Record<string, unknown> {
  const read = reversalFields.parse({ ...withoutRecord('reversal', file), ...fields });
  return packRecord('reversal', { ...fields, seal: seal.of(sealedReversal(stem(path), read)) });
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
    // Only if present: most notes don't have it.
    ...(paid === null ? [] : [{ paid }]),
    // A signal that was applied or skipped is none that waits, whoever says so.
    ...(fields.status === 'unrouted' ? [] : [{ status: fields.status }]),
    ...(fields.withdrawn ? [{ withdrawn: true }] : []),
  ]);
}

function sealedEvent(name: string, fields: EventFields): string {
  const { type, timestamp, target_path, decision, mode, changes, source_contributions, signals } = fields;
  const { undo_recipe, pending_patch, pending_cleared, taught, taught_by, confirms, dismisses } = fields;
  const { confidence, note_sha256, prior_state, prior_frontmatter, change, from, quote, candidates } = fields;
  const { perceived, lesson } = fields;
  // Only if present: most notes don't have it.
  const external = fields.plane_action === null ? {} : { plane_action: fields.plane_action };
  return canonical([
    'event',
    fold(name),
    { type, timestamp, target_path, decision, mode, changes, source_contributions, ...external },
    { confidence, note_sha256, prior_state, prior_frontmatter, change, from, quote },
    { signals: signals.map(linkKey), candidates: candidates.map(linkKey) },
    { undo_recipe, pending_patch, pending_cleared, taught, taught_by },
    { confirms: keyOf(confirms), dismisses: keyOf(dismisses) },
    // Only if present, as above.
    ...(perceived === null ? [] : [{ perceived }]),
    ...(fields.licence === null ? [] : [{ licence: keyOf(fields.licence) }]),
    ...(fields.considered.length === 0 ? [] : [{ considered: fields.considered.map(linkKey) }]),
    ...(lesson === null ? [] : [{ lesson }]),
  ]);
}

function sealedReversal(name: string, fields: ReversalFields): string {
  const { outcome, undo_recipe, calibration, observations, settled_at, reverses, lesson } = fields;
  return canonical([
    'reversal',
    fold(name),
    { outcome, undo_recipe, calibration, observations, settled_at },
    keyOf(reverses),
    ...(lesson === null ? [] : [{ lesson }]),
  ]);
}

function keyOf(link: string | null): string | null {
  return link === null ? null : linkKey(link);
}

/** JSON with the keys of every map in order: a note may have been written with its keys in another. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isObject(part) ? sorted(part) : part));
}

function sorted(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
