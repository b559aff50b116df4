import { answerParent } from '../vault/worker.ts';
import { checkCitations, checkJob } from './citations.ts';

// Checks what was said in a process of its own. `claims.ts` starts it, and stops it where it takes too long.
answerParent((data) => {
  const { messages, sources, files } = checkJob.parse(data);
  return checkCitations(messages, sources, files);
});
