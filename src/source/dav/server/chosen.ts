import type { SourceProblem } from '../../connector.ts';
import { SourceError } from '../../failure.ts';
import type { Calendar } from './discovery.ts';

const MOST_SHOWN = 12;

/** Returns the calendars that are followed by their names (none: all), and which are not there. Throws where none is. */
export function chosenOf(
  all: readonly Calendar[],
  names: readonly string[],
): { readonly chosen: readonly Calendar[]; readonly problems: SourceProblem[] } {
  const shown = all.slice(0, MOST_SHOWN).map(({ name }) => name);
  const hint = all.length === 0 ? 'Look at the account where it is kept.' : `There are: ${shown.join(', ')}.`;
  if (all.length === 0) throw new SourceError({ kind: 'missing', message: 'The account has no calendars.', hint });
  if (names.length === 0) return { chosen: all, problems: [] };
  const chosen = all.filter(({ name }) => names.some((wanted) => folded(wanted) === folded(name)));
  const missing = names.filter((wanted) => !chosen.some(({ name }) => folded(name) === folded(wanted)));
  const problems = missing.map((wanted) => ({ message: `There is no calendar "${wanted}" in the account.`, hint }));
  const [problem] = problems;
  if (chosen.length === 0 && problem !== undefined) throw new SourceError({ kind: 'missing', ...problem });
  return { chosen, problems };
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
