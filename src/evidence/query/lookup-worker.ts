import { answerParent } from '../../vault/worker.ts';
import { runLookup } from './lookup-job.ts';
import { lookupJob } from './lookup-process.ts';

// Runs one lookup in a process of its own. `lookup-process.ts` starts it, and stops it where it takes too long.
answerParent((data) => runLookup(lookupJob.parse(data)));
