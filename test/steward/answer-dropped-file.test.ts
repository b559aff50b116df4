// Over 5 s: each case runs a daemon on a vault on disk.
import { describe, expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { HOUSE, instinct, ODD_TASK, settings, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { only } from '../support/workspace.ts';

const PAY = 'task/pay.md';
const DONE = ODD_TASK.replace("'open'", "'done'");

async function proposed(more = {}): Promise<{ vault: TempVault; running: Running; event: string; name: string }> {
  const vault = new TempVault({
    ...HOUSE,
    'steward.md': settings({ settle_seconds: 0.2 }),
    'signal/s1.md': weak(),
    'instinct/mail.md': instinct('mail', { confidence: 0.83 }),
    ...more,
  });
  const running = await Running.start(vault);
  await running.ask({ op: 'tick', matters: [], force: true, mode: null });
  const { event } = await running.heard('proposed');
  return { vault, running, event, name: stem(event) };
}

describe('a dropped file', () => {
  test.each(['[[NAME]]', '[[event/NAME|the one]]', 'NAME', 'event/NAME.md'])(
    'that confirms %s makes the change, and becomes the sibling note',
    async (link) => {
      const { vault, running, name } = await proposed();
      const file = 'event/steward-action-confirmed-yes-please.md';
      vault.write(file, `---\nconfirms: "${link.replace('NAME', name)}"\nreason: It is paid   # I saw it\n---\nYes!\n`);
      expect(await running.heard('confirmed')).toMatchObject({ event: file, target: PAY });
      expect(vault.read(PAY)).toBe(DONE);
      const text = vault.read(file);
      expect(text).toContain('reason: It is paid   # I saw it\n');
      expect(text.endsWith('---\nYes!\n')).toBe(true);
      expect(vault.fields(file)).toMatchObject({
        type: 'steward-action-confirmed',
        outcome: 'confirmed',
        confirmed_by: 'file',
        changes: { state: { before: 'open', after: 'done' } },
        undo_recipe: { vault_patch: { target: PAY } },
        undo: false,
      });
      expect(vault.fields('instinct/mail.md')).toMatchObject({ confidence: 0.847, observations: 1 });
      expect(vault.fields('signal/s1.md')).toMatchObject({ status: 'applied', audit_record_path: file });
      expect(vault.events()).toHaveLength(2);
    },
  );

  test('whose confirmation is undone gives the note back', async () => {
    const { vault, running, name } = await proposed();
    const file = 'event/steward-action-confirmed-x.md';
    vault.write(file, `---\nconfirms: ${name}\n---\n`);
    await running.heard('confirmed');
    vault.edit(file, 'undo: false', 'undo: true');
    await running.heard('reversed', ({ outcome }) => outcome === 'reversed');
    expect(vault.read(PAY)).toBe(ODD_TASK);
  });

  test('without a word in it says by its name what it dismisses', async () => {
    const { vault, running, name } = await proposed();
    const file = `event/${name.replace('steward-action', 'steward-action-dismissed')}.md`;
    vault.write(file, '');
    await running.heard('dismissed');
    expect(vault.read(PAY)).toBe(ODD_TASK);
    expect(vault.fields(file)).toMatchObject({ dismisses: `[[${name}]]`, outcome: 'dismissed', dismissed_by: 'file' });
    expect(vault.fields('instinct/mail.md').confidence).toBe(0.78);
  });

  test('is read once, however often: also by the next start', async () => {
    const { vault, running, name } = await proposed();
    const file = 'event/steward-action-dismissed-no.md';
    vault.write(file, `---\ndismisses: ${name}\n---\n`);
    await running.heard('dismissed');
    vault.write(file, vault.read(file), 0);
    await running.sync();
    await running.stop();
    const text = vault.read(file);
    const next = await Running.start(vault);
    await next.sync();
    expect(vault.read(file)).toBe(text);
    expect(vault.fields('instinct/mail.md').confidence).toBe(0.78);
  });

  test('is read by the next start where nothing ran', async () => {
    const { vault, running, name } = await proposed();
    await running.stop();
    vault.write('event/steward-action-confirmed-later.md', `---\nconfirms: "[[${name}]]"\n---\n`);
    const next = await Running.start(vault);
    await next.heard('confirmed');
    expect(vault.read(PAY)).toBe(DONE);
  });

  const nonsense: readonly (readonly [string, string])[] = [
    ['names nothing', '---\nconfirms: "[[no-such-note]]"\n---\n'],
    ['says two things', '---\ndismisses: "[[NAME]]"\n---\n'],
    ['says both', '---\nconfirms: "[[NAME]]"\ndismisses: "[[NAME]]"\n---\n'],
    ['names a task', '---\nconfirms: "[[pay]]"\n---\n'],
    ['names itself', '---\nconfirms: "[[steward-action-confirmed-odd]]"\n---\n'],
    ['leads out of the vault', '---\nconfirms: "../../etc/passwd"\n---\n'],
    ['brings a recipe of its own', '---\nconfirms: x\nundo_recipe: {vault_patch: {target: task/pay.md}}\n---\n'],
    ['is empty', ''],
  ];
  test.each(nonsense)('that %s is refused, visibly, and changes nothing', async (_, text) => {
    const { vault, running, name } = await proposed();
    const before = vault.read(PAY);
    const file = 'event/steward-action-confirmed-odd.md';
    vault.write(file, text.replaceAll('NAME', name));
    expect(await running.heard('refused')).toMatchObject({ file, outcome: 'refused' });
    expect(vault.fields(file)).toMatchObject({ outcome: 'refused', message: expect.any(String) });
    expect(vault.read(PAY)).toBe(before);
    expect(running.daemon.status().trouble).toContainEqual(expect.objectContaining({ code: 'answers-nothing', file }));
    expect(running.daemon.status().proposals).toHaveLength(1);
    await running.sync();
    expect(running.count('refused')).toBe(1);
  });

  test('that cannot be read is reported as any other note, and closes nothing', async () => {
    const { vault, running, name } = await proposed();
    const file = 'event/steward-action-confirmed-odd.md';
    vault.write(file, `---\nconfirms: [a, b\n---\n`);
    await running.heard('trouble', ({ trouble }) => trouble.file === file);
    vault.write(file, `---js\nconfirms: "${name}"\n---\n`);
    await running.sync();
    expect(vault.read(file)).toContain('---js');
    expect(running.daemon.status().proposals).toHaveLength(1);
  });

  test('about a note that has changed since: conflict, in the file too', async () => {
    const { vault, running, name } = await proposed();
    vault.edit(PAY, "'open'", 'snoozed');
    await running.sync();
    const file = 'event/steward-action-confirmed-x.md';
    vault.write(file, `---\nconfirms: ${name}\n---\n`);
    expect(await running.heard('refused')).toMatchObject({ outcome: 'conflict' });
    expect(vault.fields(file)).toMatchObject({ outcome: 'conflict' });
    expect(vault.fields(PAY).state).toBe('snoozed');
  });

  test('of two that say the same one is done, and the other told that it was', async () => {
    const { vault, running, name } = await proposed();
    vault.write('event/steward-action-confirmed-a.md', `---\nconfirms: ${name}\n---\n`);
    await running.heard('confirmed');
    vault.write('event/steward-action-confirmed-b.md', `---\nconfirms: ${name}\n---\n`);
    expect(await running.heard('refused')).toMatchObject({ outcome: 'not-a-proposal' });
    expect(running.count('confirmed')).toBe(1);
    expect(vault.fields('instinct/mail.md').observations).toBe(1);
  });

  test('that comes before its proposal is carried out when that comes', async () => {
    const { vault, running, event, name } = await proposed();
    await running.stop();
    const proposal = vault.read(event);
    vault.remove(event);
    const file = 'event/steward-action-confirmed-early.md';
    vault.write(file, `---\nconfirms: ${name}\n---\n`);
    const next = await Running.start(vault);
    await next.heard('refused');
    expect(vault.fields(file)).toMatchObject({ outcome: 'refused', event_found: false });
    vault.write(event, proposal);
    await next.heard('confirmed');
    expect(vault.read(PAY)).toBe(DONE);
    expect(vault.fields(file)).toMatchObject({ outcome: 'confirmed', event_found: true });
    expect(only(vault.events('steward-action-confirmed-'))).toBe(file);
  });

  test('that is being written is waited for', async () => {
    const { vault, running, name } = await proposed({ 'steward.md': settings({ settle_seconds: 1 }) });
    const file = 'event/steward-action-confirmed-slow.md';
    vault.write(file, '', 0);
    await running.sync();
    vault.write(file, `---\nconfirms: ${name}\n---\n`, 0);
    await running.heard('confirmed');
    expect(running.count('refused')).toBe(0);
    expect(vault.read(PAY)).toBe(DONE);
  });
});
