import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { matter, settings } from '../support/notes.ts';
import { fieldsOf, listOf } from './burst.ts';
import { World } from './world.ts';

const FILES = 20_000; // the kernel queues 16 384 events for a process that does not read them, and drops the rest
const STRONG = 20;
const STALL_MS = 4_000;
const STATUS_MS = 500; // a status looks at each of the signals that wait: asked 50 times a second it takes half of the test's time

test('20 000 files written while the event loop stands still are all found, each signal applied once', async () => {
  const world = new World();
  onTestFinished(() => world.remove());
  world.write('steward.md', settings({ settle_seconds: 0, editable_fields: ['labels'] }));
  world.write('matter/house.md', matter());
  world.write('signal/first.md', '---\ntype: signal\neffect: none\n---\n');
  await world.start();

  const script = path.join(import.meta.dirname, 'stall-child.ts');
  execFileSync(process.execPath, [script, world.root, `${FILES}`, `${STRONG}`, `${STALL_MS}`]);

  // By itself: nobody tells the daemon to look.
  const others = () => ['matter', 'event', 'instinct'].flatMap((folder) => world.files(folder)).length;
  await world.until(() => world.daemon.status().vault.notes === FILES + 1 + others(), STATUS_MS);
  await world.daemon.idle();
  const labels = listOf(fieldsOf(world, 'matter/house.md').labels);
  expect(labels.sort()).toEqual(Array.from({ length: STRONG }, (_, index) => `s${index}`).sort());
  expect(world.files('event')).toHaveLength(STRONG);
});
