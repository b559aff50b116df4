// Over 5 s: each example lives through many steps in a vault on disk.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Clock, HOUR } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, instinct, ODD_TASK, weak } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const PAY = 'task/pay.md';
const FLAG = 'pending_confirmation: true\r\n';
const STATES = ['open', 'snoozed', 'done', 'archived'] as const;
const DAYS = ['2035-12-01', '2035-12-05', '2035-12-24'] as const;

type Step =
  | {
      readonly do: 'signal';
      readonly set: { readonly state: string } | { readonly due: string };
      readonly sure: number;
    }
  | { readonly do: 'tick' | 'confirm' | 'dismiss' | 'restart' }
  | { readonly do: 'state'; readonly to: string }
  | { readonly do: 'due'; readonly to: string }
  | { readonly do: 'write' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('signal' as const),
      set: fc.oneof(
        fc.constantFrom('done', 'archived', 'snoozed').map((state) => ({ state })),
        fc.constantFrom(...DAYS).map((due) => ({ due })),
      ),
      sure: fc.constantFrom(0.7, 0.8, 0.8, 0.97),
    }),
  },
  { weight: 6, arbitrary: fc.constant<Step>({ do: 'tick' }) },
  { weight: 2, arbitrary: fc.constantFrom('confirm', 'dismiss', 'restart').map((kind) => ({ do: kind }) as Step) },
  { weight: 3, arbitrary: fc.constantFrom(...STATES).map((to) => ({ do: 'state' as const, to })) },
  { weight: 2, arbitrary: fc.constantFrom(...DAYS).map((to) => ({ do: 'due' as const, to })) },
  { weight: 1, arbitrary: fc.constant({ do: 'write' as const }) },
);

/** The note as it is to be without the flag: its bytes are those of ODD_TASK but for these two values and the end. */
class Model {
  state = 'open';
  due = '2035-12-01';
  added = '';

  get text(): string {
    return `${ODD_TASK.replace("'open'", `'${this.state}'`).replace('2035-12-01', this.due)}${this.added}`;
  }
}

class World {
  readonly model = new Model();
  readonly clock: Clock;
  readonly vault: TempVault;
  bench: Bench;
  #signals = 0;

  private constructor(vault: TempVault, bench: Bench, clock: Clock) {
    this.clock = clock;
    this.vault = vault;
    this.bench = bench;
  }

  static async start(): Promise<World> {
    const vault = new TempVault({ ...HOUSE, 'instinct/mail.md': instinct('mail') });
    const clock = new Clock();
    return new World(vault, await Bench.open(vault, { clock }), clock);
  }

  async play(one: Step): Promise<void> {
    const { vault, model, bench } = this;
    if (one.do === 'signal') {
      this.#signals += 1;
      const fieldClass = 'due' in one.set ? 'context_edit' : 'state_change';
      const proposal = { class: fieldClass, set: one.set };
      const fields = { mutation_proposal: proposal, effect_confidence: one.sure, raw_quote: `quote ${this.#signals}` };
      vault.write(`signal/s${this.#signals}.md`, weak(fields));
    } else if (one.do === 'state') this.#byHand({ state: one.to });
    else if (one.do === 'due') this.#byHand({ due: one.to });
    else if (one.do === 'write') this.#byHand({ added: `${model.added}\r\nmore` });
    else if (one.do === 'tick') {
      this.clock.move(5 * HOUR); // room with the rate guard
      await bench.tick();
    } else if (one.do === 'restart') {
      bench.close();
      this.bench = await Bench.open(vault, { clock: this.clock });
    } else {
      await bench.sweep();
      const [open] = bench.openProposals();
      if (open !== undefined) await bench[one.do](open.event.name);
    }
  }

  // A person's editor keeps what else stands in the note.
  #byHand(edit: Partial<Pick<Model, 'state' | 'due' | 'added'>>): void {
    const isFlagged = this.vault.read(PAY).includes(FLAG);
    Object.assign(this.model, edit);
    const at = this.model.text.indexOf('---\r\n', 3);
    const flagged = `${this.model.text.slice(0, at)}${FLAG}${this.model.text.slice(at)}`;
    this.vault.write(PAY, isFlagged ? flagged : this.model.text);
  }

  /** What the steward wrote of the two fields is taken over; all else must be as the model has it. */
  demandExact(): void {
    const { state, due, pending_confirmation: flag } = this.vault.fields(PAY);
    Object.assign(this.model, { state, due });
    expect(this.vault.read(PAY).replace(FLAG, '')).toBe(this.model.text);
    const waiting = this.bench.openProposals().filter(({ event }) => event.fields.mode === 'live');
    expect(flag === true, waiting.map(({ event }) => event.name).join()).toBe(waiting.length > 0);
  }
}

test('LAW: the flag is in the note as long as a proposal waits, and goes to the byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const world = await World.start();
      for (const one of steps) {
        await world.play(one);
        if (one.do !== 'tick') continue;
        world.demandExact();
        const before = world.vault.events().length;
        await world.play({ do: 'tick' });
        world.demandExact();
        expect(world.vault.events().length, 'a tick without anything new judges nothing').toBe(before);
      }
    }),
    { numRuns: lawRuns(25), endOnFailure: true },
  );
});
