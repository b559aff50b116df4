import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const CHILD = path.join(import.meta.dirname, 'lazy-packages-child.ts');

/** What `status` says of the schedule meanwhile. */
const DEFAULT = 'default, since steward_schedule cannot be read';

test('a package that cannot be loaded is told as such, blames neither note nor schedule, and is loaded at the next use', () => {
  // Few files, so that the child reaches the limit at once.
  const said = execFileSync('sh', ['-c', 'ulimit -n 120; exec "$0" "$1"', process.execPath, CHILD], {
    encoding: 'utf8',
  });
  const told = { code: 'program-unread', exit: 75 };
  expect(JSON.parse(said)).toEqual({
    without: { note: told, edit: told, schedule: told, matter: DEFAULT, domain: told },
    later: { note: { a: ['x'] }, edit: 'a: ["y"]\n', schedule: true, matter: 'steward_schedule', domain: true },
  });
});
