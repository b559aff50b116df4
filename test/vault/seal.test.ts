import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { readEnvironment, sealKeyAt, sealKeyFile, vaultSeal } from '../../src/daemon/environment.ts';
import { type Frontmatter, readNote } from '../../src/vault/frontmatter.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { eventFields, signalFields } from '../../src/vault/record.ts';
import { isOwn as isOwnRecord, isOwnSignal, resealed, Seal, sealEvent, sealSignal } from '../../src/vault/seal.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE } from '../support/notes.ts';
import { ownSignal, testSeal } from '../support/own-signal.ts';
import { flatFields } from '../support/record.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only } from '../support/workspace.ts';

type Fields = Readonly<Record<string, unknown>>;

const SEAL = new Seal(Buffer.alloc(32, 7));
const OTHER = new Seal(Buffer.alloc(32, 8));
const SIGNAL = {
  ...{ source_type: 'mail', pattern: 'anna@notary.example', from: 'Anna <anna@notary.example>' },
  ...{ source_event_path: 'stream/a.eml', raw_quote: 'it is paid', origin_at: '2026-11-21T20:19:54Z' },
  ...{ target_kind: 'task', target_path: 'task/pay.md', target_confidence: 0.9, target_ambiguous: false },
  ...{ target_candidates: [], target_evidence: ['sender'], target_near: false, ends_matter: false },
  ...{ authenticated: 'none', authenticated_by: null, effect: 'mutation' },
  ...{ effect_confidence: 0.8, effect_confidence_raw: 0.9 },
  mutation_proposal: { class: 'context_edit', set: { due: '2026-12-24', owner: 'Robin' } },
};
const EVENT = {
  ...{ type: 'signal-action', timestamp: '2026-11-21T20:19:54Z', target_path: 'task/pay.md', decision: 'context_edit' },
  ...{ mode: 'live', changes: { due: { before: null, after: '2026-12-24' } }, signals: ['[[s1]]'] },
  source_contributions: { 'mail:anna@notary.example': 0.9, bank: 0.3 },
  undo_recipe: {
    expires_at: '2026-11-28T20:19:54Z',
    vault_patch: {
      ...{ target: 'task/pay.md', before_sha256: 'a', after_sha256: 'b' },
      fields: { due: { before: null, after: '2026-12-24', before_source: null } },
    },
    plane_revert: null,
  },
};

/** The frontmatter as it is read back from the note that holds it. */
function read(fields: Fields): Frontmatter {
  const found = readNote('note.md', Buffer.from(noteText(fields, 'Text.')));
  if (!found.ok) throw new Error(found.trouble.message);
  return flatFields(found.note.data);
}

const isOwn = (fields: Fields, name = 's1', seal = SEAL) =>
  isOwnSignal(seal, { name, fields: signalFields.parse(read(fields)) });
const eventIn = (fields: Fields, name = 'e1') => ({
  kind: 'event' as const,
  name,
  fields: eventFields.parse(read(fields)),
});

describe('a signal note of the program’s own', () => {
  const sealed = sealSignal(SEAL, 'signal/s1.md', SIGNAL);

  test('is known again by its own key alone, and by the name it was given, in whatever folder', () => {
    expect(isOwn(sealed)).toBe(true);
    expect(isOwn(sealed, 'S1')).toBe(true);
    expect(isOwn(sealed, 's1', OTHER)).toBe(false);
    expect(isOwn(sealed, 's2')).toBe(false);
    expect(isOwn({ ...sealed, seal: null })).toBe(false);
    expect(isOwn({ ...sealed, seal: '' })).toBe(false);
    expect(isOwn({ ...sealed, seal: `${sealed.seal}0` })).toBe(false);
    expect(isOwn(SIGNAL)).toBe(false);
  });

  test.each([
    ...[{ source_type: 'bank' }, { pattern: 'ben@notary.example' }, { pattern: null }, { from: 'Ben' }],
    ...[{ source_event_path: 'stream/b.eml' }, { raw_quote: 'it is not paid' }, { origin_at: '2026-11-22T20:19:54Z' }],
    ...[{ target_kind: 'matter' }, { target_path: 'task/other.md' }, { target_confidence: 1 }],
    ...[{ target_ambiguous: true }, { target_candidates: ['task/other.md'] }, { target_evidence: ['link'] }],
    ...[{ target_near: true }, { ends_matter: true }, { authenticated: 'pass' }, { authenticated_by: 'mx.example' }],
    ...[{ effect: 'action' }, { effect_confidence: 1 }, { effect_confidence_raw: 1 }, { mutation_proposal: null }],
    { mutation_proposal: { class: 'context_edit', set: { due: '2027-12-24', owner: 'Robin' } } },
    ...[{ status: 'applied' }, { status: 'skipped' }],
  ])('with %j in it is so no more', (changed) => {
    expect(isOwn({ ...sealed, ...changed })).toBe(false);
  });

  test('stays so whatever is stamped or written beside it, and in whatever order its keys stand', () => {
    expect(isOwn({ ...sealed, applied_at: '2026-11-22', audit_record_path: 'e', note: 'x' })).toBe(true);
    const turned = { class: 'context_edit', set: { owner: 'Robin', due: '2026-12-24' } };
    expect(isOwn(Object.fromEntries(Object.entries({ ...sealed, mutation_proposal: turned }).reverse()))).toBe(true);
  });

  test('survives its way through a note, whatever letters are in it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 50 });
    fc.assert(
      fc.property(text, text, text, fc.double({ min: 0, max: 1, noNaN: true }), (pattern, quote, due, sure) => {
        const proposal = { class: 'context_edit', set: { due, [`k${due}`]: quote } };
        const said = { pattern, raw_quote: quote, target_confidence: sure, mutation_proposal: proposal };
        const fields = sealSignal(SEAL, 'signal/s1.md', { ...SIGNAL, ...said });
        expect(isOwn(fields)).toBe(true);
        expect(isOwn({ ...fields, raw_quote: `${quote}!` })).toBe(false);
      }),
      { numRuns: lawRuns() },
    );
  });
});

describe('an event note of the program’s own', () => {
  const sealed = read(sealEvent(SEAL, 'event/e1.md', EVENT));

  test('is known again by key and name, and not with anything else in it', () => {
    expect(isOwnRecord(SEAL, eventIn(sealed))).toBe(true);
    expect(isOwnRecord(OTHER, eventIn(sealed))).toBe(false);
    expect(isOwnRecord(SEAL, eventIn(sealed, 'e2'))).toBe(false);
    const others: Fields[] = [
      ...[{ type: 'signal-action-confirmed' }, { timestamp: '2026-11-22T20:19:54Z' }, { target_path: 'task/b.md' }],
      ...[{ decision: 'likely_done' }, { mode: 'shadow' }, { signals: ['[[s2]]'] }, { undo_recipe: null }],
      ...[{ pending_cleared: true }, { confidence: 0.99 }, { note_sha256: 'c' }, { prior_state: 'done' }],
      ...[{ prior_frontmatter: { due: '2026-12-24' } }, { candidates: ['[[b]]'] }, { taught_by: 'made by hand' }],
      ...[{ change: 'nothing' }, { from: 'Anna Example' }, { quote: 'it is not paid' }, { dismisses: '[[e0]]' }],
      ...[{ changes: {} }, { source_contributions: { bank: 0.3 } }, { taught: 'right' }, { confirms: '[[e0]]' }],
    ];
    for (const other of others)
      expect(isOwnRecord(SEAL, eventIn({ ...sealed, ...other })), JSON.stringify(other)).toBe(false);
  });

  test('stays so with its boxes ticked, and the keys of its maps in another order', () => {
    const turned = { bank: 0.3, 'mail:anna@notary.example': 0.9 };
    const ticked = { ...sealed, undo: true, confirm: true, source_contributions: turned, remark: 'Robin was here' };
    expect(isOwnRecord(SEAL, eventIn(ticked))).toBe(true);
  });

  test('has a new mark once it has taught, and the old one holds no more', () => {
    const seal = resealed(SEAL, eventIn(sealed), { taught: 'right' });
    expect(isOwnRecord(SEAL, eventIn({ ...sealed, taught: 'right', seal }))).toBe(true);
    expect(isOwnRecord(SEAL, eventIn({ ...sealed, taught: 'wrong', seal }))).toBe(false);
    expect(isOwnRecord(SEAL, eventIn({ ...sealed, seal }))).toBe(false);
  });
});

describe('the key', () => {
  const home = () => new TempVault().home;

  test('lies in the user’s state folder, outside every vault', () => {
    expect(sealKeyFile({ STATE_DIRECTORY: '/var/lib/x', XDG_STATE_HOME: '/s' })).toBe(
      '/var/lib/x/vault-steward/seal-key',
    );
    expect(sealKeyFile({ XDG_STATE_HOME: '/s' })).toBe('/s/vault-steward/seal-key');
    expect(sealKeyFile({})).toMatch(/\.local\/state\/vault-steward\/seal-key$/);
  });

  test('comes from the operator’s credential where there is one, which must be long', () => {
    const folder = home();
    const env = { CREDENTIALS_DIRECTORY: folder, XDG_STATE_HOME: folder };
    expect(readEnvironment(env).sealSecret).toBeNull();
    fs.writeFileSync(path.join(folder, 'seal_key'), `${'k'.repeat(32)}\n`);
    const { sealSecret = null } = readEnvironment(env);
    const [one, other] = [{ sealSecret }, { sealSecret, sealKey: path.join(folder, 'elsewhere') }];
    const markOf = (places: object) => vaultSeal(places, folder, false).seal.of('a note');
    fs.writeFileSync(path.join(folder, 'identity.json'), '{"id":"a"}');
    expect(markOf(one)).toBe(markOf(other));
    expect(markOf(one)).not.toBe(markOf({ sealSecret: 'l'.repeat(32) }));
    const file = path.join(folder, 'own-secret');
    fs.writeFileSync(file, 'l'.repeat(32), { mode: 0o600 });
    expect(readEnvironment({ ...env, STEWARD_SEAL_KEY_FILE: file }).sealSecret).toBe('l'.repeat(32));
    // Neither is read to an end that it doesn't have.
    for (const place of ['/dev/zero', '/'])
      expect(() => readEnvironment({ STEWARD_SEAL_KEY_FILE: place })).toThrow(/STEWARD_SEAL_KEY_FILE .*can't be read/);
    expect(() => readEnvironment({ STEWARD_SEAL_KEY_FILE: `${file}.missing` })).toThrow(
      /STEWARD_SEAL_KEY_FILE.*ENOENT/,
    );
    fs.writeFileSync(path.join(folder, 'seal_key'), 'short');
    expect(() => readEnvironment(env)).toThrow('fewer than 32 characters');
  });

  test('is made once, for this user alone, and is the same ever after', () => {
    const file = path.join(home(), 'deep', 'er', 'seal-key');
    const made = sealKeyAt(file, true);
    expect(made.trouble).toBeNull();
    expect(sealKeyAt(file, true).key).toEqual(made.key);
    expect(sealKeyAt(file, false).key).toEqual(made.key);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.dirname(file))).toEqual(['seal-key']);
  });

  test('is not made by who only reads: that one has a key of its own, and no trouble', () => {
    const file = path.join(home(), 'seal-key');
    const [one, other] = [sealKeyAt(file, false), sealKeyAt(file, false)];
    expect(one.trouble).toBeNull();
    expect(one.key).not.toEqual(other.key);
    expect(fs.existsSync(file)).toBe(false);
  });

  test('of whoever came first holds for both where two make it at once', () => {
    const file = path.join(home(), 'seal-key');
    const first = Buffer.alloc(32, 3);
    vi.spyOn(fs, 'linkSync').mockImplementationOnce(() => {
      fs.writeFileSync(file, first.toString('hex'));
      throw Object.assign(new Error('it exists'), { code: 'EEXIST' });
    });
    expect(sealKeyAt(file, true).key).toEqual(first);
    expect(fs.readdirSync(path.dirname(file))).toEqual(['seal-key', 'vault']);
  });

  test.each(['', 'abc', 'zz'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33)])(
    'that the file does not hold (%j) is said, and the file is left as it is',
    (text) => {
      const file = path.join(home(), 'seal-key');
      fs.writeFileSync(file, text);
      const { key, trouble } = sealKeyAt(file, true);
      expect(key).toHaveLength(32);
      expect(trouble).toMatchObject({ code: 'seal-key' });
      expect(fs.readFileSync(file, 'utf8')).toBe(text);
    },
  );

  test('that cannot be read is in status, and nothing of before counts as the program’s own', async () => {
    const files = { ...HOUSE, 'task/pay.md': '---\ntype: task\nsenders: [anna@notary.example]\n---\n' };
    const vault = new TempVault({ ...files, 'signal/s1.md': ownSignal('signal/s1.md') });
    const away = await Bench.open(vault, { env: { ...LIVE, sealKey: vault.home } });
    expect(away.status().trouble).toMatchObject([{ code: 'seal-key' }]);
    const [record] = away.catalogue.signals();
    expect(record && isOwnSignal(away.ports.context.seal, record)).toBe(false);
    expect(isOwnSignal(testSeal(), only(away.catalogue.signals()))).toBe(true);
  });
});
