import { linkKey } from '../links.ts';
import { tickedLines } from './checkboxes.ts';
import { linkTo } from './escape.ts';

/** Returns the notes that could be meant as a list of checkboxes: on a phone, one tick there is the whole answer. */
export function choiceList(links: readonly string[]): string {
  // A name that would break the link stands there as text: it is chosen by writing it.
  return links.map((link) => `- [ ] ${linkTo(link.slice(2, -2))}`).join('\n');
}

/**
 * Returns which of the candidates are ticked in a note's body, each once and as it stands among the candidates. A line
 * counts where it holds the link and nothing else but the day that a plugin puts behind what is ticked: with other words
 * it is a line of somebody's own. A link with a shown name is none: it may show another note than it means.
 */
export function tickedCandidates(body: string, candidates: readonly string[]): string[] {
  if (candidates.length === 0) return [];
  const links = tickedLines(body).flatMap((line) => LINE.exec(line)?.[1] ?? []);
  const ticked = new Set(links.map(linkKey));
  return candidates.filter((link) => ticked.has(linkKey(link)));
}

const LINE = /^[^[]*\[.\][ \t]+(\[\[[^[\]|]+\]\])(?:[ \t]+(?:✅|\[completion::)[ \t]*\d{4}-\d\d-\d\d\]?)?$/u;

/**
 * Returns the note that a person has chosen: by what they wrote, else by the only tick. Null where they have chosen none,
 * or where written word and ticks, or two ticks, mean different notes.
 */
export function chosenIn({ choose, ticked }: Choosing): string | null {
  const chosen = choose === null ? [] : [choose];
  const [first, ...others] = new Map([...chosen, ...ticked].map((link) => [linkKey(link), link])).values();
  return others.length > 0 ? null : (first ?? null);
}

/** Whether a person has said something of which note is meant, even if nobody could tell which. */
export function isChosenIn({ choose, ticked }: Choosing): boolean {
  return choose !== null || ticked.length > 0;
}

interface Choosing {
  readonly choose: string | null;
  readonly ticked: readonly string[];
}
