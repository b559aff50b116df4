import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { SourceProblem } from '../source/connector.ts';
import {
  type Grant,
  grant,
  pinned,
  type SourceSettings,
  silence,
  sourceName,
  sourceSettings,
  whyNotFit,
} from '../source/source.ts';
import { newSource, type SourceState } from '../source/source-state.ts';
import { type Diagnostic, diagnostic, reasonOf, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, writeState } from '../vault/files.ts';
import { MAX_NOTE_BYTES, readNote } from '../vault/frontmatter-parse.ts';
import { sha256 } from '../vault/hash.ts';
import { isConflictCopy, isHidden, stem } from '../vault/note-names.ts';
import { shellWord } from '../vault/notes/shell-word.ts';
import { fieldPosition, type ParsedNote } from '../vault/parsed-note.ts';
import { readInside } from '../vault/slices.ts';
import { iso } from '../vault/time.ts';
import type { Vault } from '../vault/watch.ts';
import { realRoot } from './context/own-folders.ts';
import type { IndexAccess } from './context.ts';

const grants = z.record(z.string(), grant);

/**
 * Returns the file of what was allowed for the vault at `root`: in this user's state folder, outside every vault. Throws
 * `vault-away`.
 */
export function grantsFile(root: string, folder: string): string {
  return path.join(folder, `${sha256(realRoot(root)).slice(0, 16)}.json`);
}

/** Returns what a person allowed a source, or null. A file that makes no sense allows nothing. Throws what the disk refuses. */
export function grantOf(file: string, name: string): Grant | null {
  return grantsIn(file)(name);
}

/** The same for many sources: the file is read once, now. */
export function grantsIn(file: string): (name: string) => Grant | null {
  const all = read(file);
  return (name) => (Object.hasOwn(all, name) ? all[name] : null) ?? null; // a source may be called `constructor`
}

/** Writes what a person allows a source; null takes it back. Throws what the disk refuses. */
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
  try {
    return grants.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A source as its note says it. */
export interface SourceNote {
  readonly name: string;
  /** Vault-relative. */
  readonly path: string;
  readonly settings: SourceSettings;
}

/** A note in the folder of the sources that connects nothing, and why. */
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
  const spokenFor = namesakes(names);
  return names.map((name) => {
    const first = spokenFor.get(stem(name));
    return first === name ? readSource(vault.root, `${folder}/${name}`) : passedOver(`${folder}/${name}`, `${first}`);
  });
}

/** Returns which note speaks for each name: of `hook.MD` and `hook.md` the second. */
function namesakes(names: readonly string[]): ReadonlyMap<string, string> {
  const plain = names.filter((name) => name.endsWith('.md'));
  return new Map([...names.toReversed(), ...plain].map((name) => [stem(name), name]));
}

// By its whole file name, so that no two sources are called the same.
function passedOver(file: string, first: string): UnreadSource {
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
    const message = `The note of a source cannot be read: ${reasonOf(error)}.`;
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
    hint: 'Until you mend it, this source rests.',
  });
}

/** How often a source may fail to answer before that is a trouble. */
const PATIENT_TRIES = 3;

/** How a source that is asked stands, as `status` and `steward source list` show it. Times are ISO, UTC. */
export interface SourceStanding {
  readonly name: string;
  /** Null where its note cannot be read. */
  readonly kind: string | null;
  /** `new`: not asked yet. `refused`: its password is not accepted, and it is not asked again with it. */
  readonly state: 'working' | 'new' | 'failing' | 'refused' | 'paused' | 'not-allowed' | 'unreadable';
  /** When it last answered as it should. */
  readonly contact: string | null;
  /** When something last came from it, and how long (seconds) that had been there before. */
  readonly event: string | null;
  readonly lag: number | null;
  /** How many things it brought, and how many of them were taken into the vault. */
  readonly seen: number;
  readonly taken: number;
  readonly trouble: readonly Diagnostic[];
}

/** Returns how each source stands, by name. Throws what the disk refuses. */
export function sourceStandings(space: IndexAccess): readonly SourceStanding[] {
  const { context, vault } = space;
  const folder = context.env.sourceGrants;
  const given = folder === undefined ? () => null : grantsIn(grantsFile(vault.root, folder));
  return standingsOf(space, sourceNotes(vault), given);
}

/** The same for notes that were read already. `given`: what a person allowed each. */
export function standingsOf(
  { context }: Pick<IndexAccess, 'context'>,
  notes: readonly (SourceNote | UnreadSource)[],
  given: (name: string) => Grant | null,
): readonly SourceStanding[] {
  return notes.map((note) => {
    const known = context.state.get('sources')[note.name] ?? newSource('');
    if ('trouble' in note) return standing(note, 'unreadable', known, [note.trouble]);
    return standingOf(note, given(note.name), known, context.now());
  });
}

/** Returns the trouble of a note that says something else than a person allowed on this machine, or of one that nobody allowed. */
export function notAllowed({ name, path }: SourceNote, given: Grant | null): Diagnostic {
  const message =
    given === null
      ? `Nobody has allowed the source ${name} on this machine for the vault in this folder, so nothing is asked of it.`
      : `The note of ${name} leads elsewhere than was allowed on this machine, so nothing is asked of it.`;
  const hint = `If it is right as it stands, \`steward source test ${shellWord(name)}\` allows it.`;
  return diagnostic({ code: 'source-not-allowed', file: path, message, hint });
}

function standingOf(note: SourceNote, given: Grant | null, known: SourceState, now: number): SourceStanding {
  if (note.settings.paused) return standing(note, 'paused', known, []);
  if (given === null || !isAsAllowed(note.settings, given)) {
    return standing(note, 'not-allowed', known, [notAllowed(note, given)]);
  }
  const problems = known.problems.map((one) => said('source-part', note, one));
  const { failing } = known;
  if (failing !== null) {
    const failures = isPassing(failing) ? [] : [said('source-failing', note, failing)];
    return standing(note, known.refused === null ? 'failing' : 'refused', known, [...failures, ...problems]);
  }
  const quiet = silence(known, now);
  const silent = quiet === null ? [] : [diagnostic({ code: 'source-silent', file: note.path, ...quiet })];
  return standing(note, known.contact === null ? 'new' : 'working', known, [...silent, ...problems]);
}

// What a source says of itself may have no full stop; a hint follows it on the same line.
function said(code: string, { path }: SourceNote, { message, hint }: SourceProblem): Diagnostic {
  return diagnostic({ code, file: path, message: message.replace(/\.?$/, '.'), hint });
}

// A network that blinks is no trouble yet.
function isPassing({ kind, tries }: NonNullable<SourceState['failing']>): boolean {
  return (kind === 'away' || kind === 'busy') && tries < PATIENT_TRIES;
}

function standing(
  note: SourceNote | UnreadSource,
  state: SourceStanding['state'],
  { contact, event, lagMs, seen, taken }: SourceState,
  trouble: readonly Diagnostic[],
): SourceStanding {
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
