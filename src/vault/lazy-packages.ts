import { createRequire } from 'node:module';

/*
 * Packages that many runs never need, each loaded on first use: reading plain notes needs none of them, and loading
 * them all takes longer than reading a small vault.
 */

const load = createRequire(import.meta.url);

/** For frontmatter that is not plain. */
export const grayMatter = (): typeof import('gray-matter') => load('gray-matter');
/** For edits. */
export const yaml = (): typeof import('yaml') => load('yaml');
/** For schedules written as cron expressions. */
export const cron = (): typeof import('cron') => load('cron');
/** For whose organisation a domain is. */
export const tldts = (): typeof import('tldts') => load('tldts');
