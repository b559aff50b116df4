import { type CommandContext, EXIT, type ExitCode } from '../steward.ts';
import { type Asked, type Fleet, forEach, withFleet } from './context.ts';
import { namedVaults } from './named.ts';

/** How long (ms) a visit is waited for: a visit itself waits up to a minute for what is due soon. */
const WAIT_MS = 90_000;

interface Nudged {
  readonly id: string;
  readonly is_visited: boolean;
  /** Why the visit came to nothing, or why there was none; null if it is done. */
  readonly code: string | null;
}

/**
 * `steward-fleet nudge VAULT…`: has these visited now, and waits for the visits. One without a workflow gets one, if it lies
 * here. Exit 75 if a visit came to nothing or there was none within 90 s, 1 if a vault isn't kept.
 */
export async function nudge(asked: Asked, context: CommandContext): Promise<ExitCode> {
  const nudged = await withFleet(asked, context, (fleet) =>
    forEach(namedVaults(asked.words, fleet.registry, context.cwd), (id) => nudgeOne(id, fleet)),
  );
  const { out } = context;
  if (asked.json) out.json({ nudged });
  else for (const one of nudged) out.plain(`${one.id}  ${wordsOf(one)}`);
  if (nudged.some(({ code }) => code === 'not-kept')) return EXIT.refused;
  return nudged.every(({ code }) => code === null) ? EXIT.done : EXIT.tryAgain;
}

async function nudgeOne(id: string, { registry, keepers }: Fleet): Promise<Nudged> {
  if (registry.addedAt(id) !== null && (await keepers.keptBy(id)) === null) await keepers.start(id, registry.host);
  const host = await keepers.keptBy(id);
  if (host === null) return { id, is_visited: false, code: 'not-kept' };
  if (!(await keepers.isServed(host))) {
    await keepers.nudgeKept(id); // for the time when it is served
    return { id, is_visited: false, code: 'no-worker' };
  }
  const visit = await keepers.visitNow(id, WAIT_MS);
  return typeof visit === 'string' ? { id, is_visited: false, code: visit } : { id, is_visited: true, ...visit };
}

function wordsOf({ is_visited, code }: Nudged): string {
  if (is_visited) return code === null ? 'visited' : `visited, without effect: ${code}`;
  if (code === 'no-worker') return 'not visited: its host isn’t running. It is visited when the host starts';
  if (code === 'not-kept') return 'not kept: add it on the host that has its folder';
  return 'not visited within 90 s: its host is busy, or has just stopped. It is visited when the host asks for work';
}
