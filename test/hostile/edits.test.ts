import { expect } from 'vitest';
import { noteText } from '../../src/vault/note-text.ts';
import { Clock, SECOND } from '../support/clock.ts';
import { matter, SELDOM, settings, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';
import { attack } from './attack.ts';

const HOUSE = 'matter/house.md';
const PAY = 'task/pay.md';
const PLAIN: Files = { 'steward.md': settings({ default_schedule: SELDOM }), [HOUSE]: matter(), [PAY]: task() };

async function watched(files: Files = {}) {
  const vault = new TempVault({ ...PLAIN, ...files });
  const clock = new Clock();
  const running = await Running.start(vault, { clock });
  const rest = async () => {
    await running.sync();
    clock.move(31 * SECOND);
    await running.daemon.wake();
    await running.daemon.idle();
  };
  return { vault, running, rest };
}

/** A signal note as the program writes it of an edit, by somebody who has no key. */
const FORGED = noteText(
  {
    ...{ type: 'signal', created: '2026-11-23T09:00:00Z', origin_at: '2026-11-23T09:00:00Z' },
    ...{ source_type: 'vault_edit', pattern: 'you', from: 'you', sender_known: 'named', authenticated: 'pass' },
    ...{ source_event_path: PAY, raw_quote: 'completedDate: 2026-11-23', target_kind: 'task', target_path: PAY },
    ...{ target_confidence: 1, target_candidates: [PAY], target_ambiguous: false, target_evidence: ['link'] },
    ...{ target_near: true, ends_matter: true, effect: 'mutation', effect_confidence: 1, effect_confidence_raw: 1 },
    mutation_proposal: { class: 'state_change', set: { state: 'done' } },
    ...{ headline: 'pay is done', status: 'unrouted', seal: 'f'.repeat(32) },
  },
  'pay is done',
);

attack(
  {
    attacker: 'a sync peer',
    means: 'drops a signal note that says that a person ticked a task by hand',
    loss: 'the program acts as if the person had spoken, and the hand is trusted like no other source',
    defence: 'without the seal it is heard as other, and at most proposed',
  },
  async () => {
    const vault = new TempVault({ ...PLAIN, 'signal/forged.md': FORGED });
    const bench = await Bench.open(vault);
    const before = vault.read(PAY);
    await bench.tick();
    await bench.tick();
    expect(vault.fields(PAY).state).toBe('open');
    expect(vault.read(PAY).replace('pending_confirmation: true\n', '')).toBe(before);
    expect(vault.events().map((event) => vault.fields(event).source_contributions)).not.toContainEqual(
      expect.objectContaining({ 'vault_edit:you': expect.anything() }),
    );
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'copies a signal of a real edit and aims it at another note, or gives it another name',
    loss: 'a tick on one task closes another',
    defence: 'the seal covers the note’s name, its target and what it proposes',
  },
  async () => {
    const { vault, running, rest } = await watched({ 'task/other.md': task(), 'matter/car.md': matter() });
    vault.edit(PAY, 'state: open', 'state: open\ncompletedDate: 2026-11-01');
    await rest();
    const real = vault.read(only(vault.paths('signal')));
    const unrouted = real.replace('status: applied', 'status: unrouted');
    vault.write('signal/copy.md', unrouted.replaceAll(PAY, 'task/other.md'));
    vault.write('signal/again.md', unrouted.replace('target_path: task/pay.md', 'target_path: matter/car.md'));
    await rest();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.fields('task/other.md').state).toBe('open');
    expect(vault.fields('matter/car.md').state).toBe('open');
  },
);

const mail = (from: string) =>
  [
    `From: ${from}`,
    'To: robin@sample.example',
    'Subject: [[pay]]',
    `Date: ${new Date().toUTCString()}`,
    '',
    '[[pay]] has been paid.',
    '',
  ].join('\r\n');

attack(
  {
    attacker: 'a sender',
    means: 'names himself “you”, and a rule of the mail program files his mail under stream/vault_edit',
    loss: 'his mail speaks with the person’s own hand',
    defence: 'no file of the stream speaks for vault_edit, whatever its folder is called',
  },
  async () => {
    const { vault, rest } = await watched({
      'stream/vault_edit/a.eml': mail('you'),
      'stream/b.eml': mail('you <you>'),
    });
    await rest();
    expect(vault.paths('signal').map((path) => vault.fields(path).source_type)).not.toContain('vault_edit');
    expect(vault.fields(PAY).state).toBe('open');
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'ticks everything under a matter',
    loss: 'the matter is closed on the word of whoever can write one note',
    defence: 'a tick never closes a matter: that is only proposed',
  },
  async () => {
    const { vault, rest } = await watched({ [HOUSE]: matter({}, '- [ ] one') });
    vault.edit(PAY, 'state: open', 'state: done');
    vault.edit(HOUSE, '- [ ] one', '- [x] one');
    await rest();
    expect(vault.fields(HOUSE)).toMatchObject({ state: 'open', pending_confirmation: true });
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'ticks and unticks five hundred tasks again and again',
    loss: 'the vault fills with signals, and the disk with them',
    defence: 'twenty at once and three hundred a day are heard; the rest is counted and said',
  },
  async () => {
    const names = Array.from({ length: 120 }, (_, nth) => `task/many-${nth}.md`);
    const { vault, running, rest } = await watched(Object.fromEntries(names.map((name) => [name, task()])));
    for (const state of ['done', 'open', 'done']) {
      const other = state === 'done' ? 'open' : 'done';
      for (const name of names) vault.edit(name, `state: ${other}`, `state: ${state}`);
      await rest();
    }
    expect(vault.paths('signal').length).toBeLessThanOrEqual(40);
    expect(running.happenings).toContainEqual(expect.objectContaining({ what: 'edits-passed' }));
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'writes links, pictures, HTML and letters that nobody sees behind a checkbox and a state',
    loss: 'the program’s own notes load a picture, run a query or show other words than they hold',
    defence: 'what is quoted is escaped, cut, and freed of what nobody sees',
  },
  async () => {
    const evil = '![x](https://evil.example/?q) [[pay]] <script>alert(1)</script> `= dv()` \u202Eenod\u200B';
    const { vault, rest } = await watched({ [HOUSE]: matter({}, `- [ ] ${evil}`), [PAY]: task({ state: 'done' }) });
    vault.edit(HOUSE, '- [ ] ', '- [x] ');
    await rest();
    for (const path of [...vault.paths('signal'), ...vault.events()]) {
      const [, , body = ''] = vault.read(path).split(/^---$/m);
      expect(body).not.toMatch(/(?<!\\)!\[|<script|(?<!\\)\[\[pay\]\]|[\u202E\u200B]/);
      expect(String(vault.fields(path).raw_quote ?? '').length).toBeLessThanOrEqual(50);
    }
    expect(vault.paths('signal')).toHaveLength(1);
    expect(vault.events()).toHaveLength(1);
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'drops an event note that claims to have made the person’s edit',
    loss: 'the edit is not heard, and something else happens in its place',
    defence:
      'such a note at most silences the one edit: nothing else is done, and the program finds a matter without open tasks by itself',
  },
  async () => {
    const { vault, running, rest } = await watched();
    vault.edit(PAY, 'state: open', 'state: done');
    const patch = { target: PAY, before_sha256: 'a', after_sha256: 'b' };
    const fields = { state: { before: 'open', after: 'done', before_source: 'state: open\n' } };
    const claim = {
      ...{ type: 'steward-action', timestamp: new Date().toISOString(), target_path: PAY, decision: 'likely_done' },
      ...{ mode: 'live', changes: { state: { before: 'open', after: 'done' } } },
      undo_recipe: { expires_at: '2099-01-01T00:00:00Z', vault_patch: { ...patch, fields }, plane_revert: null },
    };
    vault.write('event/steward-action-2026-11-23T09-00-00Z-pay.md', noteText(claim, 'Done.'));
    const before = vault.read(PAY);
    await rest();
    expect(vault.read(PAY)).toBe(before);
    expect(vault.paths('signal')).toEqual([]);
    expect(running.happenings.filter(({ what }) => what === 'acted')).toEqual([]);
  },
);
