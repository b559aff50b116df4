// Uses packages that are loaded late while no file can be opened, and again when files can be. Prints what came of each.
import fs from 'node:fs';
import { ownSchedule } from '../../src/daemon/schedule.ts';
import { StateStore } from '../../src/daemon/state.ts';
import { nextCron } from '../../src/steward/schedule.ts';
import { editFields } from '../../src/vault/edit.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING, readRecord } from '../../src/vault/record.ts';
import { isAligned } from '../../src/vault/source-names.ts';

const STAT = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };
const NOTE = Buffer.from('---\nsteward_schedule: 0 9 * * MON-FRI\n---\n');
const house = readRecord(new Layout(), DEFAULT_MAPPING, 'matter/house.md', STAT, NOTE);
const state = new StateStore('/nowhere');

const uses: Readonly<Record<string, () => unknown>> = {
  edit: () =>
    editFields('task/a.md', '---\na: [x]\n---\n', [{ op: 'set', field: 'a', value: ['y'] }]).text.slice(4, -4),
  schedule: () => nextCron('0 9 * * MON-FRI', 0) !== null,
  matter: () => (house.kind === 'matter' ? ownSchedule(state, house, '30m').source : house.kind),
  domain: () => isAligned('mail.example.co.uk', 'example.co.uk'),
};

function outcomes(): Record<string, unknown> {
  const outcomeOf = (use: () => unknown) => {
    try {
      return use();
    } catch (error) {
      return error instanceof StewardError ? { code: error.trouble.code, exit: error.exit } : String(error);
    }
  };
  return Object.fromEntries(Object.entries(uses).map(([name, use]) => [name, outcomeOf(use)]));
}

function takenHandles(): number[] {
  const handles: number[] = [];
  for (;;) {
    try {
      handles.push(fs.openSync('/dev/null', 'r'));
    } catch {
      return handles;
    }
  }
}

const handles = takenHandles();
const without = outcomes();
for (const handle of handles) fs.closeSync(handle);
console.log(JSON.stringify({ without, later: outcomes() }));
