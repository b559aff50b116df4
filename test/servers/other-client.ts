import { ImapFlow, type StatusObject } from 'imapflow';
import { onTestFinished } from 'vitest';

/** Whom the other client is. */
interface Login {
  readonly user: string;
  readonly pass?: string;
  readonly accessToken?: string;
}

/** A mail program of the person's on the same mailbox, over an unencrypted connection; closed when the test ends. */
export async function otherClient(port: number, auth: Login): Promise<ImapFlow> {
  const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, doSTARTTLS: false, auth, logger: false });
  client.on('error', () => {});
  onTestFinished(() => client.close());
  await client.connect();
  return client;
}

/** Returns what a client is told of a folder without opening it. Throws where it is not there. */
export async function statusOf(client: ImapFlow, folder: string): Promise<StatusObject> {
  const asked = { messages: true, unseen: true, uidNext: true, uidValidity: true };
  const told = await client.status(folder, asked);
  if (told === false) throw new Error(`no folder ${folder}`);
  return told;
}
