import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { MessagesServer, sound } from '../../../test/providers/messages-server.ts';
import { Clock, DAY, HOUR, MINUTE } from '../../../test/support/clock.ts';
import { HOUSE, settings, weak } from '../../../test/support/notes.ts';
import { TempVault } from '../../../test/support/temp-vault.ts';
import { Bench, LIVE } from '../../../test/support/workspace.ts';
import { TenantBudget, tenantBudget } from '../../src/several/shared-budget.ts';
import type { Diagnostic, SpendingCaps } from '../../src/steward.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Each answer of the test's server takes about 0.1 USD, and so much is set aside before. */
const ANSWER_TOKENS = 10_000;
const CAPS = { tokens: null, usd: 0.2 };
const CALL = { tokens: 100, usd: 0.1 };

/** Vaults without a limit of their own, with one budget, and a model that answers over HTTP. */
class Tenant {
  readonly folder = tempFolder();
  readonly clock = new Clock();
  readonly troubles: Diagnostic[] = [];
  readonly server: MessagesServer;
  #made = 0;

  private constructor(server: MessagesServer) {
    this.server = server;
  }

  static async start(): Promise<Tenant> {
    return new Tenant(
      await MessagesServer.start((asked) => ({ do: 'say', text: sound(asked), tokens: ANSWER_TOKENS })),
    );
  }

  /** The budget as a process of the host has it, from its start on. */
  budget(caps: SpendingCaps = CAPS): TenantBudget {
    return new TenantBudget(this.folder, caps, (trouble) => this.troubles.push(trouble));
  }

  vault(): TempVault {
    return new TempVault({ ...HOUSE, 'steward.md': settings({ budget_usd_per_day: 'unlimited' }) });
  }

  open(vault: TempVault, sharedBudget: TenantBudget): Promise<Bench> {
    return Bench.open(vault, { env: { ...LIVE, provider: this.server.access, sharedBudget }, clock: this.clock });
  }

  /** A new signal comes that only a model can evaluate, and a check. Returns whether the model was asked. */
  async news(bench: Bench, vault: TempVault): Promise<boolean> {
    this.#made += 1;
    // Two senders take turns, since one may have half of a task's questions.
    const fields = { raw_quote: `${this.#made}`, source_type: this.#made % 2 === 0 ? 'mail' : 'bank' };
    vault.write(`signal/${this.#made}.md`, weak({ ...fields, effect: 'action', mutation_proposal: null }));
    const before = this.server.requests.length;
    await bench.tick();
    return this.server.requests.length > before;
  }

  /** The file to which the calls of now are added. */
  get file(): string {
    return path.join(this.folder, `${new Date(this.clock.now()).toISOString().slice(0, 10)}.jsonl`);
  }
}

test('what one vault spends stops another, over a restart too, and is free a day later', async () => {
  const tenant = await Tenant.start();
  const [home, work] = [tenant.vault(), tenant.vault()];
  const shared = tenant.budget();
  const first = await tenant.open(home, shared);
  while (await tenant.news(first, home));
  const asked = tenant.server.requests.length;
  expect(asked).toBe(2);

  const second = await tenant.open(work, shared);
  expect(await tenant.news(second, work)).toBe(false);
  const refused = work.events().find((event) => work.fields(event).decision === 'rate_guarded') ?? '';
  expect(work.read(refused)).toMatch(/budget: 0\.\d+ of 0\.2 USD used in a day by all vaults that share the budget/);
  const { gates } = second.status();
  expect(gates.held).toMatchObject([{ what: 'notes', count: 1, window: 'shared_budget_usd_per_day' }]);
  expect(gates.held[0]?.reason).toContain('the budget of a day that this vault shares with others is used up');
  expect(gates.budget).toMatchObject({ vault: { usd: 0 }, shared: { caps: CAPS } });
  expect(gates.budget.shared?.usd).toBe(first.status().gates.budget.vault.usd);

  tenant.clock.move(DAY - HOUR);
  const restarted = await tenant.open(work, tenant.budget());
  await restarted.tick();
  expect(tenant.server.requests).toHaveLength(asked);
  tenant.clock.move(HOUR + MINUTE);
  await restarted.tick();
  expect(tenant.server.requests).toHaveLength(asked + 1);
  expect(tenant.troubles).toEqual([]);
});

test('two processes of a host share it, and a call that both want is made by one', async () => {
  const tenant = await Tenant.start();
  const [one, other] = [tenant.budget(), tenant.budget()];
  const now = tenant.clock.now();
  expect(one.reserve(CALL, now)).toMatchObject({ ok: true });
  // Between the other's look and its line, the first adds one.
  vi.spyOn(other, 'refusal').mockImplementationOnce(() => {
    expect(one.reserve(CALL, now)).toMatchObject({ ok: true });
    return null;
  });
  expect(other.reserve(CALL, now)).toMatchObject({ ok: false, refusal: { used: 0.2, freeAt: now + DAY } });
  expect(one.spent(now)).toMatchObject({ usd: 0.2 });
  expect(tenant.budget().spent(now)).toMatchObject({ usd: 0.2 });
});

test('what a call did cost replaces what was set aside, also if another process has to say so', async () => {
  const tenant = await Tenant.start();
  const now = tenant.clock.now();
  const set = tenant.budget().reserve(CALL, now);
  const restarted = tenant.budget();
  restarted.spent(now);
  restarted.record(set.ok ? set.id : '', { tokens: 10, usd: 0.01 });
  restarted.record('of another host', { tokens: 10, usd: 0.01 });
  expect(tenant.budget().spent(now)).toEqual({ tokens: 10, usd: 0.01, caps: CAPS });
});

test.each([
  ['usd', { tokens: null, usd: 0.1 }],
  ['tokens', { tokens: 100, usd: null }],
] as const)('a limit of %s is one of any 24 hours, across midnight', async (unit, caps) => {
  const tenant = await Tenant.start();
  const budget = tenant.budget(caps);
  const midnight = Date.parse('2026-03-02T00:00:00Z');
  expect(budget.reserve(CALL, midnight - HOUR)).toMatchObject({ ok: true });
  for (const now of [midnight - HOUR, midnight, midnight + DAY - 2 * HOUR])
    expect(budget.reserve(CALL, now)).toMatchObject({
      ok: false,
      refusal: { window: `shared_budget_${unit}_per_day`, freeAt: midnight - HOUR + DAY },
    });
  expect(budget.reserve(CALL, midnight - HOUR + DAY)).toMatchObject({ ok: true });
  tenant.budget(caps).spent(midnight + 2 * DAY);
  expect(fs.readdirSync(tenant.folder)).toEqual([]);
});

test('lines that can’t be read count as spent for a day, a restart doesn’t prolong it, and it is reported', async () => {
  const tenant = await Tenant.start();
  const now = tenant.clock.now();
  expect(tenant.budget().reserve({ tokens: 1, usd: 0.01 }, now)).toMatchObject({ ok: true });
  fs.appendFileSync(tenant.file, '\u0000\u0000{}}\n');
  const spent = { ok: false, refusal: { window: 'shared_budget_usd_per_day', freeAt: now + DAY } };
  expect(tenant.budget().reserve(CALL, now)).toMatchObject(spent);
  expect(tenant.budget().reserve(CALL, now + HOUR)).toMatchObject(spent);
  expect(tenant.budget().reserve(CALL, now + DAY)).toMatchObject({ ok: true });
  expect(tenant.troubles).toMatchObject([{ code: 'tenant-budget-unreadable', file: tenant.file }]);
});

test('a line that a crash cut off doesn’t count, and a file that became shorter counts as spent', async () => {
  const tenant = await Tenant.start();
  const now = tenant.clock.now();
  const budget = tenant.budget();
  expect(budget.reserve({ tokens: 1, usd: 0.01 }, now)).toMatchObject({ ok: true });
  fs.appendFileSync(tenant.file, '\n{"id":"cut","at":17');
  expect(tenant.budget().reserve({ tokens: 1, usd: 0.01 }, now)).toMatchObject({ ok: true });
  expect(budget.spent(now)).toMatchObject({ usd: 0.02 });
  fs.truncateSync(tenant.file, 10);
  expect(budget.reserve(CALL, now)).toMatchObject({ ok: false, refusal: { freeAt: now + DAY } });
});

test('if the folder can’t be read or written, models wait, it is reported once, and later they are asked', async () => {
  const tenant = await Tenant.start();
  const vault = tenant.vault();
  fs.rmdirSync(tenant.folder);
  fs.writeFileSync(tenant.folder, 'a file in its place');
  const bench = await tenant.open(vault, tenant.budget());
  expect(await tenant.news(bench, vault)).toBe(false);
  expect(await tenant.news(bench, vault)).toBe(false);
  expect(tenant.troubles).toMatchObject([{ code: 'tenant-budget-unreadable', file: tenant.folder }]);
  fs.rmSync(tenant.folder);
  tenant.clock.move(2 * MINUTE);
  expect(await tenant.news(bench, vault)).toBe(true);
});

test.each(['-1', 'much'])('a limit of %s is refused at the start', (written) => {
  const env = { STEWARD_FLEET_BUDGET_USD_PER_DAY: written };
  expect(() => tenantBudget(env, tempFolder(), () => {})).toThrow(
    'STEWARD_FLEET_BUDGET_USD_PER_DAY must be a number of US dollars, 0 or more.',
  );
});
