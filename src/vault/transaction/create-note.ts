import fs from 'node:fs';
import path from 'node:path';
import { awayRefusal } from '../errors.ts';
import { createWhole } from '../files.ts';
import type { FolderKind, Layout, RecordKind } from '../layout.ts';

/** What a transaction must know of the vault around it. */
export interface TransactionVault {
  readonly root: string;
  readonly layout: Layout;
  /** Where files are made before they take their place. */
  readonly tmp: string;
  /** How many records of a kind are known. */
  count(kind: RecordKind): number;
  /** Whether a record is known at this path. */
  has(path: string): boolean;
  /** Reads these files again. */
  look(files: readonly string[]): void;
  /** Lists the vault again, soon. */
  sweep(): void;
}

/**
 * Puts a new note in its place, whole, and never in the place of another: false where the name is taken. Throws
 * `vault-away` where its folder held notes and is gone: the folder is not made again in an empty place.
 */
export function createNote(vault: TransactionVault, file: string, text: string): boolean {
  const kind = vault.layout.folderKindOf(file);
  if (kind !== null) demandFolder(vault, kind);
  return createWhole(vault.root, vault.tmp, file, text);
}

function demandFolder(vault: TransactionVault, kind: FolderKind): void {
  const folder = vault.layout.folders[kind];
  const held = kind === 'stream' || kind === 'roundtable' ? 0 : vault.count(kind);
  if (held > 0 && !fs.existsSync(path.join(vault.root, folder))) {
    vault.sweep(); // the watcher may not have seen it go
    throw awayRefusal(`the folder ${folder}, which held ${held} notes, has vanished`);
  }
}
