import { parentPort, workerData } from 'node:worker_threads';
import { runLookup } from './lookup-job.ts';
import { lookupJob } from './lookup-thread.ts';

// Runs one lookup in a thread of its own. `lookup-thread.ts` starts it, and stops it where it takes too long.
parentPort?.postMessage(runLookup(lookupJob.parse(workerData)));
