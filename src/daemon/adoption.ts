import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ArrivedWaiting } from '../steward/inbox.ts';
import { type Answerable, type AnswerRecord, ONLY_ASKED } from '../steward/types.ts';
import type { DecisionIndexAccess, DecisionWriteAccess } from '../steward/workspace.ts';
import { followStep } from '../vault/edit.ts';
import { type Diagnostic, diagnostic, StewardError, systemCode } from '../vault/errors.ts';
import { saysItWaits } from '../vault/index.ts';
import { fold } from '../vault/layout.ts';
import { isSiblingType, textList, type VaultRecord } from '../vault/record.ts';
import { recordEdits, recordValue } from '../vault/record-text.ts';
import { adoptionSeal, bearsOtherMark, isAnswerable, isOwn, type Seal } from '../vault/seal.ts';
import { inSlices, nameTimeExact, stepsIsolated } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import { isFirstMeeting, keptBy, meetingFile, metMark, rememberMeeting, type VaultIdentity } from './environment.ts';
import { foreignEntries, settleForeign } from './unfinished.ts';

/*
 * The event notes of an arrived vault (`arrival.ts`) get a mark by which they can be answered here. An action that
 * another machine left half done there is finished, or taken out of the journal if its deciding step never happened.
 */

/**
 * Lets the waiting, answered and undoable notes of a vault be answered here: at the first meeting if no note bears
 * another key's mark, else after the user's yes. Statements of such a note about its sources are not believed, and its
 * undo follows the rules of writing. A note that comes later without the mark is somebody else's. Pauses after each
 * note.
 */
export function* meetVault(space: DecisionWriteAccess): Generator<void> {
  const met = findMeeting(space);
  if (met === null) return;
  const isNew = isFirstMeeting(met.file, met.vault);
  // A question that waits is about the notes of then: what was put there since isn't among them.
  const isWaiting = fs.existsSync(marksFile(met, 'asked'));
  const isAsked = !isWaiting && isMeeting(space, met) && hasOtherMarks(space);
  if (isAsked || (isNew && !isWaiting && !isKnownToKey(space.vault, space.context.seal))) {
    const marks: string[] = [];
    yield* eachUnknown(space, (record) => void marks.push(adoptionSeal(space.context.seal, record)));
    write(met, isAsked ? 'asked' : 'agreed', isAsked ? [...marks, ...entryMarks(space)] : marks);
  }
  rememberMeeting(met.file, met.vault);
  rememberKey(space);
  yield* adoptAgreed(space, met);
}

/** Whether notes or unfinished actions in a vault bear the marks of another key, so that they can't be undone here. */
export function hasOtherMarks(space: DecisionWriteAccess): boolean {
  return isFromElsewhere(space.vault, space.context.seal) || foreignEntries(space).length > 0;
}

// In the vault, where the next machine finds it.
function rememberKey({ vault, context: { state, seal } }: DecisionWriteAccess): void {
  if (keptBy(vault.places.state, seal) === 'this key') return;
  state.set('identity', { ...state.get('identity'), met: metMark(seal) });
  state.save('identity');
}

// An entry, and the event note that comes of it: neither may be another when the answer is given.
function entryMarks(space: DecisionWriteAccess): string[] {
  return foreignEntries(space).flatMap(({ digest, record }) => [
    entryMark(digest),
    ...(isAnswerableKind(record) ? [adoptionSeal(space.context.seal, record)] : []),
  ]);
}

function entryMark(digest: string): string {
  return `entry ${digest}`;
}

/**
 * Answers for such a vault if `name` names the question; else null. A yes takes effect before this returns, and after a
 * crash the next start completes it.
 */
export async function answerArrival(
  space: DecisionWriteAccess,
  name: string,
  { kind, dryRun }: { readonly kind: 'confirm' | 'dismiss'; readonly dryRun: boolean },
): Promise<AnswerRecord | null> {
  if (fold(name) !== ARRIVAL || arrivedVault(space) === null) return null;
  const isYes = kind === 'confirm';
  if (!dryRun) await settle(space, isYes);
  const said = isYes
    ? 'You can confirm and undo its older event notes here. Licences and settings are asked about one by one.'
    : 'Its older event notes stay as they are. `steward undo EVENT` still undoes one by name.';
  const outcome = isYes ? 'confirmed' : 'dismissed';
  const about = { event: ARRIVAL, note: null, target: null, changes: {}, calibration: {}, untaught: null, until: null };
  return { ...about, outcome, message: dryRun ? ONLY_ASKED : said };
}

/** Answers yes for an operator. Returns what still waits: files of unfinished actions, and event notes without a mark. */
export async function adoptVault(space: DecisionWriteAccess): Promise<string[]> {
  await answerArrival(space, ARRIVAL, { kind: 'confirm', dryRun: false });
  const left = space.transactions.unknownEntries().map(({ name }) => `.steward/journal/${name}.json`);
  await inSlices(eachUnknown(space, ({ path }) => void left.push(path)));
  return left;
}

async function settle(space: DecisionWriteAccess, isYes: boolean): Promise<void> {
  const met = findMeeting(space);
  if (met === null) return;
  const [asked, agreed] = [marksFile(met, 'asked'), marksFile(met, 'agreed')];
  if (isYes) fs.renameSync(asked, agreed);
  else fs.rmSync(asked, { force: true });
  await inSlices(adoptAgreed(space, met));
}

function* eachUnknown(space: DecisionWriteAccess, act: (record: Answerable) => void): Generator<void> {
  const { catalogue } = space.vault;
  // One after the other: all of them parsed at once would be many times what is kept.
  yield* stepsIsolated([...catalogue.pathsOf('event'), ...catalogue.pathsOf('reversal')], (file) => {
    const record = catalogue.get(file);
    if (isAnswerableKind(record) && stillCounts(space, record) && !isAnswerable(space.context.seal, record))
      act(record);
  });
}

function* adoptAgreed(space: DecisionWriteAccess, met: VaultMeeting): Generator<void> {
  const agreed = listMarks(met, 'agreed');
  if (agreed === null) return;
  const marks = new Set(agreed);
  for (const { name, digest } of foreignEntries(space)) {
    if (marks.has(entryMark(digest))) settleForeign(space, name);
    yield;
  }
  yield* eachUnknown(space, (record) => {
    if (marks.has(adoptionSeal(space.context.seal, record))) adoptOne(space, record);
  });
  fs.rmSync(marksFile(met, 'agreed'), { force: true });
}

// One note that may not be marked does not keep the door open for what is laid there later: it stays without the mark.
function adoptOne(space: DecisionWriteAccess, event: Answerable): void {
  try {
    adopt(space, event);
  } catch (error) {
    if (!(error instanceof StewardError) || error.trouble.code !== 'no-permission') throw error;
  }
}

function isAnswerableKind(record: VaultRecord | null | undefined): record is Answerable {
  return record?.kind === 'event' || record?.kind === 'reversal';
}

// It waits, can still be taken back, or says what has become of another.
function stillCounts({ context }: DecisionWriteAccess, record: Answerable): boolean {
  if (record.kind === 'reversal') return record.fields.outcome !== null;
  const { fields } = record;
  const expires = Date.parse(fields.undo_recipe?.expires_at ?? '');
  return expires > context.now() || saysItWaits(fields) || isSiblingType(fields.type);
}

function adopt(space: DecisionWriteAccess, event: Answerable): void {
  const mark = adoptionSeal(space.context.seal, event);
  // The mark of the machine that wrote it stays: there it is still its own.
  const step = followStep(space.notes, event.path, (data) =>
    recordEdits(data, { adopted: [...textList.parse(recordValue(data, 'adopted')), mark] }),
  );
  const id = `seal-${nameTimeExact(space.context.now())}-${event.name}`;
  if (step !== null) space.transactions.commit(id, [step]);
}

// If the disk refuses it, no note is adopted: they stay another's.
function write(met: VaultMeeting, state: 'asked' | 'agreed', marks: readonly string[]): void {
  try {
    const file = marksFile(met, state);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.part`, JSON.stringify(marks), { mode: 0o600 });
    fs.renameSync(`${file}.part`, file);
  } catch (error) {
    if (systemCode(error) === null) throw error;
  }
}

/*
 * A vault that arrives with notes which the program did not mark by this machine's key (contract, section 10). If not
 * one of them bears another key's mark, they are from before notes were marked, and may be answered. If some do, the
 * user is asked once, and until a yes no note and no setting of that vault has any authority here. The notes in
 * question are remembered outside the vault, so that no others can be added in the meantime.
 */

/** The name by which the question is answered: `steward confirm this-vault`. */
const ARRIVAL = 'this-vault';

/** A vault whose notes bear the marks of another key, and that the user has not answered for. */
interface ArrivedVault {
  /** How many event notes and reversals a yes lets be answered and undone. */
  readonly notes: number;
}

/** Returns the vault that the user is to answer for; null if no question is open. */
function arrivedVault(space: DecisionIndexAccess): ArrivedVault | null {
  const met = findMeeting(space);
  if (met === null) return null;
  const marks = listMarks(met, 'asked');
  if (marks !== null) return { notes: marks.length };
  // Unreadable: the question was asked, and a yes adopts nothing.
  if (fs.existsSync(marksFile(met, 'asked'))) return { notes: 0 };
  // A command that only reads can't store the question: it shows the one that the first writing command will ask.
  const isArrived = isMeeting(space, met) && isFromElsewhere(space.vault, space.context.seal);
  return isArrived ? { notes: 0 } : null;
}

/** Returns the question as an entry of the list of what waits; an empty list without a question. */
export function waitingArrival(space: DecisionIndexAccess): ArrivedWaiting[] {
  const arrived = arrivedVault(space);
  return arrived === null ? [] : [{ event: ARRIVAL, change: arrivalWords(arrived), answers: ['confirm', 'dismiss'] }];
}

/** Returns the question as a problem, for `status` and `doctor`. */
export function arrivalProblems(space: DecisionIndexAccess): Diagnostic[] {
  const arrived = arrivedVault(space);
  if (arrived === null) return [];
  return [
    diagnostic({
      code: 'vault-from-elsewhere',
      message: arrivalWords(arrived),
      hint: `\`steward confirm ${ARRIVAL}\` says yes, \`steward dismiss ${ARRIVAL}\` says no. Licences and settings are asked about one by one.`,
    }),
  ];
}

/** Whether a problem is that question, which is an entry of its own in the list of what waits. */
export function isArrival({ code }: Diagnostic): boolean {
  return code === 'vault-from-elsewhere';
}

function arrivalWords({ notes }: ArrivedVault): string {
  const count = notes === 0 ? '' : ` (${notes})`;
  return `Event notes in this vault${count} were written by Steward with another key, as on another machine. Is this vault yours? After a yes you can confirm and undo them here.`;
}

/** Whether this key meets a vault: for the first time, or after another key has kept it in the meantime. */
function isMeeting({ vault, context }: DecisionIndexAccess, { file, vault: identity }: VaultMeeting): boolean {
  return isFirstMeeting(file, identity) || keptBy(vault.places.state, context.seal) === 'another key';
}

/**
 * Whether this key has kept the vault before, here or on another machine that has the key as well. The vault says so itself,
 * or a note does that only this key can have marked.
 */
export function isKnownToKey({ catalogue, places }: Vault, seal: Seal): boolean {
  if (keptBy(places.state, seal) === 'this key') return true;
  const paths = (['event', 'reversal'] as const).values().flatMap((kind) => catalogue.pathsOf(kind));
  return paths.some((file) => {
    const record = catalogue.get(file);
    return (record?.kind === 'event' || record?.kind === 'reversal') && isOwn(seal, record);
  });
}

/** Whether a vault bears the marks of another key: then nothing in it is the user's own before they say so. */
export function isFromElsewhere({ catalogue }: Vault, seal: Seal): boolean {
  const paths = (['event', 'reversal', 'signal', 'licence'] as const)
    .values()
    .flatMap((kind) => catalogue.pathsOf(kind));
  return paths.some((file) => {
    const record = catalogue.get(file);
    return record !== undefined && bearsOtherMark(seal, record);
  });
}

/** The file of this machine's key, and the vault that it meets. */
interface VaultMeeting {
  readonly file: string;
  readonly vault: VaultIdentity;
}

function findMeeting({ context, vault }: DecisionIndexAccess): VaultMeeting | null {
  const { meeting } = context;
  return meeting === undefined ? null : { file: meeting.keyFile, vault: { root: vault.root, id: meeting.vaultId } };
}

const adoptionMarks = z.array(z.string());

function marksFile({ file, vault }: VaultMeeting, state: 'asked' | 'agreed'): string {
  return `${meetingFile(file, path.resolve(vault.root))}.${state}`;
}

function listMarks(met: VaultMeeting, state: 'asked' | 'agreed'): readonly string[] | null {
  try {
    return adoptionMarks.parse(JSON.parse(fs.readFileSync(marksFile(met, state), 'utf8')));
  } catch {
    return null; // none, or unreadable: then nothing is adopted
  }
}
