import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Running, Sandbox } from '../stories/support.ts';
import { HOUSE, matter, signal, weak } from '../support/notes.ts';
import { attack } from './attack.ts';

/** Words that stand in bodies, values, subjects, senders and quotes of this vault, and nowhere in its paths. */
const WORDS = ['Marzipan', 'Nougat', 'Praline', 'Krokant', 'Trueffel', 'Pistazie', 'Honigwabe', 'Mandelhorn'];
const [BODY, VALUE, SUBJECT, SENDER, QUOTE, HEADLINE, BROKEN, NAME] = WORDS;
const LIVE = { STEWARD_LIVE_MODE: 'live' };

const BAD = `---\ntype: task\nstate: ["${BROKEN}"\n---\n`;
const MAIL = [
  `From: ${NAME} <${SENDER}@roof.example>`,
  'To: robin@sample.example',
  `Subject: ${SUBJECT}: [[pay]] your payment`,
  `Date: ${new Date().toUTCString()}`,
  'Message-ID: <7@roof.example>',
  '',
  `Hello, [[pay]] has been paid. ${BODY}.`,
  '',
].join('\r\n');

/** A vault that says these words wherever it can. */
function telling(): Sandbox {
  const sandbox = new Sandbox('none');
  for (const [file, text] of Object.entries(HOUSE)) sandbox.write(file, text);
  sandbox.write('matter/house.md', matter({ summary: VALUE }, BODY));
  sandbox.write('matter/broken.md', `---\ntype: matter\nstate: ["${BROKEN}"\n---\n${BODY}\n`);
  return sandbox;
}

/** Lets happen what tells most: an action, a proposal, a mail, trouble with a note, an undo; then an end in order. */
async function lived(sandbox: Sandbox, daemon: Running): Promise<string> {
  await daemon.line((line) => /started on|"code":"started"/.test(line), 'started');
  const said = { headline: HEADLINE, raw_quote: QUOTE, reasoning: `${QUOTE}, says ${SENDER}.` };
  sandbox.write('signal/s1.md', signal(said));
  await daemon.line((line) => /applied pay|"code":"acted"/.test(line), 'acted');
  sandbox.write('stream/one.eml', MAIL);
  await daemon.line((line) => /read (?:stream\/one\.eml|mail from)|"code":"stream-read"/.test(line), 'stream-read');
  sandbox.write(
    'signal/s2.md',
    weak({ ...said, mutation_proposal: { class: 'context_edit', set: { summary: VALUE } } }),
  );
  sandbox.write('task/broken.md', BAD);
  await daemon.line((line) => /problem .*task\/broken\.md|"task\/broken\.md"/.test(line), 'trouble');
  expect(await sandbox.steward(['tick', '--force', '--vault', 'vault'])).toMatchObject({ exit: 0 });
  expect(await sandbox.steward(['undo', '--last', '1', '--vault', 'vault'])).toMatchObject({ exit: 0 });
  await daemon.line((line) => /undone pay|"code":"reversed"/.test(line), 'reversed');
  daemon.kill('SIGTERM');
  const { stdout, stderr, exit } = await daemon.ended;
  expect(exit).toBe(0);
  return stdout + stderr;
}

const found = (log: string) => WORDS.filter((word) => log.toLowerCase().includes(word.toLowerCase()));

for (const form of ['text', 'json'] as const) {
  attack(
    {
      attacker: 'another local user',
      means: `reads the log of a service (--log ${form}) that was handed to a group, an archive or somebody who helps`,
      loss: 'what notes say, what mails are called and who writes them would lie there for years',
      defence: 'a log that is no terminal names what happened, the notes and figures, unless a person asks for more',
    },
    async () => {
      await using sandbox = telling();
      const env = { ...LIVE, STEWARD_LOG_LEVEL: '' };
      const daemon = sandbox.start(`steward run --vault vault --log ${form}`, env);
      expect(found(await lived(sandbox, daemon))).toEqual([]);
    },
  );
}

test('asked to, the log says it all: the words of this vault would be found', async () => {
  await using sandbox = telling();
  const daemon = sandbox.start('steward run --vault vault --log-level debug', { ...LIVE, STEWARD_LOG_LEVEL: '' });
  const log = await lived(sandbox, daemon);
  expect(log).toContain('state open → done');
  expect(found(log)).toContain(SUBJECT);
});

attack(
  {
    attacker: 'a sync peer',
    means: 'a note whose name holds line breaks and what begins a line of the journal, <0>',
    loss: 'a line of its own in the journal, with the highest priority, that the program never said',
    defence: 'each thing is one line with the priority of the program, whatever a path holds',
  },
  async () => {
    await using sandbox = telling();
    const out = path.join(sandbox.folder, 'out');
    fs.writeFileSync(out, '');
    const { dev, ino } = fs.statSync(out);
    const env = { ...LIVE, STEWARD_LOG_LEVEL: '', JOURNAL_STREAM: `${dev}:${ino}` };
    const daemon = sandbox.start('steward run --vault vault > out', env);
    await expect.poll(() => fs.readFileSync(out, 'utf8')).toMatch(/^<6>started on/m);
    sandbox.write('task/a\n<0>all is lost.md', `---\ntype: task\nstate: ["x"\n---\n`);
    await expect.poll(() => fs.readFileSync(out, 'utf8')).toMatch(/^<4>problem .*all is lost/m);
    daemon.kill('SIGTERM');
    await daemon.ended;
    const lines = fs.readFileSync(out, 'utf8').trim().split('\n');
    expect(lines.filter((line) => !/^<[3-6]>/.test(line))).toEqual([]);
  },
);

test('the journal is known by its file: what a terminal inherits of a service is no journal', async () => {
  await using sandbox = telling();
  const daemon = sandbox.start('steward run --vault vault', { ...LIVE, JOURNAL_STREAM: '8:4711' });
  expect(await daemon.line((line) => line.includes('started on'), 'started on')).toMatch(
    /^\d\d:\d\d:\d\d {2}started on/,
  );
});

test('a person at a terminal sees it all', async () => {
  await using sandbox = telling();
  const env = { ...LIVE, STEWARD_LOG_LEVEL: '' };
  const daemon = sandbox.start("script -qfec 'steward run --vault vault' /dev/null", env);
  await daemon.line((line) => line.includes('started on'), 'started on');
  sandbox.write('signal/s1.md', signal());
  expect(await daemon.line((line) => line.includes('applied pay'), 'acted')).toContain('state open → done');
});

test('only what is wrong, where only that is asked for', async () => {
  await using sandbox = telling();
  const env = { ...LIVE, STEWARD_LOG: 'json', STEWARD_LOG_LEVEL: 'warning' };
  const daemon = sandbox.start('steward run --vault vault', env);
  await expect.poll(async () => (await sandbox.steward(['status', '--vault', 'vault'])).stdout).toContain('running');
  sandbox.write('task/broken.md', BAD);
  const line = await daemon.line(() => true, 'anything');
  expect(JSON.parse(line)).toMatchObject({ level: 'warning', code: 'trouble', file: 'task/broken.md' });
});

test('the last line of a log for programs says why it ended', async () => {
  await using sandbox = telling();
  const ended = await sandbox.steward(['run', '--vault', 'vault', '--log', 'json'], {
    STEWARD_CONFIDENCE_THRESHOLD: 'x',
  });
  expect(ended).toMatchObject({ exit: 78, stderr: '' });
  expect(JSON.parse(ended.stdout)).toMatchObject({ level: 'error', code: 'ended', trouble: 'settings-threshold' });
  const unknown = await sandbox.steward(['run', '--vault', 'vault'], { STEWARD_LOG: 'xml' });
  expect(unknown).toMatchObject({ exit: 78, stderr: expect.stringContaining('must be one of: text, json') });
});
