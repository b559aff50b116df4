import { z } from 'zod';
import { clipped, oneLine } from '../../vault/notes/note-text.ts';

/** The state of the debate. It is carried from one round into the next in place of the transcript. */
export const debate = z.object({
  /** What rests on evidence, or what nobody has objected to. */
  established: z.array(z.string()),
  /** Agent → its current position. */
  positions: z.record(z.string(), z.string()),
  open: z.array(z.string()),
  /** Who changed position, from what to what, in order. */
  shifts: z.array(z.string()),
});
export type Debate = z.infer<typeof debate>;

/** The state before the first round. */
export const NOTHING_YET: Debate = { established: [], positions: {}, open: [], shifts: [] };

/** What one round adds, from the judge's summary or the agents' own claims. */
export interface RoundResult {
  readonly established: readonly string[];
  /** What was established before and no longer holds. */
  readonly withdrawn: readonly string[];
  readonly positions: Readonly<Record<string, string>>;
  /** Null where the summary does not list them: the earlier ones then stay. */
  readonly open: readonly string[] | null;
  readonly shifts: readonly string[];
}

const MAX_LINES = 40;
const MAX_LINE = 400;

/** Returns the debate after one more round. LAW: what is established stays so until the same words withdraw it. */
export function advance(before: Debate, round: RoundResult): Debate {
  const withdrawn = new Set(round.withdrawn.map(gist));
  const established = unique([...before.established, ...round.established]).filter((one) => !withdrawn.has(gist(one)));
  return {
    established: established.slice(-MAX_LINES),
    positions: { ...before.positions, ...shortened(round.positions) },
    open: round.open === null ? before.open : unique(round.open).slice(0, MAX_LINES),
    shifts: unique([...before.shifts, ...round.shifts]).slice(-MAX_LINES),
  };
}

const SECTIONS = ['established', 'withdrawn', 'positions', 'open', 'shifts'] as const;
type Section = (typeof SECTIONS)[number];

/** Reads the judge's summary: lists under headings such as `## Established`. Returns null where it has none of them. */
export function readSummary(text: string, agents: readonly string[]): RoundResult | null {
  const lists = listsIn(text);
  if (lists.size === 0) return null;
  const positions = (lists.get('positions') ?? []).flatMap((line): [string, string][] => {
    const agent = agents.find((name) => line.toLowerCase().startsWith(name.toLowerCase()));
    const rest = agent === undefined ? '' : line.slice(agent.length).replace(/^[*_`\s]{0,4}[:–-][*_`\s]{0,4}/, '');
    return agent === undefined || rest === '' ? [] : [[agent, rest]];
  });
  return {
    established: lists.get('established') ?? [],
    withdrawn: lists.get('withdrawn') ?? [],
    positions: Object.fromEntries(positions),
    open: lists.get('open') ?? null,
    shifts: lists.get('shifts') ?? [],
  };
}

function listsIn(text: string): ReadonlyMap<Section, string[]> {
  const lists = new Map<Section, string[]>();
  let current: string[] | null = null;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.slice(0, 4 * MAX_LINE);
    const heading = /^#{1,6}\s(.*)$/.exec(line)?.[1];
    const section = heading === undefined ? undefined : sectionOf(heading);
    if (heading !== undefined) current = section === undefined ? null : (lists.get(section) ?? []);
    if (section !== undefined && current !== null) lists.set(section, current);
    const item = /^[ \t]{0,8}(?:[-*+]|\d{1,3}[.)])\s(.*)$/.exec(line)?.[1];
    const text = item === undefined ? '' : clean(item);
    if (text !== '' && !/^\W{0,3}none\b\W{0,3}$/i.test(text)) current?.push(text);
  }
  return lists;
}

function sectionOf(heading: string): Section | undefined {
  const bare = heading.toLowerCase().replace(/[^a-z ]/g, '');
  return SECTIONS.find((one) => bare.includes(one));
}

/** Returns the debate as text, in the form of a summary. */
export function debateText({ established, positions, open, shifts }: Debate): string {
  const lines = Object.entries(positions).map(([agent, position]) => `${agent}: ${position}`);
  return [
    ...section('Established', established),
    ...section('Live positions', lines),
    ...section('Open questions', open),
    ...section('Shifts', shifts),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return [`## ${title}`, '', ...(lines.length === 0 ? ['- none'] : lines.map((line) => `- ${line}`)), ''];
}

function shortened(positions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(positions).map(([agent, text]) => [agent, clean(text)]));
}

function clean(line: string): string {
  return clipped(oneLine(line), MAX_LINE);
}

function unique(lines: readonly string[]): string[] {
  const seen = new Map(lines.map((line) => [gist(line), clean(line)]));
  seen.delete(''); // a line of punctuation says nothing
  return [...seen.values()];
}

// A line that differs only in case, punctuation or spacing is the same line.
function gist(line: string): string {
  return line
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
