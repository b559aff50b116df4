import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { printStatus } from '../../../src/cli/print/print-status.ts';
import { Printer } from '../../../src/cli/print/printer.ts';
import { HOUSE } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

test('of many sources the first are listed with their figures, and how many more there are', async () => {
  const status = (await Bench.open(new TempVault(HOUSE))).status();
  const sources = Array.from({ length: 18 }, (_, nth) => ({
    ...{ source: `mail:s${nth}@x.example`, confidence: 0.9, observations: nth, threshold: 0.95, wrong: 1 },
    ...{ status: 'live', pinned: nth === 0 },
  }));
  const screen = new PassThrough();
  // The printer uses only `write`, `on` and `isTTY` of its stream.
  printStatus(new Printer(screen as unknown as NodeJS.WriteStream, {}), { ...status, sources });
  const text = String(screen.read());
  expect(text).toMatch(/^ {2}mail:s0@x\.example +0\.90 +needs 0\.95 +0 right +1 wrong +live, pinned$/m);
  expect(text).toContain('mail:s14@x.example');
  expect(text).not.toContain('mail:s15@x.example');
  expect(text).toContain('\n  and 3 more\n');
});
