import { parseRequests } from '../../evidence/request.ts';
import { reasonOf } from '../../vault/errors.ts';
import { advance, debateText } from '../log/debate.ts';
import { type Entry, entriesOf, type Flag, type Phase, saidIn } from '../log/log.ts';
import { debateOf } from '../log/log-fold.ts';
import { addressOf, results, saidSoFar, sharedBlocks, tagged } from '../notes/prompt-context.ts';
import { sanitize } from '../notes/sanitize.ts';
import { writeTool } from '../notes/write-tool.ts';
import { JUDGE_ASKS, JUDGE_SYSTEM } from '../prompts/judge.ts';
import { withOpened } from './agent-turn.ts';
import { CHECKS_A_ROUND, checkEntries, runChecks } from './checks.ts';
import { type Flagged, flaggedBlock, uncheckedNote, unsupportedIn } from './flags.ts';
import { citationTable, FALLBACK_JUDGE, judgeNote, runTable, tensionsFrom } from './judge-notes.ts';
import type { Requests } from './requests.ts';
import { tableReader } from './round-files.ts';
import { hasConverged, resultOf, withoutUnsupported } from './round-result.ts';
import { type Ruling, readRuling } from './ruling.ts';
import { ranOf } from './running-time.ts';
import type { Heard, Session, Untimed } from './session.ts';

/** The judge reads what was said, halts agents that made something up, and asks for checks. */
export async function review(session: Session, requests: Requests, round: number): Promise<void> {
  if (saidIn(session.log, round, 'review').length === 0) {
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
export async function verdict(session: Session, round: number): Promise<boolean> {
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
  const debate = await withoutUnsupported(session, advance(debateOf(session.log), result));
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
): Promise<Heard> {
  const { briefing, settings, say } = session.parts;
  const { flagged, unchecked } = await logFlags(session, round);
  const view = { round, quoted: session.quotedBefore(round) };
  const { tool, opened } = tableReader(session, round, { apart: false });
  say({ what: 'turn', round, phase, who: 'judge', left: CHECKS_A_ROUND });
  const heard = await session.hear({
    model: settings.models.judge,
    system: JUDGE_SYSTEM,
    task: [
      ...tagged([
        ...sharedBlocks(briefing, session.log, round, null),
        saidSoFar(session.log, round),
        { name: 'evidence', lines: results(session.log, null, view) },
        { name: 'checks', lines: results(session.log, 'judge', view) },
        flaggedBlock(flagged, unchecked),
      ]),
      `${addressOf(round, phase, 'judge', 1)}\n\n${ask}`,
    ],
    tools: [...tools, tool],
  });
  return withOpened(heard, opened);
}

/** Returns the unsupported figures and places of a round, each logged once before the judge reads it. */
async function logFlags(session: Session, round: number): Promise<Flagged> {
  const found = await unsupportedIn(session, round);
  if (found.unchecked !== null) sayUnchecked(session, round, uncheckedNote(found.unchecked));
  const flags = new Map(
    found.flagged.map((flagged) => {
      const one = { what: 'flag' as const, round, ...flagged };
      return [flagKey(one), one];
    }),
  );
  for (const known of entriesOf(session.log, 'flag')) flags.delete(flagKey(known));
  session.add(...flags.values());
  return found;
}

function sayUnchecked(session: Session, round: number, text: string): void {
  const isSaid = entriesOf(session.log, 'note').some((one) => one.round === round && one.text === text);
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
 * Returns the log entries of a ruling's halts, one per agent and round. A halt counts only where a figure of the agent
 * was flagged; otherwise it is logged as the judge's opinion.
 */
function haltEntries({ log }: Session, round: number, ruled: Ruling): Untimed<Entry>[] {
  const before = entriesOf(log, 'halt').filter((one) => one.round === round);
  const flags = entriesOf(log, 'flag').filter((one) => one.round === round);
  const fresh = new Map(ruled.halts.map((one) => [one.agent, one.reason]));
  for (const { agent } of before) fresh.delete(agent);
  return [...fresh].map(([agent, reason]) => {
    const flagged = flags.some((one) => one.agent === agent);
    return { what: 'halt', round, agent, reason, flagged };
  });
}

/**
 * Writes one of the judge's files: its draft, or `instead` where it wrote none, with `added` below. A failure is
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
    session.add({ what: 'note', round, text: reasonOf(error) });
  }
}
