import { answerParent } from '../../../vault/process/answer-parent.ts';
import { checkCitations } from '../citations.ts';
import { checkJob } from './check-process.ts';

// Checks what was said in a process of its own. `check-process.ts` starts it, and stops it where it takes too long.
answerParent((data) => {
  const { messages, sources, files } = checkJob.parse(data);
  return checkCitations(messages, sources, files);
});
