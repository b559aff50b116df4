import { describe, expect, test } from 'vitest';
import { undo } from '../../src/undo/undo.ts';
import { stem } from '../../src/vault/layout.ts';
import { Clock, SECOND } from '../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, reversal, settings, signal } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';
import { acted, later, MAIL, vaultWithAction } from './acted.ts';

const REVERSAL = 'event/steward-action-reversed-please.md';
const OLD_HAND = { [MAIL]: instinct('mail', { confidence: 1, observations: 60 }) };

describe('three doors to the same thing', () => {
  test('a dropped reversal: the note is byte for byte what it was, and mail has learnt', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    const name = stem(event);
    vault.write(REVERSAL, reversal(`[[${name}]]`, { reason: 'It was the other invoice' }));
    const heard = await running.heard('reversed');
    expect(heard).toMatchObject({ outcome: 'reversed', target: 'task/pay.md', calibration: { mail: '0.83 → 0.73' } });
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1, last_negative_at: expect.any(String) });
    expect(vault.fields(REVERSAL)).toMatchObject({
      type: 'steward-action-reversed',
      reverses: `[[${name}]]`,
      reason: 'It was the other invoice',
      reversed_by: 'file',
      outcome: 'reversed',
      vault_patch_applied: true,
      plane_revert_applied: false,
      calibration: { mail: '0.83 → 0.73' },
      settled_at: expect.stringMatching(/Z$/),
      undo_recipe: { vault_patch: { target: 'task/pay.md' } },
    });
    expect(vault.read(REVERSAL)).toContain('Please take it back.');
  });

  test('a ticked box: one reversal note beside the event, the tick stays, and it is done once', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    vault.edit(event, 'undo: false', 'undo: true');
    await running.heard('reversed');
    await running.sync();
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    const note = only(vault.events('signal-action-reversed-'));
    expect(vault.fields(note)).toMatchObject({ type: 'signal-action-reversed', reversed_by: 'checkbox' });
    expect(vault.fields(event).undo).toBe(true);
    // Looked at again, touched again, started again: the same tick asks nothing more.
    vault.edit(event, 'Invoice paid', 'Invoice  paid');
    await running.sync();
    await running.stop();
    await (await Running.start(vault)).sync();
    expect(vault.events('signal-action-reversed-')).toEqual([note]);
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });

  test('the command', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    const answer = await bench.undo(name, { reason: 'wrong house' });
    expect(answer).toMatchObject({
      outcome: 'reversed',
      target: 'task/pay.md',
      changes: { state: { before: 'done', after: 'open' } },
      calibration: { mail: '0.83 → 0.73' },
    });
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    const note = only(vault.events('signal-action-reversed-'));
    expect(answer.note).toBe(note);
    expect(vault.fields(note)).toMatchObject({
      reverses: `[[${name}]]`,
      reason: 'wrong house',
      reversed_by: 'command',
      outcome: 'reversed',
    });
  });

  test('the command handed to a running daemon', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    await running.heard('acted');
    const result = await running.ask({ op: 'undo', events: [], last: 1, reason: null, force: false, dryRun: false });
    expect(result).toMatchObject([{ outcome: 'reversed', target: 'task/pay.md' }]);
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
  });

  test('a dry run says what it would do and does nothing', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    await running.sync();
    const before = vault.snapshot();
    const dry = { last: null, reason: null, force: false, dryRun: true };
    expect(await running.ask({ op: 'undo', events: [event], ...dry })).toMatchObject([
      { outcome: 'reversed', note: null },
    ]);
    await running.sync();
    expect(vault.snapshot()).toEqual(before);
  });
});

describe('a reversal file as people drop it', () => {
  test('empty, with a name whose tail is the event: enough', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    bench.close();
    const file = `event/${name.replace('signal-action-', 'signal-action-reversed-')}.md`;
    vault.write(file, '');
    const running = await Running.start(vault, { clock: later() });
    await running.heard('reversed', (one) => one.outcome === 'reversed');
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(file)).toMatchObject({
      type: 'signal-action-reversed',
      reverses: `[[${name}]]`,
      outcome: 'reversed',
    });
  });

  test('text without frontmatter keeps its text', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    bench.close();
    const file = `event/${name.replace('signal-action-', 'signal-action-reversed-')}.md`;
    vault.write(file, 'No, that was the other one.\n');
    const running = await Running.start(vault, { clock: later() });
    await running.heard('reversed', (one) => one.outcome === 'reversed');
    expect(vault.read(file)).toMatch(/---\nNo, that was the other one\.\n$/);
  });

  test.each(['event/NAME.md', 'NAME', '[[event/NAME|that one]]', '[[NAME]]'])('reverses: %s', async (written) => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    vault.write(REVERSAL, reversal(written.replace('NAME', stem(event))));
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'reversed' });
  });

  test('while the daemon was away: read at the next start', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    bench.close();
    vault.write(REVERSAL, reversal(`[[${name}]]`));
    const running = await Running.start(vault, { clock: later() });
    await running.heard('reversed', (one) => one.outcome === 'reversed');
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
  });

  test('naming nothing: refused, completed, and shown until somebody looks', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    await running.heard('acted');
    vault.write(REVERSAL, reversal('[[steward-action-2020-01-01T00-00-00Z-never]]'));
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'refused', calibration: {} });
    expect(vault.fields(REVERSAL)).toMatchObject({ outcome: 'refused', vault_patch_applied: false });
    expect(vault.fields('task/pay.md').state).toBe('done');
    expect(vault.fields(MAIL).confidence).toBe(0.83);
    expect(running.daemon.status().trouble).toContainEqual(
      expect.objectContaining({ code: 'reverses-nothing', file: REVERSAL }),
    );
  });

  test('two at once: one takes it back, the other finds it taken back, and mail learns once', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    bench.close();
    const [one, other] = ['event/steward-action-reversed-a.md', 'event/steward-action-reversed-b.md'];
    vault.write(one, reversal(`[[${name}]]`));
    vault.write(other, reversal(`[[${name}]]`));
    const running = await Running.start(vault, { clock: later() });
    await running.until(() => running.count('reversed') === 2);
    await running.sync();
    const outcomes = [one, other].map((file) => vault.fields(file).outcome).sort();
    expect(outcomes).toEqual(['already-reversed', 'reversed']);
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });

  test('one that was settled is never settled again, whatever is done to it', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    vault.write(REVERSAL, reversal(event));
    await running.heard('reversed');
    vault.edit(REVERSAL, 'Please take it back.', 'Thank you.');
    await running.sync();
    await running.stop();
    await (await Running.start(vault)).sync();
    expect(running.count('reversed')).toBe(1);
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });
});

test('a note being edited just now is taken back as soon as it has been quiet', async () => {
  const vault = vaultWithAction({ 'steward.md': settings({ settle_seconds: 1 }) });
  const running = await Running.start(vault);
  const { event } = await running.heard('acted');
  vault.edit('task/pay.md', 'the end', 'the end, I think', 0);
  vault.edit(event, 'undo: false', 'undo: true');
  await running.sync();
  expect(running.count('reversed')).toBe(0);
  expect(vault.fields('task/pay.md').state).toBe('done');
  await running.heard('reversed');
  expect(vault.read('task/pay.md')).toBe(ODD_TASK.replace('the end', 'the end, I think'));
});

describe('an undo of a note that is just being written waits until it is whole', () => {
  test.each([
    ['empty', ''],
    ['cut off inside its fence', '---\nstate: do'],
  ])('by command: %s', async (_, text) => {
    const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
    const bench = await Bench.open(vault);
    await bench.route('signal/s1.md');
    const event = only(bench.catalogue.events());
    const order = { event, by: 'command' as const, reason: null, force: false, file: null };
    const whole = vault.read('task/pay.md');
    vault.write('task/pay.md', text);
    await bench.sweep();
    expect(undo(bench.ports, order)).toMatchObject({ outcome: 'settling', note: null });
    vault.write('task/pay.md', whole);
    expect(await bench.undo(event.name)).toMatchObject({ outcome: 'reversed' });
  });

  test('that is whole again when it looks a second time', async () => {
    const vault = vaultWithAction();
    const { bench, event } = await acted(vault);
    const whole = vault.read('task/pay.md');
    const { notes } = bench.ports;
    const fresh = notes.fresh.bind(notes);
    notes.fresh = (path) => {
      notes.fresh = fresh;
      vault.write(path, '');
      const seen = fresh(path);
      vault.write(path, whole);
      return seen;
    };
    expect(await bench.undo(event)).toMatchObject({ outcome: 'reversed' });
  });

  test('by its checkbox, for as long as it takes', async () => {
    const vault = new TempVault({ ...HOUSE, ...OLD_HAND });
    const clock = new Clock();
    const running = await Running.start(vault, { clock });
    vault.write('signal/s1.md', signal());
    const { event } = await running.heard('acted');
    const whole = vault.read('task/pay.md');
    vault.write('task/pay.md', '');
    await running.sync();
    vault.edit(event, 'undo: false', 'undo: true');
    await running.sync();
    for (let looks = 0; looks < 3; looks += 1) {
      clock.move(30 * SECOND);
      await running.daemon.wake();
      await running.daemon.idle();
    }
    expect(running.count('reversed')).toBe(0);
    vault.write('task/pay.md', whole);
    await running.sync();
    clock.move(30 * SECOND);
    await running.daemon.wake();
    await running.heard('reversed');
    expect(vault.fields('task/pay.md').state).toBe('open');
  });
});

test('a box ticked before its note is there is answered once', async () => {
  const vault = new TempVault({ ...HOUSE, ...OLD_HAND, 'steward.md': settings({ settle_seconds: 1 }) });
  const running = await Running.start(vault);
  const answers = () => vault.names('event').filter((name) => name.includes('reversed'));
  vault.write('signal/s1.md', signal());
  const { event } = await running.heard('acted');
  const whole = vault.read('task/pay.md');
  const known = running.daemon.status().vault.notes;
  vault.remove('task/pay.md');
  await running.sync();
  await running.until(() => running.daemon.status().vault.notes === known - 1);
  vault.edit(event, 'undo: false', 'undo: true', 0);
  await running.sync();
  vault.write('task/pay.md', whole);
  await running.sync();
  await running.heard('reversed');
  const later = Date.now() + 2 * SECOND; // by then the first asking's own turn has come again
  await running.until(() => Date.now() > later);
  await running.sync();
  expect(answers()).toHaveLength(1);
});
