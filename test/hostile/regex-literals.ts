import fs from 'node:fs';
import path from 'node:path';

export interface Found {
  /** `src/vault/note-names.ts:17` */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns every regular expression literal in the TypeScript files under a folder. */
export function regexLiterals(folder: string): readonly Found[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.sort().flatMap((file) => literalsIn(path.join(folder, file)));
}

/** Enough of the language to tell a regular expression from a division, a string and a comment. */
const TOKEN = new RegExp(
  [
    /(?<skip>\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/,
    /(?<literal>(?<=(?:^|[(,=:[!&|?{};>]|\breturn|\bof|=>)\s*)\/(?<source>(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/(?<flags>[dgimsuvy]*))/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

function literalsIn(file: string): Found[] {
  const text = fs.readFileSync(file, 'utf8');
  return [...text.matchAll(TOKEN)].flatMap(({ groups, index }) => {
    if (groups?.literal === undefined || !isRegExp(groups.source ?? '')) return [];
    const line = text.slice(0, index).split('\n').length;
    return [{ at: `${file}:${line}`, source: groups.source ?? '', flags: groups.flags ?? '' }];
  });
}

/** Text between two slashes in a template literal may look like a regular expression. */
function isRegExp(source: string): boolean {
  try {
    return new RegExp(source).source !== '';
  } catch {
    return false;
  }
}
