import { type CommandContext, EXIT, type ExitCode } from '../steward.ts';
import { type Asked, forEach, withFleet } from './context.ts';
import { namedVaults } from './named.ts';

/** `steward-fleet remove VAULT…`: nobody keeps these from now on. The vaults stay as they are. */
export async function remove(asked: Asked, context: CommandContext): Promise<ExitCode> {
  const removed = await withFleet(asked, context, ({ registry, keepers }) =>
    forEach(namedVaults(asked.words, registry, context.cwd), async (id) => {
      registry.remove(id); // first: else a change in it would have it kept again
      return { id, was_kept: await keepers.end(id) };
    }),
  );
  if (asked.json) context.out.json({ removed });
  else for (const one of removed) context.out.plain(`${one.id}  ${one.was_kept ? 'removed' : 'was not kept'}`);
  return EXIT.done;
}
