import fc from 'fast-check';
import { test } from 'vitest';
import { listReceived, type ReceivedEvents, remembered } from '../../src/features/ledger.ts';
import { atOnce } from '../../src/vault/time.ts';
import { demandSum, textOf } from '../features/ledger-sums.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { Clock, HOUR } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const TASKS = 3;

/** What arrives: each of these is one event, unless it says otherwise. */
const mail = fc.constantFrom('paid', 'stranger', 'news', 'nothing', 'encrypted', 'broken');
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('drop' as const), mail, task: fc.nat(TASKS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('copy' as const, 'unknown' as const, 'sync-copy' as const),
      nth: fc.nat(20),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'tick' as const, 'restart' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('confirm' as const, 'dismiss' as const, 'undo' as const),
      nth: fc.nat(20),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'rename' as const), nth: fc.nat(20) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

class World {
  readonly vault: TempVault;
  readonly #clock = new Clock();
  #bench: Bench;
  #count = 0;
  /** The mails that are in the vault now, each an event of its own. */
  readonly files: string[] = [];
  /** How many events came. */
  received = 0;

  private constructor(vault: TempVault, bench: Bench) {
    this.vault = vault;
    this.#bench = bench;
  }

  static async start(): Promise<World> {
    const tasks = Array.from({ length: TASKS }, (_, nth) => [`task/errand-${nth}.md`, task({ due: '2035-05-01' })]);
    const vault = new TempVault({ ...HOUSE, ...Object.fromEntries(tasks) });
    return new World(vault, await Bench.open(vault));
  }

  async play(one: Step): Promise<void> {
    this.#clock.move(HOUR);
    switch (one.do) {
      case 'drop':
        this.received += 1;
        return this.#put(textOf(one.mail, `m${this.#count}`, `errand-${one.task}`));
      case 'copy': {
        const file = this.files[one.nth % Math.max(1, this.files.length)];
        if (file === undefined) return;
        await this.read(); // before that, nobody can know that it is one
        this.vault.write(`stream/again-${this.#count++}.eml`, this.vault.bytes(file));
        return;
      }
      case 'unknown':
        this.vault.write(`stream/plan-${this.#count++}.pages`, 'pages');
        return;
      case 'sync-copy':
        this.vault.write(
          `stream/m.sync-conflict-20350101-1200${10 + (this.#count++ % 50)}-ABCDEFG.eml`,
          'From: a@b.example',
        );
        return;
      case 'read':
        return this.read();
      case 'tick':
        await this.read();
        await this.#bench.tick();
        return;
      case 'restart':
        await this.read();
        this.#bench.ports.ingest.known.flush();
        this.#bench.ports.ingest.trail.flush();
        this.#bench.close();
        this.#bench = await Bench.open(this.vault);
        return;
      case 'remove':
      case 'rename': {
        const [file] = this.files.splice(one.nth % Math.max(1, this.files.length), 1);
        if (file === undefined) return;
        await this.read();
        if (one.do === 'remove') this.vault.remove(file);
        else this.vault.rename(file, `stream/moved-${this.#count++}.eml`);
        return;
      }
      default:
        return this.#answer(one.do, one.nth);
    }
  }

  async read(): Promise<void> {
    await sweepAndRead(this.#bench);
    await this.#bench.sweep();
  }

  ledger(): ReceivedEvents {
    return listReceived(atOnce(remembered(this.#bench.ports)));
  }

  #put(text: string): void {
    const file = `stream/m${this.#count++}.eml`;
    this.vault.write(file, text);
    this.files.push(file);
  }

  async #answer(how: 'confirm' | 'dismiss' | 'undo', nth: number): Promise<void> {
    await this.#bench.sweep();
    if (how === 'undo') {
      const acts = this.#bench.catalogue.events().filter(({ fields }) => fields.undo_recipe !== null);
      const act = acts[nth % Math.max(1, acts.length)];
      if (act !== undefined) await this.#bench.undo(act.name).catch(() => {});
      return;
    }
    const open = this.#bench.openProposals();
    const one = open[nth % Math.max(1, open.length)];
    if (one !== undefined) await this.#bench[how](one.event.name).catch(() => {});
  }
}

test('LAW: the piles add up to what was received, whatever arrives and is answered or taken back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
      const world = await World.start();
      for (const one of steps) {
        await world.play(one);
        await world.read();
        demandSum(world.ledger(), world.received);
      }
    }),
    { numRuns: lawRuns(4), endOnFailure: true },
  );
});
