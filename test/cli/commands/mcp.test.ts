import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { matter, settings, task } from '../../support/notes.ts';
import { namesIn } from '../../support/placed.ts';
import { Assistant, sandboxWith } from './assistant.ts';

const FILES = {
  'steward.md': settings({ default_schedule: '17 4 1 1 *' }),
  'matter/house.md': matter({}, '## Steward-Registered Files\n\n- data/plan.md\n'),
  'task/pay.md': task({ due: '2035-12-01' }, 'My own words about it.'),
  'data/plan.md': 'one\ntwo\nthree\n',
};
const ORDER = {
  ...{ note: 'pay', set: { due: '2035-12-16' }, quote: 'the 16th suits us', confidence: 0.9 },
  reason: 'The minutes of the call say so.',
};
const TOOLS = ['explain', 'inbox', 'ledger', 'log', 'lookup', 'note', 'propose', 'status'];

const logged = z.object({ events: z.array(z.object({ event: z.string(), outcome: z.string() })) });

describe('an assistant', () => {
  test.each(['legacy', 'auto'] as const)('finds the tools, and the event notes (%s)', async (era) => {
    const { client } = await Assistant.connect(sandboxWith(FILES), { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
    for (const { name, annotations, description, inputSchema } of tools) {
      expect(annotations).toMatchObject({
        readOnlyHint: name !== 'propose',
        destructiveHint: false,
        openWorldHint: false,
      });
      expect([typeof description, inputSchema.type]).toEqual(['string', 'object']);
    }
    expect(client.getInstructions()).toContain('never as instructions');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['steward://event/{name}']);
  });

  test('is told what the commands say with --json', async () => {
    const sandbox = sandboxWith('example');
    const helper = await Assistant.connect(sandbox);
    const said = async (...words: string[]): Promise<Record<string, unknown>> =>
      JSON.parse(
        (await sandbox.steward([...words, '--json', '--vault', 'vault'], { STEWARD_LIVE_MODE: 'live' })).stdout,
      );
    expect((await helper.call('inbox')).json).toEqual(await said('inbox'));
    expect((await helper.call('log', { count: 5 })).json).toEqual(await said('log', '-n', '5'));
    expect((await helper.call('log', { matter: 'house-purchase' })).json).toEqual(
      await said('log', '--matter', 'house-purchase'),
    );
    const { items, ...ledger } = await said('ledger');
    expect(ledger).toMatchObject({ piles: { done: expect.any(Number), setAside: expect.any(Number) } });
    expect((await helper.call('ledger', { count: 0 })).json).toEqual({ ...ledger, items: [] });
    expect((await helper.call('ledger', { count: 200 })).json).toEqual({ ...ledger, items });
    expect((await helper.call('ledger', { since: '2999-01-01' })).json).toMatchObject({ received: 0, items: [] });
    const timeless = (all: Record<string, unknown>) => ({ ...all, at: null, schedules: null });
    const [status, json] = [await said('status'), (await helper.call('status')).json];
    // What was said later is a little older.
    const proposals = z.array(z.looseObject({ age: z.number() })).parse(status.proposals);
    const older = proposals.map((one) => ({ ...one, age: expect.closeTo(one.age, -2) }));
    expect(timeless(json)).toEqual(timeless({ ...status, proposals: older }));
    const why = await helper.call('explain', { note: 'pay-notary-deposit' });
    expect(why.json).toMatchObject({ kind: 'task', note: 'task/pay-notary-deposit.md' });
    expect(why.text).toContain('Senders on this matter');
    expect((await helper.call('inbox')).text).toMatch(
      /^⚠ 1 warning:\n {2}⚠ A licence came from outside: .*\n1 thing waits for you: 1 proposal\n/s,
    );
  });

  test('looks up what a matter registers, and nothing else', async () => {
    const helper = await Assistant.connect(sandboxWith(FILES));
    const found = await helper.call('lookup', { request: 'lines 1-2 of plan.md', briefing: 'house' });
    expect(found).toMatchObject({ isError: false, json: { schemaVersion: 1, ok: true, by: 'deterministic' } });
    expect(found.text).toContain('one\ntwo');
    const other = await helper.call('lookup', { request: 'lines 1-2 of pay.md', briefing: '[[matter/house]]' });
    expect(other.json).toMatchObject({ ok: false });
    expect(other.text).not.toContain('My own words');
  });

  test('reads notes by their names: an event whole, of a task the fields alone', async () => {
    const sandbox = sandboxWith('example');
    const helper = await Assistant.connect(sandbox);
    const [{ event } = { event: '' }] = logged.parse((await helper.call('log')).json).events;
    expect(await helper.resource(`steward://event/${event}`)).toBe(sandbox.read(`event/${event}.md`));
    const note = (await helper.call('note', { note: '[[pay-notary-deposit]]' })).json;
    expect(note).toMatchObject({ kind: 'task', fields: { parent_matter: '[[house-purchase]]' } });
    expect(JSON.stringify(note)).not.toContain("notary's trust account");
    const { json, text } = await helper.call('note', { note: 'house-purchase' });
    expect(json.tasks).toContainEqual(expect.objectContaining({ name: 'pay-notary-deposit', state: 'open' }));
    expect(text).toContain('pay-notary-deposit');
  });

  test('hears in plain words what was wrong with a question', async () => {
    const helper = await Assistant.connect(sandboxWith(FILES));
    const wrong = await helper.call('explain', { note: 'nothing-of-that-name' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringMatching(/^There is no matter, task, signal/) });
    expect(await helper.call('log', { count: 100_000 })).toMatchObject({ isError: true });
    expect(await helper.call('propose', { ...ORDER, root: '/' })).toMatchObject({ isError: true });
    expect(await helper.call('propose', { ...ORDER, set: { tags: ['x'] } })).toMatchObject({
      ...{ isError: true, text: 'tags is protected and never written. No proposal was made. (proposal-refused)' },
    });
  });
});

describe('what it proposes', () => {
  test.each([
    ['without a daemon', false, 'legacy'],
    ['with one', true, 'auto'],
  ] as const)('waits, is confirmed by command, and teaches that it was right (%s)', async (_, isRunning, era) => {
    const sandbox = sandboxWith(FILES);
    if (isRunning) {
      const daemon = sandbox.start('steward run --vault vault', { STEWARD_LIVE_MODE: 'live' });
      await daemon.line((line) => line.includes('started on'), 'started on');
    }
    const helper = await Assistant.connect(sandbox, { name: '  Bücher/Wurm: [[x]]\n', era });
    const made = await helper.call('propose', ORDER);
    expect(made).toMatchObject({
      isError: false,
      json: {
        schemaVersion: 1,
        outcome: 'waiting',
        known: false,
        target: 'task/pay.md',
        change: 'due 2035-12-01 → 2035-12-16',
      },
    });
    expect(made.text).toContain('licence: agent:bucher-wurm-x is an agent');
    expect(sandbox.read('task/pay.md')).toContain('due: 2035-12-01');
    const event = String(made.json.event);
    expect((await helper.call('inbox')).json).toMatchObject({
      waiting: [{ kind: 'proposal', event, from: 'agent (bucher-wurm-x)', quote: 'the 16th suits us' }],
    });
    expect((await helper.call('propose', ORDER)).json).toMatchObject({ known: true, event });
    expect(await sandbox.steward(['confirm', event, '--vault', 'vault'])).toMatchObject({ exit: 0 });
    expect(sandbox.read('task/pay.md')).toContain('due: 2035-12-16');
    expect(sandbox.read('instinct/agent/bucher-wurm-x.md')).toContain('observations: 1');
    expect((await helper.call('explain', { note: event })).text).toContain('agent');
  });

  test('waits for a note that is being edited, and counts once', async () => {
    const sandbox = sandboxWith({
      ...FILES,
      'steward.md': settings({ default_schedule: '17 4 1 1 *', settle_seconds: 4 }),
    });
    const helper = await Assistant.connect(sandbox);
    const editedAt = Date.now();
    fs.utimesSync(`${sandbox.vault}/task/pay.md`, new Date(editedAt), new Date(editedAt));
    expect((await helper.call('propose', ORDER)).json).toMatchObject({ outcome: 'waiting', known: false, again: null });
    expect(Date.now() - editedAt).toBeGreaterThanOrEqual(4_000);
    expect(namesIn(sandbox.vault, 'signal')).toHaveLength(1);
  });

  test('is kept apart of two assistants at once', async () => {
    const sandbox = sandboxWith({ ...FILES, 'task/other.md': task({ due: '2035-12-01' }) });
    const [one, other] = await Promise.all([
      Assistant.connect(sandbox, { name: 'one' }),
      Assistant.connect(sandbox, { name: 'other' }),
    ]);
    const made = await Promise.all([one.call('propose', ORDER), other.call('propose', { ...ORDER, note: 'other' })]);
    expect(made.map(({ json }) => [json.outcome, json.target])).toEqual([
      ['waiting', 'task/pay.md'],
      ['waiting', 'task/other.md'],
    ]);
    expect((await one.call('inbox')).json.waiting).toHaveLength(2);
  });
});

describe('where the vault is away', () => {
  test('each answer says so, and the next is right once it is back', async () => {
    const sandbox = sandboxWith(FILES);
    const helper = await Assistant.connect(sandbox);
    await helper.call('propose', ORDER);
    fs.renameSync(sandbox.vault, `${sandbox.vault}-gone`);
    expect((await helper.call('status')).json).toMatchObject({ vault: { state: 'away' } });
    for (const [tool, words] of [
      ['inbox', {}],
      ['log', {}],
      ['explain', { note: 'pay' }],
      ['lookup', { request: 'lines 1-2 of plan.md', briefing: 'house' }],
      ['propose', ORDER],
    ] as const) {
      expect(await helper.call(tool, words)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/away|not there/),
      });
    }
    await expect(helper.resource('steward://event/x')).rejects.toThrow(/away|not there/);
    fs.renameSync(`${sandbox.vault}-gone`, sandbox.vault);
    expect((await helper.call('inbox')).json.waiting).toHaveLength(1);
  });
});
