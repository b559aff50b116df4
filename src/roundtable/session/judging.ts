import { parseRequests } from '../../evidence/request.ts';
import { checkCitations } from '../claims/citations.ts';
import { advance, type Debate, debateText, type RoundResult, readSummary } from '../log/debate.ts';
import { type Entry, entriesOf, type Flag, type Phase, saidIn } from '../log/log.ts';
import { debateOf, nextRequest } from '../log/log-fold.ts';
import { type Queue, queueOf } from '../log/queue.ts';
import { addressOf, exhibited, ground, results, saidSoFar } from '../notes/prompt-context.ts';
import { parseReply } from '../notes/reply.ts';
import { sanitize } from '../notes/sanitize.ts';
import { citationsOf, sourcesOf, transcriptOf } from '../notes/transcript.ts';
import { writeTool } from '../notes/write-tool.ts';
import { JUDGE_ASKS, JUDGE_SYSTEM } from '../prompts/judge.ts';
import { asking, heed, type Requests } from './requests.ts';
import { type Ruling, readRuling } from './ruling.ts';
import type { Heard, Session, Untimed } from './session.ts';
import { citationTable, FALLBACK_JUDGE, judgeNote, runTable, tensionsFrom } from './sheets.ts';

const CHECKS_A_ROUND = 3;

/** The judge reads what was said, halts what was made up, and has looked up what would settle a point. */
export async function review(table: Session, requests: Requests, round: number): Promise<void> {
  if (saidIn(table.log, round, 'review').length === 0) {
    const heard = await hearJudge(table, round, 'review', JUDGE_ASKS.review, []);
    const text = heard.text ?? '';
    table.add(
      { what: 'said', round, phase: 'review', who: 'judge', ...heard, request: null, file: null },
      ...halts(table, round, ruling(table, text)),
      ...checks(table, round, parseRequests(text)),
    );
  }
  await runChecks(table, requests, round);
}

/** The judge closes the round: its three files, and whether another round is worth holding. */
export async function verdict(table: Session, round: number): Promise<boolean> {
  const { folder, root } = table.parts;
  const files = ['scoreboard.md', 'tensions.md', `round-${round}.summary.md`].map((name) => folder.at(name));
  const drafts = new Map<string, string>();
  const tool = writeTool({ root, files, write: (file, content) => void drafts.set(file, content) });
  const heard = await hearJudge(table, round, 'verdict', JUDGE_ASKS.verdict(files), [tool]);
  const ruled = ruling(table, heard.text ?? '');
  table.add(...halts(table, round, ruled)); // the scoreboard counts them
  const [scoreboard = '', tensions = '', summary = ''] = files;
  const result = resultOf(table, round, drafts.get(summary) ?? null);
  const debate = borneOut(table, advance(debateOf(table.log), result));
  put(table, round, scoreboard, drafts, '', citationTable(table, round));
  put(table, round, tensions, drafts, tensionsFrom(table.log, round), '');
  put(table, round, summary, drafts, debateText(debate), runTable(table.log, round));
  const converged = ruled.converged ?? hasConverged(table, round);
  table.add(
    { what: 'said', round, phase: 'verdict', who: 'judge', ...heard, request: null, file: null },
    { what: 'closed', round, converged, debate },
  );
  return converged;
}

async function hearJudge(
  table: Session,
  round: number,
  phase: Phase & ('review' | 'verdict'),
  ask: string,
  tools: Parameters<Session['hear']>[0]['tools'],
): Promise<Heard> {
  const { briefing, folder, judge, say } = table.parts;
  const flagged = flag(table, round);
  say({ what: 'turn', round, phase, who: 'judge', left: CHECKS_A_ROUND });
  return table.hear({
    model: judge,
    system: JUDGE_SYSTEM,
    task: [
      ...exhibited([
        ...ground(briefing, table.log, round, null),
        saidSoFar(transcriptOf(table.log, folder), round),
        { name: 'evidence', lines: results(table.log, null) },
        { name: 'checks', lines: results(table.log, 'judge') },
        { name: 'flagged', lines: flagged.map(({ agent, figure, sentence }) => ({ agent, figure, sentence })) },
      ]),
      `${addressOf(round, phase, 'judge', 1)}\n\n${ask}`,
    ],
    tools,
  });
}

/** What of this round nothing bears out; said once in the log, before the judge reads it. */
function flag(table: Session, round: number): readonly Pick<Flag, 'agent' | 'figure' | 'sentence'>[] {
  const { briefing, folder } = table.parts;
  const unsupported = citationsOf(table.log, briefing, folder).filter(
    (one) => one.round === round && one.finding === 'unsupported',
  );
  const found = new Map(
    unsupported.map(({ phase, agent, figure, sentence }) => {
      const one = { what: 'flag' as const, round, phase, agent, figure, sentence };
      return [flagKey(one), one];
    }),
  );
  for (const known of entriesOf(table.log, 'flag')) found.delete(flagKey(known));
  table.add(...found.values());
  return unsupported;
}

function flagKey({ round, agent, figure, sentence }: Pick<Flag, 'round' | 'agent' | 'figure' | 'sentence'>): string {
  return JSON.stringify([round, agent, figure, sentence]);
}

function ruling({ parts }: Session, text: string): Ruling {
  return readRuling(
    text,
    parts.briefing.agents.map(({ name }) => name),
  );
}

/** Halts count where a figure of that agent's was flagged; others are written down as the judge's opinion. Once a round each. */
function halts({ log }: Session, round: number, ruled: Ruling): Untimed<Entry>[] {
  const before = entriesOf(log, 'halt').filter((one) => one.round === round);
  const flags = entriesOf(log, 'flag').filter((one) => one.round === round);
  const fresh = new Map(ruled.halts.map((one) => [one.agent, one.reason]));
  for (const { agent } of before) fresh.delete(agent);
  return [...fresh].map(([agent, reason]) => {
    const flagged = flags.some((one) => one.agent === agent);
    return { what: 'halt', round, agent, reason, flagged };
  });
}

// --- checks ----------------------------------------------------------------------------------------------------------

function checks({ log, parts }: Session, round: number, texts: readonly string[]): Untimed<Entry>[] {
  const first = nextRequest(log);
  const tooMany = `${CHECKS_A_ROUND} checks a round`;
  return texts.map((text, at) => {
    const refused = parts.evidence === null ? 'there is no evidence here' : at < CHECKS_A_ROUND ? null : tooMany;
    return asking(round, first + at, 'judge', text, refused);
  });
}

/** Has all checks of a round looked up at once, and waits for them: their results go to everybody. */
async function runChecks(table: Session, requests: Requests, round: number): Promise<void> {
  const { limits, now } = table.parts;
  const answered = new Set(entriesOf(table.log, 'result').map(({ id }) => id));
  const open = entriesOf(table.log, 'asked').filter(
    (one) => one.by === 'judge' && one.round === round && one.refused === null && !answered.has(one.id),
  );
  for (const { id, text } of open) requests.send(id, round, 'judge', text);
  const since = now();
  let queue: Queue = {
    ...queueOf([]),
    line: open.map(({ id }) => ({ name: `check ${id}`, left: 0, request: { id, since } })),
  };
  while (queue.line.some(({ request }) => request !== null)) {
    await requests.arrival(since + limits.timeout_seconds * 1000 - now());
    queue = heed(table, requests, queue);
  }
}

// --- what a round came to --------------------------------------------------------------------------------------------

/** As the judge's summary has it; where it wrote none that can be read, as the agents' own claims do. */
function resultOf(table: Session, round: number, summary: string | null): RoundResult {
  const agents = table.parts.briefing.agents.map(({ name }) => name);
  const read = summary === null ? null : readSummary(summary, agents);
  const claims = claimsOf(table, round);
  const moves = saidIn(table.log, round, 'opening').flatMap(({ who, text }) => {
    const moved = parseReply(text ?? '').moves;
    return moved ? [`${who}: ${moved}`] : [];
  });
  if (read === null) return { established: [], withdrawn: [], positions: claims, open: null, shifts: moves };
  return { ...read, positions: { ...claims, ...read.positions } };
}

function claimsOf(table: Session, round: number): Record<string, string> {
  return Object.fromEntries(
    saidIn(table.log, round, 'opening').flatMap(({ who, text }): [string, string][] => {
      const { claim } = parseReply(text ?? '');
      return claim === null ? [] : [[who, claim]];
    }),
  );
}

// What nothing bears out is not established, whoever says so.
function borneOut(table: Session, debate: Debate): Debate {
  const { briefing, folder } = table.parts;
  const said = transcriptOf(table.log, folder);
  const lines = debate.established.map((text) => ({ agent: 'judge', text }));
  const checked = checkCitations([...said, ...lines], sourcesOf(table.log, briefing));
  const isHeld = (_: string, at: number) =>
    checked.every(
      ({ message, finding }) => message !== said.length + at || !['unsupported', 'repeated'].includes(finding),
    );
  const doubtful = debate.established.filter((line, at) => !isHeld(line, at));
  if (doubtful.length === 0) return debate;
  const open = [...debate.open, ...doubtful.map((line) => `Not borne out: ${line}`)];
  return { ...debate, established: debate.established.filter(isHeld), open };
}

// Where the judge does not say: nobody sees a conflict, and nobody moved.
function hasConverged(table: Session, round: number): boolean {
  const replies = saidIn(table.log, round, 'opening').map(({ text }) => parseReply(text ?? ''));
  return (
    round > 1 && replies.length > 0 && replies.every(({ tensions, moves }) => tensions?.length === 0 && moves === '')
  );
}

function put(
  table: Session,
  round: number,
  file: string,
  drafts: ReadonlyMap<string, string>,
  instead: string,
  added: string,
): void {
  const draft = drafts.get(file);
  const text = judgeNote(table.log.id, round, draft === undefined ? FALLBACK_JUDGE : 'judge', [
    sanitize(draft ?? instead),
    added,
  ]);
  try {
    table.parts.folder.write(table.log, file, text);
  } catch (error) {
    table.add({ what: 'note', round, text: error instanceof Error ? error.message : String(error) });
  }
}
