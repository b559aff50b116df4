import type { ImapFlow } from 'imapflow';
import PostalMime from 'postal-mime';
import { readAuthenticationResults } from '../../stream/mail/authentication-results.ts';
import { oneLine } from '../../stream/mail/plain-text.ts';
import { failureOf } from './failures.ts';
import { MAX_HEADER_BYTES } from './limits.ts';
import type { Selection } from './selection.ts';
import type { Wire } from './wire.ts';

const MOST_FOLDERS = 40;
const NEWEST_MAILS = 10;
/** What a server may offer that spares looks. */
const OFFERS = ['IDLE', 'CONDSTORE', 'QRESYNC'];

/** Says what is in each folder, which others there are, and what the server offers. */
export async function describeMailbox(wire: Wire, selection: Selection, names: readonly string[]): Promise<string[]> {
  wire.renew();
  const lines: string[] = [];
  for (const name of names) lines.push(await folderLine(wire, selection, name));
  const signer = await signerOf(wire, selection, names[0] ?? 'INBOX');
  return [
    ...lines,
    ...(await foldersLine(wire)),
    offersLine(wire.client),
    ...(signer === null ? [] : [`The newest mails are signed by ${signer}`]),
  ];
}

/**
 * Returns the name by which the account's own server signs `Authentication-Results`, for `mail_server`: the one that stands
 * topmost in most of the newest mails of a folder. Null where there is none. A person is to confirm it.
 */
export async function signerOf(wire: Wire, selection: Selection, name: string): Promise<string | null> {
  const state = await selection.open(name);
  if (state?.count === null || state === null || state.count === 0) return null;
  const headers = await newestHeaders(wire, state.count);
  const signers = await Promise.all(headers.map(topmostSigner));
  const counted = Map.groupBy(signers, (signer) => signer);
  const most = [...counted].find(([signer, same]) => signer !== null && same.length * 2 > headers.length);
  return most?.[0] ?? null;
}

async function newestHeaders(wire: Wire, count: number): Promise<readonly Buffer[]> {
  const headers: Buffer[] = [];
  const part = { key: 'HEADER', maxLength: MAX_HEADER_BYTES };
  const range = `${Math.max(1, count - NEWEST_MAILS + 1)}:${count}`;
  await asked(wire, async (client) => {
    for await (const row of client.fetch(range, { bodyParts: [part] }))
      if (Buffer.isBuffer(row.headers) && headers.length < NEWEST_MAILS) headers.push(row.headers);
  });
  return headers;
}

async function topmostSigner(header: Buffer): Promise<string | null> {
  try {
    const { headers } = await PostalMime.parse(header);
    const topmost = headers.find(({ key }) => key === 'authentication-results');
    const server = topmost === undefined ? null : (readAuthenticationResults(topmost.value)?.server ?? null);
    return server === null || !SERVER_NAME.test(server) ? null : server;
  } catch {
    // What cannot be read says nothing.
    return null;
  }
}

const SERVER_NAME = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]*\.)*[a-z\d-]*[a-z\d]$/;

async function folderLine(wire: Wire, selection: Selection, name: string): Promise<string> {
  const shown = oneLine(name, 100);
  const state = await selection.open(name);
  if (state === null) return `There is no folder ${shown}`;
  const count = state.count ?? 0;
  if (count === 0) return `No mails in ${shown}`;
  const newest = await asked(wire, (client) => client.fetchOne('*', { internalDate: true }));
  const day =
    newest !== false && newest.internalDate instanceof Date ? newest.internalDate.toISOString().slice(0, 10) : null;
  return `${grouped(count)} ${count === 1 ? 'mail' : 'mails'} in ${shown}${day === null ? '' : `, the newest of ${day}`}`;
}

async function foldersLine(wire: Wire): Promise<string[]> {
  const listed = await asked(wire, (client) => client.list({ listOnly: true }));
  const names = listed.filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => oneLine(path, 60));
  const more = names.length > MOST_FOLDERS ? `, and ${names.length - MOST_FOLDERS} more` : '';
  return names.length === 0 ? [] : [`Folders there: ${names.slice(0, MOST_FOLDERS).join(', ')}${more}`];
}

function offersLine({ capabilities }: ImapFlow): string {
  const offered = OFFERS.filter((name) => capabilities.has(name));
  const idle = capabilities.has('IDLE') ? '' : '; new mails are found at the pace of the note';
  return offered.length === 0
    ? `The server offers none of ${OFFERS.join(', ')}${idle}`
    : `The server offers ${offered.join(', ')}${idle}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en').replaceAll(',', ' ');
}

async function asked<T>(wire: Wire, work: (client: ImapFlow) => Promise<T>): Promise<T> {
  try {
    return await wire.ask(work);
  } catch (error) {
    throw failureOf(error);
  }
}
