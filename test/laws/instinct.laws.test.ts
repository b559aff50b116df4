import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterDismissal,
  afterEdit,
  afterObservation,
  afterReversal,
  afterTick,
  type Instinct,
  initialInstinct,
} from '../../src/steward/learning/instinct.ts';
import { Clock, HOUR } from '../support/clock.ts';
import { HOUSE, instinct, signal } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const NOW = Date.UTC(2026, 10, 21);

/** What can happen to an instinct. */
type Happening =
  | { readonly what: 'tick'; readonly share: number | null; readonly gave: boolean }
  | { readonly what: 'reversal' | 'dismissal' | 'observation' }
  | { readonly what: 'pin' | 'unpin' }
  | { readonly what: 'set'; readonly confidence: number };

/** Section 7 of the contract, written down a second time: a sentence a line, nothing shared with the code. */
class Model {
  confidence: number;
  observations = 0;
  reversals = 0;
  status = 'pending';
  pin: 'none' | 'own' | 'person' = 'none';
  #gave = false;
  #ticks = 0;
  #lows = 0;
  #highs = 0;

  constructor(prior: number) {
    this.confidence = prior;
  }

  happen(one: Happening): void {
    if (one.what === 'tick') this.#tick(one.share, one.gave || one.share !== null);
    else if (one.what === 'observation') this.observations += 1;
    else if (one.what === 'set') this.confidence = one.confidence;
    else if (one.what === 'pin') this.#pin();
    else if (one.what === 'unpin') this.#unpin();
    else this.#lower(one.what === 'reversal' ? 0.1 : 0.05);
    if (one.what === 'reversal') this.reversals += 1;
    if (one.what === 'reversal' || one.what === 'dismissal' || one.what === 'observation') this.#gave = true;
  }

  #tick(share: number | null, gave: boolean): void {
    if (this.status === 'pruned') return;
    if (share !== null) this.#average(share);
    if (this.status === 'pending') {
      this.#ticks += 1;
      this.#gave ||= gave;
      if (this.#ticks === 3) this.status = this.#gave || this.pin !== 'none' ? 'live' : 'pruned';
    }
    if (this.#lows >= 3 && this.pin === 'none') this.status = 'pruned';
  }

  #average(share: number): void {
    this.#move(0.9 * this.confidence + 0.1 * share);
    this.#lows = this.confidence < 0.2 ? this.#lows + 1 : 0;
    this.#highs = this.confidence > 0.9 ? this.#highs + 1 : 0;
    if (this.#highs >= 2 && this.pin === 'none') this.pin = 'own';
  }

  #lower(by: number): void {
    this.#move(this.confidence - by);
    this.#highs = 0;
  }

  // The program's own pin has a floor of 0.5; it never lifts what a person set below it.
  #move(to: number): void {
    const floor = this.pin === 'own' ? Math.min(0.5, this.confidence) : 0;
    this.confidence = Math.round(Math.min(1, Math.max(floor, to)) * 10_000) / 10_000;
  }

  #pin(): void {
    if (this.pin === 'none') this.pin = 'person';
    if (this.status === 'pruned') this.status = 'live';
  }

  #unpin(): void {
    if (this.pin !== 'none') this.#highs = 0;
    this.pin = 'none';
  }
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const share = fc.oneof(fc.constant(null), unit, fc.constantFrom(0, 1));
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ what: fc.constant('tick' as const), share, gave: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constantFrom('reversal' as const, 'dismissal' as const, 'observation' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('pin' as const, 'unpin' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('set' as const), confidence: unit }) },
);

function after(one: Instinct, happened: Happening): Instinct {
  const edit = { prior: null, confidence: null, pinned: one.pinned };
  switch (happened.what) {
    case 'tick':
      return afterTick(one, happened.share, happened.gave || happened.share !== null);
    case 'reversal':
      return afterReversal(one, NOW);
    case 'dismissal':
      return afterDismissal(one, NOW);
    case 'observation':
      return afterObservation(one);
    case 'set':
      return afterEdit(one, { ...edit, confidence: happened.confidence });
    default:
      return afterEdit(one, { ...edit, pinned: happened.what === 'pin' });
  }
}

describe('the transitions of section 7', () => {
  test('are what the plain model says, whatever happens in whatever order', () => {
    const start = fc.constantFrom('gmail', 'mail', 'slack_channel', 'other');
    fc.assert(
      fc.property(start, fc.array(happening, { maxLength: 80 }), (source, all) => {
        let one = initialInstinct(source);
        const model = new Model(one.prior);
        for (const happened of all) {
          one = after(one, happened);
          model.happen(happened);
          const { confidence, observations, reversals, status, pinned, counters } = one;
          const pin = pinned ? (counters.autoPinned ? 'own' : 'person') : 'none';
          const { confidence: c, observations: o, reversals: r, status: s, pin: p } = model;
          expect([confidence, observations, reversals, status, pin]).toEqual([c, o, r, s, p]);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('closed windows', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('act' as const) },
    { weight: 2, arbitrary: fc.constant('undo' as const) },
    { weight: 2, arbitrary: fc.constant('restart' as const) },
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 9 * 24 }) },
    { weight: 2, arbitrary: fc.integer({ min: -6 * 24, max: -1 }) },
  );

  test('each action counts at most once, and exactly once where it stood and no clock ran a week ahead', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const life = await Life.begin();
        for (const one of steps) await life.live(one);
        await life.live(30 * 24);
        expect(life.observations()).toBeLessThanOrEqual(life.standing.size);
        expect(life.observations()).toBeGreaterThanOrEqual(life.sure());
        const settled = life.observations();
        await life.live('restart');
        await life.live(24);
        expect(life.observations()).toBe(settled);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

/** A vault whose clock jumps, and what a person knows of it. */
class Life {
  readonly standing = new Map<string, number>();
  readonly #vault = new TempVault({ ...HOUSE, 'instinct/mail.md': instinct('mail', { observations: 0 }) });
  readonly #clock = new Clock();
  #bench: Bench | null = null;
  #count = 0;
  #highest = 0;
  /** Made while the clock was behind where it had been. */
  readonly #unsure = new Set<string>();

  static async begin(): Promise<Life> {
    const life = new Life();
    life.#clock.move(HOUR);
    await life.live('restart');
    return life;
  }

  async live(step: 'act' | 'undo' | 'restart' | number): Promise<void> {
    if (step === 'restart') await this.#restart();
    else if (step === 'act') await this.#act();
    else if (step === 'undo') await this.#undo();
    else this.#clock.move(step * HOUR);
    this.#highest = Math.max(this.#highest, this.#clock.now());
    await this.#bench?.tick();
  }

  observations(): number {
    return Number(this.#vault.fields('instinct/mail.md').observations);
  }

  /** How many must be counted. */
  sure(): number {
    return [...this.standing.keys()].filter((event) => !this.#unsure.has(event)).length;
  }

  async #restart(): Promise<void> {
    this.#bench?.close();
    this.#bench = await Bench.open(this.#vault, { clock: this.#clock });
  }

  async #act(): Promise<void> {
    this.#count += 1;
    const before = new Set(this.#vault.events());
    const proposal = { class: 'context_edit', set: { summary: `Nr ${this.#count}` } };
    const target = { target_kind: 'matter', target_path: 'matter/house.md', raw_quote: `nr ${this.#count}` };
    this.#vault.write(`signal/s${this.#count}.md`, signal({ ...target, mutation_proposal: proposal }));
    await this.#bench?.tick();
    for (const event of this.#vault.events('signal-action-2').filter((path) => !before.has(path))) {
      if (this.#vault.fields(event).undo_recipe === null) continue; // the rate guard, or a proposal
      this.standing.set(event, this.#clock.now());
      if (this.#clock.now() < this.#highest - HOUR) this.#unsure.add(event);
    }
  }

  // What can be taken back is, or not: the answer says.
  async #undo(): Promise<void> {
    const [event] = [...this.standing.keys()].slice(-1);
    if (event === undefined) return;
    const answer = await this.#bench?.undo(event, { force: true });
    if (answer?.outcome === 'reversed') this.standing.delete(event);
  }
}
