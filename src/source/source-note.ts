import { z } from 'zod';

/** What is left of a mail in `stream/`: all of it, its headers and its text, or nothing once it has been read. */
const KEEPS = ['mail', 'text', 'quote'] as const;

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS;

/** `5m`, `1h`: from one minute to a week, in ms. */
const PACE = 'must be a pace such as 5m, 1h or 1d';
const pace = z
  .string({ error: PACE })
  .regex(/^\d{1,4}[mhd]$/, { error: PACE })
  .transform((text) => Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0))
  .refine((ms) => ms >= MINUTE_MS && ms <= LONGEST_MS, { error: 'must lie between 1m and 7d' });

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
