import { StewardError } from '../../vault/errors.ts';
import { sha256 } from '../../vault/hash.ts';
import { iso } from '../../vault/time.ts';
import { entriesOf, type Phase, type RoundtableLog, saidIn } from '../log/log.ts';
import { queueOf } from '../log/queue.ts';
import type { Briefing } from '../notes/briefing.ts';
import { review, verdict } from './judging.ts';
import { openRound } from './opening.ts';
import { handleArrivals, Requests } from './requests.ts';
import { ranOf, secondsCovered } from './running-time.ts';
import { Session, type SessionParts } from './session.ts';
import { rebut, speak } from './speaking.ts';

/**
 * Holds a roundtable to its end, or resumes one that was interrupted; one that has ended is only read. Returns its log.
 * Rejects where the provider takes no requests at present, and with the reason of the abort signal; the next call then
 * resumes it. Throws `roundtable-briefing-changed` where it began with another briefing.
 */
export async function holdRoundtable(parts: SessionParts): Promise<RoundtableLog> {
  const { briefing, folder, abort } = parts;
  const log = folder.readLog(briefing.id) ?? newLog(parts, null);
  if (log.ended_at !== null) return log;
  if (log.briefing_sha256 !== sha256(briefing.text)) throw otherBriefing(briefing);
  const session = new Session(parts, log);
  using requests = new Requests(session);
  for (let round = 1; round <= log.max_rounds; round += 1) {
    const closed = entriesOf(log, 'closed').find((one) => one.round === round);
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
  handleArrivals(session, requests, queueOf([])); // whatever arrives now is late
  await timed(session, round, 'rebuttal', () => rebut(session, round));
  return verdict(session, round);
}

/** Runs one phase of a round and logs how long it took. A phase that the log says has run is skipped. */
async function timed(session: Session, round: number, phase: Phase, work: () => Promise<void>): Promise<void> {
  const { log, parts } = session;
  if (entriesOf(log, 'ran').some((one) => one.round === round && one.phase === phase)) return;
  const began = parts.now();
  const before = secondsCovered(saidIn(log, round, phase)); // where it was cut off and goes on now
  await work();
  session.add(ranOf(round, phase, saidIn(log, round, phase), before + Math.max(0, parts.now() - began) / 1000));
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

/** Returns the error of a roundtable that began with another briefing than the one that lies there now. */
export function otherBriefing({ file, folder }: Briefing): StewardError {
  return new StewardError({
    code: 'roundtable-briefing-changed',
    file,
    message: 'The briefing has changed since this roundtable began, so it stops here.',
    hint: `Give the briefing back its text, or copy it into a new folder beside ${folder} and hold it there.`,
  });
}
