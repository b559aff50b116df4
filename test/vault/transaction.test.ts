import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rules } from '../../src/providers/substitutes.ts';
import type { Evaluator } from '../../src/steward/types.ts';
import { type Intent, textStep } from '../../src/vault/edit.ts';
import { type Exchange, systemExchange } from '../../src/vault/files.ts';
import { Journal } from '../../src/vault/journal.ts';
import { Layout, stem } from '../../src/vault/layout.ts';
import { sha256, writtenPlaces } from '../../src/vault/note-text.ts';
import { nameTime, nameTimeExact, utc } from '../../src/vault/time.ts';
import { HeldUp, inOrder, listEditSources, NotePlaces } from '../../src/vault/transaction.ts';
import { Clock, SECOND } from '../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, HIGH_ONLY, only } from '../support/workspace.ts';

const SIGNAL = 'signal/s1.md';
const DONE = ODD_TASK.replace("'open'", "'done'");
const OLD_HAND = { 'instinct/mail.md': instinct('mail', { observations: 60 }) };

describe('the settle window', () => {
  test('a note touched just now is left to its editor', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    vault.write('task/pay.md', ODD_TASK, 0);
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    expect(await bench.route(SIGNAL)).toMatchObject({ kind: 'settling' });
    const [result] = await bench.tick();
    expect(result).toMatchObject({ events: [], retryAt: expect.any(Number) });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
    expect(vault.events()).toEqual([]);
    clock.move(9 * SECOND);
    expect(await bench.route(SIGNAL)).toMatchObject({ kind: 'settling' });
    clock.move(SECOND + 500);
    expect(await bench.route(SIGNAL)).toMatchObject({ kind: 'acted' });
    expect(vault.read('task/pay.md')).toBe(DONE);
  });

  test('and is judged later by the daemon itself, a routed signal and a tick alike', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 1 }), [SIGNAL]: signal() });
    vault.write('task/pay.md', ODD_TASK, 0);
    const running = await Running.start(vault);
    await running.sync();
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
    await running.heard('acted');
    expect(vault.read('task/pay.md')).toBe(DONE);
  });

  test("the program's own last edit is nobody typing", async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    const bench = await Bench.open(vault);
    await bench.route(SIGNAL);
    vault.write('signal/s2.md', signal({ mutation_proposal: { class: 'context_edit', set: { owner: 'Robin' } } }));
    expect(await bench.route('signal/s2.md')).toMatchObject({ kind: 'acted' });
  });

  test('a time far in the future is a wrong clock, not a fresh edit', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    vault.write('task/pay.md', ODD_TASK, -3_600_000);
    const bench = await Bench.open(vault);
    expect(await bench.route(SIGNAL)).toMatchObject({ kind: 'acted' });
  });

  test('settle_seconds: 0 waits for nobody', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 0 }), [SIGNAL]: signal() });
    vault.write('task/pay.md', ODD_TASK, 0);
    const bench = await Bench.open(vault);
    expect(await bench.route(SIGNAL)).toMatchObject({ kind: 'acted' });
  });

  test('a note that ends inside its fence is being written: neither judged nor edited until it is whole', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    const running = await Running.start(vault);
    await running.heard('acted');
    await running.ask({ op: 'undo', events: [], last: 1, reason: null, force: false, dryRun: false });
    const half = ODD_TASK.slice(0, 90);
    vault.write('task/pay.md', half);
    // What was written before the undo is old news.
    vault.write('signal/s2.md', signal({ raw_quote: 'again', origin_at: new Date(Date.now() + 1000).toISOString() }));
    await running.sync();
    expect(vault.read('task/pay.md')).toBe(half);
    expect(running.count('acted')).toBe(1);
    vault.write('task/pay.md', ODD_TASK);
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.read('task/pay.md')).toBe(DONE);
  });
});

describe('an edit between judgement and publish', () => {
  /** Asks the rules, after something was done to the vault. */
  const meddling = (meddle: (asked: number) => void): { evaluator: Evaluator; asked: () => number } => {
    let asked = 0;
    const evaluate: Evaluator['evaluate'] = async (question, abort) => {
      asked += 1;
      const verdict = await rules.evaluate(question, abort);
      meddle(asked);
      return verdict;
    };
    return { evaluator: { ...rules, evaluate }, asked: () => asked };
  };

  test('is not lost: the note is judged again, as it is now', async () => {
    const vault = new TempVault({
      ...HOUSE,
      ...OLD_HAND,
      [SIGNAL]: weak({ effect_confidence: 0.8 }),
      'signal/s2.md': weak({ source_type: 'bank', target_confidence: 0.9 }),
    });
    const { evaluator, asked } = meddling((count) => {
      if (count === 1) vault.edit('task/pay.md', 'the end', 'the end of it');
    });
    // Neither signal is enough for this mode by itself, and both together are.
    const bench = await Bench.open(vault, { evaluator, env: HIGH_ONLY });
    await bench.tick();
    expect(asked()).toBe(2);
    expect(vault.read('task/pay.md')).toBe(DONE.replace('the end', 'the end of it'));
    expect(vault.events()).toHaveLength(1);
  });

  test('that decides the same thing leaves nothing to do', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: weak() });
    const { evaluator } = meddling((count) => {
      if (count === 1) vault.edit('task/pay.md', "'open'", "'done'");
    });
    const bench = await Bench.open(vault, { evaluator });
    await bench.tick();
    expect(vault.read('task/pay.md')).toBe(DONE);
    expect(vault.fields(only(vault.events()))).toMatchObject({ changes: {}, undo_recipe: null });
  });

  test('by somebody who goes on typing: left alone, tried again later', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: weak() });
    const { evaluator, asked } = meddling((count) => vault.edit('task/pay.md', 'the end', `the end ${count}`, 0));
    const bench = await Bench.open(vault, { evaluator });
    const [result] = await bench.tick();
    expect(asked()).toBe(1);
    expect(result).toMatchObject({ events: [], retryAt: expect.any(Number) });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK.replace('the end', 'the end 1'));
  });

  test('that deletes the note: nothing appears in its place', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: weak() });
    const { evaluator } = meddling(() => vault.has('task/pay.md') && vault.remove('task/pay.md'));
    const bench = await Bench.open(vault, { evaluator });
    await bench.tick();
    expect(vault.has('task/pay.md')).toBe(false);
    expect(vault.events()).toEqual([]);
  });

  test('a write in the very instant of the exchange: theirs stays, and it is judged again', async () => {
    const vault = new TempVault({ ...HOUSE, ...OLD_HAND, [SIGNAL]: signal() });
    const real = systemExchange();
    let count = 0;
    const exchange: Exchange = (part, note) => {
      count += 1;
      if (count === 1) vault.edit('task/pay.md', 'the end', 'the end, typed');
      real?.(part, note);
    };
    const bench = await Bench.open(vault, { exchange });
    expect(await bench.route(SIGNAL)).toMatchObject({ kind: 'acted' });
    expect(vault.read('task/pay.md')).toBe(DONE.replace('the end', 'the end, typed'));
    expect(vault.events()).toHaveLength(1);
    expect(vault.names('.steward/tmp')).toEqual([]);
    expect(vault.names('.steward/journal')).toEqual([]);
  });
});

describe('a field that a person changes before the step that writes it', () => {
  /** Does something to the vault once an action is written down, before anything of it is done. */
  const onceJournalled = (meddle: () => void) => {
    const { open } = Journal.prototype;
    const spied = vi.spyOn(Journal.prototype, 'open').mockImplementation(function (this: Journal, work) {
      open.call(this, work);
      meddle();
    });
    onTestFinished(() => spied.mockRestore());
  };

  test('is the person’s: an instinct is not moved over it', async () => {
    const vault = new TempVault({ ...HOUSE, 'instinct/mail.md': instinct('mail'), [SIGNAL]: weak() });
    const bench = await Bench.open(vault);
    onceJournalled(() => vault.edit('instinct/mail.md', 'confidence: 0.9', 'confidence: 0.2'));
    await bench.tick();
    expect(vault.events()).toHaveLength(1);
    expect(vault.fields('instinct/mail.md').confidence).toBe(0.2);
  });

  test('is the person’s: a signal is not stamped over it', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    const bench = await Bench.open(vault);
    onceJournalled(() => vault.edit(SIGNAL, 'status: unrouted', 'status: skipped'));
    expect(await bench.route(SIGNAL)).toMatchObject({ kind: 'acted' });
    expect(vault.read(SIGNAL)).toBe(signal({ status: 'skipped' }));
  });

  test('leaves the step to be made where it is another one', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    const bench = await Bench.open(vault);
    onceJournalled(() => vault.edit(SIGNAL, 'Invoice paid', 'Invoice 114 paid'));
    await bench.route(SIGNAL);
    expect(vault.fields(SIGNAL)).toMatchObject({ status: 'applied', headline: 'Invoice 114 paid' });
  });
});

describe('former and late bytes', () => {
  test('the former bytes of every note edited are kept until the undo window closes', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    await bench.route(SIGNAL);
    const kept = vault.names('.steward/history').map((name) => vault.read(`.steward/history/${name}`));
    expect(kept).toContain(ODD_TASK);
    expect(kept).toContain(signal());
    clock.move(6 * 24 * 3600 * SECOND);
    bench.pruneHistory();
    expect(vault.names('.steward/history')).toHaveLength(kept.length);
    clock.move(2 * 24 * 3600 * SECOND);
    bench.pruneHistory();
    expect(vault.names('.steward/history')).toEqual([]);
  });

  test('what a program writes late into the file it holds open is found and named in status', async () => {
    const vault = new TempVault({ ...HOUSE });
    const running = await Running.start(vault);
    const held = fs.openSync(vault.at('task/pay.md'), 'r+');
    vault.write(SIGNAL, signal());
    await running.heard('acted');
    fs.writeSync(held, '---\nlate: yes\n');
    fs.closeSync(held);
    await running.stop();
    const [line] = vault.state('kept') as { note: string; file: string; at: string }[];
    expect(line).toMatchObject({ note: 'task/pay.md', at: expect.any(String) });
    expect(vault.read(String(line?.file))).toMatch(/^---\nlate: yes\n/);
    const again = await Running.start(vault);
    expect(again.daemon.status().kept).toEqual([line]);
  });

  test('such bytes are never pruned', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    const held = fs.openSync(vault.at('task/pay.md'), 'r+');
    await bench.route(SIGNAL);
    fs.writeSync(held, '---\nlate: yes\n');
    fs.closeSync(held);
    bench.close();
    const [line] = bench.remembered('kept');
    clock.move(30 * 24 * 3600 * SECOND);
    bench.pruneHistory();
    expect(vault.names('.steward/history').map((name) => `.steward/history/${name}`)).toEqual([line?.file]);
  });
});

test.each([
  ['a folder', (file: string) => fs.mkdirSync(file)],
  ['a file too large for a note', (file: string) => fs.writeFileSync(file, 'x'.repeat(1024 * 1024 + 1))],
  ['a link that leads nowhere', (file: string) => fs.symlinkSync('nowhere', file)],
])('%s in the place of a signal that an action stamps holds up nothing else', async (_, make) => {
  const vault = new TempVault({ ...HOUSE, 'task/two.md': task(), 'signal/s1.md': signal() });
  const bench = await Bench.open(vault);
  const { open } = Journal.prototype;
  const spied = vi.spyOn(Journal.prototype, 'open').mockImplementation(function (this: Journal, work) {
    open.call(this, work);
    vault.remove('signal/s1.md');
    make(vault.at('signal/s1.md'));
  });
  onTestFinished(() => spied.mockRestore());
  await bench.route('signal/s1.md');
  spied.mockRestore();
  vault.write('signal/s2.md', signal({ target_path: 'task/two.md', raw_quote: 'so is this' }));
  expect(await bench.route('signal/s2.md')).toMatchObject({ kind: 'acted' });
  expect(vault.events()).toHaveLength(2);
});

const HASH = '0123abcd';
const moments = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2970, 0) });
const slugs = fc.oneof(
  fc.constantFrom('pay', '2031-02-03T04-05-06Z-pay', 'signal-action-2031-02-03T04-05-06Z-pay', 'rent 2027-01', '§'),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((name) => !/[/\\\0]/.test(name)),
);

function placesIn(vault: TempVault, taken: readonly string[] = []): NotePlaces {
  const named = (name: string) => taken.filter((path) => stem(path) === name);
  return new NotePlaces({ root: vault.root, layout: new Layout(), named });
}

describe('where a new note lies', () => {
  test('in the month of its own name, whatever its target is called', () => {
    const vault = new TempVault();
    fc.assert(
      fc.property(moments, slugs, fc.boolean(), (at, slug, isExact) => {
        const places = placesIn(vault);
        const time = isExact ? nameTimeExact(at) : nameTime(at);
        const month = utc(at).slice(0, 7);
        expect(places.placeOf('signal', `${time}-${HASH}`)).toBe(`signal/${month}/${time}-${HASH}.md`);
        const event = places.ofEvent('steward-action', `task/${slug}.md`, at);
        expect(event.startsWith(`event/${month}/steward-action-${month}-`)).toBe(true);
        expect(event.split('/')).toHaveLength(3);
      }),
    );
  });

  test('at the end of a month the name decides, not the clock on the wall', () => {
    const places = placesIn(new TempVault());
    expect(places.placeOf('signal', `2026-11-30T23-59-59Z-${HASH}`)).toBe(
      `signal/2026-11/2026-11-30T23-59-59Z-${HASH}.md`,
    );
    expect(places.placeOf('signal', `2026-12-01T00-00-00-000Z-${HASH}`)).toBe(
      `signal/2026-12/2026-12-01T00-00-00-000Z-${HASH}.md`,
    );
  });

  test.each(['mine', '2026-13-01T00-00-00Z-x', '2026-11-21-x', '../2026-11-21'])(
    'without a time in the name: %s',
    (name) => {
      expect(placesIn(new TempVault()).placeOf('signal', name)).toBe(`signal/${name}.md`);
      expect(writtenPlaces('signal', name)).toEqual([`signal/${name}.md`]);
    },
  );

  test('no two event notes share a name, in whichever folder the other one lies', () => {
    const vault = new TempVault();
    const at = Date.UTC(2026, 10, 21, 20, 19, 54);
    const taken = ['event/old/steward-action-2026-11-21T20-19-54Z-pay.md'];
    expect(placesIn(vault, taken).ofEvent('steward-action', 'task/pay.md', at)).toBe(
      'event/2026-11/steward-action-2026-11-21T20-19-54-000Z-pay.md',
    );
  });

  test('beside its month, where a file or a link is in the place of it', () => {
    const vault = new TempVault({ 'event/2026-11': 'no folder', 'elsewhere/x.md': '', 'signal/mine.md': '' });
    fs.symlinkSync(vault.at('elsewhere'), `${vault.root}/signal/2026-12`);
    const places = placesIn(vault);
    expect(places.ofEvent('steward-action', 'task/pay.md', Date.UTC(2026, 10, 21))).toMatch(/^event\/steward-action-/);
    expect(places.placeOf('signal', `2026-12-01T00-00-00Z-${HASH}`)).toBe(`signal/2026-12-01T00-00-00Z-${HASH}.md`);
  });
});

function sources(...lines: string[]): string[] {
  return listEditSources('event/x.md', `---\n${lines.join('\n')}\n---\n`, (name) => [
    `signal/2026-11/${name}.md`,
    `signal/${name}.md`,
  ]);
}

test('an event is about its target and its signals', () => {
  expect(sources('target_path: task/pay.md', 'signals: ["[[paid]]", "[[late]]"]')).toEqual([
    'task/pay.md',
    'signal/2026-11/paid.md',
    'signal/paid.md',
    'signal/2026-11/late.md',
    'signal/late.md',
  ]);
});

test('a signal is about its target and its stream file', () => {
  expect(sources('target_path: null', 'source_event_path: stream/a.eml')).toEqual(['stream/a.eml']);
});

test('a signal of an event in a file is about that file, also where a file has such a name itself', () => {
  const odd = 'stream/box#0123456789ab';
  expect(sources(`source_event_path: ${odd}`)).toEqual([odd, 'stream/box']);
});

test('a choice is about all its candidates', () => {
  expect(sources('target_candidates: ["task/a.md", "[[task/b]]"]')).toEqual(['task/a.md', 'task/b.md']);
});

test('what leads out of the vault, or is no text, is nothing', () => {
  expect(sources('target_path: ../../etc/passwd', 'source_event_path: 7', 'signals: {a: b}')).toEqual([]);
  expect(listEditSources('event/x.md', 'no frontmatter', () => [])).toEqual([]);
});

const NOTE = 'instinct/mail.md';

/** Intents that each edit what the one before leaves, all decided in the same millisecond. */
function chain(count: number): Intent[] {
  return Array.from({ length: count }, (_, nth) => ({
    schemaVersion: 2,
    id: `action-${(nth * 7) % count}-${nth}`,
    at: '2026-11-22T09:00:00.000Z',
    decided: true,
    steps: [
      { do: 'create', path: `event/action-${(nth * 7) % count}-${nth}.md`, text: `event ${nth}` },
      textStep(NOTE, `text ${nth}`, `text ${nth + 1}`),
    ],
  }));
}

test('LAW: whatever order they are found in, one that edits what another leaves comes after it', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(chain(9), { minLength: 9 }), (shuffled) => {
      expect(inOrder(shuffled).map(({ steps }) => steps[1]?.text)).toEqual(chain(9).map(({ steps }) => steps[1]?.text));
    }),
  );
});

test('a note that waits is known as it will be, from what it holds now and from nothing else', () => {
  const heldUp = new HeldUp();
  for (const intent of chain(3)) heldUp.keep(intent, intent.steps.slice(1));
  expect(heldUp.pending(NOTE, sha256('text 0'))?.text).toBe('text 3');
  expect(heldUp.pending(NOTE, sha256('text 1'))?.text).toBe('text 3');
  expect(heldUp.pending(NOTE, sha256('typed by hand'))).toBeNull();
  expect(heldUp.pending('instinct/bank.md', sha256('text 0'))).toBeNull();
});

test('it holds back what is left, and all that it touches while its event note is missing', () => {
  const heldUp = new HeldUp();
  const [first, second] = chain(2);
  if (first === undefined || second === undefined) throw new Error('unreachable');
  heldUp.keep(first, first.steps.slice(1));
  expect([...heldUp.notes()]).toEqual([NOTE]);
  heldUp.keep(second, second.steps);
  expect([...heldUp.notes()].sort()).toEqual(['event/action-1-1.md', NOTE].sort());
  heldUp.forget(first.id);
  heldUp.forget(second.id);
  expect(heldUp.notes().size).toBe(0);
});
