import { z } from 'zod';

/** An unexpected error as it is remembered: the same error of the same component has one entry. */
export const faultEntry = z.object({
  component: z.string(),
  /** The kind of the error, such as `TypeError`, with its code. */
  name: z.string(),
  /** Empty if it could quote a note, a mail or a password. */
  message: z.string(),
  /** Where in the program it came up; without the message. */
  stack: z.string(),
  /** Epoch ms. */
  first: z.number(),
  last: z.number(),
  count: z.int().min(1),
  /** Whether the daemon continued after the last time. */
  continued: z.boolean(),
});
export type FaultEntry = z.infer<typeof faultEntry>;
