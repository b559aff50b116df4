import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { whyNotFit } from '../../source/source-fields.ts';
import { type SourceSettings, sourceName, sourceSettings } from '../../source/source-note.ts';
import { readInside } from '../../vault/disk/read-inside.ts';
import { type Diagnostic, diagnostic, reasonOf, StewardError, systemCode } from '../../vault/errors.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import { fieldPosition, type ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { isConflictCopy, isHidden, stem } from '../../vault/note-names.ts';
import type { Vault } from '../../vault/watch/vault.ts';

/** A source as its note says it. */
export interface SourceNote {
  readonly name: string;
  /** Vault-relative. */
  readonly path: string;
  readonly settings: SourceSettings;
}

/** A note in the folder of the sources that connects nothing, and why. */
export interface UnreadSource {
  readonly name: string;
  readonly path: string;
  readonly trouble: Diagnostic;
}

/**
 * Returns the notes directly in the folder of the sources, by name; each name is there once. Throws what the disk refuses.
 */
export function sourceNotes(vault: Pick<Vault, 'root' | 'layout'>): readonly (SourceNote | UnreadSource)[] {
  const folder = vault.layout.folders.source;
  const names = namesIn(path.join(vault.root, folder))
    .filter((name) => /\.md$/i.test(name) && !isHidden(name) && !isConflictCopy(name))
    .toSorted();
  const spokenFor = namesakes(names);
  return names.map((name) => {
    const first = spokenFor.get(stem(name));
    return first === name ? readSource(vault.root, `${folder}/${name}`) : passedOver(`${folder}/${name}`, `${first}`);
  });
}

/** Returns which note speaks for each name: of `hook.MD` and `hook.md` the second. */
function namesakes(names: readonly string[]): ReadonlyMap<string, string> {
  const plain = names.filter((name) => name.endsWith('.md'));
  return new Map([...names.toReversed(), ...plain].map((name) => [stem(name), name]));
}

// By its whole file name, so that no two sources are called the same.
function passedOver(file: string, first: string): UnreadSource {
  const message = `${first} connects this source already; this note is left alone.`;
  const hint = 'Give it another name, or delete it.';
  return { name: path.basename(file), path: file, trouble: diagnostic({ code: 'source-note', file, message, hint }) };
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function readSource(root: string, file: string): SourceNote | UnreadSource {
  const name = stem(file);
  const read = noteIn(root, file);
  if (!('data' in read)) return { name, path: file, trouble: read };
  const named = sourceName.safeParse(name);
  if (!named.success) return { name, path: file, trouble: unfit(file, 'The name of the note', named.error) };
  const parsed = sourceSettings.safeParse(read.data);
  if (parsed.success) return { name, path: file, settings: parsed.data };
  return { name, path: file, trouble: unfitField(file, read, parsed.error) };
}

function noteIn(root: string, file: string): ParsedNote | Diagnostic {
  try {
    const read = readNote(file, readInside(root, file, MAX_NOTE_BYTES).bytes);
    return read.ok ? read.note : read.trouble;
  } catch (error) {
    if (error instanceof StewardError) return { ...error.trouble, file };
    const message = `The note of a source cannot be read: ${reasonOf(error)}.`;
    return diagnostic({ code: 'source-note', file, message, hint: 'Look at the file and its folder.' });
  }
}

function unfitField(file: string, note: ParsedNote, error: z.ZodError): Diagnostic {
  const key = String(error.issues[0]?.path[0] ?? 'kind');
  return { ...unfit(file, key, error), ...fieldPosition(note, key) };
}

function unfit(file: string, what: string, error: z.ZodError): Diagnostic {
  return diagnostic({
    code: 'source-note',
    file,
    message: `${what} ${whyNotFit(error.issues[0])}.`,
    hint: 'Until you mend it, this source rests.',
  });
}
