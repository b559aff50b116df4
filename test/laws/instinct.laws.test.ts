// Over 5 s: each example lives through weeks in a vault on disk.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterContradiction,
  afterDismissal,
  afterEdit,
  afterPatterns,
  afterReversal,
  afterRight,
  type Instinct,
  initialInstinct,
} from '../../src/steward/learning.ts';
import { Clock, HOUR } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, instinct, signal, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const NOW = Date.UTC(2026, 10, 21);

/** What can happen to an instinct. */
type Happening =
  | { readonly what: 'right'; readonly share: number }
  | { readonly what: 'dismissed' | 'contradicted' | 'taken back' }
  | { readonly what: 'patterns'; readonly moved: number }
  | { readonly what: 'pin' | 'unpin' }
  | { readonly what: 'set'; readonly confidence: number };

/** Section 7 of the contract, written down a second time: a sentence a line, nothing shared with the code. */
class Model {
  confidence: number;
  right = 0;
  wrong = 0;
  reversals = 0;
  status = 'pending';
  pin: 'none' | 'own' | 'person' | 'taken away' = 'none';
  #wrongInARow = 0;

  // It starts at its prior.
  constructor(prior: number) {
    this.confidence = prior;
  }

  happen(one: Happening): void {
    if (one.what === 'right') this.#right(one.share);
    // Dismissed −0.05; taken back −0.1, and so what was changed by hand within its week.
    else if (one.what === 'dismissed') this.#wrong(0.05);
    else if (one.what === 'contradicted' || one.what === 'taken back') this.#wrong(0.1);
    // The channel moves by a fifth of what its patterns move, and they never take it below 0.2.
    else if (one.what === 'patterns') {
      this.#move(Math.max(Math.min(0.2, this.confidence), this.confidence + one.moved / 5));
    }
    // A person's edit counts as it stands.
    else if (one.what === 'set') this.confidence = one.confidence;
    else if (one.what === 'pin') this.#pinByHand();
    else this.#unpinByHand();
    if (one.what === 'taken back') this.reversals += 1;
    if (['right', 'dismissed', 'contradicted', 'taken back', 'patterns'].includes(one.what)) this.#settle();
  }

  // Right: nine tenths of what it was and a tenth of its share; one more observation. It ends a row of wrong ones.
  #right(share: number): void {
    this.#move(0.9 * this.confidence + 0.1 * share);
    this.right += 1;
    this.#wrongInARow = 0;
    // Pinned by itself from 0.9 on with ten observations, unless a person has said otherwise, or it is pruned.
    const isSure = this.confidence >= 0.9 && this.right >= 10;
    if (isSure && this.pin === 'none' && this.status !== 'pruned') this.pin = 'own';
  }

  #wrong(by: number): void {
    this.#move(this.confidence - by);
    this.wrong += 1;
    this.#wrongInARow += 1;
  }

  // Never below 0 nor above 1. The program's own pin has a floor of 0.5; it never lifts what a person set below it.
  #move(to: number): void {
    const floor = this.pin === 'own' ? Math.min(0.5, this.confidence) : 0;
    this.confidence = Math.round(Math.min(1, Math.max(floor, to)) * 10_000) / 10_000;
  }

  #settle(): void {
    // Pending until three outcomes, then live.
    if (this.status === 'pending' && this.right + this.wrong >= 3) this.status = 'live';
    // Pruned below 0.2, or after five wrong outcomes without a right one; a person's pin is never pruned.
    const isHopeless = this.confidence < 0.2 || this.#wrongInARow >= 5;
    if (!isHopeless || this.pin === 'person') return;
    this.status = 'pruned';
    if (this.pin === 'own') this.pin = 'none';
  }

  // A person's pin brings back what was pruned. A pin upon the program's own says nothing new.
  #pinByHand(): void {
    if (this.pin === 'own') return;
    this.pin = 'person';
    if (this.status === 'pruned') this.status = 'live';
  }

  #unpinByHand(): void {
    if (this.pin === 'own' || this.pin === 'person') this.pin = 'taken away';
  }
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({ what: fc.constant('right' as const), share: fc.oneof(fc.constant(1), unit) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom('dismissed' as const, 'contradicted' as const, 'taken back' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('patterns' as const),
      moved: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('pin' as const, 'unpin' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('set' as const), confidence: unit }) },
);

/** Of a good source little is wrong: only such a row of happenings comes as far as the program's own pin. */
const good = fc.oneof(
  { weight: 24, arbitrary: fc.record({ what: fc.constant('right' as const), share: fc.constant(1) }) },
  { weight: 1, arbitrary: happening },
);
const life = fc.oneof(fc.array(happening, { maxLength: 80 }), fc.array(good, { maxLength: 80 }));

function after(one: Instinct, happened: Happening): Instinct {
  const edit = { prior: null, confidence: null, pinned: one.pinned };
  switch (happened.what) {
    case 'right':
      return afterRight(one, happened.share);
    case 'dismissed':
      return afterDismissal(one, NOW);
    case 'contradicted':
      return afterContradiction(one, NOW);
    case 'taken back':
      return afterReversal(one, NOW);
    case 'patterns':
      return afterPatterns(one, happened.moved);
    case 'set':
      return afterEdit(one, { ...edit, confidence: happened.confidence });
    default:
      return afterEdit(one, { ...edit, pinned: happened.what === 'pin' });
  }
}

function pinOf({ pinned, pinnedBy }: Instinct): Model['pin'] {
  if (pinned) return pinnedBy === 'steward' ? 'own' : 'person';
  return pinnedBy === 'person' ? 'taken away' : 'none';
}

describe('the transitions of section 7', () => {
  test('are what the plain model says, whatever happens in whatever order', () => {
    const start = fc.constantFrom('gmail', 'mail:anna@notary.example', 'slack_channel', 'other');
    const pins = new Set<string>();
    fc.assert(
      fc.property(start, life, (source, all) => {
        let one = initialInstinct(source);
        const model = new Model(one.prior);
        for (const happened of all) {
          one = after(one, happened);
          model.happen(happened);
          const { confidence, observations, wrong, reversals, status } = one;
          const { confidence: c, right, wrong: w, reversals: r, status: s, pin } = model;
          expect([confidence, observations, wrong, reversals, status, pinOf(one)]).toEqual([c, right, w, r, s, pin]);
          pins.add(pin);
        }
      }),
      { numRuns: lawRuns() },
    );
    // Many examples reach the program's own pin, too.
    expect(pins.size).toBeGreaterThanOrEqual(lawRuns() < 1000 ? 2 : 4);
  });
});

describe('weeks that ended', () => {
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
        await life.live(8 * 24);
        await life.live(8 * 24);
        expect(life.observations()).toBeLessThanOrEqual(life.standing.size);
        expect(life.observations()).toBeGreaterThanOrEqual(life.sure());
        const settled = life.observations();
        await life.live('restart');
        await life.live(24);
        expect(life.observations()).toBe(settled);
      }),
      { numRuns: lawRuns(25) },
    );
  });
});

/** A source that was right so often is believed in silence. */
const KNOWN = 50;

/** A vault whose clock jumps, and what a person knows of it. */
class Life {
  readonly standing = new Map<string, number>();
  readonly #vault = new TempVault({ ...HOUSE, 'instinct/mail.md': instinct('mail', { observations: KNOWN }) });
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
    return Number(this.#vault.fields('instinct/mail.md').observations) - KNOWN;
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
    // Each about a task of its own: what a later decision overwrites was not kept.
    const file = `task/t${this.#count}.md`;
    this.#vault.write(file, task());
    const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
    const target = { target_path: file, raw_quote: `nr ${this.#count}` };
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
