import { readMailFile } from '../../stream/invitations.ts';
import { answerParent } from '../../vault/process.ts';
import { mailTask } from './mail-reader.ts';

// Parses one large mail, or one with an appointment, in a process of its own; `mail-reader.ts` starts it and limits what it
// may take.
answerParent((data) => {
  const { path, bytes, ...door } = mailTask.parse(data);
  return readMailFile(path, bytes, door);
});
