import { answerParent } from '../../../vault/process.ts';
import { jobOf, runLookup } from '../../lookup.ts';

// Runs one lookup in a process of its own. `lookup-process.ts` starts it, and stops it where it takes too long.
answerParent((data) => runLookup(jobOf(data)));
