import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { IndexAccess, WriteAccess } from '../daemon/context.ts';
import { realRoot } from '../daemon/lease.ts';
import { editFields, textStep } from '../vault/edit.ts';
import { type Diagnostic, diagnostic, EXIT, errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, readInside, writeState } from '../vault/files.ts';
import { fieldPosition, type ParsedNote, readNote, stringifyYaml } from '../vault/frontmatter.ts';
import { readOwnJson } from '../vault/json.ts';
import { isConflictCopy, isHidden, MAX_NOTE_BYTES, stem } from '../vault/layout.ts';
import { sha256, shellWord } from '../vault/note-text.ts';
import type { ProblemCode } from '../vault/problem-codes.ts';
import { iso, nameTimeExact } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import {
  aboutKind,
  fieldTrouble,
  type Grant,
  grant,
  needsPassword,
  newSource,
  pinned,
  SOURCES,
  type SourceFailure,
  type SourceFields,
  type SourceProblem,
  type SourceSettings,
  type SourceState,
  sourceName,
  sourceSettings,
  whyNotFit,
} from './source.ts';

/** Returns the text of a new source note: its fields, and for a person what it is and how it is paused. */
function sourceNoteText(name: string, fields: SourceFields, stream: string): string {
  const body = [
    aboutKind(String(fields.kind))
      .replaceAll('{name}', name)
      .replaceAll('{stream}', () => stream),
    `It is paused by \`paused: true\` above, or by \`steward source pause ${shellWord(name)}\`. Delete this note to disconnect it; the files that it brought stay.`,
    `Never write a password here. If this note has another address than was allowed on this machine, Steward sends no request until \`steward source test ${shellWord(name)}\` allows it.`,
  ];
  return `---\n${stringifyYaml({ type: 'source', ...fields })}---\n${body.join('\n\n')}\n`;
}

const grants = z.record(z.string(), grant);

/**
 * Returns the file of what was allowed for the vault at `root`: in this user's state folder, outside every vault. Throws
 * `vault-away`.
 */
export function grantsFile(root: string, folder: string): string {
  return path.join(folder, `${sha256(realRoot(root)).slice(0, 16)}.json`);
}

/** Returns what a person allowed a source, or null. Throws `state-unreadable`, and what the disk refuses. */
export function readGrant(file: string, name: string): Grant | null {
  return loadGrants(file)(name);
}

/** The same for many sources: reads the file once, now. */
export function loadGrants(file: string): (name: string) => Grant | null {
  const all = read(file);
  return (name) => (Object.hasOwn(all, name) ? all[name] : null) ?? null; // a source may be called `constructor`
}

/** Stores what a person allows a source; null removes it. Throws as `readGrant` does. */
export function allow(file: string, name: string, given: Grant | null): void {
  const { [name]: _, ...others } = read(file);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeState(file, JSON.stringify(given === null ? others : { ...others, [name]: given }));
  } catch (error) {
    throw fileError(error, file);
  }
}

/** Whether a note still says what was allowed. */
export function isAsAllowed(settings: SourceSettings, given: Grant): boolean {
  return isDeepStrictEqual(pinned(settings), given.pinned) && (settings.kind !== 'command' || given.run !== null);
}

function read(file: string): Record<string, Grant> {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    throw fileError(error, file);
  }
  const known = readOwnJson(grants, text);
  if (known === null) throw unreadableGrants(file);
  return known;
}

function unreadableGrants(file: string): StewardError {
  return new StewardError({
    code: 'state-unreadable',
    message: `The file of what you allowed sources to do can't be read: ${file}. Steward polls no source.`,
    hint: 'Delete it, then run `steward source test NAME` for each source.',
  });
}

export interface SourceNote {
  readonly name: string;
  /** Vault-relative. */
  readonly path: string;
  readonly settings: SourceSettings;
}

/** A note in the folder of sources that can't be used, and why. */
interface UnreadSource {
  readonly name: string;
  readonly path: string;
  readonly trouble: Diagnostic;
}

/**
 * Returns the notes directly in the folder of the sources, by name; each name is there once. Throws what the disk refuses.
 */
export function sourceNotes(vault: Pick<Vault, 'root' | 'layout'>): readonly (SourceNote | UnreadSource)[] {
  const folder = vault.layout.folders.source;
  const names = namesIn(path.join(vault.root, folder))
    .filter((name) => /\.md$/i.test(name) && !isHidden(name) && !isConflictCopy(name))
    .toSorted();
  const used = usedNotes(names);
  return names.map((name) => {
    const first = used.get(stem(name));
    return first === name
      ? readSource(vault.root, `${folder}/${name}`)
      : duplicateNote(`${folder}/${name}`, `${first}`);
  });
}

/** Returns the note that is used for each name: of `hook.MD` and `hook.md` the second. */
function usedNotes(names: readonly string[]): ReadonlyMap<string, string> {
  const plain = names.filter((name) => name.endsWith('.md'));
  return new Map([...names.toReversed(), ...plain].map((name) => [stem(name), name]));
}

// By its whole file name, so that no two sources are called the same.
function duplicateNote(file: string, first: string): UnreadSource {
  const message = `${first} connects this source already; this note is left alone.`;
  const hint = 'Give it another name, or delete it.';
  return { name: path.basename(file), path: file, trouble: diagnostic({ code: 'source-note', file, message, hint }) };
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function readSource(root: string, file: string): SourceNote | UnreadSource {
  const name = stem(file);
  const read = noteIn(root, file);
  if (!('data' in read)) return { name, path: file, trouble: read };
  const named = sourceName.safeParse(name);
  if (!named.success) return { name, path: file, trouble: unfit(file, 'The name of the note', named.error) };
  const parsed = sourceSettings.safeParse(read.data);
  if (parsed.success) return { name, path: file, settings: parsed.data };
  return { name, path: file, trouble: unfitField(file, read, parsed.error) };
}

function noteIn(root: string, file: string): ParsedNote | Diagnostic {
  try {
    const read = readNote(file, readInside(root, file, MAX_NOTE_BYTES).bytes);
    return read.ok ? read.note : read.trouble;
  } catch (error) {
    if (error instanceof StewardError) return { ...error.trouble, file };
    const message = `The note of a source cannot be read: ${errorReason(error)}.`;
    return diagnostic({ code: 'source-note', file, message, hint: 'Look at the file and its folder.' });
  }
}

function unfitField(file: string, note: ParsedNote, error: z.ZodError): Diagnostic {
  const key = String(error.issues[0]?.path[0] ?? 'kind');
  return { ...unfit(file, key, error), ...fieldPosition(note, key) };
}

function unfit(file: string, what: string, error: z.ZodError): Diagnostic {
  return diagnostic({
    code: 'source-note',
    file,
    message: `${what} ${whyNotFit(error.issues[0])}.`,
    hint: 'Until you correct it, this source is paused.',
  });
}

/** Failures in a row that aren't reported yet: networks fail for a moment. */
const PATIENT_TRIES = 3;

/** The state of a source, as `status` and `steward source list` show it. Times are ISO, UTC. */
export interface SourceReport {
  readonly name: string;
  /** Null if its note can't be read. */
  readonly kind: string | null;
  /** `new`: not polled yet. `refused`: its password was refused, and isn't tried again. */
  readonly state: 'working' | 'new' | 'failing' | 'refused' | 'paused' | 'not-allowed' | 'unreadable';
  /** When it last answered without an error. */
  readonly contact: string | null;
  /** When something last came from it, and how long (seconds) that had been at the server before. */
  readonly event: string | null;
  readonly lag: number | null;
  /** How many things came from it, and how many of them were taken into the vault. */
  readonly seen: number;
  readonly taken: number;
  readonly trouble: readonly Diagnostic[];
}

function sourceReports(space: IndexAccess): readonly SourceReport[] {
  const { context, vault } = space;
  const folder = context.env.sourceGrants;
  const given = folder === undefined ? () => null : loadGrants(grantsFile(vault.root, folder));
  return reportSources(space, sourceNotes(vault), given);
}

/** The same for notes that were read already. `given`: what a person allowed each. */
export function reportSources(
  { context }: Pick<IndexAccess, 'context'>,
  notes: readonly (SourceNote | UnreadSource)[],
  given: (name: string) => Grant | null,
): readonly SourceReport[] {
  return notes.map((note) => {
    const known = context.state.get(SOURCES)[note.name] ?? newSource('');
    if ('trouble' in note) return reportWith(note, 'unreadable', known, [note.trouble]);
    return reportOf(note, given(note.name), known, context.now());
  });
}

/**
 * Returns the problem of a note that leads elsewhere than a person allowed on this machine, or that isn't allowed yet.
 */
export function notAllowed({ name, path }: SourceNote, given: Grant | null): Diagnostic {
  const message =
    given === null
      ? `The source ${name} isn't allowed on this machine for the vault in this folder, so Steward sends it no request.`
      : `The note of ${name} has another address than was allowed on this machine, so Steward sends it no request.`;
  const hint = `If the address is right, \`steward source test ${shellWord(name)}\` allows it.`;
  return diagnostic({ code: 'source-not-allowed', file: path, message, hint });
}

function reportOf(note: SourceNote, given: Grant | null, known: SourceState, now: number): SourceReport {
  if (note.settings.paused) return reportWith(note, 'paused', known, []);
  if (given === null || !isAsAllowed(note.settings, given)) {
    return reportWith(note, 'not-allowed', known, [notAllowed(note, given)]);
  }
  const problems = known.problems.map((one) => problemOf('source-part', note, one));
  const { failing } = known;
  if (failing !== null) {
    const unanswered = unansweredProblem(note, given, known, now) ?? [];
    const failures = isPassing(failing) ? unanswered : [problemOf('source-failing', note, failing)];
    return reportWith(note, known.refused === null ? 'failing' : 'refused', known, [...failures, ...problems]);
  }
  const quiet = findSilence(known, now);
  const silent = quiet === null ? [] : [diagnostic({ code: 'source-silent', file: note.path, ...quiet })];
  const unanswered = unansweredProblem(note, given, known, now);
  return reportWith(note, known.contact === null ? 'new' : 'working', known, [...(unanswered ?? silent), ...problems]);
}

function unansweredProblem(
  { name, path, settings }: SourceNote,
  given: Grant,
  { contact }: SourceState,
  now: number,
): readonly Diagnostic[] | null {
  // Programs come to a webhook when they have something; it isn't polled.
  const every = settings.kind === 'webhook' ? null : settings.every;
  const ago = every === null ? null : findNoContact({ contact, allowed: Date.parse(given.at), every }, now);
  if (ago === null) return null;
  const when = contact === null ? `has not answered since it was allowed ${ago} ago` : `last answered ${ago} ago`;
  const hint = `Start the daemon with \`steward run\` if it is stopped; \`steward source test ${shellWord(name)}\` polls it now.`;
  return [diagnostic({ code: 'source-unanswered', file: path, message: `The source ${name} ${when}.`, hint })];
}

/**
 * Returns for how long a source has not been polled successfully, if that is more than a day and three times its pace; else
 * null. Epoch ms, and ms.
 */
export function findNoContact(
  { contact, allowed, every }: { readonly contact: number | null; readonly allowed: number; readonly every: number },
  now: number,
): string | null {
  const quiet = now - (contact ?? allowed);
  return quiet > Math.max(DAY_MS, 3 * every) ? span(quiet) : null;
}

// The message of a source may lack its full stop. A hint follows on the same line.
function problemOf(code: ProblemCode, { path }: SourceNote, { message, hint }: SourceProblem): Diagnostic {
  return diagnostic({ code, file: path, message: message.replace(/\.?$/, '.'), hint });
}

function isPassing({ kind, tries }: NonNullable<SourceState['failing']>): boolean {
  return (kind === 'away' || kind === 'busy') && tries < PATIENT_TRIES;
}

function reportWith(
  note: SourceNote | UnreadSource,
  state: SourceReport['state'],
  { contact, event, lagMs, seen, taken }: SourceState,
  trouble: readonly Diagnostic[],
): SourceReport {
  return {
    name: note.name,
    kind: 'settings' in note ? note.settings.kind : null,
    state,
    contact: contact === null ? null : iso(contact),
    event: event === null ? null : iso(event),
    lag: lagMs === null ? null : Math.round(lagMs / 1000),
    ...{ seen, taken, trouble },
  };
}

/** Keeps what a person allows a source, outside the vault. Throws `source-no-place` (78) where there is no folder for it. */
export function allowHere({ context, vault }: IndexAccess, name: string, given: Grant): void {
  const folder = context.env.sourceGrants;
  if (folder === undefined) throw noPlace();
  allow(grantsFile(vault.root, folder), name, given);
}

function noPlace(): StewardError {
  return new StewardError(
    {
      code: 'source-no-place',
      message: 'This machine has no folder for the permissions of sources.',
      hint: 'Set XDG_STATE_HOME or HOME.',
    },
    EXIT.settings,
  );
}

/** Forgets that the password of a source was refused: it has worked since. */
export function forgetRefusal({ context }: Pick<IndexAccess, 'context'>, name: string): void {
  const known = context.state.get(SOURCES)[name];
  if (known === undefined) return;
  known.refused = null;
  known.failing = null;
  context.state.touch(SOURCES);
}

/** Why a source gave no event, or was not asked, as it goes to a command. */
export interface PlainFailure {
  readonly kind: SourceFailure | 'not-allowed';
  readonly message: string;
  readonly hint: string;
}

/** Returns the error that a command prints of a failure: `source-refused`, `source-away` … */
export function makeSourceFailure({ kind, message, hint }: PlainFailure): StewardError {
  return new StewardError({ code: `source-${kind}`, message: message.replace(/\.?$/, '.'), hint });
}

/** Returns the note that a source of these fields would have. Throws `source-name` and `source-field` (2). */
export function draftedNote({ vault }: Pick<IndexAccess, 'vault'>, name: string, fields: SourceFields): SourceNote {
  const named = sourceName.safeParse(name);
  if (!named.success)
    throw usageError('source-name', `The name ${JSON.stringify(name)} ${named.error.issues[0]?.message}.`);
  const parsed = sourceSettings.safeParse(fields);
  if (!parsed.success) throw usageError('source-field', `${fieldTrouble(fields)}.`);
  return { name, path: `${vault.layout.folders.source}/${name}.md`, settings: parsed.data };
}

/** Returns the note of a source. Throws `source-unknown`, and the note's own problem if it cannot be read. */
export function knownNote({ vault }: Pick<IndexAccess, 'vault'>, name: string): SourceNote {
  const note = sourceNotes(vault).find((one) => one.name === name);
  if (note === undefined) throw unknownSource(name);
  if ('trouble' in note) throw new StewardError(note.trouble);
  return note;
}

/** Returns the error `source-unknown`, for a name that no source has. */
export function unknownSource(name: string): StewardError {
  return new StewardError({
    code: 'source-unknown',
    message: `There is no source ${JSON.stringify(name)} in this vault.`,
    hint: '`steward source list` names the existing ones; `steward source add` connects another.',
  });
}

function usageError(code: string, message: string): StewardError {
  return new StewardError({ code, message, hint: 'See docs/sources.md for what a source note may say.' }, EXIT.usage);
}

interface AddOrder {
  readonly name: string;
  readonly fields: SourceFields;
  readonly allow: Grant;
}

/**
 * Keeps what a person allows a new source on this machine, and writes its note, in this order: a note that isn't
 * allowed yet would be reported as a problem. Replaces nothing. Throws `source-exists`, `source-name`, `source-field`,
 * and what the disk refuses.
 */
export function addSource(space: WriteAccess, order: AddOrder): { readonly file: string } {
  const { name, fields } = order;
  const note = draftedNote(space, name, fields);
  if (sourceNotes(space.vault).some((one) => one.name.toLowerCase() === name)) throw sourceExists(name, note.path);
  allowHere(space, name, order.allow);
  if (!space.transactions.create(note.path, sourceNoteText(name, fields, space.vault.layout.folders.stream)))
    throw sourceExists(name, note.path);
  return { file: note.path };
}

/** Returns the error `source-exists`, for a name that is taken. */
export function sourceExists(name: string, file: string): StewardError {
  return new StewardError({
    code: 'source-exists',
    file,
    message: `There is a source ${name} already.`,
    hint: `Give the new one another name. \`steward source test ${shellWord(name)}\` tests the existing one; edit its note to change it.`,
  });
}

/**
 * Where a password is had, for whoever asked: `set`: the environment or a credential of the service. `command`: what was
 * allowed prints it. `none`: nowhere. `not-needed`: it is not asked for one.
 */
type PasswordPlace = 'set' | 'command' | 'none' | 'not-needed';

/** A source as a person may know of it: never with its password. */
export interface ListedSource extends SourceReport {
  readonly password: PasswordPlace;
  /** Vault-relative. */
  readonly path: string;
  /** Where its note leads and as whom; null if it cannot be read. */
  readonly leads: Grant['pinned'] | null;
  /** Whether `leads` is refreshed by a token that a command prints. */
  readonly isOAuth: boolean;
  /** How often it is asked (ms); null if it is not. */
  readonly everyMs: number | null;
  /** The grant of a person on this machine; null without one. */
  readonly allowed: Grant | null;
}

/** Returns all sources with where they lead, by name. Throws what the disk refuses. */
export function listedSources(space: IndexAccess): readonly ListedSource[] {
  const standings = new Map(sourceReports(space).map((one) => [one.name, one]));
  return sourceNotes(space.vault).flatMap((note) => {
    const standing = standings.get(note.name);
    if (standing === undefined) return []; // its note has come between the two looks
    const allowed = allowedTo(space, note.name);
    const settings = 'settings' in note ? note.settings : null;
    return [{ ...standing, path: note.path, allowed, ...ledBy(settings), password: placeOf(space, note, allowed) }];
  });
}

/** Returns what a person allowed a source on this machine, or null. Throws what the disk refuses. */
export function allowedTo({ context, vault }: IndexAccess, name: string): Grant | null {
  const folder = context.env.sourceGrants;
  return folder === undefined ? null : readGrant(grantsFile(vault.root, folder), name);
}

function ledBy(settings: SourceSettings | null): Pick<ListedSource, 'leads' | 'isOAuth' | 'everyMs'> {
  if (settings === null) return { leads: null, isOAuth: false, everyMs: null };
  const isOAuth = 'auth' in settings && settings.auth === 'oauth2';
  return { leads: pinned(settings), isOAuth, everyMs: 'every' in settings ? settings.every : null };
}

function placeOf(space: IndexAccess, note: { readonly name: string } | SourceNote, given: Grant | null): PasswordPlace {
  return 'settings' in note ? passwordPlace(space.context.env, note.name, note.settings, given) : 'none';
}

/** Says where the password of a source comes from on this machine, without asking for it. */
export function passwordPlace(
  env: IndexAccess['context']['env'],
  name: string,
  settings: SourceSettings,
  given: Grant | null,
): PasswordPlace {
  if (!needsPassword(settings)) return 'not-needed';
  if ((env.sourcePassword?.(name) ?? null) !== null) return 'set';
  return (given?.passwordCommand ?? null) === null ? 'none' : 'command';
}

interface PauseOrder {
  readonly name: string;
  readonly paused: boolean;
}

/**
 * Sets `paused` in the note of a source, and changes no other byte. Returns whether it was otherwise before. Throws
 * `source-unknown`, the trouble of a note that cannot be read or edited, and `source-changed` (75) where somebody is writing it.
 */
export function pauseSource(space: WriteAccess, { name, paused }: PauseOrder): { readonly changed: boolean } {
  const { path, settings } = knownNote(space, name);
  if (settings.paused === paused) return { changed: false };
  const done = space.transactions.attempt([path], () => withPause(space, path, paused));
  if (done !== null) return { changed: done };
  const message = `Somebody else is writing ${path}.`;
  throw new StewardError(
    { code: 'source-changed', file: path, message, hint: 'Try again in a moment.' },
    EXIT.tryAgain,
  );
}

function withPause(space: WriteAccess, path: string, paused: boolean): boolean | null {
  const note = space.notes.fresh(path);
  if (note === null) return null;
  if (note.refusal !== null) throw note.refusal;
  const { changed, text } = editFields(path, note.text, [{ op: 'set', field: 'paused', value: paused }]);
  const id = `source-pause-${nameTimeExact(space.context.now())}`;
  if (!changed) return false;
  return space.transactions.commit(id, [textStep(path, note.text, text)]) ? true : null;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How many times as long as usual nothing may come before it is said; but never earlier than after three days. */
const FACTOR = 10;
const LEAST_MS = 3 * DAY_MS;
/** The usual gap is known from this many things on. */
const ENOUGH = 10;
/** Returns what to say of a source that answers and has brought nothing for far longer than usual, or null. */
export function findSilence(
  { event, gapMs, seen }: Pick<SourceState, 'event' | 'gapMs' | 'seen'>,
  now: number,
): { readonly message: string; readonly hint: string } | null {
  if (event === null || gapMs === null || seen < ENOUGH) return null;
  const quiet = now - event;
  if (quiet < Math.max(LEAST_MS, FACTOR * gapMs)) return null;
  return {
    message: `No event has come for ${span(quiet)}; before, one came every ${span(gapMs)} or so.`,
    hint: 'It answers, but may have lost its folder, its filter or its forwarding: check whether new items arrive there.',
  };
}

function span(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}

interface KnownReports {
  readonly standings: readonly SourceReport[];
  readonly trouble: readonly Diagnostic[];
}

/** Returns the state of each source. Errors of the disk are listed as trouble, and never end a status. */
export function knownReports(space: IndexAccess): KnownReports {
  // The sources of an absent vault are unknown; that it is away is reported already.
  if (space.vault.away !== null) return { standings: [], trouble: [] };
  try {
    return { standings: sourceReports(space), trouble: [] };
  } catch (error) {
    if (error instanceof StewardError) return { standings: [], trouble: [error.trouble] };
    if (systemCode(error) === null) throw error;
    return { standings: [], trouble: [fileError(error, space.vault.layout.folders.source).trouble] };
  }
}

/** Returns what is wrong with sources. */
export function sourceProblems(space: IndexAccess): readonly Diagnostic[] {
  const { standings, trouble } = knownReports(space);
  return [...trouble, ...standings.flatMap((one) => one.trouble)];
}
