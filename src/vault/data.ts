import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CORE_SCHEMA, load as loadYaml } from 'js-yaml';
import { z } from 'zod';
import { EXIT, errorReason, StewardError } from './errors.ts';

// Parts of the program that many runs never need, each loaded on first use: packages, and the tables in `data`.

// Each throws `program-unread` (75) if the disk or the system can't give it at this moment; the next use tries again.
const load = createRequire(import.meta.url);
/** For edits. */
export const yaml = (): typeof import('yaml') => readable('yaml', () => load('yaml'));
/** For schedules written as cron expressions. */
export const cron = (): typeof import('cron') => readable('cron', () => load('cron'));
/** For whose organisation a domain is. */
export const tldts = (): typeof import('tldts') => readable('tldts', () => load('tldts'));

/** Returns a part of the program that `read` reads. If that fails, it isn't taken for an error of the note or mail at hand. */
export function readable<Package>(name: string, read: () => Package): Package {
  try {
    return read();
  } catch (error) {
    const message = `A part of the program (${name}) cannot be loaded: ${errorReason(error)}`;
    const hint =
      'It is tried again at its next use. Raise the limit of open files (ulimit -n), or install the program again.';
    throw new StewardError({ code: 'program-unread', message, hint }, EXIT.tryAgain, { cause: error });
  }
}

/**
 * Returns what gives the value that `make` makes: made when it is first asked for, and then kept. For tables and patterns of many
 * words: most commands never read a text, and to compile them takes longer than those commands.
 */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Returns a table of the folder `data`, which ships with the program: `languages/en.yaml`. Call it on first use, and keep the
 * result: most commands need no table. Throws an Error that says what is wrong with the table, or `program-unread` if the file
 * can't be read now.
 */
export function loadData<Value>(file: string, schema: z.ZodType<Value>): Value {
  const text = readable(`data/${file}`, () =>
    fs.readFileSync(path.join(findPackage(import.meta.dirname), 'data', file), 'utf8'),
  );
  const content: unknown = file.endsWith('.json') ? JSON.parse(text) : loadYaml(text, { schema: CORE_SCHEMA });
  const read = schema.safeParse(content);
  if (!read.success) throw new Error(`data/${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}

// In src this file has folders above it that dist doesn't have.
function findPackage(folder: string): string {
  return fs.existsSync(path.join(folder, 'package.json')) ? folder : findPackage(path.dirname(folder));
}

const mailbox = z.strictObject({
  name: z.string(),
  domains: z.array(z.string()),
  imap: z.strictObject({ host: z.string(), port: z.int().optional(), security: z.string().optional() }).nullable(),
  caldav: z.url().nullable(),
  /** Who authenticates the senders of its mails, by name in `mail_servers`. */
  mail_server: z.string().optional(),
  /** How it lets a program in; the simplest way first. */
  auth: z.array(z.enum(['password', 'oauth2'])).min(1),
  /** The advice for a person who connects it, in one sentence. */
  says: z.string(),
});
/** How a provider writes `Authentication-Results`: `data/providers.yaml` describes each field. */
const mailServer = z.strictObject({
  ids: z.array(z.string()),
  nameless: z.string().nullable().default(null),
  position: z.enum(['above', 'below', 'either']),
  border: z.array(z.string()),
  own: z.array(z.string()),
  several: z.boolean().default(false),
});
/**
 * In US dollars per million tokens. Cached input costs less, so a sum is never below what is paid. Haiku 5.5 costs five
 * times as much for questions of over 100 000 tokens, but no question here is so long.
 */
const price = z.strictObject({ read: z.number().positive(), written: z.number().positive() });
/** `since`: the first day without the model. `successor`: the model that its provider recommends instead. */
const retirement = z.strictObject({ since: z.iso.date(), successor: z.string() });

const tables = z.strictObject({
  mailboxes: z.array(mailbox),
  mail_servers: z.record(z.string(), mailServer),
  prices: z.record(z.string(), price),
  retired: z.record(z.string(), retirement),
});

/** Returns what is known of other services: providers of mailboxes and calendars, mail servers, prices and ends of models, by name. */
export const knownProviders = lazily(() => loadData('providers.yaml', tables));

/** A provider of mailboxes and calendars, as far as it is known from its own public pages. */
export type MailboxProvider = z.infer<typeof mailbox>;

/** How a provider authenticates senders. */
export type MailServerFormat = z.infer<typeof mailServer>;

/** When a model was or will be switched off by its provider. */
export type Retirement = z.infer<typeof retirement>;

/** The price of a model, in US dollars per million tokens, read and written. */
export type Price = z.infer<typeof price>;
