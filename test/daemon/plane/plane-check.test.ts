import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkPlane } from '../../../src/features/plane.ts';
import { PlaneServer } from '../../plane/plane-server.ts';
import { matter } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE } from '../../support/workspace.ts';

async function check(server: PlaneServer, changed: Readonly<Record<string, string>> = {}, project = server.project) {
  const vault = new TempVault({ 'matter/house.md': matter({ plane_project_id: project }) });
  const bench = await Bench.reading(vault, { env: { ...LIVE, variables: { ...server.env, ...changed } } });
  const found = await checkPlane(bench.ports);
  return { found: found?.found, codes: found?.trouble.map(({ code }) => code) };
}

test('doctor tells key, workspace, project and server apart', async () => {
  const server = await PlaneServer.start();
  const host = new URL(server.url).host;
  expect(await check(server)).toEqual({
    found: `${host}, workspace sample-team (1 of 1 projects can be used)`,
    codes: [],
  });
  expect((await check(server, { PLANE_API_KEY: 'wrong' })).codes).toEqual(['plane-key']);
  expect((await check(server, { PLANE_WORKSPACE: 'others' })).codes).toEqual(['plane-workspace']);
  expect((await check(server, {}, randomUUID())).codes).toEqual(['plane-project']);
  server.mischief = ({ path }) => (path.includes(`projects/${server.project}`) ? { do: 'fail', status: 403 } : null);
  expect((await check(server)).codes).toEqual(['plane-project']);
  server.mischief = ({ path }) =>
    path.includes('/users/') ? { do: 'fail', status: 404 } : { do: 'fail', status: 403 };
  expect((await check(server)).codes).toEqual(['plane-forbidden']);
  server.mischief = () => ({ do: 'drop' });
  expect((await check(server)).codes).toEqual(['plane-away']);
  expect(server.asked.every(({ method }) => method === 'GET')).toBe(true);
});

test('a half-set environment is said, an unset one is nothing', async () => {
  const vault = new TempVault({ 'matter/house.md': matter() });
  const variables = { PLANE_API_KEY: 'made-up', PLANE_BASE_URL: 'https://plane.example' };
  const half = await Bench.reading(vault, { env: { ...LIVE, variables } });
  expect((await checkPlane(half.ports))?.trouble).toMatchObject([
    { code: 'plane-partly', message: 'Plane is not used: PLANE_WORKSPACE is missing.' },
  ]);
  expect(await checkPlane((await Bench.reading(vault)).ports)).toBeNull();
});
