import fs from 'node:fs';
import path from 'node:path';
import { commandHere } from './command-here.ts';
import { GREENMAIL_JAR } from './greenmail-jar.ts';
import { LocalServer, PASSWORD, USER } from './local-server.ts';
import { freePort, ServerProcess } from './server-process.ts';
import { tempFolder } from './temp-folder.ts';

/** Whether a GreenMail can be had on this machine. */
export function greenmailHere(): boolean {
  return fs.existsSync(GREENMAIL_JAR) && commandHere('java') !== null;
}

/** A GreenMail on loopback: an IMAP server that knows neither CONDSTORE nor QRESYNC, and keeps its mails in memory. */
export class GreenMail extends LocalServer {
  readonly user = USER;
  readonly password = PASSWORD;
  readonly port: number;

  private constructor(folder: string, port: number, running: ServerProcess) {
    super(folder, running);
    this.port = port;
  }

  static async start(): Promise<GreenMail> {
    const folder = tempFolder();
    try {
      const port = await freePort();
      return new GreenMail(folder, port, await run(folder, port));
    } catch (error) {
      fs.rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  protected async run(): Promise<ServerProcess> {
    return await run(this.folder, this.port);
  }
}

async function run(folder: string, port: number): Promise<ServerProcess> {
  const settings = ['hostname=127.0.0.1', 'imap.hostname=127.0.0.1', `imap.port=${port}`, `users=${USER}:${PASSWORD}`];
  return await ServerProcess.start({
    command: commandHere('java') ?? 'java',
    // It is short-lived and small: it need not think long about how to run fast.
    args: [
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-Xmx256m', `-Djava.io.tmpdir=${folder}`],
      ...settings.map((setting) => `-Dgreenmail.${setting}`),
      ...['-jar', GREENMAIL_JAR],
    ],
    cwd: folder,
    output: path.join(folder, 'log'),
    port,
  });
}
