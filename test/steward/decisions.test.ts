import fs from 'node:fs';
import path from 'node:path';
import yaml from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerAll } from '../../src/daemon/answers.ts';
import { licenceState } from '../../src/steward/licence.ts';
import { type Evaluator, type Verdict, verdict } from '../../src/steward/types.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { Clock } from '../support/clock.ts';
import { settings } from '../support/notes.ts';
import { ANNA, ownLicence, ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

// Each file of `decisions/` is a case: a vault, the signals that come, in which steps, and what must have become of it.
// `signals` are as the program writes them, with its mark; `dropped` are notes that somebody laid into the vault.

const fields = z.record(z.string(), z.unknown());
const step = z.union([
  z.object({ signals: z.record(z.string(), fields) }).strict(),
  z.object({ dropped: z.record(z.string(), fields) }).strict(),
  z.object({ tick: z.literal(true) }).strict(),
  z.object({ settings: fields }).strict(),
  z.object({ days: z.number() }).strict(),
  /** What waits about a note is answered, or all of it. */
  z.object({ confirm: z.string(), always: z.boolean().default(false) }).strict(),
  z.object({ dismiss: z.string() }).strict(),
  z.object({ undo: z.string() }).strict(),
  z.object({ edit: z.record(z.string(), fields) }).strict(),
  z.object({ remove: z.string() }).strict(),
]);
const cases = z
  .object({
    about: z.string(),
    settings: fields.default({}),
    notes: z.record(z.string(), fields),
    licences: z.record(z.string(), fields).default({}),
    /** What a model replies, whatever it is asked; the rules judge where it is absent. */
    model: verdict.optional(),
    steps: z.array(step),
    expect: z
      .object({
        notes: z.record(z.string(), fields).default({}),
        /** Of the events of actions and proposals, in order: those of these fields. `failed`: the gates that failed. */
        events: z.array(fields).optional(),
        acted: z.number().optional(),
        licences: z.record(z.string(), z.string()).optional(),
        /** What waits for the user, as kinds in order. */
        waiting: z.array(z.string()).optional(),
        /** The warnings, by kind: nobody is asked to confirm them. */
        warnings: z.array(z.string()).optional(),
      })
      .strict(),
  })
  .strict();
type Case = z.infer<typeof cases>;

const FOLDER = path.join(import.meta.dirname, 'decisions');

describe('decisions', () => {
  const files = fs.readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  test.each(files)('%s', async (name) => {
    const one = cases.parse(yaml.load(fs.readFileSync(path.join(FOLDER, name), 'utf8'), { schema: yaml.JSON_SCHEMA }));
    await new Scene(one).play();
  });
});

const PLAIN = { settle_seconds: 0, trusted_mail_servers: ['mx.notary.example'] };

/** One case at work. */
/** Two events of one second are named in any order. */
function byOutcome(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): number {
  const key = ({ outcome, from }: Readonly<Record<string, unknown>>) => `${String(outcome)} ${String(from ?? '')}`;
  return key(one) < key(other) ? -1 : Number(key(one) > key(other));
}

class Scene {
  readonly #case: Case;
  readonly #vault: TempVault;
  readonly #clock = new Clock();

  constructor(one: Case) {
    this.#case = one;
    const licences = Object.entries(one.licences).map(([name, parts]) => {
      const file = `licence/${name}.md`;
      return [file, ownLicence(file, parts)];
    });
    const notes = Object.entries(one.notes).map(([file, parts]) => [file, noteText({ ...parts }, 'A note.')]);
    this.#vault = new TempVault({
      'steward.md': settings({ ...PLAIN, ...one.settings }),
      ...Object.fromEntries([...notes, ...licences]),
    });
  }

  async play(): Promise<void> {
    const { model } = this.#case;
    const evaluator = model === undefined ? {} : { evaluator: replying(model) };
    const bench = await Bench.open(this.#vault, { clock: this.#clock, ...evaluator });
    for (const one of this.#case.steps) await this.#step(bench, one);
    await bench.sweep();
    this.#check(bench);
  }

  async #step(bench: Bench, one: z.infer<typeof step>): Promise<void> {
    if ('signals' in one) this.#write(one.signals, (file, parts) => ownSignal(file, parts));
    if ('dropped' in one) this.#write(one.dropped, (_, parts) => noteText({ type: 'signal', ...parts }, 'A note.'), '');
    if ('tick' in one) await bench.tick();
    if ('settings' in one) {
      this.#vault.write('steward.md', settings({ ...PLAIN, ...one.settings }));
      bench.reloadSettings();
    }
    if ('days' in one) this.#clock.move(one.days * 86_400_000);
    if ('confirm' in one) await this.#answer(bench, 'confirm', one.confirm, one.always);
    if ('dismiss' in one) await this.#answer(bench, 'dismiss', one.dismiss, false);
    if ('undo' in one) await bench.undoLast(1);
    if ('edit' in one) {
      for (const [file, parts] of Object.entries(one.edit)) {
        for (const [field, value] of Object.entries(parts)) this.#set(file, field, value);
      }
    }
    if ('remove' in one) fs.rmSync(this.#vault.at(one.remove));
    await bench.follow();
    this.#clock.move(2000); // so that the names of event notes tell their order
  }

  #write(
    all: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    text: (file: string, parts: Readonly<Record<string, unknown>>) => string,
    folder = 'signal/',
  ): void {
    for (const [name, parts] of Object.entries(all)) {
      const file = folder === '' ? name : `${folder}${name}.md`;
      this.#vault.write(file, text(file, parts));
    }
  }

  #set(file: string, field: string, value: unknown): void {
    const line = new RegExp(`^${field}:(?: .*|(?:\\n {2}- .*)+)$`, 'm').exec(this.#vault.read(file))?.[0];
    if (line === undefined) throw new Error(`${file} has no ${field}`);
    this.#vault.edit(file, line, `${field}: ${JSON.stringify(value)}`);
  }

  async #answer(bench: Bench, kind: 'confirm' | 'dismiss', about: string, always: boolean): Promise<void> {
    await bench.sweep();
    const { decisions, warnings } = bench.attention();
    const isMeant = ({ target, event }: { target: string | null; event: string | null }) =>
      target === about || event === about;
    // A warning is answered by its name alone.
    const events = [...decisions.filter((one) => about === 'all' || isMeant(one)), ...warnings.filter(isMeant)].flatMap(
      ({ event }) => event ?? [],
    );
    await answerAll(bench.ports, { kind, events, always, dryRun: false });
  }

  #check(bench: Bench): void {
    const { expect: wanted } = this.#case;
    for (const [file, parts] of Object.entries(wanted.notes)) {
      const held = this.#vault.fields(file);
      const shown = Object.fromEntries(Object.keys(parts).map((field) => [field, held[field] ?? null]));
      expect(shown, file).toEqual(parts);
    }
    const events = this.#vault
      .events()
      .map((file) => this.#vault.fields(file))
      .filter(({ type }) => type === 'steward-action' || type === 'signal-action')
      .toSorted(byOutcome);
    if (wanted.acted !== undefined)
      expect(events.filter(({ outcome }) => outcome === 'acted')).toHaveLength(wanted.acted);
    if (wanted.events !== undefined) {
      const all = wanted.events.toSorted(byOutcome);
      const shown = events.map((event, at) => {
        const parts = all[at] ?? {};
        const failed = z
          .array(z.object({ gate: z.string(), held: z.boolean() }))
          .parse(event.gates ?? [])
          .flatMap(({ gate, held }) => (held ? [] : [gate]));
        const fields: Record<string, unknown> = { ...event, failed };
        return Object.fromEntries(Object.keys(parts).map((field) => [field, fields[field] ?? null]));
      });
      expect(shown).toEqual(all);
    }
    if (wanted.warnings !== undefined)
      expect(bench.attention().warnings.map(({ kind }) => kind)).toEqual(wanted.warnings);
    if (wanted.waiting !== undefined) expect(bench.waiting().map(({ kind }) => kind)).toEqual(wanted.waiting);
    for (const [name, state] of Object.entries(wanted.licences ?? {})) {
      const record = bench.catalogue.get(`licence/${name}.md`);
      expect(record?.kind === 'licence' ? licenceState(bench.ports, record) : 'gone', name).toBe(state);
    }
  }
}

function replying(said: Verdict): Evaluator {
  return { name: 'model', asksModel: true, evaluate: async () => said };
}

/** What makes a signal of the licensed sender fail one gate, and pass the others. */
const SPOILT = {
  forged: { authenticated: 'fail' },
  authenticated: { authenticated: 'none', authenticated_by: null },
  licence: { pattern: 'ben@notary.example', from: 'Ben Example <ben@notary.example>' },
  target: { target_confidence: 0.6, target_evidence: ['words'] },
  reading: { effect_confidence_raw: 0.84 },
  discretion: { effect_confidence: 0.7 },
} as const;

test('two signals that fail different gates change nothing together, whichever gates these are', async () => {
  const gates = Object.entries(SPOILT);
  const pairs = gates.flatMap((one, at) => gates.slice(at + 1).map((other) => [one, other] as const));
  const open = noteText({ type: 'task', state: 'open', parent_matter: '[[house]]' }, 'A note.');
  const vault = new TempVault({
    'steward.md': settings(PLAIN),
    'matter/house.md': noteText({ type: 'matter', state: 'open', senders: [ANNA, 'ben@notary.example'] }, 'A note.'),
    'licence/anna.md': ownLicence('licence/anna.md'),
    'task/alone.md': open,
    ...Object.fromEntries(pairs.map((_, at) => [`task/t${at}.md`, open])),
  });
  const bench = await Bench.open(vault);
  const arrive = (file: string, parts: object) => vault.write(file, ownSignal(file, { ...parts }));
  arrive('signal/alone.md', { target_path: 'task/alone.md' });
  for (const [at, pair] of pairs.entries()) {
    for (const [gate, parts] of pair) {
      const about = { target_path: `task/t${at}.md`, raw_quote: `${gate} ${at}` };
      arrive(`signal/${gate}-${at}.md`, { ...about, ...parts });
    }
  }
  await bench.tick();
  expect(vault.fields('task/alone.md').state).toBe('done');
  const changed = pairs.flatMap(([[one], [other]], at) =>
    vault.fields(`task/t${at}.md`).state === 'open' ? [] : [`${one} and ${other}`],
  );
  expect(changed).toEqual([]);
  // An event note is based on the better of the two: it fails the gate that it is meant to fail. Only an unauthenticated
  // sender fails two, because it can't have a licence.
  const failed = new Set(
    vault.events().map((file) =>
      z
        .array(z.object({ gate: z.string(), held: z.boolean() }))
        .parse(vault.fields(file).gates ?? [])
        .flatMap(({ gate, held }) => (held ? [] : [gate]))
        .join(),
    ),
  );
  expect([...failed].toSorted()).toEqual(['', 'authenticated,licence', 'discretion', 'licence', 'reading', 'target']);
});
