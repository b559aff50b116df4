import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../stories/support.ts';
import { PseudoTerminal } from '../support/pseudo-terminal.ts';

const ESCAPE = '\u001b';
const LEFT = `${ESCAPE}[?25h${ESCAPE}[?1049l`;

function terminal(sandbox: Sandbox, words: readonly string[], size: { rows?: number; columns?: number } = {}) {
  return new PseudoTerminal(['steward', ...words, '--vault', 'vault'], {
    cwd: sandbox.folder,
    env: sandbox.env,
    ...size,
  });
}

/** A choice between two notes, with a change in it. */
const CHOICE = `---
source_type: mail
from: Kim <kim@tilework.example>
raw_quote: the hood has arrived
headline: The hood is here
effect: mutation
effect_confidence: 0.9
target_ambiguous: true
target_candidates: [task/order-extractor-hood.md, task/compare-tile-offers.md]
mutation_proposal:
  class: context_edit
  set:
    current_state: The hood has arrived.
---
`;

/** The dismissals of today; the example has older ones. */
function dismissals(sandbox: Sandbox): string[] {
  const names = fs.readdirSync(path.join(sandbox.vault, 'event'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /dismissed-\d/.test(name) && !name.includes('choose-worktop'));
}

/** Removes what asks as well in the example, but for its proposal. */
function leaveProposal(sandbox: Sandbox): void {
  fs.rmSync(path.join(sandbox.vault, 'signal/2026-11-02T14-22-00Z-b5add323.md'));
  fs.rmSync(path.join(sandbox.vault, 'licence'), { recursive: true });
}

async function withChoice(sandbox: Sandbox): Promise<void> {
  sandbox.write('signal/hood.md', CHOICE);
  leaveProposal(sandbox);
  expect(await sandbox.steward(['tick', 'kitchen-renovation', '--vault', 'vault'])).toMatchObject({ exit: 0 });
}

test('status --watch stands on a screen of its own, follows its size, and gives the terminal back', async () => {
  await using sandbox = new Sandbox('example');
  await using watched = terminal(sandbox, ['status', '--watch']);
  await watched.says(`${ESCAPE}[?1049h`);
  await watched.says('1 warning · 1 waits for you');
  await watched.says('q ends');
  watched.resize(12, 40);
  await watched.says('5 matte…'); // a narrow screen cuts and wraps its lines
  await watched.says('.example-house-purchase');
  await watched.says('q ends');
  watched.type('q');
  expect(await watched.ended).toBe('exit 0, cooked');
  expect(watched.said.endsWith(LEFT)).toBe(true);
});

test('status --watch shows what a daemon does, without a key', async () => {
  await using sandbox = new Sandbox('example');
  leaveProposal(sandbox);
  const daemon = sandbox.start('steward run --vault vault');
  await daemon.line((line) => line.includes('started on'), 'started on');
  await using watched = terminal(sandbox, ['status', '--watch']);
  await watched.says('1 waits for you');
  await sandbox.steward(['dismiss', 'compare-tile-offers', '--vault', 'vault']);
  await watched.says('Nothing waits for you');
  daemon.kill('SIGTERM');
  await watched.says('daemon');
  await watched.says('stopped');
  watched.type('\\x03');
  expect(await watched.ended).toBe('exit 0, cooked');
});

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('a %s gives the terminal back too', async (signal) => {
  await using sandbox = new Sandbox('example');
  const pidFile = path.join(sandbox.folder, 'pid');
  await using watched = new PseudoTerminal(
    ['sh', '-c', `echo $$ > ${pidFile}; exec steward status --watch --vault vault`],
    { cwd: sandbox.folder, env: sandbox.env },
  );
  await watched.says('q ends');
  process.kill(Number(fs.readFileSync(pidFile, 'utf8')), signal);
  expect(await watched.ended).toBe(`exit ${{ SIGTERM: 143, SIGHUP: 129, SIGINT: 130 }[signal]}, cooked`);
  expect(watched.said).toContain(LEFT);
});

test('without a terminal status --watch says so: 2', async () => {
  await using sandbox = new Sandbox('example');
  const said = await sandbox.steward(['status', '--watch', '--vault', 'vault']);
  expect(said).toMatchObject({ exit: 2, stdout: '' });
  expect(said.stderr).toContain('status --watch needs a terminal.');
});

test('a key of the inbox acts when it is pressed, and u undoes the last answer, a dismissal too', async () => {
  await using sandbox = new Sandbox('example');
  await withChoice(sandbox);
  const before = sandbox.read('task/compare-tile-offers.md');
  await using inbox = terminal(sandbox, ['inbox']);
  await inbox.says('compare-tile-offers');
  await inbox.says('quit (q)?');
  inbox.type('d');
  await inbox.says('Dismissed');
  expect(dismissals(sandbox)).toHaveLength(1);
  await inbox.says('The hood is here');
  inbox.type('u');
  await inbox.says('Undone');
  await inbox.says('the proposal waits for you again');
  await inbox.says('compare-tile-offers');
  await inbox.says('quit (q)?');
  inbox.type('s');
  await inbox.says('choose (1-2, or t for another by a part of its title)');
  inbox.type('2');
  await inbox.says('Done');
  await inbox.says('compare-tile-offers: current_state');
  await inbox.says('That was all.');
  expect(sandbox.read('task/compare-tile-offers.md')).toContain('The hood has arrived.');
  inbox.type('u');
  await inbox.says('Undone');
  expect(await inbox.ended).toBe('exit 0, cooked');
  expect(sandbox.read('task/compare-tile-offers.md')).toBe(before);
  expect((await sandbox.steward(['inbox', '--list', '--vault', 'vault'])).stdout).toContain('compare-tile-offers');
});

test('keys show the mail, the note and the reason, in at most 100 columns, and no file name', async () => {
  await using sandbox = new Sandbox('example');
  leaveProposal(sandbox);
  await using inbox = terminal(sandbox, ['inbox'], { columns: 140 });
  await inbox.says('compare-tile-offers (kitchen-renovation)');
  await inbox.says('mail (e), note (o), reason (r)');
  inbox.type('e');
  await inbox.says('From: Tilework Studio <studio@tilework.example>');
  await inbox.says('you should have all three offers now.');
  await inbox.says('quit (q)?');
  inbox.type('o');
  await inbox.says('Two of three offers are in.');
  await inbox.says('quit (q)?');
  inbox.type('r');
  await inbox.says('It is a proposal and waits for you.');
  await inbox.says('Gates at that time');
  await inbox.says('quit (q)?');
  inbox.type('q');
  expect(await inbox.ended).toBe('exit 0, cooked');
  const lines = inbox.said.replace(new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g'), '').split(/\r?\n/);
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(inbox.said).not.toContain('task/');
});

test('a note is named by a part of its title, and what is marked is answered together', async () => {
  await using sandbox = new Sandbox('example');
  await withChoice(sandbox);
  await using inbox = terminal(sandbox, ['inbox']);
  await inbox.says('compare-tile-offers');
  inbox.type('m');
  await inbox.says('The hood is here');
  await inbox.says('quit (q)?');
  inbox.type('tnonex\\x7f\\x1b'); // given up by Escape
  await inbox.says('which note? none');
  await inbox.says('quit (q)?');
  inbox.type('tinvoice\\r'); // of several
  await inbox.says('notes have "invoice" in their title');
  await inbox.says('The hood is here');
  await inbox.says('quit (q)?');
  inbox.type('thood\\r');
  await inbox.says('order-extractor-hood: current_state');
  await inbox.says('compare-tile-offers');
  await inbox.says('quit (q)?');
  inbox.type('d');
  await inbox.says('Dismissed');
  inbox.type('q');
  expect(await inbox.ended).toBe('exit 0, cooked');
  expect(sandbox.read('task/order-extractor-hood.md')).toContain('The hood has arrived.');
  expect(dismissals(sandbox)).toHaveLength(1);
});

/** The same about one note: a proposal, since nobody vouches for its writer. */
const PROPOSED = CHOICE.replace('target_ambiguous: true', 'target_path: task/order-extractor-hood.md').replace(
  /^target_candidates: .*\n/m,
  'target_kind: task\ntarget_confidence: 0.9\n',
);

test('a proposal is moved to another task by a key, and a name that is given up leaves it as it is', async () => {
  await using sandbox = new Sandbox('example');
  sandbox.write('signal/hood.md', PROPOSED);
  leaveProposal(sandbox);
  expect(await sandbox.steward(['tick', 'kitchen-renovation', '--force', '--vault', 'vault'])).toMatchObject({
    exit: 0,
  });
  await using inbox = terminal(sandbox, ['inbox']);
  await inbox.says('compare-tile-offers');
  await inbox.says('quit (q)?');
  inbox.type('s');
  await inbox.says('order-extractor-hood');
  await inbox.says('another task (t)');
  await inbox.says('quit (q)?');
  inbox.type('tnone\\x1b');
  await inbox.says('which note? none');
  await inbox.says('order-extractor-hood');
  await inbox.says('quit (q)?');
  inbox.type('tcompare-tile\\r');
  await inbox.says('compare-tile-offers: current_state');
  await inbox.says('undo (u)');
  inbox.type('q');
  expect(await inbox.ended).toBe('exit 0, cooked');
  expect(sandbox.read('task/compare-tile-offers.md')).toContain('The hood has arrived.');
  expect(sandbox.read('task/order-extractor-hood.md')).not.toContain('The hood has arrived.');
});

test('several that are marked are dismissed together, and undone together', async () => {
  await using sandbox = new Sandbox('example');
  await withChoice(sandbox);
  await using inbox = terminal(sandbox, ['inbox']);
  await inbox.says('quit (q)?');
  inbox.type('m');
  await inbox.says('The hood is here');
  await inbox.says('quit (q)?');
  inbox.type('m');
  await inbox.says('2 entries together');
  inbox.type('d');
  await inbox.says('Dismissed');
  await inbox.says('That was all.');
  expect(dismissals(sandbox)).toHaveLength(2);
  inbox.type('u');
  await inbox.says('the proposal waits for you again');
  await inbox.says('compare-tile-offers');
  inbox.type('q');
  expect(await inbox.ended).toBe('exit 0, cooked');
});

test('a terminal that is closed keeps what was answered, answers nothing more, and leaves no lock', async () => {
  await using sandbox = new Sandbox('example');
  await withChoice(sandbox);
  await using inbox = terminal(sandbox, ['inbox']);
  await inbox.says('quit (q)?');
  inbox.type('d');
  await inbox.says('Dismissed');
  await inbox.says('quit (q)?');
  inbox.type('\\x1b[F'); // the End key is no end
  inbox.close();
  expect(await inbox.ended).toMatch(/^exit \d+, closed$/);
  expect(dismissals(sandbox)).toHaveLength(1);
  expect(sandbox.read('task/compare-tile-offers.md')).toContain('state: open');
  expect(fs.existsSync(path.join(sandbox.vault, '.steward/lock'))).toBe(false);
});

test.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'q', '\\x03'])(
  'ended by %s, the inbox keeps what was answered',
  async (end) => {
    await using sandbox = new Sandbox('example');
    await withChoice(sandbox);
    const pidFile = path.join(sandbox.folder, 'pid');
    await using inbox = new PseudoTerminal(['sh', '-c', `echo $$ > ${pidFile}; exec steward inbox --vault vault`], {
      cwd: sandbox.folder,
      env: sandbox.env,
    });
    await inbox.says('quit (q)?');
    inbox.type('l');
    await inbox.says('Dismissed');
    await inbox.says('quit (q)?');
    if (end.startsWith('SIG')) process.kill(Number(fs.readFileSync(pidFile, 'utf8')), end);
    else inbox.type(end);
    const exit = new Map([
      ['SIGTERM', 143],
      ['SIGHUP', 129],
      ['SIGINT', 130],
    ]).get(end);
    expect(await inbox.ended).toBe(`exit ${exit ?? 0}, cooked`);
    expect(dismissals(sandbox)).toHaveLength(1);
  },
);

test.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)(
  'a %s ends a command that waits with the lock given back, and the next one does the work',
  async (signal) => {
    await using sandbox = new Sandbox('example');
    const terms = ['--matter', 'house-purchase', '--vault', 'vault'];
    await sandbox.steward(['licence', 'sign', 'mail:anna@northgate-notary.example', ...terms]);
    expect(await sandbox.sh('drop 01')).toMatchObject({ exit: 0 });
    await sandbox.steward(['import', 'stream/01-payment-received.eml', '--vault', 'vault']);
    expect(await sandbox.sh('STEWARD_LIVE_MODE=live steward tick --vault vault')).toMatchObject({ exit: 0 });
    fs.appendFileSync(path.join(sandbox.vault, 'task/pay-notary-deposit.md'), '\nStill typing.\n');
    const waiting = sandbox.start('steward undo --last 1 --vault vault');
    const lock = path.join(sandbox.vault, '.steward', 'lock');
    await expect.poll(() => fs.existsSync(lock)).toBe(true);
    await expect
      .poll(
        () => {
          waiting.kill(signal);
          return fs.existsSync(lock);
        },
        { interval: 500 },
      )
      .toBe(false);
    expect((await waiting.ended).exit).toBe({ SIGTERM: 143, SIGHUP: 129, SIGINT: 130 }[signal]);
    sandbox.write('task/pay-notary-deposit.md', sandbox.read('task/pay-notary-deposit.md'));
    expect(await sandbox.steward(['undo', '--last', '1', '--vault', 'vault'])).toMatchObject({ exit: 0 });
  },
);

test('a daemon whose terminal is closed ends in order, and leaves no lock', async () => {
  await using sandbox = new Sandbox('example');
  await using daemon = terminal(sandbox, ['run']);
  await daemon.says('started');
  daemon.close();
  expect(await daemon.ended).toBe('exit 0, closed');
  expect(fs.existsSync(path.join(sandbox.vault, '.steward/lock'))).toBe(false);
});
