import path from 'node:path';

/** How long the ending of a name may be to say of which kind a file is. */
const LONGEST_ENDING = 16;

const NO_ENDING = 'no ending';

/** Returns what the files of a kind are called: `.pages files`. */
export function filesOf(kind: string): string {
  return kind === NO_ENDING ? 'files without an ending' : `${kind} files`;
}

/** Returns the kind of a file: the ending of its name, `.pages`. */
export function kindOf(file: string): string {
  const ending = path.posix.extname(file).toLowerCase();
  return ending.length > 1 && ending.length <= LONGEST_ENDING ? ending : NO_ENDING;
}
