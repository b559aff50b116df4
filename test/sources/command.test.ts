import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { MemoryInlet } from './memory-inlet.ts';
import { opened, printing, processesWith, program, programFolder, SECRET } from './programs.ts';

const ORDER = { id: 'order-17', from: 'Shop', title: 'Order 17', text: 'Order 17 is paid.' };

function orders(count: number, from = 1): object[] {
  return Array.from({ length: count }, (_, nth) => ({ ...ORDER, id: `order-${from + nth}` }));
}

function idsIn(inlet: MemoryInlet): string[] {
  return inlet.arrivals.map(({ content }) => (content?.kind === 'event' ? content.event.id : ''));
}

describe('what a program prints', () => {
  test('is taken line by line, and its cursor is handed back to it', async () => {
    const file = program(
      `echo "{\\"id\\":\\"at-\${STEWARD_CURSOR:-start}\\",\\"title\\":\\"x\\"}"\necho '{"cursor":"day 2"}'`,
    );
    const { session, inlet } = await opened([file]);
    expect(await session.poll()).toEqual([]);
    expect(inlet.at).toEqual({ cursor: 'day 2' });
    expect(await session.poll()).toEqual([]);
    expect(idsIn(inlet)).toEqual(['at-start', 'at-day 2']);
  });

  test('is taken once, however often it is printed, and with its last line though nothing ends it', async () => {
    const { session, inlet } = await opened([program(`${printing(ORDER, ORDER)}\nprintf '{"id":"2","title":"y"}'`)]);
    await session.poll();
    await session.poll();
    expect(idsIn(inlet)).toEqual(['order-17', '2']);
  });

  test('costs no more than the line that is wrong', async () => {
    const lines = ['rubbish', ORDER, '', { id: '3' }, { cursor: 7 }, '[]', '"x"', 'null', { ...ORDER, id: '4' }];
    const { session, inlet } = await opened([program(printing(...lines))]);
    const [problem] = await session.poll();
    expect(idsIn(inlet)).toEqual(['order-17', '4']);
    expect(problem?.message).toMatch(/^Of what the program printed, 6 lines are no event \(line 1: it is not JSON/);
    expect(problem?.message).toMatch(/line 4: title is missing.*line 5: id is missing.*and 1 more\)\.$/);
    expect(problem?.message).not.toContain('rubbish');
  });

  test('is too long a line, or no UTF-8, and the next one is read', async () => {
    const file = program(
      `head -c 400000 /dev/zero | tr '\\0' x\necho\nprintf '{"id":"\\377","title":"x"}\\n'\n${printing(ORDER)}`,
    );
    const { session, inlet } = await opened([file]);
    const [problem] = await session.poll();
    expect(problem?.message).toMatch(/line 1: it has more than 300 KiB; line 2: it is not JSON in UTF-8/);
    expect(idsIn(inlet)).toEqual(['order-17']);
  });

  test('is put in batches, and the cursor moves with the last of them', async () => {
    const inlet = new MemoryInlet();
    const cursors: unknown[] = [];
    inlet.before = () => void cursors.push(inlet.at);
    const { session } = await opened([program(printing(...orders(250), { cursor: 'end' }))], {}, inlet);
    await session.poll();
    expect([inlet.arrivals.length, cursors, inlet.at]).toEqual([250, [null, null, null], { cursor: 'end' }]);
  });

  test('is more than 2 000 events: the others come at the next runs', async () => {
    const { session, inlet } = await opened([program(printing(...orders(2100), { cursor: 'end' }))]);
    const [problem] = await session.poll();
    expect(problem?.message).toBe('The program gave more than 2000 new events in one run; the others were left.');
    expect([inlet.arrivals.length, inlet.at]).toEqual([2000, null]);
    expect(await session.poll()).toEqual([]);
    expect([inlet.arrivals.length, inlet.at]).toEqual([2100, { cursor: 'end' }]);
  });

  test('that the disk refuses leaves the cursor where it was', async () => {
    const inlet = new MemoryInlet();
    inlet.before = () => Promise.reject(new Error('away'));
    const { session } = await opened([program(printing(ORDER, { cursor: 'end' }))], {}, inlet);
    await expect(session.poll()).rejects.toThrow('away');
    expect(inlet.at).toBeNull();
  });

  test('is told to whoever has just connected it, and not taken', async () => {
    const { session, inlet } = await opened([program(printing(ORDER, 'rubbish'))]);
    expect(await session.describe()).toEqual([
      'It ran, and gave one event:',
      '  Order 17',
      expect.stringMatching(/one line is no event \(line 2/),
    ]);
    expect(inlet.arrivals).toEqual([]);
  });
});

describe('a program that fails', () => {
  test('has what it printed taken, but not its cursor; what it says of it is not kept', async () => {
    const file = program(`${printing(ORDER, { cursor: 'end' })}\necho "password hunter2" >&2\nexit 3`);
    const { session, inlet } = await opened([file, 'two words', "it's"]);
    const failed = session.poll();
    await expect(failed).rejects.toMatchObject({ kind: 'strange', message: 'The program ended with exit code 3.' });
    await expect(failed).rejects.toMatchObject({ hint: expect.stringMatching(/'two words' 'it'\\''s'$/) });
    await expect(failed).rejects.not.toMatchObject({ hint: expect.stringContaining('hunter2') });
    expect([idsIn(inlet), inlet.at]).toEqual([['order-17'], null]);
  });

  test('by a signal, or by taking too long, is said so', async () => {
    const { session } = await opened([program('kill -SEGV $$')]);
    await expect(session.poll()).rejects.toThrow('The program was ended by a signal (SIGSEGV).');
    const slow = await opened([program('sleep 600')], { limits: { limitMs: 300, graceMs: 300 } });
    await expect(slow.session.poll()).rejects.toThrow('The program was ended: it ran for longer than 0.3 s.');
  });

  test('by printing without end, is ended, and what it said first is taken', async () => {
    const { session, inlet } = await opened([program(`${printing(ORDER)}\nyes '${JSON.stringify(ORDER)}'`)]);
    await expect(session.poll()).rejects.toThrow('The program was ended: it printed more than 10240 KiB.');
    expect(idsIn(inlet)).toEqual(['order-17']);
    const rubbish = await opened([program(`${printing(ORDER)}\nyes`)]);
    await expect(rubbish.session.poll()).rejects.toThrow('it printed a hundred lines that are no event');
    expect(idsIn(rubbish.inlet)).toEqual(['order-17']);
  });

  test.each([
    ['without a whole path', ['events'], /needs its whole path/],
    ['of nothing', [], /needs its whole path/],
    ['that is not there', ['/nowhere/events'], /is missing, or may not be run/],
    ['that is a folder', ['/usr'], /is missing, or may not be run/],
    ['that may not be run', ['/etc/passwd'], /is missing, or may not be run/],
  ])('is refused at the start: %s', async (_, argv, reason) => {
    await expect(opened(argv)).rejects.toMatchObject({ kind: 'setup', message: expect.stringMatching(reason) });
  });
});

describe('what is around a program', () => {
  test('is a folder of its own, a part of the environment, and nothing to read', async () => {
    const out = programFolder();
    const file = program(
      `env > ${out}/env; pwd > ${out}/pwd; umask > ${out}/umask; ulimit -c > ${out}/core; cat > ${out}/in`,
    );
    const environment = {
      ...{ PATH: '/usr/bin:/bin', HOME: '/home/robin', LANG: 'C', LC_TIME: 'C', TZ: 'UTC', XDG_RUNTIME_DIR: '/run/x' },
      ...{
        ANTHROPIC_API_KEY: 'a key',
        PLANE_API_KEY: 'a key',
        STEWARD_VAULT: '/vault',
        LD_PRELOAD: '',
        NODE_OPTIONS: '',
      },
    };
    await (await opened([file], { environment, credential: SECRET })).session.poll();
    const read = (name: string) => fs.readFileSync(path.join(out, name), 'utf8').trim();
    const names = read('env')
      .split('\n')
      .map((line) => line.replace(/=.*/, ''))
      .sort();
    const own = ['HOME', 'LANG', 'LC_TIME', 'PATH', 'PWD', 'STEWARD_CURSOR', 'STEWARD_SECRET', 'TMPDIR', 'TZ'];
    expect(names.filter((name) => !/^(_|OLDPWD|SHLVL)$/.test(name))).toEqual([...own, 'XDG_RUNTIME_DIR']);
    expect(read('pwd').startsWith(fs.realpathSync(os.tmpdir()))).toBe(true);
    expect(fs.existsSync(read('pwd'))).toBe(false);
    expect([read('umask'), read('core'), read('in')]).toEqual(['0077', '0', '']);
  });

  test('has no secret where none is set', async () => {
    const out = programFolder();
    await (await opened([program(`env > ${out}/env`)])).session.poll();
    expect(fs.readFileSync(`${out}/env`, 'utf8')).not.toContain('STEWARD_SECRET');
  });

  test('ends at once where it is aborted, and nothing is taken', async () => {
    const out = programFolder();
    const file = program(`${printing(ORDER)}\ntouch ${out}/ready\nsleep 600`);
    const { session, inlet, abort } = await opened([file]);
    const visited = session.poll();
    await expect.poll(() => fs.existsSync(`${out}/ready`)).toBe(true);
    abort.abort(new Error('the program ends'));
    await expect(visited).rejects.toThrow('the program ends');
    expect(inlet.arrivals).toEqual([]);
    expect(processesWith(file)).toEqual([]);
  });
});
