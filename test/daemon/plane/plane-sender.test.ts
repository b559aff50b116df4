import { expect, test } from 'vitest';
import { stem } from '../../../src/vault/layout.ts';
import { PlaneServer } from '../../plane/plane-server.ts';
import { Clock, DAY, HOUR } from '../../support/clock.ts';
import { matter, settings, signal, task } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { LIVE, only, SHADOW } from '../../support/workspace.ts';
import { comments, paid, planeHouse } from './house.ts';

function undoOf(event: string) {
  return { op: 'undo' as const, events: [event], last: null, reason: null, force: false, dryRun: false };
}

test('an action is a comment and a state in Plane, and the note says what was ordered', async () => {
  const { server, item, vault, start, events } = await planeHouse();
  await start();
  paid(vault);
  await comments(server, 1);
  await expect.poll(() => server.groupOf(item)).toBe('completed');
  const event = only(events());
  const [comment] = server.own;
  expect(comment?.external_id).toBe(stem(event));
  expect(comment?.comment_html).toContain('state open → done');
  expect(comment?.comment_html).not.toMatch(/<script|<b>/);
  expect(comment?.comment_html).toContain('From Roof &amp; ');
  const { plane_action, undo_recipe } = vault.fields(event);
  expect(plane_action).toEqual({ project_id: server.project, issue_id: item, state: 'done' });
  expect(undo_recipe).toMatchObject({ plane_revert: { issue_id: item, comment: stem(event), state: 'former' } });
});

test('an undo takes comment and state back, and the reversal says so', async () => {
  const { server, item, vault, start, events } = await planeHouse();
  const running = await start();
  paid(vault);
  await comments(server, 1);
  await expect.poll(() => server.groupOf(item)).toBe('completed');
  await running.ask(undoOf(stem(only(events()))));
  await comments(server, 0);
  await expect.poll(() => server.groupOf(item)).toBe('unstarted');
  const reversal = only(vault.events('signal-action-reversed'));
  await expect.poll(() => vault.fields(reversal).plane_revert_applied).toBe(true);
  expect(vault.fields(reversal).plane_remark).toBeUndefined();
  // To take the undo back says it again.
  await running.ask(undoOf(stem(reversal)));
  await comments(server, 1);
  await expect.poll(() => server.groupOf(item)).toBe('completed');
});

test('a state that somebody has moved since is left, and the reversal says so', async () => {
  const { server, item, vault, start, events } = await planeHouse();
  const running = await start();
  paid(vault);
  await comments(server, 1);
  await expect.poll(() => server.groupOf(item)).toBe('completed');
  server.change(item, { state: server.states.cancelled }, server.owner);
  await running.ask(undoOf(stem(only(events()))));
  await comments(server, 0);
  const reversal = only(vault.events('signal-action-reversed'));
  await expect.poll(() => vault.fields(reversal).plane_remark).toMatch(/Somebody has moved/);
  expect(server.groupOf(item)).toBe('cancelled');
});

test.each(['POST', 'PATCH', 'DELETE'])(
  '500 although it was written, at %s: done once, and looked up',
  async (method) => {
    const { server, item, vault, env, events } = await planeHouse();
    const clock = new Clock();
    let failed = false;
    server.mischief = (asked) => {
      if (failed || asked.method !== method) return null;
      failed = true;
      return { do: 'write-and-fail' };
    };
    const running = await Running.start(vault, { env, clock });
    paid(vault);
    const settled = async (more: () => boolean) => {
      await expect
        .poll(async () => {
          clock.move(HOUR / 2);
          await running.daemon.wake();
          return running.daemon.status().plane === null && more();
        })
        .toBe(true);
    };
    await settled(() => server.own.length === 1 && server.groupOf(item) === 'completed');
    expect(server.comments).toHaveLength(1);
    if (method === 'POST') expect(server.count('POST', '/comments/')).toBe(1);
    await running.ask(undoOf(stem(only(events()))));
    await settled(() => server.own.length === 0 && server.groupOf(item) === 'unstarted');
    expect(failed).toBe(true);
  },
);

test('Plane down for hours holds nothing back; status says so, and it is told later', async () => {
  const { server, item, vault, env } = await planeHouse();
  const { port } = server;
  await server.close();
  const clock = new Clock();
  const running = await Running.start(vault, { env, clock });
  paid(vault);
  await running.heard('acted');
  await expect
    .poll(() => running.daemon.status().plane)
    .toMatchObject({ waiting: 1, reason: expect.stringContaining('cannot be reached') });
  clock.move(5 * HOUR);
  await running.daemon.wake();
  await server.open(port);
  await expect
    .poll(async () => {
      clock.move(HOUR / 2);
      await running.daemon.wake();
      return server.own.length;
    })
    .toBe(1);
  await expect.poll(() => server.groupOf(item)).toBe('completed');
  await expect.poll(() => running.daemon.status().plane).toBeNull();
});

test('429: nothing is asked until the server says so', async () => {
  const { server, vault, env } = await planeHouse();
  const clock = new Clock();
  server.left = 0;
  server.resetAt = Date.now() + HOUR / 2;
  const running = await Running.start(vault, { env, clock });
  paid(vault);
  await running.heard('acted');
  await expect.poll(() => running.daemon.status().plane?.reason).toMatch(/asks to wait/);
  const asked = server.asked.length;
  await running.daemon.wake();
  await running.daemon.wake();
  expect(server.asked.length).toBe(asked);
  server.left = null;
  clock.move(HOUR);
  await running.daemon.wake();
  await comments(server, 1);
});

test('undone before it was sent: nothing is sent, and the reversal says that nothing stands there', async () => {
  const { server, vault, env, events } = await planeHouse();
  const clock = new Clock();
  server.mischief = () => ({ do: 'fail', status: 503 });
  const running = await Running.start(vault, { env, clock });
  paid(vault);
  await running.heard('acted');
  await expect.poll(() => running.daemon.status().plane?.reason).toMatch(/couldn't carry out/);
  await running.ask(undoOf(stem(only(events()))));
  await expect.poll(() => running.daemon.status().plane).toBeNull();
  server.mischief = () => null;
  clock.move(HOUR);
  await running.daemon.wake();
  await running.sync();
  expect(server.count('POST', '')).toBe(0);
  const reversal = only(vault.events('signal-action-reversed'));
  await expect.poll(() => vault.fields(reversal).plane_revert_applied).toBe(true);
});

test('a restart carries out what is left, also where the program died before it took the order down', async () => {
  const { server, vault, env, start } = await planeHouse();
  const first = await Running.start(vault, {
    env: { ...env, variables: { ...server.env, PLANE_BASE_URL: 'http://127.0.0.1:9' } },
  });
  paid(vault);
  await first.heard('acted');
  await first.stop();
  vault.resetState('plane');
  await start();
  await comments(server, 1);
});

test('what was lost of the memory is not done twice: a state that was moved since stays', async () => {
  const { server, item, vault, start } = await planeHouse();
  const first = await start();
  paid(vault);
  await comments(server, 1);
  await expect.poll(() => server.groupOf(item)).toBe('completed');
  await first.stop();
  vault.resetState('plane');
  server.change(item, { state: server.states.started }, server.owner);
  const second = await start();
  await second.heard('plane');
  expect(server.own).toHaveLength(1);
  expect(server.groupOf(item)).toBe('started');
});

test('in shadow nothing is said, whoever confirms', async () => {
  const { server, vault, env, events } = await planeHouse();
  const running = await Running.start(vault, { env: { ...env, ...SHADOW, variables: server.env } });
  paid(vault);
  await expect.poll(() => events().length).toBe(1);
  vault.edit(only(events()), 'confirm: false', 'confirm: true');
  await running.heard('confirmed');
  await running.sync();
  expect(server.count('POST', '')).toBe(0);
  for (const event of events()) expect(vault.fields(event).plane_action).toBeNull();
  const answer = only(events().filter((event) => event.includes('confirmed')));
  expect(vault.fields(answer).plane_skipped).toBe('Plane was not updated: in shadow mode, changes stay in the vault.');
});

test('a person who confirms in live says it in Plane, with the sender of the proposal', async () => {
  const { server, vault, env, events } = await planeHouse();
  const clock = new Clock();
  const running = await Running.start(vault, { env: { ...env, ceiling: 'live' }, clock });
  vault.write(
    'signal/one.md',
    signal({ effect_confidence: 0.7, effect_confidence_raw: 0.7, from: 'Roof & Sons', target_confidence: 0.98 }),
  );
  await running.ask({ op: 'tick', matters: [], force: true, mode: null });
  const proposal = only(events());
  expect(vault.fields(proposal).plane_action).toBeNull();
  vault.edit(proposal, 'confirm: false', 'confirm: true');
  await comments(server, 1);
  expect(server.own[0]?.comment_html).toContain('Roof &amp; Sons');
});

test('a matter never goes to Plane', async () => {
  const server = await PlaneServer.start();
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter({ plane_project_id: server.project, plane_issue_id: server.item() }),
  });
  const running = await Running.start(vault, { env: { ...LIVE, variables: server.env } });
  const set = { class: 'context_edit', set: { summary: 'The roof is paid' } };
  vault.write(
    'signal/one.md',
    signal({ target_kind: 'matter', target_path: 'matter/house.md', mutation_proposal: set }),
  );
  await running.heard('acted');
  await running.sync();
  expect(vault.fields(only(vault.events()))).toMatchObject({ plane_action: null, undo_recipe: { plane_revert: null } });
  expect(server.asked).toEqual([]);
});

test('without Plane in the environment, and for a task without a work item, nothing is asked', async () => {
  const { server, vault, start } = await planeHouse();
  const bare = await start({ env: LIVE });
  paid(vault);
  await bare.heard('acted');
  await bare.stop();
  expect(vault.fields(only(vault.events())).plane_action).toBeNull();
  vault.write('task/other.md', task());
  const running = await start();
  vault.write('signal/two.md', signal({ target_path: 'task/other.md', raw_quote: 'two' }));
  await running.heard('acted');
  await running.sync();
  expect(server.count('POST', '')).toBe(0);
});

test('a wrong key is trouble with a hint, and the vault goes on', async () => {
  const { server, vault, start } = await planeHouse();
  server.keys.clear();
  const running = await start();
  paid(vault);
  await running.heard('acted');
  await expect.poll(() => running.daemon.status().trouble.map(({ code }) => code)).toContain('plane-forbidden');
});

test('a work item that Plane does not know is said once, and does not wait for ever', async () => {
  const { server, item, vault, start } = await planeHouse();
  server.items.delete(item);
  const running = await start();
  paid(vault);
  await running.heard('plane', ({ remark }) => remark !== null);
  await expect.poll(() => running.daemon.status().plane).toBeNull();
  expect(running.daemon.status().trouble.map(({ code }) => code)).toContain('plane-left');
});

test('what it was before is forgotten: an undo takes the comment back, and says that the state is left', async () => {
  const house = await planeHouse();
  const first = await house.start();
  paid(house.vault);
  await comments(house.server, 1);
  await expect.poll(() => house.server.groupOf(house.item)).toBe('completed');
  await first.stop();
  house.vault.resetState('plane');
  const running = await house.start();
  await running.sync();
  await running.ask(undoOf(only(house.events())));
  await comments(house.server, 0);
  const reversal = only(house.vault.events().filter((name) => name.includes('reversed')));
  await expect.poll(() => house.vault.fields(reversal).plane_revert_applied).toBe(true);
  expect(house.vault.fields(reversal).plane_remark).toContain('its state stays as it is');
  expect(house.server.groupOf(house.item)).toBe('completed');
});

test('a clock that was set back holds up no order', async () => {
  const house = await planeHouse();
  const clock = new Clock();
  clock.move(400 * DAY);
  house.server.mischief = () => ({ do: 'fail', status: 500 });
  const running = await house.start({ clock });
  paid(house.vault);
  await expect.poll(() => running.daemon.status().plane?.reason).toContain("couldn't carry out");
  house.server.mischief = () => null;
  clock.move(-400 * DAY);
  await running.daemon.wake();
  await comments(house.server, 1);
});
