import type { SourceFailure } from '../source/connector.ts';
import { fieldTrouble, type Grant, type SourceFields, sourceName, sourceSettings } from '../source/source.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import type { IndexAccess } from './context.ts';
import { allow, grantsFile, type SourceNote, sourceNotes } from './sources.ts';

/** Keeps what a person allows a source, outside the vault. Throws `source-no-place` (78) where there is no folder for it. */
export function allowHere({ context, vault }: IndexAccess, name: string, given: Grant): void {
  const folder = context.env.sourceGrants;
  if (folder === undefined) throw noPlace();
  allow(grantsFile(vault.root, folder), name, given);
}

function noPlace(): StewardError {
  return new StewardError(
    {
      code: 'source-no-place',
      message: 'This machine has no folder to keep what you allow a source.',
      hint: 'Set XDG_STATE_HOME or HOME.',
    },
    EXIT.settings,
  );
}

/** Forgets that the password of a source was refused: it has worked since. */
export function forgetRefusal({ context }: Pick<IndexAccess, 'context'>, name: string): void {
  const known = context.state.get('sources')[name];
  if (known === undefined) return;
  known.refused = null;
  known.failing = null;
  context.state.touch('sources');
}

/** Why a source gave nothing, or was not asked, as it goes to a command. */
export interface PlainFailure {
  readonly kind: SourceFailure | 'not-allowed';
  readonly message: string;
  readonly hint: string;
}

/** Returns the error that a command prints of a failure: `source-refused`, `source-away` … */
export function failureOf({ kind, message, hint }: PlainFailure): StewardError {
  return new StewardError({ code: `source-${kind}`, message: message.replace(/\.?$/, '.'), hint });
}

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
