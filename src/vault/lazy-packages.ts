import { createRequire } from 'node:module';

/*
 * Packages that many a run never needs, each loaded when it is first asked for: reading plain notes takes none of them,
 * and together they take longer to load than a small vault to read.
 */

const load = createRequire(import.meta.url);

/** For frontmatter that is not plain. */
export const grayMatter = (): typeof import('gray-matter') => load('gray-matter');
/** For edits. */
export const yaml = (): typeof import('yaml') => load('yaml');
/** For schedules written as cron expressions. */
export const cron = (): typeof import('cron') => load('cron');
