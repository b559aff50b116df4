import { type HeardInPlane, heardText } from '../../stream/plane/heard.ts';
import { openAsFolderAndSources } from '../../vault/disk/readers.ts';
import { loadSystemCalls } from '../../vault/disk/system-calls.ts';
import { createWhole } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import { utc } from '../../vault/time.ts';
import type { WriteAccess } from '../context/ports.ts';

/**
 * Writes what was heard as a stream file with the program's mark. The same news has the same name, and is written once.
 * It is read by nobody who may not read its task.
 */
export function writeHeard({ vault, context, transactions }: WriteAccess, heard: HeardInPlane): void {
  const { stream } = vault.layout.folders;
  const moment = Date.parse(heard.at ?? '');
  const time = Number.isNaN(moment) ? 'undated' : utc(moment).replaceAll(':', '-');
  const name = sha256(JSON.stringify([heard.project, heard.item, heard.what, heard.value, heard.at])).slice(0, 12);
  const file = `${stream}/plane/${time}-${name}.json`;
  const task = `${vault.root}/${heard.task}`;
  const dress = (part: string, folder: string) => openAsFolderAndSources(part, folder, [task], loadSystemCalls());
  transactions.demand();
  if (createWhole(vault.root, vault.places.tmp, file, heardText(heard, file, context.seal), dress)) vault.look([file]);
}
