import { expect, test } from 'vitest';
import type { Status } from '../../src/daemon/compose.ts';
import { NO_ATTENTION, withSection } from '../../src/steward/inbox.ts';
import { waitingText } from '../../src/steward/inbox-words.ts';
import { Clock, DAY, HOUR, MINUTE } from '../support/clock.ts';
import { matter, SELDOM, settings, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';

const FILES: Files = {
  'steward.md': settings({ default_schedule: SELDOM, settle_seconds: 0 }),
  'matter/house.md': matter(),
  'task/pay.md': task(),
};

async function scene(files: Files = {}) {
  const vault = new TempVault({ ...FILES, ...files });
  const clock = Clock.atNoon();
  const running = await Running.start(vault, { clock });
  await running.sync();
  const passes = async (ms: number) => {
    clock.move(ms);
    await running.daemon.wake();
    await running.daemon.idle();
  };
  return { vault, running, passes, status: (): Status => running.daemon.status() };
}

test('news about an open task is counted from the second it is read, and evaluated within a minute', async () => {
  const { vault, running, passes, status } = await scene();
  vault.write('signal/a.md', weak());
  await running.sync();
  expect(status().pending).toMatchObject([
    { signal: 'signal/a.md', target: 'task/pay.md', reason: 'evaluated within a minute', until: expect.any(String) },
  ]);
  expect(waitingText(status().waiting, status().pending.length)).toBe(
    'Nothing waits for you yet: 1 signal is still to be evaluated.',
  );
  expect(vault.events()).toEqual([]);
  await passes(30_000);
  await running.heard('proposed', ({ target }) => target === 'task/pay.md');
  expect(status().pending).toEqual([]);
  expect(status().waiting).toMatchObject([{ kind: 'proposal', target: 'task/pay.md' }]);
});

test.each<[string, Files, object]>([
  ['about a matter', {}, { target_kind: 'matter', target_path: 'matter/house.md' }],
  ['about a task that is put off', { 'task/pay.md': task({ next_check_after: '2099-01-01' }) }, {}],
])('a signal %s waits for the next check, and status says so', async (_, files, fields) => {
  const { vault, running, passes, status } = await scene(files);
  vault.write('signal/a.md', weak(fields as Record<string, unknown>));
  await running.sync();
  await passes(50_000);
  expect(vault.events()).toEqual([]);
  expect(status().pending).toMatchObject([{ signal: 'signal/a.md', reason: 'evaluated at the next check' }]);
});

test('what came while the daemon was away is evaluated soon after its start', async () => {
  const { running, passes } = await scene({ 'signal/a.md': weak() });
  await passes(30_000);
  await running.heard('proposed');
});

test('that news is evaluated shifts no check', async () => {
  const due = new Date(Clock.atNoon().now() - 2 * DAY).toISOString().slice(0, 10);
  const { vault, running, passes, status } = await scene({
    'steward.md': settings({ default_schedule: 'every 24h', settle_seconds: 0 }),
    'task/pay.md': task({ due }),
  });
  await passes(HOUR + MINUTE);
  await running.heard('ticked');
  await passes(20 * MINUTE);
  vault.write('signal/a.md', weak());
  await running.sync();
  const nexts = () => status().schedules.map(({ next }) => next);
  const before = nexts();
  expect(before).toEqual([expect.any(String)]);
  await passes(30_000);
  await running.heard('proposed');
  expect(nexts()).toEqual(before);
});

test('what a dismissed proposal left out is evaluated within a minute', async () => {
  const { vault, running, passes, status } = await scene({
    'signal/a.md': weak(),
    'signal/b.md': weak({ effect: 'action', mutation_proposal: null }),
  });
  await passes(30_000);
  const { event } = await running.heard('proposed');
  const name = event.replace(/^.*\/|\.md$/g, '');
  vault.write('event/steward-action-dismissed-by-hand.md', `---\ndismisses: "[[${name}]]"\n---\n`);
  await running.heard('dismissed');
  await running.sync();
  expect(status().pending).toMatchObject([{ signal: 'signal/b.md', reason: 'evaluated within a minute' }]);
  await passes(50_000);
  expect(status().pending).toEqual([]);
  expect(status().waiting).toMatchObject([{ kind: 'question', target: 'task/pay.md' }]);
});

test('the front page says that something is still to be evaluated, and replaces that line', () => {
  const page = '<!-- steward:waiting -->\n<!-- /steward:waiting -->\n';
  const pending = withSection(page, { ...NO_ATTENTION, pending: 2 }) ?? '';
  expect(pending).toContain('Nothing waits for you yet: 2 signals are still to be evaluated.');
  expect(withSection(pending, NO_ATTENTION)).toBe(withSection(page, NO_ATTENTION));
});

test('what needs no evaluation is not counted', async () => {
  const { status } = await scene({
    'task/done.md': task({ state: 'done' }),
    'signal/a.md': weak({ effect: 'none', mutation_proposal: null }),
    'signal/b.md': weak({ target_path: 'task/done.md' }),
    'signal/c.md': weak({ status: 'skipped' }),
  });
  expect(status().pending).toEqual([]);
});

test('each line of the front page is replaced, whatever kind of entry it is', async () => {
  const page = '# Mine\n\n<!-- steward:waiting -->\n<!-- /steward:waiting -->\n';
  const { vault, running, status, passes } = await scene({
    'steward.md': `${settings({ settle_seconds: 0 })}\n${page}`,
  });
  vault.write('steward.md', `${settings({ settle_seconds: 0, trusted_mail_servers: ['gmail'] })}\n${page}`);
  await running.sync();
  for (let minute = 0; minute < 5; minute += 1) await passes(MINUTE);
  const [warning] = status().warnings;
  expect(warning).toMatchObject({ kind: 'setting' });
  expect(vault.read('steward.md').match(/The settings changed from outside/g)).toHaveLength(1);
  const shown = { ...NO_ATTENTION, warnings: warning === undefined ? [] : [warning] };
  expect(withSection(withSection(page, shown) ?? '', NO_ATTENTION)).toBe(withSection(page, NO_ATTENTION));
});
