import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientName } from '../../src/cli/commands/mcp.ts';
import {
  type AgentsState,
  agentProposal,
  emptyAgents,
  fullFor,
  rememberProposal,
} from '../../src/features/agent-proposal.ts';
import { rightToAct } from '../../src/steward/licence.ts';
import { AUTHENTICATION_RESULTS, LICENCE_KINDS, TARGET_EVIDENCE } from '../../src/vault/record.ts';
import { DAY, HOUR } from '../support/clock.ts';

/** The channel `agent`, however it is spelled, with whatever stands behind it. */
const anAgent = fc
  .tuple(fc.constantFrom('agent', 'Agent', ' AGENT', 'agent '), fc.option(fc.string()))
  .map(([channel, pattern]) => (pattern === null ? channel : `${channel}:${pattern}`));

describe('an agent', () => {
  const anyVoice = fc.record({
    source: anAgent,
    channel: fc.constantFrom('agent', 'mail'),
    pattern: fc.option(fc.string()),
    writer: fc.constantFrom('own' as const, 'trusted' as const, 'unknown' as const),
    vouched: fc.constantFrom(...AUTHENTICATION_RESULTS),
    evidence: fc.subarray([...TARGET_EVIDENCE]),
  });

  test('never has the right to act, whatever is said of it: nothing of the vault is even looked at', () => {
    const unread = new Proxy({}, { get: () => expect.unreachable() }) as never;
    fc.assert(
      fc.property(
        anyVoice,
        fc.constantFrom(...LICENCE_KINDS),
        (voice, kind) => !rightToAct(unread, voice, unread, kind).ok,
      ),
    );
  });

  test('has a name that is one plain token, whatever it calls itself', () => {
    fc.assert(
      fc.property(
        fc.option(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 300 })), { nil: undefined }),
        (given) => {
          const name = clientName(given);
          expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(name.length).toBeLessThanOrEqual(40);
          expect(clientName(name)).toBe(name);
          expect(agentProposal.unwrap().shape.client.safeParse(name).success).toBe(true);
        },
      ),
    );
  });
});

describe('what agents hand in', () => {
  const steps = fc.array(
    fc.record({
      after: fc.integer({ min: 0, max: 2 * HOUR }),
      client: fc.constantFrom('one', 'two', 'three'),
      target: fc.integer({ min: 0, max: 30 }).map((at) => `task/${at}.md`),
    }),
    { maxLength: 150 },
  );
  const most = (made: AgentsState['made'], ms: number, key: (one: AgentsState['made'][number]) => string): number =>
    Math.max(
      0,
      ...made.map(
        (one) => made.filter((other) => key(other) === key(one) && other.at >= one.at && other.at < one.at + ms).length,
      ),
    );

  test('never is more than each limit, in any window', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let [state, now] = [emptyAgents(), 0];
        const made: AgentsState['made'] = [];
        for (const { after, client, target } of all) {
          now += after;
          const next = { at: now, client, target };
          if (fullFor(state, next) !== null) continue;
          state = rememberProposal(state, next);
          made.push(next);
        }
        expect(most(made, HOUR, ({ client }) => client)).toBeLessThanOrEqual(10);
        expect(most(made, HOUR, () => '')).toBeLessThanOrEqual(20);
        expect(most(made, DAY, () => '')).toBeLessThanOrEqual(40);
        expect(most(made, DAY, ({ target }) => target)).toBeLessThanOrEqual(3);
      }),
    );
  });

  test('has room again at the moment that is named, and not before', () => {
    let state = emptyAgents();
    const next = (at: number) => ({ at, client: 'one', target: `task/${at}.md` });
    for (let at = 0; at < 10; at += 1) state = rememberProposal(state, next(at));
    const full = fullFor(state, next(100));
    expect(full).toEqual({ words: '10 an hour of one agent', freeAt: HOUR });
    expect(fullFor(state, next(HOUR - 1))).not.toBeNull();
    expect(fullFor(state, next(HOUR))).toBeNull();
    expect(fullFor(state, { ...next(100), client: 'two' })).toBeNull();
  });
});
