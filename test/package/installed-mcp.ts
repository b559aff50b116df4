import { describe, expect, onTestFinished, test } from 'vitest';
import { Assistant } from '../cli/commands/assistant.ts';
import type { Installation } from './installation.ts';

/** An assistant: the client of the official SDK. */
export function describeMcp(installed: () => Installation): void {
  describe('mcp', () => {
    test('an assistant reads what waits, and what it proposes waits too', async () => {
      const sandbox = installed().sandbox('example');
      onTestFinished(() => sandbox[Symbol.asyncDispose]());
      const assistant = await Assistant.connect(sandbox);
      const { tools } = await assistant.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['inbox', 'explain', 'propose']));
      expect((await assistant.call('inbox')).text).toMatch(
        /^⚠ 1 warning:\n(?: .*\n)+1 thing waits for you: 1 proposal\n/,
      );
      const before = sandbox.read('task/pay-notary-deposit.md');
      const proposed = await assistant.call('propose', {
        ...{ note: 'pay-notary-deposit', set: { due: '2034-12-16' }, confidence: 0.9 },
        ...{ quote: 'the 16th suits us', reason: 'The minutes of the call say so.' },
      });
      expect(proposed).toMatchObject({ isError: false, json: { outcome: 'waiting' } });
      const inbox = await sandbox.steward(['inbox', '--vault', 'vault']);
      expect(inbox.stdout).toMatch(/^⚠ 1 warning:\n(?: .*\n)+2 things wait for you: 2 proposals\n/);
      expect(sandbox.read('task/pay-notary-deposit.md').replace('pending_confirmation: true\n', '')).toBe(before);
    });
  });
}
