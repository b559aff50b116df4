import { clipped } from '../../vault/notes/note-text.ts';
import { carriedFrom, type Quoted } from '../claims/cited-lines.ts';
import { debateText } from '../log/debate.ts';
import { entriesOf, type Result, type RoundtableLog, type Said } from '../log/log.ts';
import { debateOf, spokenIn } from '../log/log-fold.ts';
import type { Briefing } from './briefing.ts';
import { linesOf } from './reply.ts';

/** One block of a prompt: its tag, and its lines, each a value that is written as JSON. */
export interface PromptBlock {
  readonly name: string;
  readonly lines: readonly unknown[];
}

/** Returns blocks as text between tags. The data cannot close a tag, since its angle brackets are escaped. */
export function tagged(blocks: readonly PromptBlock[]): string[] {
  return blocks.map(({ name, lines }) => `<${name}>\n${lines.map(quoted).join('\n')}\n</${name}>`);
}

function quoted(value: unknown): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[<>\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, escaped);
}

/** Returns the address of a turn. It is the first line of the last task, and the key of a recorded reply. */
export function addressOf(round: number, part: string, who: string, turn: number): string {
  return `Round ${round}, ${part}, ${who}${turn > 1 ? `, turn ${turn}` : ''}.`;
}

const MAX_RESULTS = 12;
const MAX_BRIEFING = 40_000;
const MAX_SAID = 4_000;

/**
 * Returns the blocks that every prompt begins with: the roundtable, the briefing, the debate. `you`: null for the
 * judge.
 */
export function sharedBlocks(
  briefing: Briefing,
  log: RoundtableLog,
  round: number,
  you: { readonly name: string; readonly requestsLeft: number } | null,
): PromptBlock[] {
  const role = briefing.agents.find(({ name }) => name === you?.name)?.role;
  const roundtable = {
    ...(you === null ? {} : { you: you.name, role, requests_left: you.requestsLeft }),
    agents: briefing.agents.map((one) => ({ name: one.name, role: one.role })),
    question: briefing.question,
    ...(briefing.format === null ? {} : { format: briefing.format }),
    round,
    max_rounds: briefing.maxRounds,
    ...(log.no_evidence === null ? {} : { evidence: `none: ${log.no_evidence}` }),
  };
  return [
    { name: 'table', lines: [roundtable] },
    { name: 'briefing', lines: [clipped(briefing.body, MAX_BRIEFING)] },
    { name: 'debate', lines: round === 1 ? ['nothing yet'] : [debateText(debateOf(log))] },
  ];
}

/** Returns the block of what has been said in a round so far: messages, and of each opening its five lines. */
export function saidSoFar(log: RoundtableLog, round: number): PromptBlock {
  return {
    name: 'said',
    lines: spokenIn(log)
      .filter((one) => one.round === round)
      .flatMap(shownOf),
  };
}

function shownOf({ who, phase, text, file }: Said): unknown[] {
  if (phase !== 'opening') return text === null ? [] : [{ who, part: phase, text: clipped(text, MAX_SAID) }];
  const opened = file === null || file.state === 'missing' ? {} : { file: file.path };
  return [{ who, part: phase, ...opened, text: linesOf(text ?? '') }];
}

/** What a round sees of results: its own whole, earlier ones as far as they were `quoted`. */
export interface ResultsView {
  readonly round: number;
  readonly quoted: Quoted;
}

/**
 * Returns the results of the requests of one agent or the `judge`, newest last: of this round whole, of earlier rounds the
 * lines that were cited. `of` null: those of all agents.
 */
export function results(log: RoundtableLog, of: string | null, { round, quoted }: ResultsView): unknown[] {
  const asked = new Map(entriesOf(log, 'asked').map((one) => [one.id, one]));
  return entriesOf(log, 'result')
    .filter(({ standing }) => standing !== 'late')
    .flatMap((result): unknown[] => {
      const by = asked.get(result.id);
      const isOwn = of === null ? by?.by !== 'judge' : by?.by === of;
      if (by === undefined || !isOwn) return [];
      if (result.round === round) return [{ by: by.by, request: by.text, result: textOf(result) }];
      const cited = result.ok ? carriedFrom(result.text, quoted) : [];
      return cited.length === 0 ? [] : [{ by: by.by, request: by.text, cited }];
    })
    .slice(of === null ? 0 : -MAX_RESULTS);
}

function textOf({ standing, text }: Result): string {
  return standing === 'timeout' ? 'Nothing came in time.' : text;
}
