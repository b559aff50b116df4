import type { Agent } from '../../steward/ports/agent.ts';
import { StewardError } from '../../vault/errors.ts';
import { sha256 } from '../../vault/hash.ts';
import { iso } from '../../vault/time.ts';
import { entriesOf, type Phase, saidIn, type TableLog } from '../log/log.ts';
import { queueOf } from '../log/queue.ts';
import type { Briefing } from '../notes/briefing.ts';
import type { Folder } from '../notes/folder.ts';
import { review, verdict } from './judging.ts';
import { openRound } from './opening.ts';
import { heed, Requests } from './requests.ts';
import { type Evidence, type Progress, Session, type SessionLimits } from './session.ts';
import { rebut, speak } from './speaking.ts';

/** Everything a roundtable is held with. */
interface Convened {
  readonly briefing: Briefing;
  readonly folder: Folder;
  readonly root: string;
  readonly agent: Agent;
  readonly evidence: Evidence | null;
  /** Why there is no evidence; null where there is some. */
  readonly noEvidence: string | null;
  /** Whether the agents' replies come from a file. */
  readonly recorded: boolean;
  readonly models: { readonly agents: string; readonly judge: string };
  readonly limits: SessionLimits;
  readonly now: () => number;
  readonly say: (progress: Progress) => void;
  readonly abort: AbortSignal;
}

/**
 * Holds a roundtable to its end, or goes on with one that was cut off; one that has ended is only read. Gives its log.
 * Rejects where the provider can be asked nothing just now and with the reason of a stop: run again, it goes on there.
 */
export async function holdRoundtable(convened: Convened): Promise<TableLog> {
  const { briefing, folder, models, abort } = convened;
  const log = folder.readLog(briefing.id) ?? newLog(convened);
  if (log.ended_at !== null) return log;
  if (log.briefing_sha256 !== sha256(briefing.text)) throw otherBriefing(briefing);
  const table = new Session({ ...convened, log, judge: models.judge });
  using requests = new Requests(table);
  for (let round = 1; round <= log.max_rounds; round += 1) {
    const closed = entriesOf(log, 'closed').find((one) => one.round === round);
    const converged = closed?.converged ?? (await holdRound(table, requests, round));
    abort.throwIfAborted();
    if (converged) return end(table, 'converged');
  }
  return end(table, 'max_rounds');
}

async function holdRound(table: Session, requests: Requests, round: number): Promise<boolean> {
  await timed(table, round, 'opening', () => openRound(table, round));
  await timed(table, round, 'speaking', () => speak(table, requests, round));
  await timed(table, round, 'review', () => review(table, requests, round));
  heed(table, requests, queueOf([])); // whatever comes now is late
  await timed(table, round, 'rebuttal', () => rebut(table, round));
  return verdict(table, round);
}

/** One part of a round, with its time on the clock and what its agents took. A part that is over is not held again. */
async function timed(table: Session, round: number, phase: Phase, work: () => Promise<void>): Promise<void> {
  const { log, parts } = table;
  if (entriesOf(log, 'ran').some((one) => one.round === round && one.phase === phase)) return;
  const began = parts.now();
  const before = saidIn(log, round, phase).length;
  await work();
  const said = saidIn(log, round, phase).slice(before);
  table.add({
    what: 'ran',
    round,
    phase,
    wall_seconds: Math.max(0, parts.now() - began) / 1000,
    agents_seconds: said.reduce((sum, { seconds }) => sum + seconds, 0),
    agents: new Set(said.map(({ who }) => who)).size,
  });
}

function newLog({ briefing, models, noEvidence, recorded, now }: Convened): TableLog {
  return {
    schemaVersion: 1,
    id: briefing.id,
    question: briefing.question,
    agents: briefing.agents.map(({ name, role, model }) => ({ name, role, model: model ?? models.agents })),
    max_rounds: briefing.maxRounds,
    briefing_sha256: sha256(briefing.text),
    no_evidence: noEvidence,
    recorded,
    started_at: iso(now()),
    ended_at: null,
    ended: null,
    written: {},
    entries: [],
  };
}

function end({ log, parts }: Session, how: 'converged' | 'max_rounds'): TableLog {
  log.ended_at = iso(parts.now());
  log.ended = how;
  parts.folder.save(log);
  return log;
}

function otherBriefing({ file, folder }: Briefing): StewardError {
  return new StewardError({
    code: 'roundtable-briefing-changed',
    file,
    message: 'The briefing has changed since this roundtable began, so it is not gone on with.',
    hint: `Give the briefing back its text, or copy it into a new folder beside ${folder} and hold it there.`,
  });
}
