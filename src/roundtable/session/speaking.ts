import { parseRequests } from '../../evidence/request.ts';
import { entriesOf, saidIn } from '../log/log.ts';
import { nextRequest, queueFrom } from '../log/log-fold.ts';
import { next, type Pending, type Queue, spoke } from '../log/queue.ts';
import { AGENT_ASKS } from '../prompts/agent.ts';
import { hearAgent } from './agent-turn.ts';
import { asking, heed, type Requests } from './requests.ts';
import type { Session } from './session.ts';

/** All speak in turn; who asks for evidence goes to the back while others speak, and speaks again with the result. */
export async function speak(table: Session, requests: Requests, round: number): Promise<void> {
  const { briefing, limits, now } = table.parts;
  const names = briefing.agents.map(({ name }) => name);
  let queue = queueFrom(table.log, round, names, limits.budget_per_agent, now());
  for (const pending of underWay(queue)) sendAgain(table, requests, round, pending);
  for (let paused = false; ; ) {
    queue = heed(table, requests, queue);
    const what = next(queue);
    if (what.do === 'end') return;
    if (what.do === 'intermission') {
      if (!paused) table.add({ what: 'intermission', round, waiting: queue.line.map(({ name }) => name) });
      await requests.arrival(what.oldest.since + limits.timeout_seconds * 1000 - now());
    } else queue = await turn(table, requests, round, queue, what.agent);
    paused = what.do === 'intermission';
  }
}

/** All answer once more, in reverse order. Requests are not taken any more. */
export async function rebut(table: Session, round: number): Promise<void> {
  const done = new Set(saidIn(table.log, round, 'rebuttal').map(({ who }) => who));
  for (const { name } of table.parts.briefing.agents.toReversed()) {
    if (done.has(name)) continue;
    const heard = await hearAgent(table, { round, phase: 'rebuttal', name, ask: AGENT_ASKS.rebuttal, tools: [] });
    const first = nextRequest(table.log);
    const refused = parseRequests(heard.text ?? '').map((text, at) =>
      asking(round, first + at, name, text, 'no requests in the rebuttal'),
    );
    table.add({ what: 'said', round, phase: 'rebuttal', who: name, ...heard, request: null, file: null }, ...refused);
  }
}

// What was said and what it asks for stand in the log together: after a crash both are there, or neither.
async function turn(table: Session, requests: Requests, round: number, queue: Queue, name: string): Promise<Queue> {
  const heard = await hearAgent(table, { round, phase: 'speaking', name, ask: AGENT_ASKS.speaking, tools: [] });
  const texts = parseRequests(heard.text ?? '');
  const { evidence, now } = table.parts;
  const id = nextRequest(table.log);
  const pending = texts.length === 0 || evidence === null ? null : { id, since: now() };
  const spoken = spoke(queue, name, pending);
  const request = spoken.refused || pending === null ? null : id;
  const why = evidence === null ? 'there is no evidence here' : 'it has used all its requests';
  const asked = texts.map((text, at) =>
    asking(round, id + at, name, text, at > 0 ? 'one request at a time' : request === null ? why : null),
  );
  table.add({ what: 'said', round, phase: 'speaking', who: name, ...heard, request, file: null }, ...asked);
  if (request !== null) requests.send(request, round, name, texts[0] ?? '');
  return spoken.queue;
}

function underWay({ line }: Queue): Pending[] {
  return line.flatMap(({ request }) => (request === null ? [] : [request]));
}

// After a crash: what was asked and not answered is asked again.
function sendAgain(table: Session, requests: Requests, round: number, { id }: Pending): void {
  const asked = entriesOf(table.log, 'asked').find((one) => one.id === id);
  if (asked !== undefined) requests.send(id, round, asked.by, asked.text);
}
