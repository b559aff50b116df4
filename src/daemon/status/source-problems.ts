import { type Diagnostic, StewardError, systemCode } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import type { IndexAccess } from '../context/ports.ts';
import { type SourceStanding, sourceStandings } from '../sources/source-standing.ts';

/** How the sources stand, and what keeps that from being told. */
interface KnownStandings {
  readonly standings: readonly SourceStanding[];
  readonly trouble: readonly Diagnostic[];
}

/** Returns how each source stands. What the disk refuses is trouble, and never ends a status. */
export function knownStandings(space: IndexAccess): KnownStandings {
  // An absent vault says nothing of its sources; that it is away is said already.
  if (space.vault.away !== null) return { standings: [], trouble: [] };
  try {
    return { standings: sourceStandings(space), trouble: [] };
  } catch (error) {
    if (error instanceof StewardError) return { standings: [], trouble: [error.trouble] };
    if (systemCode(error) === null) throw error;
    return { standings: [], trouble: [fileError(error, space.vault.layout.folders.source).trouble] };
  }
}

/** Returns what is wrong with sources. */
export function sourceProblems(space: IndexAccess): readonly Diagnostic[] {
  const { standings, trouble } = knownStandings(space);
  return [...trouble, ...standings.flatMap((one) => one.trouble)];
}
