import { changeTable, clipped, oneLine } from '../note-text.ts';
import { escapeMarkdown, linkTo } from '../notes.ts';
import type { Changes } from '../records.ts';

/** How one agent has cited over all rounds. */
interface Citing {
  readonly agent: string;
  readonly supported: number;
  readonly lines: number;
  readonly unsupported: number;
  readonly halts: number;
}

/**
 * Returns the section below the judge’s scoreboard: how each agent has cited, or why nothing was checked. Programs read the
 * head of its table.
 */
export function citationSection(round: number, counted: readonly Citing[] | { readonly unchecked: string }): string {
  const title = `## Citations up to round ${round}`;
  if ('unchecked' in counted) return `${title}\n\nThey were ${counted.unchecked}.`;
  return [
    title,
    '',
    'Counted by the steward. A figure or a place is borne out where the briefing, the evidence or a registered file has it. Lines cited are those of files.',
    '',
    '| agent | borne out | lines cited | not borne out | halted |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...counted.map((one) => `| ${one.agent} | ${one.supported} | ${one.lines} | ${one.unsupported} | ${one.halts} |`),
  ].join('\n');
}

/** How long one part of a round took, in words of the table. */
interface RunRow {
  readonly phase: string;
  readonly agents: number;
  readonly wall: string;
  readonly sum: string;
  readonly parallel: string;
}

/** Returns the section below the summary of a round: how long each part took, and who wrote the files. */
export function runSection(rows: readonly RunRow[], files: { all: number; own: number; fromReplies: number }): string {
  return [
    '## How it ran',
    '',
    '| part | agents | on the clock | one after the other | in parallel |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows.map((one) => `| ${one.phase} | ${one.agents} | ${one.wall} s | ${one.sum} s | ${one.parallel} |`),
    '',
    `Agents wrote ${files.own} of ${files.all} ${files.all === 1 ? 'file' : 'files'} themselves. The steward wrote ${files.fromReplies} from their replies.`,
  ].join('\n');
}

/** Returns the list of tensions as the agents named them, for a judge that wrote none. */
export function tensionSection(lines: readonly string[]): string {
  const listed = lines.length === 0 ? ['- none'] : lines.map(oneLine);
  return ['# Tensions, as the agents named them', '', ...listed].join('\n');
}

/** What the briefing of a roundtable about a proposal tells. */
interface BriefingTelling {
  readonly target: string;
  readonly kind: 'task' | 'matter';
  readonly decision: string;
  readonly confidence: number;
  /** The body of the event note. */
  readonly told: string;
  readonly changes: Changes;
  /** The files that the agents may read. */
  readonly files: readonly string[];
}

const MAX_TOLD = 4000;
const MAX_QUESTION = 300;

/** How the agents are asked to answer. */
export const ANSWER_FORMAT = 'Short. End with what the person should do: confirm, dismiss, or wait, and for what.';

/** Returns the body of the briefing about a proposal. */
export function briefingBody({ target, kind, decision, confidence, told, changes, files }: BriefingTelling): string {
  return [
    `The steward proposes to change ${linkTo(target)} (${kind}). A person asks what speaks for it and against it. They decide; the table changes nothing.`,
    '',
    `Decision: ${escapeMarkdown(decision)}, ${confidence} sure. It rests on this, in the words of the event note:`,
    '',
    `> ${escapeMarkdown(clipped(oneLine(told), MAX_TOLD))}`,
    '',
    changeTable(changes),
    '',
    '## Steward-Registered Files',
    '',
    ...files.map((file) => `- \`${file}\``),
  ].join('\n');
}

/** Returns the question that the agents debate. */
export function briefingQuestion(changed: string, target: string): string {
  return clipped(oneLine(`Should the proposed change of ${changed} be made in ${target}?`), MAX_QUESTION);
}

/** The agents of a roundtable about a proposal. */
export const ADVISERS = [
  { name: 'advocate', role: 'argues for the change, from what the signals and the notes say' },
  { name: 'sceptic', role: 'looks for what speaks against it, and for what is missing' },
  {
    name: 'keeper',
    role: 'speaks for the person whose note it is: what is lost if the change is wrong, what can wait',
  },
] as const;

/** Returns the link from an event note to what its roundtable advises. `summary`: its path. */
export function adviceLink(summary: string, isAgreed: boolean): string {
  return `[[${summary}|${isAgreed ? 'they agree' : 'they disagree'}]]`;
}
