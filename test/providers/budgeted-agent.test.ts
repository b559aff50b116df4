import { expect, test } from 'vitest';
import { z } from 'zod';
import { type BudgetClient, BudgetedAgent, ToolAgent } from '../../src/providers/agent.ts';
import { Provider } from '../../src/providers/provider.ts';
import type { ErrandCost } from '../../src/steward/spending.ts';
import type { AgentTool, Errand } from '../../src/steward/types.ts';
import { NOW } from '../steward/samples.ts';
import { only } from '../support/workspace.ts';
import { type Act, MessagesServer } from './messages-server.ts';
import { OPEN_DOOR } from './open-door.ts';

const LOOK: Act = { do: 'say', text: 'I look.', calls: [{ name: 'Read', input: {} }] };
const REPLY = 1600;
const tool: AgentTool = { name: 'Read', description: 'Reads.', input: z.object({}), run: async () => 'one line' };
const errand: Errand = {
  model: 'some-model',
  system: ['You look things up.'],
  task: ['What stands there?'],
  tools: [tool],
  maxTurns: 9,
  maxTokens: 500,
  now: NOW,
};

/** An agent whose first three turns are answered, and how its errand was settled after what came then. */
async function settledAfter(end: Act, stop: AbortController = new AbortController()): Promise<ErrandCost> {
  const server = await MessagesServer.start((_, index) => (index < 3 ? LOOK : end));
  const settlements: ErrandCost[] = [];
  const budget: BudgetClient = {
    reserve: async () => ({ ok: true, id: 7 }),
    record: async (settlement) => void settlements.push(settlement),
  };
  const agent = new BudgetedAgent(
    new ToolAgent(new Provider(server.access, OPEN_DOOR), () => null),
    budget,
    () => null,
  );
  const sent = agent.send(errand, stop.signal).catch((error: unknown) => error);
  await server.asked(4);
  if (end.do === 'hang') stop.abort(new Error('its time is over'));
  expect(await sent).toBeInstanceOf(Error);
  return only(settlements);
}

test.each([
  ['it was stopped', { do: 'hang' }, null],
  ['the connection broke', { do: 'drop' }, null],
  ['the provider asked to wait', { do: 'fail', status: 429 }, { tokens: 3 * REPLY, usd: 0 }],
] as [string, Act, ErrandCost['cost']][])('%s: every reply before is paid for', async (_, end, least) => {
  const { id, cost, usage } = await settledAfter(end);
  expect({ id, cost }).toEqual({ id: 7, cost: least });
  expect(usage).toMatchObject({ model: 'some-model', tokens_in: 4500, tokens_out: 300 });
});
