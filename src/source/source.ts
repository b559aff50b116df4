import { z } from 'zod';
import { sha256 } from '../vault/hash.ts';
import { issueWords } from '../vault/records/issue-words.ts';
import type { Arrival } from './connector.ts';
import type { SourceState } from './source-state.ts';

const FIRST_MS = 15_000;
const LONGEST_MS = 30 * 60 * 1000;
/** A server may ask to be left alone for a day, not for a year. */
const MOST_ASKED_MS = 24 * 60 * 60 * 1000;

/**
 * Returns how long (ms) to wait after the `tries`-th failure in a row: twice as long each time, half an hour at most, and at
 * least as long as the server asks for. `chance`, from 0 to 1, spreads those that failed together over half of it.
 */
export function nextTry(tries: number, askedMs: number | null, chance: number): number {
  const pause = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(20, Math.max(0, tries - 1)));
  return Math.max(pause * (0.5 + chance / 2), Math.min(askedMs ?? 0, MOST_ASKED_MS));
}

/** What of it lies in one file: so that no file is large, and one that cannot be read costs few others. */
const MOST_ENTRIES = 200;
const MOST_BYTES = 1024 * 1024;

type Entry = Arrival & { readonly content: Extract<Arrival['content'], { kind: 'calendar' }> };

/**
 * Returns the same arrivals, with the calendars of many in a row put together: a file of calendars is read in a process of
 * its own, and a process for each entry takes longer than all the rest. The same ones make the same file.
 */
export function together(arrivals: readonly Arrival[]): readonly Arrival[] {
  const made: Arrival[] = [];
  let row: Entry[] = [];
  const close = () => {
    const [first, ...others] = row;
    if (first !== undefined) made.push(others.length === 0 ? first : joined(first, others));
    row = [];
  };
  for (const arrival of arrivals) {
    if (!isEntry(arrival)) {
      made.push(arrival);
      continue;
    }
    if (row.length >= MOST_ENTRIES || bytesIn(row) + arrival.content.bytes.length > MOST_BYTES) close();
    row.push(arrival);
  }
  close();
  return made;
}

function isEntry(arrival: Arrival): arrival is Entry {
  return arrival.content?.kind === 'calendar';
}

function bytesIn(row: readonly Entry[]): number {
  return row.reduce((sum, { content }) => sum + content.bytes.length, 0);
}

function joined(first: Entry, others: readonly Entry[]): Arrival {
  const row = [first, ...others];
  const bytes = Buffer.from(row.map(({ content }) => standingAlone(content.bytes)).join(''));
  return { key: sha256(row.map(({ key }) => key).join(' ')), at: first.at, content: { kind: 'calendar', bytes } };
}

// No line of one goes on in the next, and none ends its lines in another way than the others.
function standingAlone(bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^[\uFEFF\s]+/, '')
    .trimEnd();
  return `${text.replace(/\r\n?|\n/g, '\r\n')}\r\n`;
}

/** A program and its arguments. It is started as it is, without a shell. */
const argv = z.array(z.string().min(1).max(4096)).min(1).max(100);

/** What a person allowed a source on this machine. */
export const grant = z.lazy(() =>
  z.object({
    /** Where it leads and as whom, as its note said when it was allowed. */
    pinned: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    /** The program that prints the password or token; null where it stands in the environment or is a credential of the service. */
    passwordCommand: argv.nullable(),
    /** The program that a source of the kind `command` runs; null for the others. */
    run: argv.nullable(),
    /** ISO, UTC */
    at: z.string(),
  }),
);
export type Grant = z.infer<typeof grant>;

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How many times as long as usual nothing may come before it is said; but never earlier than after three days. */
const FACTOR = 10;
const LEAST_MS = 3 * DAY_MS;
/** From so many things on it is known what is usual. */
const ENOUGH = 10;
/** A gap of the usual length counts as one in so many; a longer one for more. */
const MEMORY = 10;

/**
 * Returns how long (ms) it usually is between two things of a source, after things came in at `times` (epoch ms); null while
 * that is not known. What counts is when they came in there, not when they were fetched: a first visit brings hundreds in a
 * moment. Each gap weighs as much as it is long, so that ten mails of one minute say little beside the week before them.
 */
export function usualGap(
  { event, lagMs, gapMs }: Pick<SourceState, 'event' | 'lagMs' | 'gapMs'>,
  times: readonly number[],
): number | null {
  let last = event === null || lagMs === null ? null : event - lagMs;
  let usual = gapMs;
  for (const time of times) {
    const gap = last === null ? 0 : time - last;
    if (gap > 0) usual = usual === null ? gap : usual + ((gap - usual) * gap) / (gap + (MEMORY - 1) * usual);
    last = time;
  }
  return usual;
}

/** Returns what to say of a source that answers and has brought nothing for far longer than usual, or null. */
export function silence(
  { event, gapMs, seen }: Pick<SourceState, 'event' | 'gapMs' | 'seen'>,
  now: number,
): { readonly message: string; readonly hint: string } | null {
  if (event === null || gapMs === null || seen < ENOUGH) return null;
  const quiet = now - event;
  if (quiet < Math.max(LEAST_MS, FACTOR * gapMs)) return null;
  return {
    message: `Nothing has come for ${span(quiet)}; before, something came every ${span(gapMs)} or so.`,
    hint: 'It answers, but may have lost its folder, its filter or its forwarding: look whether new things arrive there.',
  };
}

function span(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}

/** What is left of a mail in `stream/`: all of it, its headers and its text, or nothing once it has been read. */
const KEEPS = ['mail', 'text', 'quote'] as const;

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };
const LONGEST_MS_SOURCE_NOTE = 7 * 24 * 60 * MINUTE_MS;

/** `5m`, `1h`: from one minute to a week, in ms. */
const PACE = 'must be a pace such as 5m, 1h or 1d';
const pace = z
  .string({ error: PACE })
  .regex(/^\d{1,4}[mhd]$/, { error: PACE })
  .transform((text) => Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0))
  .refine((ms) => ms >= MINUTE_MS && ms <= LONGEST_MS_SOURCE_NOTE, { error: 'must lie between 1m and 7d' });

const HOST = /^(?=.{1,253}$)(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*$|^\[?[0-9a-fA-F:.]{2,45}\]?$/;
const host = z.string().regex(HOST, { error: 'must be the name or address of a server' });
const PORT = { error: 'must be a number from 1 to 65535' };
const port = z.int(PORT).min(1, PORT).max(65_535, PORT);
const words = z.string().trim().min(1).max(300);
const listed = z.preprocess((value) => (typeof value === 'string' ? [value] : (value ?? [])), z.array(words).max(200));
/** Loopback alone may be spoken to without a proof of who answers. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

const url = z.string().refine(isFitUrl, {
  error: 'must be an https address without a name or password in it; http is for this machine alone',
});

const common = {
  paused: z
    .boolean()
    .nullish()
    .transform((paused) => paused ?? false),
};
const day = z.iso.date({ error: 'must be a day, as in 2026-11-01' });

const imap = z.lazy(() =>
  z
    .object({
      ...common,
      kind: z.literal('imap'),
      host,
      port: port.default(993),
      /** `none` is for a server on this machine. */
      security: z.enum(['tls', 'starttls', 'none']).default('tls'),
      user: words,
      auth: z.enum(['password', 'oauth2']).default('password'),
      folders: listed.transform((names) => (names.length === 0 ? ['INBOX'] : names)),
      /** Mails that came in before that day are not looked at; null: what came in the last 30 days before the first visit. */
      since: day.nullish().transform((since) => since ?? null),
      /** Addresses and domains; where there are any, mails of others are not looked at. */
      senders: listed,
      keep: z.enum(KEEPS).default('mail'),
      /** The name by which the account's own server signs `Authentication-Results`; null: nobody vouches for a sender. */
      mail_server: host.nullish().transform((server) => server ?? null),
      every: pace.default(5 * MINUTE_MS),
    })
    .refine(({ security, host: name }) => security !== 'none' || LOOPBACK.test(name), {
      error: 'may be none for a server on this machine only',
      path: ['security'],
    }),
);
const caldav = z.lazy(() =>
  z.object({
    ...common,
    kind: z.literal('caldav'),
    url,
    user: words,
    auth: z.enum(['password', 'oauth2']).default('password'),
    /** Names of calendars as the server shows them; none: all. */
    calendars: listed,
    every: pace.default(10 * MINUTE_MS),
  }),
);
const ics = z.lazy(() =>
  z.object({
    ...common,
    kind: z.literal('ics'),
    /** `webcal:` is what a button in a browser says for https. */
    url: z
      .string()
      .transform((written) => written.replace(/^webcals?:/i, 'https:'))
      .pipe(url),
    /** Where the address asks for a name and password. */
    user: words.nullish().transform((user) => user ?? null),
    every: pace.default(60 * MINUTE_MS),
  }),
);
const webhook = z.lazy(() => z.object({ ...common, kind: z.literal('webhook'), port: port.default(8377) }));
const command = z.lazy(() => z.object({ ...common, kind: z.literal('command'), every: pace.default(15 * MINUTE_MS) }));

/** The frontmatter of a source note. */
export const sourceSettings = z.lazy(() => z.discriminatedUnion('kind', [imap, caldav, ics, webhook, command]));
export type SourceSettings = z.infer<typeof sourceSettings>;
export type ImapSettings = Extract<SourceSettings, { kind: 'imap' }>;
export type CaldavSettings = Extract<SourceSettings, { kind: 'caldav' }>;
export type IcsSettings = Extract<SourceSettings, { kind: 'ics' }>;
export type WebhookSettings = Extract<SourceSettings, { kind: 'webhook' }>;

/** Names that mean something else below `stream/`. */
const TAKEN = ['plane', 'cur', 'new', 'tmp'];
/** What a source may be called: it names its note, its folder below `stream/`, and its credential. */
export const sourceName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'must be a short name in small letters, digits and hyphens' })
  .refine((name) => !TAKEN.includes(name), { error: 'is taken: it means something else below stream/' });

/**
 * Returns what decides where a source leads, and as whom: a change of it by whoever writes into the vault must not take a
 * password elsewhere, nor have another's word count. It is compared with what a person allowed on this machine.
 */
export function pinned(settings: SourceSettings): Readonly<Record<string, string | number | null>> {
  switch (settings.kind) {
    case 'imap': {
      const { kind, host: name, port: at, security, user, auth, mail_server } = settings;
      return { kind, host: name.toLowerCase(), port: at, security, user, auth, mail_server };
    }
    case 'caldav':
      return { kind: settings.kind, url: settings.url, user: settings.user, auth: settings.auth };
    case 'ics':
      return { kind: settings.kind, url: settings.url, user: settings.user };
    case 'webhook':
      return { kind: settings.kind, port: settings.port };
    case 'command':
      return { kind: settings.kind };
  }
}

function isFitUrl(written: string): boolean {
  const address = URL.canParse(written) ? new URL(written) : null;
  if (address === null || `${address.username}${address.password}${address.hash}` !== '') return false;
  return address.protocol === 'https:' || (address.protocol === 'http:' && LOOPBACK.test(address.hostname));
}

const word = z.string().max(2000);

/** The frontmatter of a source note as a person writes it, before what is left out is filled in. */
export const sourceFields = z.lazy(() =>
  z.record(z.string().regex(/^[a-z_]{1,40}$/), z.union([word, z.number(), z.boolean(), z.array(word).max(200)])),
);
export type SourceFields = z.infer<typeof sourceFields>;

/** Says what stands against fields, and in which; null where a source can be read from them. `only`: of that one field. */
export function fieldTrouble(fields: SourceFields, only: string | null = null): string | null {
  const issues = sourceSettings.safeParse(fields).error?.issues ?? [];
  const issue = issues.find(({ path }) => only === null || path[0] === only);
  if (issue === undefined) return null;
  return `${String(issue.path[0] ?? 'kind')} ${whyNotFit(issue)}`;
}

/** Returns what stands against a field, as the rest of a sentence that begins with its name; no value of it is repeated. */
export function whyNotFit(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'is not valid';
  if (issue.path[0] === 'kind' || issue.code === 'invalid_union')
    return 'must be imap, caldav, ics, webhook or command';
  return issueWords(issue);
}
