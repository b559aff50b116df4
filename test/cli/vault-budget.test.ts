import { expect, test } from 'vitest';
import { type CommandContext, Printer } from '../../src/cli/terminal.ts';
import { VaultBudget } from '../../src/cli/vault-budget.ts';
import { emptyGuard, takeSlots } from '../../src/steward/rate-guard.ts';
import { HOUSE } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';

const MINUTE = 60_000;

function contextOf(vault: TempVault): CommandContext {
  const out = new Printer({ write: () => true, isTTY: false }, {});
  return { out, err: out, cwd: vault.root, env: { XDG_RUNTIME_DIR: vault.root, XDG_STATE_HOME: vault.root } };
}

/** A vault in which 60 questions were put, the last of which leave the minute in so many ms. */
function fullFor(ms: number): TempVault {
  const { state } = takeSlots(emptyGuard(), 60, null, Date.now() - MINUTE + ms);
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
    await expect(passed).rejects.toThrow(/^The limit of 60 questions to models a minute is reached, goes on at /);
  }
});

test('a state that cannot be read counts as full for a minute, for all commands together', async () => {
  const vault = new TempVault({ ...HOUSE, '.steward/state/rate-guard.json': 'full' });
  const budget = () => new VaultBudget(contextOf(vault), vault.root);
  await expect(budget().pass(1)).rejects.toThrow('The state of the rate guard could not be read, goes on at');
  const until = JSON.parse(vault.read('.steward/state/rate-guard.json')).fullUntil;
  expect(until).toBeGreaterThan(Date.now());
  await expect(budget().pass(1)).rejects.toThrow('could not be read');
  expect(JSON.parse(vault.read('.steward/state/rate-guard.json')).fullUntil).toBe(until);
});
