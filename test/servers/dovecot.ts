import fs from 'node:fs';
import path from 'node:path';
import { type Certificate, madeCertificate, type Proof } from './certificates.ts';
import { commandHere } from './command-here.ts';
import { type DovecotTraits, dovecotConfig, mailOwner, tokenConfig } from './dovecot-config.ts';
import { Maildir } from './maildir.ts';
import { freePort, ServerProcess } from './server-process.ts';
import { tempFolder } from './temp-folder.ts';

/** The user that every Dovecot has unless others are named, and the password. */
export const USER = 'ada';
export const PASSWORD = 'plainly-made-up-4711';

const TRIES = 3;
const USUAL: DovecotTraits = {
  storage: 'maildir',
  without: [],
  refusalDelaySeconds: 0,
  users: { [USER]: PASSWORD },
  tokenPort: null,
};

/** Whether a Dovecot can be had on this machine. */
export function dovecotHere(): boolean {
  return ['dovecot', 'openssl'].every((name) => commandHere(name) !== null);
}

/** A Dovecot on loopback, in a folder of its own, as whoever runs the test. */
export class Dovecot {
  readonly folder: string;
  /** For unencrypted connections, and those that become encrypted by STARTTLS. */
  readonly port: number;
  readonly tlsPort: number;
  readonly certificate: Certificate;
  readonly #maildirs = new Map<string, Maildir>();
  #process: ServerProcess;

  private constructor(folder: string, ports: { plain: number; tls: number }, by: Certificate, running: ServerProcess) {
    this.folder = folder;
    this.port = ports.plain;
    this.tlsPort = ports.tls;
    this.certificate = by;
    this.#process = running;
  }

  static async start(traits: Partial<DovecotTraits> = {}, proof: Proof = 'good'): Promise<Dovecot> {
    const folder = tempFolder();
    const all = { ...USUAL, ...traits };
    try {
      const certificate = madeCertificate(path.join(folder, 'tls'), proof);
      prepare(folder, all);
      return await tried(async () => {
        const ports = { plain: await freePort(), tls: await freePort() };
        fs.writeFileSync(path.join(folder, 'dovecot.conf'), dovecotConfig(folder, all, ports, certificate));
        return new Dovecot(folder, ports, certificate, await run(folder, ports.plain));
      });
    } catch (error) {
      fs.rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  /** A user's mailbox as it lies on disk, where it is kept as a Maildir. */
  maildir(user: string = USER): Maildir {
    const known = this.#maildirs.get(user);
    if (known !== undefined) return known;
    const made = new Maildir(path.join(this.folder, 'home', user, 'mail'), mailOwner());
    this.#maildirs.set(user, made);
    return made;
  }

  /** What it has written into its log. */
  log(): string {
    return fs.readFileSync(path.join(this.folder, 'log'), 'utf8');
  }

  /** How often a login was refused, and how often granted. */
  logins(): { readonly refused: number; readonly granted: number } {
    const log = this.log();
    return {
      refused: log.match(/passwd-file\(.*(?:Password mismatch|unknown user)/gi)?.length ?? 0,
      granted: log.match(/imap-login: Info: Login:/g)?.length ?? 0,
    };
  }

  /** Every command that clients of a user have sent since they were let in, without its tag. */
  commands(user: string = USER): readonly string[] {
    const raw = path.join(this.folder, 'raw', user);
    return fs
      .readdirSync(raw)
      .filter((name) => name.endsWith('.in'))
      .sort()
      .flatMap((name) => fs.readFileSync(path.join(raw, name), 'latin1').split('\n'))
      .map((line) => /^(?:[\d.]+ )?\S+ ((?:UID )?[A-Z].*?)\r?$/.exec(line)?.[1])
      .filter((command) => command !== undefined);
  }

  freeze(): void {
    this.#process.freeze();
  }

  thaw(): void {
    this.#process.thaw();
  }

  /** Ends it at once, as when the power fails. */
  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Ends it in an orderly way; its mailboxes stay. */
  async halt(): Promise<void> {
    await this.#process.stop();
  }

  /** Starts it again on the same ports, with the same mailboxes. */
  async again(): Promise<void> {
    if (this.isRunning) await this.halt();
    fs.rmSync(path.join(this.folder, 'run'), { recursive: true, force: true });
    this.#process = await run(this.folder, this.port);
  }

  /** Ends it, and nothing of it is left. */
  async stop(): Promise<void> {
    await this.#process.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

function prepare(folder: string, { users, tokenPort }: DovecotTraits): void {
  const { uid, gid } = mailOwner();
  const lines = Object.entries(users).map(([name, password]) => `${name}:{PLAIN}${password}\n`);
  fs.writeFileSync(path.join(folder, 'users'), lines.join(''));
  for (const name of Object.keys(users)) {
    for (const kind of ['home', 'raw']) {
      fs.mkdirSync(path.join(folder, kind, name), { recursive: true });
      fs.chownSync(path.join(folder, kind, name), uid, gid);
    }
  }
  fs.mkdirSync(path.join(folder, 'state'));
  if (tokenPort !== null) fs.writeFileSync(path.join(folder, 'tokens.conf'), tokenConfig(tokenPort));
}

async function run(folder: string, port: number): Promise<ServerProcess> {
  return await ServerProcess.start({
    command: commandHere('dovecot') ?? 'dovecot',
    args: ['-F', '-c', path.join(folder, 'dovecot.conf')],
    cwd: folder,
    output: path.join(folder, 'log'),
    port,
  });
}

/** Another may take a free port first: then others are chosen. */
async function tried<T>(start: () => Promise<T>, left: number = TRIES): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (left <= 1) throw error;
    return await tried(start, left - 1);
  }
}
