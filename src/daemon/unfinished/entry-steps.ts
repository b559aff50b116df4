import { z } from 'zod';
import { sha256 } from '../../vault/hash.ts';
import { plainPath } from '../../vault/note-path.ts';

const SHA256 = /^[0-9a-f]{64}$/;
/** No action touches more notes. */
const MAX_STEPS = 1_000;

// The path as every part of the program spells it: inside the vault, without control characters.
const notePath = z.string().refine((path) => plainPath(path) === path && !/\p{Cc}/u.test(path));

const editStep = z.object({
  do: z.literal('edit'),
  path: notePath,
  before_sha256: z.string().regex(SHA256),
  after_sha256: z.string().regex(SHA256),
  text: z.string(),
});
const createStep = z.object({ do: z.literal('create'), path: notePath, text: z.string() });
const step = z.discriminatedUnion('do', [editStep.refine((one) => sha256(one.text) === one.after_sha256), createStep]);
const entry = z.object({
  at: z.string().optional().catch(undefined),
  steps: z.array(z.unknown()).min(1).max(MAX_STEPS),
});

/** A step of an entry that this version doesn't know as a whole, as far as it can be read. */
export type EntryStep = z.infer<typeof step>;
export type EntryEdit = z.infer<typeof editStep>;

/** What can be read of such an entry. `unread`: how many of its steps can't be. */
interface EntrySteps {
  readonly at: string | null;
  readonly steps: readonly EntryStep[];
  readonly unread: number;
}

/** Returns the steps of an entry, read leniently; null where its deciding step can't be read. */
export function readSteps(content: unknown): EntrySteps | null {
  const { data } = entry.safeParse(content);
  const read = data?.steps.map((one) => step.safeParse(one).data) ?? [];
  const steps = read.filter((one) => one !== undefined);
  if (data === undefined || read[0] === undefined) return null;
  return { at: momentIn(data.at), steps, unread: read.length - steps.length };
}

function momentIn(at: string | undefined): string | null {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
