import { expect, test } from 'vitest';
import { inbox } from '../../../src/cli/commands/inbox.ts';
import { Printer } from '../../../src/cli/terminal.ts';
import { HOUSE, task } from '../../support/notes.ts';
import { ownSignal } from '../../support/own-signal.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

/** What `steward inbox --list` prints for a vault, without a daemon. */
async function listed(vault: TempVault): Promise<string> {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const out = new Printer({ write }, {});
  const env = { HOME: vault.home, XDG_STATE_HOME: vault.home, XDG_RUNTIME_DIR: vault.home };
  await inbox({ vault: vault.root, list: true }, { out, err: out, env, cwd: vault.home });
  return text;
}

test('a proposal is listed with its mail in words, and `--choose` only if a note is to be chosen', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task({}), 'task/other.md': task({}) });
  const bench = await Bench.open(vault);
  vault.write('signal/s1.md', ownSignal('signal/s1.md', { effect_confidence: 0.8 }));
  await bench.tick();
  const one = await listed(vault);
  expect(one).toContain('  proposal  pay (house)  state');
  expect(one).toMatch(/^ {4}today: Invoice paid$/m);
  expect(one).not.toContain('stream/');
  expect(one).toContain('steward confirm EVENT');
  expect(one).not.toContain('--choose');
  const candidates = ['task/pay.md', 'task/other.md'];
  const open = { raw_quote: 'it is done', target_ambiguous: true, target_path: null, target_candidates: candidates };
  vault.write('signal/s2.md', ownSignal('signal/s2.md', open));
  await bench.tick();
  expect(await listed(vault)).toContain('--choose NOTE');
});
