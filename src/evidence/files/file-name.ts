import { fold } from '../../vault/note-names.ts';
import type { RegisteredFile } from './registered.ts';

/**
 * The registered files that a name in a request means: the one of that path, else all whose path ends so (`tuning.dart`
 * for `lib/tuning.dart`); only where there is none, those that differ in case or in how an accent is written.
 */
export function filesNamed(files: readonly RegisteredFile[], name: string): readonly RegisteredFile[] {
  const wanted = name.replace(/^\.\//, '');
  const exact = files.filter(({ path }) => path === wanted);
  if (exact.length > 0) return exact;
  const ending = files.filter(({ path }) => path.endsWith(`/${wanted}`));
  if (ending.length > 0) return ending;
  const folded = fold(wanted);
  return files.filter(({ path }) => fold(path) === folded || fold(path).endsWith(`/${folded}`));
}

/** Whether a text can only be meant as a file's name: one word with an ending. */
export function looksLikeFile(name: string): boolean {
  return /^[^\s]{1,400}\.[A-Za-z0-9]{1,10}$/.test(name);
}
