import { fold } from '../../vault/note-names.ts';
import type { RegisteredFile } from './registered.ts';

/**
 * Returns the registered files that a name in a request means: the one with that path, or all whose path ends with it
 * (`tuning.dart` for `lib/tuning.dart`). Where there is none, case and the encoding of accents are ignored.
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

/** Returns whether a text can only be a file name: one word with an extension. */
export function looksLikeFile(name: string): boolean {
  return /^[^\s]{1,400}\.[A-Za-z0-9]{1,10}$/.test(name);
}
