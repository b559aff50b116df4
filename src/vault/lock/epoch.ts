import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readBytes, writeState } from '../files.ts';
import { MAX_EPOCH } from './holder.ts';

const epoch = z.object({ epoch: z.number().int().min(0).max(MAX_EPOCH), token: z.string() });
/** How often a vault's lock has been taken, and by whom last. Outlives the lock, which goes when it is given back. */
type Epoch = z.infer<typeof epoch>;

const MAX_BYTES = 4_096;

/** Returns the epoch of a lock, or null where none can be read. */
export function readEpoch(lock: string): Epoch | null {
  try {
    return epoch.parse(JSON.parse(readBytes(fileOf(lock), MAX_BYTES).bytes.toString('utf8')));
  } catch {
    return null;
  }
}

/** Writes down who has taken a lock. Throws the system's error. */
export function writeEpoch(lock: string, taken: Epoch): void {
  fs.mkdirSync(path.dirname(fileOf(lock)), { recursive: true });
  writeState(fileOf(lock), JSON.stringify({ epoch: taken.epoch, token: taken.token }));
}

function fileOf(lock: string): string {
  return path.join(path.dirname(lock), 'state', 'epoch.json');
}
