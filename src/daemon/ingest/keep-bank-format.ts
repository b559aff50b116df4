import { bankFormatOf, formatFor } from '../../stream/bank-csv/format.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { editFields } from '../../vault/frontmatter.ts';
import { SETTINGS_FILE } from '../../vault/layout.ts';
import { nameTimeExact } from '../../vault/time.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import { readSettings, type Workspace } from '../context.ts';

/**
 * Puts a line into `bank_formats` of `steward.md`, in the place of one for the same columns, and lets it hold from now on.
 * Nothing else of the note changes. Throws `bank-format` for a line that is none, `settings-missing` and
 * `settings-changed` (75) where the note is not there or is being written.
 */
export function keepBankFormat(space: Workspace, line: string): { readonly file: string } {
  const format = bankFormatOf(line);
  if (format === null) throw noFormat();
  const page = space.notes.fresh(SETTINGS_FILE);
  if (page === null) throw noSettings();
  const replaced = space.context.settings.bank_formats.filter((one) => formatFor([one], format.header) !== null);
  const edited = editFields(SETTINGS_FILE, page.text, [
    { op: 'remove', field: 'bank_formats', members: replaced.filter((one) => one !== line) },
    { op: 'add', field: 'bank_formats', members: [line] },
  ]);
  const id = `bank-format-${nameTimeExact(space.context.now())}`;
  const step = textStep(page.path, page.text, edited.text);
  if (edited.changed && !space.transactions.commit(id, [step])) throw changedMeanwhile();
  space.context.settings = readSettings(space.vault.root, space.context.settings).settings;
  return { file: SETTINGS_FILE };
}

function noFormat(): StewardError {
  return new StewardError({
    code: 'bank-format',
    message: 'This is no bank format.',
    hint: 'Write it like "Date | Payee | Amount => order = dmy, sign = as written".',
  });
}

function noSettings(): StewardError {
  return new StewardError({
    code: 'settings-missing',
    file: SETTINGS_FILE,
    message: `The vault has no ${SETTINGS_FILE} to keep this in.`,
    hint: 'Make it with `steward init`, and import the file again.',
  });
}

function changedMeanwhile(): StewardError {
  const told = {
    code: 'settings-changed',
    file: SETTINGS_FILE,
    message: `Somebody else is writing ${SETTINGS_FILE}.`,
    hint: 'Import the file again in a moment.',
  };
  return new StewardError(told, EXIT.tryAgain);
}
