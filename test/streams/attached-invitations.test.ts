// Over 5 s: each case reads mails and calendars in a vault on disk.
import { expect, test } from 'vitest';
import { readStream } from '../../src/streams/read-stream.ts';
import { Clock } from '../support/clock.ts';
import { matter, settings, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { bytesOf } from './read-forms.ts';

const TASK = 'task/Dental check-up.md';
const never = new AbortController().signal;

/** A day so many days ahead, as a calendar writes it. */
function day(ahead: number): string {
  return new Date(new Clock().now() + ahead * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
}

interface Version {
  readonly sequence: number;
  readonly ahead: number;
  readonly method?: string;
  readonly organiser?: string;
}

function calendar({ sequence, ahead, method = 'REQUEST', organiser = 'desk@toothwell.example' }: Version): string {
  return [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', `METHOD:${method}`, 'BEGIN:VEVENT', 'UID:appt-77@toothwell.example'],
    ...[`SEQUENCE:${sequence}`, `DTSTAMP:2035011${sequence}T080000Z`, `DTSTART;VALUE=DATE:${day(ahead)}`],
    ...['SUMMARY:Dental check-up', `ORGANIZER:mailto:${organiser}`, 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\n');
}

function mail(version: Version, from = 'desk@toothwell.example'): string {
  const text = 'Please see the attached invitation.';
  return bytesOf({ from: `<${from}>`, subject: `Version ${version.sequence}`, text, ics: calendar(version) })
    .toString('utf8')
    .replace('<sample@', `<${version.sequence}-${from}-${version.method ?? ''}@`)
    .replace(/^Date: .*$/m, `Date: ${new Date(new Clock().now()).toUTCString()}`);
}

async function open(due?: string) {
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/teeth.md': matter({ senders: ['desk@toothwell.example'] }),
    [TASK]: task({ parent_matter: '[[teeth]]', ...(due === undefined ? {} : { due }) }),
  });
  const bench = await Bench.open(vault, { clock: new Clock(), env: LIVE });
  const read = async (name: string, text: string) => {
    vault.write(`stream/${name}`, text);
    await bench.sweep();
    const result = await readStream(bench.ports, `stream/${name}`, never);
    if (result?.kind !== 'read') throw new Error(JSON.stringify(result));
    await bench.sweep();
    const proposals = result.signals.map((file) => vault.fields(file).mutation_proposal);
    return { ...result, proposals };
  };
  return { vault, bench, read };
}

const dashed = (ahead: number) => day(ahead).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');

test('an invitation by mail gives what a calendar gives, from a path of its own, and nobody vouches for it', async () => {
  const { vault, read } = await open();
  const { signals, proposals } = await read('one.eml', mail({ sequence: 0, ahead: 9 }));
  expect(proposals).toEqual([{ class: 'context_edit', set: { due: dashed(9) } }]);
  expect(vault.fields(signals[0] ?? '')).toMatchObject({
    source_event_path: expect.stringMatching(/^stream\/one\.eml#[0-9a-f]{12}$/),
    pattern: 'unverified:desk@toothwell.example',
    authenticated: 'none',
    extracted_by: 'calendar (embedded)',
  });
});

test('the same invitation counts once, whichever door it comes by first', async () => {
  const first = await open();
  expect((await first.read('one.eml', mail({ sequence: 0, ahead: 9 }))).signals).toHaveLength(1);
  expect(await first.read('one.ics', calendar({ sequence: 0, ahead: 9 }))).toMatchObject({
    signals: [],
    items: { known: 1 },
  });
  const second = await open();
  expect((await second.read('one.ics', calendar({ sequence: 0, ahead: 9 }))).signals).toHaveLength(1);
  expect((await second.read('one.eml', mail({ sequence: 0, ahead: 9 }))).signals).toEqual([]);
});

test('an update by mail moves the task from where a calendar had it, and one by a calendar from where a mail had it', async () => {
  const { read } = await open(dashed(9));
  await read('one.ics', calendar({ sequence: 0, ahead: 9 }));
  const moved = await read('two.eml', mail({ sequence: 1, ahead: 16 }));
  expect(moved.proposals).toEqual([{ class: 'context_edit', set: { due: dashed(16) } }]);
  const other = await open(dashed(9));
  await other.read('one.eml', mail({ sequence: 0, ahead: 9 }));
  const after = await other.read('two.ics', calendar({ sequence: 1, ahead: 16 }));
  expect(after.signals).toHaveLength(1);
});

test('one that is cancelled by mail is put to the person where the task has its date', async () => {
  const { vault, read } = await open(dashed(9));
  await read('one.eml', mail({ sequence: 0, ahead: 9 }));
  const { signals } = await read('two.eml', mail({ sequence: 1, ahead: 9, method: 'CANCEL' }));
  expect(signals.map((file) => vault.fields(file).effect)).toEqual(['action']);
});

test('what a calendar has in a later version is not taken back by an older mail', async () => {
  const { read } = await open(dashed(16));
  await read('one.ics', calendar({ sequence: 1, ahead: 16 }));
  expect((await read('old.eml', mail({ sequence: 0, ahead: 9 }))).signals).toEqual([]);
});

test("a stranger's version keeps no later one from being read, by mail or calendar", async () => {
  const { read } = await open(dashed(9));
  await read('one.eml', mail({ sequence: 0, ahead: 9 }));
  await read('forged.eml', mail({ sequence: 9, ahead: 30 }, 'thief@far.example'));
  expect((await read('two.eml', mail({ sequence: 1, ahead: 16 }))).proposals).toEqual([
    { class: 'context_edit', set: { due: dashed(16) } },
  ]);
  expect(await read('three.ics', calendar({ sequence: 2, ahead: 23 }))).toMatchObject({ items: { read: 1, known: 0 } });
});

test('an answer by an invited person changes nothing, and why is said', async () => {
  const { read } = await open();
  const { signals, reason } = await read('one.eml', mail({ sequence: 0, ahead: 9, method: 'REPLY' }));
  expect([signals, reason]).toEqual([[], 'no news for a matter']);
  const known = await open(dashed(20));
  expect((await known.read('two.eml', mail({ sequence: 0, ahead: 9 }))).reason).toContain(
    'Its appointment: the task has another date',
  );
});
