import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { Sandbox } from '../../stories/support.ts';

/** What a tool has answered. */
interface Answer {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

const content = z.array(z.looseObject({ type: z.literal('text'), text: z.string() })).min(1);

/** A folder with a vault of these notes, and the real program. */
export function sandboxWith(files: Readonly<Record<string, string>> | 'example'): Sandbox {
  const sandbox = new Sandbox(files === 'example' ? 'example' : 'none');
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  if (files !== 'example') for (const [file, text] of Object.entries(files)) sandbox.write(file, text);
  return sandbox;
}

/** How an assistant starts the program. */
interface Setting {
  readonly name?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The protocol of 2025, which begins with a handshake, or the one of 2026. */
  readonly era?: 'legacy' | 'auto';
}

/** An assistant: the client of the official SDK, with `steward mcp` as its server. */
export class Assistant {
  readonly client: Client;
  readonly transport: StdioClientTransport;

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.transport = transport;
  }

  static async connect(
    sandbox: Sandbox,
    { name = 'Helper 3', env = {}, era = 'legacy' }: Setting = {},
  ): Promise<Assistant> {
    const transport = new StdioClientTransport({
      command: path.join(sandbox.folder, '.bin', 'steward'),
      args: ['mcp', '--vault', sandbox.vault],
      env: plain({ ...sandbox.env, STEWARD_LIVE_MODE: 'live', ...env }),
      cwd: sandbox.folder,
      stderr: 'pipe',
    });
    const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: era } });
    onTestFinished(() => client.close());
    await client.connect(transport);
    return new Assistant(client, transport);
  }

  async call(name: string, words: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: words });
    const json = z.record(z.string(), z.unknown()).parse(result.structuredContent ?? {});
    const [{ text } = { text: '' }] = content.parse(result.content);
    return { text, json, isError: result.isError === true };
  }

  async resource(uri: string): Promise<string> {
    const [found] = (await this.client.readResource({ uri })).contents;
    return z.looseObject({ text: z.string() }).parse(found).text;
  }
}

function plain(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** `steward mcp` spoken to by its bare streams: whoever keeps to no protocol. */
export class Wire {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<number | string>;
  #out = '';
  #err = '';

  constructor(sandbox: Sandbox) {
    const env = { ...sandbox.env, STEWARD_LIVE_MODE: 'live' };
    const words = ['mcp', '--vault', sandbox.vault];
    this.child = spawn('steward', words, { cwd: sandbox.folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
    onTestFinished(() => void this.child.kill('SIGKILL'));
    this.child.stdin.on('error', () => {});
    this.child.stdout.setEncoding('utf8');
    this.child.stdout.on('data', (text: string) => {
      this.#out += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text;
    });
    this.ended = once(this.child, 'close').then(([code, signal]) => code ?? signal);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** All that was said, a message a line. */
  get said(): readonly Readonly<Record<string, unknown>>[] {
    return this.#out
      .split('\n')
      .slice(0, -1)
      .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
  }

  get complained(): string {
    return this.#err;
  }

  send(...messages: readonly unknown[]): void {
    for (const message of messages)
      this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** Says hello as a client of 2025 does, and waits for the answer. */
  async greet(name: unknown = 'wire'): Promise<void> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } };
    this.send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
    await this.answer('hello');
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Returns the answer to a request, once it is there. Throws where the program ends before. */
  async answer(id: string | number): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const found = this.said.find((one) => one.id === id);
      if (found !== undefined) return found;
      const over = await Promise.race([once(this.child.stdout, 'data').then(() => null), this.ended]);
      if (over !== null && !this.said.some((one) => one.id === id)) throw new Error(`It ended: ${over}\n${this.#err}`);
    }
  }

  /** Takes nothing of what is said, until `read`. */
  stopReading(): void {
    this.child.stdout.pause();
  }

  read(): void {
    this.child.stdout.resume();
  }
}

/** Returns a call of a tool as a message. */
export function callOf(id: string | number, name: string, words: Readonly<Record<string, unknown>> = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: words } };
}
