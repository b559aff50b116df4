import { describe, expect, test } from 'vitest';
import { rightOutcomes, standingOf, witnessOf } from '../../../src/steward/trust.ts';
import type { TargetRecord } from '../../../src/vault/index/record.ts';
import { HOUSE, matter, signal, task } from '../../support/notes.ts';
import { ANNA, ownSignal } from '../../support/own-signal.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';
import { Bench, only } from '../../support/workspace.ts';

const SOURCE = `mail:${ANNA}`;
const VOICE = { source: SOURCE, pattern: ANNA, writer: 'own' } as const;
const PLAIN: Files = { ...HOUSE, 'task/pay.md': task() };

async function bench(files: Files = {}) {
  const vault = new TempVault({ ...PLAIN, ...files });
  return { vault, bench: await Bench.open(vault) };
}

function target(bench: Bench, path = 'task/pay.md'): TargetRecord {
  const found = bench.catalogue.get(path);
  if (found?.kind !== 'task' && found?.kind !== 'matter') throw new Error(`${path} is ${found?.kind}`);
  return found;
}

/** Has Anna's mails propose something of tasks of the house, and each be answered; returns the answers' paths. */
async function answered(vault: TempVault, one: Bench, count: number, how: 'confirm' | 'dismiss' = 'confirm', by = {}) {
  const before = new Set(vault.events());
  for (let nth = 0; nth < count; nth += 1) {
    const name = `${how}-${before.size}-${nth}`;
    vault.write(`task/${name}.md`, task());
    const path = `signal/${name}.md`;
    const about = {
      target_path: `task/${name}.md`,
      raw_quote: name,
      effect_confidence: 0.8,
      target_evidence: ['words'],
    };
    vault.write(path, ownSignal(path, { ...about, ...by }));
    await one.tick();
    await one[how](only(one.openProposals()).event.path);
  }
  return vault.events(`steward-action-${how}`).filter((path) => !before.has(path));
}

describe('named', () => {
  test.each([
    ['by the task', { 'task/pay.md': task({ senders: [ANNA] }) }],
    ['by its matter', { 'matter/house.md': matter({ senders: [ANNA] }) }],
    ['with a name and a link', { 'task/pay.md': task({ senders: [`Anna Example <${ANNA}>`] }) }],
    ['as a mailto link', { 'task/pay.md': task({ senders: [`mailto:${ANNA}`] }) }],
    ['in other letters', { 'task/pay.md': task({ senders: [' ANNA@Notary.example '] }) }],
    ['with everybody of her domain', { 'task/pay.md': task({ senders: ['@notary.example'] }) }],
  ])('%s', async (_, files) => {
    const { bench: one } = await bench(files);
    expect(standingOf(one.ports, VOICE, target(one))).toEqual({ known: 'named', right: 0 });
  });

  test.each([
    ...[
      'ben@notary.example',
      'anna@notary.example.evil.example',
      'notary.example',
      'example',
      '@example',
      '@',
      '',
      '*',
    ],
    ...['anna', '@sub.notary.example', 'xanna@notary.example', '<anna@notary.example> eve@evil.example'],
  ])('not by %j', async (listed) => {
    const { bench: one } = await bench({ 'task/pay.md': task({ senders: [listed] }) });
    expect(standingOf(one.ports, VOICE, target(one))).toEqual({ known: 'unknown', right: 0 });
  });

  test('not by another task of the matter, nor by another matter', async () => {
    const files = { 'task/b.md': task({ senders: [ANNA] }), 'matter/boat.md': matter({ senders: [ANNA] }) };
    const { bench: one } = await bench(files);
    expect(standingOf(one.ports, VOICE, target(one)).known).toBe('unknown');
    expect(standingOf(one.ports, VOICE, target(one, 'matter/house.md')).known).toBe('unknown');
  });

  test('never a note that anybody wrote; always a trusted source', async () => {
    const { bench: one } = await bench({ 'task/pay.md': task({ senders: [ANNA, 'other'] }) });
    const anybody = { source: 'other', pattern: null, writer: 'unknown' } as const;
    expect(standingOf(one.ports, anybody, target(one)).known).toBe('unknown');
    expect(standingOf(one.ports, { ...VOICE, writer: 'unknown' }, target(one)).known).toBe('unknown');
    const trusted = { source: 'bank', pattern: null, writer: 'trusted' } as const;
    expect(standingOf(one.ports, trusted, target(one, 'matter/house.md')).known).toBe('named');
  });

  test('also where nobody vouches: what she claims to be is one thing, who vouches another', async () => {
    const { bench: one } = await bench({ 'task/pay.md': task({ senders: [ANNA] }) });
    const claimed = { ...VOICE, source: `mail:unverified:${ANNA}`, pattern: `unverified:${ANNA}` };
    expect(standingOf(one.ports, claimed, target(one)).known).toBe('named');
  });
});

describe('earned', () => {
  test('after five confirmations on the matter, for all its notes, and for no other matter', async () => {
    const { vault, bench: one } = await bench({ 'matter/boat.md': matter() });
    await answered(vault, one, 4);
    expect(standingOf(one.ports, VOICE, target(one))).toEqual({ known: 'unknown', right: 4 });
    await answered(vault, one, 1);
    expect(standingOf(one.ports, VOICE, target(one))).toEqual({ known: 'earned', right: 5 });
    expect(standingOf(one.ports, VOICE, target(one, 'matter/house.md')).known).toBe('earned');
    expect(standingOf(one.ports, VOICE, target(one, 'matter/boat.md'))).toEqual({ known: 'unknown', right: 0 });
    const others = ['mail', 'mail:ben@notary.example', `bank:${ANNA}`, `mail:unverified:${ANNA}`];
    for (const source of others) expect(rightOutcomes(one.ports, source, target(one))).toBe(0);
    expect(rightOutcomes(one.ports, ` MAIL:${ANNA.toUpperCase()}`, target(one))).toBe(5);
    expect(standingOf(one.ports, { ...VOICE, writer: 'unknown' }, target(one)).known).toBe('unknown');
  });

  test('not by what was dismissed, nor by a confirmation that was taken back', async () => {
    const { vault, bench: one } = await bench();
    const [confirmed] = await answered(vault, one, 2);
    await answered(vault, one, 2, 'dismiss');
    expect(rightOutcomes(one.ports, SOURCE, target(one))).toBe(2);
    await one.undo(confirmed ?? '');
    expect(rightOutcomes(one.ports, SOURCE, target(one))).toBe(1);
    await one.undo(only(vault.events('steward-action-reversed-')));
    expect(rightOutcomes(one.ports, SOURCE, target(one))).toBe(2);
  });

  test('by what a person’s own hand made as proposed', async () => {
    const { vault, bench: one } = await bench();
    const path = 'signal/due.md';
    const proposal = { mutation_proposal: { class: 'context_edit', set: { due: '2026-12-24' } } };
    vault.write(path, ownSignal(path, { ...proposal, effect_confidence: 0.8 }));
    await one.tick();
    expect(rightOutcomes(one.ports, SOURCE, target(one))).toBe(0);
    vault.edit('task/pay.md', 'state: open', 'state: open\ndue: 2026-12-24');
    await one.tick();
    expect(rightOutcomes(one.ports, SOURCE, target(one))).toBe(1);
  });

  test('not by notes that somebody else has put there or has changed', async () => {
    const { vault, bench: one } = await bench();
    const [confirmed] = await answered(vault, one, 1);
    const text = vault.read(confirmed ?? '');
    for (const nth of [1, 2, 3, 4, 5])
      vault.write(`event/steward-action-confirmed-2026-01-0${nth}T00-00-00Z-x.md`, text);
    await one.sweep();
    expect(rightOutcomes(one.ports, SOURCE, target(one))).toBe(1);
    vault.edit(confirmed ?? '', SOURCE, 'mail:eve@evil.example');
    await one.sweep();
    expect(rightOutcomes(one.ports, 'mail:eve@evil.example', target(one))).toBe(0);
    expect(rightOutcomes(one.ports, SOURCE, target(one))).toBe(0);
  });
});

describe('a mail of a sender that acts', () => {
  const NAMED = { 'task/pay.md': task({ senders: [ANNA] }), 'signal/s1.md': ownSignal('signal/s1.md') };

  test('carries its standing and its evidence to the gate', async () => {
    const { bench: one } = await bench(NAMED);
    expect(witnessOf(one.ports, only(one.catalogue.signals()), target(one))).toEqual({
      ...{
        source: SOURCE,
        sender: ANNA,
        known: 'named',
        right: 0,
        vouched: 'pass',
        server: 'mx.notary.example',
        writer: 'own',
      },
      ...{
        evidence: ['link', 'sender'],
        near: true,
        targetConfidence: 0.98,
        endsMatter: false,
        doubt: null,
        owed: 0,
        reading: 1,
      },
    });
  });

  test('is acted upon where the task names her, and proposed where she is a stranger, or nobody vouches', async () => {
    const forged = ownSignal('signal/s1.md', { authenticated: 'fail', authenticated_by: 'mx.robin.example' });
    const claims = signal({ source_type: 'gmail_unknown', pattern: ANNA });
    for (const [files, state, why] of [
      [NAMED, 'done', null],
      [{ ...NAMED, 'task/pay.md': task() }, 'open', /it has 0 of 5 right outcomes here/],
      [{ ...NAMED, 'signal/s1.md': forged }, 'open', /mx\.robin\.example says that/],
      [{ ...NAMED, 'signal/s1.md': claims }, 'open', /somebody else wrote the signal/],
    ] as const) {
      const { vault, bench: one } = await bench(files);
      await one.tick();
      expect(vault.fields('task/pay.md').state).toBe(state);
      if (why !== null) expect(vault.read(only(vault.events()))).toMatch(why);
    }
  });
});
