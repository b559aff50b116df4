import path from 'node:path';
import { fold, isConflictCopy, isHidden, isPlainNote } from './note-names.ts';

export const RECORD_KINDS = ['matter', 'task', 'signal', 'event', 'instinct'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
export const FOLDER_KINDS = [...RECORD_KINDS, 'stream', 'source', 'roundtable'] as const;
export type FolderKind = (typeof FOLDER_KINDS)[number];

/** What the program takes a path in the vault for. `note`: any other Markdown note, of which only the name counts. */
export type PathKind = RecordKind | 'stream' | 'source' | 'settings' | 'note' | 'conflict-copy' | 'ignored';

export type FolderNames = Readonly<Record<FolderKind, string>>;
export const DEFAULT_FOLDERS: FolderNames = {
  matter: 'matter',
  task: 'task',
  signal: 'signal',
  event: 'event',
  instinct: 'instinct',
  stream: 'stream',
  source: 'source',
  roundtable: 'roundtable',
};

export const SETTINGS_FILE = 'steward.md';
export const OWN_FOLDER = '.steward';

/** The folder names in one vault's settings, and what a path means under them. */
export class Layout {
  readonly folders: FolderNames;
  readonly #prefixes: readonly { kind: FolderKind; prefix: string }[];
  /** The folder that was asked about last, as those who go over many files ask about one folder after the other. */
  #last: { readonly folder: string; readonly kind: FolderKind | null } = { folder: '', kind: null };

  constructor(folders: FolderNames = DEFAULT_FOLDERS) {
    this.folders = folders;
    this.#prefixes = FOLDER_KINDS.map((kind) => ({ kind, prefix: `${fold(folders[kind])}/` }));
  }

  /** Returns what the vault-relative `file` (forward slashes) is. */
  kindOf(file: string): PathKind {
    const name = path.posix.basename(file);
    if (file.startsWith('.') || file.includes('/.')) return 'ignored';
    return this.kindIn(this.folderKindOf(file), file, name);
  }

  /** The same for a file of this name in no hidden folder, whose record folder is known: a listing asks once a folder. */
  kindIn(folder: FolderKind | null, file: string, name: string): PathKind {
    // How nearly all notes are called: one dot, before `md`.
    if (isPlainNote(name) && file !== name && folder !== 'stream') return inFolder(folder);
    if (isHidden(name)) return 'ignored';
    if (folder === 'stream') return isConflictCopy(name) ? 'conflict-copy' : 'stream';
    if (!/\.md$/i.test(name)) return 'ignored';
    if (isConflictCopy(name)) return 'conflict-copy';
    if (fold(file) === SETTINGS_FILE) return 'settings';
    return inFolder(folder);
  }

  /** Returns the record folder that contains `file` at any depth, or null. */
  folderKindOf(file: string): FolderKind | null {
    const folder = file.slice(0, file.lastIndexOf('/') + 1);
    if (folder !== this.#last.folder) {
      const folded = fold(folder);
      this.#last = { folder, kind: this.#prefixes.find(({ prefix }) => folded.startsWith(prefix))?.kind ?? null };
    }
    return this.#last.kind;
  }

  /** Whether files of this kind are read, rather than only known by name. */
  isRead(kind: PathKind): boolean {
    return kind !== 'ignored' && kind !== 'note' && kind !== 'conflict-copy';
  }
}

function inFolder(folder: FolderKind | null): PathKind {
  return folder === null || folder === 'roundtable' ? 'note' : folder;
}

/** Returns the absolute paths of the program's own files and folders in the vault at `root`, all under `.steward`. */
export function ownPlaces(root: string) {
  const own = path.join(root, OWN_FOLDER);
  return {
    own,
    lock: path.join(own, 'lock'),
    journal: path.join(own, 'journal'),
    state: path.join(own, 'state'),
    cache: path.join(own, 'cache'),
    tmp: path.join(own, 'tmp'),
    history: path.join(own, 'history'),
    tables: path.join(own, 'tables'),
  };
}
export type OwnPlaces = ReturnType<typeof ownPlaces>;
