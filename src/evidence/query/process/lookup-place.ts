import { WorkerAhead } from '../../../vault/process.ts';

/** Which process looks things up, and what it may take: 30 seconds and a gigabyte. */
export const LOOKUP_PLACE = { script: './lookup-worker', from: import.meta.url, memoryMb: 1024, seconds: 30 };

/** Starts the process that looks things up, for a caller who is not ready to ask yet. Whoever starts it ends it. */
export function lookupAhead(): WorkerAhead {
  return new WorkerAhead(LOOKUP_PLACE);
}
