import fs from 'node:fs';
import path from 'node:path';
import { Issuer, type Proof } from './certificates.ts';
import { commandHere } from './command-here.ts';
import { type DovecotTraits, dovecotConfig, mailOwner, tokenConfig } from './dovecot-config.ts';
import { LocalServer, PASSWORD, USER } from './local-server.ts';
import { Maildir } from './maildir.ts';
import { freePort, ServerProcess } from './server-process.ts';
import { tempFolder } from './temp-folder.ts';

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
export class Dovecot extends LocalServer {
  /** For unencrypted connections, and those that become encrypted by STARTTLS. */
  readonly port: number;
  readonly tlsPort: number;
  /** Who made its certificate. */
  readonly issuer: Issuer;
  readonly #maildirs = new Map<string, Maildir>();

  private constructor(folder: string, ports: { plain: number; tls: number }, by: Issuer, running: ServerProcess) {
    super(folder, running);
    this.port = ports.plain;
    this.tlsPort = ports.tls;
    this.issuer = by;
  }

  static async start(traits: Partial<DovecotTraits> = {}, proof: Proof = 'good'): Promise<Dovecot> {
    const folder = tempFolder();
    const all = { ...USUAL, ...traits };
    try {
      const issuer = new Issuer(path.join(folder, 'tls'));
      issuer.certificate(proof);
      prepare(folder, all);
      return await tried(async () => {
        const ports = { plain: await freePort(), tls: await freePort() };
        fs.writeFileSync(path.join(folder, 'dovecot.conf'), dovecotConfig(folder, all, ports, issuer.files));
        return new Dovecot(folder, ports, issuer, await run(folder, ports.plain));
      });
    } catch (error) {
      fs.rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** A user's mailbox as it lies on disk, where it is kept as a Maildir. */
  maildir(user: string = USER): Maildir {
    const known = this.#maildirs.get(user);
    if (known !== undefined) return known;
    const made = new Maildir(path.join(this.folder, 'home', user, 'mail'), mailOwner());
    this.#maildirs.set(user, made);
    return made;
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

  protected async run(): Promise<ServerProcess> {
    fs.rmSync(path.join(this.folder, 'run'), { recursive: true, force: true });
    return await run(this.folder, this.port);
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
