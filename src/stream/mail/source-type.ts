/** A larger file is refused unread. */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;

/** The sources with their own prior (contract, section 7) that a file may speak for: for `vault_edit` only the program itself does. */
const SOURCE_TYPES = [
  'gmail',
  'gmail_unknown',
  'mail',
  'slack',
  'slack_channel',
  'gcal',
  'calendar',
  'sure',
  'bank',
  'plane',
  'vexa',
  'transcript',
  'other',
] as const;

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([['ics', 'calendar']]);

/** The folders of a Maildir in which mails lie that were delivered. What lies in `tmp` is not whole. */
const DELIVERED = /(?:^|\/)(?:cur|new)\/([^/]+)$/;
/** The flags at the end of a name; a colon is not possible everywhere. */
const FLAGS = /[:;!_-]2,[A-Za-z]*$/;
/** A name as it is given at the delivery: it begins with the second, then come the process and the host. */
const DELIVERY = /^\d{9,11}[._]/;
/** The ending of another kind of file. */
const ENDING = /\.[A-Za-z][A-Za-z\d]{1,7}$/;

/** Whether a file of this name holds one mail: an `.eml`, or a mail in the `cur` or `new` of a Maildir. */
export function isMailFile(path: string): boolean {
  return /\.eml$/i.test(path) || isInMaildir(path);
}

/**
 * Whether a file is a mail in a Maildir: with its flags it changes its name. A folder may be called `new` for other reasons:
 * what has an ending of its own there is no mail.
 */
export function isInMaildir(path: string): boolean {
  const name = DELIVERED.exec(path)?.[1] ?? '';
  return FLAGS.test(name) || DELIVERY.test(name) || (name !== '' && !ENDING.test(name));
}

/**
 * Returns the source of a file under the stream folder: the folder directly below it if that names a known source, else
 * what the file's extension says. Gmail from an unknown sender is `gmail_unknown`, which is trusted less at first.
 */
export function sourceTypeOf(path: string, fromIsKnown: boolean, streamFolder = 'stream'): string {
  const source = namedSource(path, streamFolder) ?? namedByFile(path);
  return sourceFrom(source, fromIsKnown);
}

/** Returns the source of an event, where what is known of its sender tells it: Gmail from strangers is trusted less. */
export function sourceFrom(source: string, fromIsKnown: boolean): string {
  return source === 'gmail' && !fromIsKnown ? 'gmail_unknown' : source;
}

/** Returns the source that the folder of a stream file names, or null. */
export function namedSource(path: string, streamFolder: string): string | null {
  const prefix = `${streamFolder}/`.toLowerCase();
  const folded = path.normalize('NFC').toLowerCase();
  if (!folded.startsWith(prefix)) return null;
  const [folder, ...rest] = folded.slice(prefix.length).split('/');
  return rest.length === 0 ? null : (SOURCE_TYPES.find((source) => source === folder) ?? null);
}

function namedByFile(path: string): string {
  return isMailFile(path) ? 'mail' : (BY_EXTENSION.get(extensionOf(path)) ?? 'other');
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
