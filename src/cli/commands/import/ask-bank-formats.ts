import path from 'node:path';
import { UNKNOWN_SETTINGS } from '../../../daemon/context/settings.ts';
import { readSettings } from '../../../daemon/context/settings-file.ts';
import { keepBankFormat } from '../../../daemon/ingest/keep-bank-format.ts';
import { BANK_CSV } from '../../../stream/bank-csv/kind.ts';
import { FileRefusal } from '../../../stream/items/item.ts';
import { StewardError, systemCode } from '../../../vault/errors.ts';
import { readHead } from '../../../vault/files.ts';
import type { CommandContext } from '../../base/context.ts';
import { handOver } from '../../base/hand-over.ts';
import { aboutFile, printFormatKept } from '../../print/import/bank-words.ts';
import { type Asking, askedFormat } from './bank-questions.ts';

/** How much of a file is looked at: enough rows to know a bank's way of writing. */
const LOOKED_AT = 1024 * 1024;

/**
 * Asks, on a terminal, how the files of a bank are to be read that do not say it themselves, and writes the answers into
 * `steward.md`. Elsewhere, and where a person breaks it off, nothing is asked: the import then says what is missing.
 */
export async function askBankFormats(files: readonly string[], root: string, context: CommandContext): Promise<void> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return;
  for (const file of files.filter(BANK_CSV.takes)) {
    const head = headOf(file);
    if (head === null || !BANK_CSV.recognises(head)) continue;
    const { bank_formats: lines } = readSettings(root, UNKNOWN_SETTINGS).settings;
    const line = await asked(file, head, lines);
    if (line === null) continue;
    await handOver(context, root, { op: 'bank-format', line }, async (space) => keepBankFormat(space, line));
    printFormatKept(context.out);
  }
}

async function asked(file: string, head: Uint8Array, lines: readonly string[]): Promise<string | null> {
  try {
    return await askedFormat(head, lines, await onTerminal(path.basename(file)));
  } catch (error) {
    if (error instanceof FileRefusal) return null; // the import says it
    throw error;
  }
}

// What cannot be opened is told by the import itself.
function headOf(file: string): Uint8Array | null {
  try {
    const bytes = readHead(file, LOOKED_AT);
    return bytes.length < LOOKED_AT ? bytes : bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  } catch (error) {
    if (systemCode(error) === null && !(error instanceof StewardError)) throw error;
    return null;
  }
}

async function onTerminal(name: string): Promise<Asking> {
  const { isCancel, select, text } = await import('@clack/prompts');
  return {
    choose: async (message, choices) => {
      const answer = await select({
        message: aboutFile(name, message),
        options: choices.map((choice) => ({ ...choice })),
      });
      return isCancel(answer) ? null : answer;
    },
    name: async (message) => {
      const answer = await text({ message: aboutFile(name, message), defaultValue: '' });
      return isCancel(answer) ? null : answer;
    },
  };
}
