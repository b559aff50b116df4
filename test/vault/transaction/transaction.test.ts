import fs from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rules } from '../../../src/model/evaluators.ts';
import type { Evaluator } from '../../../src/steward/ports/evaluator.ts';
import { Journal } from '../../../src/vault/journal.ts';
import { type Exchange, systemExchange } from '../../../src/vault/transaction.ts';
import { Clock, SECOND } from '../../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, HIGH_ONLY, only } from '../../support/workspace.ts';

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
    vault.write('signal/s2.md', signal({ raw_quote: 'again' }));
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
