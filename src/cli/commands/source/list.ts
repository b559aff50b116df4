import { EXIT } from '../../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../../base.ts';
import { allSources } from '../../base-read-vault.ts';
import { presentVaultDir } from '../../daemon-client.ts';
import { printSourceList, sourceListJson } from '../../print-sources.ts';

/** `steward source list`: every source with how it stands, where it leads and how its password is had; never the password. */
export async function sourceList(options: CommonOptions, context: CommandContext): CommandResult {
  const sources = await allSources(presentVaultDir(options, context), context);
  if (options.json === true) context.out.json(sourceListJson(sources));
  else printSourceList(context.out, sources);
  return EXIT.done;
}
