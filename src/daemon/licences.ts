import { currentMode } from '../steward/gates.ts';
import { knownInstincts } from '../steward/instinct.ts';
import {
  adoptLicence,
  endLicenceNow,
  type LicenceState,
  licenceState,
  signLicence,
  unauthenticable,
  unlicensable,
} from '../steward/licence.ts';
import { names } from '../steward/sender.ts';
import type { DecisionIndexAccess, DecisionWriteAccess } from '../steward/workspace.ts';
import { StewardError } from '../vault/errors.ts';
import { fold } from '../vault/layout.ts';
import type { LicenceKind, LicenceRecord, MatterRecord, SignedBy } from '../vault/record.ts';
import { parseChannel, parsePattern, plainSender, sourceKey } from '../vault/source-names.ts';
import { parseLocalTime } from '../vault/time.ts';

export interface ListedLicence {
  readonly note: string;
  readonly sender: string;
  /** The matter's name; null for every matter in which a note names the sender. */
  readonly matter: string | null;
  readonly kinds: readonly LicenceKind[];
  readonly until: string | null;
  /** Whether it counts now. */
  readonly active: boolean;
  readonly state: LicenceState;
  readonly evidence: string | null;
  readonly signedBy: SignedBy | null;
  /** Why it has ended; null if it hasn't. */
  readonly ended: string | null;
  /** What keeps it from having an effect, although it counts; null if nothing does. */
  readonly lacking: string | null;
}

/** Returns every licence note: those that count first, then those that wait for the user, then those that have ended. */
export function listLicences(space: DecisionIndexAccess): ListedLicence[] {
  const rank: readonly LicenceState[] = ['valid', 'ticked', 'offered', 'foreign', 'expired', 'ended'];
  return space.vault.catalogue
    .licences()
    .map((record) => listed(space, record))
    .toSorted((one, other) => rank.indexOf(one.state) - rank.indexOf(other.state) || (one.note < other.note ? -1 : 1));
}

function listed(space: DecisionIndexAccess, record: LicenceRecord): ListedLicence {
  const { sender, matter, kinds, until, evidence, signed_by: signedBy, ended_because: ended } = record.fields;
  const state = licenceState(space, record);
  const resolved = matter === null ? null : space.vault.catalogue.resolve(matter, ['matter']);
  return {
    note: record.path,
    sender,
    matter: matter === null ? null : (resolved?.name ?? matter),
    kinds,
    until,
    active: state === 'valid',
    state,
    evidence,
    signedBy,
    ended: state === 'ended' || state === 'expired' ? (ended ?? 'it was ended') : null,
    lacking: state === 'valid' ? lackingFor(space, record) : null,
  };
}

function lackingFor(space: DecisionIndexAccess, { fields }: LicenceRecord): string | null {
  if (currentMode(space.context, null) === 'shadow') return 'Steward is in shadow mode';
  const why = unauthenticable(space, fields.sender);
  if (why !== null || fields.matter !== null) return why;
  return isNamedAnywhere(space, fields.sender) ? null : 'no matter or task names the sender under `senders`';
}

function isNamedAnywhere(space: DecisionIndexAccess, sender: string): boolean {
  const { catalogue } = space.vault;
  const pattern = parsePattern(sender);
  const isNamedBy = (kind: 'matter' | 'task') => catalogue.each(kind).some((note) => names(space, note, { pattern }));
  return isNamedBy('matter') || isNamedBy('task');
}

interface SignRequest {
  /** A sender as its channel names it, `mail:anna@northgate-notary.example`, an address alone, or a licence note. */
  readonly sender: string;
  /** The matter's name, path or link; null for every matter in which a note names the sender. */
  readonly matter: string | null;
  /** If empty: those of the note on offer, else done and due. */
  readonly kinds: readonly LicenceKind[];
  readonly until: string | null;
}

const USUAL: readonly LicenceKind[] = ['done', 'due'];

/**
 * Signs a licence by the user's command, and returns it. Throws `licence-sender`, `matter-unknown`, `licence-until` and
 * `licence-busy`.
 */
export function sign(space: DecisionWriteAccess, asked: SignRequest): ListedLicence {
  const note = findNamed(space, asked.sender);
  if (note !== null && isWaiting(space, note) && asked.kinds.length === 0)
    return written(space, adoptLicence(space, note, 'command'));
  const sender = note?.fields.sender ?? findSender(space, asked.sender);
  const why = unlicensable(sender) ?? whyNoAddress(sender);
  if (why !== null)
    throw new StewardError({
      code: 'licence-sender',
      message: `${sender} can't be given a licence. ${why}`,
      hint: '`steward status --all` lists the senders that are known.',
    });
  if (asked.until !== null && parseLocalTime(asked.until) === null)
    throw new StewardError({
      code: 'licence-until',
      message: `"${asked.until}" isn't a day.`,
      hint: 'Give the last day as YYYY-MM-DD.',
    });
  const matter = asked.matter === null ? null : findMatter(space, asked.matter);
  const kinds = asked.kinds.length > 0 ? asked.kinds : USUAL;
  // A note that waits gets what the user asks for, and its own terms don't count.
  const waits = space.vault.catalogue
    .licencesOf(sender)
    .find((one) => isWaiting(space, one) && isOn(space, one, matter));
  if (waits !== undefined)
    return written(space, adoptLicence(space, waits, 'command', { kinds, until: asked.until, evidence: null }));
  return written(space, signLicence(space, { sender, matter, kinds, until: asked.until, evidence: null }, 'command'));
}

function isWaiting(space: DecisionIndexAccess, record: LicenceRecord): boolean {
  return ['offered', 'foreign', 'ticked'].includes(licenceState(space, record));
}

function isOn(
  { vault: { catalogue } }: DecisionIndexAccess,
  { fields }: LicenceRecord,
  matter: MatterRecord | null,
): boolean {
  if (fields.matter === null) return matter === null;
  return catalogue.resolve(fields.matter, ['matter'])?.path === matter?.path;
}

function written(space: DecisionWriteAccess, path: string | null): ListedLicence {
  space.vault.look(path === null ? [] : [path]);
  const record = path === null ? undefined : space.vault.catalogue.get(path);
  if (record?.kind === 'licence') return listed(space, record);
  throw new StewardError({
    code: 'licence-busy',
    message: 'The licence could not be written just now.',
    hint: 'Try again in a moment.',
  });
}

/** Ends a licence by the user's command, and returns it. Throws `licence-unknown`. */
export function end(space: DecisionWriteAccess, name: string): ListedLicence {
  const record = findNote(space, name);
  if (record === null)
    throw new StewardError({
      code: 'licence-unknown',
      message: `There is no licence named "${name}".`,
      hint: '`steward licence` lists them.',
    });
  const state = licenceState(space, record);
  if (state !== 'ended' && state !== 'expired') endLicenceNow(space, record, 'you ended it');
  space.vault.look([record.path]);
  const now = space.vault.catalogue.get(record.path);
  return listed(space, now?.kind === 'licence' ? now : record);
}

function findNamed({ vault: { catalogue } }: DecisionIndexAccess, written: string): LicenceRecord | null {
  const key = fold(written.replace(/^\[\[|\]\]$/g, '').replace(/\.md$/i, ''));
  const isNamed = ({ name, path }: LicenceRecord) => [name, path.replace(/\.md$/i, '')].map(fold).includes(key);
  return catalogue.licences().find(isNamed) ?? null;
}

// By its name or path, or by its sender if that has one licence, or one that holds.
function findNote(space: DecisionIndexAccess, written: string): LicenceRecord | null {
  const exact = findNamed(space, written);
  if (exact !== null) return exact;
  const all = space.vault.catalogue.licences();
  const bySender = all.filter(
    ({ fields: { sender } }) =>
      sourceKey(sender) === sourceKey(written) || plainSender(parsePattern(sender) ?? sender) === plainSender(written),
  );
  const valid = bySender.filter((record) => licenceState(space, record) === 'valid');
  const [only, ...others] = valid.length > 0 ? valid : bySender;
  return others.length === 0 ? (only ?? null) : null;
}

function whyNoAddress(sender: string): string | null {
  if (parseChannel(sender) !== 'mail' || /^[^\s@]+@[^\s@]+$/.test(parsePattern(sender) ?? '')) return null;
  return 'Give the address of its mails, such as anna@northgate-notary.example.';
}

function findSender(space: DecisionIndexAccess, written: string): string {
  if (written.includes(':')) return written.trim();
  const address = plainSender(written);
  const known = knownInstincts(space).find(({ source }) => plainSender(parsePattern(source) ?? '') === address);
  return known?.source ?? `mail:${address}`;
}

function findMatter({ vault: { catalogue } }: DecisionIndexAccess, written: string): MatterRecord {
  const found = catalogue.resolve(written, ['matter']);
  if (found?.kind === 'matter') return found;
  throw new StewardError({
    code: 'matter-unknown',
    message: `There is no matter named "${written}".`,
    hint: 'Give its name, path or link.',
  });
}
