import { type Entry, entriesOf } from '../log/log.ts';
import { type Queue, queueOf } from '../log/queue.ts';
import { handleArrivals, type Requests, requestEntries } from './requests.ts';
import type { Session, Untimed } from './session.ts';

/** How many checks the judge may ask for in one round. */
export const CHECKS_A_ROUND = 3;

/** Returns the log entries of the judge's requests for checks. Those beyond the limit are refused. */
export function checkEntries({ log, parts }: Session, round: number, texts: readonly string[]): Untimed<Entry>[] {
  return requestEntries(log, round, 'judge', texts, (at) => {
    if (parts.evidence === null) return 'there is no evidence here';
    return at < CHECKS_A_ROUND ? null : `${CHECKS_A_ROUND} checks a round`;
  });
}

/** Looks up all checks of a round at once and waits for them. Their results go to everybody. */
export async function runChecks(session: Session, requests: Requests, round: number): Promise<void> {
  const { limits } = session;
  const { now } = session.parts;
  const answered = new Set(entriesOf(session.log, 'result').map(({ id }) => id));
  const open = entriesOf(session.log, 'asked').filter(
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
    queue = handleArrivals(session, requests, queue);
  }
}
