import type { SourceProblem } from '../../source/connector.ts';
import type { Grant } from '../../source/grant.ts';
import { silence } from '../../source/silence.ts';
import type { SourceState } from '../../source/source-state.ts';
import { newSource } from '../../source/source-state.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import { iso } from '../../vault/time.ts';
import type { IndexAccess } from '../context/ports.ts';
import { grantsFile, grantsIn, isAsAllowed } from './grants.ts';
import { type SourceNote, sourceNotes, type UnreadSource } from './source-notes.ts';

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
