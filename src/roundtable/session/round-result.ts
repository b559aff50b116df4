import { type Debate, type RoundResult, readSummary } from '../log/debate.ts';
import { saidIn } from '../log/log.ts';
import { debateOf } from '../log/log-fold.ts';
import { parseReply } from '../notes/reply.ts';
import { citedSoFar } from './cited.ts';
import type { Session } from './session.ts';

/**
 * Returns what a round adds to the debate: from the judge's summary, or from the agents' own claims where it is missing
 * or unreadable.
 */
export function resultOf(session: Session, round: number, summary: string | null): RoundResult {
  const agents = session.parts.briefing.agents.map(({ name }) => name);
  const read = summary === null ? null : readSummary(summary, agents);
  const claimed = positionsIn(session, round);
  const moves = saidIn(session.log, round, 'opening').flatMap(({ who, text }) => {
    const moved = parseReply(text ?? '').moves;
    return moved ? [`${who}: ${moved}`] : [];
  });
  if (read === null) return { established: [], withdrawn: [], positions: claimed, open: null, shifts: moves };
  return { ...read, positions: { ...claimed, ...read.positions } };
}

function positionsIn(session: Session, round: number): Record<string, string> {
  return Object.fromEntries(
    saidIn(session.log, round, 'opening').flatMap(({ who, text }): [string, string][] => {
      const { claim } = parseReply(text ?? '');
      return claim === null ? [] : [[who, claim]];
    }),
  );
}

/**
 * Returns the debate without established lines whose figures and places nothing supports. They become open questions.
 * Where nothing could be checked, only what was established before stays so.
 */
export async function withoutUnsupported(session: Session, debate: Debate): Promise<Debate> {
  const { beside, unchecked } = await citedSoFar(
    session,
    debate.established.map((text) => ({ agent: 'judge', text })),
  );
  const before = unchecked === null ? null : new Set(debateOf(session.log).established);
  const isSupported = (line: string, at: number) =>
    before?.has(line) ??
    (beside.get(at) ?? []).every(({ finding }) => finding !== 'unsupported' && finding !== 'repeated');
  const doubtful = debate.established.filter((line, at) => !isSupported(line, at));
  if (doubtful.length === 0) return debate;
  const why = unchecked === null ? 'Not borne out' : 'Not checked';
  const open = [...debate.open, ...doubtful.map((line) => `${why}: ${line}`)];
  return { ...debate, established: debate.established.filter(isSupported), open };
}

/** Returns whether no agent sees a conflict and none has moved. Decides where the judge does not say. */
export function hasConverged(session: Session, round: number): boolean {
  const replies = saidIn(session.log, round, 'opening').map(({ text }) => parseReply(text ?? ''));
  return (
    round > 1 && replies.length > 0 && replies.every(({ tensions, moves }) => tensions?.length === 0 && moves === '')
  );
}
