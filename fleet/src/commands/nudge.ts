import { type CommandContext, EXIT, type ExitCode } from '../steward.ts';
import { type Asked, forEach, withFleet } from './context.ts';
import { namedVaults } from './named.ts';

/** `steward-fleet nudge VAULT…`: has these visited now. One that nobody keeps any more is kept by this host, if it lies here. */
export async function nudge(asked: Asked, context: CommandContext): Promise<ExitCode> {
  const nudged = await withFleet(asked, context, ({ registry, keepers }) =>
    forEach(namedVaults(asked.words, registry, context.cwd), async (id) => {
      const isKept = await keepers.nudgeKept(id);
      if (isKept || registry.pathOf(id) === null) return { id, is_kept: isKept };
      await keepers.nudge(id, registry.host);
      return { id, is_kept: true };
    }),
  );
  if (asked.json) context.out.json({ nudged });
  else for (const one of nudged) context.out.plain(`${one.id}  ${one.is_kept ? 'nudged' : 'nobody keeps it'}`);
  return nudged.every(({ is_kept }) => is_kept) ? EXIT.done : EXIT.refused;
}
