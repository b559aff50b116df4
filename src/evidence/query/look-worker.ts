import { parentPort, workerData } from 'node:worker_threads';
import { answered } from './looking.ts';
import { looking } from './lookup-thread.ts';

// A thread of its own for one request: `look-beside.ts` starts it, and ends it where it takes too much.
parentPort?.postMessage(answered(looking.parse(workerData)));
