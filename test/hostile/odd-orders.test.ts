import fs from 'node:fs';
import { describe, expect } from 'vitest';
import { HOUSE, instinct, settings, signal, task } from '../support/notes.ts';
import { attack } from './attack.ts';
import { Attacked, CAN_PROTECT, protect } from './support.ts';

const SELDOM = '0 0 29 2 *';
const FILES = {
  ...HOUSE,
  'task/one.md': task(),
  'steward.md': settings({ settle_seconds: 0, default_schedule: SELDOM }),
  'instinct/mail.md': instinct('mail', { observations: 60 }),
};

/** A strong signal says that a task is done. */
function arrives(vault: Attacked, name: string): void {
  vault.sandbox.write(`signal/${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: `${name} is paid` }));
}

describe.skipIf(!CAN_PROTECT)('orders about an action that is half finished (needs root and chattr)', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'a signal note is write-protected, and a person sets its task otherwise while its stamp waits',
      loss: 'the lesson takes the waiting stamp’s place in the journal, and the stamp is forgotten',
      defence: 'no intent takes the name of one that is in progress',
    },
    async () => {
      const vault = new Attacked(FILES);
      arrives(vault, 'one');
      const { again } = protect(vault.at('signal/one.md'));
      await vault.start();
      await vault.says('acted task/one.md');
      expect(await vault.troubled()).toContain('signal/one.md');
      const event = vault.names('event').find((name) => name.endsWith('-one.md')) ?? '';
      fs.writeFileSync(vault.at('task/one.md'), task({ state: 'snoozed' }));
      await expect.poll(() => vault.read(`event/${event}`), { timeout: 15_000 }).toContain('taught: wrong');
      expect(await vault.troubled()).toContain('signal/one.md');
      again();
      await vault.restart();
      await expect.poll(() => vault.read('signal/one.md')).toContain('status: applied');
    },
  );
});
