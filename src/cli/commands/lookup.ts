import { lookupAhead } from '../../evidence/query/process/lookup-place.ts';
import type { CommandContext, CommandResult } from '../base.ts';
import type { LookupOptions } from '../commands-lookup.ts';

/** `steward lookup "REQUEST"`. The process that looks takes as long to start as the rest of the command to load. */
export async function lookup(request: string, options: LookupOptions, context: CommandContext): CommandResult {
  using ahead = lookupAhead();
  const { lookUpEvidence } = await import('../commands-lookup.ts');
  return await lookUpEvidence(request, options, context, ahead);
}
