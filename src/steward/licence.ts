import { z } from 'zod';
import { type FieldEdit, followStep, type Step } from '../vault/edit.ts';
import type { Changes } from '../vault/frontmatter.ts';
import { fold, stem } from '../vault/layout.ts';
import {
  kindsWords,
  LICENCE_PART,
  type LicenceStanding,
  licenceNoteText,
  licenceWords,
} from '../vault/licence-text.ts';
import { linkKey } from '../vault/links.ts';
import { linkTo, shellWord } from '../vault/note-text.ts';
import {
  type EventRecord,
  LICENCE_KINDS,
  type LicenceFields,
  type LicenceKind,
  type LicenceRecord,
  licenceFields,
  type MatterRecord,
  type RecordedGate,
  type SenderStanding,
  type SignedBy,
  type TargetRecord,
} from '../vault/record.ts';
import { isOwnLicence, sealLicence } from '../vault/seal.ts';
import {
  claimedPattern,
  isAgent,
  isBankChannel,
  isOfNobody,
  isOwnHand,
  isUnverified,
  parseChannel,
  parsePattern,
  plainSender,
  sourceKey,
} from '../vault/source-names.ts';
import { localDate, nameTimeExact, startOfDay, utc } from '../vault/time.ts';
import { isStateField } from './change.ts';
import type { Right } from './gates.ts';
import { distinct, fileName, findSilence, knownInstincts } from './instinct.ts';
import { isOwnNote } from './records.ts';
import {
  evidenceWords,
  findMatter,
  identifySpeaker,
  kindOfChange,
  listMatterNotes,
  listSenders,
  names,
  rightSenders,
  type Speaker,
  type TrackRecord,
  trackRecord,
  trackRecordWords,
} from './sender.ts';
import type { DecisionIndexAccess, DecisionWriteAccess } from './workspace.ts';

/**
 * Who may change a note without asking (contract, section 6). A licence is a note that the user signed. This module alone
 * writes licences, and `rightToAct` alone reads the right that they give. No count, confidence, model or signal gives it.
 */

/** Who speaks, as far as the right to act depends on it. */
type Voice = Pick<Speaker, 'source' | 'channel' | 'pattern' | 'writer' | 'vouched' | 'evidence'>;

/** Returns what gives a speaker the right to make a change of this kind on a note, or why it has no right. */
export function rightToAct(space: DecisionIndexAccess, speaker: Voice, target: TargetRecord, kind: LicenceKind): Right {
  const { source, channel, pattern, writer } = speaker;
  if (isAgent(source)) return refused(`${source} is an agent, and agents only propose.`);
  // Changes by the user's own hand in the vault need no licence.
  if (isOwnHand(source) && writer === 'own') return granted(null, 'you did it by hand in the vault.');
  if (writer === 'unknown') return refused('somebody else wrote the signal, and the settings trust no such source.');
  // The settings only speak of signals by other authors: for one that the program read itself, the sender counts.
  if (writer === 'trusted') return granted(null, `the settings trust signals from ${channel}.`);
  if (isOfNobody(source)) return refused('it names no sender.');
  const who = pattern === null ? source : claimedPattern(pattern);
  if (isBankChannel(channel) && speaker.vouched === 'pass') {
    const isFound = speaker.evidence.includes('amount') && BOOKED.some((one) => speaker.evidence.includes(one));
    if (isFound && kind === 'done')
      return granted(null, 'the settings trust the account, and the amount and the payee match.');
  }
  if (pattern !== null && isUnverified(pattern)) return refused('only an authenticated sender can have a licence.');
  const all = space.vault.catalogue.licencesOf(source);
  const valid = all.filter((record) => licenceState(space, record) === 'valid');
  const here = valid.filter((record) => covers(space, record, target));
  const found = here.find(({ fields }) => fields.kinds.includes(kind));
  if (found !== undefined) return granted(found.path, `you allowed it in ${found.name}.`);
  const where = findMatter(space.vault.catalogue, target)?.name ?? target.name;
  if (valid.length === 0 && all.some((record) => isUncertain(space, record)))
    return refused(
      `Steward lost what it remembered of licences. Sign it again: \`steward licence sign ${shellWord(source)}\`.`,
    );
  if (here.length > 0) return refused(`its licence doesn't allow it to ${kindsWords([kind])}.`);
  if (valid.length > 0) return refused(`its licence is for another matter than ${where}.`);
  const hasEnded = all.some((record) => ['ended', 'expired'].includes(licenceState(space, record)));
  return refused(hasEnded ? `its licence on ${where} has ended.` : `${who} has no licence on ${where}.`);
}

/** The clues that lead from a booking to the task that it pays, in addition to the amount. */
const BOOKED = ['reference', 'sender'] as const;

function granted(licence: string | null, sentence: string): Right {
  return { ok: true, licence, sentence };
}

function refused(sentence: string): Right {
  return { ok: false, sentence };
}

/**
 * The state of a licence note. `offered` waits for the user's tick, and `ticked` has it. `foreign`: it was written or
 * changed outside of this program, so it doesn't count until the user says on this machine that it is theirs.
 */
export type LicenceState = 'valid' | 'offered' | 'ticked' | 'foreign' | 'ended' | 'expired';

/** Returns the present state of a licence note. */
export function licenceState(space: DecisionIndexAccess, record: LicenceRecord): LicenceState {
  const { fields } = record;
  if (fields.ended_at !== null || hasEnded(space, record)) return 'ended';
  const isAgreed = isOwnLicence(space.context.seal, record) || isKept(space, agreedKey(space, record));
  if (!isAgreed || isCopied(space, record) || isUncertain(space, record)) return 'foreign';
  if (fields.signed_at === null) return fields.active ? 'ticked' : 'offered';
  if (!fields.active || !fields.steward) return 'ended';
  return fields.until !== null && localDate(space.context.now()) > fields.until ? 'expired' : 'valid';
}

// If the memory of ended licences was lost, one that a sync brought back would look valid.
function isUncertain({ context }: DecisionIndexAccess, { fields }: LicenceRecord): boolean {
  const lostAt = context.state.lostAt('licences');
  return lostAt !== null && fields.signed_at !== null && Date.parse(fields.signed_at) < lostAt;
}

// A note that a sync brings back from before its end gives no right back.
function hasEnded(space: DecisionIndexAccess, record: LicenceRecord): boolean {
  const key = endKey(record);
  return isKept(space, key) || space.context.ended?.has(key) === true;
}

function endKey({ name, fields }: LicenceRecord): string {
  return endedKey(name, fields.signed_at ?? fields.offered_at);
}

function endedKey(name: string, since: string | null): string {
  return `${ENDED}${fold(name)} ${since ?? ''}`;
}

const ENDED = 'ended ';

/** The key under which it is remembered that the user agreed here to a licence that another machine signed, as it is now. */
function agreedKey({ context }: DecisionIndexAccess, { path, fields }: LicenceRecord): string {
  return `agreed ${sealLicence(context.seal, path, fields)}`;
}

// The mark covers the name: of two notes with one name, only the first counts.
function isCopied({ vault }: DecisionIndexAccess, record: LicenceRecord): boolean {
  return vault.catalogue
    .licencesOf(record.fields.sender)
    .some((other) => fold(other.name) === fold(record.name) && other.path < record.path);
}

function covers(space: DecisionIndexAccess, { fields }: LicenceRecord, target: TargetRecord): boolean {
  const { catalogue } = space.vault;
  const matter = findMatter(catalogue, target);
  if (fields.matter !== null) {
    const meant = catalogue.resolve(fields.matter, ['matter']);
    return meant?.kind === 'matter' && meant.path === matter?.path;
  }
  const notes = matter === null ? [target] : [target, matter, ...catalogue.tasksOf(matter)];
  const pattern = parsePattern(fields.sender);
  return notes.some((note) => names(space, note, { pattern }));
}

/** Returns why the settings keep a licence's sender from being authenticated; null if they don't. */
export function unauthenticable({ context }: DecisionIndexAccess, sender: string): string | null {
  if (parseChannel(sender) !== 'mail' || context.settings.trusted_mail_servers.length > 0) return null;
  const waiting = (context.unagreed?.() ?? []).find(({ field }) => field === 'trusted_mail_servers');
  return waiting === undefined
    ? 'trusted_mail_servers in steward.md names no server that could authenticate the sender'
    : `trusted_mail_servers in steward.md names ${waiting.value}, which counts only after your yes: steward inbox`;
}

/** Returns the licences that count for a note, by the paths of their notes. */
function licencesOn(space: DecisionIndexAccess, target: TargetRecord): LicenceRecord[] {
  return space.vault.catalogue
    .licences()
    .filter((record) => licenceState(space, record) === 'valid' && covers(space, record, target));
}

/** Returns the valid licences of a sender that cover a note. */
function licencesHeld(space: DecisionIndexAccess, source: string, target: TargetRecord): LicenceRecord[] {
  return space.vault.catalogue
    .licencesOf(source)
    .filter((record) => licenceState(space, record) === 'valid' && covers(space, record, target));
}

/** Whether a valid licence covers a sender on a note, for whatever kind of change. */
export function isLicensed(space: DecisionIndexAccess, source: string, target: TargetRecord): boolean {
  return licencesHeld(space, source, target).length > 0;
}

/** Returns why a sender can't be given a licence, a sentence; null if it can. */
export function unlicensable(source: string): string | null {
  const pattern = parsePattern(source);
  if (isAgent(source)) return 'An agent only proposes.';
  if (isOwnHand(source)) return 'You need no licence.';
  if (pattern === null) return 'A licence is for one sender, such as mail:anna@northgate-notary.example.';
  if (isUnverified(pattern)) return "This sender isn't authenticated.";
  return null;
}

interface LicencePlace {
  readonly sender: string;
  /** Null for every matter in which a note names the sender. */
  readonly matter: MatterRecord | null;
}

interface LicenceTerms extends LicencePlace {
  readonly kinds: readonly LicenceKind[];
  /** The last day; a year from now if it is null. */
  readonly until: string | null;
  readonly evidence: string | null;
}

/**
 * Signs a licence by the user's yes, and returns the path of its note; null if that can't be written just now. A valid
 * licence on the same matter, or one on offer, takes up the terms.
 */
export function signLicence(space: DecisionWriteAccess, terms: LicenceTerms, by: SignedBy): string | null {
  const now = space.context.now();
  const [valid] = licencesAt(space, terms, ['valid']);
  const offers = licencesAt(space, terms, ['offered', 'ticked']);
  const settled = offers.find(({ fields }) => fields.kinds.every((kind) => terms.kinds.includes(kind)));
  const known = settled ?? valid ?? offers[0] ?? null;
  // Of what is on offer, only what the user has agreed to here is signed.
  const kinds = [...new Set([...(known === valid ? (known?.fields.kinds ?? []) : []), ...terms.kinds])].toSorted();
  const fields = licenceFields.parse({
    ...known?.fields,
    type: undefined,
    sender: terms.sender,
    matter: terms.matter === null ? null : space.vault.catalogue.linkTo(terms.matter.path),
    kinds,
    until: terms.until ?? aYearAfter(now),
    active: true,
    evidence: terms.evidence ?? known?.fields.evidence ?? null,
    signed_at: utc(now),
    signed_by: by,
  });
  const written = known === null ? newNote(space, fields) : changedNote(space, known, fields);
  if (written === null) return null;
  if (!space.transactions.commit(`licence-${nameTimeExact(now)}-${fileName(terms.sender)}`, [written])) return null;
  report(space, written.path, fields, 'signed', SIGNED[by]);
  return written.path;
}

const SIGNED: Readonly<Record<SignedBy, string>> = {
  box: 'you ticked it',
  inbox: 'you said so in the inbox',
  command: 'you said so on the command line',
  hand: 'you said that the note is yours',
  rehearsal: 'you accepted it after a rehearsal',
  count: 'autonomy is by_count, and it was right five times on three days',
};

/** Offers a licence as a note that the user can tick. */
function offerLicence(space: DecisionWriteAccess, terms: LicenceTerms, keys: readonly string[]): void {
  const { now } = space.context;
  const fields = licenceFields.parse({
    sender: terms.sender,
    matter: terms.matter === null ? null : space.vault.catalogue.linkTo(terms.matter.path),
    kinds: [...terms.kinds].toSorted(),
    until: terms.until,
    active: false,
    evidence: terms.evidence,
    offered_at: utc(now()),
  });
  const step = newNote(space, fields);
  if (step === null) return;
  for (const key of keys) remember(space, key);
  if (!space.transactions.commit(`licence-${nameTimeExact(now())}-${fileName(terms.sender)}`, [step])) return;
  report(space, step.path, fields, 'offered', terms.evidence ?? 'it was right');
}

/** The key under which it is remembered that a sender's first licence on a matter was offered. */
function offerKey(place: LicencePlace): string {
  return `offer ${whoAndWhere(place)}`;
}

/** The key under which it is remembered that a further kind of change was offered to a sender with a licence. */
function kindKey(place: LicencePlace, kind: LicenceKind): string {
  return `offer ${kind} ${whoAndWhere(place)}`;
}

/** The key under which it is remembered since when a sender may be offered once more. */
function againKey(place: LicencePlace): string {
  return `again ${whoAndWhere(place)}`;
}

function isKept({ context }: DecisionIndexAccess, key: string): boolean {
  return context.state.get('licences')[key] !== undefined;
}

function whoAndWhere({ sender, matter }: LicencePlace): string {
  return `${sourceKey(sender)} ${matter === null ? '' : fold(matter.path)}`;
}

/** A licence has expired or was ended by an undo: its sender is offered again after right outcomes on two more days. */
function offerAgain(space: DecisionWriteAccess, { fields }: LicenceRecord): void {
  const place = placeOf(space, fields);
  if (place === null) return;
  const { state } = space.context;
  for (const key of [offerKey(place), ...LICENCE_KINDS.map((kind) => kindKey(place, kind))]) {
    delete state.get('licences')[key];
    state.touch('licences', key);
  }
  remember(space, againKey(place));
}

type WrittenPlace = Pick<LicenceFields, 'sender' | 'matter'>;

/** Returns the sender and the matter of a licence; null if its matter is gone. */
function placeOf({ vault }: DecisionIndexAccess, { sender, matter: link }: WrittenPlace): LicencePlace | null {
  if (link === null) return { sender, matter: null };
  const matter = vault.catalogue.resolve(link, ['matter']);
  return matter?.kind === 'matter' ? { sender, matter } : null;
}

/**
 * Right outcomes on this many days make an offer. With this many outcomes and days a licence is signed without asking,
 * if the settings say so.
 */
const OFFERED_AFTER_DAYS = 2;
const COUNTED = { right: 5, days: 3 } as const;
/** Who was wrong more often on a matter gets no licence there yet: the user would say no, and isn't asked twice. */
const MAX_WRONG_SHARE = 0.1;
/** What an offer is about: every change but closing a matter, whichever of them the outcomes were of. The user may narrow it. */
const EVERYDAY: readonly LicenceKind[] = LICENCE_KINDS.filter((kind) => kind !== 'matter');

/**
 * Offers a licence to a sender whose changes on a note's matter were right on two days, or signs one if the settings
 * say `autonomy: by_count` (contract, section 6). One day is enough for a sender with a licence, here for other kinds or
 * for another matter. The same question isn't asked twice: a declined, narrowed or ended licence stays so. So none
 * comes too early.
 */
export function considerLicence(space: DecisionWriteAccess, source: string, target: TargetRecord): void {
  const matter = findMatter(space.vault.catalogue, target);
  if (matter === null || unlicensable(source) !== null) return;
  const where = { sender: source, matter };
  const held = licencesHeld(space, source, matter).flatMap(({ fields }) => fields.kinds);
  const keyOf = (kind: LicenceKind) => (held.length === 0 ? offerKey(where) : kindKey(where, kind));
  const offer = licencesAt(space, where, ['offered', 'ticked'])[0] ?? null;
  const isFree = (kind: LicenceKind) => !held.includes(kind) && (offer !== null || !isKept(space, keyOf(kind)));
  const record = trackRecord(space, source, matter);
  const again = space.context.state.get('licences')[againKey(where)];
  const fresh = record.outcomes.filter(
    ({ day, kinds }) => kinds.some(isFree) && (again === undefined || day > localDate(again)),
  );
  if (fresh.length === 0) return;
  const days = new Set(fresh.map(({ day }) => day)).size;
  const proven = [...new Set(record.outcomes.flatMap((one) => one.kinds))].filter(isFree);
  const terms = { ...where, until: null, evidence: evidenceWords(record) };
  if (isOftenWrong(record)) return;
  const isCounting = space.context.settings.autonomy === 'by_count';
  if (isCounting && fresh.length >= COUNTED.right && days >= COUNTED.days)
    return void signLicence(space, { ...terms, kinds: proven }, 'count');
  const enough = again === undefined && hasValidLicence(space, source) ? 1 : OFFERED_AFTER_DAYS;
  if (offer !== null || days < enough) return;
  // What is signed by count is only what was right: the other kinds are counted later, and must not seem struck by then.
  const kinds = isCounting ? proven : [...new Set([...proven, ...EVERYDAY.filter(isFree)])];
  offerLicence(space, { ...terms, kinds }, [offerKey(where), ...kinds.map((kind) => kindKey(where, kind))]);
}

function isOftenWrong({ right, wrong, doubted }: Pick<TrackRecord, 'right' | 'wrong' | 'doubted'>): boolean {
  return wrong - doubted > MAX_WRONG_SHARE * (right + wrong - doubted);
}

/** Whether some licence of a sender is valid, on whatever matter. */
function hasValidLicence(space: DecisionIndexAccess, source: string): boolean {
  return space.vault.catalogue.licencesOf(source).some((record) => licenceState(space, record) === 'valid');
}

/** Returns the licence notes of a sender on a matter, or on all of them if it is null, with one of these states. */
function licencesAt(space: DecisionIndexAccess, { sender, matter }: LicencePlace, states: readonly LicenceState[]) {
  const { catalogue } = space.vault;
  return catalogue
    .licencesOf(sender)
    .filter(({ fields }) =>
      fields.matter === null
        ? matter === null
        : matter !== null && catalogue.resolve(fields.matter, ['matter'])?.path === matter.path,
    )
    .filter((record) => states.includes(licenceState(space, record)));
}

/** Ends a licence, and says so in its note. Returns when to try again (epoch ms) where the note is being edited, else null. */
export function endLicence(space: DecisionWriteAccess, record: LicenceRecord, because: string): number | null {
  recordEnd(space, record, because);
  return writeEnd(space, record, because);
}

/** Ends a licence by the user's command: its note says so at once, as after signing. */
export function endLicenceNow(space: DecisionWriteAccess, record: LicenceRecord, because: string): void {
  recordEnd(space, record, because);
  commitEnd(space, record, because);
}

// The right ends now, even if the note can't be written.
function recordEnd(space: DecisionWriteAccess, record: LicenceRecord, because: string): void {
  rememberEnd(space, endKey(record));
  decline(space, record.fields, record.fields.kinds);
  report(space, record.path, record.fields, 'ended', because);
}

function writeEnd(space: DecisionWriteAccess, record: LicenceRecord, because: string): number | null {
  const note = space.notes.fresh(record.path);
  if (note === null) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  commitEnd(space, record, because);
  return null;
}

function commitEnd(space: DecisionWriteAccess, record: LicenceRecord, because: string): void {
  const step = endStep(space, record, because);
  if (step !== null) space.transactions.commit(`licence-${nameTimeExact(space.context.now())}-${record.name}`, [step]);
}

// A licence that the user has ended or declined is neither offered again nor signed by count.
function decline(space: DecisionWriteAccess, written: WrittenPlace, kinds: readonly LicenceKind[]): void {
  const place = placeOf(space, written);
  if (place === null) return;
  for (const key of [offerKey(place), ...kinds.map((kind) => kindKey(place, kind))]) remember(space, key);
}

/**
 * Returns the steps that end the licences which an undo concerns: the one under which the event acted, and the one that
 * was signed together with the answer that the event records.
 */
export function endedByUndo(space: DecisionWriteAccess, event: EventRecord): Step[] {
  const { catalogue } = space.vault;
  const { licence: link, confirms, source_contributions: contributions, timestamp } = event.fields;
  const under = link === null ? null : catalogue.resolve(link, ['licence']);
  const place = under?.kind === 'licence' ? placeOf(space, under.fields) : null;
  const at = Date.parse(timestamp);
  const signed = confirms === null ? [] : Object.keys(contributions).flatMap((one) => catalogue.licencesOf(one));
  const together = signed.filter(({ fields }) => Math.abs(Date.parse(fields.signed_at ?? '') - at) < TOGETHER_MS);
  // A sender that was wrong here has no further licence here either, for whatever kind of change.
  const beside = place === null ? [] : licencesAt(space, place, ['valid']);
  const ended = new Set([...(under?.kind === 'licence' ? [under] : []), ...beside, ...together]);
  const because = `you undid ${linkTo(event.name)}`;
  return [...ended]
    .filter((record) => licenceState(space, record) === 'valid')
    .flatMap((record) => {
      rememberEnd(space, endKey(record));
      offerAgain(space, record);
      report(space, record.path, record.fields, 'ended', because);
      return endStep(space, record, because) ?? [];
    });
}

/** An answer and the licence that it signs are written one after the other, in whole seconds. */
const TOGETHER_MS = 5000;

function endStep(space: DecisionWriteAccess, record: LicenceRecord, because: string) {
  const standing = { kind: 'ended', because } as const;
  const edits = (): FieldEdit[] => [
    { op: 'set', field: 'active', value: false },
    { op: 'set', field: 'ended_at', value: utc(space.context.now()) },
    { op: 'set', field: 'ended_because', value: because },
  ];
  return followStep(space.notes, record.path, edits, {
    marks: LICENCE_PART,
    text: wordsOf(space, record.fields, standing),
  });
}

/**
 * Follows a licence note that has appeared or changed: signs an offer that the user has ticked, and ends what was
 * unticked or has expired. Returns when to look again (epoch ms) where the note is being edited, else null.
 */
export function followLicence(space: DecisionWriteAccess, path: string): number | null {
  const record = space.vault.catalogue.get(path);
  if (record?.kind !== 'licence') return null;
  space.transactions.finishHeldUp([path]);
  const state = licenceState(space, record);
  if (state === 'expired') {
    const later = endLicence(space, record, `it was valid until ${record.fields.until}`);
    if (!isKept(space, renewalKey(record))) offerAgain(space, record);
    return later;
  }
  const { fields } = record;
  // Ended on another machine: no older note brings the right back here either.
  if (fields.ended_at !== null && isKept(space, heldKey(record)) && !hasEnded(space, record))
    rememberEnd(space, endKey(record));
  if (state === 'ended' && fields.ended_at === null) {
    const because = endReason(fields);
    // The end is remembered already if the note was being edited then, or if an older copy came back.
    return hasEnded(space, record) ? writeEnd(space, record, because) : endLicence(space, record, because);
  }
  if (state === 'valid') {
    if (!isKept(space, heldKey(record))) remember(space, heldKey(record));
    offerRenewal(space, record);
  }
  if (state !== 'ticked') return null;
  const note = space.notes.fresh(path);
  if (note === null) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  adoptLicence(space, record, 'box');
  return null;
}

function endReason({ active, signed_at: signedAt }: LicenceFields): string {
  if (signedAt === null) return 'you said no';
  return active ? 'it had ended before' : 'you unticked it';
}

const RENEWAL_DAYS = 14;
/** Who signs a licence for a shorter time wants it to end. */
const RENEWABLE_DAYS = 90;

// Offers the next licence before one ends under which changes were made: else the user would be asked about everything again.
function offerRenewal(space: DecisionWriteAccess, record: LicenceRecord): void {
  const { sender, kinds, until, signed_at: signedAt } = record.fields;
  const place = placeOf(space, record.fields);
  if (place === null || until === null || signedAt === null || isKept(space, renewalKey(record))) return;
  const { now } = space.context;
  const isNear = localDate(startOfDay(now(), RENEWAL_DAYS)) >= until;
  const isLong = localDate(startOfDay(Date.parse(signedAt), RENEWABLE_DAYS)) <= until;
  if (!isNear || !isLong || unlicensable(sender) !== null) return;
  const others = licencesAt(space, place, ['offered', 'ticked', 'valid']).filter(({ path }) => path !== record.path);
  const isRenewed = others.some(({ fields }) => (fields.until ?? until) > until || fields.signed_at === null);
  const { catalogue } = space.vault;
  const matters =
    place.matter === null ? catalogue.matters().filter((one) => covers(space, record, one)) : [place.matter];
  const notes = matters.flatMap((matter) => listMatterNotes(space, matter));
  const events = notes.flatMap(({ path }) => catalogue.eventsAbout(path));
  const count = events.filter((event) => isUnder(space, event, record)).length;
  if (isRenewed || count === 0) return;
  const changes = count === 1 ? '1 change' : `${count} changes`;
  const evidence = `${changes} made under the licence that ends on ${until}`;
  offerLicence(space, { ...place, kinds, until: null, evidence }, [renewalKey(record)]);
}

/** The key under which it is remembered that the next licence was offered. */
function renewalKey(record: LicenceRecord): string {
  return `renewal ${fold(record.name)} ${record.fields.signed_at ?? ''}`;
}

/** Whether the program itself made a change under a licence: a note of another's is no evidence for one. */
function isUnder(space: DecisionIndexAccess, event: EventRecord, record: LicenceRecord): boolean {
  const { licence, outcome } = event.fields;
  return (
    licence !== null &&
    outcome === 'acted' &&
    isOwnNote(space, event) &&
    space.vault.catalogue.resolve(licence, ['licence'])?.path === record.path
  );
}

/** Reports that a licence note is gone: the right ended with it. */
export function licenceGone(space: DecisionWriteAccess, record: LicenceRecord): void {
  const { fields } = record;
  if (fields.signed_at === null || fields.ended_at !== null || hasEnded(space, record)) return;
  // A note that was only moved counts as foreign under its new name, which the user is asked about.
  rememberEnd(space, endKey(record));
  decline(space, fields, fields.kinds);
  report(space, record.path, fields, 'ended', 'its note is gone');
}

/** The memory of a licence that counts: its note's path, its sender and matter, and when it was signed. */
const heldLicence = z.tuple([z.string(), z.string(), z.string().nullable(), z.string().nullable()]);
const HELD = 'held ';

function heldKey({ path, fields: { sender, matter, signed_at } }: LicenceRecord): string {
  return `${HELD}${JSON.stringify([path, sender, matter, signed_at])}`;
}

/** Reports the licences whose notes have gone while the program was away. */
export function reportGone(space: DecisionWriteAccess): void {
  const { catalogue } = space.vault;
  const { state } = space.context;
  // A vault that has moved takes along what it remembers.
  for (const key of Object.keys(state.get('licences'))) if (key.startsWith(ENDED)) space.context.ended?.add(key);
  for (const key of Object.keys(state.get('licences')).filter((one) => one.startsWith(HELD))) {
    const held = heldLicence.safeParse(JSON.parse(key.slice(HELD.length))).data;
    if (held === undefined) continue;
    const [path, sender, matter, signedAt] = held;
    const isIt = ({ fields }: LicenceRecord) => fields.signed_at === signedAt;
    const there = catalogue.get(path);
    if (there?.kind === 'licence' && isIt(there)) continue;
    delete state.get('licences')[key];
    state.touch('licences', key);
    const ended = endedKey(stem(path), signedAt);
    // One that was only moved is remembered under its new path.
    if (catalogue.licencesOf(sender).some(isIt) || state.get('licences')[ended] !== undefined) continue;
    rememberEnd(space, ended);
    decline(space, { sender, matter }, LICENCE_KINDS);
    report(space, path, { sender, matter }, 'ended', 'its note is gone');
  }
}

/**
 * Agrees to a licence that came from outside, by the user's word on this machine. Returns its path; null if it can't be
 * written.
 */
export function adoptLicence(
  space: DecisionWriteAccess,
  record: LicenceRecord,
  by: SignedBy = 'hand',
  terms: Pick<LicenceFields, 'kinds' | 'until' | 'evidence'> = record.fields,
): string | null {
  const now = space.context.now();
  if (isSignedElsewhere(space, record, terms)) {
    remember(space, agreedKey(space, record));
    remember(space, heldKey(record));
    report(space, record.path, record.fields, 'signed', SIGNED[by]);
    return record.path;
  }
  const fields = {
    ...record.fields,
    kinds: terms.kinds,
    evidence: terms.evidence,
    active: true,
    until: terms.until ?? aYearAfter(now),
    signed_at: utc(now),
    signed_by: by,
    ended_at: null,
    ended_because: null,
  };
  const step = changedNote(space, record, fields);
  if (step === null) return null;
  if (!space.transactions.commit(`licence-${nameTimeExact(now)}-${record.name}`, [step])) return null;
  report(space, record.path, fields, 'signed', SIGNED[by]);
  return record.path;
}

// Its note keeps the mark of the other machine: with this one's, it would count here and no longer there.
function isSignedElsewhere(
  space: DecisionIndexAccess,
  record: LicenceRecord,
  { kinds, until }: Pick<LicenceFields, 'kinds' | 'until'>,
): boolean {
  const { fields } = record;
  if (licenceState(space, record) !== 'foreign' || !fields.active || isUncertain(space, record)) return false;
  const isMarked = fields.seal !== null && fields.signed_at !== null;
  const last = until ?? aYearAfter(space.context.now());
  const isWithin = fields.until !== null && (fields.until === until || (until === null && fields.until <= last));
  return isMarked && isWithin && fields.kinds.toSorted().join() === kinds.toSorted().join();
}

function newNote(space: DecisionWriteAccess, fields: LicenceFields) {
  const path = freePath(space, fields);
  const standing: LicenceStanding = { kind: fields.signed_at === null ? 'offered' : 'valid' };
  const sealed = { ...fields, seal: sealLicence(space.context.seal, path, fields) };
  const shown = Object.entries({ ...sealed, active: fields.active }).filter(
    ([field, value]) => value !== null && field !== 'steward',
  );
  const text = licenceNoteText({ type: 'licence', ...Object.fromEntries(shown) }, wordsOf(space, fields, standing));
  return { do: 'create' as const, path, text };
}

function freePath(space: DecisionWriteAccess, { sender, matter }: LicenceFields): string {
  const folder = space.vault.layout.folders.licence;
  const base = [fileName(sender), ...(matter === null ? [] : [linkKey(matter).split('/').at(-1) ?? ''])].join('-');
  for (let nth = 1; ; nth += 1) {
    const path = `${folder}/${nth === 1 ? base : `${base}-${nth}`}.md`;
    if (space.vault.catalogue.get(path) === undefined && space.notes.text(path) === null) return path;
  }
}

function changedNote(space: DecisionWriteAccess, record: LicenceRecord, fields: LicenceFields) {
  const seal = sealLicence(space.context.seal, record.path, fields);
  const wanted = { ...fields, seal, steward: undefined };
  const edits = (): FieldEdit[] =>
    Object.entries(wanted).flatMap(([field, value]): FieldEdit[] => {
      if (value === undefined) return [];
      const before = record.fields[field as keyof LicenceFields] ?? null;
      if (value === null) return before === null ? [] : [{ op: 'delete', field }];
      return JSON.stringify(value) === JSON.stringify(before) ? [] : [{ op: 'set', field, value: value as never }];
    });
  return followStep(space.notes, record.path, edits, {
    marks: LICENCE_PART,
    text: wordsOf(space, fields, { kind: 'valid' }),
  });
}

function wordsOf({ vault }: DecisionIndexAccess, fields: LicenceFields, standing: LicenceStanding): string {
  const matter =
    fields.matter === null ? null : (vault.catalogue.resolve(fields.matter, ['matter'])?.name ?? fields.matter);
  return licenceWords({ ...fields, matter }, standing);
}

function aYearAfter(now: number): string {
  const date = new Date(now);
  return localDate(new Date(date.getFullYear() + 1, date.getMonth(), date.getDate(), 12).getTime());
}

// Also outside the vault: anyone who shares it can delete its state, or bring back an older one.
function rememberEnd(space: DecisionWriteAccess, key: string): void {
  space.context.ended?.add(key);
  remember(space, key);
}

function remember({ context: { state, now } }: DecisionWriteAccess, key: string): void {
  state.get('licences')[key] = now();
  state.touch('licences', key);
  state.save('licences'); // a crash must not bring a right back
}

function report(
  { context }: DecisionWriteAccess,
  path: string,
  { sender, matter }: Pick<LicenceFields, 'sender' | 'matter'>,
  change: 'offered' | 'signed' | 'ended',
  reason: string,
): void {
  context.emit({ what: 'licence', licence: path, sender, matter, change, reason });
}

/** A sender that has spoken about a note's matter, or is named there, and what it may do there. */
export interface SenderHere {
  readonly source: string;
  readonly known: SenderStanding;
  /** How often the user found it right on this matter, of how many times. */
  readonly right: number;
  readonly of: number;
  readonly days: number;
  /** The changes it may make by itself; empty if it only proposes. */
  readonly kinds: readonly LicenceKind[];
  /** The last day of the licence; null if there is no licence, or it has no end. */
  readonly until: string | null;
  /** The note of its licence; null if there isn't one. */
  readonly licence: string | null;
  /** Why it makes no change by itself, a sentence; null if it may. */
  readonly lack: string | null;
}

/** Returns how well a sender is known to a note. A signal that the settings trust counts as licensed. */
export function senderStanding(
  space: DecisionIndexAccess,
  { source, pattern, writer }: Pick<Speaker, 'source' | 'pattern' | 'writer'>,
  target: TargetRecord,
): SenderStanding {
  if (writer === 'unknown' || isAgent(source)) return 'unknown';
  if (writer === 'trusted' || isLicensed(space, source, target)) return 'licensed';
  return isOwnHand(source) || names(space, target, { pattern }) ? 'named' : 'unknown';
}

/** Returns every sender that has spoken about a note's matter, is named there or has a licence for it, the one most often right first. */
export function sendersOn(space: DecisionIndexAccess, target: TargetRecord): SenderHere[] {
  const { catalogue } = space.vault;
  const notes = listMatterNotes(space, target);
  const bearing = notes.flatMap(({ path }) =>
    catalogue
      .eventsAbout(path)
      .flatMap(({ fields }) =>
        Object.entries(fields.source_contributions).flatMap(([one, share]) => (share > 0 ? [one] : [])),
      ),
  );
  const spoken = notes
    .flatMap((note) => catalogue.signalsFor(note))
    .map((signal) => identifySpeaker(space, signal).source);
  const licensed = licencesOn(space, target).map(({ fields }) => fields.sender);
  const named = new Set(listSenders(space, target));
  const heard = knownInstincts(space)
    .map(({ source }) => source)
    .filter((source) => named.has(plainSender(parsePattern(source) ?? '')));
  // A channel alone is no sender.
  const sources = distinct([...licensed, ...heard, ...bearing, ...spoken]).filter((one) => parsePattern(one) !== null);
  return sources
    .map((source) => senderHere(space, source, target))
    .toSorted((one, other) => other.right - one.right || (one.source < other.source ? -1 : 1));
}

function senderHere(space: DecisionIndexAccess, source: string, target: TargetRecord): SenderHere {
  const { right, wrong, days } = trackRecord(space, source, target);
  const pattern = parsePattern(source);
  const own = licencesHeld(space, source, target);
  const kinds = [...new Set(own.flatMap(({ fields }) => fields.kinds))];
  const lack = unlicensable(source) ?? findSilence(space, source) ?? (kinds.length > 0 ? null : 'No licence here.');
  return {
    source,
    known: senderStanding(space, { source, pattern, writer: 'own' }, target),
    right,
    of: right + wrong,
    days: days.length,
    kinds: lack === null ? kinds : [],
    until: own[0]?.fields.until ?? null,
    licence: own[0]?.path ?? null,
    lack,
  };
}

/** Returns what a sender may do on a matter, in one line. */
export function senderHereWords({ source, kinds, until, licence, lack, right, of, days }: SenderHere): string {
  const may =
    lack === null ? `may ${kindsWords(kinds)}` : `${lack.charAt(0).toLowerCase()}${lack.slice(1).replace(/\.$/, '')}`;
  const by = lack === null ? ` until ${until ?? 'you end it'} ([[${stem(licence ?? '')}]])` : '';
  const record = of === 0 ? 'no outcome here yet' : trackRecordWords({ right, wrong: of - right, days });
  return `${source}: ${may}${by}; ${record}`;
}

/** Returns the senders that a note or its matter names and that haven't written yet, as the note spells them. */
export function unheardSenders(
  space: DecisionIndexAccess,
  target: TargetRecord,
  heard: readonly SenderHere[],
): string[] {
  const known = new Set(heard.map(({ source }) => plainSender(claimedPattern(parsePattern(source) ?? ''))));
  return listSenders(space, target).filter((sender) => !sender.startsWith('@') && !known.has(sender));
}

/** Returns the name of the matter that licences on a note are about; the note's own if it has no matter. */
export function licensingPlace(space: DecisionIndexAccess, target: TargetRecord): string {
  return findMatter(space.vault.catalogue, target)?.name ?? target.name;
}

/**
 * Returns what a proposal's box `always` would sign: its sender may make such changes on its matter. Null if it would
 * sign no licence: several senders or no sender, an unauthenticated one, no matter, or a reopening. Only the program
 * itself, in this vault, says who spoke: a note that came from elsewhere could name anybody.
 */
export function licenceTerms(space: DecisionIndexAccess, event: EventRecord): LicenceTerms | null {
  if (!isOwnNote(space, event)) return null;
  const { changes, source_contributions: contributions, gates, target_path: path } = event.fields;
  const target = path === null ? undefined : space.vault.catalogue.get(space.vault.catalogue.currentPath(path));
  if (target?.kind !== 'task' && target?.kind !== 'matter') return null;
  return licensableOn(space, target, contributions, gates, changes);
}

/** Returns the same of a proposal on a note that is not written yet. */
export function licensableOn(
  space: DecisionIndexAccess,
  target: TargetRecord,
  contributions: Readonly<Record<string, number>>,
  gates: readonly RecordedGate[],
  changes: Changes,
): LicenceTerms | null {
  const sources = Object.entries(contributions).flatMap(([source, share]) => (share > 0 ? [source] : []));
  const [sender, ...others] = sources;
  if (sender === undefined || others.length > 0 || unlicensable(sender) !== null) return null;
  const isVouchedFor = gates.some(({ gate, held }) => gate === 'authenticated' && held);
  const matter = findMatter(space.vault.catalogue, target);
  const opens = Object.entries(changes).some(([field, { after }]) => isStateField(field) && after === 'open');
  const kinds = [...new Set(Object.entries(changes).map(([field, { after }]) => kindOfChange(target, field, after)))];
  if (!isVouchedFor || matter === null || opens || kinds.length === 0) return null;
  const record = trackRecord(space, sender, matter);
  const evidence = record.right + record.wrong === 0 ? null : evidenceWords(record);
  return { sender, matter, kinds, until: null, evidence };
}

/**
 * A licence note that waits for the user. `isForeign`: it comes from outside of this program. `isUncertain`: it may have ended,
 * but what was remembered of that is lost.
 */
interface WaitingLicence {
  readonly record: LicenceRecord;
  readonly isForeign: boolean;
  readonly isUncertain: boolean;
}

/** Returns the licence notes that wait for the user: on offer, or from outside of this program and switched on. */
export function waitingLicences(space: DecisionIndexAccess): WaitingLicence[] {
  return space.vault.catalogue.licences().flatMap((record): WaitingLicence[] => {
    const state = licenceState(space, record);
    if (state === 'offered') return [{ record, isForeign: false, isUncertain: false }];
    if (state !== 'foreign' || !record.fields.active) return [];
    return [{ record, isForeign: true, isUncertain: isUncertain(space, record) }];
  });
}

/** Answers a licence that waits: a yes signs it. Returns when to try again (epoch ms) where its note is being edited, else null. */
export function answerLicence(
  space: DecisionWriteAccess,
  record: LicenceRecord,
  isYes: boolean,
  by: SignedBy,
): number | null {
  if (!isYes) return endLicence(space, record, 'you said no');
  const note = space.notes.fresh(record.path);
  if (note !== null && note.settledAt > space.context.now()) return note.settledAt;
  const isForeign = licenceState(space, record) === 'foreign';
  return adoptLicence(space, record, isForeign ? 'hand' : by) === null ? space.context.now() + 1000 : null;
}

/** The key under which it is remembered that the past was looked at for offers. */
const PAST = 'past';

/** Offers, once in a vault's life, the licences that its past outcomes support. Pauses after each sender. */
export function* offerFromPast(space: DecisionWriteAccess): Generator<void> {
  if (space.context.state.get('licences')[PAST] !== undefined) return;
  for (const { source, target } of rightSenders(space, space.vault.catalogue.each('event'))) {
    yield;
    considerLicence(space, source, target);
  }
  remember(space, PAST);
}

/** Considers the senders behind an event note that records a right outcome. */
export function considerOutcome(space: DecisionWriteAccess, event: EventRecord): void {
  for (const { source, target } of rightSenders(space, [event])) considerLicence(space, source, target);
}
