import process from 'node:process';
import { importFiles } from '../../../daemon/import/import-files.ts';
import type { Imported } from '../../../daemon/import/imported.ts';
import type { ImportProgress } from '../../../daemon/import/progress.ts';
import { readStream } from '../../../daemon/ingest/stream-file.ts';
import { EXIT, type ExitCode } from '../../../vault/errors.ts';
import type { CommandContext, CommandResult } from '../../base/context.ts';
import { handOver } from '../../base/hand-over.ts';
import { vaultDir } from '../../base/vault-dir.ts';
import { endedByPerson } from '../../print/import/ended.ts';
import { printImported } from '../../print/import/print-imported.ts';
import { ProgressLine } from '../../print/import/progress-line.ts';
import { askBankFormats } from './ask-bank-formats.ts';
import { type DryRunOptions, importDryRun } from './dry-run.ts';
import { namedFiles } from './named-files.ts';

interface ImportOptions extends DryRunOptions {
  readonly dryRun?: boolean;
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** So many characters of names go into one request: the daemon takes a million. */
const MOST_CHARS = 800_000;

/**
 * `steward import FILE…`: puts files into the stream folder and extracts their signals; exit 1 where one is not understood.
 * Says on a terminal how far it is. Ctrl-C ends it after the event under way (130): what is read stays read.
 */
export async function importCommand(
  files: readonly string[],
  options: ImportOptions,
  context: CommandContext,
): CommandResult {
  const root = vaultDir(options, context);
  const named = namedFiles(files, root, context.cwd);
  if (options.dryRun === true) return importDryRun(named, options, context);
  if (options.json !== true) await askBankFormats(named, root, context);
  const line = new ProgressLine(context.err, options.json === true);
  const imported: Imported[] = [];
  using interrupt = new Interrupt(line);
  for (const some of requestsOf(named)) imported.push(...(await importSome(context, root, some, line, interrupt)));
  line.end();
  if (options.json === true) context.out.json({ schemaVersion: 1, imported });
  else printImported(context.out, imported);
  return exitOf(imported);
}

async function importSome(
  context: CommandContext,
  root: string,
  files: readonly string[],
  line: ProgressLine,
  { signal }: Interrupt,
): Promise<Imported[]> {
  const tell = (progress: ImportProgress) => line.show(progress);
  // The daemon is this very program: what it tells is an ImportProgress.
  const waiting = { heard: (progress: unknown) => tell(progress as ImportProgress), leave: signal };
  const read = (space: Parameters<typeof readStream>[0]) =>
    importFiles(space, files, {
      read: (file, onProgress) => readStream(space, file, signal, onProgress),
      ...{ tell, abort: signal },
    });
  try {
    return await handOver(context, root, { op: 'import', files: [...files] }, read, waiting);
  } finally {
    line.end();
  }
}

/** Ctrl-C, a closed terminal or a shutdown, once: the second one ends the process as it would any other. */
class Interrupt implements Disposable {
  readonly #abort = new AbortController();
  readonly #stop: () => void;

  constructor(line: ProgressLine) {
    this.#stop = () => this.#abort.abort(endedByPerson(line.last));
    for (const signal of ENDING) process.once(signal, this.#stop);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  [Symbol.dispose](): void {
    for (const signal of ENDING) process.off(signal, this.#stop);
  }
}

function* requestsOf(files: readonly string[]): Generator<readonly string[]> {
  let some: string[] = [];
  let chars = 0;
  for (const file of files) {
    if (chars + file.length > MOST_CHARS && some.length > 0) {
      yield some;
      [some, chars] = [[], 0];
    }
    some.push(file);
    chars += JSON.stringify(file).length + 1;
  }
  if (some.length > 0) yield some;
}

function exitOf(imported: readonly Imported[]): ExitCode {
  if (imported.some(({ complete }) => !complete)) return EXIT.interrupted;
  return imported.every(({ understood }) => understood) ? EXIT.done : EXIT.refused;
}
