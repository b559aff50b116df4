import { parentPort, workerData } from 'node:worker_threads';
import { looking } from './look-beside.ts';
import { answered } from './looking.ts';

// A thread of its own for one request: `look-beside.ts` starts it, and ends it where it takes too much.
parentPort?.postMessage(answered(looking.parse(workerData)));
