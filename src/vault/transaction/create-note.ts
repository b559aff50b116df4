import fs from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../../daemon/context/ports.ts';
import { awayRefusal } from '../../daemon/server/runtime-paths.ts';
import { createWhole } from '../files.ts';
import type { FolderKind } from '../layout.ts';

/**
 * Puts a new note in its place, whole, and never in the place of another: false where the name is taken. Throws
 * `vault-away` where its folder held notes and is gone: it is not made anew in an empty place.
 */
export function createNote(space: Workspace, file: string, text: string): boolean {
  const kind = space.vault.layout.folderKindOf(file);
  if (kind !== null) demandFolder(space, kind);
  return createWhole(space.vault.root, space.places.tmp, file, text);
}

function demandFolder({ vault }: Workspace, kind: FolderKind): void {
  const folder = vault.layout.folders[kind];
  const held = kind === 'stream' || kind === 'roundtable' ? 0 : vault.catalogue.count(kind);
  if (held > 0 && !fs.existsSync(path.join(vault.root, folder))) {
    void vault.sweep(); // the watcher may not have seen it go
    throw awayRefusal(`the folder ${folder}, which held ${held} notes, has vanished`);
  }
}
