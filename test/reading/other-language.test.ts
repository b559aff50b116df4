import { describe, expect, it, vi } from 'vitest';
import { readByPhrases } from '../../src/reading/read-event.ts';
import type { LanguageTable } from '../../src/reading/text.ts';
import { candidate, eventWith, sampleIndex } from '../support/events.ts';

/*
 * A language is one table: here a made-up one in the place of Italian. "Zilta fama" is "was paid", "nokk" is "not".
 */

vi.mock('../../src/vault/data.ts', async (original) => {
  const data = await original<typeof import('../../src/vault/data.ts')>();
  const { loadData } = data;
  const loadInstead = (file: string, schema: Parameters<typeof loadData>[1]) =>
    file === 'languages/it.yaml'
      ? toyLanguage(loadData('languages/en.yaml', schema) as LanguageTable)
      : loadData(file, schema);
  return { ...data, loadData: loadInstead };
});

/** Returns a table with words of its own for a payment, a new day, a request, and what takes them back. */
function toyLanguage(english: LanguageTable): LanguageTable {
  const { topics, cues, names } = english;
  return {
    ...english,
    code: 'it',
    frames: [{ id: 'zilta', pattern: 'zilta(?: [^ ,;.!?]+){0,3}? W', confidence: 0.95 }],
    topics: { ...topics, payment: { ...topics.payment, verbs: 'famar', forms: [{ words: 'fama', ceiling: 0.95 }] } },
    dates: [{ id: 'hopta', pattern: 'hopta gil', confidence: 0.93 }],
    requests: [{ id: 'volti', pattern: 'volti (?:famar|signar)', confidence: 0.85 }],
    cues: { ...cues, negation: 'nokk', condition: 'seff', future: 'morra' },
    names: { ...names, small: 'dze', salutation: 'salo' },
  };
}

const task = candidate({ path: 'task/Famar dze garruga.md' });

function read(text: string): readonly Readonly<Record<string, unknown>>[] {
  const { meanings } = readByPhrases(eventWith({ from: 'kassa@garruga.example', text }), sampleIndex(task));
  return meanings.map(({ target, proposal }) => ({ target, ...proposal?.set }));
}

describe('another language', () => {
  it('is read: done, moved, asked for', () => {
    expect(read('Salo Sam, dze garruga zilta fama.')).toEqual([{ target: task.path, state: 'done' }]);
    expect(read('Dze garruga hopta gil 2026-12-16.')).toEqual([{ target: task.path, due: '2026-12-16' }]);
    expect(read('Volti famar dze garruga.')).toEqual([{ target: task.path }]);
  });

  it.each(['Dze garruga zilta nokk fama.', 'Seff dze garruga zilta fama, …', 'Morra zilta dze garruga fama.'])(
    'takes back what it says: %s',
    (text) => {
      expect(read(text)).toEqual([]);
    },
  );

  it('leaves the others as they are', () => {
    const { meanings } = readByPhrases(eventWith({ text: 'Die deposit invoice wurde bezahlt.' }), sampleIndex(task));
    expect(meanings.map(({ target }) => target)).toEqual(['task/Pay deposit invoice.md']);
  });
});
