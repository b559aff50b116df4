import { fieldTrouble, type SourceFields } from '../../../source/source-fields.ts';
import type { SourceAsking } from './asking.ts';
import { nameTrouble, type OpenDraft, USUAL_NAMES } from './draft.ts';
import { domainOf, providerAt, providerOf } from './providers.ts';
import { programWords } from './words.ts';

/**
 * Asks what the command line did not say of a source, and returns it; null where the person breaks it off. `taken`: the names
 * of those that are there.
 */
export async function askedDraft(
  open: OpenDraft,
  taken: readonly string[],
  asking: SourceAsking,
): Promise<OpenDraft | null> {
  const kind = open.fields.kind === undefined ? await asking.choose('What do you want to connect?', KINDS) : null;
  const started = { ...open, fields: { ...open.fields, kind: String(open.fields.kind ?? kind ?? '') } };
  if (started.fields.kind === '') return null;
  const asked = await ASKED[String(started.fields.kind)]?.(started, asking);
  if (asked == null) return null;
  if (asked.name !== null) return asked;
  const usual = freeName(USUAL_NAMES[String(asked.fields.kind)] ?? 'source', taken);
  const check = (answer: string) =>
    taken.includes(answer) ? 'There is a source of this name already.' : nameTrouble(answer);
  const name = await asking.name('What shall it be called? Its note gets this name.', usual, check);
  return name === null ? null : { ...asked, name };
}

const KINDS = [
  { value: 'imap', label: 'A mailbox', hint: 'IMAP: Gmail, Outlook, iCloud, your own server' },
  { value: 'caldav', label: 'Calendars on a server', hint: 'CalDAV: iCloud, Fastmail, Nextcloud, Radicale' },
  { value: 'ics', label: 'A calendar at an address', hint: 'a link to an .ics file' },
  { value: 'webhook', label: 'A door for programs on this machine', hint: 'a webhook' },
  { value: 'command', label: 'A program of your own', hint: 'that prints events' },
];

type Asked = (open: OpenDraft, asking: SourceAsking) => Promise<OpenDraft | null>;

const ASKED: Readonly<Record<string, Asked>> = {
  imap: askMailbox,
  caldav: askCalendars,
  ics: async (open, asking) => withField(open, 'url', () => asking.name(FEED, '', checked(open, 'url'))),
  webhook: async (open, asking) => withField(open, 'port', () => asking.name(PORT, '8377', checked(open, 'port'))),
  command: askProgram,
};

const FEED = 'What is the address of the calendar? (https://…; write {secret} in the place of a part that is secret)';
const PORT = 'On which port of this machine shall it listen?';

async function askMailbox(open: OpenDraft, asking: SourceAsking): Promise<OpenDraft | null> {
  const named = await withField(open, 'user', () => asking.name('What is the address of the mailbox?', ''));
  if (named === null) return null;
  const { host, user = '' } = named.fields;
  const provider = host === undefined ? providerOf(String(user)) : providerAt(String(host));
  if (provider !== null) asking.tell(provider.says);
  const guess = domainOf(String(user)) === '' ? '' : `imap.${domainOf(String(user))}`;
  const askHost = () => asking.name('Which server is it on?', guess, checked(named, 'host'));
  const hosted = provider === null ? await withField(named, 'host', askHost) : named;
  if (hosted === null) return null;
  const entered =
    (provider?.auth.length ?? 0) < 2 ? hosted : await withField(hosted, 'auth', () => asking.choose(HOW, WAYS));
  if (entered === null) return null;
  const foldered = await withField(entered, 'folders', () => asking.name(FOLDERS, 'INBOX'));
  return foldered === null ? null : withField(foldered, 'keep', () => asking.choose(KEEP, KEEPS));
}

const HOW = 'How does it let the steward in?';
const WAYS = [
  { value: 'password', label: 'With an app password', hint: 'simplest' },
  { value: 'oauth2', label: 'With OAuth2', hint: 'a command of yours prints an access token' },
];
const FOLDERS = 'Which of its folders? (several with commas between them)';
const KEEP = 'Of a mail that is taken, what should stay in stream/?';
const KEEPS = [
  { value: 'mail', label: 'The whole mail', hint: 'with its attachments' },
  { value: 'text', label: 'Its headers and its text' },
  { value: 'quote', label: 'Nothing but the line that is quoted in a signal' },
];

async function askCalendars(open: OpenDraft, asking: SourceAsking): Promise<OpenDraft | null> {
  const named = await withField(open, 'user', () => asking.name('What is your user name or address there?', ''));
  if (named === null) return null;
  const provider = providerOf(String(named.fields.user));
  if (provider?.caldav != null) asking.tell(provider.says);
  const usual = provider?.caldav ?? '';
  return withField(named, 'url', () =>
    asking.name('What is the address of the server? (https://…)', usual, checked(named, 'url')),
  );
}

async function askProgram(open: OpenDraft, asking: SourceAsking): Promise<OpenDraft | null> {
  if (open.run !== null) return open;
  const line = await asking.name('Which program, with its whole path and its arguments?', '');
  return line === null ? null : { ...open, run: programWords([line]) };
}

async function withField(open: OpenDraft, field: string, ask: () => Promise<string | null>): Promise<OpenDraft | null> {
  if (open.fields[field] !== undefined) return open;
  const answer = await ask();
  return answer === null ? null : { ...open, fields: { ...open.fields, [field]: meant(field, answer) } };
}

function meant(field: string, answer: string): SourceFields[string] {
  if (field === 'port') return Number(answer);
  if (field !== 'folders') return answer;
  return answer
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '');
}

/** Says what stands against an answer, of this field alone: others may not be known yet. */
function checked({ fields }: OpenDraft, field: string): (answer: string) => string | null {
  return (answer) => {
    const trouble = fieldTrouble({ ...fields, [field]: meant(field, answer) }, field);
    return trouble === null ? null : `It ${trouble.slice(field.length + 1)}.`;
  };
}

function freeName(usual: string, taken: readonly string[]): string {
  const names = [usual, ...Array.from({ length: taken.length + 1 }, (_, nth) => `${usual}-${nth + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? usual;
}
