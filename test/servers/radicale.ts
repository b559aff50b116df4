import fs from 'node:fs';
import path from 'node:path';
import { commandHere } from './command-here.ts';
import { LocalServer, PASSWORD, USER } from './local-server.ts';
import { freePort, ServerProcess } from './server-process.ts';
import { tempFolder } from './temp-folder.ts';

/** Whether a Radicale can be had on this machine. */
export function radicaleHere(): boolean {
  return commandHere('radicale') !== null;
}

/** A Radicale on loopback with one user, in a folder of its own. */
export class Radicale extends LocalServer {
  readonly user = USER;
  readonly password = PASSWORD;
  readonly port: number;

  private constructor(folder: string, port: number, running: ServerProcess) {
    super(folder, running);
    this.port = port;
  }

  static async start(): Promise<Radicale> {
    const folder = tempFolder();
    try {
      const port = await freePort();
      fs.writeFileSync(path.join(folder, 'users'), `${USER}:${PASSWORD}\n`);
      fs.writeFileSync(path.join(folder, 'radicale.conf'), config(folder, port));
      return new Radicale(folder, port, await run(folder, port));
    } catch (error) {
      fs.rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Where a person would be told to connect to. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  get #root(): string {
    return path.join(this.folder, 'collections', 'collection-root', USER);
  }

  /** Asks it as the user, and returns the answer. Throws where it refuses. */
  async ask(method: string, at: string, body: string | null = null, headers = {}): Promise<Response> {
    const login = Buffer.from(`${USER}:${PASSWORD}`).toString('base64');
    const asked = { method, body, headers: { authorization: `Basic ${login}`, ...headers } };
    const response = await fetch(new URL(`/${USER}/${at}`, this.url), asked);
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${await response.text()}`);
    return response;
  }

  /** Makes a calendar that the user sees under a name. */
  async calendar(at: string, name: string): Promise<void> {
    const named = `<D:displayname>${name}</D:displayname>`;
    await this.ask(
      'MKCALENDAR',
      `${at}/`,
      `<C:mkcalendar ${SPACES}><D:set><D:prop>${named}</D:prop></D:set></C:mkcalendar>`,
    );
  }

  /** Puts an entry into a calendar, or another version of it. `text`: a whole `VCALENDAR`. */
  async put(calendar: string, entry: string, text: string): Promise<void> {
    await this.ask('PUT', `${calendar}/${entry}.ics`, text, { 'content-type': 'text/calendar; charset=utf-8' });
  }

  /** Lays entries into a calendar past the server, thousands a second; by their names. */
  lay(calendar: string, entries: Readonly<Record<string, string>>): void {
    const at = path.join(this.#root, calendar);
    for (const [name, text] of Object.entries(entries)) fs.writeFileSync(path.join(at, `${name}.ics`), text);
  }

  async remove(calendar: string, entry: string): Promise<void> {
    await this.ask('DELETE', `${calendar}/${entry}.ics`);
  }

  async move(from: string, to: string, entry: string): Promise<void> {
    await this.ask('MOVE', `${from}/${entry}.ics`, null, { destination: `${this.url}${USER}/${to}/${entry}.ics` });
  }

  /** The server has forgotten all that it told clients of its state: their tokens mean nothing any more. */
  forget(): void {
    for (const name of fs.readdirSync(this.#root)) {
      fs.rmSync(path.join(this.#root, name, '.Radicale.cache'), { recursive: true, force: true });
    }
  }

  protected async run(): Promise<ServerProcess> {
    return await run(this.folder, this.port);
  }
}

const SPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"';

async function run(folder: string, port: number): Promise<ServerProcess> {
  return await ServerProcess.start({
    command: commandHere('radicale') ?? 'radicale',
    args: ['--config', path.join(folder, 'radicale.conf')],
    cwd: folder,
    output: path.join(folder, 'log'),
    port,
  });
}

function config(folder: string, port: number): string {
  return `[server]
hosts = 127.0.0.1:${port}
max_connections = 100
[auth]
type = htpasswd
htpasswd_filename = ${folder}/users
htpasswd_encryption = plain
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = ${folder}/collections
[web]
type = none
[logging]
level = info
`;
}
