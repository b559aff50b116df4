import { answerParent } from '../vault/worker.ts';
import { lookupJob, runLookup } from './query.ts';

// Runs one lookup in a process of its own. `researcher.ts` starts it, and stops it where it takes too long.
answerParent((data) => runLookup(lookupJob.parse(data)));
