import { expect, test } from 'vitest';
import { credentialFor } from '../../../src/daemon/sources/credential.ts';
import { LIVE } from '../../support/workspace.ts';

const GRANT = { pinned: {}, run: null, at: '2026-11-01T00:00:00Z' };

test('a command that waits for a person does not hold up the end of the daemon', async () => {
  const abort = new AbortController();
  const given = { ...GRANT, passwordCommand: ['/bin/sleep', '25'] };
  const revealed = credentialFor('inbox', LIVE, given, abort.signal).reveal();
  const begun = performance.now();
  abort.abort();
  await expect(revealed).rejects.toMatchObject({ kind: 'setup' });
  expect(performance.now() - begun).toBeLessThan(5000);
});
