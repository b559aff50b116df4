import path from 'node:path';

/** Returns a name in the form in which names are compared: NFC, lower case (contract, section 2). */
export function fold(name: string): string {
  // What is plain ASCII is in NFC already; asking takes a fraction of what normalizing takes.
  return (BEYOND_ASCII.test(name) ? name.normalize('NFC') : name).toLowerCase();
}

const BEYOND_ASCII = /[^ -~]/;

/** Returns the file name without folder and `.md`: a note's title, and a record's slug. */
export function stem(file: string): string {
  const name = file.endsWith('/') ? path.posix.basename(file) : file.slice(file.lastIndexOf('/') + 1);
  return name.replace(/\.md$/i, '');
}

const COPY = /conflicted copy/i; // Obsidian Sync, Dropbox and the rest
const CONFLICT_COPY = [
  /\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]+)?/i, // Syncthing
  COPY,
];

/**
 * Whether a file name is so plainly that of a note that it is neither a copy's nor that of a hidden file. Each of these has
 * a second dot or other words in it. LAW: a plain name is none of them.
 */
export function isPlainNote(name: string): boolean {
  return name.indexOf('.') === name.length - 3 && name.length > 3 && name.endsWith('.md') && !COPY.test(name);
}

/** Whether a file name is that of a copy which a sync tool left next to the real note. */
export function isConflictCopy(name: string): boolean {
  return CONFLICT_COPY.some((pattern) => pattern.test(name));
}

/** Whether a name is that of a dot-file, or one that editors and atomic writers use for a moment. */
export function isHidden(name: string): boolean {
  return (
    name.startsWith('.') || name.endsWith('~') || /\.(tmp|swp|part|crdownload)$/i.test(name) || /\.\d{6,}$/.test(name)
  );
}
