import { describe, expect, onTestFinished, test } from 'vitest';
import { NtfyServer } from '../servers/ntfy-server.ts';
import type { Installation } from './installation.ts';

/** Messages to a server on loopback. */
export function describeNotify(installed: () => Installation): void {
  describe('notify', () => {
    test('sends a test message to ntfy', async () => {
      const server = await NtfyServer.start();
      onTestFinished(() => server.close());
      await using sandbox = installed().sandbox('example');
      const env = { STEWARD_NOTIFY_NTFY: `${server.url}/a-topic-4711` };
      const sent = await sandbox.steward(['notify', 'test', '--vault', 'vault'], env);
      expect(sent).toMatchObject({ exit: 0, stdout: 'ntfy (127.0.0.1): the message is sent.\n' });
      expect(server.messages).toMatchObject([{ topic: 'a-topic-4711' }]);
    });
  });
}
