import { describe, expect, test } from 'vitest';
import type { Environment } from '../../../src/daemon/environment.ts';
import { stem } from '../../../src/vault/layout.ts';
import {
  type Act,
  MessagesServer,
  type Request,
  resultsOf,
  type Script,
  textOf,
} from '../../providers/messages-server.ts';
import { HOUSE, instinct, settings, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE, only } from '../../support/workspace.ts';

/** A vault in which a weak signal has led to a proposal, judged by the rules. */
async function proposed(): Promise<{ vault: TempVault; event: string }> {
  const vault = new TempVault({
    ...HOUSE,
    'steward.md': settings({ evaluator: 'rules' }),
    'signal/s1.md': weak(),
    'stream/paid.eml': 'Subject: your invoice\n\nYour invoice is paid.\n',
    'instinct/mail.md': instinct('mail', { confidence: 0.83 }),
  });
  const bench = await Bench.open(vault);
  await bench.tick();
  bench.close();
  vault.write('steward.md', settings());
  return { vault, event: only(vault.events()) };
}

const say = (text: string): Act => ({ do: 'say', text });

/** Who is asked what, by the last text of the first message. */
function addressOf(asked: Request): string {
  return /^Round \d+, .*$/m.exec(textOf(asked))?.[0] ?? '';
}

/** Agents and a judge as they should be; all agree in the first round. */
const debate: Script = (asked) => {
  const [, part = '', who = ''] = /^Round \d+, (\w+), (\w+)/.exec(addressOf(asked)) ?? [];
  const done = resultsOf(asked).length > 0;
  if (part === 'verdict') return say('Convergence: yes');
  if (part !== 'opening') return say(`${who}: I hold.`);
  const file = /into the file (\S+), with/.exec(textOf(asked))?.[1] ?? '';
  if (done)
    return say(
      `FILE_WRITTEN: ${file}\nPerspectives: P01 [x] y\nTensions: none\nMoves: none\nClaim: ${who} would wait.`,
    );
  return {
    do: 'say',
    text: '',
    calls: [{ name: 'Write', input: { file_path: file, content: `# ${who}\n\nP01 I hold.` } }],
  };
};

async function withModel(script: Script): Promise<{ server: MessagesServer; env: Environment }> {
  const server = await MessagesServer.start(script);
  return { server, env: { ...LIVE, provider: server.access } };
}

function withoutRoundtable(files: Readonly<Record<string, string>>, event: string): Record<string, string> {
  const own = ([file]: readonly [string, string]) => !file.startsWith('roundtable/') && file !== event;
  return Object.fromEntries(Object.entries(files).filter(own));
}

describe('a ticked `deliberate`', () => {
  test('convenes a roundtable, and links what it came to; nothing else changes', async () => {
    const { vault, event } = await proposed();
    const { server, env } = await withModel(debate);
    const running = await Running.start(vault, { env });
    await running.sync();
    const before = withoutRoundtable(vault.snapshot(), event);
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    const { folder } = await running.heard('deliberated');
    expect(withoutRoundtable(vault.snapshot(), event)).toEqual(before);
    expect(vault.fields(event)).toMatchObject({
      advice: `[[${folder}/round-1.summary|they agree]]`,
      pending_confirmation: true,
      confirm: false,
      deliberate: true,
    });
    expect(vault.names(`${folder}/round-1`)).toEqual(['advocate.md', 'keeper.md', 'sceptic.md']);
    expect(server.malformed).toEqual([]);
    expect(running.daemon.status().proposals).toHaveLength(1);
    expect(running.daemon.status().gates.rateGuard.hour?.used).toBe(server.requests.length); // each turn of each agent
  });

  test('registers the matter’s notes, the signals and what they came from', async () => {
    const { vault, event } = await proposed();
    const { env } = await withModel(debate);
    const running = await Running.start(vault, { env });
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    const { folder } = await running.heard('deliberated');
    const briefing = vault.read(`${folder}/briefing.md`);
    for (const file of [event, 'task/pay.md', 'matter/house.md', 'signal/s1.md', 'stream/paid.eml']) {
      expect(briefing).toContain(`- \`${file}\``);
    }
  });

  test('without a key says so, and convenes nothing', async () => {
    const { vault, event } = await proposed();
    const running = await Running.start(vault);
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    await running.heard('trouble', ({ trouble }) => trouble.code === 'roundtable-no-model');
    expect(vault.has('roundtable')).toBe(false);
    expect(running.daemon.status().trouble.map(({ code }) => code)).toContain('roundtable-no-model');
    vault.edit(event, 'deliberate: true', 'deliberate: false');
    await running.until(() => running.daemon.status().trouble.every(({ code }) => code !== 'roundtable-no-model'));
  });

  test('under evaluator: rules asks no model, and says so', async () => {
    const { vault, event } = await proposed();
    vault.write('steward.md', settings({ evaluator: 'rules' }));
    const { server, env } = await withModel(debate);
    const running = await Running.start(vault, { env });
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    const { trouble } = await running.heard('trouble', ({ trouble: one }) => one.code === 'roundtable-no-model');
    expect(trouble.message).toContain('evaluator: rules');
    expect(server.requests).toEqual([]);
  });

  test('leaves a note alone that says steward: false', async () => {
    const { vault, event } = await proposed();
    const { server, env } = await withModel(debate);
    vault.edit('matter/house.md', 'state: open', 'state: open\nsteward: false');
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    const running = await Running.start(vault, { env });
    await running.heard('trouble', ({ trouble }) => trouble.code === 'deliberate-hands-off');
    expect(server.requests).toEqual([]);
  });

  test('is stopped with the daemon, and goes on with the next', async () => {
    const { vault, event } = await proposed();
    const { server, env } = await withModel((asked, index) =>
      addressOf(asked).includes('speaking') ? { do: 'hang' } : debate(asked, index),
    );
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    const first = await Running.start(vault, { env });
    await first.until(() => server.requests.some((asked) => addressOf(asked).includes('speaking')));
    await first.stop();
    expect(vault.fields(event).advice).toBeUndefined();
    server.script = debate;
    const before = server.requests.length;
    const second = await Running.start(vault, { env });
    await second.heard('deliberated');
    expect(
      server.requests
        .slice(before)
        .map(addressOf)
        .some((to) => to.includes('opening')),
    ).toBe(false);
  });

  test('is begun again where a crash came between its log and its briefing', async () => {
    const { vault, event } = await proposed();
    const { server, env } = await withModel(() => ({ do: 'hang' }));
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    const first = await Running.start(vault, { env });
    await first.until(() => server.requests.length > 0);
    await first.stop();
    const briefing = `roundtable/${stem(event)}/briefing.md`;
    vault.remove(briefing);
    server.script = debate;
    const second = await Running.start(vault, { env });
    await second.heard('deliberated');
    expect(vault.read(briefing)).toContain('Should the proposed change');
  });

  test('waits while the provider asks to, and asks nothing meanwhile', async () => {
    const { vault, event } = await proposed();
    const { server, env } = await withModel(() => ({ do: 'fail', status: 429, headers: { 'retry-after': '600' } }));
    const running = await Running.start(vault, { env });
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    await running.heard('trouble', ({ trouble }) => trouble.code === 'roundtable-held-up');
    expect(running.daemon.status().gates.backoffUntil).not.toBeNull();
    const again = running.ask({ op: 'roundtable', briefing: stem(event), recorded: false });
    await expect(again).rejects.toThrow('roundtable-held-up');
    // The three agents ask at the same time, so the last of them may still be on its way at the first refusal. So may
    // the reading of the mail, which no agent asks for.
    expect(server.requests.filter((asked) => addressOf(asked) !== '').length).toBeLessThanOrEqual(3);
  });

  test('within the budget of the vault', async () => {
    const { vault, event } = await proposed();
    vault.write('steward.md', settings({ budget_tokens_per_day: 100 }));
    const { server, env } = await withModel(debate);
    const running = await Running.start(vault, { env });
    vault.edit(event, 'deliberate: false', 'deliberate: true');
    const { trouble } = await running.heard('trouble', ({ trouble: one }) => one.code === 'roundtable-held-up');
    expect(trouble.message).toContain('budget for models is used up');
    expect(server.requests).toEqual([]);
  });
});
