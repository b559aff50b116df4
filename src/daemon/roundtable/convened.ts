import type { RoundtableLog } from '../../roundtable/log/log.ts';
import type { Briefing } from '../../roundtable/notes/briefing.ts';
import type { Folder } from '../../roundtable/notes/folder.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';

/** The briefing that the daemon writes for a roundtable which it convenes itself, and the event note it is about. */
export interface ConvenedBriefing {
  /** The name of the event note. */
  readonly event: string;
  readonly text: string;
}

/**
 * Returns the log of a roundtable that the daemon convenes: its own from before, or `fresh`, which then lies in a folder
 * that it has made, beside the briefing that it has written. Throws `deliberate-folder-taken` (75) where anything lies
 * there that its own log does not vouch for: a briefing names files, agents and models, and is not taken from anybody.
 */
export function convenedLog(folder: Folder, briefing: Briefing, fresh: RoundtableLog): RoundtableLog {
  const known = ownLog(folder, briefing);
  if (known === null ? !folder.isFree() : known.convened_for !== fresh.convened_for) throw taken(briefing);
  const isMade = known !== null && (known.entries.length > 0 || folder.read(briefing.file) !== null);
  if (isMade) return known;
  // The log first: it is by the log that the briefing is known, also after a crash in between.
  folder.save(fresh);
  if (!folder.create(briefing.file, briefing.text)) throw taken(briefing);
  return fresh;
}

function ownLog(folder: Folder, briefing: Briefing): RoundtableLog | null {
  try {
    return folder.readLog(briefing.id);
  } catch (error) {
    if (error instanceof StewardError && /^roundtable-log/.test(error.trouble.code)) throw taken(briefing);
    throw error;
  }
}

function taken({ folder }: Briefing): StewardError {
  return new StewardError(
    {
      code: 'deliberate-folder-taken',
      file: folder,
      message: `What lies in ${folder} was not made by the program on this machine, so no roundtable is convened there and nothing of it is believed.`,
      hint: 'Look at it, then move it elsewhere or delete it: the roundtable is convened within a minute. Or untick deliberate.',
    },
    EXIT.tryAgain,
  );
}
