import { clipped } from '../../vault/notes/note-text.ts';
import { debateText } from '../log/debate.ts';
import { entriesOf, type Result, type TableLog } from '../log/log.ts';
import { debateOf } from '../log/log-fold.ts';
import type { Briefing } from './briefing.ts';
import type { Uttered } from './transcript.ts';

/** What is put before an agent or the judge: a name for it and its lines, each a value that is shown as JSON. */
export interface Exhibit {
  readonly name: string;
  readonly lines: readonly unknown[];
}

/** Exhibits between marks that the data cannot close, since every angle bracket in it is an escape. */
export function exhibited(exhibits: readonly Exhibit[]): string[] {
  return exhibits.map(({ name, lines }) => `<${name}>\n${lines.map(quoted).join('\n')}\n</${name}>`);
}

function quoted(value: unknown): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[<>\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, escaped);
}

/** Who asks what of whom: the last line of an errand's beginning, and the name that a recorded reply is found by. */
export function addressOf(round: number, part: string, who: string, turn: number): string {
  return `Round ${round}, ${part}, ${who}${turn > 1 ? `, turn ${turn}` : ''}.`;
}

const MAX_RESULTS = 12;
const MAX_BRIEFING = 40_000;
const MAX_SAID = 8_000;

/** What everybody is shown first: the table, the briefing, where the debate stands. `you`: null for the judge. */
export function ground(
  briefing: Briefing,
  log: TableLog,
  round: number,
  you: { readonly name: string; readonly requestsLeft: number } | null,
): Exhibit[] {
  const role = briefing.agents.find(({ name }) => name === you?.name)?.role;
  const table = {
    ...(you === null ? {} : { you: you.name, role, requests_left: you.requestsLeft }),
    agents: briefing.agents.map((one) => ({ name: one.name, role: one.role })),
    question: briefing.question,
    ...(briefing.format === null ? {} : { format: briefing.format }),
    round,
    max_rounds: briefing.maxRounds,
    ...(log.no_evidence === null ? {} : { evidence: `none: ${log.no_evidence}` }),
  };
  return [
    { name: 'table', lines: [table] },
    { name: 'briefing', lines: [clipped(briefing.body, MAX_BRIEFING)] },
    { name: 'debate', lines: round === 1 ? ['nothing yet'] : [debateText(debateOf(log))] },
  ];
}

/** What has been said in a round so far, each with who said it and when. */
export function saidSoFar(uttered: readonly Uttered[], round: number): Exhibit {
  const heard = uttered.filter((one) => one.round === round);
  return {
    name: 'said',
    lines: heard.map(({ agent, phase, text }) => ({ who: agent, part: phase, text: clipped(text, MAX_SAID) })),
  };
}

/** The results of an agent's requests, the newest last; of everybody's where `of` is null; of the judge's for `judge`. */
export function results(log: TableLog, of: string | null): unknown[] {
  const asked = new Map(entriesOf(log, 'asked').map((one) => [one.id, one]));
  return entriesOf(log, 'result')
    .filter(({ standing }) => standing !== 'late')
    .flatMap((result) => {
      const by = asked.get(result.id);
      const isIt = of === null ? by?.by !== 'judge' : by?.by === of;
      return by === undefined || !isIt ? [] : [{ by: by.by, request: by.text, result: told(result) }];
    })
    .slice(of === null ? 0 : -MAX_RESULTS);
}

function told({ standing, text }: Result): string {
  return standing === 'timeout' ? 'Nothing came in time.' : text;
}
