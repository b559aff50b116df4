import { printStatus } from '../../../src/cli/commands/status.ts';
import { printDecision } from '../../../src/cli/inbox-view.ts';
import { Printer } from '../../../src/cli/terminal.ts';
import { waitingText } from '../../../src/steward/inbox-words.ts';
import { localDate } from '../../../src/vault/time.ts';
import { DAY } from '../../support/clock.ts';
import { type Delivered, dayName, type Simulation, taskPath } from './simulation.ts';

/** A sentence that Steward shows somewhere. */
interface Statement {
  readonly kind: string;
  readonly words: string;
  readonly isTrue: boolean;
}

/** Where sentences are read. */
export type Surface = 'status' | 'inbox' | 'explain' | 'digest' | 'steward.md';

/** A sentence that isn't true. */
export interface FalseStatement {
  readonly surface: Surface;
  readonly day: number;
  readonly words: string;
  /** What is so. */
  readonly truth: string;
}

/** How a kind of sentence is recognised, and whether it is so. */
interface Claim {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly isTrue: (simulation: Simulation, match: RegExpExecArray) => boolean;
}

const ADDRESS = String.raw`([^\s()“”]+@[^\s()“”]+)`;
const DAY_WORDS = String.raw`(today|\d{1,2} \w+(?: \d{4})?)`;

const CLAIMS: readonly Claim[] = [
  {
    kind: 'nothing waits',
    pattern: /Nothing waits for you(?! yet)/g,
    isTrue: (simulation) => waitingNow(simulation) === 0 && pendingNow(simulation) === 0,
  },
  {
    kind: 'so many wait',
    pattern: /(?:^|· )(\d+) (?:things? )?waits? for you/gm,
    isTrue: (simulation, [, count]) => Number(count) === waitingNow(simulation),
  },
  {
    kind: 'X wrote on a day',
    pattern: new RegExp(`${ADDRESS} wrote on ${DAY_WORDS}(?: \\([“"](.+?)[”"]\\))?\\. Does that settle it`, 'g'),
    isTrue: (simulation, [, address, day, subject]) =>
      simulation.delivered.some(
        (mail) => mail.server === 'confirms' && isThat(simulation, mail, address, day, subject),
      ),
  },
  {
    kind: 'a mail names X',
    pattern: new RegExp(
      `A mail that names ${ADDRESS} as its sender came on ${DAY_WORDS}(?: \\([“"](.+?)[”"]\\))?`,
      'g',
    ),
    isTrue: (simulation, [, address, day, subject]) =>
      simulation.delivered.some(
        (mail) => mail.server !== 'confirms' && isThat(simulation, mail, address, day, subject),
      ),
  },
  {
    kind: 'nothing was heard from X',
    pattern: new RegExp(`(?:[Nn]othing was heard from|No mail of) ${ADDRESS}`, 'g'),
    isTrue: (simulation, [, address]) => !simulation.delivered.some((mail) => mail.from.address === address),
  },
  {
    kind: 'X wrote these words',
    pattern: new RegExp(`(?:because|from) ${ADDRESS}(?: \\([^)]*\\))?(?: wrote| {2}) ?“(.+?)”`, 'g'),
    isTrue: (simulation, [, address, quote = '']) =>
      simulation.delivered.some((mail) => mail.from.address === address && holds(mail, quote)) ||
      simulation.story.files.some(({ text }) => text.includes(quote)),
  },
  {
    kind: 'nothing happens to T',
    pattern: /Steward does nothing with (.+?) now: (.+?)\.(?=\s|$)/g,
    isTrue: (simulation, [, title = '', reason = '']) => isNothingFor(simulation, title, reason),
  },
  {
    kind: 'T is overdue',
    pattern: /\[\[([^\]]+)\]\] overdue since (\d{4}-\d\d-\d\d)/g,
    isTrue: (simulation, [, title = '', since = '']) => {
      const { isOpen, due } = simulation.taskNow(title);
      return (
        isOpen &&
        due !== null &&
        localDate(Date.parse(due) + 86_400_000) === since &&
        since <= localDate(simulation.now)
      );
    },
  },
  {
    kind: 'overdue for days',
    pattern: /Overdue for (\d+) days? \(due (\d{4}-\d\d-\d\d)\)/g,
    isTrue: ({ now }, [, days, due = '']) =>
      Math.round((Date.parse(localDate(now)) - Date.parse(due)) / 86_400_000) === Number(days),
  },
  {
    kind: 'nothing is overdue',
    pattern: /Nothing is overdue/g,
    isTrue: (simulation) => overdueNow(simulation).length === 0,
  },
  {
    kind: 'nothing is due today',
    pattern: /No task is due today/g,
    isTrue: (simulation) =>
      simulation.tasks.every(({ title }) => {
        const { isOpen, due } = simulation.taskNow(title);
        return !isOpen || due !== localDate(simulation.now);
      }),
  },
  {
    kind: 'the last file came',
    pattern: /last file (just now|\d+ min ago|\d+ h ago|\d+ days ago)/g,
    isTrue: (simulation, [, words]) => words === agoWords(simulation.now - simulation.lastFileAt),
  },
];

const PAGE_LAG_MS = 60_000;

/** Reads every surface, and collects what it says that can be checked. */
export class Listener {
  readonly counts = new Map<string, number>();
  readonly wrong: FalseStatement[] = [];
  readonly #simulation: Simulation;
  #lastDigest = '';

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Reads what the user can ask for at any moment: `status` and the inbox. */
  glance(): void {
    this.#simulation.lookAnew();
    const { status } = this.#simulation;
    this.#hear(
      'status',
      printed((out) => printStatus(out, status)),
    );
    const entries = [...status.warnings, ...status.waiting];
    const inbox = entries.map((entry) => printed((out) => printDecision(out, entry, { withEvent: true })));
    for (const text of [waitingText(status.waiting, status.pending.length), ...inbox]) this.#hear('inbox', text);
  }

  /** Reads the front page, which may follow a little later. */
  async readPage(): Promise<void> {
    await this.#simulation.pass(PAGE_LAG_MS);
    this.#simulation.lookAnew();
    this.#hear('steward.md', this.#simulation.world.read('steward.md'));
  }

  /** Asks why, about a note or a mail. */
  async ask(note: string): Promise<void> {
    const { sentence, sections } = await this.#simulation.explain(note);
    this.#hear('explain', [sentence, ...sections.flatMap(({ title, lines }) => [title, ...lines])].join('\n'));
  }

  /** Reads the digest if there is a new one. */
  readDigest(): void {
    this.#simulation.lookAnew();
    const { world } = this.#simulation;
    const text = world.files('.').includes('Steward digest.md') ? world.read('Steward digest.md') : '';
    if (text === this.#lastDigest) return;
    this.#lastDigest = text;
    this.#hear('digest', text);
  }

  get checked(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  #hear(surface: Surface, text: string): void {
    const words = text.replaceAll('\\', '').replace(/\n +/g, (gap) => (surface === 'inbox' ? ' ' : gap));
    for (const { kind, words: said, isTrue } of statementsIn(this.#simulation, words)) {
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
      if (!isTrue)
        this.wrong.push({ surface, day: this.#simulation.day, words: said, truth: truthNow(this.#simulation) });
    }
  }
}

function statementsIn(simulation: Simulation, text: string): Statement[] {
  return CLAIMS.flatMap(({ kind, pattern, isTrue }) =>
    [...text.matchAll(pattern)].map((match) => ({ kind, words: match[0], isTrue: isTrue(simulation, match) })),
  );
}

function printed(print: (out: Printer) => void): string {
  return new Printer({ write: () => {} }, {}).lines(print).join('\n');
}

function isThat(
  { now }: Simulation,
  { from, at, subject: own }: Delivered,
  address?: string,
  day?: string,
  subject?: string,
): boolean {
  // A day is true by its name too while it is today.
  const isDay = [dayName(at, now), dayName(at, now + 2 * DAY)].includes(day ?? '');
  return from.address === address && isDay && (subject === undefined || subject === own);
}

function holds({ subject, text }: Delivered, quote: string): boolean {
  const plain = (words: string) => words.replace(/\s+/g, ' ').trim();
  const part = plain(quote.replace(/^…|…$/g, ''));
  return plain(text).includes(part) || plain(subject).includes(part);
}

function truthNow(simulation: Simulation): string {
  const [waiting, overdue] = [notesWaiting(simulation).join(', '), overdueNow(simulation).join(', ')];
  return `waiting: ${waiting}; ${pendingNow(simulation)} to evaluate; overdue: ${overdue}`;
}

/** How many event notes ask the user something, and how many licences are on offer. */
function waitingNow(simulation: Simulation): number {
  return notesWaiting(simulation).length;
}

function notesWaiting(simulation: Simulation): readonly string[] {
  const events = simulation.notes('event').filter(({ fields }) => fields.waiting === true && fields.warning == null);
  const offers = simulation
    .notes('licence')
    .filter(({ fields }) => fields.offered_at != null && fields.signed_at == null && fields.refused_at == null);
  return [...events, ...offers].map(({ path }) => path);
}

/** How many signals about open tasks nobody has looked at yet. */
function pendingNow(simulation: Simulation): number {
  const evaluated = new Set(
    simulation
      .notes('event')
      .flatMap(({ fields }) => (Array.isArray(fields.signals) ? fields.signals.map(String) : [])),
  );
  return simulation.notes('signal').filter(({ path, fields }) => {
    const name = path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
    const title = String(fields.target_path ?? '').replace(/^task\/|\.md$/g, '');
    const isTask = simulation.tasks.some((task) => task.title === title);
    return (
      fields.status === 'unrouted' &&
      fields.effect !== 'none' &&
      !evaluated.has(`[[${name}]]`) &&
      isTask &&
      simulation.taskNow(title).isOpen
    );
  }).length;
}

function overdueNow(simulation: Simulation): readonly string[] {
  return simulation.tasks
    .map(({ title }) => title)
    .filter((title) => {
      const { isOpen, due } = simulation.taskNow(title);
      return isOpen && due !== null && due < localDate(simulation.now);
    });
}

function isNothingFor(simulation: Simulation, title: string, reason: string): boolean {
  if (!simulation.tasks.some((task) => task.title === title)) return true;
  const { isOpen, state } = simulation.taskNow(title);
  const closed = /^it is (\w+)$/.exec(reason)?.[1];
  if (closed !== undefined) return closed === state;
  if (!isOpen) return false;
  const isAsked = simulation
    .notes('event')
    .some(({ fields }) => fields.waiting === true && fields.target_path === taskPath(title));
  return !isAsked;
}

function agoWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1440)} days ago`;
}
