import { expect, test } from 'vitest';
import { EXIT, StewardError } from '../../../src/vault/errors.ts';
import { unreadableRecord } from '../../../src/vault/index/unreadable-record.ts';

const SEEN = { mtimeMs: 1, ctimeMs: 1, size: 10, ino: 7 };
const TOLD = { code: 'told', message: 'Told.', hint: 'A hint.' };

test.each([
  ['a fault of the note is remembered with it', new StewardError(TOLD), 7],
  ['what may be given the next time is asked for again', new StewardError(TOLD, EXIT.tryAgain), 0],
  ['what the disk refused is asked for again', Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }), 0],
])('%s', (_, error, ino) => {
  expect(unreadableRecord('task/a.md', SEEN, error)).toMatchObject({ kind: 'bad', path: 'task/a.md', stat: { ino } });
});
