import type { MailCase } from '../test/eval/case.ts';

/** In so many runs, one part of the groups is left out each. */
export const FOLDS = 5;

/** Returns the run in which a group is left out. */
export function foldOf(group: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < group.length; at += 1) hash = Math.imul(hash ^ group.charCodeAt(at), 0x01000193);
  return ((Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 16) & 0xffff) % FOLDS;
}

/** Returns the group of a mail: its family, so that what was learnt from one is not asked about another in the same words. */
export function groupOf({ domain, template, id }: MailCase): string {
  return template === '' ? `case ${domain} ${id}` : `case ${template}`;
}
