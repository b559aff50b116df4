import type { ListedSource } from '../../../daemon/sources/orders/listed-sources.ts';
import type { SourceStanding } from '../../../daemon/sources/source-standing.ts';
import type { Grant } from '../../../source/grant.ts';
import { shellWord } from '../../../vault/notes/shell-word.ts';
import { clean, count, local } from '../plain-text.ts';
import { printTroubles } from '../print-doctor.ts';
import type { Printer } from '../printer.ts';

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
