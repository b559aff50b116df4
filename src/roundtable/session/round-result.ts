import { checkCitations } from '../claims/citations.ts';
import { type Debate, type RoundResult, readSummary } from '../log/debate.ts';
import { saidIn } from '../log/log.ts';
import { parseReply } from '../notes/reply.ts';
import { sourcesOf, transcriptOf } from '../notes/transcript.ts';
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

/** Returns the debate without established lines whose figures no source supports. They become open questions. */
export function withoutUnsupported(session: Session, debate: Debate): Debate {
  const { briefing, folder } = session.parts;
  const transcript = transcriptOf(session.log, folder);
  const lines = debate.established.map((text) => ({ agent: 'judge', text }));
  const checked = checkCitations([...transcript, ...lines], sourcesOf(session.log, briefing));
  const isSupported = (_: string, at: number) =>
    checked.every(
      ({ message, finding }) => message !== transcript.length + at || !['unsupported', 'repeated'].includes(finding),
    );
  const doubtful = debate.established.filter((line, at) => !isSupported(line, at));
  if (doubtful.length === 0) return debate;
  const open = [...debate.open, ...doubtful.map((line) => `Not borne out: ${line}`)];
  return { ...debate, established: debate.established.filter(isSupported), open };
}

/** Returns whether no agent sees a conflict and none has moved. Decides where the judge does not say. */
export function hasConverged(session: Session, round: number): boolean {
  const replies = saidIn(session.log, round, 'opening').map(({ text }) => parseReply(text ?? ''));
  return (
    round > 1 && replies.length > 0 && replies.every(({ tensions, moves }) => tensions?.length === 0 && moves === '')
  );
}
