import { z } from 'zod';

/** A program and its arguments. It is started as it is, without a shell. */
const argv = z.array(z.string().min(1).max(4096)).min(1).max(100);

/** What a person allowed a source on this machine. */
export const grant = z.lazy(() =>
  z.object({
    /** Where it leads and as whom, as its note said when it was allowed. */
    pinned: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    /** The program that prints the password or token; null where it stands in the environment or is a credential of the service. */
    passwordCommand: argv.nullable(),
    /** The program that a source of the kind `command` runs; null for the others. */
    run: argv.nullable(),
    /** ISO, UTC */
    at: z.string(),
  }),
);
export type Grant = z.infer<typeof grant>;
