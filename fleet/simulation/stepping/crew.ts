import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Order } from './orders.ts';
import { readTally, Tally } from './tally.ts';

const PROCESS = path.join(import.meta.dirname, 'zone-process.ts');

/**
 * Has all orders carried out, so many at a time, and returns what they counted together. `done` is called after each.
 * Throws where a process fails.
 */
export async function carryOut(
  orders: readonly Order[],
  { day, processes, done }: { day: number; processes: number; done: (share: number) => void },
): Promise<Tally> {
  const tally = new Tally(day);
  const left = [...orders];
  const work = async () => {
    for (let order = left.shift(); order !== undefined; order = left.shift()) {
      tally.add(readTally(await carriedOut(order)));
      done(1 - left.length / orders.length);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
  return tally;
}

async function carriedOut({ zone, ...order }: Order): Promise<string> {
  const env = { ...process.env, TZ: zone };
  const child = spawn(process.execPath, [PROCESS], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  child.stdin.end(JSON.stringify(order));
  const [counted, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Error(`the process for ${zone} ended with ${code}`);
  return counted;
}
