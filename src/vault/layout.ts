import path from 'node:path';

// Names and paths in a vault, and what each folder is for.

/** Returns a name in the form in which names are compared: NFC, lower case (contract, section 2). */
export function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Returns the file name without folder and `.md`: a note's title, and a record's slug. */
export function stem(file: string): string {
  const name = file.endsWith('/') ? path.posix.basename(file) : file.slice(file.lastIndexOf('/') + 1);
  return name.replace(/\.md$/i, '');
}

/** Names that only a sync tool writes: the name alone says that the file is a copy. */
const CONFLICT_COPY = [
  /\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]+)?/i, // Syncthing
  /\(SFConflict [^()]+\)/, // Seafile
  // Obsidian Sync, Dropbox, Nextcloud, Tresorit, Jottacloud and the rest, in the languages of their users
  /conflict(?:ed|ing) copy|in konflikt stehende kopie|konfliktkopie|copie en conflit|copie conflictuelle/i,
  /copia en conflicto|copia in conflitto|c[oó]pia em conflito|conflicterende kopie|kopia powoduj[aą]ca konflikt/i,
  /modstridende kopi|motstridende kopi|konfliktkopia|конфликтующая копия|競合コピー|冲突副本|衝突的副本|충돌된 사본/i,
  /\((?:selective sync|unicode encoding|case|white ?space|invalid characters?) conflict(?: \d+)?\)/i, // Dropbox
];

/** Whether a file name is that of a copy which a sync tool left next to the real note. */
export function isConflictCopy(name: string): boolean {
  return CONFLICT_COPY.some((pattern) => pattern.test(name.normalize('NFC')));
}

/**
 * How the name of a copy ends, if only the note next to it and the content can tell: `(1)`, `-DESKTOP-4F2K1QX`, ` 2`.
 */
export interface CopySuffix {
  /** The name of the note that it may be a copy of, without `.md`. */
  readonly original: string;
  /** Whether a word for conflict is in it; else people write such names too. */
  readonly saysConflict: boolean;
}

const CONFLICT_WORD =
  /conflict|konflikt|conflit|conflitto|conflito|конфликт|競合|冲突|衝突|충돌|name clash|case clash/i;
const COUNTER = / \d{1,3}$/; // iCloud
const BRACKETS = / ?(?:\([^()]{1,80}\)|\[[^[\]]{1,80}\])$/; // Google Drive, Box, pCloud, MEGA, Proton Drive, Unison, Insync
const OWN_WORD =
  /(?:[ ._-]{1,3}(?:copy|copie|kopie|copia|cópia|kopi|kopia|копия|副本|コピー)(?: \d{1,3})?|\.(?:orig|dup|origin))$/i;
const MERGETOOL = /_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+$/; // git
const TIME = /[ ._-]\(?20\d\d-?\d\d-?\d\d(?:[T ._-]\d\d[.:_-]?\d\d(?:[.:_-]?\d\d)?Z?)?\)?$/;
/** Before a suffix, FolderSync, Synology Drive, Resilio, Qsync, rclone and odrive write the word itself. */
const CONFLICT_TAIL = /[ ._-][^\s()[\]]{0,80}$/;
const MAX_CUTS = 8;
/** Nearly all names end otherwise. */
const MAY_BE_COPY =
  /[)\]]$| \d{1,3}$|_\d+$|\dZ?$|\.(?:orig|dup|origin)$|copy|copie|kopie|copia|cópia|kopi|kopia|копия|副本|コピー|conflict|konflikt|conflit|conflitto|конфликт|競合|冲突|衝突|충돌|clash/iu;

/**
 * Returns the possible original names of a copy, the longest first; an empty list for most names. Whether it is one,
 * the content decides. `name`: without `.md`.
 */
export function possibleOriginals(name: string): readonly CopySuffix[] {
  if (!MAY_BE_COPY.test(name) && !/-\p{Lu}/u.test(name)) return [];
  const cuts = [COUNTER, BRACKETS, OWN_WORD, MERGETOOL, TIME].flatMap((pattern) => {
    const [suffix] = pattern.exec(name) ?? [];
    return suffix === undefined ? [] : [cutOff(name, suffix.length)];
  });
  const all = [...cuts, ...conflictCuts(name), ...deviceCuts(name), ...copyOf(name)];
  return all
    .filter(({ original }) => original.trim() !== '')
    .toSorted((one, other) => other.original.length - one.original.length);
}

function cutOff(name: string, length: number): CopySuffix {
  const suffix = name.slice(name.length - length);
  return { original: name.slice(0, name.length - length), saysConflict: CONFLICT_WORD.test(suffix) };
}

function conflictCuts(name: string): CopySuffix[] {
  const word = CONFLICT_WORD.exec(name);
  if (word === null || !CONFLICT_TAIL.test(name)) return [];
  const marks = [...name.slice(0, word.index).matchAll(/[ ._-]/g)].map(({ index }) => index).slice(-MAX_CUTS);
  return marks.map((at) => ({ original: name.slice(0, at), saysConflict: true }));
}

/** OneDrive: `-DESKTOP-4F2K1QX`, `-Annas-MacBook-Pro`. The slugs of notes have no capital behind a hyphen. */
function deviceCuts(name: string): CopySuffix[] {
  const marks = [...name.matchAll(/-(?=\p{Lu})/gu)].map(({ index }) => index).slice(-MAX_CUTS);
  return marks.map((at) => ({ original: name.slice(0, at), saysConflict: false }));
}

/** Google Drive puts its words in front. */
function copyOf(name: string): CopySuffix[] {
  const [, original] = /^(?:copy of|kopie von|copie de|copia de|copia di|cópia de|kopie van) (.+)$/i.exec(name) ?? [];
  return original === undefined ? [] : [{ original, saysConflict: false }];
}

const PLACEHOLDER = /^(?:\.(.+)\.icloud|(.+)\.(?:nextcloud|owncloud|cloud|cloudf|placeholder))$/i;

/** Returns the name of the file that a placeholder of a sync tool replaces; null for any other name. */
export function placeholderTarget(name: string): string | null {
  const [, hidden, shown] = PLACEHOLDER.exec(name) ?? [];
  const target = hidden ?? shown ?? null;
  return target?.includes('.') ? target : null;
}

/** Returns the names that a placeholder of a file may have. */
export function listPlaceholders(name: string): readonly string[] {
  return [`.${name}.icloud`, ...['nextcloud', 'owncloud', 'cloud', 'placeholder'].map((end) => `${name}.${end}`)];
}

/** Whether a name is that of a dot-file, or one that editors and atomic writers use for a moment. */
export function isHidden(name: string): boolean {
  return (
    name.startsWith('.') || name.endsWith('~') || /\.(tmp|swp|part|crdownload)$/i.test(name) || /\.\d{6,}$/.test(name)
  );
}

/** Whether a written path stays inside a folder when resolved, judged by its text alone. */
export function staysInside(file: string): boolean {
  if (file.includes('\0') || path.isAbsolute(file) || /^[A-Za-z]:/.test(file) || file.includes('\\')) return false;
  const normal = path.posix.normalize(file);
  return normal !== '..' && !normal.startsWith('../');
}

/** Whether a text is a bare file name that leads to no other folder. */
export function isFileName(name: string): boolean {
  return staysInside(name) && path.posix.basename(name) === name && name !== '.' && name !== '';
}

/**
 * Returns a path that a note names, if it is spelled as the catalogue spells paths: relative to the vault, with single
 * forward slashes, and no part that leads elsewhere. Null for every other spelling: the program writes no other, and a
 * second spelling would lead to the same file unrecognized. Percent signs aren't decoded, for the same reason. File
 * names may have any other character.
 */
export function plainPath(written: string): string | null {
  if (written.includes('\0')) return null;
  return written.split('/').every((part) => part !== '' && part !== '.' && part !== '..') ? written : null;
}

const ITEM = /^(.+)#([0-9a-f]{12})$/;

/** Returns the path of an event in a file that contains many: the file, and what identifies the event in it. */
export function itemPath(file: string, id: string): string {
  return `${file}#${id}`;
}

/** Returns the file and the id in the path of such an event; null for a path of a file. */
export function parseItemPath(path: string): { readonly file: string; readonly id: string } | null {
  const [, file, id] = ITEM.exec(path) ?? [];
  return file === undefined || id === undefined ? null : { file, id };
}

/** Returns the file that contains an event, given the event's path. */
export function streamFilePath(path: string): string {
  return parseItemPath(path)?.file ?? path;
}

export const RECORD_KINDS = ['matter', 'task', 'signal', 'event', 'instinct', 'licence'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
export const FOLDER_KINDS = [...RECORD_KINDS, 'stream', 'source', 'roundtable'] as const;
export type FolderKind = (typeof FOLDER_KINDS)[number];

/** The kind of file that a path in the vault means. `note`: any other Markdown note, of which only the name counts. */
export type PathKind = RecordKind | 'stream' | 'source' | 'settings' | 'note' | 'conflict-copy' | 'ignored';

export type FolderNames = Readonly<Record<FolderKind, string>>;
export const DEFAULT_FOLDERS: FolderNames = {
  matter: 'matter',
  task: 'task',
  signal: 'signal',
  event: 'event',
  instinct: 'instinct',
  licence: 'licence',
  stream: 'stream',
  source: 'source',
  roundtable: 'roundtable',
};

export const SETTINGS_FILE = 'steward.md';
export const OWN_FOLDER = '.steward';

/** Notes over 1 MiB are not records. */
export const MAX_NOTE_BYTES = 1024 * 1024;

/** Notes among the event notes that are no records: a week's sample, and a rehearsal. */
const SUMMARY_NOTE = /^(?:ledger-\d{4}-w\d\d|rehearsal-\d{4}-\d\d-\d\d(?:-\d{1,3})?)\.md$/i;

/** Which notes of the folder of matters are matters: all, or only those on top and those with the name of their folder. */
export const MATTER_NOTES = ['all', 'folder_notes'] as const;
export type MatterNotes = (typeof MATTER_NOTES)[number];

/** Whether a note is directly in a folder, or in one below it that has its name: `Projects/Bathroom/Bathroom.md`. */
export function isFolderNote(file: string, folder: string): boolean {
  const parts = file.split('/');
  const parent = parts.at(-2) ?? '';
  return parts.length === folder.split('/').length + 1 || fold(parent) === fold(stem(file));
}

/** The folder names in one vault's settings, and what a path means under them. */
export class Layout {
  readonly folders: FolderNames;
  readonly matterNotes: MatterNotes;
  readonly #prefixes: readonly { kind: FolderKind; prefix: string }[];

  constructor(folders: FolderNames = DEFAULT_FOLDERS, matterNotes: MatterNotes = 'all') {
    this.folders = folders;
    this.matterNotes = matterNotes;
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
    if (isHidden(name)) return 'ignored';
    if (folder === 'stream') return isConflictCopy(name) ? 'conflict-copy' : 'stream';
    if (!/\.md$/i.test(name)) return 'ignored';
    if (isConflictCopy(name)) return 'conflict-copy';
    if (fold(file) === SETTINGS_FILE) return 'settings';
    // The weekly sample of the ledger is no record: its boxes are read by themselves.
    if (folder === 'event' && SUMMARY_NOTE.test(name)) return 'note';
    if (folder === 'matter' && this.matterNotes === 'folder_notes' && !isFolderNote(file, this.folders.matter))
      return 'note';
    return folder === null || folder === 'roundtable' ? 'note' : folder;
  }

  /** Returns the record folder that contains `file` at any depth, or null. */
  folderKindOf(file: string): FolderKind | null {
    const folder = fold(file.slice(0, file.lastIndexOf('/') + 1));
    return this.#prefixes.find(({ prefix }) => folder.startsWith(prefix))?.kind ?? null;
  }

  /** Whether files of this kind are read, rather than only known by name. */
  isRead(kind: PathKind): boolean {
    return kind !== 'ignored' && kind !== 'note' && kind !== 'conflict-copy';
  }
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
