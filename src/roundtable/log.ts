import { z } from 'zod';
import { usage } from '../steward/types.ts';
import { clipped, joinLines } from '../vault/note-text.ts';
import type { Seal } from '../vault/seal.ts';

/** The state of the debate. It is carried from one round into the next in place of the transcript. */
const debate = z.object({
  /** Statements that rest on evidence, or that have met no objection. */
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

/** The result of one round, from the judge's summary or the agents' own claims. */
export interface RoundResult {
  readonly established: readonly string[];
  readonly withdrawn: readonly string[];
  readonly positions: Readonly<Record<string, string>>;
  /** Null if the summary does not list them: the earlier ones then stay. */
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

/** Reads the judge's summary: lists under headings such as `## Established`. Returns null if it has no such heading. */
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
  return clipped(joinLines(line), MAX_LINE);
}

function unique(lines: readonly string[]): string[] {
  const seen = new Map(lines.map((line) => [gist(line), clean(line)]));
  seen.delete(''); // a line of punctuation has no content
  return [...seen.values()];
}

// A line that differs only in case, punctuation or spacing is the same line.
function gist(line: string): string {
  return line
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const PHASES = ['opening', 'speaking', 'review', 'rebuttal', 'verdict'] as const;
export type Phase = (typeof PHASES)[number];

/**
 * How an agent's file came about: as claimed, under another name than claimed, written from its reply, or not at all.
 */
const FILE_STATES = ['written', 'found', 'fallback', 'missing'] as const;

const base = { at: z.string(), round: z.number().int().min(1) };
const phase = z.enum(PHASES);

const said = z.object({
  what: z.literal('said'),
  ...base,
  phase,
  who: z.string(),
  /** Null if there was no answer; `failure` says why. */
  text: z.string().nullable(),
  failure: z.string().nullable(),
  seconds: z.number().min(0),
  usage: usage.nullable(),
  /** The number of the request that the message made, or null if it made none or was refused. */
  request: z.number().int().nullable(),
  file: z.object({ path: z.string(), state: z.enum(FILE_STATES), reason: z.string().nullable() }).nullable(),
  /**
   * The files of the roundtable that the speaker opened. Absent if it opened none, as in earlier logs: they are sealed.
   */
  read: z.array(z.string()).optional(),
});
export type SpokenEntry = z.infer<typeof said>;

const asked = z.object({
  what: z.literal('asked'),
  ...base,
  id: z.number().int().min(1),
  /** An agent's name, or `judge` for a check. */
  by: z.string(),
  text: z.string(),
  /** Why it was not looked up; null if it was. */
  refused: z.string().nullable(),
  /** In earlier logs, which are sealed: the number of the request that it repeated. */
  again: z.number().int().optional(),
});
export type RequestEntry = z.infer<typeof asked>;

const result = z.object({
  what: z.literal('result'),
  ...base,
  id: z.number().int().min(1),
  /** `late`: it arrived after its time was up and was dropped. `timeout`: nothing arrived in time. */
  standing: z.enum(['taken', 'late', 'timeout']),
  ok: z.boolean(),
  text: z.string(),
  by: z.string(),
  seconds: z.number().min(0),
  usage: usage.nullable(),
});
export type Result = z.infer<typeof result>;

const flag = z.object({
  what: z.literal('flag'),
  ...base,
  phase,
  agent: z.string(),
  figure: z.string(),
  sentence: z.string(),
  /** Why a place is not believed; absent if a figure is simply nowhere. */
  reason: z.string().exactOptional(),
});
export type Flag = z.infer<typeof flag>;

const halt = z.object({
  what: z.literal('halt'),
  ...base,
  agent: z.string(),
  reason: z.string(),
  /** Whether a figure of this agent was flagged before the judge read it. Only then does the halt count. */
  flagged: z.boolean(),
});

const ran = z.object({
  what: z.literal('ran'),
  ...base,
  phase,
  /** The elapsed time of the phase. */
  wall_seconds: z.number().min(0),
  /** The sum of the times that its agents took. */
  agents_seconds: z.number().min(0),
  agents: z.number().int().min(0),
});
export type PhaseEntry = z.infer<typeof ran>;

const intermission = z.object({ what: z.literal('intermission'), ...base, waiting: z.array(z.string()) });
const note = z.object({ what: z.literal('note'), ...base, text: z.string() });
const closed = z.object({ what: z.literal('closed'), ...base, converged: z.boolean(), debate });

const entry = z.discriminatedUnion('what', [said, asked, result, flag, halt, ran, intermission, note, closed]);
export type Entry = z.infer<typeof entry>;

/** `steward-log-<id>.json`: everything that was asked and answered in one roundtable, in order. */
export const roundtableLog = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  question: z.string(),
  agents: z.array(z.object({ name: z.string(), role: z.string(), model: z.string() })),
  max_rounds: z.number().int().min(1),
  /** SHA-256 of its briefing. */
  briefing_sha256: z.string(),
  /** The name of the event note that the daemon convened it about; null if a person holds it. */
  convened_for: z.string().nullable().default(null),
  /** Why there is no evidence; null if there is some. */
  no_evidence: z.string().nullable(),
  recorded: z.boolean(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  ended: z.enum(['converged', 'max_rounds']).nullable(),
  /**
   * File → the SHA-256 of everything that was or was about to be written there. Only these contents are ever replaced.
   */
  written: z.record(z.string(), z.array(z.string())),
  entries: z.array(entry),
});
export type RoundtableLog = z.infer<typeof roundtableLog>;

/** The log with the program's mark on every byte of it; null or absent in a log that others have written. */
const sealedFile = roundtableLog.extend({ seal: z.string().nullable().default(null) });

/** Returns the text of the log of a roundtable in a folder, with the program's mark on all of it. */
export function sealedText(log: RoundtableLog, folder: string, seal: Seal): string {
  return `${JSON.stringify({ ...log, seal: seal.of(covered(log, folder)) }, null, 1)}\n`;
}

/**
 * Reads what is in the place of a log: the log, `foreign` if the program did not write it as it is for the roundtable
 * in this folder, or null if it is no log.
 */
export function readSealed(written: unknown, folder: string, seal: Seal): RoundtableLog | 'foreign' | null {
  const parsed = sealedFile.safeParse(written);
  if (!parsed.success) return null;
  const { seal: mark, ...log } = parsed.data;
  return seal.holds(covered(log, folder), mark) ? log : 'foreign';
}

// Through the schema, so that what is written and what is read have the same order of keys.
function covered(log: RoundtableLog, folder: string): string {
  return JSON.stringify(['roundtable', folder, roundtableLog.parse(log)]);
}

/** A larger file is no log. */
export const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** Returns the name of the log in a roundtable's folder. */
export function logName(id: string): string {
  return `steward-log-${id}.json`;
}

/** Returns the entries of one kind, in order. */
export function listEntries<What extends Entry['what']>(
  log: RoundtableLog,
  what: What,
): Extract<Entry, { what: What }>[] {
  return log.entries.filter((one): one is Extract<Entry, { what: What }> => one.what === what);
}

/** Returns what was said in one phase of a round, in order. */
export function listPhaseTurns(log: RoundtableLog, round: number, phase: Phase): SpokenEntry[] {
  return listEntries(log, 'said').filter((one) => one.round === round && one.phase === phase);
}

interface Speaker {
  readonly name: string;
  /** How many requests it may still make in this roundtable. */
  readonly left: number;
  /** The request whose result it waits for, or null. */
  readonly request: Pending | null;
}

/** A request without a result so far. `since`: milliseconds on the caller's clock. */
export interface Pending {
  readonly id: number;
  readonly since: number;
}

/**
 * The speaking phase of a round, as a value. `line`: the agents that will still speak, the next one first. `done`: those
 * that have finished.
 */
export interface Queue {
  readonly line: readonly Speaker[];
  readonly done: readonly Speaker[];
}

type Next =
  | { readonly do: 'speak'; readonly agent: string }
  /** All agents left wait for evidence: nobody speaks until a result arrives or the oldest request times out. */
  | { readonly do: 'intermission'; readonly oldest: Pending }
  | { readonly do: 'end' };

/** The queue after a message. `refused`: it made a request, and its speaker has none left. */
interface SpokenTurn {
  readonly queue: Queue;
  readonly refused: boolean;
}

/** Returns a new queue: all agents in the given order, each with the requests it has left. */
export function makeTurnQueue(agents: readonly { readonly name: string; readonly left: number }[]): Queue {
  return { line: agents.map(({ name, left }) => ({ name, left, request: null })), done: [] };
}

/** Returns the next step: the first agent in line that does not wait speaks. */
export function next(queue: Queue): Next {
  const ready = queue.line.find(({ request }) => request === null);
  if (ready !== undefined) return { do: 'speak', agent: ready.name };
  const oldest = queue.line
    .flatMap(({ request }) => (request === null ? [] : [request]))
    .reduce<Pending | null>((one, other) => (one === null || other.since < one.since ? other : one), null);
  return oldest === null ? { do: 'end' } : { do: 'intermission', oldest };
}

/**
 * Returns the queue after an agent has spoken. With a request, the agent waits for its result at the back of the line;
 * without one, or with none left, it is done. LAW: it speaks at most once more often than it had requests.
 */
export function spoke(queue: Queue, agent: string, request: Pending | null): SpokenTurn {
  const speaker = queue.line.find(({ name }) => name === agent);
  if (speaker === undefined) return { queue, refused: false };
  const line = queue.line.filter((one) => one !== speaker);
  if (request === null || speaker.left === 0) {
    return { queue: { line, done: [...queue.done, speaker] }, refused: request !== null };
  }
  const waiting = { ...speaker, left: speaker.left - 1, request };
  return { queue: { ...queue, line: [...line, waiting] }, refused: false };
}

/** Returns the queue after a result has arrived. `taken` is false if no agent waits for it: it is late and dropped. */
export function answered(queue: Queue, id: number): { readonly queue: Queue; readonly taken: boolean } {
  const taken = queue.line.some(({ request }) => request?.id === id);
  return { queue: released(queue, (request) => request.id === id), taken };
}

/** Releases agents that have waited `timeoutMs`. `givenUp`: the numbers of the requests that were given up. */
export function expired(
  queue: Queue,
  now: number,
  timeoutMs: number,
): { readonly queue: Queue; readonly givenUp: readonly number[] } {
  const isOver = ({ since }: Pending) => now - since >= timeoutMs;
  const givenUp = queue.line.flatMap(({ request }) => (request !== null && isOver(request) ? [request.id] : []));
  return { queue: released(queue, isOver), givenUp };
}

function released(queue: Queue, isIt: (request: Pending) => boolean): Queue {
  const line = queue.line.map((one) => (one.request !== null && isIt(one.request) ? { ...one, request: null } : one));
  return { ...queue, line };
}

const HEARD: readonly Phase[] = ['opening', 'speaking', 'rebuttal'];

/** Returns what the agents have said, in order. The judge's messages are left out. */
export function listTurns(log: RoundtableLog): SpokenEntry[] {
  const order = log.agents.map(({ name }) => name);
  return (
    listEntries(log, 'said')
      .filter(({ phase }) => HEARD.includes(phase))
      // Openings are written in parallel, so they follow the order of the agents, not the order in which they finished.
      .toSorted((one, other) =>
        one.round === other.round && one.phase === 'opening' && other.phase === 'opening'
          ? order.indexOf(one.who) - order.indexOf(other.who)
          : 0,
      )
  );
}

/** Returns the state of the debate after the last closed round. */
export function summariseDebate(log: RoundtableLog): Debate {
  return listEntries(log, 'closed').at(-1)?.debate ?? NOTHING_YET;
}

/** Returns how many requests an agent has left. Every request counts that was not refused, whatever its result. */
export function requestsLeft(log: RoundtableLog, agent: string, budget: number): number {
  const taken = listEntries(log, 'asked').filter(({ by, refused }) => by === agent && refused === null);
  return Math.max(0, budget - taken.length);
}

export function nextRequest(log: RoundtableLog): number {
  return listEntries(log, 'asked').reduce((most, { id }) => Math.max(most, id), 0) + 1;
}

/** Returns how often somebody has spoken in one phase of a round. */
export function countTurns(log: RoundtableLog, round: number, phase: Phase, who: string): number {
  return listPhaseTurns(log, round, phase).filter((one) => one.who === who).length;
}

/**
 * Returns the queue of a round, replayed from the log: all agents in order at the start, or as it was before a crash.
 * Requests without a result count as sent at `now` (milliseconds).
 */
export function queueFrom(
  log: RoundtableLog,
  round: number,
  agents: readonly string[],
  budget: number,
  now: number,
): Queue {
  const asked = listEntries(log, 'asked').filter((one) => one.round === round && one.refused === null);
  const askedBy = (name: string) => asked.filter(({ by }) => by === name).length;
  const start = makeTurnQueue(agents.map((name) => ({ name, left: requestsLeft(log, name, budget) + askedBy(name) })));
  return log.entries
    .filter((entry) => entry.round === round)
    .reduce((queue, entry) => {
      if (entry.what === 'said' && entry.phase === 'speaking') {
        return spoke(queue, entry.who, entry.request === null ? null : { id: entry.request, since: now }).queue;
      }
      return entry.what === 'result' && entry.standing !== 'late' ? answered(queue, entry.id).queue : queue;
    }, start);
}

/** The outcome of a roundtable, as reported to whoever asked for it. */
export interface RoundtableOutcome {
  readonly id: string;
  readonly question: string;
  readonly recorded: boolean;
  /** Null while it is still going on. */
  readonly ended: 'converged' | 'max_rounds' | null;
  readonly rounds: number;
  readonly debate: Debate;
  readonly files: { readonly own: number; readonly fallback: number; readonly missing: number };
  readonly requests: {
    readonly asked: number;
    readonly answered: number;
    readonly refused: number;
    readonly unanswered: number;
  };
  /** Figures without support. */
  readonly flagged: readonly { readonly agent: string; readonly figure: string; readonly reason: string | null }[];
  /** Agents whose halt counted, once for each halt. */
  readonly halted: readonly string[];
  readonly noEvidence: string | null;
  readonly silent: readonly { readonly who: string; readonly round: number; readonly reason: string }[];
  readonly phases: readonly {
    readonly round: number;
    readonly phase: string;
    readonly agents: number;
    readonly wallSeconds: number;
    readonly agentsSeconds: number;
  }[];
  readonly tokens: number;
  readonly notes: readonly string[];
}

export function readOutcome(log: RoundtableLog): RoundtableOutcome {
  const said = listEntries(log, 'said');
  const states = said.flatMap(({ file }) => (file === null ? [] : [file.state]));
  const count = (...of: readonly string[]) => states.filter((state) => of.includes(state)).length;
  const asked = listEntries(log, 'asked');
  const results = listEntries(log, 'result').filter(({ standing }) => standing !== 'late');
  const usages = [...said.flatMap(({ usage }) => usage ?? []), ...results.flatMap(({ usage }) => usage ?? [])];
  return {
    id: log.id,
    question: log.question,
    recorded: log.recorded,
    ended: log.ended,
    rounds: listEntries(log, 'closed').length,
    debate: summariseDebate(log),
    files: { own: count('written', 'found'), fallback: count('fallback'), missing: count('missing') },
    requests: {
      asked: asked.length,
      answered: results.filter(({ ok }) => ok).length,
      refused: asked.filter(({ refused }) => refused !== null).length,
      unanswered: results.filter(({ ok }) => !ok).length,
    },
    // In the agents' order: who writes first in an opening is chance.
    flagged: uniqueOutcome(
      log.agents.flatMap(({ name }) =>
        listEntries(log, 'flag')
          .filter(({ agent }) => agent === name)
          .map(({ agent, figure, reason = null }) => ({ agent, figure, reason })),
      ),
    ),
    halted: listEntries(log, 'halt').flatMap(({ agent, flagged }) => (flagged ? [agent] : [])),
    noEvidence: log.no_evidence,
    silent: said.flatMap(({ who, round, text, failure }) =>
      text === null ? [{ who, round, reason: failure ?? 'it said nothing' }] : [],
    ),
    phases: lastOfEach(listEntries(log, 'ran')).map(({ round, phase, agents, wall_seconds, agents_seconds }) => ({
      round,
      phase,
      agents,
      wallSeconds: wall_seconds,
      agentsSeconds: agents_seconds,
    })),
    tokens: usages.reduce((sum, { tokens_in, tokens_out }) => sum + tokens_in + tokens_out, 0),
    notes: listEntries(log, 'note').map(({ text }) => text),
  };
}

// A verdict that was cut off is given again.
function lastOfEach(ran: readonly PhaseEntry[]): PhaseEntry[] {
  return [...new Map(ran.map((one) => [`${one.round} ${one.phase}`, one])).values()];
}

function uniqueOutcome<One>(items: readonly One[]): One[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
