// Over 5 s: processes that ask a model.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fingerprint, type PastMail, pastMaildir } from '../../features/rehearsal/support.ts';
import { KEY, MessagesServer, type Request, textOf } from '../../providers/messages-server.ts';
import { Sandbox } from '../../stories/support.ts';

const THINGS = ['boiler', 'survey', 'passport', 'flight', 'roof', 'garden'];
const MAILS: readonly PastMail[] = THINGS.map((thing, nth) => ({
  at: `2026-03-${10 + nth}T12:00`,
  from: 'Anna Placeholder <anna@northgate-notary.example>',
  subject: `The ${thing}`,
  text: `Dear Robin,\n\nconsider the ${thing} a thing of the past.\n\nKind regards, Anna`,
}));

/** A vault whose user has closed each task on the day after the mail about it. */
function pastSpring(settings = ''): Sandbox {
  const sandbox = new Sandbox('none');
  sandbox.write('steward.md', `---\ntype: steward\n${settings}---\nSettings.\n`);
  sandbox.write('matter/house.md', '---\nsenders: [anna@northgate-notary.example]\n---\nThe house.\n');
  for (const [nth, thing] of THINGS.entries()) {
    const fields = ['state: done', `completedDate: 2026-03-${11 + nth}`, 'parent_matter: "[[house]]"'];
    sandbox.write(`task/Settle the ${thing}.md`, `---\n${fields.join('\n')}\n---\nA task.\n`);
  }
  pastMaildir(path.join(sandbox.folder, 'Spring'), MAILS);
  return sandbox;
}

/** A model that reads each mail rightly, with many words: for about two cents. */
function understanding(): Promise<MessagesServer> {
  return MessagesServer.start((asked) => ({ do: 'say', text: reading(asked), tokens: 4000 }));
}

function reading(asked: Request): string {
  const text = textOf(asked);
  const thing = THINGS.find((one) => text.includes(`consider the ${one}`)) ?? '';
  const note = new RegExp(`"note":"(c\\d+)","kind":"task","name":"Settle the ${thing}"`).exec(text)?.[1] ?? 'none';
  const changes = [{ field: 'state', op: 'set', value: 'done' }];
  const signal = {
    note,
    or_notes: [],
    note_confidence: 0.9,
    quote: `consider the ${thing} a thing of the past`,
    changes,
  };
  return JSON.stringify({
    signals: [{ ...signal, effect_confidence: 0.9, reasoning: 'Anna says that it is settled.' }],
  });
}

const ran = z.object({
  complete: z.boolean(),
  ended: z.object({ why: z.string(), reason: z.string() }).nullable(),
  evaluator: z.string(),
  model: z.object({ questions: z.number(), usd: z.number() }).nullable(),
  events: z.object({ evaluated: z.number(), left: z.number(), resumed: z.number() }),
  cases: z.array(z.object({ verdict: z.string(), notes: z.array(z.string()) })),
});

function words(...more: readonly string[]): readonly string[] {
  return ['rehearse', './Spring', '--vault', 'vault', '--evaluator', 'model', '--json', ...more];
}

function environment({ url }: MessagesServer): NodeJS.ProcessEnv {
  return { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url };
}

async function run(sandbox: Sandbox, server: MessagesServer, ...more: readonly string[]) {
  const { exit, stdout, stderr } = await sandbox.steward(words('--yes', ...more), environment(server));
  return { exit, stderr, ...ran.parse(JSON.parse(stdout)) };
}

describe('a model', () => {
  test('is asked only after a yes to its costs, and within a budget', async () => {
    await using sandbox = pastSpring();
    const server = await understanding();
    const unasked = await sandbox.steward(words('--budget', '2'), environment(server));
    expect(unasked).toMatchObject({ exit: 2, stdout: '' });
    expect(unasked.stderr).toMatch(/would be asked 6 questions about 6 events, for \$0\.\d\d at most/);
    expect(unasked.stderr).toContain('Add `--yes`');
    const unlimited = await sandbox.steward(words('--yes'), environment(server));
    expect(unlimited).toMatchObject({ exit: 2, stderr: expect.stringContaining('--budget 2') });
    const keyless = await sandbox.steward(words('--yes', '--budget', '2'));
    expect(keyless).toMatchObject({ exit: 78, stderr: expect.stringContaining('ANTHROPIC_API_KEY') });
    const unpriced = await sandbox.steward(
      words('--yes', '--budget', '2', '--evaluator', 'local-7b'),
      environment(server),
    );
    expect(unpriced).toMatchObject({ exit: 78, stderr: expect.stringContaining('No price of local-7b') });
    // Costs that can't be kept would be forgotten by the next run.
    const noFolder = { ...environment(server), XDG_CACHE_HOME: path.join(sandbox.vault, 'steward.md') };
    const unkept = await sandbox.steward(words('--yes', '--budget', '2'), noFolder);
    expect(unkept).toMatchObject({ exit: 75, stderr: expect.stringContaining("can't be kept") });
    expect(server.requests).toEqual([]);
  });

  test('reads what the rules leave, and its costs are the only thing that the vault remembers', async () => {
    await using sandbox = pastSpring();
    const server = await understanding();
    const rules = await sandbox.steward(['rehearse', './Spring', '--vault', 'vault', '--json']);
    expect(ran.parse(JSON.parse(rules.stdout)).cases.filter(({ verdict }) => verdict === 'right').length).toBeLessThan(
      6,
    );
    const before = fingerprint(sandbox.vault).filter((line) => !line.startsWith('.steward'));
    const { exit, stderr, ...rehearsal } = await run(sandbox, server, '--budget', '2');
    expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining('The budget is $2.00.') });
    expect(rehearsal).toMatchObject({
      complete: true,
      model: { questions: 6 },
      events: { evaluated: 6, left: 0 },
    });
    expect(rehearsal.cases.map(({ verdict }) => verdict)).toEqual(Array(6).fill('right'));
    expect(fingerprint(sandbox.vault).filter((line) => !line.startsWith('.steward'))).toEqual(before);
    expect(sandbox.read('.steward/state/budget.json')).toMatch(/0\.02\d/);
    expect(server.malformed).toEqual([]);
  });

  test('costs no more than the budget, over all runs; a larger one reads the rest, and nothing twice', async () => {
    await using sandbox = pastSpring();
    const server = await understanding();
    const first = await run(sandbox, server, '--budget', '0.1');
    const asked = server.requests.length;
    expect(asked).toBeGreaterThan(1);
    const figures = { events: { evaluated: asked, left: 6 - asked }, model: { questions: asked } };
    expect(first).toMatchObject({ exit: 0, complete: false, ended: { why: 'budget' }, ...figures });
    expect(first.model?.usd).toBeLessThanOrEqual(0.1);
    expect(first.model?.usd).toBeGreaterThan(0.02 * asked);
    const again = await run(sandbox, server, '--budget', '0.1');
    expect(again).toMatchObject({ ...figures, events: { resumed: asked }, model: first.model });
    expect(server.requests).toHaveLength(asked);
    const rest = await run(sandbox, server, '--budget', '1');
    expect(rest).toMatchObject({ complete: true, model: { questions: 6 }, events: { resumed: asked, left: 0 } });
    expect(rest.stderr).toContain(`would be asked ${6 - asked} questions about 6 events`);
    expect(rest.stderr).toContain(`earlier runs have used $${first.model?.usd.toFixed(2)}`);
    expect(server.requests).toHaveLength(6);
    // What was paid for is kept after the end; to start over is to pay again.
    expect((await run(sandbox, server, '--budget', '1')).model).toEqual(rest.model);
    expect(server.requests).toHaveLength(6);
    await run(sandbox, server, '--budget', '1', '--fresh');
    expect(server.requests).toHaveLength(12);
  });

  test('costs no more than the budget if the notes change between the runs, or two run at once', async () => {
    await using sandbox = pastSpring();
    const server = await understanding();
    await run(sandbox, server, '--budget', '0.1');
    const asked = server.requests.length;
    for (const thing of THINGS) {
      const file = `task/Settle the ${thing}.md`;
      sandbox.write(
        file,
        sandbox.read(file).replace('A task.', 'Another text.').replace('state:', 'summary: new\nstate:'),
      );
    }
    expect((await run(sandbox, server, '--budget', '0.1')).ended).toMatchObject({ why: 'budget' });
    expect(server.requests).toHaveLength(asked);
    const both = await Promise.all(
      [1, 2].map(() => sandbox.steward(words('--yes', '--fresh', '--budget', '0.1'), environment(server))),
    );
    expect(both.map(({ exit }) => exit).sort()).toEqual([0, 75]);
    expect(both.map(({ stderr }) => stderr).join()).toContain('rehearsal-busy');
    expect(server.requests.length).toBeLessThanOrEqual(2 * asked);
  });

  test("stays within the vault's budget of a day, which ends it until later", async () => {
    await using sandbox = pastSpring('budget_usd_per_day: 0.05\n');
    const server = await understanding();
    const { exit, ...rehearsal } = await run(sandbox, server, '--budget', '2');
    expect(exit).toBe(75);
    expect(rehearsal).toMatchObject({ complete: false, ended: { why: 'waits' } });
    expect(rehearsal.ended?.reason).toContain('The budget for models is used up until');
    expect(server.requests.length).toBeGreaterThan(0);
    expect(server.requests.length).toBeLessThan(3);
  });
});

describe('Ctrl-C', () => {
  test('prints the figures so far, and the same command goes on from there', async () => {
    await using sandbox = pastSpring();
    const server = await understanding();
    const held = Promise.withResolvers<void>();
    server.until = async () => (server.requests.length > 3 ? held.promise : undefined);
    const running = sandbox.start(`steward ${words('--yes', '--budget', '2').join(' ')}`, environment(server));
    await server.asked(4);
    running.kill('SIGINT');
    const { exit, stdout } = await running.ended;
    held.resolve();
    expect(exit).toBe(130);
    expect(ran.parse(JSON.parse(stdout))).toMatchObject({
      ended: { why: 'interrupted' },
      events: { evaluated: 3, left: 3 },
    });
    // The file is the user's alone.
    const folder = path.join(sandbox.folder, '.cache', 'vault-steward', 'rehearsals');
    const [name = ''] = fs.readdirSync(folder);
    expect([folder, path.join(folder, name)].map((place) => fs.statSync(place).mode & 0o777)).toEqual([0o700, 0o600]);
    const rest = await run(sandbox, server, '--budget', '2');
    expect(rest).toMatchObject({ exit: 0, complete: true, events: { evaluated: 6, resumed: 3 } });
    expect(server.requests).toHaveLength(7);
  });
});
