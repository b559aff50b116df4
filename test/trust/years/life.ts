import { Heap } from '../../../src/daemon/process.ts';
import { Random } from '../../endurance/random.ts';
import { ANSWER_DAYS, ANSWERS, type Answer, DAYS, MAILS, SEEN_DAYS, SEEN_LATE_DAYS } from './assumed.ts';
import { castOf, type Sender } from './cast.ts';
import { Household, type Made, taskNumber } from './household.ts';
import { type Mail, planOf, saidOf } from './mails.ts';
import { Truth } from './truth.ts';

/** What happened, in order: all that the figures are taken from. */
export interface Happening {
  readonly day: number;
  /**
   * `mail`: one came; `news`: it told of a change that its note did not hold yet; `by hand`: the person answered a
   * proposal in the note itself; `contradicted`: she set what the program had written to something else.
   */
  readonly what: 'mail' | 'news' | Made['what'] | 'dismissed' | 'reversed' | 'by hand' | 'contradicted';
  /** Who had written. */
  readonly sender: Sender;
  /** Whether the change was so. */
  readonly right: boolean;
  /** Whether what the sender said was so: a wrong change is else a misread one. */
  readonly sincere: boolean;
  /** The sources that bore a decision; empty for what is none. */
  readonly sources: readonly string[];
}

/** No mail has so high a number. */
const HERS = 1_000_000;
/** What the daemon does each hour is done less often: it looks two weeks back, so nothing is missed. */
const HOUSEKEEPING_DAYS = 3;

interface Due {
  readonly day: number;
  readonly nth: number;
  readonly work: () => Promise<void> | void;
}

/** Lives through three years of mails with a real vault and the real program, and returns what happened. */
export async function liveYears(seed: number, count: number = MAILS): Promise<readonly Happening[]> {
  const random = new Random(seed);
  const cast = castOf(random);
  const truth = new Truth();
  const { mails, deeds } = planOf(random, cast, truth, count);
  const household = await Household.open(cast);
  try {
    const years = new Years(household, truth, random);
    for (const mail of mails) years.at(mail.day, () => years.receive(mail));
    for (const { day, task, field, value } of deeds) years.at(day, () => household.byHand(task, field, value));
    for (let day = 0; day <= DAYS; day += HOUSEKEEPING_DAYS) years.at(day, () => household.housekeeping());
    await years.pass();
    return years.happened;
  } finally {
    household.close();
  }
}

class Years {
  readonly happened: Happening[] = [];
  readonly #household: Household;
  readonly #truth: Truth;
  readonly #random: Random;
  readonly #due = new Heap<Due>((one, other) => one.day - other.day || one.nth - other.nth);
  #count = 0;

  constructor(household: Household, truth: Truth, random: Random) {
    this.#household = household;
    this.#truth = truth;
    this.#random = random;
  }

  at(day: number, work: Due['work']): void {
    this.#due.push({ day, nth: this.#count++, work });
  }

  async pass(): Promise<void> {
    for (let next = this.#due.pop(); next !== undefined && next.day <= DAYS; next = this.#due.pop()) {
      this.#household.until(next.day);
      await next.work();
    }
  }

  async receive(mail: Mail): Promise<void> {
    const { day, sender, reading } = mail;
    const sincere = reading?.sincere ?? true;
    const say = (what: Happening['what'], right: boolean, sources: readonly string[] = []) =>
      this.happened.push({ day, what, sender, right, sincere, sources });
    say('mail', true);
    const isNews = reading !== null && this.#household.holds(reading.task, reading.field) !== reading.value;
    if (isNews) say('news', this.#isSo(reading.task, reading.field, reading.value, day));
    for (const made of await this.#household.receive(mail)) {
      if (Object.keys(made.changes).length === 0) continue;
      const right = this.#isRight(made, day);
      say(made.what, right, this.#household.sourcesOf(made.event));
      this.#answerLater(made, right, mail);
    }
  }

  #isRight({ target, changes }: Made, day: number): boolean {
    const fields = Object.entries(changes).filter(([field]) => field !== 'completedDate');
    return fields.every(([field, { after }]) => this.#isSo(taskNumber(target), field, String(after), day));
  }

  #isSo(task: number, field: string, value: string, day: number): boolean {
    return this.#truth.now(task, field, day) === value;
  }

  #answerLater(made: Made, right: boolean, { nth, sender, day }: Mail): void {
    const random = new Random(nth * 7919 + this.#random.seed);
    if (made.what === 'acted' && right) return;
    const kind = made.what === 'acted' ? 'wrongAct' : right ? 'right' : 'wrong';
    const answer: Answer = random.weighted<Answer>(ANSWERS[kind]) ?? 'ignore';
    const [least, most] = made.what !== 'acted' ? ANSWER_DAYS : answer === 'undo late' ? SEEN_LATE_DAYS : SEEN_DAYS;
    const later = day + least + random.figure() * (most - least);
    this.at(later, () => this.#answer(made, answer, sender, later));
  }

  async #answer(made: Made, answer: Answer, sender: Sender, day: number): Promise<void> {
    const say = (what: Happening['what']) =>
      this.happened.push({ day, what, sender, right: true, sincere: true, sources: [] });
    if (answer === 'ignore') return;
    if (answer === 'by hand' || answer === 'otherwise') {
      this.#setByHand(made, answer === 'by hand', day);
      return void say(made.what === 'acted' ? 'contradicted' : 'by hand');
    }
    const kind = answer === 'confirm' || answer === 'dismiss' ? answer : 'undo';
    const outcome = await this.#household.answer(kind, made.event);
    if (outcome === 'confirmed' || outcome === 'dismissed' || outcome === 'reversed') say(outcome);
  }

  /** As it was proposed; or as it really is, which is news to everybody but her. */
  #setByHand({ target, changes }: Made, asProposed: boolean, day: number): void {
    const task = taskNumber(target);
    for (const [field, { after }] of Object.entries(changes)) {
      if (field !== 'due' && field !== 'current_state' && field !== 'state') continue;
      const really =
        field === 'state' ? (this.#truth.now(task, field, day) ?? 'open') : saidOf(field, HERS + this.#count);
      const value = asProposed ? String(after) : really;
      if (!asProposed) this.#truth.happens(day, { task, field, value });
      this.#household.byHand(task, field, value);
    }
  }
}
