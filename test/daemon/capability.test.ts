import { expect, test } from 'vitest';
import { type Capability, type Running as Part, request } from '../../src/daemon/capability.ts';
import { HOUSE, settings, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';

const NOTES = {
  ...HOUSE,
  'steward.md': settings({ settle_seconds: 0 }),
  'task/roof.md': task({}),
  'signal/done.md': signal({ target_path: 'task/roof.md' }),
};

test('a daemon without any capability acts on signals, takes changes back and stops', async () => {
  const vault = new TempVault({ ...NOTES, 'stream/letter.eml': 'Subject: hello\n\nhello\n' });
  const running = await Running.start(vault, { capabilities: [] });
  const { event } = await running.heard('acted');
  await running.daemon.wake();
  await running.daemon.idle();
  expect(running.daemon.next()).not.toBeNull();
  const undo = { op: 'undo' as const, events: [event], last: null, reason: null, force: false, dryRun: false };
  expect(await running.ask(undo)).toMatchObject([{ outcome: 'reversed' }]);
  await expect(running.ask({ op: 'import', files: [] })).rejects.toThrow('Unknown request');
  expect(running.daemon.status().trouble).toEqual([]);
  await running.stop();
});

test('a capability is started, told of changes, asked for work, and ended', async () => {
  const calls: string[] = [];
  class Probe implements Part {
    readonly requests = { probe: request({}, () => 'probed') };
    begin = () => void calls.push('begin');
    changed = () => void calls.push('changed');
    check = () => void calls.push('check');
    idle = async () => void calls.push('idle');
    close = async () => void calls.push('close');
    next = () => 0;
  }
  const probe: Capability = { name: 'probe', words: 'a probe', start: () => new Probe() };
  const vault = new TempVault(NOTES);
  const running = await Running.start(vault, { capabilities: [probe] });
  await running.heard('acted');
  await running.daemon.wake();
  await running.daemon.idle();
  expect(running.daemon.next()).toBe(0);
  await running.stop();
  expect(new Set(calls)).toEqual(new Set(['begin', 'changed', 'check', 'idle', 'close']));
  expect(calls.at(0)).toBe('begin');
  expect(calls.at(-1)).toBe('close');
});
