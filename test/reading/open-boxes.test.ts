import { describe, expect, test } from 'vitest';
import { readByPhrases } from '../../src/reading/read-event.ts';
import { hasCandidates, TargetIndex } from '../../src/reading/targets.ts';
import { checked } from '../../src/streams/extract.ts';
import { formatOpenBoxes } from '../../src/vault/note-text.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { candidate, eventWith } from '../support/events.ts';
import { matter, settings } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const HOUSE = 'matter/House.md';
const BOXES = ['Pay the plumber invoice', 'Order new door handles', 'Call Sam'].join('\n');

function indexWith(boxes: string = BOXES, tasks: readonly string[] = [], state = 'open') {
  const index = new TargetIndex();
  index.add(candidate({ path: HOUSE, senders: ['anna@notary.example'], boxes, state }));
  for (const task of tasks) index.add(candidate({ path: `task/${task}.md`, matterPath: HOUSE }));
  return index;
}

const said = (text: string, from = 'billing@pipes.example') => eventWith({ from, subject: 'News', text });

describe('the open checkboxes of a note', () => {
  test('are read as their text, without marks, dates and ids behind it', () => {
    const body = [
      '# Plan',
      '- [ ] Pay the plumber 📅 2026-12-09',
      '- [x] Sign the deed',
      '- [-] Sell the boat',
      '\t1. [/] Order handles ^a1b2',
      '> * [?] Ask [[Sam]]',
      '```',
      '- [ ] code',
      '```',
      '- [ ]',
      '- []  no box',
    ].join('\n');
    expect(formatOpenBoxes(body).split('\n')).toEqual(['Pay the plumber', 'Order handles', 'Ask [[Sam]]']);
  });

  test('are read as far as there is room', () => {
    const boxes = formatOpenBoxes(
      Array.from({ length: 5000 }, (_, nth) => `- [ ] Line ${nth} ${'x'.repeat(400)}`).join('\n'),
    );
    expect(boxes.length).toBeLessThanOrEqual(1000);
    expect(Math.max(...boxes.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});

describe('a mail about one of them', () => {
  test('is about the matter, with that line, and changes nothing', () => {
    for (const from of ['anna@notary.example', 'billing@pipes.example']) {
      const { meanings } = readByPhrases(said('The plumber invoice has been paid.', from), indexWith());
      expect(meanings).toMatchObject([{ target: HOUSE, line: 'Pay the plumber invoice', proposal: null }]);
      expect(meanings[0]?.reasoning).toContain('It is about the line “Pay the plumber invoice” in that note.');
    }
    expect(hasCandidates(indexWith(), said('The plumber invoice has been paid.'))).toBe(true);
  });

  test('is about the task where one is meant as well', () => {
    const { meanings } = readByPhrases(
      said('The plumber invoice has been paid.'),
      indexWith(BOXES, ['Pay the plumber invoice']),
    );
    expect(meanings).toMatchObject([{ target: 'task/Pay the plumber invoice.md' }]);
    expect(meanings[0]).not.toHaveProperty('line');
  });

  test('is not about the only task of its matter', () => {
    const event = said('The plumber invoice has been paid.', 'anna@notary.example');
    const { meanings } = readByPhrases(event, indexWith(BOXES, ['Pay the notary']));
    expect(meanings).toMatchObject([{ target: HOUSE, line: 'Pay the plumber invoice' }]);
  });

  test('also by the own verb of the line; a task comes first', () => {
    const event = said('The kitchen boiler has been installed.');
    const { meanings } = readByPhrases(event, indexWith('Install the kitchen boiler'));
    expect(meanings).toMatchObject([{ target: HOUSE, line: 'Install the kitchen boiler', proposal: null }]);
    const both = readByPhrases(event, indexWith('Install the kitchen boiler', ['Install the kitchen boiler']));
    expect(both.meanings).toMatchObject([{ target: 'task/Install the kitchen boiler.md', ambiguous: false }]);
  });

  test('needs most of the line, an open box and an open matter', () => {
    const event = said('The plumber has been paid.');
    expect(readByPhrases(said('The invoice has been paid.'), indexWith()).meanings).toEqual([]);
    expect(readByPhrases(event, indexWith('Call Sam')).meanings).toEqual([]);
    const whole = said('The plumber invoice has been paid.');
    expect(readByPhrases(whole, indexWith(BOXES, [], 'done')).meanings).toEqual([]);
    const index = indexWith();
    index.add(candidate({ path: HOUSE, senders: ['anna@notary.example'] }));
    expect(readByPhrases(whole, index).meanings).toEqual([]);
  });

  test('changes nothing either where a model says so', () => {
    const meaning = {
      ...{ target: HOUSE, candidates: [HOUSE], ambiguous: false, targetConfidence: 0.9, targetEvidence: [] },
      ...{ targetNear: false, endsMatter: false, quote: 'The plumber invoice has been paid', effectConfidence: 0.95 },
      proposal: { class: 'context_edit' as const, set: { summary: 'paid' }, add: {}, remove: {} },
      reasoning: 'It is paid.',
    };
    const extracted = { meanings: [meaning], skipped: null, rejected: [], unusable: null, extractor: 'x', usage: null };
    const read = checked(extracted, said('The plumber invoice has been paid.'), indexWith());
    expect(read.meanings).toMatchObject([{ proposal: null, line: 'Pay the plumber invoice' }]);
  });
});

describe('in a vault', () => {
  const MAIL = [
    'From: Pipes <billing@pipes.example>',
    'To: robin@sample.example',
    'Subject: Your payment',
    `Date: ${new Date().toUTCString()}`,
    'Message-ID: <1@pipes.example>',
    '',
    'The plumber invoice has been paid. Thank you.',
    '',
  ].join('\r\n');

  test('the line is in the signal and in the question, and the note stays as it is', async () => {
    const note = matter({}, '## Now\n\n- [ ] Pay the plumber invoice\n- [x] Sign the deed\n');
    const vault = new TempVault({ [HOUSE]: note, 'steward.md': settings({ settle_seconds: 0 }) });
    vault.write('stream/paid.eml', MAIL);
    const bench = await Bench.open(vault);
    await sweepAndRead(bench);
    const [signal = ''] = vault.names('signal');
    expect(vault.fields(`signal/${signal}`)).toMatchObject({
      target_path: HOUSE,
      target_line: 'Pay the plumber invoice',
      effect: 'action',
    });
    expect(vault.read(`signal/${signal}`)).toContain('It is about the line “Pay the plumber invoice”');
    await bench.tick();
    const [event = ''] = vault.events();
    expect(vault.fields(event)).toMatchObject({ decision: 'needs_input', waiting: true });
    expect(vault.read(event)).toContain('Pay the plumber invoice');
    expect(vault.read(HOUSE)).toBe(note);
  });

  test('what stands in the line is text, as everywhere', async () => {
    const evil = '- [ ] Pay the plumber <img src=x> [[task|x]] ![[y]] `code` | cell #tag %% %%';
    const vault = new TempVault({ [HOUSE]: matter({}, `${evil}\n`), 'steward.md': settings({ settle_seconds: 0 }) });
    vault.write('stream/paid.eml', MAIL.replace('plumber invoice', 'plumber img src task code cell tag'));
    const bench = await Bench.open(vault);
    await sweepAndRead(bench);
    await bench.tick();
    const bodies = [...vault.names('signal').map((name) => `signal/${name}`), ...vault.events()].map((file) =>
      vault.read(file).replace(/^---\n[\s\S]*?\n---\n/, ''),
    );
    expect(bodies.length).toBeGreaterThan(1);
    for (const body of bodies) expect(body).not.toMatch(/<img|(?<!\\)\[\[task\||!\[\[y|(?<!\\)`code/);
  });
});
