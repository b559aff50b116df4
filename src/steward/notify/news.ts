import { z } from 'zod';
import { sha256 } from '../../vault/hash.ts';
import type { WaitingKind } from '../attention/kinds.ts';
import type { Waiting } from '../attention/waiting.ts';

const optional = z.string().nullable();

/** One thing that a person is told: an entry of the list, or a change that was made without asking. */
export const news = z.lazy(() =>
  z.object({
    /** What makes it one and the same: it is told once. */
    key: z.string(),
    kind: z.enum(['proposal', 'question', 'choice', 'found', 'conflict', 'unfinished', 'kept', 'trouble', 'done']),
    event: optional,
    target: optional,
    change: optional,
    from: optional,
    quote: optional,
    candidates: z.array(z.string()),
    /** When it came up (epoch ms). */
    at: z.number(),
  }),
);
export type News = z.infer<typeof news>;

/** A change that was made without asking, as its event note says it. */
export interface Deed extends Pick<News, 'target' | 'change' | 'from' | 'quote'> {
  readonly event: string;
  readonly at: number;
}

/** Trouble must have stood for so long: much of it is over before anybody could look. */
const LASTING_MS = 60_000;

/**
 * Returns what of the list is news: everything that was not told before. `seen`: when each entry came up first, by its
 * key; trouble is news once it has lasted.
 */
export function newsIn(
  waiting: readonly Waiting[],
  told: Readonly<Record<string, number>>,
  seen: ReadonlyMap<string, number>,
  now: number,
): News[] {
  return waiting
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .filter(({ key }) => told[key] === undefined)
    .filter(({ entry, key }) => entry.kind !== 'trouble' || now - (seen.get(key) ?? now) >= LASTING_MS)
    .map(({ entry, key }) => newsOf(entry, key, seen.get(key) ?? now));
}

/** Returns when trouble that has only just come up is to be looked at again (epoch ms); null where there is none. */
export function lastsAt(
  waiting: readonly Waiting[],
  told: Readonly<Record<string, number>>,
  seen: ReadonlyMap<string, number>,
  now: number,
): number | null {
  const young = waiting
    .filter(({ kind }) => kind === 'trouble')
    .map(keyOf)
    .filter((key) => told[key] === undefined)
    .map((key) => (seen.get(key) ?? now) + LASTING_MS)
    .filter((at) => at > now);
  return young.length === 0 ? null : Math.min(...young);
}

/** Returns what makes an entry of the list one and the same. */
export function keyOf({ kind, event, target, change, since }: Waiting): string {
  if (kind === 'conflict') return `conflict ${event} ${since}`;
  if (event !== null) return `waits ${event}`;
  // A figure that goes up, how often something was tried for one, makes no other trouble of it.
  return `${kind} ${sha256(`${target}\0${change?.replace(/\d+/g, '0')}`).slice(0, 16)}`;
}

/** Returns a deed as news. */
export function newsOfDeed({ event, target, change, from, quote, at }: Deed): News {
  return { key: `done ${event}`, kind: 'done', event, target, change, from, quote, candidates: [], at };
}

function newsOf({ kind, event, target, change, from, quote, candidates }: Waiting, key: string, at: number): News {
  return { key, kind, event, target, change, from, quote, candidates: [...candidates], at };
}

/** Whether something waits for the person, rather than being done. */
export function isOpen(kind: News['kind']): kind is WaitingKind {
  return kind !== 'done';
}
