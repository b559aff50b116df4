import { Heap } from '../../../src/steward/heap.ts';
import { Random } from '../../endurance/random.ts';
import {
  ALWAYS_SHARE,
  ANSWER_DAYS,
  ANSWERS,
  type Answer,
  DAYS,
  LATE_DAYS,
  LATE_SHARE,
  OFFER_ANSWERED,
  type Person,
  SEEN_DAYS,
  SEEN_LATE_DAYS,
} from './assumed.ts';
import { castOf, type Sender } from './cast.ts';
import { Household, type LicenceNews, type Made, taskNumber } from './household.ts';
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
  /** Why it was only proposed; empty for what was not. */
  readonly reason: string;
  /** The sources that bore a decision; empty for what is none. */
  readonly sources: readonly string[];
}

/** A licence was offered, signed, refused, or has ended. */
export interface LicenceHappening {
  readonly day: number;
  readonly what: 'offered' | 'signed' | 'refused' | 'ended';
  /** The path of its note. */
  readonly licence: string;
}

/** A person's years. */
export interface Life {
  readonly person: Person;
  readonly happened: readonly Happening[];
  readonly licences: readonly LicenceHappening[];
  readonly lessons: number;
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

/** `until`: the day on which it ends; `signsAll`: the person has signed for every sender but outsiders when it begins. */
interface LifeOptions {
  readonly until?: number;
  readonly signsAll?: boolean;
}

/** Lives through a person's years of mails with a real vault and the real program, and returns what happened. */
export async function liveYears(
  seed: number,
  person: Person,
  { until = DAYS, signsAll = false }: LifeOptions = {},
): Promise<Life> {
  const random = new Random(seed);
  const cast = castOf(random, person);
  const truth = new Truth();
  const { mails, deeds } = planOf(random, cast, truth, person.mails);
  const household = await Household.open(cast, person);
  try {
    if (signsAll) household.signAll(cast);
    household.licenceNews();
    const years = new Years(household, truth, random);
    for (const mail of mails) years.at(mail.day, () => years.receive(mail));
    for (const { day, task, field, value } of deeds) years.at(day, () => household.byHand(task, field, value));
    for (let day = 0; day <= DAYS; day += HOUSEKEEPING_DAYS) years.at(day, () => household.housekeeping());
    await years.pass(until);
    return { person, happened: years.happened, licences: years.licences, lessons: household.lessons };
  } finally {
    household.close();
  }
}

/** Why a licence ends that was only offered. */
const REFUSED = 'you said no';

class Years {
  readonly happened: Happening[] = [];
  readonly licences: LicenceHappening[] = [];
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

  async pass(until: number): Promise<void> {
    for (let next = this.#due.pop(); next !== undefined && next.day <= until; next = this.#due.pop()) {
      this.#household.until(next.day);
      await next.work();
      for (const news of this.#household.licenceNews()) this.#follow(news, next.day);
    }
  }

  #follow({ change, licence, sender, reason }: LicenceNews, day: number): void {
    const isNo = change === 'ended' && reason === REFUSED;
    this.licences.push({ day, what: isNo ? 'refused' : change, licence });
    if (change !== 'offered') return;
    const random = new Random(this.licences.length * 6151 + this.#random.seed);
    if (!random.chance(OFFER_ANSWERED)) return;
    this.at(day + delay(random), async () => {
      const isYes = this.#household.isReliable(sender, licence);
      await this.#household.answer(isYes ? 'confirm' : 'dismiss', licence);
    });
  }

  async receive(mail: Mail): Promise<void> {
    const { day, sender, reading } = mail;
    const sincere = reading?.sincere ?? true;
    const say = (what: Happening['what'], right: boolean, sources: readonly string[] = [], reason = '') =>
      this.happened.push({ day, what, sender, right, sincere, sources, reason });
    say('mail', true);
    const isNews = reading !== null && this.#household.holds(reading.task, reading.field) !== reading.value;
    if (isNews) say('news', this.#isSo(reading.task, reading.field, reading.value, day));
    for (const made of await this.#household.receive(mail)) {
      if (Object.keys(made.changes).length === 0) continue;
      const right = this.#isRight(made, day);
      say(made.what, right, this.#household.sourcesOf(made.event), made.what === 'proposed' ? made.reason : '');
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
    const isAlways = random.chance(ALWAYS_SHARE);
    const later =
      day +
      (made.what === 'acted' ? within(random, answer === 'undo late' ? SEEN_LATE_DAYS : SEEN_DAYS) : delay(random));
    this.at(later, () => this.#answer(made, answer, sender, later, isAlways));
  }

  async #answer(made: Made, answer: Answer, sender: Sender, day: number, isAlways: boolean): Promise<void> {
    const say = (what: Happening['what']) =>
      this.happened.push({ day, what, sender, right: true, sincere: true, sources: [], reason: '' });
    if (answer === 'ignore') return;
    if (answer === 'by hand' || answer === 'otherwise') {
      this.#setByHand(made, answer === 'by hand', day);
      return void say(made.what === 'acted' ? 'contradicted' : 'by hand');
    }
    const kind = answer === 'confirm' ? this.#yes(made, isAlways) : answer === 'dismiss' ? answer : 'undo';
    const outcome = await this.#household.answer(kind, made.event);
    if (outcome === 'confirmed' || outcome === 'dismissed' || outcome === 'reversed') say(outcome);
  }

  #yes({ event }: Made, isAlways: boolean): 'confirm' | 'always' {
    const [source, ...others] = this.#household.sourcesOf(event);
    const isAlone = source !== undefined && others.length === 0;
    const isKnown = isAlone && this.#household.hasSigned(source, event);
    return isAlways && isKnown && this.#household.isReliable(source, event) ? 'always' : 'confirm';
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

/** Returns the days until an answer. */
function delay(random: Random): number {
  return within(random, random.chance(LATE_SHARE) ? LATE_DAYS : ANSWER_DAYS);
}

function within(random: Random, [least, most]: readonly [number, number]): number {
  return least + random.figure() * (most - least);
}
