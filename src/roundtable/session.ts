import type { RegisteredFile } from '../evidence/files.ts';
import { parseRequests } from '../evidence/request.ts';
import { abortable, ProviderError } from '../providers/provider.ts';
import { type Agent, type AgentReport, type AgentTool, UnansweredError, type Usage } from '../steward/types.ts';
import { EXIT, errorReason, StewardError } from '../vault/errors.ts';
import { type Citing, citationSection, runSection, tensionSection } from '../vault/event-text.ts';
import { fold } from '../vault/layout.ts';
import { clipped, joinLines, noteText, sha256 } from '../vault/note-text.ts';
import { iso } from '../vault/time.ts';
import { type CitationCheck, type CitedMessage, checkClaims } from './citations.ts';
import {
  advance,
  answered,
  countTurns,
  type Debate,
  debateText,
  type Entry,
  expired,
  type Flag,
  listEntries,
  listPhaseTurns,
  makeTurnQueue,
  next,
  nextRequest,
  type Pending,
  type Phase,
  type PhaseEntry,
  type Queue,
  queueFrom,
  type RequestEntry,
  type Result,
  type RoundResult,
  type RoundtableLog,
  readSummary,
  requestsLeft,
  type SpokenEntry,
  spoke,
  summariseDebate,
} from './log.ts';
import {
  AGENT_ASKS,
  AGENT_SYSTEM,
  type Briefing,
  composeTranscript,
  type Folder,
  isSame,
  JUDGE_ASKS,
  JUDGE_SYSTEM,
  listCitedSources,
  MAX_MESSAGE,
  type Participant,
  type PromptBlock,
  parseReply,
  readBody,
  readTool,
  readWords,
  results,
  saidSoFar,
  sanitize,
  sharedBlocks,
  tagged,
  turnAddress,
  writeTool,
} from './notes.ts';

/** A checked figure or place, and when it was said. */
interface Cited extends CitationCheck {
  readonly round: number;
  readonly phase: Phase;
}

/** The results of the check so far. `unchecked`: why no check was possible, or null. */
interface CitedSoFar {
  readonly cited: readonly Cited[];
  /** For the lines that were given next to the messages: the findings in each, by its index. */
  readonly beside: ReadonlyMap<number, readonly CitationCheck[]>;
  readonly unchecked: string | null;
}

/** Looks up every figure and place in the messages, and those of the lines that are given next to them. */
async function citedSoFar({ parts, log }: Session, lines: readonly CitedMessage[] = []): Promise<CitedSoFar> {
  const transcript = composeTranscript(log, parts.folder);
  const job = {
    messages: [...transcript, ...lines],
    sources: listCitedSources(log, parts.briefing),
    files: parts.evidence?.files ?? [],
  };
  const { checked, unchecked } = await checkClaims(job, parts.abort);
  const cited = checked.flatMap((one) => {
    const message = transcript[one.message];
    return message === undefined ? [] : [{ ...one, round: message.round, phase: message.phase }];
  });
  const later = checked.filter(({ message }) => message >= transcript.length);
  return { cited, beside: Map.groupBy(later, ({ message }) => message - transcript.length), unchecked };
}

type Unsupported = Pick<Flag, 'agent' | 'figure' | 'sentence' | 'phase' | 'reason'>;

type FlaggedStatement = Pick<Unsupported, 'agent' | 'figure' | 'sentence' | 'reason'>;

/** The findings in a round: the unsupported statements, or why no check was made (else null). */
interface Flagged {
  readonly flagged: readonly Unsupported[];
  readonly unchecked: string | null;
}

async function unsupportedIn(session: Session, round: number): Promise<Flagged> {
  const { cited, unchecked } = await citedSoFar(session);
  const flagged = cited
    .filter((one) => one.round === round && one.finding === 'unsupported')
    .map(({ agent, figure, sentence, phase, reason }) => {
      return { agent, figure, sentence, phase, ...(reason === null ? {} : { reason }) };
    });
  return { flagged, unchecked };
}

function flaggedBlock(flagged: readonly FlaggedStatement[], unchecked: string | null): PromptBlock {
  if (unchecked !== null) return { name: 'flagged', lines: [{ not_checked: unchecked }] };
  const told = flagged.map(({ agent, figure, sentence, reason }) => {
    return { agent, figure, sentence, ...(reason === undefined ? {} : { reason }) };
  });
  return { name: 'flagged', lines: told };
}

const UNCHECKED = 'All that was said is ';

function uncheckedIn(log: RoundtableLog, round: number): string | null {
  const note = listEntries(log, 'note').find((one) => one.round === round && one.text.startsWith(UNCHECKED));
  return note?.text.slice(UNCHECKED.length).replace(/\.$/, '') ?? null;
}

/**
 * Returns the tool by which a turn of a round opens files that this roundtable wrote, and the list of those it has
 * opened. `apart`: not those of this round, since all write theirs before anybody sees another's.
 */
function tableReader({ parts: { folder }, log }: Session, round: number, { apart }: { readonly apart: boolean }) {
  const hidden = folder.at(`round-${round}/`);
  return readTool({
    root: folder.root,
    files: () => Object.keys(log.written).filter((file) => !apart || !file.startsWith(hidden)),
    read: (file) => readWords(folder.ownBytes(log, file)),
  });
}

interface AgentTurn {
  readonly round: number;
  readonly phase: Phase & ('opening' | 'speaking' | 'rebuttal');
  readonly name: string;
  readonly ask: string;
  readonly tools: readonly AgentTool[];
  /** The statements of this round that nothing bears out. */
  readonly flagged: readonly FlaggedStatement[];
  /** Why no check was made; null if one was. */
  readonly unchecked: string | null;
}

/**
 * Asks one agent to take its turn and returns what it says. In the opening it does not see what the others write. Beside
 * its tools it may open the files of the roundtable.
 */
async function hearAgent(session: Session, turn: AgentTurn): Promise<Reply> {
  const { round, phase, name, ask, tools } = turn;
  const { log, parts } = session;
  const left = requestsLeft(log, name, session.limits.budget_per_agent);
  const { tool, opened } = tableReader(session, round, { apart: phase === 'opening' });
  parts.say({ what: 'turn', round, phase, who: name, left });
  const heard = await session.hear({
    model: log.agents.find((one) => one.name === name)?.model ?? parts.settings.models.judge,
    system: AGENT_SYSTEM,
    task: [
      ...tagged(blocksOf(session, turn, left)),
      `${turnAddress(round, phase, name, countTurns(log, round, phase, name) + 1)}\n\n${ask}`,
    ],
    tools: [...tools, tool],
  });
  return withOpened(heard, opened);
}

function withOpened(heard: Reply, opened: readonly string[]): Reply {
  return opened.length === 0 ? heard : { ...heard, read: [...opened] };
}

function blocksOf(
  session: Session,
  { round, phase, name, flagged, unchecked }: AgentTurn,
  left: number,
): PromptBlock[] {
  const { log, parts } = session;
  const said = phase === 'opening' ? [] : [saidSoFar(log, round), flaggedBlock(flagged, unchecked)];
  return [
    ...sharedBlocks(parts.briefing, log, round, { name, requestsLeft: left }),
    ...said,
    ...resultsFor(session, round, name),
  ];
}

/** The results of the agent's own requests and of the judge's checks, and the agents that the judge has halted. */
function resultsFor(session: Session, round: number, name: string): PromptBlock[] {
  const { log } = session;
  const halts = listEntries(log, 'halt').filter((halt) => halt.flagged && halt.round >= round - 1);
  return [
    { name: 'evidence', lines: results(log, name, round) },
    { name: 'checks', lines: results(log, 'judge', round) },
    { name: 'halts', lines: halts.map((halt) => ({ agent: halt.agent, round: halt.round, reason: halt.reason })) },
  ];
}

/** The result of a request. `id`: the number of the request. */
interface Arrival extends SessionAnswer {
  readonly id: number;
  readonly round: number;
}

/** The requests that are being looked up, and the results that have arrived and await handling. */
class Requests implements Disposable {
  readonly #session: Session;
  readonly #lookups = new Map<number, AbortController>();
  readonly #arrived: Arrival[] = [];
  #wake: () => void = () => {};

  constructor(session: Session) {
    this.#session = session;
  }

  /** Starts a lookup. Its result joins the arrivals. */
  send(id: number, round: number, by: string, text: string): void {
    const stop = new AbortController();
    this.#lookups.set(id, stop);
    void this.#lookUp(text, by, AbortSignal.any([stop.signal, this.#session.parts.abort])).then((answer) => {
      this.#lookups.delete(id);
      this.#arrived.push({ ...answer, id, round });
      this.#wake();
    });
  }

  /** Stops a lookup whose time is up. A result may still arrive. */
  giveUp(id: number): void {
    this.#lookups.get(id)?.abort(new Error('Its time was up.'));
  }

  /** Removes and returns the arrivals, oldest first. */
  take(): Arrival[] {
    return this.#arrived.splice(0);
  }

  /**
   * Resolves when a result has arrived, or after `ms` milliseconds. Rejects with the reason of the session's abort
   * signal.
   */
  async arrival(ms: number): Promise<void> {
    const { abort } = this.#session.parts;
    abort.throwIfAborted();
    if (this.#arrived.length > 0) return;
    let timer: NodeJS.Timeout | undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.max(1, ms));
      abort.addEventListener('abort', () => resolve(), { once: true });
    });
    await woken;
    clearTimeout(timer);
    abort.throwIfAborted();
  }

  [Symbol.dispose](): void {
    for (const stop of this.#lookups.values()) stop.abort(new Error('The roundtable is over.'));
  }

  async #lookUp(text: string, by: string, abort: AbortSignal): Promise<SessionAnswer> {
    const { evidence, now } = this.#session.parts;
    const began = now();
    try {
      if (evidence === null) throw new Error('This roundtable has no registered files.');
      return await evidence.answer(text, by, abort);
    } catch (error) {
      const seconds = Math.max(0, now() - began) / 1000;
      return { ok: false, text: `It could not be looked up: ${errorReason(error)}`, by: 'none', seconds, usage: null };
    }
  }
}

/**
 * Hands each arrival to the agent that waits for it, drops late ones, and gives up lookups whose time is up. All of it
 * is logged. Returns the queue after that.
 */
function handleArrivals(session: Session, requests: Requests, before: Queue): Queue {
  const { limits } = session;
  const { now } = session.parts;
  const current = requests.take().reduce((queue, { id, round, ok, text, by, seconds, usage }) => {
    const { queue: after, taken } = answered(queue, id);
    session.add({ what: 'result', round, id, standing: taken ? 'taken' : 'late', ok, text, by, seconds, usage });
    return after;
  }, before);
  const { queue, givenUp } = expired(current, now(), limits.timeout_seconds * 1000);
  for (const id of givenUp) {
    requests.giveUp(id);
    session.add(timeout(session, id));
  }
  return queue;
}

function timeout({ log, limits }: Session, id: number): Untimed<Result> {
  const round = log.entries.find((one) => one.what === 'asked' && one.id === id)?.round ?? 1;
  const seconds = limits.timeout_seconds;
  return { what: 'result', round, id, standing: 'timeout', ok: false, text: '', by: 'none', seconds, usage: null };
}

const MAX_TEXT = 2_000;

/**
 * Returns the log entries of the requests in one message, numbered on from the log. `refusalOf`: why the request at an
 * index is not looked up, or null if it is.
 */
function requestEntries(
  log: RoundtableLog,
  round: number,
  by: string,
  texts: readonly string[],
  refusalOf: (at: number) => string | null,
): Untimed<RequestEntry>[] {
  const first = nextRequest(log);
  return texts.map((text, at) => ({
    what: 'asked',
    round,
    id: first + at,
    by,
    text: text.slice(0, MAX_TEXT).toWellFormed(),
    refused: refusalOf(at),
  }));
}

/** How many checks the judge may ask for in one round. */
const CHECKS_A_ROUND = 3;

/** Returns the log entries of the judge's requests for checks. Those beyond the limit are refused. */
function checkEntries({ log, parts }: Session, round: number, texts: readonly string[]): Untimed<Entry>[] {
  return requestEntries(log, round, 'judge', texts, (at) => {
    if (parts.evidence === null) return 'there is no evidence here';
    return at < CHECKS_A_ROUND ? null : `${CHECKS_A_ROUND} checks a round`;
  });
}

/** Looks up all checks of a round at once and waits for them. Their results go to everybody. */
async function runChecks(session: Session, requests: Requests, round: number): Promise<void> {
  const { limits } = session;
  const { now } = session.parts;
  const answered = new Set(listEntries(session.log, 'result').map(({ id }) => id));
  const open = listEntries(session.log, 'asked').filter(
    (one) => one.by === 'judge' && one.round === round && one.refused === null && !answered.has(one.id),
  );
  for (const { id, text } of open) requests.send(id, round, 'judge', text);
  const since = now();
  let queue: Queue = {
    ...makeTurnQueue([]),
    line: open.map(({ id }) => ({ name: `check ${id}`, left: 0, request: { id, since } })),
  };
  while (queue.line.some(({ request }) => request !== null)) {
    await requests.arrival(since + limits.timeout_seconds * 1000 - now());
    queue = handleArrivals(session, requests, queue);
  }
}

/** `written_by` of a judge's file that the program wrote. */
const FALLBACK_JUDGE = 'steward-fallback';

/** Returns the text of a judge's file: what the judge wrote, and below it what the program counted. */
export function judgeNote(id: string, round: number, writtenBy: string, parts: readonly string[]): string {
  return noteText({ roundtable: id, round, written_by: writtenBy }, parts.filter((part) => part !== '').join('\n\n'));
}

function agentNote(id: string, round: number, agent: string, writtenBy: string, content: string): string {
  return noteText({ roundtable: id, round, agent, written_by: writtenBy }, sanitize(content));
}

function citingOf({ parts, log }: Session, cited: readonly CitationCheck[]): Citing[] {
  return parts.briefing.agents.map(({ name }) => {
    const own = cited.filter(({ agent }) => agent === name);
    const good = own.filter(({ finding }) => finding === 'borne-out');
    return {
      agent: name,
      supported: good.length,
      lines: good.filter(({ cites }) => cites).length,
      unsupported: own.filter(({ finding }) => finding === 'unsupported').length,
      halts: listEntries(log, 'halt').filter((one) => one.agent === name && one.flagged).length,
    };
  });
}

async function citationTable(session: Session, round: number): Promise<string> {
  const { cited, unchecked } = await citedSoFar(session);
  return citationSection(round, unchecked === null ? citingOf(session, cited) : { unchecked });
}

/**
 * Returns the section below the summary of a round: for each phase its elapsed time, and the sum of its agents' times.
 */
function runTable(log: RoundtableLog, round: number): string {
  // A verdict that was cut off is given again: the last one counts.
  const ran = new Map(listEntries(log, 'ran').flatMap((one) => (one.round === round ? [[one.phase, one]] : [])));
  const together = sumOf([...ran.values()]);
  const rows = [...ran.values(), together].map((one) => ({
    ...{ phase: one.phase, agents: one.agents, parallel: parallel(one) },
    ...{ wall: figure(one.wall_seconds), sum: figure(one.agents_seconds) },
  }));
  const files = listPhaseTurns(log, round, 'opening').flatMap(({ file }) => (file === null ? [] : [file.state]));
  const byAgents = files.filter((state) => state === 'written' || state === 'found').length;
  const fallbacks = files.filter((state) => state === 'fallback').length;
  return runSection(rows, { all: files.length, own: byAgents, fromReplies: fallbacks });
}

type Row = Pick<PhaseEntry, 'wall_seconds' | 'agents_seconds' | 'agents'> & { readonly phase: string };

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

function tensionsFrom(log: RoundtableLog, round: number): string {
  const lines = listPhaseTurns(log, round, 'opening').flatMap(({ who, text }) =>
    (parseReply(text ?? '').tensions ?? []).map(
      ({ id, label, text: tension }) => `- ${id} [${label}] ${who}: ${tension}`,
    ),
  );
  return tensionSection(lines);
}

function resultOf(session: Session, round: number, summary: string | null): RoundResult {
  const agents = session.parts.briefing.agents.map(({ name }) => name);
  const read = summary === null ? null : readSummary(summary, agents);
  const claimed = positionsIn(session, round);
  const moves = listPhaseTurns(session.log, round, 'opening').flatMap(({ who, text }) => {
    const moved = parseReply(text ?? '').moves;
    return moved ? [`${who}: ${moved}`] : [];
  });
  if (read === null) return { established: [], withdrawn: [], positions: claimed, open: null, shifts: moves };
  return { ...read, positions: { ...claimed, ...read.positions } };
}

function positionsIn(session: Session, round: number): Record<string, string> {
  return Object.fromEntries(
    listPhaseTurns(session.log, round, 'opening').flatMap(({ who, text }): [string, string][] => {
      const { claim } = parseReply(text ?? '');
      return claim === null ? [] : [[who, claim]];
    }),
  );
}

/**
 * Returns the debate without established lines whose figures and places nothing supports. They become open questions.
 * If no check was possible, only what was established before stays so.
 */
async function withoutUnsupported(session: Session, debate: Debate): Promise<Debate> {
  const { beside, unchecked } = await citedSoFar(
    session,
    debate.established.map((text) => ({ agent: 'judge', text })),
  );
  const before = unchecked === null ? null : new Set(summariseDebate(session.log).established);
  const isSupported = (line: string, at: number) =>
    before?.has(line) ??
    (beside.get(at) ?? []).every(({ finding }) => finding !== 'unsupported' && finding !== 'repeated');
  const doubtful = debate.established.filter((line, at) => !isSupported(line, at));
  if (doubtful.length === 0) return debate;
  const why = unchecked === null ? 'Not confirmed' : 'Not checked';
  const open = [...debate.open, ...doubtful.map((line) => `${why}: ${line}`)];
  return { ...debate, established: debate.established.filter(isSupported), open };
}

/** Returns whether no agent sees a conflict and none has moved. Decides where the judge does not say. */
function hasConverged(session: Session, round: number): boolean {
  const replies = listPhaseTurns(session.log, round, 'opening').map(({ text }) => parseReply(text ?? ''));
  return (
    round > 1 && replies.length > 0 && replies.every(({ tensions, moves }) => tensions?.length === 0 && moves === '')
  );
}

interface Ruling {
  readonly halts: readonly { readonly agent: string; readonly reason: string }[];
  /** Whether the debate has converged, in the judge's words; null if it does not say. */
  readonly converged: boolean | null;
}

const HALT = /^[\s>*_-]{0,8}HALT[*_]{0,3}\s?\[?`?([\p{L}\p{N}_-]{1,40})`?\]?[*_]{0,3}\s?:(.{0,400})$/gimu;
const CONVERGED = /^[\s>*_#-]{0,8}Convergence[*_]{0,3}\s?:[\s*_]{0,4}(yes|no|reached|not reached)\b/im;

/**
 * Reads the judge's orders: `HALT [agent]: fabricated data`, `Convergence: yes`. Ignores halts of anybody but these
 * agents.
 */
export function readRuling(text: string, agents: readonly string[]): Ruling {
  const halts = [...text.matchAll(HALT)].flatMap(({ 1: written = '', 2: reason = '' }) => {
    const agent = agents.find((name) => name.toLowerCase() === written.toLowerCase());
    return agent === undefined ? [] : [{ agent, reason: clipped(joinLines(reason), 200) }];
  });
  const word = CONVERGED.exec(text)?.[1]?.toLowerCase() ?? null;
  return { halts, converged: word === null ? null : word === 'yes' || word === 'reached' };
}

function ranOf(
  round: number,
  phase: Phase,
  said: readonly Pick<SpokenEntry, 'who' | 'seconds'>[],
  wall: number,
): Untimed<Extract<Entry, Pick<PhaseEntry, 'what'>>> {
  return {
    what: 'ran',
    round,
    phase,
    wall_seconds: wall,
    agents_seconds: said.reduce((sum, { seconds }) => sum + seconds, 0),
    agents: new Set(said.map(({ who }) => who)).size,
  };
}

/** Returns how many seconds of the clock these turns filled; those in which several spoke at once count once. */
export function secondsCovered(said: readonly Pick<SpokenEntry, 'at' | 'seconds'>[]): number {
  const spans = said.map(({ at, seconds }) => ({ from: Date.parse(at) - seconds * 1000, to: Date.parse(at) }));
  let [covered, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    covered += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return covered / 1000;
}

/** The judge reads what was said, halts agents that made something up, and asks for checks. */
async function review(session: Session, requests: Requests, round: number): Promise<void> {
  if (listPhaseTurns(session.log, round, 'review').length === 0) {
    const heard = await hearJudge(session, round, 'review', JUDGE_ASKS.review, []);
    const text = heard.text ?? '';
    session.add(
      { what: 'said', round, phase: 'review', who: 'judge', ...heard, request: null, file: null },
      ...haltEntries(session, round, rulingIn(session, text)),
      ...checkEntries(session, round, parseRequests(text)),
    );
  }
  await runChecks(session, requests, round);
}

/** The judge closes the round with its three files. Returns whether the debate has converged. */
async function verdict(session: Session, round: number): Promise<boolean> {
  const { folder } = session.parts;
  const files = ['scoreboard.md', 'tensions.md', `round-${round}.summary.md`].map((name) => folder.at(name));
  const drafts = new Map<string, string>();
  const tool = writeTool({ root: folder.root, files, write: (file, content) => void drafts.set(file, content) });
  const heard = await hearJudge(session, round, 'verdict', JUDGE_ASKS.verdict(files), [tool]);
  const ruled = rulingIn(session, heard.text ?? '');
  // First, since the scoreboard counts the halts and the summary says how long the judge took.
  session.add(
    ...haltEntries(session, round, ruled),
    ranOf(round, 'verdict', [{ who: 'judge', ...heard }], heard.seconds),
  );
  const [scoreboard = '', tensions = '', summary = ''] = files;
  const result = resultOf(session, round, drafts.get(summary) ?? null);
  const debate = await withoutUnsupported(session, advance(summariseDebate(session.log), result));
  writeNote(session, round, scoreboard, drafts, '', await citationTable(session, round));
  writeNote(session, round, tensions, drafts, tensionsFrom(session.log, round), '');
  writeNote(session, round, summary, drafts, debateText(debate), runTable(session.log, round));
  const converged = ruled.converged ?? hasConverged(session, round);
  session.add(
    { what: 'said', round, phase: 'verdict', who: 'judge', ...heard, request: null, file: null },
    { what: 'closed', round, converged, debate },
  );
  return converged;
}

async function hearJudge(
  session: Session,
  round: number,
  phase: Phase & ('review' | 'verdict'),
  ask: string,
  tools: Parameters<Session['hear']>[0]['tools'],
): Promise<Reply> {
  const { briefing, settings, say } = session.parts;
  const { flagged, unchecked } = await logFlags(session, round);
  const { tool, opened } = tableReader(session, round, { apart: false });
  say({ what: 'turn', round, phase, who: 'judge', left: CHECKS_A_ROUND });
  const heard = await session.hear({
    model: settings.models.judge,
    system: JUDGE_SYSTEM,
    task: [
      ...tagged([
        ...sharedBlocks(briefing, session.log, round, null),
        saidSoFar(session.log, round),
        { name: 'evidence', lines: results(session.log, null, round) },
        { name: 'checks', lines: results(session.log, 'judge', round) },
        flaggedBlock(flagged, unchecked),
      ]),
      `${turnAddress(round, phase, 'judge', 1)}\n\n${ask}`,
    ],
    tools: [...tools, tool],
  });
  return withOpened(heard, opened);
}

/** Returns the unsupported figures and places of a round, each logged once before the judge reads it. */
async function logFlags(session: Session, round: number): Promise<Flagged> {
  const found = await unsupportedIn(session, round);
  if (found.unchecked !== null) sayUnchecked(session, round, `${UNCHECKED}${found.unchecked}.`);
  const flags = new Map(
    found.flagged.map((flagged) => {
      const one = { what: 'flag' as const, round, ...flagged };
      return [flagKey(one), one];
    }),
  );
  for (const known of listEntries(session.log, 'flag')) flags.delete(flagKey(known));
  session.add(...flags.values());
  return found;
}

function sayUnchecked(session: Session, round: number, text: string): void {
  const isSaid = listEntries(session.log, 'note').some((one) => one.round === round && one.text === text);
  if (!isSaid) session.add({ what: 'note', round, text });
}

function flagKey({ round, agent, figure, sentence }: Pick<Flag, 'round' | 'agent' | 'figure' | 'sentence'>): string {
  return JSON.stringify([round, agent, figure, sentence]);
}

function rulingIn({ parts }: Session, text: string): Ruling {
  return readRuling(
    text,
    parts.briefing.agents.map(({ name }) => name),
  );
}

/**
 * Returns the log entries of a ruling's halts, one per agent and round. A halt counts only if a figure of the agent was
 * flagged; otherwise it is logged as the judge's opinion.
 */
function haltEntries({ log }: Session, round: number, ruled: Ruling): Untimed<Entry>[] {
  const before = listEntries(log, 'halt').filter((one) => one.round === round);
  const flags = listEntries(log, 'flag').filter((one) => one.round === round);
  const fresh = new Map(ruled.halts.map((one) => [one.agent, one.reason]));
  for (const { agent } of before) fresh.delete(agent);
  return [...fresh].map(([agent, reason]) => {
    const flagged = flags.some((one) => one.agent === agent);
    return { what: 'halt', round, agent, reason, flagged };
  });
}

/**
 * Writes one of the judge's files: its draft, or `instead` if there is no draft, with `added` below. A failure is
 * logged.
 */
function writeNote(
  session: Session,
  round: number,
  file: string,
  drafts: ReadonlyMap<string, string>,
  instead: string,
  added: string,
): void {
  const draft = drafts.get(file);
  const text = judgeNote(session.log.id, round, draft === undefined ? FALLBACK_JUDGE : 'judge', [
    sanitize(draft ?? instead),
    added,
  ]);
  try {
    session.parts.folder.write(session.log, file, text);
  } catch (error) {
    session.add({ what: 'note', round, text: errorReason(error) });
  }
}

/** `written_by` of a file that the program wrote from an agent's reply. */
const FALLBACK = 'judge-fallback';

/** All agents write at once, each its own file. Those who wrote theirs before a crash are not asked again. */
async function openRound(session: Session, round: number): Promise<void> {
  const done = new Set(listPhaseTurns(session.log, round, 'opening').map(({ who }) => who));
  const waiting = session.parts.briefing.agents.filter(({ name }) => !done.has(name));
  const ended = await Promise.allSettled(waiting.map((agent) => open(session, round, agent)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function open(session: Session, round: number, { name }: Participant): Promise<void> {
  const { folder } = session.parts;
  const file = session.parts.folder.at(`round-${round}/${fold(name)}.md`);
  const write = (_: string, content: string) =>
    folder.write(session.log, file, agentNote(session.log.id, round, name, name, content));
  const tools = [writeTool({ root: folder.root, files: [file], write })];
  const ask = AGENT_ASKS.opening(file);
  const heard = await hearAgent(session, { round, phase: 'opening', name, ask, tools, flagged: [], unchecked: null });
  const checked = checkFile(session, round, name, file, heard);
  const texts = parseRequests(heard.text ?? '');
  const refused = requestEntries(session.log, round, name, texts, () => 'no requests before all have opened');
  session.add({ what: 'said', round, phase: 'opening', who: name, ...heard, request: null, file: checked }, ...refused);
}

/**
 * Compares what an agent says about its file with the disk (contract, section 14), and writes it from the reply if it
 * is missing.
 */
function checkFile(session: Session, round: number, name: string, file: string, { text }: Reply): SpokenEntry['file'] {
  const { folder } = session.parts;
  const claimed = text === null ? null : parseReply(text).file;
  const isThere = (readBody(folder.ownBytes(session.log, file)) ?? '') !== '';
  if (isThere && claimed !== null && isClaimed(folder, file, claimed)) {
    return { path: file, state: 'written', reason: null };
  }
  const reason =
    claimed === null ? 'its reply names no file' : `its reply names ${JSON.stringify(claimed.slice(0, 200))}`;
  if (isThere) return { path: file, state: 'found', reason };
  if (text === null) return { path: file, state: 'missing', reason: 'it wrote no file and gave no reply' };
  try {
    folder.write(session.log, file, agentNote(session.log.id, round, name, FALLBACK, text));
    return {
      path: file,
      state: 'fallback',
      reason: claimed === null ? 'it wrote no file' : `${reason}, which it did not write`,
    };
  } catch (error) {
    return { path: file, state: 'missing', reason: errorReason(error) };
  }
}

// The path may be the one it was told, or relative to the roundtable's folder.
function isClaimed(folder: Folder, file: string, claimed: string): boolean {
  return isSame(folder.root, file, claimed) || isSame(folder.root, file, folder.at(claimed.replace(/^\.\//, '')));
}

/** The result of one lookup. `by`: who or what looked; `seconds`: for how long. */
export interface SessionAnswer {
  readonly ok: boolean;
  readonly text: string;
  readonly by: string;
  readonly seconds: number;
  readonly usage: Usage | null;
}

/** Looks things up in the registered files. */
export interface Evidence {
  /** The registered files themselves, in which places that are cited are looked for. */
  readonly files: readonly RegisteredFile[];
  /** Looks up one request of an agent. Rejects with the reason of the signal. */
  answer(request: string, agent: string, abort: AbortSignal): Promise<SessionAnswer>;
}

/** The limits of a roundtable. Those that are settings have the names of the settings. */
export interface SessionLimits {
  readonly budget_per_agent: number;
  readonly timeout_seconds: number;
  /** How long one agent may take to answer. */
  readonly patience_seconds: number;
}

/** A report while a roundtable runs: each entry of the log, and who speaks next. */
export type SessionProgress =
  | Entry
  | {
      readonly what: 'turn';
      readonly round: number;
      readonly phase: Phase;
      readonly who: string;
      readonly left: number;
    };

/** How a roundtable is held. */
export interface SessionSettings {
  readonly limits: SessionLimits;
  readonly models: { readonly agents: string; readonly judge: string };
  /** Why there is no evidence; null if there is some. */
  readonly noEvidence: string | null;
  /** Whether the agents' replies come from a file. */
  readonly recorded: boolean;
}

interface SessionParts {
  readonly briefing: Briefing;
  readonly folder: Folder;
  readonly agent: Agent;
  /** Null if no evidence can be asked for; the settings say why. */
  readonly evidence: Evidence | null;
  readonly settings: SessionSettings;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly say: (progress: SessionProgress) => void;
  readonly abort: AbortSignal;
}

/** The result of one turn. `text` is null if there was no answer; `failure` says why. */
interface Reply {
  readonly text: string | null;
  readonly failure: string | null;
  readonly seconds: number;
  readonly usage: Usage | null;
  /** The files of the roundtable that were opened; absent if no file was. */
  readonly read?: string[];
}

/** One turn of a model: its prompt and its tools. */
interface Turn {
  readonly model: string;
  readonly system: string;
  readonly task: readonly string[];
  readonly tools: readonly AgentTool[];
}

const MAX_TOKENS = 4_000;
const MAX_TURNS = 6;

/** An entry without its time. */
type Untimed<One extends Entry> = One extends Entry ? Omit<One, 'at'> : never;

/** One running roundtable: its parts, its log, and the way an agent is asked. */
class Session {
  readonly parts: SessionParts;
  readonly log: RoundtableLog;

  constructor(parts: SessionParts, log: RoundtableLog) {
    this.parts = parts;
    this.log = log;
  }

  get limits(): SessionLimits {
    return this.parts.settings.limits;
  }

  /**
   * Adds entries to the log in one write. They are on disk when this returns. Throws a `StewardError` if that fails.
   */
  add(...entries: readonly Untimed<Entry>[]): void {
    const timed = entries.map((entry): Entry => ({ at: iso(this.parts.now()), ...entry }));
    if (timed.length === 0) return;
    this.log.entries.push(...timed);
    this.parts.folder.save(this.log);
    for (const entry of timed) this.parts.say(entry);
  }

  /**
   * Asks a model and returns what it says, cut short if it is too long. Silence is not an error. Rejects if the
   * provider takes no requests at present, since every other turn would fail too, and with the reason of the abort
   * signal.
   */
  async hear({ model, system, task, tools }: Turn): Promise<Reply> {
    const { agent, abort, now } = this.parts;
    const { patience_seconds } = this.limits;
    const began = now();
    const patience = AbortSignal.timeout(patience_seconds * 1000);
    const errand = {
      model,
      system: [system],
      task,
      tools: [...tools],
      maxTurns: tools.length === 0 ? 1 : MAX_TURNS,
      maxTokens: MAX_TOKENS,
      now: began,
    };
    const stop = AbortSignal.any([abort, patience]);
    try {
      const report = await abortable(stop, agent.send(errand, stop));
      return { ...readReport(report), seconds: this.#since(began) };
    } catch (error) {
      if (abort.aborted) throw abort.reason;
      if (patience.aborted) return this.#silent(`no answer within ${patience_seconds} s`, began);
      if (concernsAll(error)) throw error;
      return this.#silent(errorReason(error), began);
    }
  }

  #silent(failure: string, began: number): Reply {
    return { text: null, failure, seconds: this.#since(began), usage: null };
  }

  #since(began: number): number {
    return Math.max(0, this.parts.now() - began) / 1000;
  }
}

function readReport({ text, finished, usage }: AgentReport): Omit<Reply, 'seconds'> {
  const whole = text.trim();
  if (whole === '') return { text: null, failure: 'it said nothing', usage };
  const isLong = whole.length > MAX_MESSAGE;
  const failure = isLong ? `cut short: it had ${whole.length} characters` : finished ? null : "it didn't finish";
  return { text: isLong ? whole.slice(0, MAX_MESSAGE).toWellFormed() : whole, failure, usage };
}

/**
 * Whether the next turn would fail for the same reason: no key, no money, no connection, the provider asks to wait, or what
 * is asked of the vault cannot be done just now.
 */
function concernsAll(error: unknown): boolean {
  if (error instanceof StewardError) return error.exit === EXIT.tryAgain;
  if (!(error instanceof UnansweredError)) return false;
  if (error.retryAfter !== undefined) return true;
  return !error.sent && !(error instanceof ProviderError && ['rejected', 'too-long'].includes(error.failure));
}

/**
 * All speak in turn. An agent who asks for evidence goes to the back of the queue, and speaks again with the result.
 */
async function speak(session: Session, requests: Requests, round: number): Promise<void> {
  const { limits } = session;
  const { briefing, now } = session.parts;
  const names = briefing.agents.map(({ name }) => name);
  const { flagged, unchecked } = await unsupportedIn(session, round); // in the openings, and before a crash in what was said since
  let queue = queueFrom(session.log, round, names, limits.budget_per_agent, now());
  for (const pending of pendingIn(queue)) resend(session, requests, round, pending);
  for (let paused = false; ; ) {
    queue = handleArrivals(session, requests, queue);
    const step = next(queue);
    if (step.do === 'end') return;
    if (step.do === 'intermission') {
      if (!paused) session.add({ what: 'intermission', round, waiting: queue.line.map(({ name }) => name) });
      await requests.arrival(step.oldest.since + limits.timeout_seconds * 1000 - now());
    } else queue = await turn(session, requests, queue, { round, name: step.agent, flagged, unchecked });
    paused = step.do === 'intermission';
  }
}

/** All answer once more, in reverse order. Requests are refused in this phase. */
async function rebut(session: Session, round: number): Promise<void> {
  const done = new Set(listPhaseTurns(session.log, round, 'rebuttal').map(({ who }) => who));
  const flagged = listEntries(session.log, 'flag').filter((one) => one.round === round);
  const unchecked = uncheckedIn(session.log, round);
  for (const { name } of session.parts.briefing.agents.toReversed()) {
    if (done.has(name)) continue;
    const asked = {
      round,
      phase: 'rebuttal',
      name,
      ask: AGENT_ASKS.rebuttal,
      tools: [],
      flagged,
      unchecked,
    } as const;
    const heard = await hearAgent(session, asked);
    const texts = parseRequests(heard.text ?? '');
    const refused = requestEntries(session.log, round, name, texts, () => 'no requests in the rebuttal');
    session.add({ what: 'said', round, phase: 'rebuttal', who: name, ...heard, request: null, file: null }, ...refused);
  }
}

/** Who speaks, in which round, and what was flagged in it before. */
interface Speaking {
  readonly round: number;
  readonly name: string;
  readonly flagged: readonly FlaggedStatement[];
  readonly unchecked: string | null;
}

// A message and its requests are logged in one write, so that a crash keeps both or neither.
async function turn(session: Session, requests: Requests, queue: Queue, who: Speaking): Promise<Queue> {
  const { round, name } = who;
  const heard = await hearAgent(session, { ...who, phase: 'speaking', ask: AGENT_ASKS.speaking, tools: [] });
  const texts = parseRequests(heard.text ?? '');
  const { evidence, now } = session.parts;
  const id = nextRequest(session.log);
  const pending = texts.length === 0 || evidence === null ? null : { id, since: now() };
  const spoken = spoke(queue, name, pending);
  const request = spoken.refused || pending === null ? null : id;
  const why = evidence === null ? 'there is no evidence here' : 'it has used all its requests';
  const asked = requestEntries(session.log, round, name, texts, (at) => {
    if (at > 0) return 'one request at a time';
    return request === null ? why : null;
  });
  session.add({ what: 'said', round, phase: 'speaking', who: name, ...heard, request, file: null }, ...asked);
  if (request !== null) requests.send(request, round, name, texts[0] ?? '');
  return spoken.queue;
}

function pendingIn({ line }: Queue): Pending[] {
  return line.flatMap(({ request }) => (request === null ? [] : [request]));
}

// After a crash, requests without a result are looked up again.
function resend(session: Session, requests: Requests, round: number, { id }: Pending): void {
  const asked = listEntries(session.log, 'asked').find((one) => one.id === id);
  if (asked !== undefined) requests.send(id, round, asked.by, asked.text);
}

/**
 * Holds a roundtable to its end, or resumes one that was interrupted; one that has ended is only read. Returns its log.
 * Rejects if the provider takes no requests at present, and with the reason of the abort signal; the next call then
 * resumes it. Throws `roundtable-briefing-changed` if it began with another briefing.
 */
export async function holdRoundtable(parts: SessionParts): Promise<RoundtableLog> {
  const { briefing, folder, abort } = parts;
  const log = folder.readLog(briefing.id) ?? newLog(parts, null);
  if (log.ended_at !== null) return log;
  if (log.briefing_sha256 !== sha256(briefing.text)) throw otherBriefing(briefing);
  const session = new Session(parts, log);
  using requests = new Requests(session);
  for (let round = 1; round <= log.max_rounds; round += 1) {
    const closed = listEntries(log, 'closed').find((one) => one.round === round);
    const converged = closed?.converged ?? (await holdRound(session, requests, round));
    abort.throwIfAborted();
    if (converged) return end(session, 'converged');
  }
  return end(session, 'max_rounds');
}

async function holdRound(session: Session, requests: Requests, round: number): Promise<boolean> {
  await timed(session, round, 'opening', () => openRound(session, round));
  await timed(session, round, 'speaking', () => speak(session, requests, round));
  await timed(session, round, 'review', () => review(session, requests, round));
  handleArrivals(session, requests, makeTurnQueue([])); // whatever arrives now is late
  await timed(session, round, 'rebuttal', () => rebut(session, round));
  return verdict(session, round);
}

/** Runs one phase of a round and logs how long it took. A phase that the log says has run is skipped. */
async function timed(session: Session, round: number, phase: Phase, work: () => Promise<void>): Promise<void> {
  const { log, parts } = session;
  if (listEntries(log, 'ran').some((one) => one.round === round && one.phase === phase)) return;
  const began = parts.now();
  const before = secondsCovered(listPhaseTurns(log, round, phase)); // where it was cut off and goes on now
  await work();
  session.add(ranOf(round, phase, listPhaseTurns(log, round, phase), before + Math.max(0, parts.now() - began) / 1000));
}

/** Returns the log of a roundtable that has not begun. `event`: the name of the note it is convened about, or null. */
export function newLog(
  { briefing, settings, now }: Pick<SessionParts, 'briefing' | 'settings' | 'now'>,
  event: string | null,
): RoundtableLog {
  const { models, noEvidence, recorded } = settings;
  return {
    schemaVersion: 1,
    id: briefing.id,
    question: briefing.question,
    agents: briefing.agents.map(({ name, role, model }) => ({ name, role, model: model ?? models.agents })),
    max_rounds: briefing.maxRounds,
    briefing_sha256: sha256(briefing.text),
    convened_for: event,
    no_evidence: noEvidence,
    recorded,
    started_at: iso(now()),
    ended_at: null,
    ended: null,
    written: {},
    entries: [],
  };
}

function end({ log, parts }: Session, how: 'converged' | 'max_rounds'): RoundtableLog {
  log.ended_at = iso(parts.now());
  log.ended = how;
  parts.folder.save(log);
  return log;
}

/** Returns the error of a roundtable that began with another briefing than the present one. */
export function otherBriefing({ file, folder }: Briefing): StewardError {
  return new StewardError({
    code: 'roundtable-briefing-changed',
    file,
    message: 'The briefing has changed since this roundtable began, so it stops here.',
    hint: `Restore the text of the briefing, or copy it into a new folder next to ${folder} and run it there.`,
  });
}
