import type { ListedLicence } from '../../daemon/licences.ts';
import { EXIT } from '../../vault/errors.ts';
import { stem } from '../../vault/layout.ts';
import { kindsWords } from '../../vault/licence-text.ts';
import type { LicenceKind } from '../../vault/record.ts';
import { handOver, vaultDir } from '../client.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  clean,
  type Printer,
  usageError,
  withTitles,
} from '../terminal.ts';

interface SignOptions extends CommonOptions {
  readonly matter?: string;
  readonly kind?: readonly string[];
  readonly until?: string;
}

/** As `--kind` names them. Said again here: the schemas of records take longer to load than the daemon to answer. */
const KINDS: readonly LicenceKind[] = ['done', 'archived', 'due', 'fields', 'matter'];

/** `steward licence [list]`: who may act without asking, on what, until when. */
export async function licenceList(
  options: CommonOptions,
  context: CommandContext,
  [unknown]: readonly string[] = [],
): CommandResult {
  if (unknown !== undefined)
    throw usageError(
      `There is no command "licence ${unknown}".`,
      'Use `steward licence list`, `steward licence sign SENDER` or `steward licence end LICENCE`.',
    );
  const root = vaultDir(options, context);
  const licences = await handOver(context, root, { op: 'licences' as const }, async (space) => {
    const { listLicences } = await import('../../daemon/licences.ts');
    return listLicences(space);
  });
  if (options.json === true) context.out.json({ schemaVersion: 1, licences });
  else printLicences(context.out, licences);
  return EXIT.done;
}

/** `steward licence sign SENDER`: lets a sender make some kinds of changes without asking. */
export async function licenceSign(sender: string, options: SignOptions, context: CommandContext): CommandResult {
  const kinds = (options.kind ?? []).map(kindNamed);
  const root = vaultDir(options, context);
  const asked = { sender, matter: options.matter ?? null, kinds, until: options.until ?? null };
  const signed = await handOver(context, root, { op: 'licence-sign' as const, ...asked }, async (space) => {
    const { sign } = await import('../../daemon/licences.ts');
    return sign(space, asked);
  });
  printOne(options, context, signed);
  return EXIT.done;
}

/** `steward licence end LICENCE`: from now on its sender only proposes. */
export async function licenceEnd(name: string, options: CommonOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options, context);
  const ended = await handOver(context, root, { op: 'licence-end' as const, licence: name }, async (space) => {
    const { end } = await import('../../daemon/licences.ts');
    return end(space, name);
  });
  printOne(options, context, ended);
  return EXIT.done;
}

function kindNamed(written: string): LicenceKind {
  const known = KINDS.find((name) => name === written);
  if (known !== undefined) return known;
  throw usageError(`There is no kind "${written}".`, `The kinds are ${KINDS.join(', ')}.`);
}

function printOne({ json }: CommonOptions, { out }: CommandContext, licence: ListedLicence): void {
  if (json === true) out.json({ schemaVersion: 1, licences: [licence] });
  else printLicences(out, [licence]);
}

const STATES: Readonly<Record<ListedLicence['state'], string>> = {
  valid: 'signed',
  ticked: 'being signed',
  offered: 'on offer',
  foreign: 'from outside',
  expired: 'expired',
  ended: 'ended',
};

function printLicences(out: Printer, licences: readonly ListedLicence[]): void {
  for (const { note, sender, matter, kinds, until, state, evidence, ended, lacking } of licences) {
    const where = matter === null ? 'in every matter that names it' : `in ${clean(matter)}`;
    const end = until === null || ended !== null ? '' : `, until ${clean(until)}`;
    const words = `${out.paint(state === 'valid' ? 'green' : 'yellow', STATES[state])}  ${clean(sender)} may ${kindsWords(kinds)} ${where}${end}`;
    for (const line of out.folded(words)) out.line(line);
    const more = [stem(note), evidence, ended].filter((part) => part !== null).join('; ');
    out.styled('dim', `  ${withTitles(more)}`);
    if (lacking !== null) out.plain(`  no effect yet: ${lacking}`);
  }
  if (licences.length === 0)
    out.plain('No sender may act without asking. Steward offers a licence once a sender was right on two days.');
}
