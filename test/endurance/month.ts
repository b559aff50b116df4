import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Workspace } from '../../src/daemon/context.ts';
import { findSilence } from '../../src/steward/instinct.ts';
import type { Frontmatter } from '../../src/vault/frontmatter.ts';
import type { Catalogue } from '../../src/vault/index.ts';
import { HOUR, MINUTE } from '../support/clock.ts';
import { fieldsOf, listOf } from './burst.ts';
import { uncounted } from './instinct-laws.ts';
import { type Month, wrongs } from './laws.ts';
import { isRecord, Ledger } from './ledger.ts';
import { Person } from './person.ts';
import { Random } from './random.ts';
import { remembered } from './remembered.ts';
import { CRASH_POINTS, World } from './world.ts';

/** The state of things at the end of a day. */
export interface DayEnd {
  readonly day: number;
  readonly wrong: readonly string[];
  readonly notes: number;
  /** Number of event notes so far, by what they say was done. */
  readonly done: Readonly<Record<string, number>>;
  readonly history: number;
  /** Bytes of `.steward/state` that count. */
  readonly state: number;
  readonly crashes: number;
  readonly restarts: number;
}

const STEPS_A_DAY = 8;
const STEP = (24 * HOUR) / STEPS_A_DAY;
/** What is remembered is on disk after this long in real time: what seems wrong is looked at twice. */
const FLUSHED_WITHIN_MS = 2_500;
/** Days without a person at the end: whatever waited for room or for a note to settle has had it. */
const QUIET_DAYS = 2;

/**
 * Simulates days in the life of a vault: people, mails and sync tools act at random, with restarts and power cuts. Ends
 * early at the first day on which something is wrong. `looked` is called with each day.
 */
export async function live(seed: number, days: number, looked: (end: DayEnd) => void = () => {}): Promise<DayEnd[]> {
  const life = new Life(seed);
  try {
    await life.begin();
    const ends: DayEnd[] = [];
    for (let day = 1; day <= days + QUIET_DAYS; day += 1) {
      if (day > days) await life.quietDay();
      else await life.day();
      const end = await life.end(day, day === days + QUIET_DAYS);
      ends.push(end);
      looked(end);
      if (end.wrong.length > 0) break;
    }
    return ends;
  } finally {
    await life.world.remove();
  }
}

class Life implements Month {
  readonly world = new World();
  readonly ledger = new Ledger(this.world);
  readonly person: Person;
  readonly #random: Random;
  #crashes = 0;
  #restarts = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.person = new Person(this.world, this.#random, this.ledger);
  }

  async begin(): Promise<void> {
    this.world.clock.move(HOUR); // so that what the program itself just wrote is not taken for typing
    this.person.settle();
    await this.world.start();
  }

  async day(): Promise<void> {
    for (let step = 0; step < STEPS_A_DAY; step += 1) {
      this.ledger.enter();
      for (let acts = this.#random.whole(0, 9); acts > 0; acts -= 1) this.person.act();
      await this.#turn();
      await this.world.pass(STEP, 75 * MINUTE);
      if (!this.#random.chance(0.4)) continue;
      this.ledger.enter();
      await this.person.order();
    }
    await this.world.pass(STEP, 75 * MINUTE); // including the hourly housekeeping
  }

  async quietDay(): Promise<void> {
    this.person.calm();
    await this.world.pass(24 * HOUR, 30 * MINUTE);
  }

  async end(day: number, isLast: boolean): Promise<DayEnd> {
    let wrong = await this.#wrongs(isLast);
    if (wrong.length > 0) {
      await wait(FLUSHED_WITHIN_MS);
      wrong = await this.#wrongs(isLast);
    }
    const { state, history } = this.world.places;
    return {
      day,
      wrong,
      notes: this.world.daemon.status().vault.notes,
      done: tally(this.ledger),
      history: fs.readdirSync(history).length,
      state: remembered(state),
      crashes: this.#crashes,
      restarts: this.#restarts,
    };
  }

  async #wrongs(isLast: boolean): Promise<string[]> {
    const found = await this.world.reading();
    return [...wrongs(this, found), ...(isLast ? [...this.#missed(found), ...uncounted(this)] : [])];
  }

  // What was done just now is followed up, with the power going in the middle of it now and then.
  async #turn(): Promise<void> {
    const point = this.#random.chance(0.12) ? this.#random.pick(CRASH_POINTS) : null;
    if (point !== null) {
      this.#crashes += 1;
      await this.world.crash(point, () => this.world.settle());
    } else if (this.#random.chance(0.12)) {
      this.#restarts += 1;
      await this.world.stop();
      await this.world.start();
    }
    await this.world.settle();
  }

  /** Signals for a living note that no event note speaks of. */
  #missed(found: Workspace): string[] {
    const { catalogue } = found.vault;
    const weighed = new Set([...this.ledger.events.values()].flatMap((event) => listOf(event.signals)));
    return catalogue.signals().flatMap((signal) => {
      const target = catalogue.targetOf(signal);
      const state = target === null ? 'gone' : fieldsOf(this.world, target.path).state;
      if (signal.fields.effect === 'none') return []; // an edit by hand that is only news
      if (state !== 'open' || weighed.has(`[[${signal.name}]]`)) return [];
      if (findSilence(found, signal.fields.source_type) !== null) return [];
      return hasSteward(catalogue, target) ? [`${signal.path} was never weighed, for ${target?.path}`] : [];
    });
  }
}

function tally(ledger: Ledger): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [event, fields] of ledger.events) {
    const what = doneBy(event, fields);
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

function doneBy(event: string, { outcome, reverses, undo_recipe: recipe, changes, mode }: Frontmatter): string {
  const sibling = /-(confirmed|dismissed)-/.exec(event)?.[1];
  if (sibling !== undefined) return sibling;
  if (reverses !== undefined && typeof outcome === 'string') return outcome;
  if (isRecord(recipe)) return 'acted';
  return isRecord(changes) && Object.keys(changes).length > 0 ? `proposed (${mode})` : 'recorded';
}

// A task without a living matter has no steward who would weigh for it.
function hasSteward(catalogue: Catalogue, target: ReturnType<Catalogue['targetOf']>): boolean {
  const matter = target?.kind === 'task' ? catalogue.matterOf(target) : target;
  return matter !== null && matter.fields.state !== 'done' && matter.fields.state !== 'archived';
}
