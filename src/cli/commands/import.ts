import fs from 'node:fs';
import path from 'node:path';
import { importFiles } from '../../daemon/ingest/import.ts';
import { readStream } from '../../daemon/ingest/stream-file.ts';
import { EXIT } from '../../vault/errors.ts';
import { insideVault, staysInside } from '../../vault/files.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { handOver } from '../base/hand-over.ts';
import { vaultDir } from '../base/vault-dir.ts';
import { printImported } from '../print/print-imported.ts';
import { askBankFormats } from './import/ask-bank-formats.ts';

/** `steward import FILE…`: puts files into the stream folder and extracts their signals; exit 1 where one is not understood. */
export async function importCommand(
  files: readonly string[],
  options: CommonOptions,
  context: CommandContext,
): CommandResult {
  const root = vaultDir(options, context);
  const request = { op: 'import' as const, files: files.map((file) => absolutePath(file, root, context.cwd)) };
  if (options.json !== true) await askBankFormats(request.files, root, context);
  const never = new AbortController().signal;
  const imported = await handOver(context, root, request, (space) =>
    importFiles(space, request.files, (file) => readStream(space, file, never)),
  );
  if (options.json === true) context.out.json({ schemaVersion: 1, imported });
  else printImported(context.out, imported);
  return imported.every(({ understood }) => understood) ? EXIT.done : EXIT.refused;
}

// A bare path may name a file in the vault, or one that the shell completed; a file in the vault comes first. A link there
// that leads out is refused, since whoever shares the vault would choose what is taken in for the person.
function absolutePath(file: string, root: string, cwd: string): string {
  const inVault = path.resolve(root, file);
  const relative = path.relative(root, inVault);
  if (file.startsWith('./') || !staysInside(relative) || !fs.existsSync(inVault)) return path.resolve(cwd, file);
  insideVault(root, relative);
  return inVault;
}
