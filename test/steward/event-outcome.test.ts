// Over 5 s: each case answers proposals in a vault on disk.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentWords, NOW_PART, untilWords } from '../../src/vault/event-text.ts';
import { stem } from '../../src/vault/layout.ts';
import { Clock, DAY } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, ODD_TASK, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../support/workspace.ts';

const SIGNAL = 'signal/s1.md';
const PAY = 'task/pay.md';
const STRONG = signal({ effect_confidence: 1 });
const QUESTION = weak({ effect: 'action', mutation_proposal: null });
const CHOICE = signal({ target_ambiguous: true, target_candidates: ['task/pay.md', 'task/call.md'] });
const BOXES = ['choose', 'confirm', 'dismiss', 'later', 'undo', 'force', 'deliberate'];

interface Scene {
  readonly vault: TempVault;
  readonly bench: Bench;
  readonly clock: Clock;
  readonly event: string;
}

async function scene(text: string, setting = {}): Promise<Scene> {
  const vault = new TempVault({ ...HOUSE, 'task/call.md': task(), [SIGNAL]: text });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock, ...setting });
  await bench.tick();
  quiet(vault);
  return { vault, bench, clock, event: only(vault.events()) };
}

function quiet(vault: TempVault): void {
  for (const [file, text] of Object.entries(vault.snapshot())) vault.write(file, text);
}

/** What the program's part of a note says. */
function said(vault: TempVault, event: string): string {
  const [, inside = ''] = vault.read(event).split(NOW_PART.begin);
  return inside.split(/\n%% [0-9a-f]{16} %%/)[0]?.trim() ?? '';
}

function boxes(vault: TempVault, event: string): string[] {
  return Object.keys(vault.fields(event)).filter((field) => BOXES.includes(field));
}

function expiry(vault: TempVault, event: string): number {
  const { expires_at: at } = vault.fields(event).undo_recipe as { expires_at: string };
  return Date.parse(at);
}

async function follow({ vault, bench }: Scene): Promise<void> {
  quiet(vault);
  await bench.follow();
}

describe('a new note invites to what can be done, until when', () => {
  test.each([
    ['a change', STRONG, ['undo'], /^Tick `undo` above to undo it, until (?:\w+day) \d+ \w+, \d\d:\d\d\.$/],
    ['a proposal', weak(), ['confirm', 'dismiss', 'later', 'deliberate'], /^Tick `confirm` above to make the change, /],
    ['a question', QUESTION, ['dismiss'], /^Tick `dismiss` above when you are finished with it\.$/],
    ['a choice', CHOICE, ['choose', 'dismiss'], /^Tick the right note in the list to make the change there, /],
  ])('%s', async (_, text, asked, words) => {
    const { vault, event } = await scene(text);
    expect(boxes(vault, event)).toEqual(asked);
    expect(said(vault, event)).toMatch(words);
    expect(vault.fields(event).cssclasses).toEqual(['steward-event']);
  });

  test('times are those of the reader, to the minute', async () => {
    const { vault, event } = await scene(STRONG);
    expect(said(vault, event)).toContain(`until ${untilWords(expiry(vault, event))}.`);
    expect(untilWords(new Date(2026, 10, 30, 14, 5).getTime())).toBe('Monday 30 November, 14:05');
    expect(momentWords(new Date(2026, 10, 23, 9, 0).getTime())).toBe('23 November 2026 at 09:00');
  });
});

describe('what has become of it takes the place of the invitation', () => {
  test('confirmed, and where it is taken back', async () => {
    const here = await scene(weak());
    const { vault, bench, event } = here;
    await bench.confirm(stem(event));
    const answer = only(vault.events('steward-action-confirmed-'));
    const at = momentWords(Date.parse(String(vault.fields(answer).timestamp)));
    expect(said(vault, event)).toBe(
      `You confirmed this on ${at}: [[${stem(answer)}]]. Tick \`undo\` there to undo it, until ${untilWords(expiry(vault, answer))}.`,
    );
    expect(boxes(vault, event)).toEqual([]);
    expect(boxes(vault, answer)).toEqual(['undo']);
    expect(said(vault, answer)).toBe(`Tick \`undo\` above to undo it, until ${untilWords(expiry(vault, answer))}.`);
  });

  test('confirmed by the box, which stays ticked', async () => {
    const { vault, bench, event } = await scene(weak());
    bench.close();
    vault.edit(event, 'confirm: false', 'confirm: true');
    const running = await Running.start(vault);
    await running.sync();
    expect(said(vault, event)).toMatch(/^You confirmed this on .*: \[\[steward-action-confirmed-/);
    expect(boxes(vault, event)).toEqual(['confirm']);
    expect(vault.fields(event).confirm).toBe(true);
  });

  test('dismissed', async () => {
    const { vault, bench, event } = await scene(weak());
    await bench.dismiss(stem(event));
    const answer = only(vault.events('steward-action-dismissed-'));
    expect(said(vault, event)).toMatch(
      /^You dismissed this on \d+ \w+ \d{4} at \d\d:\d\d: \[\[steward-action-dismissed-/,
    );
    expect(said(vault, event)).toMatch(/Tick `undo` there to undo it, until /);
    expect(boxes(vault, event)).toEqual([]);
    expect(boxes(vault, answer)).toEqual(['undo']);
    expect(vault.read(answer)).toContain(`You dismissed [[${stem(event)}]] about [[pay]].`);
  });

  test('taken back; taken back again, the note invites once more', async () => {
    const here = await scene(STRONG);
    const { vault, bench, event } = here;
    const fresh = { said: said(vault, event), boxes: boxes(vault, event) };
    await bench.undo(stem(event));
    await follow(here);
    const reversal = only(vault.events('signal-action-reversed-'));
    expect(said(vault, event)).toMatch(new RegExp(`^You undid this on .*: \\[\\[${stem(reversal)}\\]\\]\\.$`));
    expect(boxes(vault, event)).toEqual([]);
    expect(boxes(vault, reversal)).toEqual(['undo']);
    expect(said(vault, reversal)).toMatch(/^Tick `undo` above to make the change again, until /);
    await bench.undo(stem(reversal));
    await follow(here);
    expect({ said: said(vault, event), boxes: boxes(vault, event) }).toEqual(fresh);
    expect(Object.keys(vault.fields(event))[0]).toBe('undo');
    expect(said(vault, reversal)).toMatch(/^You undid this on /);
  });

  test('a confirmation that is taken back: the proposal and the answer both say so', async () => {
    const here = await scene(weak());
    const { vault, bench, event } = here;
    await bench.confirm(stem(event));
    const answer = only(vault.events('steward-action-confirmed-'));
    await bench.undo(stem(answer));
    await follow(here);
    for (const note of [event, answer]) {
      expect(said(vault, note)).toMatch(/^You undid this on .*: \[\[steward-action-reversed-/);
      expect(boxes(vault, note)).toEqual([]);
    }
    expect(vault.fields(answer).outcome).toBe('confirmed');
  });

  test('superseded, by what', async () => {
    const here = await scene(weak());
    const { vault, bench, event, clock } = here;
    clock.move(60_000);
    vault.write('signal/s2.md', weak({ raw_quote: 'and so it is' }));
    await bench.tick();
    await follow(here);
    const later = only(vault.events().filter((one) => one !== event));
    expect(said(vault, event)).toBe(`A newer note has replaced it: [[${stem(later)}]].`);
    expect(boxes(vault, event)).toEqual([]);
  });

  test('made by the person’s own hand; undone by hand, it waits again', async () => {
    const { vault, event, bench } = await scene(weak(), { env: SHADOW });
    const fresh = { said: said(vault, event), boxes: boxes(vault, event) };
    bench.close();
    const running = await Running.start(vault, { env: SHADOW });
    vault.edit(PAY, "'open'", "'done'");
    await running.sync();
    expect(said(vault, event)).toBe('You made this change by hand, so no answer is needed.');
    expect(boxes(vault, event)).toEqual([]);
    vault.write(PAY, ODD_TASK);
    await running.sync();
    expect({ said: said(vault, event), boxes: boxes(vault, event) }).toEqual(fresh);
  });

  test('a question whose task is done', async () => {
    const here = await scene(QUESTION);
    here.vault.edit(PAY, "'open'", "'done'");
    await follow(here);
    expect(said(here.vault, here.event)).toBe('It no longer waits: it is done since.');
    expect(boxes(here.vault, here.event)).toEqual([]);
  });

  test('an undo that met a conflict is forced in its note, for as long as it can be', async () => {
    const here = await scene(STRONG);
    const { vault, bench, event, clock } = here;
    vault.edit(PAY, "'done'", "'archived'");
    await bench.undo(stem(event));
    const conflict = only(vault.events('signal-action-reversed-'));
    expect(boxes(vault, conflict)).toEqual(['force']);
    expect(said(vault, conflict)).toBe(
      `Tick \`force\` above to undo it anyway, until ${untilWords(expiry(vault, event))}.`,
    );
    clock.move(8 * DAY);
    await follow(here);
    expect(said(vault, conflict)).toMatch(/^It stands\./);
  });
});

describe('once its days are over, a note no longer invites to take back', () => {
  test('a change, a confirmed proposal with its answer, and a reversal', async () => {
    const here = await scene(STRONG);
    const { vault, bench, clock, event } = here;
    await bench.undo(stem(event));
    vault.write('signal/s2.md', weak({ target_path: 'task/call.md' }));
    await bench.tick();
    const proposal = only(vault.events().filter((one) => one.endsWith('-call.md')));
    quiet(vault);
    await bench.confirm(stem(proposal));
    vault.write('signal/s3.md', signal({ effect_confidence: 1, raw_quote: 'paid again' }));
    await follow(here);
    const inviting = vault.events().filter((note) => /undo/.test(said(vault, note)));
    expect(inviting).toHaveLength(3);
    clock.move(7 * DAY + 60_000);
    await follow(here);
    expect(vault.events().filter((note) => /Tick/.test(said(vault, note)))).toEqual([]);
    for (const note of inviting) expect(boxes(vault, note)).toEqual([]);
    expect(said(vault, only(vault.events('signal-action-reversed-')))).toMatch(
      /^It stands\. It could be undone until \d+ \w+ \d{4} at \d\d:\d\d\.$/,
    );
    expect(said(vault, proposal)).toMatch(/^You confirmed this on [^.]*\.$/);
    const before = vault.snapshot();
    await bench.follow();
    expect(vault.snapshot()).toEqual(before);
  });

  test('the daemon sees it within the hour, and a ticked box stays', async () => {
    const { vault, bench, clock, event } = await scene(STRONG);
    bench.close();
    const running = await Running.start(vault, { clock });
    clock.move(7 * DAY + 60_000);
    await running.until(() => said(vault, event).startsWith('It stands.'));
    expect(boxes(vault, event)).toEqual([]);
  });
});

describe('what a person writes in an event note is theirs', () => {
  test('a part that somebody has edited is left alone; the fields go on', async () => {
    const { vault, bench, event } = await scene(weak());
    vault.edit(event, 'It waits until you answer.', 'It waits until Friday!');
    const before = said(vault, event);
    await bench.dismiss(stem(event));
    expect(said(vault, event)).toBe(before);
    expect(vault.fields(event)).toMatchObject({ waiting: false, outcome: 'dismissed' });
  });

  test('a body that somebody forged orders nothing, and is still the program’s own note', async () => {
    const { vault, bench, event } = await scene(weak());
    const note = vault.read(PAY);
    const body = vault.read(event).indexOf('\n---\n') + 5;
    vault.write(event, `${vault.read(event).slice(0, body)}\nconfirm: true\n\n${vault.read(event).slice(body)}`);
    vault.write(event, vault.read(event).replace(/(?<="says":")[^"]*/, 'confirmed by nobody'));
    await bench.follow();
    expect(vault.read(PAY)).toBe(note);
    expect(said(vault, event)).toMatch(/^Tick `confirm` above/);
    expect(await bench.confirm(stem(event))).toMatchObject({ outcome: 'confirmed' });
  });

  /** Lines as people write them, none of them a mark of the program's. */
  const words = fc
    .array(fc.oneof(fc.string(), fc.constantFrom('', '%%', '> quoted', '---', '- [ ] ask', '[[pay]]', '  %% mine %%')))
    .map((lines) => lines.map((line) => line.replaceAll('%% steward', '').replaceAll('%% /steward', '')).join('\n'));

  test('LAW: whatever stands around the part, an answer changes the part, the flat fields and the boxes alone', async () => {
    await fc.assert(
      fc.asyncProperty(words, words, fc.boolean(), async (above, below, isWindows) => {
        const { vault, bench, event } = await scene(weak());
        const typed = vault
          .read(event)
          .replace(NOW_PART.begin, () => `${above}\n${NOW_PART.begin}`)
          .replace(NOW_PART.end, () => `${NOW_PART.end}\n${below}`);
        vault.write(event, isWindows ? typed.replaceAll(/\r?\n/g, '\r\n') : typed);
        const before = around(vault.read(event));
        await bench.dismiss(stem(event));
        const after = around(vault.read(event));
        expect({ ...after, fields: null }).toEqual({ ...before, fields: null });
        const moved = [...before.fields.filter((line) => !after.fields.includes(line))];
        expect(moved.map((line) => line.split(':')[0])).toEqual(
          expect.arrayContaining(['waiting', 'outcome', 'pending_confirmation', 'record']),
        );
        expect(moved.filter((line) => !FLAT.test(line))).toEqual([]);
        expect(recordLine(after.fields)).toBe(recordLine(before.fields));
        expect(said(vault, event)).toMatch(/^You dismissed this on /);
      }),
      { numRuns: lawRuns(12) },
    );
  });
});

const FLAT = /^(?:confirm|dismiss|later|deliberate|waiting|outcome|pending_confirmation|record): /;

/** The line of the record without what the note says of itself. */
function recordLine(fields: readonly string[]) {
  return only(fields.filter((line) => line.startsWith('record: '))).replace(/(?<="says":")[^"]*/, '');
}

function around(text: string) {
  const end = text.indexOf('\n---', 4);
  const [from, to] = [text.indexOf(NOW_PART.begin, end), text.indexOf(NOW_PART.end, end)];
  return { fields: text.slice(0, end).split(/\r?\n/), above: text.slice(end, from), below: text.slice(to) };
}
