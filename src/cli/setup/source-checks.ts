import { createRequire } from 'node:module';
import type { ListedSource } from '../../daemon/sources/orders/listed-sources.ts';
import type { Tried } from '../../daemon/sources/orders/try-source.ts';
import { installCommand } from '../../source/install-command.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import type { CommandContext } from '../base/context.ts';
import { allSources, triedWhereItRuns } from '../base/sources.ts';
import type { Check } from '../print/print-doctor.ts';
import { ASKING_SOURCES } from '../print/setup/doctor-words.ts';
import { passwordWords, stateWords } from '../print/sources/print-sources.ts';

/** The package that speaks with each kind of server. */
const PACKAGES: Readonly<Record<string, 'imapflow' | 'tsdav'>> = { imap: 'imapflow', caldav: 'tsdav' };
/** How a source stands that nobody may ask just now. */
const NOT_ASKED: readonly ListedSource['state'][] = ['paused', 'not-allowed', 'unreadable', 'refused'];

/** What was found of the sources. */
interface SourceChecks {
  readonly checks: readonly Check[];
  readonly trouble: readonly Diagnostic[];
  /** The notes of those that were asked just now: that says it better than what was met before. */
  readonly asked: readonly string[];
}

/**
 * Looks at each source: its note, what was allowed, its password, the package for it, and whether it answers. One whose password
 * was refused is not asked again: an account may be locked by it.
 */
export async function sourceChecks(root: string, context: CommandContext, isRunning: boolean): Promise<SourceChecks> {
  const sources = await allSources(root, context);
  if (sources.length > 0) context.err.progress(ASKING_SOURCES);
  const each = await Promise.all(sources.map((source) => checked(source, root, context, isRunning)));
  return {
    checks: each.flatMap((one) => one.checks),
    trouble: each.flatMap((one) => one.trouble),
    asked: each.flatMap((one) => one.asked),
  };
}

async function checked(
  source: ListedSource,
  root: string,
  context: CommandContext,
  isRunning: boolean,
): Promise<SourceChecks> {
  const { name, state, kind } = source;
  const words = [passwordWords(source), packageWords(kind)].filter((one) => one !== '');
  // A running daemon listens there already.
  const isHeld = kind === 'webhook' && isRunning;
  if (isHeld || NOT_ASKED.includes(state)) return found(source, [stateWords(state), ...words], [], []);
  const order = { op: 'source-try' as const, name, fields: null, allow: null };
  const tried = await triedWhereItRuns(order, root, context);
  return found(source, [answerWords(tried), ...words], troubleOf(source, tried), [source.path]);
}

function found(
  { name }: ListedSource,
  words: readonly string[],
  trouble: readonly Diagnostic[],
  asked: readonly string[],
): SourceChecks {
  return { checks: [{ name: 'source', found: `${name}: ${words.join('; ')}` }], trouble, asked };
}

function answerWords({ described }: Tried): string {
  return described === null
    ? 'does not answer'
    : ['answers', ...described.lines.slice(0, 1)].join(': ').replace(/[:.]$/, '');
}

function troubleOf({ path, isOAuth, password }: ListedSource, { failed }: Tried): readonly Diagnostic[] {
  if (failed === null) return [];
  const token = isOAuth && password !== 'command' ? ' Its command must print an access token on its first line.' : '';
  return [
    diagnostic({
      code: 'source-failing',
      file: path,
      message: failed.message.replace(/\.?$/, '.'),
      hint: failed.hint + token,
    }),
  ];
}

function packageWords(kind: string | null): string {
  const name = PACKAGES[kind ?? ''];
  if (name === undefined) return '';
  try {
    createRequire(import.meta.url).resolve(name);
    return `${name} is installed`;
  } catch {
    return `${name} is not installed (${installCommand(name)})`;
  }
}
