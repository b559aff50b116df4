import { parseRequests } from '../evidence/request.ts';
import { type Phase, saidIn } from './log.ts';
import { modelOf, whatCame } from './opening.ts';
import { AGENT_ASKS, AGENT_SYSTEM } from './prompts/agent.ts';
import { answered, expired, next, type Pending, type Queue, spoke } from './queue.ts';
import type { Requests } from './requests.ts';
import { addressOf, exhibited, ground } from './scene.ts';
import { nextRequest, queueFrom, requestsLeft, turnsOf } from './standing.ts';
import type { Heard, Table } from './table.ts';
import { transcriptOf } from './transcript.ts';

/** All speak in turn; who asks for evidence goes to the back while others speak, and speaks again with the result. */
export async function speak(table: Table, requests: Requests, round: number): Promise<void> {
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
      paused = true;
      await requests.arrival(what.oldest.since + limits.timeout_seconds * 1000 - now());
      continue;
    }
    paused = false;
    queue = await turn(table, requests, round, queue, what.agent);
  }
}

/** All answer once more, in reverse order. Requests are not taken any more. */
export async function rebut(table: Table, round: number): Promise<void> {
  const done = new Set(saidIn(table.log, round, 'rebuttal').map(({ who }) => who));
  for (const { name } of table.parts.briefing.agents.toReversed()) {
    if (done.has(name)) continue;
    const heard = await hearAgent(table, round, 'rebuttal', name);
    table.add({ what: 'said', round, phase: 'rebuttal', who: name, ...heard, request: null, file: null });
    for (const text of parseRequests(heard.text ?? '')) refuse(table, round, name, text, 'no requests in the rebuttal');
  }
}

/** What has come is given to whoever waits for it; what comes later than its time is dropped, and said. */
export function heed(table: Table, requests: Requests, before: Queue): Queue {
  const { limits, now } = table.parts;
  const came = requests.take().reduce((queue, { id, round, ok, text, by, seconds, usage }) => {
    const { queue: after, taken } = answered(queue, id);
    table.add({ what: 'result', round, id, standing: taken ? 'taken' : 'late', ok, text, by, seconds, usage });
    return after;
  }, before);
  const { queue, given } = expired(came, now(), limits.timeout_seconds * 1000);
  for (const id of given) {
    requests.giveUp(id);
    const seconds = limits.timeout_seconds;
    table.add({
      what: 'result',
      round: roundOf(table, id),
      id,
      standing: 'timeout',
      ok: false,
      text: '',
      by: 'none',
      seconds,
      usage: null,
    });
  }
  return queue;
}

async function turn(table: Table, requests: Requests, round: number, queue: Queue, name: string): Promise<Queue> {
  const heard = await hearAgent(table, round, 'speaking', name);
  const asked = parseRequests(heard.text ?? '');
  const [first, ...more] = asked;
  const { evidence, now } = table.parts;
  const pending = first === undefined || evidence === null ? null : { id: nextRequest(table.log), since: now() };
  const spoken = spoke(queue, name, pending);
  const taken = spoken.refused ? null : pending;
  table.add({ what: 'said', round, phase: 'speaking', who: name, ...heard, request: taken?.id ?? null, file: null });
  if (first !== undefined) {
    if (taken === null)
      refuse(
        table,
        round,
        name,
        first,
        evidence === null ? 'there is no evidence here' : 'it has used all its requests',
      );
    else {
      table.add({ what: 'asked', round, id: taken.id, by: name, text: first, refused: null });
      requests.send(taken.id, round, name, first);
    }
  }
  for (const text of more) refuse(table, round, name, text, 'one request at a time');
  return spoken.queue;
}

async function hearAgent(
  table: Table,
  round: number,
  phase: Phase & ('speaking' | 'rebuttal'),
  name: string,
): Promise<Heard> {
  const { briefing, folder, limits, say } = table.parts;
  const left = requestsLeft(table.log, name, limits.budget_per_agent);
  const heardSoFar = transcriptOf(table.log, folder).filter((one) => one.round === round);
  const said = heardSoFar.map(({ agent, phase: part, text }) => ({ who: agent, part, text }));
  say({ what: 'turn', round, phase, who: name, left });
  return table.hear({
    model: modelOf(table, name),
    system: AGENT_SYSTEM,
    task: [
      ...exhibited([
        ...ground(briefing, table.log, round, { name, requestsLeft: left }),
        { name: 'said', lines: said },
        ...whatCame(table, round, name),
      ]),
      `${addressOf(round, phase, name, turnsOf(table.log, round, phase, name) + 1)}\n\n${AGENT_ASKS[phase]}`,
    ],
    tools: [],
  });
}

/** Writes down a request that is not taken. */
export function refuse(table: Table, round: number, by: string, text: string, reason: string): void {
  table.add({ what: 'asked', round, id: nextRequest(table.log), by, text: text.slice(0, 2000), refused: reason });
}

function underWay({ line }: Queue): Pending[] {
  return line.flatMap(({ request }) => (request === null ? [] : [request]));
}

// After a crash: what was asked and not answered is asked again.
function sendAgain(table: Table, requests: Requests, round: number, { id }: Pending): void {
  const asked = table.log.entries.find((one) => one.what === 'asked' && one.id === id);
  if (asked?.what === 'asked' && !requests.isUnderWay(id)) requests.send(id, round, asked.by, asked.text);
}

function roundOf(table: Table, id: number): number {
  const asked = table.log.entries.find((one) => one.what === 'asked' && one.id === id);
  return asked?.round ?? 1;
}
