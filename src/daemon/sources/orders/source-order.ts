import { fieldTrouble, type SourceFields } from '../../../source/source-fields.ts';
import { sourceName, sourceSettings } from '../../../source/source-note.ts';
import { EXIT, StewardError } from '../../../vault/errors.ts';
import type { IndexAccess } from '../../context/ports.ts';
import { type SourceNote, sourceNotes } from '../source-notes.ts';

/** Returns the note that a source of these fields would have. Throws `source-name` and `source-field` (2). */
export function draftedNote({ vault }: Pick<IndexAccess, 'vault'>, name: string, fields: SourceFields): SourceNote {
  const named = sourceName.safeParse(name);
  if (!named.success) throw unfit('source-name', `The name ${JSON.stringify(name)} ${named.error.issues[0]?.message}.`);
  const parsed = sourceSettings.safeParse(fields);
  if (!parsed.success) throw unfit('source-field', `${fieldTrouble(fields)}.`);
  return { name, path: `${vault.layout.folders.source}/${name}.md`, settings: parsed.data };
}

/** Returns the note of a source. Throws `source-unknown`, and its own trouble where it cannot be read. */
export function knownNote({ vault }: Pick<IndexAccess, 'vault'>, name: string): SourceNote {
  const note = sourceNotes(vault).find((one) => one.name === name);
  if (note === undefined) throw unknownSource(name);
  if ('trouble' in note) throw new StewardError(note.trouble);
  return note;
}

/** Returns the error `source-unknown`, for a name that no source has. */
export function unknownSource(name: string): StewardError {
  return new StewardError({
    code: 'source-unknown',
    message: `There is no source ${JSON.stringify(name)} in this vault.`,
    hint: '`steward source list` names the existing ones; `steward source add` connects another.',
  });
}

function unfit(code: string, message: string): StewardError {
  return new StewardError({ code, message, hint: 'See docs/sources.md for what a source note may say.' }, EXIT.usage);
}
