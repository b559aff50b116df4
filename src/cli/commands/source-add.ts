import { readEnvironment } from '../../daemon/environment.ts';
import {
  fieldTrouble,
  needsPassword,
  passwordVariable,
  type SourceFields,
  type SourceSettings,
  sourceSettings,
} from '../../sources/source.ts';
import { addSource, type PlainFailure, sourceExists } from '../../sources/source-note.ts';
import type { SourceTrial } from '../../sources/source-work.ts';
import { EXIT } from '../../vault/errors.ts';
import { askDaemon, handOver, presentVaultDir } from '../client.ts';
import type { CommandContext, CommandResult } from '../terminal.ts';
import {
  ADDING,
  type AddOptions,
  allSources,
  completeDraft,
  findMailboxProvider,
  grantOfDraft,
  leadsWords,
  makeDraft,
  nameTrouble,
  type OpenDraft,
  parseDomain,
  printHowUntested,
  printMailServer,
  printNext,
  printNothingChanged,
  printSourceWritten,
  printTried,
  programWords,
  providerAt,
  type SourceAsking,
  type SourceDraft,
  terminalAsking,
  triedHere,
  triedWhereItRuns,
  tryingWords,
  USUAL_NAMES,
} from './source.ts';

/**
 * `steward source add [NAME] [-- PROGRAM…]`: connects a source. On a terminal it asks for what is not said; it tests,
 * and writes what the person allows and then the note. Exit 1 if the test failed or the person broke it off: nothing
 * has changed then.
 */
export async function sourceAdd(
  name: string | undefined,
  program: readonly string[],
  options: AddOptions,
  context: CommandContext,
): CommandResult {
  const asking = options.yes === true ? null : await terminalAsking();
  return addedWith(asking, makeDraft(name, program, options), options, context);
}

/** The same with a given way to ask; null if no person is there. */
export async function addedWith(
  asking: SourceAsking | null,
  open: OpenDraft,
  options: AddOptions,
  context: CommandContext,
): CommandResult {
  const root = presentVaultDir(options, context);
  const there = await allSources(root, context);
  const taken = there.find(({ name }) => name === open.name);
  if (taken !== undefined) throw sourceExists(taken.name, taken.path);
  const asked =
    asking === null
      ? open
      : await askedDraft(
          open,
          there.map(({ name }) => name),
          asking,
        );
  if (asked === null) return brokenOff(context);
  const draft = completeDraft(asked);
  const exists = there.find(({ name }) => name === draft.name);
  if (exists !== undefined) throw sourceExists(exists.name, exists.path);
  if (asking === null) tellProvider(draft, context);
  const tested = options.test === false ? { draft, tried: null } : await testedDraft(draft, root, asking, context);
  if (tested === null) return brokenOff(context);
  if (tested.tried?.failed != null && !(await isWrittenAllTheSame(asking, context))) return brokenOff(context);
  const vouched = await withMailServer(tested.draft, tested.tried, asking, context);
  if (vouched === null) return brokenOff(context);
  return written(vouched, root, context);
}

// On a terminal the question itself has said it.
function tellProvider({ fields }: SourceDraft, { out }: CommandContext): void {
  const known = fields.kind === 'imap' ? providerAt(String(fields.host), fields.port) : null;
  if (known !== null) out.line(known.says);
}

async function written(draft: SourceDraft, root: string, context: CommandContext): CommandResult {
  const { name, fields } = draft;
  const order = { op: 'source-add' as const, name, fields, allow: grantOfDraft(draft, Date.now()) };
  const { file } = await handOver(context, root, order, async (space) => addSource(space, order));
  printSourceWritten(context.out, file);
  const source = (await allSources(root, context)).find((one) => one.name === name);
  const isRunning = (await askDaemon(context, root, { op: 'alive' })) !== 'absent';
  if (source !== undefined) printNext(context.out, source, isRunning);
  return EXIT.done;
}

function brokenOff({ err }: CommandContext): typeof EXIT.refused {
  printNothingChanged(err);
  return EXIT.refused;
}

async function isWrittenAllTheSame(asking: SourceAsking | null, { err }: CommandContext): Promise<boolean> {
  if (asking !== null) return (await asking.agree(ADDING.allTheSame)) === true;
  printHowUntested(err);
  return false;
}

/**
 * Asks a person whether to trust the provider of the mailbox about senders, or else the server that signs the newest mails. Only
 * a person may agree: neither `--yes` nor a script does. Null if it is broken off.
 */
async function withMailServer(
  draft: SourceDraft,
  tried: SourceTrial | null,
  asking: SourceAsking | null,
  { out }: CommandContext,
): Promise<SourceDraft | null> {
  const { fields } = draft;
  if (fields.kind !== 'imap' || fields.mail_server !== undefined) return draft;
  const known = providerAt(String(fields.host), fields.port);
  const provider = known?.mail_server === undefined ? null : known.name;
  const server = known?.mail_server ?? tried?.described?.mailServer ?? null;
  if (server === null) return draft;
  if (asking === null) {
    printMailServer(out, server, provider);
    return draft;
  }
  asking.tell(provider === null ? ADDING.aboutServer(server) : ADDING.aboutProvider(provider));
  const agreed = await asking.agree(provider === null ? ADDING.ownServer(server) : ADDING.trustProvider(provider));
  if (agreed === null) return null;
  return agreed ? { ...draft, fields: { ...fields, mail_server: server } } : draft;
}

/**
 * Asks what the command line did not say of a source, and returns it; null if the person breaks it off. `taken`: the
 * names of those that are there.
 */
async function askedDraft(open: OpenDraft, taken: readonly string[], asking: SourceAsking): Promise<OpenDraft | null> {
  const kind = open.fields.kind === undefined ? await asking.choose('What do you want to connect?', KINDS) : null;
  const started = { ...open, fields: { ...open.fields, kind: String(open.fields.kind ?? kind ?? '') } };
  if (started.fields.kind === '') return null;
  const asked = await ASKED[String(started.fields.kind)]?.(started, asking);
  if (asked == null) return null;
  if (asked.name !== null) return asked;
  const usual = freeName(USUAL_NAMES[String(asked.fields.kind)] ?? 'source', taken);
  const check = (answer: string) =>
    taken.includes(answer) ? 'There is a source of this name already.' : nameTrouble(answer);
  const name = await asking.name('What should it be called? Its note gets this name.', usual, check);
  return name === null ? null : { ...asked, name };
}

const KINDS = [
  { value: 'imap', label: 'A mailbox', hint: 'IMAP: Gmail, Outlook, iCloud, your own server' },
  { value: 'caldav', label: 'Calendars on a server', hint: 'CalDAV: iCloud, Fastmail, Nextcloud, Radicale' },
  { value: 'ics', label: 'A calendar at an address', hint: 'a link to an .ics file' },
  { value: 'webhook', label: 'A webhook for programs on this machine', hint: 'a webhook' },
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

const PORT = 'Which port of this machine should it listen on?';

async function askMailbox(open: OpenDraft, asking: SourceAsking): Promise<OpenDraft | null> {
  const named = await withField(open, 'user', () => asking.name(WHOSE, ''));
  if (named === null) return null;
  const { host, port, user = '' } = named.fields;
  const provider = host === undefined ? findMailboxProvider(String(user)) : providerAt(String(host), port);
  if (provider !== null) asking.tell(provider.says);
  const guess = parseDomain(String(user)) === '' ? '' : `imap.${parseDomain(String(user))}`;
  const hosted = provider === null ? await withServer(named, guess, asking) : named;
  if (hosted === null) return null;
  const entered =
    (provider?.auth.length ?? 0) < 2 ? hosted : await withField(hosted, 'auth', () => asking.choose(HOW, WAYS));
  if (entered === null) return null;
  const foldered = await withField(entered, 'folders', () => asking.name(FOLDERS, 'INBOX'));
  return foldered === null ? null : withField(foldered, 'keep', () => asking.choose(KEEP, KEEPS));
}

const WHOSE = 'What is the address of the mailbox? (or the name that you log in with)';

const SERVER = "Which server is it on? (add the port if it isn't 993, as in mail.home.example:1993)";

async function withServer(open: OpenDraft, usual: string, asking: SourceAsking): Promise<OpenDraft | null> {
  if (open.fields.host !== undefined) return open;
  const check = (answer: string) => {
    const { host = '', port } = serverSaid(answer);
    return checked(open, 'host')(host) ?? (port === undefined ? null : checked(open, 'port')(String(port)));
  };
  const answer = await asking.name(SERVER, usual, check);
  return answer === null ? null : { ...open, fields: { ...open.fields, ...serverSaid(answer || usual) } };
}

/** A mail server at 143 begins without encryption, and is asked for it. */
const STARTTLS_PORT = 143;

function serverSaid(answer: string): { readonly host: string; readonly port?: number; readonly security?: string } {
  const [, host, digits] = /^([^:\s]+):(\d{1,9})$/.exec(answer) ?? [];
  if (host === undefined) return { host: answer };
  const port = Number(digits);
  return { host, port, ...(port === STARTTLS_PORT && { security: 'starttls' }) };
}

const HOW = 'How should Steward log in?';

const WAYS = [
  { value: 'password', label: 'With an app password', hint: 'simplest' },
  { value: 'oauth2', label: 'With OAuth2', hint: 'a command of yours prints an access token' },
];

const FOLDERS = 'Which folders? (separate several by commas)';

const KEEP = 'How much of a fetched mail should stay in stream/?';

const KEEPS = [
  { value: 'mail', label: 'The whole mail', hint: 'with its attachments' },
  { value: 'text', label: 'Its headers and its text' },
  { value: 'quote', label: 'Only the line that a signal quotes' },
];

async function askCalendars(open: OpenDraft, asking: SourceAsking): Promise<OpenDraft | null> {
  const named = await withField(open, 'user', () => asking.name('What is your user name or address there?', ''));
  if (named === null) return null;
  const provider = findMailboxProvider(String(named.fields.user));
  if (provider?.caldav != null) asking.tell(provider.says);
  const usual = provider?.caldav ?? '';
  return withField(named, 'url', () =>
    asking.name('What is the address of the server? (https://…)', usual, checked(named, 'url')),
  );
}

async function askProgram(open: OpenDraft, asking: SourceAsking): Promise<OpenDraft | null> {
  if (open.run !== null) return open;
  const line = await asking.name('Which program? (its full path and its arguments)', '');
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

/** Returns a check of the answer for one field: the others may not be known yet. */
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

/** A source that is to be added, and the result of its test; null if untested. */
interface Tested {
  readonly draft: SourceDraft;
  readonly tried: SourceTrial | null;
}

interface Trying {
  readonly root: string;
  readonly asking: SourceAsking;
  readonly context: CommandContext;
}

/**
 * Tests a draft in the place from which it will be asked. If there is no password yet, asks how to get it, and again
 * after a wrong one. Null if the person breaks it off.
 */
async function testedDraft(
  draft: SourceDraft,
  root: string,
  asking: SourceAsking | null,
  context: CommandContext,
): Promise<Tested | null> {
  const settings = sourceSettings.parse(draft.fields);
  // The daemon may be without it, and this terminal not: then it is tried from here, and said afterwards.
  const isHere = (readEnvironment(context.env).sourcePassword?.(draft.name) ?? null) !== null;
  const isKnown = isHere || draft.passwordCommand !== null || !needsPassword(settings) || asking === null;
  if (isKnown) sayTrying(draft, context);
  const there = await triedWhereItRuns(tryOrder(draft), root, context);
  const first = there.hasPassword || !isHere ? there : await triedHere(tryOrder(draft), root, context);
  if (first.hasPassword || asking === null) return shown({ draft, tried: first }, context);
  return withPassword(draft, settings, { root, asking, context });
}

async function withPassword(draft: SourceDraft, settings: SourceSettings, trying: Trying): Promise<Tested | null> {
  const { asking } = trying;
  const isToken = 'auth' in settings && settings.auth === 'oauth2';
  const ways = isToken ? WHERE_ACCESS : settings.kind === 'webhook' ? WHERE_TOKEN : WHERE_PASSWORD;
  const place = await asking.choose(ways.question, ways.places);
  if (place === null) return null;
  const tested = place === 'command' ? await byCommand(draft, trying) : await byHand(draft, ways.typed, trying);
  if (!isOfThePassword(tested?.tried?.failed ?? null, place)) return tested;
  return (await asking.agree(ways.again)) === true ? withPassword(draft, settings, trying) : tested;
}

// A person who has mistyped it has not to answer all the rest once more.
function isOfThePassword(failed: PlainFailure | null, place: string): boolean {
  return failed?.kind === 'refused' || (failed?.kind === 'setup' && place === 'command');
}

async function byCommand(draft: SourceDraft, { root, asking, context }: Trying): Promise<Tested | null> {
  const line = await asking.name('Which command prints it, on its first line?', '');
  if (line === null) return null;
  const told = { ...draft, passwordCommand: programWords([line]) };
  sayTrying(told, context);
  return shown({ draft: told, tried: await triedWhereItRuns(tryOrder(told), root, context) }, context);
}

async function byHand(draft: SourceDraft, question: string, { root, asking, context }: Trying): Promise<Tested | null> {
  const typed = await asking.secret(question);
  if (typed === null) return null;
  sayTrying(draft, context);
  return shown({ draft, tried: await triedHere(tryOrder(draft), root, context, typed) }, context);
}

const OWN = 'I give it to the daemon myself';

const OWN_HINT = 'a credential of the service, or a variable: Steward shows how';

const WHERE_PASSWORD = {
  question: 'Where will its password come from? It is never written into the vault.',
  places: [
    { value: 'own', label: OWN, hint: OWN_HINT },
    { value: 'command', label: 'A command prints it', hint: 'secret-tool, pass, op …' },
  ],
  typed: "The password, for this test only; it isn't stored:",
  again: 'Try it with another password?',
};

const WHERE_TOKEN = {
  question: 'It needs a token that you create (openssl rand -hex 24). Where will it come from?',
  places: [
    { value: 'command', label: 'A command prints it', hint: 'such as /bin/cat and a file that only you can read' },
    { value: 'own', label: OWN, hint: OWN_HINT },
  ],
  typed: "The token, for this test only; it isn't stored:",
  again: 'Try it with another token?',
};

const WHERE_ACCESS = {
  question: WHERE_PASSWORD.question,
  places: [
    { value: 'command', label: 'A command prints an access token', hint: 'oama, or a script of yours' },
    { value: 'own', label: 'I type a token, for this one test' },
  ],
  typed: WHERE_TOKEN.typed,
  again: WHERE_TOKEN.again,
};

function sayTrying(draft: SourceDraft, { err }: CommandContext): void {
  const { allow } = tryOrder(draft);
  err.progress(tryingWords(leadsWords(allow.pinned, allow)));
}

function tryOrder(draft: SourceDraft) {
  const { name, fields } = draft;
  return { op: 'source-try' as const, name, fields, allow: grantOfDraft(draft, Date.now()) };
}

function shown({ draft, tried }: Tested, { out, err }: CommandContext): Tested {
  if (tried !== null) printTried(out, err, draft.name, { ...tried, failed: ofDraft(tried, draft.name) });
  return { draft, tried };
}

// The source is not there yet: the advice for an existing one does not help, and it isn't tried again automatically.
function ofDraft({ failed, hasPassword }: SourceTrial, name: string): PlainFailure | null {
  if (failed === null) return null;
  const set = `set ${passwordVariable(name)} in the daemon's environment, or here`;
  const hint = hasPassword
    ? (HINTS[failed.kind] ?? failed.hint)
    : `Name a command that prints it (--password-command "pass mail/${name}"), or ${set}.`;
  return { ...failed, hint };
}

const HINTS: Readonly<Partial<Record<PlainFailure['kind'], string>>> = {
  away: 'Check the network, and whether the server and its port are the right ones.',
  refused: 'Check the user and the password.',
  busy: 'Wait a few minutes, then add it again.',
};
