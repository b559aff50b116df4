/** A provider of mailboxes and calendars, as far as it is known from its own public pages. */
interface Provider {
  readonly name: string;
  /** The domains of its addresses. */
  readonly domains: readonly string[];
  readonly imap: { readonly host: string; readonly port?: number; readonly security?: string } | null;
  readonly caldav: string | null;
  /** How it lets a program in; the simplest way first. */
  readonly auth: readonly ('password' | 'oauth2')[];
  /** What a person must know before they connect it, in one sentence. */
  readonly says: string;
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    imap: { host: 'imap.gmail.com' },
    caldav: null,
    auth: ['password', 'oauth2'],
    says: 'Gmail does not take your own password here: with 2-Step Verification on, make an app password at myaccount.google.com/apppasswords, or use OAuth2.',
  },
  {
    name: 'Outlook and Microsoft 365',
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'outlook.de', 'hotmail.de', 'live.de'],
    imap: { host: 'outlook.office365.com' },
    caldav: null,
    auth: ['oauth2'],
    says: 'Microsoft lets programs in by OAuth2 alone: a command must print an access token (docs/sources.md shows how to get one).',
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    imap: { host: 'imap.mail.me.com' },
    caldav: 'https://caldav.icloud.com/',
    auth: ['password'],
    says: 'iCloud wants an app-specific password: make one at account.apple.com, under Sign-In and Security.',
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    imap: { host: 'imap.fastmail.com' },
    caldav: 'https://caldav.fastmail.com/',
    auth: ['password'],
    says: 'Fastmail wants an app password: make one under Settings, Privacy & Security, with access to mail (IMAP) or calendars alone.',
  },
  {
    name: 'Yahoo',
    domains: [
      'yahoo.com',
      'yahoo.de',
      'yahoo.co.uk',
      'yahoo.fr',
      'yahoo.it',
      'yahoo.es',
      'ymail.com',
      'rocketmail.com',
    ],
    imap: { host: 'imap.mail.yahoo.com' },
    caldav: 'https://caldav.calendar.yahoo.com/',
    auth: ['password'],
    says: 'Yahoo wants an app password: make one in your account, under Security.',
  },
  {
    name: 'GMX',
    domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
    imap: { host: 'imap.gmx.net' },
    caldav: 'https://caldav.gmx.net/',
    auth: ['password'],
    says: 'GMX lets programs in once you allow it: Settings, POP3/IMAP retrieval; with two-factor sign-in it wants a password for one application.',
  },
  {
    name: 'GMX (international)',
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk', 'gmx.fr'],
    imap: { host: 'imap.gmx.com' },
    caldav: null,
    auth: ['password'],
    says: 'GMX lets programs in once you allow it: Settings, POP3 & IMAP.',
  },
  {
    name: 'WEB.DE',
    domains: ['web.de', 'email.de'],
    imap: { host: 'imap.web.de' },
    caldav: 'https://caldav.web.de/',
    auth: ['password'],
    says: 'WEB.DE lets programs in once you allow it: Settings, POP3/IMAP retrieval; with two-factor sign-in it wants a password for one application.',
  },
  {
    name: 'Posteo',
    domains: ['posteo.de', 'posteo.net', 'posteo.org', 'posteo.eu', 'posteo.at', 'posteo.ch'],
    imap: { host: 'posteo.de' },
    caldav: 'https://posteo.de:8443/',
    auth: ['password'],
    says: 'Posteo takes your own password, or an app password where you have turned those on.',
  },
  {
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    imap: { host: 'imap.mailbox.org' },
    caldav: 'https://dav.mailbox.org/',
    auth: ['password'],
    says: 'mailbox.org takes your own password; with two-factor sign-in it wants an application password.',
  },
  {
    name: 'Proton Mail Bridge',
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
    imap: { host: '127.0.0.1', port: 1143, security: 'starttls' },
    caldav: null,
    auth: ['password'],
    says: 'Proton is reached through its Bridge on this machine: take the password that Bridge shows, and trust the certificate that it exports (NODE_EXTRA_CA_CERTS).',
  },
];

/** Returns the provider of an address, or null where it is not one of the well-known. */
export function providerOf(address: string): Provider | null {
  const domain = domainOf(address);
  return PROVIDERS.find(({ domains }) => domains.includes(domain)) ?? null;
}

/** Returns the domain of an address, in small letters; empty where it has none. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at === -1
    ? ''
    : address
        .slice(at + 1)
        .trim()
        .toLowerCase();
}

/**
 * Returns the provider that a server belongs to, or null. `port`: where it is said; what listens at another one of this machine
 * is not the provider's.
 */
export function providerAt(host: string, port: unknown): Provider | null {
  const name = host.trim().toLowerCase();
  const isPort = (own?: number) => own === undefined || port === undefined || port === own;
  return PROVIDERS.find(({ imap }) => imap?.host === name && isPort(imap.port)) ?? null;
}
