import { describe, expect, test } from 'vitest';
import { MessagesServer } from '../providers/messages-server.ts';
import { Clock, DAY, HOUR, MINUTE, quietHoursAround, SECOND } from '../support/clock.ts';
import { matter, signal, task, weak } from '../support/notes.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { Scene } from './scene.ts';

const SIGNAL = 'signal/s1.md';

/** Tasks of the house, each with a weak signal, so that each is proposed. */
function several(number: number) {
  const nths = Array.from({ length: number }, (_, nth) => nth + 1);
  const tasks = nths.map((nth) => [`task/job-${nth}.md`, task()] as const);
  const signals = nths.map(
    (nth) => [`signal/j${nth}.md`, weak({ target_path: `task/job-${nth}.md`, raw_quote: `job ${nth}` })] as const,
  );
  return { tasks: Object.fromEntries(tasks), signals };
}

async function proposed(scene: Scene, file = SIGNAL, text = weak()): Promise<void> {
  await scene.put(file, text);
  await scene.running.ask({ op: 'tick', matters: [], force: true, mode: null });
  await scene.running.sync();
}

describe('what is told', () => {
  test('a proposal: its note, its change, and where to answer', async () => {
    const scene = await Scene.open();
    await proposed(scene);
    expect(scene.messages).toEqual([]);
    await scene.said(1);
    const [event = ''] = scene.vault.events();
    expect(scene.messages).toEqual([
      {
        topic: 'ada-4711',
        title: 'pay',
        message: 'state open → done?',
        click: `obsidian://open?vault=vault&file=${encodeURIComponent(event.replace(/\.md$/, ''))}`,
      },
    ]);
    expect(scene.ntfy.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('the words of a mail go only to a channel of the user, unless this machine says otherwise', async () => {
    const speaking = weak({ from: 'Anna Example <anna@notary.example>' });
    const closed = await Scene.open({ access: { quotes: null } });
    await proposed(closed, SIGNAL, speaking);
    await closed.said(1);
    expect(closed.messages).toHaveLength(1);
    expect(JSON.stringify(closed.messages)).not.toMatch(/invoice|Anna/);
    const open = await Scene.open({ access: { quotes: true } });
    await proposed(open, SIGNAL, speaking);
    await open.said(1);
    expect(open.messages[0]?.message).toBe(
      'state open → done?\nanna@notary.example (Anna Example) wrote: “your invoice is paid”',
    );
  });

  test('a change that was made without asking, and no change that a person made', async () => {
    const scene = await Scene.open();
    await scene.put(SIGNAL, signal());
    await scene.running.heard('acted');
    await scene.said(1);
    expect(scene.messages).toMatchObject([{ title: 'Done: pay' }]);
    expect(scene.messages[0]?.message).toMatch(/^state open → done\. You can undo it for seven days\.$/);
  });

  test('trouble that lasts, once, also where its figures change', async () => {
    const scene = await Scene.open();
    await scene.put('task/odd.md', '---\nstate: [\n---\n');
    await scene.pass(30_000);
    expect(scene.messages).toEqual([]);
    await scene.pass(2 * MINUTE);
    await scene.pass();
    expect(scene.messages).toMatchObject([
      { title: 'Steward needs you', click: 'obsidian://open?vault=vault&file=task%2Fodd' },
    ]);
    await scene.pass(HOUR);
    expect(scene.messages).toHaveLength(1);
  });

  test('what was answered before it could be said is not said', async () => {
    const scene = await Scene.open();
    await proposed(scene);
    const [event = ''] = scene.vault.events();
    await scene.running.ask({ op: 'answer', kind: 'dismiss', events: [event], dryRun: false });
    await scene.pass();
    expect(scene.messages).toEqual([]);
  });
});

describe('each thing once', () => {
  test('whatever changes, and however often the daemon starts', async () => {
    const scene = await Scene.open();
    await proposed(scene);
    await scene.said(1);
    await scene.put('matter/other.md', matter());
    await scene.pass(HOUR);
    await scene.stop();
    await scene.start();
    await scene.pass();
    expect(scene.messages).toHaveLength(1);
  });

  test('what was pending when the daemon ended is said by the next, and so is what was done meanwhile', async () => {
    const scene = await Scene.open();
    await proposed(scene);
    await scene.stop();
    expect(scene.messages).toEqual([]);
    await scene.start();
    await scene.said(1);
    await scene.pass();
    expect(scene.messages).toHaveLength(1);
  });

  test('a server that takes a message and does not answer is not asked twice', async () => {
    const scene = await Scene.open();
    scene.ntfy.mood = 'cuts';
    await proposed(scene);
    await scene.until(() => scene.ntfy.requests.length > 0);
    await scene.until(() => scene.running.daemon.status().trouble.length > 0);
    expect(scene.running.daemon.status().trouble.map(({ code }) => code)).toEqual(['notify-ntfy']);
    await scene.stop(); // where no daemon runs, status says it too
    const { trouble } = (await Bench.reading(scene.vault, { env: scene.env })).status();
    expect(trouble.map(({ code }) => code)).toEqual(['notify-ntfy']);
    await scene.start();
    scene.ntfy.mood = 'well';
    await scene.pass(DAY / 2);
    expect(scene.ntfy.requests).toHaveLength(1);
  });
});

describe('what another machine did or asked before is left to it', () => {
  test.each([
    ['a change', signal(), -1000, 0],
    ['a change, where the other was later', signal(), 1000, 1],
    ['a proposal', weak(), -1000, 0],
  ])('%s', async (_, text, otherMs, messages) => {
    const scene = await Scene.open();
    await proposed(scene, SIGNAL, text);
    await putForeignCopy(scene, otherMs);
    await scene.pass();
    await scene.pass();
    expect(scene.messages).toHaveLength(messages);
  });

  test.each([
    ['a minute is left to the sync if it wrote an event note lately', -DAY, 0],
    ['ten seconds, if it wrote none for long', -8 * DAY, 1],
  ])('%s', async (_, otherMs, messages) => {
    const scene = await Scene.open({ files: { 'task/call.md': task() } });
    await proposed(scene, 'signal/s2.md', weak({ target_path: 'task/call.md', raw_quote: 'another' }));
    await putForeignCopy(scene, otherMs);
    await scene.pass();
    const before = scene.messages.length;
    await proposed(scene);
    await scene.pass(MINUTE / 12); // a look that follows another waits for a moment
    await scene.pass(MINUTE / 2);
    expect(scene.messages.length - before).toBe(messages);
    await scene.said(before + 1);
    await scene.pass();
    expect(scene.messages.length - before).toBe(1);
  });
});

/** Another machine’s note of the same action as the last one here, so much later (ms) than it. */
async function putForeignCopy(scene: Scene, laterMs: number): Promise<void> {
  const event = scene.vault.events().at(-1) ?? '';
  const { timestamp } = scene.vault.fields(event);
  const at = new Date(Date.parse(String(timestamp)) + laterMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const theirs = scene.vault.read(event).replace(/^timestamp: .*$/m, `timestamp: ${at}`);
  await scene.put(`event/signal-action-${at.replaceAll(':', '-')}-pay.md`, theirs);
}

describe('what comes together is said together', () => {
  test('six things are one message', async () => {
    const { tasks, signals } = several(7);
    const scene = await Scene.open({ files: tasks });
    for (const [file, text] of signals) scene.vault.write(file, text);
    await scene.running.sync();
    await scene.running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await scene.running.sync();
    await scene.said(1);
    await scene.pass();
    const [only, ...more] = scene.messages;
    expect(more).toEqual([]);
    expect(only?.title).toBe('7 things wait for you');
    expect(only?.message?.split('\n')).toHaveLength(7);
    expect(only?.message).toContain('• job-1: state open → done?');
    expect(only?.message).toMatch(/and 1 more$/);
    expect(only?.click).toBe('obsidian://open?vault=vault&file=steward');
  });

  test('the quiet hours hold it back to their end', async () => {
    const scene = await Scene.open({ keys: { notify_quiet_hours: quietHoursAround(Date.now()) } });
    await proposed(scene);
    await scene.pass(HOUR);
    expect(scene.messages).toEqual([]);
    await scene.put('task/call.md', task());
    await proposed(scene, 'signal/s2.md', weak({ target_path: 'task/call.md', raw_quote: 'another' }));
    await scene.pass(6 * HOUR);
    await scene.said(1);
    expect(scene.messages).toMatchObject([{ title: '2 things wait for you' }]);
  });

  test('more than so many a day are left to the digest, and the last one says so', async () => {
    const { tasks, signals } = several(3);
    const scene = await Scene.open({ files: tasks, keys: { notify_at_most: 2 }, clock: Clock.atNoon() }); // all in one day
    for (const [nth, [file, text]] of signals.entries()) {
      await proposed(scene, file, text);
      await (nth < 2 ? scene.said(nth + 1) : scene.pass());
    }
    await scene.pass();
    expect(scene.messages.map(({ message }) => message)).toEqual([
      'state open → done?',
      'state open → done?\nNo more messages today; the rest is in `steward inbox`.',
    ]);
  });
});

describe('a server that is not there', () => {
  test('holds nothing else up, is one line of trouble, and gets what still stands as one', async () => {
    const { tasks, signals } = several(3);
    const scene = await Scene.open({ files: tasks });
    await scene.ntfy.close();
    const held = () => scene.running.daemon.status().notify?.channels[0]?.waiting ?? 0;
    for (const [nth, [file, text]] of signals.slice(0, 2).entries()) {
      await proposed(scene, file, text);
      await scene.until(() => held() === nth + 1);
    }
    await scene.until(() => scene.running.daemon.status().trouble.length > 0);
    const { trouble, notify } = scene.running.daemon.status();
    expect(trouble).toMatchObject([
      { code: 'notify-ntfy', message: 'The ntfy server cannot be reached (ECONNREFUSED).' },
    ]);
    expect(notify).toMatchObject({ wants: 'each', channels: [{ channel: 'ntfy', waiting: 2, last: null }] });
    await scene.stop();
    await scene.ntfy.open();
    await scene.start();
    await scene.pass(HOUR);
    await scene.said(1);
    expect(scene.messages).toMatchObject([{ title: '2 things wait for you' }]);
    expect(scene.running.daemon.status().trouble).toEqual([]);
  });

  test('that is busy is left alone for as long as it says', async () => {
    const scene = await Scene.open();
    scene.ntfy.mood = { status: 429, headers: { 'retry-after': '3600' } };
    await proposed(scene);
    await scene.until(() => scene.running.daemon.status().trouble.length > 0);
    scene.ntfy.mood = 'well';
    await scene.pass(50 * MINUTE);
    expect(scene.messages).toEqual([]);
    await scene.said(1);
    expect(scene.ntfy.requests).toHaveLength(2);
  });
});

describe('what the vault may say', () => {
  test('off: nothing goes out, and what waits by then is said when it is on again', async () => {
    const scene = await Scene.open({ keys: { notify: 'off' } });
    await proposed(scene);
    await scene.pass(HOUR);
    expect(scene.messages).toEqual([]);
    scene.vault.edit('steward.md', 'notify: "off"', 'notify: each');
    await scene.running.heard('settings');
    await scene.said(1);
    expect(scene.messages).toHaveLength(1);
  });

  test('without a channel on this machine it brings about no more than the digest note', async () => {
    const scene = await Scene.open({ access: { ntfy: null }, keys: { notify: 'each' } });
    await proposed(scene);
    await scene.pass();
    expect(scene.ntfy.requests).toEqual([]);
  });
});

describe('the digest', () => {
  test('is a message and a note, once a day at its time, with what waits, what was done and what is due', async () => {
    const at = new Date(Date.now() + 30 * MINUTE);
    const time = `${at.getHours()}:${String(at.getMinutes()).padStart(2, '0')}`;
    const scene = await Scene.open({
      files: { 'task/due.md': task({ due: dayOf(Date.now() + 30 * MINUTE) }), 'task/call.md': task() },
      keys: { notify: 'digest', notify_digest_at: time },
    });
    await scene.put(SIGNAL, signal());
    await scene.running.heard('acted');
    await proposed(scene, 'signal/s2.md', weak({ target_path: 'task/call.md', raw_quote: 'another' }));
    await scene.pass();
    expect([scene.messages.length, scene.vault.has('Steward digest.md')]).toEqual([0, false]);
    await scene.pass(31 * MINUTE);
    await scene.said(1);
    expect(scene.messages).toMatchObject([
      {
        title: 'Today: 1 waits, 1 done, 1 due today',
        message: '1 thing waits for you: call\n1 change made: pay\nDue today: due',
        click: 'obsidian://open?vault=vault&file=Steward%20digest',
      },
    ]);
    const note = scene.vault.read('Steward digest.md');
    expect(note).toMatch(
      /### Waits for you\n\n- proposal: \[\[call\]\] · state open → done · mail “another” · \[\[steward-action-/,
    );
    expect(note).toMatch(/### Done since [^\n]*\n\n- \[\[pay\]\] · state open → done · \[\[signal-action-/);
    expect(note).toContain('### Due today\n\n- [[due]]');
    scene.vault.write('Steward digest.md', `Mine.\n${note}`);
    await scene.pass(HOUR);
    expect(scene.messages).toHaveLength(1);
    await scene.pass(DAY);
    await scene.said(2);
    expect(scene.vault.read('Steward digest.md')).toMatch(/^Mine\.\n/);
  });

  test('comes after the checks that are due when it is, as on a machine that wakes in the morning', async () => {
    const model = await MessagesServer.start(() => ({ do: 'fail', status: 500 }));
    const answered = Promise.withResolvers<void>();
    model.until = () => answered.promise;
    const clock = Clock.atNoon();
    const scene = await Scene.open({
      files: { 'task/call.md': task({ next_check_after: dayOf(clock.now() + DAY) }) },
      keys: { notify: 'digest', notify_digest_at: '7:30' },
      env: { ...LIVE, provider: model.access },
      clock,
    });
    await scene.put('signal/s2.md', weak({ target_path: 'task/call.md', raw_quote: 'another' }));
    await scene.pass();
    clock.move(DAY);
    await scene.running.daemon.wake();
    await scene.running.until(() => model.requests.length > 0);
    await scene.running.daemon.wake();
    expect(scene.vault.has('Steward digest.md')).toBe(false);
    answered.resolve();
    await scene.until(() => scene.vault.has('Steward digest.md'), SECOND);
  });
});

function dayOf(ms: number): string {
  const date = new Date(ms);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
