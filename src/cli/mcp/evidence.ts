import fs from 'node:fs';
import path from 'node:path';
import { groundOf, readEnvironment } from '../../daemon/context/environment.ts';
import { UNKNOWN_SETTINGS } from '../../daemon/context/settings.ts';
import { readSettings } from '../../daemon/context/settings-file.ts';
import { Allowance } from '../../evidence/allowance.ts';
import { type Registered, registeredFiles } from '../../evidence/files/registered.ts';
import type { Ground } from '../../evidence/files/root.ts';
import { Researcher } from '../../evidence/researcher.ts';
import { readInside } from '../../vault/disk/read-inside.ts';
import { StewardError } from '../../vault/errors.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import { type FolderNames, Layout } from '../../vault/layout.ts';
import { linkTarget } from '../../vault/links.ts';
import { shortened } from './printed.ts';
import type { Told } from './results.ts';
import { demandPresent, type Served } from './served.ts';

/**
 * Returns what stands in the files that a briefing registers, verbatim with its lines. It asks no model: whoever asks is one,
 * and reads on by itself. The briefing is a roundtable's or a matter's own note; no other is looked at, and no client can name
 * a folder outside the vault. Throws `briefing-unknown` and `vault-away`.
 */
export async function evidenceTold(
  served: Served,
  request: string,
  briefing: string,
  abort: AbortSignal,
): Promise<Told> {
  demandPresent(served);
  const vault = fs.realpathSync.native(served.root);
  const { settings } = readSettings(vault, UNKNOWN_SETTINGS);
  const ground = groundOf(vault, readEnvironment(served.context.env));
  const registered = registeredBy(briefing, settings.folders, ground);
  const researcher = new Researcher({ registered, agent: null, limits: settings, now: Date.now });
  const evidence = await researcher.answer(request, { agent: 'you', allowance: new Allowance(1) }, abort);
  return { text: shortened(evidence.text), json: { schemaVersion: 1, ...evidence, notRead: registered.troubles } };
}

function registeredBy(written: string, folders: FolderNames, ground: Ground): Registered {
  for (const file of placesOf(written, folders)) {
    const bytes = bytesOf(ground.vault, file);
    if (bytes === null) continue;
    const read = readNote(file, bytes);
    if (!read.ok) throw new StewardError(read.trouble);
    return registeredFiles(read.note, file, ground);
  }
  throw new StewardError({
    code: 'briefing-unknown',
    message: 'There is no briefing of that name.',
    hint: 'Name a roundtable by its id, or a matter by its name; its note lists files under "Steward-Registered Files".',
  });
}

// By its text alone: what is named otherwise is not looked for, so nobody learns whether it is there.
function placesOf(written: string, folders: FolderNames): string[] {
  const named = linkTarget(written).replace(/\.md$/i, '');
  const layout = new Layout(folders);
  const isPlain = named !== '' && path.posix.normalize(named) === named && !/[\\\0]|^[./]|\/\./.test(named);
  if (!isPlain) return [];
  const id = named.replace(/\/briefing$/, '');
  const places = [
    `${named}.md`,
    `${named}/briefing.md`,
    `${folders.roundtable}/${id}/briefing.md`,
    `${folders.matter}/${named}.md`,
  ];
  return places.filter((file) => ['roundtable', 'matter'].includes(layout.folderKindOf(file) ?? ''));
}

// Not there, or behind a link that leads out of the vault: the same.
function bytesOf(root: string, file: string): Buffer | null {
  try {
    return readInside(root, file, MAX_NOTE_BYTES).bytes;
  } catch {
    return null;
  }
}
