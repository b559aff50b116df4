import type { ListedSource } from '../daemon/sources/orders/listed-sources.ts';
import type { Tried } from '../daemon/sources/orders/try-source.ts';
import type { SourceStanding } from '../daemon/sources.ts';
import { passwordCredential, passwordVariable } from '../source/password.ts';
import type { Grant } from '../source/source.ts';
import { shellWord } from '../vault/notes/shell-word.ts';
import { clean, count, local } from './print/plain-text.ts';
import type { Printer } from './print/printer.ts';
import { printTroubles } from './print.ts';

/** What `source add` asks and tells on a terminal. */
export const ADDING = {
  allTheSame: 'Write the note all the same?',
  ownServer: (server: string) => `Is ${server} the server of your own provider?`,
  aboutServer: (server: string) =>
    `${server} has marked the newest mails to say whether their senders are who they claim to be. If it is your own provider’s server, the steward believes it, and a mail of somebody you know may change a note; otherwise mails only propose.`,
  isRight: (isSent: boolean) => `Is that right?${isSent ? ' Its password is sent there.' : ''}`,
} as const;

/** Prints that the note of a source is written. */
export function printSourceWritten(out: Printer, file: string): void {
  out.plain(`Wrote ${file}. Where it leads is allowed on this machine from now on.`);
}

/** Says that the person broke it off. */
export function printNothingChanged(err: Printer): void {
  err.line('Nothing is changed.');
}

/** Says how a source is written that failed its test. */
export function printHowUntested(err: Printer): void {
  err.line('With --no-test it is written without a test.');
}

/** Prints which server signs the mails, where nobody can be asked whether to believe it. */
export function printMailServer(out: Printer, server: string): void {
  out.plain(`${server} signs its newest mails. If that is your own provider's server, say so: --mail-server ${server}`);
  out.plain('Until then mails only propose.');
}

/** Prints whether a source rests. */
export function printPaused(out: Printer, name: string, paused: boolean, changed: boolean): void {
  const now = paused ? `paused; \`steward source pause ${shellWord(name)} --off\` wakes it` : 'awake again';
  out.plain(changed ? `${name} is ${now}.` : `${name} is ${paused ? 'paused' : 'awake'} already.`);
}

/** Returns the line that tells where a source is tried. */
export function tryingWords(leads: string): string {
  return `Trying it: ${leads} …`;
}

/** Prints what was found at a source, or why nothing was. */
export function printTried(out: Printer, err: Printer, name: string, { described, failed }: Tried): void {
  if (described !== null) {
    out.line(out.paint('green', `${name} answers.`));
    for (const line of described.lines) out.plain(`  ${line}`);
  }
  if (failed === null) return;
  err.plain(`${name} cannot be connected. ${failed.message.replace(/\.?$/, '.')}`);
  err.plain(`  ${failed.hint}`);
}

/** Prints what happens next with a source that was connected just now. */
export function printNext(out: Printer, source: ListedSource, isRunning: boolean): void {
  const pace = source.everyMs === null ? '' : `, every ${minutes(source.everyMs)}`;
  const does = source.kind === 'webhook' ? 'listens' : 'asks it';
  out.line(
    isRunning
      ? `The daemon ${does} from now on${pace}; \`steward status\` shows how it stands.`
      : `No daemon runs yet. Once it does (\`steward run\`), it ${does}${pace}; \`steward status\` shows how it stands.`,
  );
  if (source.password === 'none') printPasswordPlaces(out, source);
  else if (source.password === 'set' && !isRunning)
    out.line(`Its ${secretOf(source)} is set in this terminal; a service needs it as well: see docs/sources.md.`);
}

function secretOf({ isOAuth, kind }: Pick<ListedSource, 'isOAuth' | 'kind'>): string {
  return isOAuth || kind === 'webhook' ? 'token' : 'password';
}

function minutes(ms: number): string {
  const whole = Math.round(ms / 60_000);
  if (whole % (24 * 60) === 0) return whole === 24 * 60 ? 'day' : `${whole / 24 / 60} days`;
  if (whole % 60 === 0) return whole === 60 ? 'hour' : `${whole / 60} hours`;
  return whole === 1 ? 'minute' : `${whole} minutes`;
}

/** Prints where the password of a source may come from, with the lines to be written for each way. */
export function printPasswordPlaces(
  out: Printer,
  { name, isOAuth, kind }: Pick<ListedSource, 'name' | 'isOAuth' | 'kind'>,
): void {
  const credential = passwordCredential(name);
  const file = `~/.config/steward/${credential}`;
  const test = `steward source test ${shellWord(name)}`;
  out.heading(`Its ${secretOf({ isOAuth, kind })}`);
  if (isOAuth) {
    out.line('A token holds for an hour or so, so a command must print a new one each time, on its first line:');
    out.line(`  ${test} --password-command "oama access you@example.org"`);
    out.line('docs/sources.md says how to get such a command.');
    return;
  }
  out.line('The steward stores no passwords. Give it to the daemon in one of these ways:');
  out.line();
  out.line('  1. A command prints it, such as secret-tool, pass or op; or cat, of a file that only you can read:');
  out.line(`       ${test} --password-command "secret-tool lookup steward ${shellWord(name)}"`);
  out.line('  2. A credential of the service, in a file that only you can read:');
  out.line(`       mkdir -p ~/.config/steward && (umask 077; systemd-ask-password -n > ${file})`);
  out.line('       systemctl --user edit steward');
  out.line('         [Service]');
  out.line(`         LoadCredential=${credential}:${file.replace('~', '%h')}`);
  out.line('  3. The same, encrypted for this machine (systemd 256 and later):');
  out.line(`       systemd-ask-password -n | systemd-creds --user encrypt --name=${credential} - ${file}.cred`);
  out.line('       systemctl --user edit steward');
  out.line('         [Service]');
  out.line(`         LoadCredentialEncrypted=${credential}:${file.replace('~', '%h')}.cred`);
  out.line(`  4. The variable ${passwordVariable(name)}, for whatever starts the daemon.`);
  out.line();
  out.line(`After 2, 3 and 4 start the daemon anew (a service: systemctl --user restart steward). Then: ${test}`);
}

const STATES: Readonly<Record<SourceStanding['state'], string>> = {
  working: 'works',
  new: 'not asked yet',
  failing: 'fails',
  refused: 'password refused',
  paused: 'paused',
  'not-allowed': 'not allowed here',
  unreadable: 'note cannot be read',
};

/** Returns how a source stands, as a person says it. */
export function stateWords(state: SourceStanding['state']): string {
  return STATES[state];
}

/** Prints each source of `status` on one line; nothing where there are none. */
export function printSourceNotes(out: Printer, sources: readonly SourceStanding[]): void {
  if (sources.length === 0) return;
  out.heading('Connected');
  out.rows(
    sources.map((one) => [
      one.name,
      one.kind ?? '',
      STATES[one.state],
      one.contact === null ? 'no contact yet' : `last contact ${local(one.contact)}`,
      eventWords(one),
      one.trouble[0]?.message ?? '',
    ]),
  );
}

function eventWords({ event, lag, taken, seen }: SourceStanding): string {
  if (event === null) return 'nothing came yet';
  return `last event ${local(event)}${lag === null ? '' : `, ${span(lag)} after it happened`} (${taken} of ${seen} taken)`;
}

/** Returns a number of seconds as a person says it: `40 s`, `5 min`, `3 h`, `2 days`. */
function span(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3600)} h` : count(Math.round(seconds / 86_400), 'day');
}

/** Prints each source with where it leads and how its password is had, then what is wrong. */
export function printSourceList(out: Printer, sources: readonly ListedSource[]): void {
  if (sources.length === 0) {
    out.line('Nothing is connected. `steward source add` connects a mailbox, a calendar or a program.');
    return;
  }
  out.rows(sources.map((one) => [one.name, STATES[one.state], leadsBriefly(one), passwordWords(one)]));
  printTroubles(
    out,
    sources.flatMap(({ trouble }) => trouble),
  );
}

function leadsBriefly(source: ListedSource): string {
  const { leads } = source;
  return leads === null ? '' : leadsWords(withoutPath(leads), source.allowed);
}

/** The address of a calendar may itself be a secret: only its server is listed. */
function withoutPath(leads: Grant['pinned']): Grant['pinned'] {
  const { url } = leads;
  if (leads.kind !== 'ics' || typeof url !== 'string' || !URL.canParse(url)) return leads;
  return { ...leads, url: `${new URL(url).origin}/…` };
}

/** Returns a list for programs: as it is, without what may be a secret in an address. */
export function sourceListJson(sources: readonly ListedSource[]): object {
  const shown = sources.map((one) => ({
    ...one,
    leads: one.leads === null ? null : withoutPath(one.leads),
    allowed: one.allowed === null ? null : { ...one.allowed, pinned: withoutPath(one.allowed.pinned) },
  }));
  return { schemaVersion: 1, sources: shown };
}

/** Returns where a source leads and as whom, as a person reads it. */
export function leadsWords(leads: Grant['pinned'], allowed: Pick<Grant, 'run'> | null): string {
  const as = leads.user === null || leads.user === undefined ? '' : ` as ${leads.user}`;
  const token = leads.auth === 'oauth2' ? ', with OAuth2' : '';
  switch (leads.kind) {
    case 'imap':
      return `${leads.host}, port ${leads.port} (${SECURITY[String(leads.security)]})${as}${token}`;
    case 'webhook':
      return `this machine, port ${leads.port}`;
    case 'command':
      return allowed?.run == null ? 'a program still to be named on this machine' : `runs ${shownProgram(allowed.run)}`;
    default:
      return `${leads.url}${as}${token}`;
  }
}

/** The same as a sentence about a source. */
export function leadsSentence(name: string, leads: Grant['pinned'], allowed: Pick<Grant, 'run'> | null): string {
  const verb = leads.kind === 'command' ? '' : leads.kind === 'webhook' ? 'listens on ' : 'leads to ';
  return `${name} ${verb}${leadsWords(leads, allowed)}.`;
}

const SECURITY: Readonly<Record<string, string>> = { tls: 'TLS', starttls: 'STARTTLS', none: 'not encrypted' };

/** Returns a program and its arguments on one line. */
function shownProgram(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** Returns how the password of a source is had; empty where none is needed. */
export function passwordWords({ password, allowed, kind }: ListedSource): string {
  if (kind === null) return ''; // its note does not say whether it needs one
  const noun = kind === 'webhook' ? 'token' : 'password';
  switch (password) {
    case 'set':
      return `${noun} is set`;
    case 'command':
      return `${noun} from ${shownProgram(allowed?.passwordCommand ?? [])}`;
    case 'none':
      return `no ${noun} is set`;
    case 'not-needed':
      return '';
  }
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  kind: 'kind',
  host: 'server',
  port: 'port',
  security: 'encryption',
  user: 'user',
  auth: 'way in',
  mail_server: 'server that is believed about senders',
  url: 'address',
};

/** Prints in what a note differs from what was allowed on this machine. */
export function printDifference(out: Printer, { name, leads, allowed }: ListedSource): void {
  if (allowed === null) {
    out.plain(`${name} is new on this machine: you have not allowed it here yet.`);
    return;
  }
  out.plain(`That differs from what you allowed on this machine on ${local(allowed.at)}:`);
  const fields = [...new Set([...Object.keys(allowed.pinned), ...Object.keys(leads ?? {})])];
  for (const field of fields.filter((one) => (allowed.pinned[one] ?? null) !== (leads?.[one] ?? null))) {
    const [before, now] = [allowed.pinned[field], leads?.[field]].map((value) => clean(String(value ?? 'none')));
    out.plain(`  ${FIELD_WORDS[field] ?? field}: ${before} → ${now}`);
  }
}
