import { isDeepStrictEqual } from 'node:util';
import { unknownSource } from '../../../daemon/source-orders.ts';
import type { ListedSource } from '../../../daemon/sources/orders/listed-sources.ts';
import type { Grant } from '../../../source/source.ts';
import { EXIT, StewardError } from '../../../vault/errors.ts';
import { shellWord } from '../../../vault/notes/shell-word.ts';
import { usageError } from '../../base/usage-error.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../../base.ts';
import { allSources, tested } from '../../base-read-vault.ts';
import { programWords, type SourceAsking, terminalAsking, unusedCommand } from '../../commands-source.ts';
import { askDaemon, presentVaultDir } from '../../daemon-client.ts';
import { ADDING, leadsSentence, printDifference, printPasswordPlaces, printTried } from '../../print-sources.ts';

interface TestOptions extends CommonOptions {
  readonly passwordCommand?: readonly string[];
  readonly yes?: boolean;
}

/**
 * `steward source test NAME [-- PROGRAM…]`: says where a source leads, has a person allow it where that is not what was allowed,
 * and connects once. Exit 1 where it is not allowed or does not answer.
 */
export async function sourceTest(
  name: string,
  program: readonly string[],
  options: TestOptions,
  context: CommandContext,
): CommandResult {
  return testedWith(await terminalAsking(), name, program, options, context);
}

/** The same with whoever is asked; null where nobody is. */
export async function testedWith(
  asking: SourceAsking | null,
  name: string,
  program: readonly string[],
  options: TestOptions,
  context: CommandContext,
): CommandResult {
  const root = presentVaultDir(options, context);
  const source = (await allSources(root, context)).find((one) => one.name === name);
  if (source === undefined) throw unknownSource(name);
  const { leads, trouble } = source;
  if (leads === null) throw new StewardError(trouble[0] ?? unknownSource(name).trouble);
  demandFit(source, program, options);
  const wanted = wantedGrant(source, leads, program, options.passwordCommand);
  context.out.plain(leadsSentence(name, leads, wanted));
  const isNew = !isDeepStrictEqual(source.allowed?.pinned, leads);
  if (isNew) printDifference(context.out, source);
  if (isNew && !(await isAgreed(asking, options.yes === true, source))) return EXIT.refused;
  const isChanged = isNew || !isDeepStrictEqual(without(wanted), without(source.allowed));
  const order = { op: 'source-test' as const, name, allow: isChanged ? wanted : null };
  const lacks = source.password === 'none' && wanted.passwordCommand === null;
  const typed = lacks && asking !== null ? await typedHere(asking, root, context) : null;
  return answered(source, () => tested(order, root, context, typed), lacks, context);
}

async function answered(
  source: ListedSource,
  test: () => Promise<{ readonly lines: readonly string[] }>,
  lacks: boolean,
  { out, err }: CommandContext,
): CommandResult {
  try {
    const { lines } = await test();
    const described = { lines, mailServer: null };
    printTried(out, err, source.name, { described, failed: null, hasPassword: true });
    if (lacks) printPasswordPlaces(out, source);
    return EXIT.done;
  } catch (error) {
    if (!lacks || !(error instanceof StewardError)) throw error;
    err.trouble(error.trouble);
    printPasswordPlaces(err, source);
    return error.exit;
  }
}

// A daemon has its own password, or none: what is typed here would not be what it uses.
async function typedHere(asking: SourceAsking, root: string, context: CommandContext): Promise<string | null> {
  if ((await askDaemon(context, root, { op: 'alive' })) !== 'absent') return null;
  return asking.secret('The password, for this one test; it is kept nowhere:');
}

function demandFit({ kind, allowed, password }: ListedSource, program: readonly string[], options: TestOptions): void {
  if (options.passwordCommand !== undefined && password === 'not-needed' && kind !== 'command') throw unusedCommand();
  if (kind !== 'command' && program.length > 0)
    throw usageError('Only a source of the kind command takes a program after --.', 'Leave it out.');
  if (kind === 'command' && program.length === 0 && (allowed?.run ?? null) === null)
    throw usageError(
      'The program it runs is not named on this machine.',
      'Name it after --: steward source test NAME -- PROGRAM',
    );
}

function wantedGrant(
  { allowed }: ListedSource,
  leads: Grant['pinned'],
  program: readonly string[],
  passwordCommand: readonly string[] | undefined,
): Grant {
  return {
    pinned: { ...leads },
    passwordCommand:
      passwordCommand === undefined ? (allowed?.passwordCommand ?? null) : [...programWords(passwordCommand)],
    run: program.length > 0 ? [...program] : (allowed?.run ?? null),
    at: new Date().toISOString(),
  };
}

function without(given: Grant | null): Omit<Grant, 'at'> | null {
  if (given === null) return null;
  const { at: _, ...rest } = given;
  return rest;
}

async function isAgreed(
  asking: SourceAsking | null,
  isSaid: boolean,
  { name, kind, password }: ListedSource,
): Promise<boolean> {
  if (isSaid) return true;
  const isSent = kind !== 'webhook' && password !== 'not-needed';
  if (asking !== null) return (await asking.agree(ADDING.isRight(isSent))) === true;
  throw new StewardError({
    code: 'source-not-allowed',
    message: `You have not allowed ${name} to lead there; nothing is sent.`,
    hint: `If it is right, \`steward source test ${shellWord(name)} --yes\` allows it.`,
  });
}
