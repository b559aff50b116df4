import type { MailCase } from '../test/eval/case.ts';

/** In so many runs, one part of the groups is left out each. */
export const FOLDS = 5;

/** Returns the run in which a group is left out. */
export function foldOf(group: string): number {
  let hash = 7;
  for (const letter of group) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return (hash >>> 3) % FOLDS;
}

/** Returns the group of a mail: its family, so that what was learnt from one is not asked about another in the same words. */
export function groupOf({ domain, template, id }: MailCase): string {
  return template === '' ? `case ${domain} ${id}` : `case ${template}`;
}
