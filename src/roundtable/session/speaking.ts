import { parseRequests } from '../../evidence/request.ts';
import { entriesOf, type Result, saidIn } from '../log/log.ts';
import { answeredBefore, nextRequest, queueFrom } from '../log/log-fold.ts';
import { next, type Pending, type Queue, rejoined, spoke } from '../log/queue.ts';
import { AGENT_ASKS } from '../prompts/agent.ts';
import { hearAgent } from './agent-turn.ts';
import { type Told, uncheckedIn, unsupportedIn } from './flags.ts';
import { handleArrivals, type Requests, requestEntries } from './requests.ts';
import type { Heard, Session } from './session.ts';

/** All speak in turn. Whoever asks for evidence goes to the back of the queue, and speaks again with the result. */
export async function speak(session: Session, requests: Requests, round: number): Promise<void> {
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
export async function rebut(session: Session, round: number): Promise<void> {
  const done = new Set(saidIn(session.log, round, 'rebuttal').map(({ who }) => who));
  const flagged = entriesOf(session.log, 'flag').filter((one) => one.round === round);
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
  readonly flagged: readonly Told[];
  readonly unchecked: string | null;
}

// A message and its requests are logged in one write, so that a crash keeps both or neither.
async function turn(session: Session, requests: Requests, queue: Queue, who: Speaking): Promise<Queue> {
  const { round, name } = who;
  const heard = await hearAgent(session, { ...who, phase: 'speaking', ask: AGENT_ASKS.speaking, tools: [] });
  const texts = parseRequests(heard.text ?? '');
  const { evidence, now } = session.parts;
  const id = nextRequest(session.log);
  const known = answeredBefore(session.log, round, name, texts[0] ?? '');
  if (known !== null) return repeat(session, queue, { said: { round, who: name, ...heard }, id, texts, known });
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

/** A message whose request was answered in an earlier round. */
interface Repeated {
  readonly said: Heard & { readonly round: number; readonly who: string };
  readonly id: number;
  readonly texts: readonly string[];
  readonly known: Result;
}

// The answer comes from the log: it takes no request from the agent, and nobody waits for it.
function repeat(session: Session, queue: Queue, { said, id, texts, known }: Repeated): Queue {
  const { round, who } = said;
  const asked = requestEntries(session.log, round, who, texts, (at) => (at > 0 ? 'one request at a time' : null));
  const [first, ...more] = asked;
  if (first === undefined) return queue;
  const { ok, text, by } = known;
  session.add(
    { what: 'said', phase: 'speaking', ...said, request: id, file: null },
    { ...first, again: known.id },
    ...more,
    { what: 'result', round, id, standing: 'taken', ok, text, by, seconds: 0, usage: null },
  );
  return rejoined(queue, who);
}

function pendingIn({ line }: Queue): Pending[] {
  return line.flatMap(({ request }) => (request === null ? [] : [request]));
}

// After a crash, requests without a result are looked up again.
function resend(session: Session, requests: Requests, round: number, { id }: Pending): void {
  const asked = entriesOf(session.log, 'asked').find((one) => one.id === id);
  if (asked !== undefined) requests.send(id, round, asked.by, asked.text);
}
