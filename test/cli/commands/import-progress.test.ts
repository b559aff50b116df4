import { expect, test } from 'vitest';
import {
  countWords,
  durationWords,
  endedByPerson,
  ProgressLine,
  progressWords,
  sizeWords,
} from '../../../src/cli/commands/import.ts';
import { Printer } from '../../../src/cli/terminal.ts';
import type { ImportProgress } from '../../../src/features/import.ts';

const MIB = 1024 * 1024;
const AT: ImportProgress = {
  ...{ stage: 'reading', from: '/home/robin/box.mbox', file: 'stream/box.mbox', nth: 1, files: 1 },
  ...{ bytes: 100 * MIB, size: 400 * MIB, before: 0, all: 400 * MIB, events: 12_400, signals: 1 },
};

test('the line says how far it is, and for how much longer', () => {
  expect(progressWords(AT, null)).toBe('box.mbox: 100 MiB of 400 MiB, 12,400 events, 1 signal');
  expect(progressWords(AT, 5 * MIB)).toBe(
    'box.mbox: 100 MiB of 400 MiB, 1 min left, 5.0 MiB/s, 12,400 events, 1 signal',
  );
  const copying = { ...AT, stage: 'copying', file: null, nth: 2, files: 3, before: 50 * MIB } as const;
  expect(progressWords(copying, null)).toBe('copying box.mbox (2 of 3): 100 MiB of 400 MiB');
  expect(progressWords({ ...AT, from: `/x/${'a'.repeat(99)}` }, null)).toMatch(/^a{39}…: /);
});

test('sizes and times are said as people say them', () => {
  const sizes = [0, 1023, 1024, 999 * 1024, 1000 * 1024, 2 * 1024 ** 3].map(sizeWords);
  expect(sizes).toEqual(['0 B', '1023 B', '1.0 KiB', '999 KiB', '1.0 MiB', '2.0 GiB']);
  expect([0, 59.5, 61, 89 * 60, 3 * 3600].map(durationWords)).toEqual(['1 s', '60 s', '2 min', '89 min', '3 h']);
});

test('the line is renewed in its place on a terminal, and is nowhere else', () => {
  const screen = (isTTY: boolean, env = {}) => {
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    const err = new Printer({ isTTY, columns: 20, write }, { NO_COLOR: '1', ...env });
    const line = new ProgressLine(err, false);
    line.show(AT);
    line.show({ ...AT, from: '/x/\u001b[2J.mbox' });
    err.line('trouble');
    line.end();
    return text;
  };
  expect(screen(true)).toBe('box.mbox: 100 MiB o\r\u001b[K [2J.mbox: 100 MiB \r\u001b[Ktrouble\n');
  expect(screen(false)).toBe('trouble\n');
  expect(screen(true, { TERM: 'dumb' })).toBe('trouble\n');
});

test('what became of the events of a file is one line', () => {
  const counts = { read: 201, signals: 3, none: 198, past: 0, unread: {}, known: 9, refused: 2, waiting: 0 };
  const troubles = [{ place: 'line 4812', reason: 'no date' }];
  expect(countWords({ ...counts, troubles })).toBe(
    '212 events: 3 signals, 198 without a signal, 9 known, 2 refused (line 4812: no date)',
  );
  const one = { read: 1, signals: 0, none: 1, past: 0, unread: {}, known: 0, refused: 0, waiting: 0, troubles: [] };
  expect(countWords(one)).toBe('1 event: 0 signals, 1 without a signal');
  // An event may give several signals: the line adds up.
  expect(countWords({ ...one, read: 13, signals: 9, none: 5 })).toBe(
    '13 events: 9 signals from 8 events, 5 without a signal',
  );
});

test('who ends an import while the daemon is at it is told what is there', () => {
  const said = (at: ImportProgress | null) => endedByPerson(at).message;
  expect(said(null)).toContain('before anything reached the vault');
  expect(said({ ...AT, file: null, stage: 'copying' })).toContain('before anything reached the vault');
  expect(said(AT)).toBe('You ended it. stream/box.mbox is in the vault, and the daemon reads on.');
  expect(said({ ...AT, files: 3 })).toContain('2 further files still wait outside');
  expect(said({ ...AT, file: null, nth: 2, files: 2 })).toContain('No part of /home/robin/box.mbox is in the vault');
  expect(endedByPerson(null).exit).toBe(130);
});
