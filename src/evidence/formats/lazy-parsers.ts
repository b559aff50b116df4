import { createRequire } from 'node:module';
import type { parse } from 'csv-parse/sync';
import type MiniSearch from 'minisearch';

/*
 * Parsers, each loaded with the first file of its kind: all together take longer to load than to count a hundred thousand
 * rows.
 */

const load = createRequire(import.meta.url);

export const cpp = (): typeof import('@lezer/cpp') => load('@lezer/cpp');
export const go = (): typeof import('@lezer/go') => load('@lezer/go');
export const java = (): typeof import('@lezer/java') => load('@lezer/java');
export const javascript = (): typeof import('@lezer/javascript') => load('@lezer/javascript');
export const python = (): typeof import('@lezer/python') => load('@lezer/python');
export const rust = (): typeof import('@lezer/rust') => load('@lezer/rust');
export const toml = (): typeof import('toml-eslint-parser') => load('toml-eslint-parser');
export const csv = (): { readonly parse: typeof parse } => load('csv-parse/sync');
/** For the words of a request, where nothing else answers it. */
export const miniSearch = (): typeof MiniSearch => load('minisearch');
