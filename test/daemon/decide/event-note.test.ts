import { expect, test } from 'vitest';
import { sha256 } from '../../../src/vault/hash.ts';
import { DAY } from '../../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, PAID_MAIL, signal } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';

const SIGNAL = 'signal/2026-11-21T20-19-54Z-0a1b2c3d.md';
const DONE = ODD_TASK.replace("state:   'open'   # not yet", "state:   'done'   # not yet");

test('a strong signal changes one field of the task note, and every other byte stays', async () => {
  const vault = new TempVault(HOUSE);
  const running = await Running.start(vault);
  vault.write(SIGNAL, signal());
  const acted = await running.heard('acted');
  expect(vault.read('task/pay.md')).toBe(DONE);
  expect(acted).toMatchObject({ target: 'task/pay.md', decision: 'state_change', confidence: 0.97 });
  expect(acted.changes).toEqual({ state: { before: 'open', after: 'done' } });
  expect(vault.read('matter/house.md')).toBe(HOUSE['matter/house.md']);
});

test('the event note holds every field of the contract, and hashes of the whole notes', async () => {
  const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
  const running = await Running.start(vault);
  const { event } = await running.heard('acted');
  expect(event).toMatch(/^event\/(\d{4}-\d\d)\/signal-action-\1-\d\dT\d\d-\d\d-\d\dZ-pay\.md$/);
  const fields = vault.fields(event);
  expect(fields).toMatchObject({
    type: 'signal-action',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    target: '[[pay]]',
    target_path: 'task/pay.md',
    decision: 'state_change',
    confidence: 0.97,
    mode: 'live',
    prior_state: 'open',
    prior_frontmatter: { state: 'open', tags: ['money', 'house'], type: 'task', due: '2035-12-01' },
    changes: { state: { before: 'open', after: 'done' } },
    evidence: [{ source: 'mail', ref: 'stream/paid.eml', note: 'your invoice is paid' }],
    source_contributions: { mail: 0.97 },
    signals: ['[[2026-11-21T20-19-54Z-0a1b2c3d]]'],
    signals_summary: 'Invoice paid',
    evaluator: expect.any(String),
    pending_confirmation: false,
    plane_action: null,
    undo: false,
    change: 'state open → done',
    from: 'mail',
    quote: 'your invoice is paid',
    waiting: false,
    outcome: 'acted',
  });
  expect(Object.keys(fields).slice(0, 7)).toEqual([
    ...['undo', 'change', 'from', 'quote', 'waiting', 'outcome', 'cssclasses'],
  ]);
  const timestamp = Date.parse(String(fields.timestamp));
  expect(fields.undo_recipe).toEqual({
    expires_at: new Date(timestamp + 7 * DAY).toISOString().replace('.000Z', 'Z'),
    vault_patch: {
      target: 'task/pay.md',
      before_sha256: sha256(ODD_TASK),
      after_sha256: sha256(DONE),
      fields: { state: { before: 'open', after: 'done', before_source: "state:   'open'   # not yet\r\n" } },
    },
    plane_revert: null,
  });
  const body = vault.read(event).split('\n---\n')[1];
  expect(body).toMatch(
    /^\n*The steward marked \[\[pay\]\] as done\.\n\nFrom mail: Invoice paid\n\n> your invoice is paid\n/,
  );
  expect(body).toContain('| state | open | done |');
});

test('the signal is stamped as applied, with the note that says why', async () => {
  const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
  const running = await Running.start(vault);
  const { event } = await running.heard('acted');
  expect(vault.fields(SIGNAL)).toMatchObject({
    status: 'applied',
    applied_at: expect.stringMatching(/Z$/),
    audit_record_path: event,
  });
});

test('what the program writes itself wakes nothing: one event note, however often the vault is looked at', async () => {
  const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal(), 'instinct/mail.md': instinct('mail') });
  const running = await Running.start(vault);
  await running.heard('acted');
  await running.sync();
  await running.ask({ op: 'tick', matters: [], force: true, mode: null });
  await running.sync();
  expect(vault.events()).toHaveLength(1);
  expect(running.count('acted')).toBe(1);
  await running.stop();
  const again = await Running.start(vault);
  await again.sync();
  expect(vault.events()).toHaveLength(1);
});

test('a mail dropped into the stream leads the whole way to the changed note', async () => {
  const vault = new TempVault({
    ...HOUSE,
    'instinct/mail.md': instinct('mail', { confidence: 1, observations: 60 }),
    'task/pay.md': ODD_TASK.replace('due: 2035-12-01', 'due: 2035-12-01\r\nsenders: [billing@roof.example]'),
  });
  const running = await Running.start(vault);
  vault.write('stream/mail/paid.eml', PAID_MAIL);
  const written = await running.heard('signal-written');
  expect(written.target).toBe('task/pay.md');
  await running.heard('acted');
  expect(vault.fields('task/pay.md').state).toBe('done');
  expect(vault.read('stream/mail/paid.eml')).toBe(PAID_MAIL);
});
