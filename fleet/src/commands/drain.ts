import { setTimeout as pause } from 'node:timers/promises';
import { type CommandContext, EXIT, type ExitCode, StewardError } from '../steward.ts';
import { type Asked, type Fleet, forEach, withFleet } from './context.ts';

/** How long (ms) a visit may go on before its vault is handed over. */
const MOST_MS = 300_000;
const LOOK_MS = 250;

interface Drained {
  readonly id: string;
  readonly path: string | null;
  readonly handed_over: boolean;
}

/**
 * `steward-fleet drain --to HOST`: hands all vaults of this host over to another, each as soon as no visit goes on. The
 * other host visits each at once. Exit 75 where some could not be handed over: they are still kept here.
 */
export async function drain(asked: Asked, context: CommandContext): Promise<ExitCode> {
  const drained = await withFleet(asked, context, async (fleet) => {
    const to = await demandHost(asked.to, fleet);
    return forEach(fleet.registry.ids(), (id) => handOver(id, to, fleet));
  });
  const { out } = context;
  if (asked.json) out.json({ drained });
  else
    for (const one of drained)
      out.plain(`${one.id}  ${one.handed_over ? 'handed over' : 'still kept here'}  ${one.path}`);
  return drained.every(({ handed_over }) => handed_over) ? EXIT.done : EXIT.tryAgain;
}

async function handOver(id: string, to: string, { registry, keepers }: Fleet): Promise<Drained> {
  const path = registry.readablePathOf(id);
  if (!(await keepers.move(id, to))) await keepers.start(id, to); // it had come to an end: it is kept there from now on
  const deadline = Date.now() + MOST_MS;
  while ((await keepers.keptBy(id)) !== to) {
    if (Date.now() > deadline) return { id, path, handed_over: false };
    await pause(LOOK_MS);
  }
  registry.remove(id);
  return { id, path, handed_over: true };
}

async function demandHost(to: string | undefined, { registry, keepers }: Fleet): Promise<string> {
  const hint =
    'Give --to HOST: `steward-fleet status` there says its id. Its vaults must lie there, and be added there.';
  if (to === undefined || to === registry.host || !/^h-[0-9a-f]{20}$/.test(to)) {
    throw new StewardError({ code: 'host-unknown', message: 'No other host is named.', hint }, EXIT.usage);
  }
  if (await keepers.isServed(to)) return to;
  throw new StewardError(
    { code: 'host-away', message: `Nobody serves the host ${to}.`, hint: 'Start `steward-fleet host` there first.' },
    EXIT.tryAgain,
  );
}
