import { noteText } from '../../vault/notes/note-text.ts';
import { citationSection, runSection, tensionSection } from '../../vault/words/roundtable-words.ts';
import type { Checked } from '../claims/checked.ts';
import { entriesOf, type Ran, type RoundtableLog, saidIn } from '../log/log.ts';
import { parseReply } from '../notes/reply.ts';
import { sanitize } from '../notes/sanitize.ts';
import { citedSoFar } from './cited.ts';
import type { Session } from './session.ts';

/** `written_by` of a judge's file that the program wrote. */
export const FALLBACK_JUDGE = 'steward-fallback';

/** Returns the text of a judge's file: what the judge wrote, and below it what the program counted. */
export function judgeNote(id: string, round: number, writtenBy: string, parts: readonly string[]): string {
  return noteText({ roundtable: id, round, written_by: writtenBy }, parts.filter((part) => part !== '').join('\n\n'));
}

/** Returns the text of an agent's file: what it wrote, with nothing live in it. */
export function agentNote(id: string, round: number, agent: string, writtenBy: string, content: string): string {
  return noteText({ roundtable: id, round, agent, written_by: writtenBy }, sanitize(content));
}

/** How one agent has cited over all rounds. */
interface Citing {
  readonly agent: string;
  /** Figures that a source supports, or that are derived from such, and places that are there. */
  readonly supported: number;
  /** How many of these cite lines of a file. */
  readonly lines: number;
  readonly unsupported: number;
  readonly halts: number;
}

function citingOf({ parts, log }: Session, cited: readonly Checked[]): Citing[] {
  return parts.briefing.agents.map(({ name }) => {
    const own = cited.filter(({ agent }) => agent === name);
    const good = own.filter(({ finding }) => finding === 'borne-out' || finding === 'derived');
    return {
      agent: name,
      supported: good.length,
      lines: good.filter(({ cites }) => cites).length,
      unsupported: own.filter(({ finding }) => finding === 'unsupported').length,
      halts: entriesOf(log, 'halt').filter((one) => one.agent === name && one.flagged).length,
    };
  });
}

/** Returns the section below the judge's scoreboard: how each agent has cited. */
export async function citationTable(session: Session, round: number): Promise<string> {
  const { cited, unchecked } = await citedSoFar(session);
  return citationSection(round, unchecked === null ? citingOf(session, cited) : { unchecked });
}

/**
 * Returns the section below the summary of a round: for each phase its elapsed time, and the sum of its agents' times.
 */
export function runTable(log: RoundtableLog, round: number): string {
  // A verdict that was cut off is given again: the last one counts.
  const ran = new Map(entriesOf(log, 'ran').flatMap((one) => (one.round === round ? [[one.phase, one]] : [])));
  const together = sumOf([...ran.values()]);
  const rows = [...ran.values(), together].map((one) => ({
    ...{ phase: one.phase, agents: one.agents, parallel: parallel(one) },
    ...{ wall: figure(one.wall_seconds), sum: figure(one.agents_seconds) },
  }));
  const files = saidIn(log, round, 'opening').flatMap(({ file }) => (file === null ? [] : [file.state]));
  const byAgents = files.filter((state) => state === 'written' || state === 'found').length;
  const fallbacks = files.filter((state) => state === 'fallback').length;
  return runSection(rows, { all: files.length, own: byAgents, fromReplies: fallbacks });
}

type Row = Pick<Ran, 'wall_seconds' | 'agents_seconds' | 'agents'> & { readonly phase: string };

function sumOf(rows: readonly Row[]): Row {
  const sum = (key: 'wall_seconds' | 'agents_seconds') => rows.reduce((total, one) => total + one[key], 0);
  const agents = rows.reduce((most, one) => Math.max(most, one.agents), 0);
  return { phase: 'together', agents, wall_seconds: sum('wall_seconds'), agents_seconds: sum('agents_seconds') };
}

/** How many agents worked at the same time, on average. */
function parallel({ wall_seconds, agents_seconds }: Row): string {
  return wall_seconds < 0.001 ? '–' : `${(agents_seconds / wall_seconds).toFixed(1)} ×`;
}

function figure(seconds: number): string {
  return seconds.toFixed(1);
}

/** Returns the tensions that the agents named, for a judge that wrote none. */
export function tensionsFrom(log: RoundtableLog, round: number): string {
  const lines = saidIn(log, round, 'opening').flatMap(({ who, text }) =>
    (parseReply(text ?? '').tensions ?? []).map(
      ({ id, label, text: tension }) => `- ${id} [${label}] ${who}: ${tension}`,
    ),
  );
  return tensionSection(lines);
}
