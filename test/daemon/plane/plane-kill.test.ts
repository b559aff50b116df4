import { expect, test } from 'vitest';
import { stem } from '../../../src/vault/layout.ts';
import { Attacked } from '../../hostile/support.ts';
import { type Asked, PlaneServer } from '../../plane/plane-server.ts';
import { matter, settings, signal, task } from '../../support/notes.ts';
import { only } from '../../support/workspace.ts';

/** The moments at which the program is killed: before a request arrives, or once it was written. */
const MOMENTS = [
  ['GET', 'hang'],
  ['POST', 'hang'],
  ['POST', 'write-and-hang'],
  ['PATCH', 'hang'],
  ['PATCH', 'write-and-hang'],
] as const;
const MOMENTS_OF_UNDO = [
  ['DELETE', 'write-and-hang'],
  ['PATCH', 'write-and-hang'],
] as const;

/** Lets the server hang at the first such request, and resolves when it has arrived. */
async function arrival(server: PlaneServer, [method, how]: readonly [string, 'hang' | 'write-and-hang']) {
  const arrived = Promise.withResolvers<void>();
  let isOver = false;
  server.mischief = (asked: Asked) => {
    if (isOver || asked.method !== method || !asked.path.includes('work-items/')) return null;
    isOver = true;
    arrived.resolve();
    return { do: how };
  };
  return arrived.promise;
}

async function house() {
  const server = await PlaneServer.start();
  const item = server.item('Pay the roof');
  const vault = new Attacked({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter({ plane_project_id: server.project }),
    'task/pay.md': task({ plane_issue_id: item }),
  });
  const start = () => vault.start('steward run --vault vault', server.env);
  const kill = async () => {
    vault.daemon.kill('SIGKILL');
    await vault.daemon.ended;
  };
  return { server, item, vault, start, kill };
}

test.each(MOMENTS)('killed at %s (%s): one comment and the state, after the next start', async (...moment) => {
  const { server, item, vault, start, kill } = await house();
  const arrived = arrival(server, moment);
  await start();
  vault.sandbox.write('signal/one.md', signal());
  await arrived;
  await kill();
  await start();
  await expect.poll(() => server.groupOf(item)).toBe('completed');
  await vault.says('plane told');
  expect(server.comments).toHaveLength(1);
  expect(server.own[0]?.external_id).toBe(stem(only(vault.names('event'))));
});

test.each(MOMENTS_OF_UNDO)(
  'killed at %s (%s) of an undo: nothing of it stands, after the next start',
  async (...moment) => {
    const { server, item, vault, start, kill } = await house();
    await start();
    vault.sandbox.write('signal/one.md', signal());
    await vault.says('plane told');
    const arrived = arrival(server, moment);
    const event = stem(only(vault.names('event')));
    const undone = await vault.sandbox.steward(['undo', event, '--vault', 'vault']);
    expect(undone.exit).toBe(0);
    await arrived;
    await kill();
    await start();
    await vault.says('plane taken back');
    expect(server.comments).toEqual([]);
    expect(server.groupOf(item)).toBe('unstarted');
    const reversal = vault.names('event').find((name) => name.includes('reversed')) ?? '';
    await expect.poll(() => vault.read(`event/${reversal}`)).toContain('plane_revert_applied: true');
  },
);
