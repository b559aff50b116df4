import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../stories/support.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');

test('an update below a running daemon: it says so and ends, and the next one reads what came meanwhile', async () => {
  await using sandbox = new Sandbox('example');
  const installed = path.join(sandbox.folder, 'installed');
  for (const part of ['bin', 'dist', 'package.json'])
    fs.cpSync(path.join(PROJECT, part), path.join(installed, part), { recursive: true });
  fs.symlinkSync(fs.realpathSync(path.join(PROJECT, 'node_modules')), path.join(installed, 'node_modules'));
  fs.renameSync(path.join(sandbox.vault, 'stream'), path.join(sandbox.folder, 'later'));
  const daemon = sandbox.start(`'${process.execPath}' installed/bin/steward.js --vault vault run`);
  await daemon.line((line) => line.includes('mode'), 'that the daemon runs');

  fs.renameSync(path.join(installed, 'dist'), path.join(installed, 'former'));
  fs.renameSync(path.join(sandbox.folder, 'later'), path.join(sandbox.vault, 'stream'));
  await daemon.line((line) => line.includes('was updated'), 'that a mail cannot be read any more');
  const { exit, stderr } = await daemon.ended;
  expect({ exit, stderr }).toEqual({
    exit: 75,
    stderr: expect.stringContaining('The program was updated while it ran.'),
  });

  fs.renameSync(path.join(installed, 'former'), path.join(installed, 'dist'));
  const next = sandbox.start(`'${process.execPath}' installed/bin/steward.js --vault vault run`);
  await next.line((line) => line.includes('marlow-approved'), 'that the mail is read');
});
