import { type McpServer, ResourceTemplate, type Variables } from '@modelcontextprotocol/server';
import type { Workspace } from '../../daemon/context/ports.ts';
import { StewardError } from '../../vault/errors.ts';
import type { VaultRecord } from '../../vault/index/record.ts';
import { readVault } from '../base/read-vault.ts';
import { newestEvents } from '../commands/log.ts';
import { shortened } from './printed.ts';
import { inboxTold, logTold, statusTold } from './readings.ts';
import { read, type Told } from './results.ts';
import { demandPresent, inTurn, type Served } from './served.ts';

const JSON_TYPE = 'application/json';
const MARKDOWN = 'text/markdown';
const MOST_LISTED = 20;

/** Adds what can be read by address: how things stand, what waits, the audit trail, and notes by name. */
export function addResources(server: McpServer, served: Served): void {
  addReading(server, served, 'status', 'How things stand.', () => statusTold(served));
  addReading(server, served, 'inbox', 'What waits for the person.', () => inboxTold(served));
  addReading(server, served, 'log', 'What was done, newest first.', () => logTold(served, MOST_LISTED, null));
  server.registerResource(
    'event',
    new ResourceTemplate('steward://event/{name}', { list: async () => ({ resources: await newest(served) }) }),
    { title: 'An event note', description: 'The record of one action, by its name.', mimeType: MARKDOWN },
    (uri, variables) => read(served, uri, MARKDOWN, () => noteText(served, variables, ['event', 'reversal'])),
  );
  server.registerResource(
    'note',
    new ResourceTemplate('steward://note/{name}', { list: undefined }),
    {
      title: 'The fields of a task or matter',
      description: 'The fields above the text of a task or matter, by its name. The text itself is not given.',
      mimeType: JSON_TYPE,
    },
    (uri, variables) => read(served, uri, JSON_TYPE, () => noteFields(served, variables)),
  );
}

function addReading(
  server: McpServer,
  served: Served,
  name: string,
  description: string,
  tell: () => Promise<Told>,
): void {
  const about = { title: description.replace(/\.$/, ''), description, mimeType: JSON_TYPE };
  server.registerResource(name, `steward://${name}`, about, (uri) =>
    read(served, uri, JSON_TYPE, async () => JSON.stringify((await tell()).json)),
  );
}

async function newest(served: Served): Promise<{ name: string; uri: string; mimeType: string }[]> {
  const { context, root } = served;
  const events = await inTurn(served, async () => {
    demandPresent(served);
    return newestEvents(context, root, MOST_LISTED, null);
  });
  return events.map(({ event }) => ({
    name: event,
    uri: `steward://event/${encodeURIComponent(event)}`,
    mimeType: MARKDOWN,
  }));
}

async function noteText(served: Served, { name }: Variables, kinds: readonly VaultRecord['kind'][]): Promise<string> {
  const { space, record } = await recordNamed(served, name, kinds);
  const text = space.notes.text(record.path);
  if (text === null) throw unknown();
  return shortened(text);
}

async function noteFields(served: Served, { name }: Variables): Promise<string> {
  const { space, record } = await recordNamed(served, name, ['task', 'matter']);
  const note = space.notes.fresh(record.path);
  if (note === null) throw unknown();
  return JSON.stringify({ schemaVersion: 1, path: record.path, kind: record.kind, fields: note.data });
}

// What is named is looked for among the records, which are notes in their folders: no path is ever built of it.
async function recordNamed(
  served: Served,
  name: Variables[string] | undefined,
  kinds: readonly VaultRecord['kind'][],
): Promise<{ space: Workspace; record: VaultRecord }> {
  demandPresent(served);
  const space = await readVault(served.context, served.root);
  const record = space.vault.catalogue.resolve(decoded(name), kinds);
  if (record === null || !kinds.includes(record.kind)) throw unknown();
  return { space, record };
}

function decoded(name: Variables[string] | undefined): string {
  try {
    return typeof name === 'string' ? decodeURIComponent(name) : '';
  } catch {
    return '';
  }
}

function unknown(): StewardError {
  return new StewardError({
    code: 'note-unknown',
    message: 'There is no such note here.',
    hint: 'The tools log and status name the notes there are.',
  });
}
