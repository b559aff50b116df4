import { expect, test } from 'vitest';
import { answerAll } from '../../src/daemon/answers.ts';
import { stem } from '../../src/vault/layout.ts';
import { HOUSE, instinct, matter, settings, task, weak } from '../support/notes.ts';
import { ownSignal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../support/workspace.ts';

const [PAY, CALL] = ['task/pay.md', 'task/call.md'];
const FILES: Files = {
  ...HOUSE,
  'steward.md': settings({ settle_seconds: 0.2 }),
  [PAY]: task(),
  [CALL]: task(),
  'signal/s1.md': weak(),
  'instinct/mail.md': instinct('mail', { confidence: 0.83 }),
};

/** A vault in which a mail leads to the proposal that `task/pay.md` is done; `task/call.md` was meant. */
async function proposed(env = LIVE, files: Files = {}): Promise<{ vault: TempVault; bench: Bench; event: string }> {
  const vault = new TempVault({ ...FILES, ...files });
  const bench = await Bench.open(vault, { env });
  await bench.tick();
  return { vault, bench, event: only(vault.events()) };
}

test.each([
  ['live', LIVE],
  ['shadow', SHADOW],
])(
  'a proposal can be answered with another task: the change is made there, and the sender was right (%s)',
  async (_, env) => {
    const { vault, bench, event } = await proposed(env);
    const before = [vault.read(PAY).replace(/^pending_confirmation: true\n/m, ''), vault.read(CALL)];
    expect(only(bench.waiting()).answers).toContain('choose');
    expect(await bench.choose(event, '[[call]]')).toMatchObject({ outcome: 'confirmed', target: CALL });
    expect(vault.fields(CALL).state).toBe('done');
    expect(vault.read(PAY)).toBe(before[0]);
    expect(bench.waiting()).toEqual([]);
    expect(vault.fields(event)).toMatchObject({ waiting: false, outcome: 'confirmed' });
    expect(vault.fields('instinct/mail.md')).toMatchObject({ observations: 1 });
    const answer = only(vault.events('steward-action-confirmed'));
    expect(vault.fields(answer)).toMatchObject({ target_path: CALL, changes: { state: { after: 'done' } } });

    expect(await bench.undo(answer)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read(CALL)).toBe(before[1]);
    expect(vault.fields('instinct/mail.md')).toMatchObject({ observations: 0 });
  },
);

test('`always` with another task makes the change there, and signs no licence', async () => {
  const path = 'signal/s1.md';
  const vault = new TempVault({
    ...FILES,
    'matter/boat.md': matter(),
    'steward.md': settings({ settle_seconds: 0, trusted_mail_servers: ['mx.notary.example'] }),
    [CALL]: task({ parent_matter: '[[boat]]' }),
    [path]: ownSignal(path, { effect_confidence: 0.8 }),
  });
  const bench = await Bench.open(vault, { env: LIVE });
  await bench.tick();
  const waiting = only(bench.waiting());
  expect(waiting.answers).toEqual(expect.arrayContaining(['always', 'choose']));
  const asked = {
    kind: 'confirm',
    always: true,
    events: [waiting.event ?? ''],
    choose: '[[call]]',
    dryRun: false,
  } as const;
  expect(await answerAll(bench.ports, asked)).toMatchObject([{ outcome: 'confirmed', target: CALL }]);
  await bench.sweep();
  expect(vault.fields(CALL).state).toBe('done');
  expect(bench.catalogue.licences()).toEqual([]);
});

test('its own task is no other one: it is confirmed as it is', async () => {
  const { vault, bench, event } = await proposed();
  expect(await bench.choose(event, '[[pay]]')).toMatchObject({ outcome: 'confirmed', target: PAY });
  expect(vault.fields(PAY).state).toBe('done');
});

test.each([
  ['no note of the vault', '[[nowhere]]', /no task and no matter/],
  ['a note that is hands off', '[[off]]', /steward: false/],
])('%s can’t be chosen, and the proposal waits on', async (_, note, reason) => {
  const { vault, bench, event } = await proposed(LIVE, { 'task/off.md': task({ steward: false }) });
  expect(await bench.choose(event, note)).toMatchObject({ message: expect.stringMatching(reason) });
  expect(vault.fields(PAY).state).toBe('open');
  expect(bench.waiting()).toHaveLength(1);
});

async function running(): Promise<{ vault: TempVault; daemon: Running; event: string }> {
  const vault = new TempVault(FILES);
  const daemon = await Running.start(vault);
  await daemon.ask({ op: 'tick', matters: [], force: true, mode: null });
  await daemon.heard('proposed');
  return { vault, daemon, event: only(vault.events()) };
}

test.each<[string, (vault: TempVault, event: string) => void]>([
  ['the property choose', (vault, event) => vault.edit(event, 'confirm: false', 'confirm: false\nchoose: "[[call]]"')],
  [
    'a dropped file',
    (vault, event) =>
      vault.write(
        'event/steward-action-confirmed-other.md',
        `---\nconfirms: "[[${stem(event)}]]"\nchoose: "[[call]]"\n---\n`,
      ),
  ],
])('the same by %s', async (_, answer) => {
  const { vault, daemon, event } = await running();
  answer(vault, event);
  await daemon.heard('confirmed', ({ target }) => target === CALL);
  await daemon.sync();
  expect(vault.fields(CALL).state).toBe('done');
  expect(vault.fields(PAY)).toMatchObject({ state: 'open' });
  await expect.poll(() => vault.fields(PAY)).not.toHaveProperty('pending_confirmation');
  await expect.poll(() => vault.fields(event)).toMatchObject({ waiting: false, outcome: 'confirmed' });
});

test('a choice that means nothing is named in the note', async () => {
  const { vault, daemon, event } = await running();
  vault.edit(event, 'confirm: false', 'confirm: false\nchoose: "[[nowhere]]"');
  await daemon.sync();
  await expect.poll(() => vault.fields(event).remark).toMatch(/no task and no matter/);
  expect(vault.fields(event).waiting).toBe(true);
});
