import { createRequire } from 'node:module';
import { EXIT, reasonOf, StewardError } from './errors.ts';

/*
 * Packages that many runs never need, each loaded on first use: reading plain notes needs none of them, and loading
 * them all takes longer than reading a small vault. Each throws `program-unread` (75) where the disk or the system does
 * not give it now; the next use tries again.
 */

const load = createRequire(import.meta.url);

/** For frontmatter that is not plain. */
export const grayMatter = (): typeof import('gray-matter') => readable('gray-matter', () => load('gray-matter'));
/** For edits. */
export const yaml = (): typeof import('yaml') => readable('yaml', () => load('yaml'));
/** For schedules written as cron expressions. */
export const cron = (): typeof import('cron') => readable('cron', () => load('cron'));
/** For whose organisation a domain is. */
export const tldts = (): typeof import('tldts') => readable('tldts', () => load('tldts'));

// Not to be taken for a fault of what the package was to read.
function readable<Package>(name: string, loaded: () => Package): Package {
  try {
    return loaded();
  } catch (error) {
    const message = `A part of the program (${name}) cannot be loaded: ${reasonOf(error)}`;
    const hint =
      'It is tried again at its next use. Raise the limit of open files (ulimit -n), or install the program again.';
    throw new StewardError({ code: 'program-unread', message, hint }, EXIT.tryAgain, { cause: error });
  }
}
