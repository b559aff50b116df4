import net from 'node:net';
import { onTestFinished } from 'vitest';
import type { Credential, Session } from '../../src/sources/source.ts';
import { webhookSource } from '../../src/sources/webhook.ts';
import { MemoryInlet } from './memory-inlet.ts';

/** The token of the webhooks in tests. Nothing that is answered or said may ever contain it. */
export const TOKEN = 'plainly-made-up-0123456789abcdef';
export const TICKET = { id: 'ticket-17', from: 'anna', title: 'Ticket 17', text: 'Ticket 17 is done.' };

/** A token that can be changed, and that counts how often it was asked for. */
export class TestCredential implements Credential {
  token = TOKEN;
  asked = 0;

  async reveal(): Promise<string> {
    this.asked += 1;
    return this.token;
  }
}

/** A webhook that listens on a free port, until the test ends. */
export class Hook {
  readonly session: Session;
  readonly port: number;

  private constructor(session: Session, port: number) {
    this.session = session;
    this.port = port;
  }

  static async open(inlet = new MemoryInlet(), credential: Credential = new TestCredential(), port = 0): Promise<Hook> {
    const abort = new AbortController();
    const session = await webhookSource({ settings: { port }, credential }).open(inlet, abort.signal);
    onTestFinished(() => session.close());
    const [address = ''] = await session.describe();
    return new Hook(session, Number(/127\.0\.0\.1:(\d+)/.exec(address)?.[1]));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`;
  }

  post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const own = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    return fetch(this.url, { method: 'POST', body: JSON.stringify(body), headers: { ...own, ...headers } });
  }

  /** Sends bytes as they are, and returns all that comes back until the connection is ended. */
  raw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(this.port, '127.0.0.1', () => socket.write(text));
      let said = '';
      socket.setEncoding('utf8').on('data', (part) => {
        said += part;
      });
      socket.on('close', () => resolve(said)).on('error', reject);
    });
  }

  /** The same for a request with this head; the first line and the host are there. */
  head(...lines: readonly string[]): Promise<string> {
    return this.raw(['POST /events HTTP/1.1', ...lines, '', ''].join('\r\n'));
  }
}

/** The status of a raw answer. */
export function statusOf(said: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1]);
}
