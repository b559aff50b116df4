import { describe, expect, test } from 'vitest';
import type { Installation } from './installation.ts';

/** The demo, without a vault, a key or a server. */
export function describeDemo(installed: () => Installation): void {
  describe('the demo', () => {
    test('shows each mail, and the undo that it prints works', async () => {
      await using sandbox = installed().sandbox('none');
      const demo = await sandbox.steward(['demo', '--once', '--dir', 'shown']);
      expect(demo).toMatchObject({ exit: 0, stderr: '' });
      expect(demo.stdout).toMatch(/applied \S+: .* → /);
      expect(demo.stdout).toContain('steward --vault shown undo --last 1');
      const undone = await sandbox.sh('steward --vault shown undo --last 1');
      expect(undone).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^undone {2}/) });
      expect(await sandbox.steward(['--vault', 'shown', 'status'])).toMatchObject({ exit: 0, stderr: '' });
    });

    test('refuses a folder that another demo did not make', async () => {
      await using sandbox = installed().sandbox('none');
      await sandbox.sh('mkdir mine && echo Mine. > mine/note.md');
      const refused = await sandbox.steward(['demo', '--once', '--dir', 'mine']);
      expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining('demo-folder') });
      expect((await sandbox.sh('cat mine/note.md')).stdout).toBe('Mine.\n');
    });
  });
}
