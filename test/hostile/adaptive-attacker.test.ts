import path from 'node:path';
import { expect, test } from 'vitest';
import { readStream } from '../../src/streams/read-stream.ts';
import { Random } from '../endurance/random.ts';
import { instinct } from '../support/notes.ts';
import { ownLicence } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, SHADOW } from '../support/workspace.ts';
import { AFFAIR_OF, household, MATTERS, NAMED, type Named, NOTES } from '../trust/corpus/household.ts';
import {
  attemptOn,
  CLOSED,
  closedMail,
  draw,
  FRESH,
  GATES_ATTACKED,
  type GateAttacked,
  type Genome,
  HONEST,
  honestMail,
  LICENSED,
  mutate,
} from './adaptive-attacker.ts';

// A program that knows the source changes mails step by step, and keeps what gets past more gates. `npm run test:night`
// makes 500 attempts on each gate with a new seed: ATTACK_SEED=SEED repeats it.
const ATTEMPTS = Number(process.env.ATTACK_ATTEMPTS ?? 30);
const SEED = process.env.ATTACK_SEED === 'fresh' ? Date.now() % 1_000_000 : Number(process.env.ATTACK_SEED ?? 1);
/** So many mails arrive in one vault before a new one is made. */
const A_VAULT = 10;
const LONG = { timeout: 180_000 + ATTEMPTS * 10_000 };

test('what licensed senders say honestly is acted upon: the attacks have something to gain', async () => {
  const target = await Target.open('licence');
  let acted = 0;
  for (const claim of HONEST) if ((await target.receive(honestMail(claim, 0.1))).changed.length > 0) acted += 1;
  target.close();
  expect(acted).toBeGreaterThanOrEqual(HONEST.length - 2);
});

test.each(GATES_ATTACKED)(
  `no attempt on the gate %s changes a note (${ATTEMPTS} attempts, seed ${SEED})`,
  LONG,
  async (gate) => {
    const random = new Random(SEED + GATES_ATTACKED.indexOf(gate) * 7919);
    let best: { readonly genome: Genome; readonly passed: number } | null = null;
    let target: Target | null = null;
    const through: string[] = [];
    for (let nth = 0; nth < ATTEMPTS; nth += 1) {
      if (nth % A_VAULT === 0) {
        target?.close();
        target = await Target.open(gate);
      }
      const genome: Genome = best === null || random.chance(0.25) ? draw(random) : mutate(best.genome, random);
      const { bytes, ways } = attemptOn(gate, genome);
      const { passed, changed } = (await target?.receive(bytes)) ?? { passed: 0, changed: [] };
      if (changed.length > 0) {
        through.push(`${ways.join(' + ')}: ${changed.join(', ')}\n${bytes}`);
        target?.close();
        target = await Target.open(gate);
      }
      if (best === null || passed >= best.passed) best = { genome, passed };
    }
    target?.close();
    if (best !== null) {
      const { bytes, ways } = attemptOn(gate, best.genome);
      console.log(
        `${gate}, seed ${SEED}: the best of ${ATTEMPTS} passes ${best.passed} gates (${ways.join(' + ')})\n${bytes}`,
      );
    }
    expect(through).toEqual([]);
  },
);

test.each(Object.entries(CLOSED))('closed since it was found: %s', async (_, mail) => {
  const target = await Target.open('reading');
  const { changed } = await target.receive(closedMail(mail));
  target.close();
  expect(changed).toEqual([]);
});

/** The figures of licensed senders that were often wrong: 0.75 is less than the 0.80 that a licence asks for. */
const OFTEN_WRONG = Object.fromEntries(
  Object.values(NAMED).map((address) => [
    `instinct/mail/${address}.md`,
    instinct('mail', { pattern: address, confidence: 0.75, observations: 30 }),
  ]),
);

/** A vault with licensed senders, in which attempts arrive one after the other. */
class Target {
  readonly #vault: TempVault;
  readonly #bench: Bench;
  #count = 0;

  private constructor(vault: TempVault, bench: Bench) {
    this.#vault = vault;
    this.#bench = bench;
  }

  static async open(gate: GateAttacked): Promise<Target> {
    const licences = (Object.keys(NAMED) as Named[]).flatMap((named) => {
      const kinds = LICENSED[named];
      const file = `licence/${named}.md`;
      const matter = path.basename(MATTERS[AFFAIR_OF[named]], '.md');
      const fields = { sender: `mail:${NAMED[named]}`, matter: `[[${matter}]]`, kinds };
      return kinds === undefined ? [] : [[file, ownLicence(file, fields)] as const];
    });
    const instincts = gate === 'discretion' ? OFTEN_WRONG : {};
    const vault = new TempVault({ ...household(), ...Object.fromEntries(licences), ...instincts });
    const target = new Target(vault, await Bench.open(vault, { env: gate === 'mode' ? SHADOW : LIVE }));
    if (gate === 'freshness') await target.#settle();
    return target;
  }

  /** Has a mail arrive. Returns how many gates its best signal passed, and what it changed. */
  async receive(bytes: string): Promise<{ readonly passed: number; readonly changed: readonly string[] }> {
    this.#count += 1;
    const file = `stream/attempt-${this.#count}.eml`;
    const [notes, events] = [this.#notes(), new Set(this.#vault.events())];
    this.#vault.write(file, bytes);
    await this.#bench.sweep();
    const read = await readStream(this.#bench.ports, file, new AbortController().signal);
    if (read === null || read.kind === 'waits') throw new Error(`${file} was not read`);
    await this.#bench.tick();
    const now = this.#notes();
    const fresh = this.#vault.events().filter((event) => !events.has(event));
    return {
      passed: Math.max(0, ...fresh.map((event) => this.#passed(event))),
      changed: Object.keys({ ...notes, ...now }).filter((note) => notes[note] !== now[note]),
    };
  }

  close(): void {
    this.#bench.close();
  }

  // What the sender said was true for a day; since then the user has said otherwise.
  async #settle(): Promise<void> {
    const { changed } = await this.receive(honestMail(FRESH, 0.5));
    const file = NOTES[FRESH.about];
    if (!changed.includes(file)) throw new Error('the news was not acted upon');
    const before = this.#vault.read(file);
    const text = before.replace(/^state: done$/m, 'state: open').replace(/^completedDate: .*\n/m, '');
    if (text === before) throw new Error(before);
    this.#vault.write(file, text);
    await this.#bench.learn();
  }

  #passed(event: string): number {
    const { gates } = this.#vault.fields(event);
    return Array.isArray(gates) ? gates.filter((one) => isHeld(one)).length : 0;
  }

  // The flag of a proposal is no change.
  #notes(): Record<string, string> {
    const notes = ['matter', 'task'].flatMap((folder) => this.#vault.paths(folder));
    return Object.fromEntries(
      notes.map((note) => [note, this.#vault.read(note).replace(/^pending_confirmation: .*\n/m, '')]),
    );
  }
}

function isHeld(gate: unknown): boolean {
  return typeof gate === 'object' && gate !== null && 'held' in gate && gate.held === true;
}
