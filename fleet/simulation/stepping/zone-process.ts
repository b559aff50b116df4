import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { simulateZone } from './zone.ts';

/*
 * One part of the vaults, in a process of its own, since a process has one time zone: TZ. The order comes in, the tally
 * goes out.
 */
const order = z.object({
  seed: z.int(),
  first: z.int(),
  count: z.int(),
  day: z.int(),
  warmUp: z.int(),
  pace: z.object({ work: z.int(), linger: z.int(), housekeeping: z.int().nullable(), slack: z.int() }),
});

process.stdout.write(JSON.stringify(simulateZone(order.parse(JSON.parse(await text(process.stdin))))));
