import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlaneClient } from '../../src/features/plane-client.ts';
import { newOrder, type PlaneOrder, wanting, withFacts } from '../../src/features/plane-orders.ts';
import { carryOut } from '../../src/features/plane-work.ts';
import { lawRuns } from '../support/laws.ts';
import { type Mischief, PlaneServer } from './plane-server.ts';

const MISCHIEF: readonly (Mischief | null)[] = [
  null,
  { do: 'drop' },
  { do: 'fail', status: 500 },
  { do: 'fail', status: 502 },
  { do: 'write-and-fail' },
];

/** One thing that happens: a request goes wrong in some way, or a person changes their mind meanwhile. */
const mishaps = fc.array(fc.tuple(fc.constantFrom(...MISCHIEF), fc.boolean()), { maxLength: 25 });

test('LAW: whatever fails, before or after it was written, Plane ends as it was last wanted, with one comment at most', async () => {
  const server = await PlaneServer.start();
  const client = new PlaneClient(server.access, Date.now, new AbortController().signal);
  await fc.assert(
    fc.asyncProperty(mishaps, fc.boolean(), async (all, endsSaid) => {
      const item = server.item();
      const event = `event-${item}`;
      const action = { project_id: server.project, issue_id: item, state: 'done' as const };
      let order: PlaneOrder = newOrder({ path: `event/${event}.md`, action, html: '<p>x</p>', wants: 'said', at: 0 });
      const left = [...all];
      const onlyOne = () => expect(server.own.filter((one) => one.item === item).length).toBeLessThan(2);
      server.mischief = () => {
        const [mischief = null, changesMind = false] = left.shift() ?? [];
        if (changesMind) order = wanting(order, order.wants === 'said' ? 'unsaid' : 'said');
        return mischief;
      };
      const settle = async () => {
        for (let tries = 0; !order.done; tries += 1) {
          expect(tries).toBeLessThan(60);
          const asked = order;
          const keep = (facts: PlaneOrder['facts']) => {
            order = withFacts(order, facts);
          };
          const carried = await carryOut({ client, event, keep }, asked);
          if (carried.done) order = { ...order, done: order.wants === asked.wants, remark: carried.remark };
          onlyOne();
        }
      };
      await settle();
      left.length = 0;
      order = wanting(order, endsSaid ? 'said' : 'unsaid');
      await settle();
      expect(server.own.filter((one) => one.item === item)).toHaveLength(endsSaid ? 1 : 0);
      expect(server.groupOf(item)).toBe(endsSaid ? 'completed' : 'unstarted');
      expect(order.remark).toBeNull();
    }),
    { numRuns: lawRuns(60) },
  );
});
