import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Running, Sandbox } from '../stories/support.ts';
import { namesIn } from '../support/placed.ts';
import { carriesOn, signal, smallVault, troubles } from './support.ts';

async function daemonOf(sandbox: Sandbox): Promise<Running> {
  const daemon = sandbox.start('steward run --vault vault', { STEWARD_LIVE_MODE: 'live' });
  await daemon.line((line) => line.includes('started on'), 'started on');
  return daemon;
}

function eventsOf(sandbox: Sandbox): string[] {
  return namesIn(sandbox.vault, 'event');
}

test('a reversal of something that never happened is completed as refused, shown, and changes nothing', async () => {
  await using sandbox = await smallVault();
  const daemon = await daemonOf(sandbox);
  const before = sandbox.read('instinct/mail.md');
  sandbox.write('event/steward-action-reversed-mine.md', '---\nreverses: "[[never-happened]]"\n---\nMy reasons.\n');
  await daemon.line((line) => line.includes('not undone'), 'not undone');
  expect(sandbox.read('event/steward-action-reversed-mine.md')).toMatch(
    /^---\nreverses: "\[\[never-happened\]\]"\n(.*\n)*outcome: refused\n(.*\n)*---\nMy reasons\.\n$/,
  );
  expect(await troubles(sandbox)).toEqual([
    expect.objectContaining({ code: 'reverses-nothing', file: 'event/steward-action-reversed-mine.md' }),
  ]);
  expect(sandbox.read('instinct/mail.md')).toBe(before);
  sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
  await daemon.line((line) => line.includes('applied pay-roofer'), 'applied pay-roofer');
});

test('two reversals at once: one takes it back and teaches, the other says that it was taken back', async () => {
  await using sandbox = await smallVault();
  const before = sandbox.read('task/pay-roofer.md');
  await carriesOn(sandbox);
  const [event = ''] = eventsOf(sandbox);
  const daemon = await daemonOf(sandbox);
  const link = `---\nreverses: "[[${path.basename(event, '.md')}]]"\n---\n`;
  sandbox.write('event/signal-action-reversed-one.md', link);
  sandbox.write('event/signal-action-reversed-two.md', link);
  await daemon.line((line) => line.includes('undone pay-roofer (mail 1.00 → 0.90)'), 'reversed');
  await daemon.line((line) => line.includes('already undone'), 'already undone');
  expect(sandbox.read('task/pay-roofer.md')).toBe(before);
  expect(sandbox.read('instinct/mail.md')).toMatch(/^confidence: 0\.9$/m);
  const outcomes = ['one', 'two'].map((one) =>
    /^outcome: (.*)$/m.exec(sandbox.read(`event/signal-action-reversed-${one}.md`))?.at(1),
  );
  expect(outcomes.sort()).toEqual(['already-reversed', 'reversed']);
  expect(eventsOf(sandbox)).toHaveLength(3);
  expect(await troubles(sandbox)).toEqual([]);
});

test('a reversal that is no note at all, and an empty one whose name says nothing, harm nobody', async () => {
  await using sandbox = await smallVault();
  const daemon = await daemonOf(sandbox);
  sandbox.write('event/steward-action-reversed-binary.md', Buffer.from([0, 1, 2, 3]));
  sandbox.write('event/steward-action-reversed-.md', '---\nreverses: [\n---\n');
  sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
  await daemon.line((line) => line.includes('applied pay-roofer'), 'applied pay-roofer');
  const listed = await troubles(sandbox);
  expect(listed.map(({ code }) => code).sort()).toEqual(['frontmatter-yaml', 'note-binary']);
  expect(fs.readFileSync(path.join(sandbox.vault, 'event/steward-action-reversed-binary.md'))).toEqual(
    Buffer.from([0, 1, 2, 3]),
  );
});

test('a steward.md that stops parsing: the last good settings hold, in a running daemon', async () => {
  await using sandbox = await smallVault();
  const good = sandbox.read('steward.md').replace('every 30m', 'every 7m');
  sandbox.write('steward.md', good);
  const daemon = await daemonOf(sandbox);
  const bad = good.replace('mode: live', 'mode: [live');
  sandbox.write('steward.md', bad);
  await daemon.line((line) => line.includes('problem steward.md'), 'problem steward.md');
  expect(await troubles(sandbox)).toEqual([
    expect.objectContaining({
      code: 'frontmatter-yaml',
      file: 'steward.md',
      line: expect.any(Number),
      column: expect.any(Number),
      excerpt: expect.stringContaining('^'),
      hint: expect.stringContaining('last good settings'),
    }),
  ]);
  const status = JSON.parse((await sandbox.steward(['status', '--vault', 'vault', '--json'])).stdout);
  expect(status.mode).toEqual({ ceiling: 'live', vault: 'live', effective: 'live' });
  expect(status.schedules[0].reason).toContain('7 min');
  sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
  await daemon.line((line) => line.includes('applied pay-roofer'), 'applied pay-roofer');
  expect(sandbox.read('steward.md')).toBe(bad);

  sandbox.write('steward.md', good);
  await daemon.line((line) => line.endsWith('settings read again'), 'settings read again');
  expect(await troubles(sandbox)).toEqual([]);
});

test('one bad value in steward.md: its place is shown, every other value holds', async () => {
  await using sandbox = await smallVault();
  sandbox.write('steward.md', sandbox.read('steward.md').replace('settle_seconds: 10', 'settle_seconds: soon'));
  await carriesOn(sandbox);
  expect(await troubles(sandbox)).toEqual([
    expect.objectContaining({ code: 'settings-invalid', file: 'steward.md', line: 8, column: 17 }),
  ]);
});

test('a mistyped key in steward.md is named with the one that was meant, and every value holds', async () => {
  await using sandbox = await smallVault();
  sandbox.write('steward.md', sandbox.read('steward.md').replace('settle_seconds: 10', 'confidence_treshold: 1'));
  await carriesOn(sandbox);
  expect(await troubles(sandbox)).toEqual([
    expect.objectContaining({
      code: 'settings-unknown',
      file: 'steward.md',
      line: 8,
      column: 1,
      message: 'Unknown setting "confidence_treshold". Did you mean "confidence_threshold"?',
    }),
  ]);
});

test('a mode that cannot be read at the start does not make the steward bolder', async () => {
  await using sandbox = await smallVault();
  const before = sandbox.read('task/pay-roofer.md');
  sandbox.write('steward.md', sandbox.read('steward.md').replace('mode: live', 'mode: shaddow'));
  sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
  const ticked = await sandbox.steward(['tick', '--vault', 'vault'], { STEWARD_LIVE_MODE: 'live' });
  expect(ticked.exit).toBe(0);
  expect(sandbox.read('task/pay-roofer.md')).toBe(before);
});

test('a note that is being written is left alone until it is whole', async () => {
  await using sandbox = await smallVault();
  const daemon = await daemonOf(sandbox);
  sandbox.write('task/pay-roofer.md', '---\ntype: task\nsta');
  sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
  sandbox.write('task/other.md', '---\ntype: task\nparent_matter: "[[roof]]"\nstate: open\n---\n');
  sandbox.write('signal/other.md', signal('task/other.md'));
  await daemon.line((line) => line.includes('applied other'), 'applied other');
  expect(sandbox.read('task/pay-roofer.md')).toBe('---\ntype: task\nsta');
  expect(await troubles(sandbox)).toContainEqual(
    expect.objectContaining({ code: 'frontmatter-unclosed', file: 'task/pay-roofer.md' }),
  );
  sandbox.write('task/pay-roofer.md', '---\ntype: task\nstate: open\nparent_matter: "[[roof]]"\n---\n');
  const tick = await sandbox.steward(['tick', '--vault', 'vault']);
  expect(tick, tick.stderr).toMatchObject({ exit: 0 });
  await daemon.line((line) => line.includes('applied pay-roofer'), 'applied pay-roofer');
  expect(await troubles(sandbox)).toEqual([]);
});
