import { fold } from '../../vault/note-names.ts';
import { readTool } from '../notes/read-tool.ts';
import { readWords } from '../notes/transcript.ts';
import type { Session } from './session.ts';

/**
 * Returns the path of an agent's file of a round: its name in lower case; or as it was begun, since earlier versions kept
 * the case of the name.
 */
export function roundFile({ parts: { folder }, log }: Session, round: number, name: string): string {
  const begun = folder.at(`round-${round}/${name}.md`);
  return log.written[begun] === undefined ? folder.at(`round-${round}/${fold(name)}.md`) : begun;
}

/**
 * Returns the tool by which a turn of a round opens files that this roundtable wrote, and the list of those it has
 * opened. `apart`: not those of this round, since all write theirs before anybody sees another's.
 */
export function tableReader(
  { parts: { folder }, log }: Session,
  round: number,
  { apart }: { readonly apart: boolean },
) {
  const hidden = folder.at(`round-${round}/`);
  return readTool({
    root: folder.root,
    files: () => Object.keys(log.written).filter((file) => !apart || !file.startsWith(hidden)),
    read: (file) => readWords(folder.ownBytes(log, file)),
  });
}
