import { expect } from 'vitest';
import { agentFor } from '../../src/providers/agent.ts';
import { questionGate } from '../../src/providers/choice.ts';
import { Provider } from '../../src/providers/provider.ts';
import { UnansweredError } from '../../src/steward/types.ts';
import { type Act, MessagesServer, sound } from '../providers/messages-server.ts';
import { OPEN_DOOR } from '../providers/open-door.ts';
import { Clock, DAY, HOUR, MINUTE } from '../support/clock.ts';
import { HOUSE, settings, weak } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { attack } from './attack.ts';

// What somebody can make the program spend on models, or keep it from asking.

const FULL = 60;

/** A vault whose one note gets a new signal before each of `rounds` ticks, an hour apart; returns how often the model was asked. */
async function askedIn(rounds: number, fields: Readonly<Record<string, unknown>>, budgetUsdPerDay: number | null) {
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings(fields) });
  const server = await MessagesServer.start((asked) => ({ do: 'say', text: sound(asked) }));
  const clock = new Clock();
  const env = { ...LIVE, provider: server.access, budgetUsdPerDay };
  const bench = await Bench.open(vault, { env, clock });
  for (let round = 0; round < rounds; round += 1) {
    const source_type = round % 2 === 0 ? 'mail' : 'bank'; // one sender alone has half of a task's questions
    vault.write(
      `signal/${round}.md`,
      weak({ raw_quote: `${round}`, source_type, effect: 'action', mutation_proposal: null }),
    );
    await bench.tick();
    clock.move(HOUR);
  }
  return server.requests.length;
}

/** Each question takes 1500 tokens and 100 more: 0.004 US dollars of the model that judges by default. */
const CEILING = 0.08;

for (const [means, fields] of [
  ['an unlimited budget', { budget_usd_per_day: 'unlimited' }],
  ['a budget of a million', { budget_usd_per_day: 1_000_000 }],
  ['a price of nothing', { budget_usd_per_day: 'unlimited', model_price_in: 0, model_price_out: 0 }],
  [
    'a model of which no price is known',
    { budget_usd_per_day: 'unlimited', model_evaluation: 'some-model', model_price_in: 0, model_price_out: 0 },
  ],
] as const) {
  attack(
    {
      attacker: 'a sync peer',
      means: `steward.md: ${means}`,
      loss: 'the account of the key is emptied',
      defence: 'the environment’s STEWARD_BUDGET_USD_PER_DAY is a ceiling, at known prices at least',
    },
    async () => {
      const unlimited = await askedIn(5, fields, null);
      const limited = await askedIn(5, fields, CEILING);
      expect(unlimited).toBe(5);
      expect(limited).toBeLessThan(unlimited);
    },
  );
}

/** How many of ten errands, all sent at once or one after the other, reach the provider. */
async function sentOf(errands: number, end: Act, isAtOnce: boolean): Promise<number> {
  const free = {
    budget_usd_per_day: 'unlimited',
    model_evaluation: 'some-model',
    model_price_in: 0,
    model_price_out: 0,
  };
  const server = await MessagesServer.start(() => end);
  const clock = new Clock();
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings(free) });
  const bench = await Bench.open(vault, { env: { ...LIVE, provider: server.access, budgetUsdPerDay: CEILING }, clock });
  const agent = agentFor(new Provider(server.access, OPEN_DOOR, undefined, errands), bench.settings, bench.budget);
  const { signal } = new AbortController();
  const send = async () => {
    clock.move(HOUR / 4); // a provider that failed is asked again by then
    const errand = { model: 'some-model', system: [], task: ['Look.'], tools: [], maxTurns: 1, maxTokens: 500 };
    const error = await agent?.send({ ...errand, now: clock.now() }, signal).catch((thrown: unknown) => thrown);
    if (error instanceof Error) expect(error).toBeInstanceOf(UnansweredError);
  };
  if (isAtOnce) await Promise.all(Array.from({ length: errands }, send));
  else for (let errand = 0; errand < errands; errand += 1) await send();
  return server.requests.length;
}

for (const [means, end, isAtOnce] of [
  ['a price of nothing, and many agents who ask at once', { do: 'say', text: 'Done.' }, true],
  ['a price of nothing, and answers that break off', { do: 'half' }, false],
] as const) {
  attack(
    {
      attacker: 'a sync peer',
      means: `steward.md: ${means}`,
      loss: 'the account of the key is emptied by lookups and roundtables, past the environment’s ceiling',
      defence: 'what is set aside for an errand is reckoned at known prices too, by whoever keeps the budget',
    },
    async () => {
      const sent = await sentOf(10, end, isAtOnce);
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(5);
    },
  );
}

attack(
  {
    attacker: 'the surroundings',
    means: 'a clock that is set back by a day, again and again',
    loss: 'more questions are asked than the windows allow',
    defence: 'what was taken counts as taken now',
  },
  async () => {
    const clock = new Clock();
    const bench = await Bench.open(new TempVault(HOUSE), { clock });
    const door = questionGate(bench.ports.context);
    await door.pass(FULL);
    for (let times = 0; times < 3; times += 1) {
      clock.move(-DAY);
      await expect(door.pass(1)).rejects.toThrow('The limit of 60 questions to models a minute is reached');
    }
    clock.move(MINUTE);
    await expect(door.pass(1)).resolves.toBeUndefined();
  },
);

attack(
  {
    attacker: 'a model',
    means: 'its server asks to wait a thousand years, and the daemon is started again',
    loss: 'no model is ever asked again',
    defence: 'a day at most, also of a wait that stands in the state',
  },
  async () => {
    const clock = new Clock();
    const vault = new TempVault(HOUSE);
    const first = await Bench.open(vault, { clock });
    await questionGate(first.ports.context).heldOff(1000 * 365 * 86_400);
    const bench = await Bench.open(vault, { clock });
    const door = questionGate(bench.ports.context);
    await expect(door.pass(1)).rejects.toThrow('asked for a pause');
    clock.move(DAY);
    await expect(door.pass(1)).resolves.toBeUndefined();
  },
);

const AHEAD = { id: 0, at: 3.25e13, task: null, matter: null, senders: [], sent: true };

for (const [means, text] of [
  [
    'moments of the year 3000',
    JSON.stringify({ nextId: 0, entries: Array(9000).fill(AHEAD), backoffUntil: null, fullUntil: null }),
  ],
  ['no JSON at all', 'full'],
  ['words for moments', '{"nextId":0,"entries":["never"],"backoffUntil":"for ever"}'],
] as const) {
  attack(
    {
      attacker: 'a sync peer',
      means: `.steward/state/rate-guard.json: ${means}`,
      loss: 'no model is ever asked again, or the daemon does not start',
      defence: 'what is ahead counts as taken now; what cannot be read counts as full for a minute, and is said',
    },
    async () => {
      const clock = new Clock();
      const vault = new TempVault({ ...HOUSE, '.steward/state/rate-guard.json': text });
      const bench = await Bench.open(vault, { clock });
      await questionGate(bench.ports.context)
        .pass(1)
        .catch(() => clock.move(DAY + MINUTE));
      await expect(questionGate(bench.ports.context).pass(1)).resolves.toBeUndefined();
    },
  );
}
