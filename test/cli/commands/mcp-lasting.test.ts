import { once } from 'node:events';
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { matter, settings, task } from '../../support/notes.ts';
import { namesIn } from '../../support/placed.ts';
import { callOf, sandboxWith, Wire } from './assistant.ts';

const FILES = {
  'steward.md': settings({ default_schedule: '17 4 1 1 *' }),
  'matter/house.md': matter(),
  'task/pay.md': task({ due: '2035-12-01' }),
};
const ORDER = { note: 'pay', set: { due: '2035-12-16' }, quote: 'the 16th', reason: 'So they say.', confidence: 1 };

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends it in order', async (signal) => {
  const wire = new Wire(sandboxWith(FILES));
  await wire.greet();
  wire.child.kill(signal);
  expect(await wire.ended).toBe(0);
  expect(wire.complained).toBe('');
});

test('it ends with its input, and answers first what was asked before', async () => {
  const sandbox = sandboxWith(FILES);
  const wire = new Wire(sandbox);
  await wire.greet();
  wire.send(callOf(1, 'propose', ORDER), callOf(2, 'inbox'));
  wire.child.stdin.end();
  expect(await wire.ended).toBe(0);
  expect(JSON.stringify(await wire.answer(1))).toContain('"outcome":"waiting"');
  expect(JSON.stringify(await wire.answer(2))).toContain('1 thing waits for you');
});

test('a client that is gone in the middle leaves a whole proposal or none', async () => {
  const sandbox = sandboxWith(FILES);
  const wire = new Wire(sandbox);
  await wire.greet();
  wire.send(callOf(1, 'propose', ORDER));
  wire.child.stdout.destroy();
  wire.child.stdin.destroy();
  expect(await wire.ended).toBe(0);
  const events = namesIn(sandbox.vault, 'event');
  expect(events.length).toBeLessThan(2);
  expect(fs.readdirSync(`${sandbox.vault}/.steward/journal`)).toEqual([]);
  expect(fs.existsSync(`${sandbox.vault}/.steward/lock`)).toBe(false);
});

test('a client that cancels a proposal is not waited for', async () => {
  const sandbox = sandboxWith(FILES);
  const now = new Date();
  fs.utimesSync(`${sandbox.vault}/task/pay.md`, now, now); // it is being edited: the proposal would wait
  const wire = new Wire(sandbox);
  await wire.greet();
  wire.send(callOf(1, 'propose', ORDER));
  await expect.poll(() => fs.existsSync(`${sandbox.vault}/signal`)).toBe(true);
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, callOf(2, 'inbox'));
  await wire.answer(2);
  expect(Date.now() - now.getTime()).toBeLessThan(10_000);
});

test('nothing but messages is said on standard output', async () => {
  const sandbox = sandboxWith({
    ...FILES,
    'task/bad.md': '---\nstate: [\n---\n',
    'steward.md': '---\nmode: nonsense\n---\n',
  });
  const wire = new Wire(sandbox);
  await wire.greet();
  wire.send(callOf(1, 'status'), callOf(2, 'propose', ORDER), callOf(3, 'log'));
  for (const id of [1, 2, 3]) await wire.answer(id);
  for (const message of wire.said) expect(message.jsonrpc).toBe('2.0');
});

test('memory stays bounded over many readings', async () => {
  const sandbox = sandboxWith('example');
  const wire = new Wire(sandbox);
  await wire.greet();
  const used = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${wire.pid}/status`, 'utf8'))?.[1]) / 1024;
  const open = () => fs.readdirSync(`/proc/${wire.pid}/fd`).length;
  const ask = async (from: number, count: number) => {
    for (let at = from; at < from + count; at += 1) {
      wire.send(callOf(at, 'explain', { note: 'pay-notary-deposit' }));
      await wire.answer(at);
    }
  };
  await ask(0, 20);
  const [before, held] = [used(), open()];
  await ask(20, 80);
  expect(open()).toBeLessThanOrEqual(held + 2);
  expect(used() - before).toBeLessThan(100);
  wire.child.stdin.end();
  await once(wire.child, 'close');
});

test('without a vault it says so, and where it lies', async () => {
  const sandbox = sandboxWith(FILES);
  expect(await sandbox.steward(['mcp'])).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: expect.stringMatching(/There is no vault here/),
  });
});
