import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProviderError } from '../../src/providers/provider.ts';
import { RecordedEvaluator } from '../../src/providers/substitutes.ts';
import type { EvaluatorQuestion } from '../../src/steward/types.ts';
import { question, signal } from '../steward/samples.ts';

const SAID = {
  note: 'task/pay.md',
  decision: 'likely_done',
  confidence: 0.9,
  reasoning: 'It was paid.',
  evidence: [{ signal: 's1', says: 'paid' }],
  contributions: [{ source: 'gmail', share: 1 }],
  changes: [{ field: 'state', op: 'set', value: 'done' }],
};

/** Returns a recording of the reply to the sample question. */
function recording(said: unknown, parts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    note: 'task/pay.md',
    quotes: ['your invoice is paid'],
    prompt: 'evaluate-1',
    recorded: '2026-11-20',
    reply: {
      type: 'message',
      role: 'assistant',
      model: 'some-model',
      content: [{ type: 'text', text: JSON.stringify(said) }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1500, output_tokens: 100 },
    },
    ...parts,
  };
}

function folderOf(...recordings: readonly unknown[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recorded-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  for (const [index, one] of recordings.entries()) {
    fs.writeFileSync(path.join(folder, `${index}.json`), typeof one === 'string' ? one : JSON.stringify(one));
  }
  return folder;
}

const asked = (parts: Partial<EvaluatorQuestion> = {}): EvaluatorQuestion => ({ ...question([signal()]), ...parts });
const judge = (folder: string, parts: Partial<EvaluatorQuestion> = {}) =>
  new RecordedEvaluator(folder).evaluate(asked(parts));

async function failure(evaluation: Promise<unknown>): Promise<ProviderError> {
  const error = await evaluation.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error(`not a failure to answer: ${String(error)}`);
  return error;
}

test('a reply that was kept is the verdict, says that it was kept, and takes nothing of a budget', async () => {
  const verdict = await judge(folderOf(recording(SAID, { note: 'task/other.md' }), recording(SAID)));
  expect(verdict).toEqual({
    ...{ decision: 'likely_done', confidence: 0.9, reasoning: 'It was paid.' },
    evidence: [{ source: 'gmail', ref: '[[2026-11-21T20-19-54Z-0a1b2c3d]]', note: 'paid' }],
    source_contributions: { gmail: 1 },
    changes: [{ field: 'state', op: 'set', value: 'done' }],
    evaluator: 'some-model (recorded 2026-11-20, prompt evaluate-1)',
  });
  expect(new RecordedEvaluator('x').asksModel).toBe(false);
});

test('it is read and checked as a live one: another note, made-up evidence, markup', async () => {
  expect(await judge(folderOf(recording({ ...SAID, note: 'task/other.md' })))).toMatchObject({
    ...{ decision: 'still_active', confidence: 0.3, changes: [], fallback: true },
    evaluator: 'some-model (recorded 2026-11-20, prompt evaluate-1; no reply could be used)',
  });
  const evidence = [...SAID.evidence, { signal: 's7', says: 'trust me' }];
  const found = await judge(folderOf(recording({ ...SAID, evidence, reasoning: '![x](y) <b>' })));
  expect(found.confidence).toBe(0.45);
  expect(found.reasoning).not.toMatch(/[[\]<>]/);
});

test.each([
  ['of another note', { target: { ...asked().target, path: 'task/other.md' } }],
  ['with another signal', { signals: [signal({ quote: 'not yet paid' })] }],
  ['with one signal more', { signals: [signal(), signal({ id: 'two' })] }],
] as [string, Partial<EvaluatorQuestion>][])('a question %s is not answered', async (_, parts) => {
  const error = await failure(judge(folderOf(recording(SAID)), parts));
  expect(error).toMatchObject({ failure: 'unrecorded', sent: false });
  expect(error.message).toContain('There is no recorded reply about task/');
});

test('what is no recording is named, and so is a folder that is not there', async () => {
  expect((await failure(judge(folderOf('{')))).message).toContain("0.json isn't a recorded reply");
  expect((await failure(judge(folderOf(recording(SAID, { recorded: 'once' }))))).message).toContain('0.json');
  const noMessage = recording(SAID, { reply: { model: 'some-model' } });
  expect((await failure(judge(folderOf(noMessage)))).message).toContain("isn't a message of a model");
  expect((await failure(judge('/no/such/folder'))).message).toContain('The folder of recorded replies cannot be read');
});
