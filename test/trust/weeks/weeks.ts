import type { WaitingEntry } from '../../../src/steward/inbox.ts';
import { MINUTE } from '../../support/clock.ts';
import { type DroppedFile, momentOn, type Post, type Story, WEEKS } from './affair.ts';
import { factBehind, type GivenAnswer, isComplete, isMeant, isReal, Person } from './person.ts';
import { type Delivered, Simulation, taskPath } from './simulation.ts';
import { type FalseStatement, Listener } from './statements.ts';

const SEED = 1;
const DAYS = 7 * WEEKS;
/** When the person reads the digest, which is written at half past seven, and when they answer. */
const MORNING = 7.6;
const EVENING = 19;
/** On how many evenings the person goes once through all notes and asks why they are as they are. */
const ASKED_EVERY = 3;

/** An entry that waited for the user. */
export interface LivedEntry {
  readonly week: number;
  readonly entry: WaitingEntry;
  /** Whether it is a question about what the mail behind it is about, with all that an answer needs. */
  readonly isReal: boolean;
  /** Whether that mail says just what is asked. */
  readonly isMeant: boolean;
}

/** What four weeks came to. */
export interface LivedWeeks {
  readonly story: Story;
  readonly mails: readonly Delivered[];
  readonly decisions: readonly LivedEntry[];
  readonly warnings: readonly LivedEntry[];
  /** How many decisions still waited at the end of each week. */
  readonly waitingAtEnd: readonly number[];
  /** Minutes until a mail is counted in `status`, and until what it says about an open task is evaluated. */
  readonly minutesVisible: readonly number[];
  readonly minutesEvaluated: readonly number[];
  readonly statements: ReadonlyMap<string, number>;
  readonly wrong: readonly FalseStatement[];
  readonly answers: readonly GivenAnswer[];
  /** True news of which nothing came, neither a question nor a change. */
  readonly missed: readonly Post[];
}

type Happening =
  | { readonly at: number; readonly what: 'mail'; readonly post: Post }
  | { readonly at: number; readonly what: 'file'; readonly file: DroppedFile }
  | { readonly at: number; readonly what: 'morning' | 'evening' };

/** Lives through four weeks of a story. */
export async function liveWeeks(story: Story): Promise<LivedWeeks> {
  const zone = process.env.TZ;
  process.env.TZ = 'UTC';
  const simulation = new Simulation(story);
  try {
    await simulation.begin();
    return await new Life(simulation).live();
  } finally {
    await simulation.end();
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
}

class Life {
  readonly #simulation: Simulation;
  readonly #person: Person;
  readonly #listener: Listener;
  readonly #decisions = new Map<string, LivedEntry>();
  readonly #warnings = new Map<string, LivedEntry>();
  readonly #visible: number[] = [];
  readonly #evaluated: number[] = [];
  readonly #waitingAtEnd: number[] = [];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#person = new Person(simulation, SEED);
    this.#listener = new Listener(simulation);
  }

  async live(): Promise<LivedWeeks> {
    for (const happening of happeningsOf(this.#simulation.story)) {
      await this.#simulation.until(happening.at);
      await this.#meet(happening);
      this.#note();
    }
    await this.#simulation.until(momentOn(DAYS, 0));
    this.#simulation.lookAnew();
    const { story, delivered } = this.#simulation;
    return {
      ...{ story, mails: delivered, waitingAtEnd: this.#waitingAtEnd },
      ...{ decisions: [...this.#decisions.values()], warnings: [...this.#warnings.values()] },
      ...{ minutesVisible: this.#visible, minutesEvaluated: this.#evaluated },
      ...{ statements: this.#listener.counts, wrong: this.#listener.wrong, answers: this.#person.answers },
      missed: delivered.filter(({ path, fact }) => fact !== null && fact.is !== 'open' && !this.#isHeard(path)),
    };
  }

  async #meet(happening: Happening): Promise<void> {
    switch (happening.what) {
      case 'mail':
        return this.#receive(happening.post);
      case 'file':
        await this.#simulation.drop(happening.file);
        this.#listener.glance();
        return this.#listener.readPage();
      case 'morning':
        return this.#listener.readDigest();
      case 'evening':
        return this.#spendEvening();
    }
  }

  async #receive(post: Post): Promise<void> {
    const { mail, minutes } = await this.#simulation.deliver(post);
    this.#visible.push(minutes);
    this.#listener.glance();
    // News about a matter waits for its next check, and `status` says so.
    const isEvaluated = () => !this.#simulation.status.pending.some(({ target }) => target.startsWith('task/'));
    if (!isEvaluated()) this.#evaluated.push(minutes + (await this.#simulation.minutesUntil(isEvaluated)));
    this.#note();
    this.#listener.glance();
    await this.#listener.readPage();
    await this.#listener.ask(mail.path);
    if (mail.fact !== null) await this.#listener.ask(taskPath(mail.fact.task));
  }

  async #spendEvening(): Promise<void> {
    await this.#person.spendEvening();
    this.#listener.glance();
    await this.#listener.readPage();
    for (const [nth, { matter, tasks }] of this.#simulation.story.affairs.entries()) {
      if (nth % ASKED_EVERY !== this.#simulation.day % ASKED_EVERY) continue;
      await this.#listener.ask(`matter/${matter}.md`);
      for (const { title } of tasks) await this.#listener.ask(taskPath(title));
    }
    if (this.#simulation.day % 7 === 6) this.#waitingAtEnd.push(this.#simulation.status.waiting.length);
  }

  /** Notes what waits that hasn't waited before. */
  #note(): void {
    const { waiting, warnings } = this.#simulation.status;
    const week = Math.floor(this.#simulation.day / 7);
    for (const [entries, known] of [
      [waiting, this.#decisions],
      [warnings, this.#warnings],
    ] as const) {
      for (const entry of entries) {
        const key = entry.event ?? JSON.stringify(entry);
        if (!known.has(key)) known.set(key, { week, entry, ...this.#judged(entry) });
      }
    }
  }

  #judged(entry: WaitingEntry): Pick<LivedEntry, 'isReal' | 'isMeant'> {
    const both = (isSo: boolean) => ({ isReal: isSo, isMeant: isSo });
    if (entry.from === 'you') return both(this.#isMatterOver(entry));
    if (!isComplete(entry)) return both(false);
    if (entry.kind === 'licence') return both(true);
    return { isReal: isReal(this.#simulation, entry), isMeant: isMeant(this.#simulation, entry) };
  }

  // All tasks are closed by hand, so it is asked whether the matter is over.
  #isMatterOver({ target }: WaitingEntry): boolean {
    const affair = this.#simulation.story.affairs.find(({ matter }) => `matter/${matter}.md` === target);
    return affair?.tasks.every(({ title }) => !this.#simulation.taskNow(title).isOpen) === true;
  }

  #isHeard(path: string): boolean {
    const all = [...this.#decisions.values(), ...this.#warnings.values()];
    const isApplied = this.#simulation
      .notes('signal')
      .some(({ fields }) => fields.source_event_path === path && fields.status === 'applied');
    return (
      isApplied ||
      all.some(({ entry }) => entry.mail?.split('#')[0] === path && factBehind(this.#simulation, entry) !== null)
    );
  }
}

function happeningsOf({ affairs, others, files }: Story): readonly Happening[] {
  const posts = [...affairs.flatMap((affair) => affair.posts), ...others];
  const days = Array.from({ length: DAYS }, (_, day) => day);
  const all: Happening[] = [
    // No two at the same minute, as happens seldom.
    ...posts.map((post, nth) => ({
      at: momentOn(post.day, post.hour) + (nth * MINUTE) / 8,
      what: 'mail' as const,
      post,
    })),
    ...files.map((file) => ({ at: momentOn(file.day, file.hour), what: 'file' as const, file })),
    ...days.map((day) => ({ at: momentOn(day, MORNING), what: 'morning' as const })),
    ...days.map((day) => ({ at: momentOn(day, EVENING), what: 'evening' as const })),
  ];
  return all.toSorted((one, other) => one.at - other.at);
}
