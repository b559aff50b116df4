import fs from 'node:fs';
import path from 'node:path';
import { HOUSE, instinct, matter, ODD_TASK, PAID_MAIL, SELDOM, settings, signal } from '../../../test/support/notes.ts';
import { ROOF_LICENCE } from '../../../test/support/own-signal.ts';
import { namesIn } from '../../../test/support/placed.ts';
import { withTestIdentity } from '../../../test/support/temp-vault.ts';

const HOUR = 3_600_000;

/** What a small vault is made with. */
interface Making {
  /** The schedule of its matter, which does not back off where it is quiet; once a year where it is absent. */
  readonly schedule?: string;
  /** The name of its matter, by which its ticks are spread; `house` where it is absent. */
  readonly matter?: string;
  /** How long a note that was just edited has to keep still; 0 where it is absent. */
  readonly settleSeconds?: number;
  /** Notes beside those that every vault has; null for one of them that it is to lack. */
  readonly files?: Readonly<Record<string, string | null>>;
}

/** A small real vault: a matter, a task, settings, a licence. A mail about the task has it done. */
export class FleetVault {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Makes one. Its notes are an hour old. */
  static make(root: string, making: Making = {}): FleetVault {
    const { schedule = SELDOM, matter: name = 'house', settleSeconds = 0, files = {} } = making;
    const vault = new FleetVault(root);
    const all = {
      ...HOUSE,
      'matter/house.md': null,
      [`matter/${name}.md`]: matter({ senders: ['billing@roof.example'], steward_schedule: schedule }),
      'steward.md': settings({ mode: 'live', settle_seconds: settleSeconds }),
      'task/pay.md': ODD_TASK,
      'instinct/mail.md': instinct('mail', { prior: 1, confidence: 1 }),
      ...ROOF_LICENCE,
      ...files,
    };
    for (const [file, text] of Object.entries(all)) if (text !== null) vault.write(file, text, HOUR);
    withTestIdentity(root);
    return vault;
  }

  /** Puts a mail into it that says that its task is done. */
  mail(text: string = PAID_MAIL): void {
    this.write('stream/mail/paid.eml', text, HOUR);
  }

  /** Puts a signal into it that is acted on at once. `ageMs`: how old it is. */
  signal(ageMs = HOUR): void {
    this.write('signal/s1.md', signal(), ageMs);
  }

  /** Whether somebody has it in the hand. */
  get isHeld(): boolean {
    return fs.existsSync(path.join(this.root, '.steward', 'lock'));
  }

  /** Whether a visit is in the middle of its work: it has the vault in its hand, and listens. */
  get isVisited(): boolean {
    try {
      return fs.existsSync(JSON.parse(this.read('.steward/lock')).socket);
    } catch {
      return false;
    }
  }

  /** Whether a file of its state is being replaced: beside it lie its next bytes, or its former ones. */
  get isReplaced(): boolean {
    return fs.readdirSync(path.join(this.root, '.steward/state')).some((name) => /\.json\.(part|\d+)$/.test(name));
  }

  /** Who has it in the hand, as its lock says it; null where nobody has. */
  get lock(): string | null {
    try {
      return JSON.parse(this.read('.steward/lock')).token;
    } catch {
      return null;
    }
  }

  /** Puts a complete file in its place in one step. `ageMs`: how old it is. */
  write(file: string, text: string, ageMs = 0): void {
    const place = path.join(this.root, file);
    const part = `${this.root}.part`;
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(part, text);
    const time = new Date(Date.now() - ageMs);
    fs.utimesSync(part, time, time);
    fs.renameSync(part, place);
  }

  read(file: string): string {
    return fs.readFileSync(path.join(this.root, file), 'utf8');
  }

  /** Whether its task is done, and the vault was given back: only then is the event note sure to be there. */
  get isDone(): boolean {
    return /state:\s+'?done/.test(this.read('task/pay.md')) && !this.isHeld;
  }

  /** The names of its event notes that begin this way. */
  events(prefix = ''): string[] {
    return namesIn(this.root, 'event').filter((name) => path.posix.basename(name).startsWith(prefix));
  }

  /** Every file in it, by path, with its bytes. */
  bytes(): Record<string, string> {
    const names = fs.readdirSync(this.root, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => fs.statSync(path.join(this.root, name)).isFile());
    return Object.fromEntries(files.map((name) => [name, fs.readFileSync(path.join(this.root, name), 'base64')]));
  }
}
