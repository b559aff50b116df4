// Over 5 s: it holds eight roundtables at once, each with processes of its own.
import { expect, test } from 'vitest';
import { Sandbox } from '../stories/support.ts';

const AT_ONCE = 8;

test('on a busy machine no evidence is lost: an answer counts also if the end of its process is heard first', async () => {
  const held = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      await using sandbox = new Sandbox('example');
      const { stdout } = await sandbox.steward(['roundtable', '--vault', 'vault', 'kitchen-tiles', '--recorded']);
      return /^ {2}3 requests for evidence: .*$/m.exec(stdout)?.[0];
    }),
  );
  expect(held).toEqual(held.map(() => '  3 requests for evidence: 3 answered, 0 unanswered, 0 refused'));
});
