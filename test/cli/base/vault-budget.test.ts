import { expect, test } from 'vitest';
import { VaultBudget } from '../../../src/cli/base/vault-budget.ts';
import type { CommandContext } from '../../../src/cli/base.ts';
import { Printer } from '../../../src/cli/print/printer.ts';
import { takeQuestions } from '../../../src/steward/gate-limits.ts';
import { emptyGuard } from '../../../src/steward/gates.ts';
import { HOUSE } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';

const MINUTE = 60_000;

function contextOf(vault: TempVault): CommandContext {
  const out = new Printer({ write: () => true, isTTY: false }, {});
  return { out, err: out, cwd: vault.root, env: { XDG_RUNTIME_DIR: vault.root, XDG_STATE_HOME: vault.root } };
}

/** A vault in which 60 questions were put, the last of which leave the minute in so many ms. */
function fullFor(ms: number): TempVault {
  const { state } = takeQuestions(emptyGuard(), 60, Date.now() - MINUTE + ms);
  return new TempVault({ ...HOUSE, '.steward/state/rate-guard.json': JSON.stringify(state) });
}

test('a command that has patience waits for room among the questions of a minute', async () => {
  const full = Date.now() + 1500;
  const vault = fullFor(1500);
  const budget = new VaultBudget(contextOf(vault), vault.root, 30_000);
  expect(
    await budget.reserve({ model: 'claude-haiku-4-5-20251001', tokens_in: 1, tokens_out: 1, usd: 0 }),
  ).toMatchObject({ ok: true });
  await budget.pass(1);
  expect(Date.now()).toBeGreaterThanOrEqual(full);
});

test('one that has none says until when there is no room, and one that has some waits no longer than that', async () => {
  const vault = fullFor(50_000);
  for (const patience of [0, 100]) {
    const passed = new VaultBudget(contextOf(vault), vault.root, patience).pass(1);
    await expect(passed).rejects.toThrow(/^60 questions a minute are reached, goes on at /);
  }
});
