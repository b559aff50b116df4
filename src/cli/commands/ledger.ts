import { randomInt } from 'node:crypto';
import type { Ledger } from '../../features/ledger.ts';
import { receivedWords } from '../../steward/inbox-words.ts';
import type { Pile } from '../../steward/ledger.ts';
import { EXIT } from '../../vault/errors.ts';
import { stem } from '../../vault/layout.ts';
import { atOnce } from '../../vault/time.ts';
import { askDaemon, presentVaultDir } from '../client.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  clean,
  count,
  formatMoment,
  type Printer,
  usageError,
} from '../terminal.ts';

interface LedgerOptions extends CommonOptions {
  /** Epoch milliseconds. */
  readonly since?: number;
  readonly sample?: number;
  readonly seed?: number;
}

/** How many events are named one by one. */
const NEWEST = 15;

const MAX_SEED = 2 ** 31;

/** `steward ledger [--since DATE] [--sample N]`: where every received event ended. */
export async function ledger(options: LedgerOptions, context: CommandContext): CommandResult {
  if (options.seed !== undefined && options.sample === undefined)
    throw usageError('--seed goes with --sample.', 'Say how many to draw: --sample 10.');
  const root = presentVaultDir(options, context);
  const isWhole = options.json === true || options.sample !== undefined;
  const known = await ledgerFrom(context, root, { since: options.since ?? null, most: isWhole ? null : NEWEST });
  const { sample = null } = options;
  const drawn = sample === null ? null : await sampleOf(known, sample, options.seed ?? randomInt(1, MAX_SEED));
  if (options.json === true) context.out.json(drawn === null ? known : { ...known, sample: drawn });
  else printLedger(context.out, known, drawn);
  return EXIT.done;
}

/** Returns the ledger from the daemon if one answers, else from the vault itself. */
export async function ledgerFrom(
  context: CommandContext,
  root: string,
  request: { readonly since: number | null; readonly most: number | null },
): Promise<Ledger> {
  const asked = await askDaemon(context, root, { op: 'ledger', ...request });
  if (typeof asked === 'object' && asked.ok) return asked.result as Ledger; // by the same function
  const [{ buildLedger }, { readVault }] = await Promise.all([
    import('../../features/ledger.ts'),
    import('../vault.ts'),
  ]);
  return atOnce(buildLedger(await readVault(context, root), request));
}

interface Drawn {
  readonly seed: number;
  readonly of: number;
  readonly items: Ledger['items'];
}

async function sampleOf({ items }: Ledger, most: number, seed: number): Promise<Drawn> {
  const { drawn } = await import('../../features/ledger.ts');
  const single = items.filter(({ pile, count }) => pile === 'setAside' && count === 1);
  return { seed, of: single.length, items: drawn(single, most, seed) };
}

const NAMES: Readonly<Record<Pile, string>> = {
  done: 'done',
  asked: 'asked',
  waiting: 'waiting',
  setAside: 'set aside',
  notRead: 'not read',
};
/** How many reasons of a pile are listed. */
const REASONS = 5;

/** Prints the piles, and the newest events or those that were drawn. */
export function printLedger(out: Printer, ledger: Ledger, drawn: Drawn | null): void {
  const { received, since, items } = ledger;
  const from = since === null ? '' : ` since ${formatMoment(since)}`;
  if (received === 0) out.line(`No event was received${from}.`);
  else printPiles(out, ledger, `${count(received, 'event')} received${from}`);
  for (const line of uncountedLines(ledger)) out.styled('dim', line);
  if (drawn !== null) {
    const { seed, of, items: some } = drawn;
    out.heading(`${some.length} of ${of} that were set aside, drawn at random (--seed ${seed})`);
    printItems(out, some);
    return;
  }
  if (items.length === 0) return;
  out.heading('Newest');
  printItems(out, items.slice(0, NEWEST));
}

function printPiles(out: Printer, { piles, reasons }: Ledger, title: string): void {
  const names = Object.entries(NAMES) as readonly (readonly [Pile, string])[];
  const sum = names.map(([pile, name]) => `${piles[pile]} ${name}`).join(' + ');
  out.styled('bold', `${title} = ${sum}`);
  out.line();
  for (const [pile, name] of names) {
    if (piles[pile] === 0) continue;
    const own = reasons.filter((one) => one.pile === pile);
    const shown = own.slice(0, REASONS);
    const rest = own.slice(REASONS).reduce((events, one) => events + one.count, 0);
    const why = [
      ...shown.map(({ count, reason }) => (own.length === 1 ? reason : `${count} ${reason}`)),
      ...(rest > 0 ? [`${rest} for other reasons`] : []),
    ];
    why.forEach((words, nth) => {
      const head = nth === 0 ? `${name.padEnd(9)} ${String(piles[pile]).padStart(5)}` : ' '.repeat(15);
      out.line(out.short(clean(`  ${head}  ${words}`)));
    });
  }
}

function uncountedLines({ uncounted: { copies, ownNotes, unknownKinds } }: Ledger): string[] {
  const parts = [
    ...(copies > 0 ? [`${copies} read before in another file`] : []),
    ...(ownNotes > 0 ? [`${ownNotes} of Steward's own`] : []),
    ...(unknownKinds > 0 ? [`${count(unknownKinds, 'file')} of unknown kinds`] : []),
  ];
  return parts.length === 0 ? [] : ['', `Not counted: ${parts.join(', ')}.`];
}

function printItems(out: Printer, items: Ledger['items']): void {
  for (const { at, path, pile, reason, count, ...received } of items) {
    const what = receivedWords(received) ?? stem(path);
    const many = count === 1 ? '' : `${count} events of `;
    out.line(out.short(clean(`  ${formatMoment(at)}  ${many}${what}`)));
    out.styled('dim', out.short(clean(`    ${NAMES[pile]}: ${reason}`)));
  }
}
