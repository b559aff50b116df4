import { once } from 'node:events';
import http from 'node:http';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { planeAccess } from '../../src/features/plane.ts';
import { PlaneClient, pauseAfter } from '../../src/features/plane-client.ts';
import { commentHtml } from '../../src/features/plane-orders.ts';
import { pauseFor, stateToMoveTo } from '../../src/features/plane-work.ts';
import { uuid } from '../../src/vault/record.ts';
import { PLANE_KEY, PlaneServer, WORKSPACE } from './plane-server.ts';

const NEVER = new AbortController().signal;

function clientOf(server: PlaneServer, now = Date.now, abort: AbortSignal = NEVER): PlaneClient {
  return new PlaneClient(server.access, now, abort);
}

test('a comment is made once for an external id, and is free again once it is deleted', async () => {
  const server = await PlaneServer.start();
  const client = clientOf(server);
  const place = { project: server.project, item: server.item() };
  const asked = { html: '<p>one</p>', externalId: 'event-1' };
  const first = await client.comment(place, asked);
  const second = await client.comment(place, asked);
  if (!first.ok || !second.ok) throw new Error('refused');
  expect([first.value.wasThere, second.value.wasThere, second.value.id]).toEqual([false, true, first.value.id]);
  expect(await client.ownComment(place, 'event-1')).toMatchObject({ ok: true, value: { id: first.value.id } });
  for (const _ of [1, 2]) expect(await client.uncomment(place, first.value.id)).toEqual({ ok: true, value: true });
  expect(await client.comment(place, asked)).toMatchObject({ ok: true, value: { wasThere: false } });
});

test('every address ends in a slash, and the states of a project are asked for once', async () => {
  const server = await PlaneServer.start();
  const client = clientOf(server);
  const place = { project: server.project, item: server.item() };
  await client.states(server.project, null);
  await client.states(server.project, null);
  await client.move(place, server.states.completed);
  await client.changedSince(server.project, 0);
  expect(server.asked.every(({ path }) => new URL(path, server.url).pathname.endsWith('/'))).toBe(true);
  expect(server.count('GET', '/states/')).toBe(1);
});

test('failures are told apart', async () => {
  const server = await PlaneServer.start();
  const client = clientOf(server);
  const place = { project: server.project, item: server.item() };
  const wrong = new PlaneClient({ ...server.access, key: { reveal: () => 'wrong' } }, Date.now, NEVER);
  const foreign = new PlaneClient({ ...server.access, workspace: 'others' }, Date.now, NEVER);
  const kinds = await Promise.all([
    wrong.workspace(),
    foreign.workspace(),
    client.workItem({ ...place, item: server.project }),
    client.move(place, server.project),
  ]);
  expect(kinds.map((one) => (one.ok ? 'ok' : one.failure.kind))).toEqual([
    'forbidden',
    'forbidden',
    'missing',
    'refused',
  ]);
  for (const [status, kind] of [
    [401, 'key'],
    [500, 'server'],
    [503, 'server'],
    [418, 'refused'],
  ] as const) {
    server.mischief = () => ({ do: 'fail', status });
    expect(await client.workItem(place)).toMatchObject({ ok: false, failure: { kind } });
  }
  server.mischief = () => ({ do: 'drop' });
  expect(await client.workItem(place)).toMatchObject({ ok: false, failure: { kind: 'away' } });
  server.mischief = () => ({ do: 'say', body: '<html>Log in</html>' });
  expect(await client.workItem(place)).toMatchObject({ ok: false, failure: { kind: 'strange' } });
});

test('once the limit is used up nothing is sent until it is reset', async () => {
  const server = await PlaneServer.start();
  let now = Date.now();
  const client = clientOf(server, () => now);
  server.left = 1;
  server.resetAt = now + 30_000;
  expect(await client.workspace()).toMatchObject({ ok: true });
  expect(await client.workspace()).toMatchObject({ ok: false, failure: { kind: 'busy' } });
  expect(server.asked).toHaveLength(1);
  now += 31_000;
  expect(await client.workspace()).toMatchObject({ ok: false, failure: { kind: 'busy' } });
  expect(server.asked).toHaveLength(2);
  server.left = 60;
  now += 31_000;
  expect(await client.workspace()).toMatchObject({ ok: true });
});

test('an abort ends a request that hangs', async () => {
  const server = await PlaneServer.start();
  server.mischief = () => ({ do: 'hang' });
  const abort = new AbortController();
  const asked = clientOf(server, Date.now, abort.signal).workspace();
  await expect.poll(() => server.asked.length).toBe(1);
  abort.abort();
  expect(await asked).toMatchObject({ ok: false, failure: { kind: 'ended' } });
});

test('the newest changes are read page by page, no further than needed', async () => {
  const server = await PlaneServer.start();
  for (let nth = 0; nth < 120; nth += 1) server.item(`item ${nth}`);
  const all = [...server.items.values()];
  const since = Date.parse(all[50]?.updated_at ?? '');
  const changed = await clientOf(server).changedSince(server.project, since);
  expect(changed.ok && changed.value.length).toBe(70);
  expect(server.asked).toHaveLength(2);
});

test('the key never follows a redirect', async () => {
  const server = await PlaneServer.start();
  const keys: unknown[] = [];
  const other = http.createServer((asked, answer) => {
    keys.push(asked.headers['x-api-key']);
    answer.end('{}');
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;
  server.mischief = () => ({ do: 'send-on', to: `http://127.0.0.1:${port}/` });
  expect(await clientOf(server).workspace()).toMatchObject({ ok: false, failure: { kind: 'strange' } });
  expect(keys).toEqual([]);
});

test('LAW: of no text does markup reach a comment', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (change, from, quote) => {
      const html = commentHtml({ change, from, quote });
      expect(html.replaceAll(/<\/?(p|blockquote)>/g, '')).not.toMatch(/[<>]/);
      expect(html.match(/<p>/g)).toHaveLength(1);
    }),
  );
  expect(commentHtml({ change: '<script>alert(1)</script>', from: null, quote: null })).toContain('&lt;script&gt;');
});

test('LAW: only a UUID is an id', () => {
  fc.assert(fc.property(fc.uuid(), (id) => uuid.parse(id.toUpperCase()) === id));
  const isId = (text: string) => uuid.safeParse(text).success;
  fc.assert(fc.property(fc.uuid(), fc.string({ minLength: 1 }), (id, more) => !isId(id + more) && !isId(more + id)));
  fc.assert(fc.property(fc.string(), (text) => !isId(text)));
  for (const id of ['../../users/me', '0f3c', `${'0'.repeat(8)}-0000-0000-0000-00000000000/`]) {
    expect(uuid.safeParse(id).success).toBe(false);
  }
});

test('LAW: pauses grow, have an end, and no server can ask for more than an hour', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.double({ min: 0, max: 1, noNaN: true }), (tries, chance) => {
      const pause = pauseFor(tries, chance);
      expect(pause).toBeGreaterThanOrEqual(15_000);
      expect(pause).toBeLessThanOrEqual(20 * 60_000);
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.nat(), (said, seconds) => {
      const safe = said.replace(/[^\x20-\x7e]/g, '');
      for (const [name, value] of [
        ['Retry-After', safe],
        ['Retry-After', String(seconds)],
        ['X-RateLimit-Reset', String(seconds)],
      ] as const) {
        const until = pauseAfter(429, new Headers({ [name]: value }), 1_000_000) ?? 0;
        expect(until).toBeGreaterThan(1_000_000);
        expect(until).toBeLessThanOrEqual(1_000_000 + 60 * 60_000);
      }
    }),
  );
  expect(pauseAfter(200, new Headers({ 'X-RateLimit-Remaining': '3' }), 0)).toBeNull();
});

test('a state is chosen by its group, and what says the same already stays', () => {
  const groups = ['backlog', 'unstarted', 'started', 'completed', 'cancelled'] as const;
  const states = groups.map((group) => ({ id: group, name: group, group }));
  expect(stateToMoveTo(states, 'started', 'done')).toBe('completed');
  expect(stateToMoveTo(states, 'completed', 'done')).toBeNull();
  expect(stateToMoveTo(states, 'started', 'archived')).toBe('cancelled');
  expect(stateToMoveTo(states, 'completed', 'open')).toBe('unstarted');
  expect(stateToMoveTo(states, 'started', 'open')).toBeNull();
  expect(stateToMoveTo(states, 'started', 'snoozed')).toBeNull();
  expect(stateToMoveTo([], 'started', 'done')).toBeNull();
});

test('the environment: all three or nothing, and the key goes over https or to this machine alone', () => {
  const all = { PLANE_API_KEY: PLANE_KEY, PLANE_BASE_URL: 'https://plane.example/', PLANE_WORKSPACE: WORKSPACE };
  expect(planeAccess(all)).toMatchObject({ baseUrl: 'https://plane.example', workspace: WORKSPACE });
  expect(planeAccess({ ...all, PLANE_WORKSPACE: '' })).toBeNull();
  for (const address of ['http://localhost:80', 'http://127.0.0.1', 'http://[::1]:8080', 'https://plane.example/sub/'])
    expect(planeAccess({ ...all, PLANE_BASE_URL: address })).not.toBeNull();
  for (const address of [
    'http://plane.example',
    'http://127.0.0.1.evil.example',
    'ftp://plane.example',
    'https://a:b@plane.example',
    'https://plane.example/?x=1',
    'plane',
  ])
    expect(() => planeAccess({ ...all, PLANE_BASE_URL: address })).toThrow(/PLANE_BASE_URL/);
  expect(() => planeAccess({ ...all, PLANE_WORKSPACE: '../x' })).toThrow(/PLANE_WORKSPACE/);
  expect(() => planeAccess({ ...all, PLANE_API_KEY: 'a b' })).toThrow(/PLANE_API_KEY/);
});
