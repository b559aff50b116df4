import { z } from 'zod';
import { answeredFields, isSiblingType, SIBLING_TYPES } from './event.ts';
import type { Frontmatter } from './values.ts';
import { optionalText, orNull } from './values.ts';

export const ORDER_OUTCOMES = ['confirmed', 'dismissed', 'conflict', 'not-a-proposal', 'refused'] as const;
export type OrderOutcome = (typeof ORDER_OUTCOMES)[number];

/**
 * `event/…-action-confirmed-….md` or `…-dismissed-…` as a person drops it: it needs only `confirms` or `dismisses`, or
 * only its name. Once carried out, it becomes the sibling note itself, an event; otherwise the program says why not.
 */
export const orderFields = z.object({
  type: orNull(z.enum(SIBLING_TYPES)),
  confirms: optionalText,
  dismisses: optionalText,
  reason: optionalText,
  /** Which of the notes that could be meant is meant. */
  choose: optionalText,
  outcome: orNull(z.enum(ORDER_OUTCOMES)),
  ...answeredFields,
});
export type OrderFields = z.infer<typeof orderFields>;

const ORDER_NAME = /^(steward|signal)-action-(confirmed|dismissed)-/i;

/** Whether an event note's name says that it confirms or dismisses a proposal. */
export function isOrderName(name: string): boolean {
  return ORDER_NAME.test(name);
}

/** Whether an event note is a person's order that has not been carried out, rather than the record of one that was. */
export function isOrder(name: string, data: Frontmatter): boolean {
  const { type } = data;
  const isSibling = type === undefined || type === null ? isOrderName(name) : isSiblingType(type);
  return isSibling && !isCarriedOut(data);
}

// The first version wrote no outcome into its own siblings; a person's file names no `target_path`.
function isCarriedOut({ outcome, timestamp, target_path: path }: Frontmatter): boolean {
  if (outcome === undefined || outcome === null) return typeof timestamp === 'string' && typeof path === 'string';
  return outcome === 'confirmed' || outcome === 'dismissed';
}
