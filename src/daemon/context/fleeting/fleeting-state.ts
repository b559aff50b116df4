import { z } from 'zod';

/** The mails that are fetched only to be read, by vault-relative path. */
export const fleetingState = z.object({
  /** Those that still lie in the vault, or are about to → since when (epoch ms). */
  here: z.record(z.string(), z.number()),
  /** Those that were deleted and gave signals → when (epoch ms). */
  gone: z.record(z.string(), z.number()),
});
export type FleetingState = z.infer<typeof fleetingState>;

/** Returns the state in which there is no such mail. */
export function emptyFleeting(): FleetingState {
  return { here: {}, gone: {} };
}
