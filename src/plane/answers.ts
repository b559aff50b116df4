import { z } from 'zod';
import { planeId } from './access.ts';

// What Plane answers, as far as it is used. Only what is needed is demanded; unknown fields are let go.

/** What is read of a text. Whoever writes in Plane must not deafen us by writing more. */
const MAX_TEXT = 20_000;
const text = z.string().transform((written) => written.slice(0, MAX_TEXT));
const optionalText = text.nullish().transform((value) => value ?? null);
const optionalId = planeId
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

export const GROUPS = ['backlog', 'unstarted', 'started', 'completed', 'cancelled'] as const;

/** A state that a project has. A group that is not known is no group that anything is moved to. */
const state = z.object({
  id: planeId,
  name: text,
  group: z
    .enum(GROUPS)
    .nullish()
    .catch(null)
    .transform((value) => value ?? null),
});
export type PlaneState = z.infer<typeof state>;

/** A work item. Some servers give the state as an object. */
export const workItem = z.object({
  id: planeId,
  name: text.catch(''),
  state: z
    .union([planeId, z.object({ id: planeId }).transform(({ id }) => id)])
    .nullish()
    .transform((id) => id ?? null),
  target_date: z.iso
    .date()
    .nullish()
    .catch(null)
    .transform((date) => date ?? null),
  updated_at: optionalText,
  updated_by: optionalId,
});
export type WorkItem = z.infer<typeof workItem>;

const comment = z.object({
  id: planeId,
  comment_html: optionalText,
  created_at: optionalText,
  actor: optionalId,
  created_by: optionalId,
  external_source: optionalText,
  external_id: optionalText,
});
export type PlaneComment = z.infer<typeof comment>;

/** What a post is answered with, and a refusal since it is there already (409). */
export const named = z.object({ id: planeId });

/** A page of a list. Some lists come as a bare array, which is one page. */
function page<Item>(item: z.ZodType<Item>) {
  const bare = z.array(item).transform((results) => ({ results, next: null }));
  const paged = z
    .object({
      results: z.array(item),
      next_cursor: z.string().max(200).nullish(),
      next_page_results: z.boolean().nullish(),
    })
    .transform(({ results, next_cursor: cursor, next_page_results: more }) => {
      return { results, next: more === true ? (cursor ?? null) : null };
    });
  return z.union([paged, bare]);
}

export const states = page(state);
export const workItems = page(workItem);
export const comments = page(comment);
/** A list of which only the existence counts. */
export const anyList = page(z.unknown());
export const anyThing = z.object({ id: z.string() });
