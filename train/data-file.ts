import fs from 'node:fs';
import path from 'node:path';

/** Returns the files of a folder that are for one language each. `pattern`: its first group is the language. */
export function tablesIn(folder: string, pattern: RegExp): readonly { language: string; file: string }[] {
  return fs
    .readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const language = pattern.exec(name)?.[1];
      return language === undefined ? [] : [{ language, file: path.join(folder, name) }];
    });
}

/** Returns the lines of a file, each with where it stands. */
export function linesOf(file: string): readonly { line: string; where: string }[] {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return lines.map((line, at) => ({ line, where: `${path.basename(file)}:${at + 1}` }));
}

/** Returns the word of a list that is written somewhere. Throws an Error where it is none of them. */
export function oneOf<T extends string>(words: readonly T[], word: string | undefined, where: string): T {
  const known = words.find((each) => each === word);
  if (known === undefined) throw new Error(`${where}: "${word}" is none of ${words.join(', ')}`);
  return known;
}
