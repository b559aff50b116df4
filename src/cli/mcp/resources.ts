import { type McpServer, ResourceTemplate, type Variables } from '@modelcontextprotocol/server';
import { newestEvents } from '../commands/log.ts';
import { eventText, fieldsTold } from './notes.ts';
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
    (uri, variables) => read(served, uri, MARKDOWN, () => eventText(served, decoded(variables.name))),
  );
  server.registerResource(
    'note',
    new ResourceTemplate('steward://note/{name}', { list: undefined }),
    {
      title: 'The fields of a task or matter',
      description: 'The fields of a task or matter by its name, and the tasks of a matter; not the text.',
      mimeType: JSON_TYPE,
    },
    (uri, variables) =>
      read(served, uri, JSON_TYPE, async () => {
        const { json } = await fieldsTold(served, decoded(variables.name));
        return JSON.stringify(json);
      }),
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

function decoded(name: Variables[string] | undefined): string {
  try {
    return typeof name === 'string' ? decodeURIComponent(name) : '';
  } catch {
    return '';
  }
}
