import type { Workspace } from '../../daemon/context.ts';
import { readEnvironment } from '../../daemon/environment.ts';
import { rememberTick, TICK_CUT_MS, type TickResult, tickAll } from '../../daemon/ticker.ts';
import { isRemarkable, type Skip } from '../../steward/schedule.ts';
import { readStream } from '../../streams/read-stream.ts';
import { unreadStreams } from '../../streams/streams.ts';
import { EXIT } from '../../vault/errors.ts';
import { stem } from '../../vault/layout.ts';
import { iso } from '../../vault/time.ts';
import { handOver, vaultDir } from '../client.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  count,
  formatMoment,
  type Printer,
} from '../terminal.ts';

/** `steward tick [MATTER…] [--force]`: one round now. */
export async function tick(
  matters: readonly string[],
  options: CommonOptions & { readonly force?: boolean },
  context: CommandContext,
): CommandResult {
  const root = vaultDir(options, context);
  // A mode in the caller's environment lowers the daemon's; without one, the daemon's stays.
  const mode = context.env.STEWARD_LIVE_MODE === undefined ? null : readEnvironment(context.env).ceiling;
  const request = { op: 'tick' as const, matters: [...matters], force: options.force === true, mode };
  const results = await handOver(context, root, request, (space) => tickHere(space, request));
  if (options.json === true) context.out.json({ schemaVersion: 1, ticks: results.map(withTimes) });
  else printTicks(context.out, results, matters.length > 0);
  return EXIT.done;
}

function withTimes({ skipped, ...result }: TickResult) {
  const dated = skipped.map(({ until, ...skip }) => ({ ...skip, until: until === undefined ? null : iso(until) }));
  return { ...result, skipped: dated };
}

async function tickHere(space: Workspace, request: Parameters<typeof tickAll>[1]): Promise<TickResult[]> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TICK_CUT_MS);
  try {
    // Unread files are read first, so that their signals are there before the strong ones are routed.
    for (const file of unreadStreams(space)) {
      if (!abort.signal.aborted) await readStream(space, file, abort.signal);
    }
    const results = await tickAll(space, request, abort.signal);
    for (const result of results) {
      const matter = space.vault.catalogue.get(result.matter);
      if (matter?.kind === 'matter') rememberTick(space.context, matter, result);
    }
    return results;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Prints what each tick looked at, the events it wrote, and why the other notes were skipped: all of them for a matter that
 * was named, else only those that a person may want to act on.
 */
export function printTicks(out: Printer, results: readonly TickResult[], isNamed: boolean): void {
  for (const { matter, targets, events, skipped } of results) {
    out.plain(`${stem(matter)}: ${count(targets, 'note')} checked, ${count(events.length, 'event')}`);
    for (const event of events) out.plain(`  ${stem(event)}`);
    for (const skip of skipped.filter((one) => isNamed || isRemarkable(one)))
      out.plain(`  ${stem(skip.path)}: ${skipWords(skip)}`);
    const rest = isNamed ? [] : skipped.filter((one) => !isRemarkable(one));
    if (rest.length > 0) out.plain(`  ${count(rest.length, 'note')} skipped: ${skippedWords(rest)}`);
  }
  if (results.length === 0) out.line('No open matter to check.');
}

/** Returns why notes were skipped, counted: `2 not due, 1 without news`. */
function skippedWords(skipped: readonly Skip[]): string {
  const counts = [...Map.groupBy(skipped, ({ code }) => SKIPPED_AS[code] ?? code.replaceAll('-', ' '))];
  return counts.map(([words, those]) => `${those.length} ${words}`).join(', ');
}

const SKIPPED_AS: Readonly<Partial<Record<Skip['code'], string>>> = {
  'not-due': 'not due',
  'no-signals': 'without news',
  finished: 'closed',
};

function skipWords({ code, reason, until }: Skip): string {
  const at = until === undefined ? null : formatMoment(iso(until));
  const again = at === null ? '' : `; again ${at}`;
  switch (code) {
    case 'not-due':
      return `not due ${at === null ? 'automatically' : `until ${at}`} (${reason.replace(/^not due: /, '')})`;
    case 'no-signals':
      return reason.replace(/^no signals/, 'nothing new');
    case 'finished':
      return `closed: ${reason}`;
    case 'settling':
      return `being edited${again}`;
    case 'rate-guarded':
    case 'budget':
      return `${reason.replace(/; free at .*$/, '').replace(/^rate guarded:/, 'rate guard:')}${again}`;
    default:
      return reason;
  }
}
