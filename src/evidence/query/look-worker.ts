import { parentPort, workerData } from 'node:worker_threads';
import { answered } from './looking.ts';
import { looking } from './lookup-thread.ts';

// Runs one lookup in a thread of its own. `lookup-thread.ts` starts it, and stops it where it takes too long.
parentPort?.postMessage(answered(looking.parse(workerData)));
