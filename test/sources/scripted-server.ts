import net from 'node:net';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Certificate } from '../servers/certificates.ts';
import { ScriptedFolder } from './scripted-folder.ts';

interface Manner {
  /** Absent: it speaks without TLS. */
  readonly certificate?: Certificate;
  /** With a certificate: TLS from the first byte, or after STARTTLS. */
  readonly starttls?: boolean;
}

/** What the server says in place of its own answer: bytes, or null for nothing at all. `regular` is what it would have said. */
type Reply = (regular: Buffer, said: Said) => Buffer | string | null;
interface Said {
  readonly tag: string;
  readonly command: string;
  readonly socket: net.Socket;
}

export const USER = 'anna@house.example';
export const PASSWORD = 'the secret of anna';

/**
 * An IMAP server over real TCP that knows what the connector asks for, keeps its folders in memory, writes down each command
 * that reaches it, and says something else where a test wants it to.
 */
export class ScriptedServer {
  readonly folders = new Map([['INBOX', new ScriptedFolder()]]);
  /** What the server says of folders when it lists them: `\\Sent`. */
  readonly marks = new Map<string, string>();
  /** Every command, without its tag, and without what is secret in it. */
  readonly commands: string[] = [];
  /** What was sent to log in, in the order it came. */
  readonly secrets: string[] = [];
  password = PASSWORD;
  greeting = '* OK ready\r\n';
  capabilities = [
    'IMAP4rev1',
    'AUTH=PLAIN',
    'AUTH=XOAUTH2',
    'SASL-IR',
    'IDLE',
    'ENABLE',
    'CONDSTORE',
    'NAMESPACE',
    'ID',
  ];
  /** What follows the answer to STARTTLS, before the handshake. */
  behindStartTls = '';
  port = 0;
  readonly #manner: Manner;
  readonly #replies: { pattern: RegExp; reply: Reply }[] = [];
  readonly #sockets = new Set<Talk>();
  readonly #server: net.Server;

  private constructor(manner: Manner) {
    this.#manner = manner;
    const { certificate, starttls = false } = manner;
    const greet = (socket: net.Socket) => this.#greet(socket);
    this.#server =
      certificate === undefined || starttls ? net.createServer(greet) : tls.createServer({ ...certificate }, greet);
    // A client that does not like the certificate ends the handshake: that is the point of some tests.
    this.#server.on('tlsClientError', () => {});
  }

  static async start(manner: Manner = {}): Promise<ScriptedServer> {
    const server = new ScriptedServer(manner);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    const address = server.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    server.port = address.port;
    onTestFinished(() => server.stop());
    return server;
  }

  /** The folder of a name; made where there is none. */
  folder(name = 'INBOX'): ScriptedFolder {
    const folder = this.folders.get(name) ?? new ScriptedFolder();
    this.folders.set(name, folder);
    return folder;
  }

  /** Has it say something else to the commands that a pattern fits. Returns how to stop that. */
  instead(pattern: RegExp, reply: Reply): () => void {
    const entry = { pattern, reply };
    this.#replies.unshift(entry);
    return () => void this.#replies.splice(this.#replies.indexOf(entry), 1);
  }

  /** Tells all that have this folder open how many mails it holds. */
  tell(name = 'INBOX'): void {
    for (const talk of this.#sockets)
      if (talk.open === name) talk.say(`* ${this.folder(name).mails.length} EXISTS\r\n`);
  }

  /** Sends the same bytes to all. */
  say(bytes: string | Buffer): void {
    for (const talk of this.#sockets) talk.say(bytes);
  }

  /** How many are connected. */
  connections(): number {
    return this.#sockets.size;
  }

  /** Ends all connections without a word. */
  drop(): void {
    for (const talk of this.#sockets) talk.socket.destroy();
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #greet(socket: net.Socket): void {
    const talk = new Talk(socket);
    this.#sockets.add(talk);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(talk));
    this.#hear(talk);
    talk.say(this.greeting);
  }

  #hear(talk: Talk): void {
    let heard = '';
    talk.socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      for (let end = heard.indexOf('\r\n'); end !== -1; end = heard.indexOf('\r\n')) {
        const line = heard.slice(0, end);
        heard = heard.slice(end + 2);
        this.#take(talk, line);
      }
    });
  }

  #take(talk: Talk, line: string): void {
    if (talk.next !== null) {
      const { next } = talk;
      talk.next = null;
      next(line);
      return;
    }
    if (line === 'DONE') return; // it met the end of its IDLE on the way (RFC 2177)
    const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    this.commands.push(command.replace(/^(LOGIN|AUTHENTICATE \S+)\b.*/i, '$1'));
    const entry = this.#replies.find(({ pattern }) => pattern.test(command));
    const regular = this.#answer(talk, tag, command);
    const said =
      entry === undefined ? regular : entry.reply(Buffer.from(regular ?? ''), { tag, command, socket: talk.socket });
    // A command that is answered to the end waits for no further line.
    if (said !== null && new RegExp(`^${tag} `, 'm').test(String(said))) talk.next = null;
    if (said !== null) talk.say(said);
  }

  #answer(talk: Talk, tag: string, command: string): Buffer | string | null {
    const [verb = '', ...words] = command.split(' ');
    const done = `${tag} OK done\r\n`;
    const folder = this.folders.get(talk.open ?? '');
    switch (verb.toUpperCase()) {
      case 'CAPABILITY':
        return `* CAPABILITY ${this.capabilities.join(' ')}\r\n${done}`;
      case 'NAMESPACE':
        return `* NAMESPACE (("" "/")) NIL NIL\r\n${done}`;
      case 'LOGIN':
        return this.#login(tag, /"((?:[^"\\]|\\.)*)"$/.exec(command)?.[1] ?? words.at(-1) ?? '');
      case 'AUTHENTICATE':
        return this.#authenticate(talk, tag, words);
      case 'LIST':
        return this.#list(words.at(-1) ?? '') + done;
      case 'STATUS':
        return this.#status(tag, command);
      case 'SELECT':
      case 'EXAMINE':
        return this.#open(talk, tag, unquoted(words[0] ?? ''));
      case 'IDLE':
        talk.next = () => talk.say(done);
        return '+ idling\r\n';
      case 'STARTTLS':
        return this.#startTls(talk, done);
      case 'LOGOUT':
        setImmediate(() => talk.socket.end());
        return `* BYE bye\r\n${done}`;
      case 'UID':
      case 'FETCH':
        return folder === undefined
          ? `${tag} BAD nothing open\r\n`
          : Buffer.concat([asked(folder, command), Buffer.from(done)]);
      default:
        return done;
    }
  }

  #list(pattern: string): string {
    const wanted = unquoted(pattern);
    const names = [...this.folders.keys()].filter((name) => wanted === '*' || wanted === name);
    return names.map((name) => `* LIST (${this.marks.get(name) ?? ''}) "/" "${name}"\r\n`).join('');
  }

  #status(tag: string, command: string): string {
    const name = unquoted(/^STATUS ("[^"]*"|\S+)/i.exec(command)?.[1] ?? '');
    const folder = this.folders.get(name);
    if (folder === undefined) return `${tag} NO [NONEXISTENT] no such folder\r\n`;
    return `${folder.status(name, this.capabilities.includes('CONDSTORE'))}${tag} OK done\r\n`;
  }

  #open(talk: Talk, tag: string, name: string): string {
    const folder = this.folders.get(name);
    talk.open = folder === undefined ? null : name;
    return folder === undefined
      ? `${tag} NO [NONEXISTENT] no such folder\r\n`
      : `${folder.opening()}${tag} OK [READ-ONLY] open\r\n`;
  }

  #authenticate(talk: Talk, tag: string, [way = '', initial]: readonly string[]): string {
    const prove = (line: string) => {
      const proof = Buffer.from(line, 'base64').toString();
      return this.#login(
        tag,
        way === 'PLAIN' ? (proof.split('\0')[2] ?? '') : (proof.split('auth=Bearer ')[1]?.split('\u0001')[0] ?? ''),
      );
    };
    if (initial !== undefined) return prove(initial);
    talk.next = (line) => talk.say(prove(line));
    return '+ \r\n';
  }

  #login(tag: string, secret: string): string {
    this.secrets.push(secret);
    return secret === this.password ? `${tag} OK in\r\n` : `${tag} NO [AUTHENTICATIONFAILED] Authentication failed\r\n`;
  }

  #startTls(talk: Talk, done: string): null {
    talk.say(`${done}${this.behindStartTls}`);
    const { certificate } = this.#manner;
    talk.socket.removeAllListeners('data');
    const secure = new tls.TLSSocket(talk.socket, { isServer: true, ...certificate });
    secure.on('error', () => {});
    talk.socket = secure;
    this.#hear(talk);
    return null;
  }
}

/** One connection. */
class Talk {
  socket: net.Socket;
  open: string | null = null;
  /** Who takes the next line, where it is no command. */
  next: ((line: string) => void) | null = null;

  constructor(socket: net.Socket) {
    this.socket = socket;
  }

  say(bytes: string | Buffer): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }
}

function asked(folder: ScriptedFolder, command: string): Buffer {
  const search = /^UID SEARCH (.*)$/i.exec(command)?.[1];
  if (search !== undefined) return Buffer.from(folder.search(search));
  const [, uid, range = '', items = ''] = /^(UID )?FETCH (\S+) (.*)$/i.exec(command) ?? [];
  return folder.fetch(range, items, uid !== undefined);
}

function unquoted(word: string): string {
  return word.replace(/^"|"$/g, '');
}
