// Over 5 s: a terminal, and three thousand mails.
import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fingerprint, type PastMail, pastMail, pastMaildir } from '../../features/rehearsal/support.ts';
import { Sandbox } from '../../stories/support.ts';
import { PseudoTerminal } from '../../support/pseudo-terminal.ts';

const ANNA = 'Anna Placeholder <anna@northgate-notary.example>';
const SPRING: readonly PastMail[] = [
  {
    ...{ at: '2026-03-11T12:00', from: ANNA, subject: 'Notary deposit' },
    text: 'Dear Robin,\n\nthe notary deposit has been paid.\n\nKind regards, Anna',
  },
  {
    ...{ at: '2026-04-18T12:00', from: ANNA, subject: 'Land registry extract' },
    text: 'Dear Robin,\n\nthe land registry extract has been ordered.\n\nKind regards, Anna',
  },
];

/** The example vault of somebody who did what the mails say. */
function lastSpring(): Sandbox {
  const sandbox = new Sandbox('example');
  const close = (note: string, day: string) => {
    const text = sandbox.read(note).replace(/^state: .*$/m, `state: done\ncompletedDate: ${day}`);
    sandbox.write(note, text);
  };
  close('task/pay-notary-deposit.md', '2026-03-12');
  close('task/order-land-registry-extract.md', '2026-04-20');
  sandbox.write(
    'steward.md',
    sandbox.read('steward.md').replace(/^trusted_mail_servers:.*$/m, '$&\n  - mx.sample.example'),
  );
  for (const folder of ['licence', 'instinct'])
    fs.rmSync(path.join(sandbox.vault, folder), { recursive: true, force: true });
  pastMaildir(path.join(sandbox.folder, 'Spring'), SPRING);
  return sandbox;
}

function onTerminal(sandbox: Sandbox, ...more: readonly string[]): PseudoTerminal {
  const words = ['steward', 'rehearse', './Spring', '--vault', 'vault', ...more];
  return new PseudoTerminal(words, { cwd: sandbox.folder, env: sandbox.env, rows: 60 });
}

describe('at the end, on a terminal', () => {
  test('a yes signs the licences that the past supports', async () => {
    await using sandbox = lastSpring();
    await using terminal = onTerminal(sandbox);
    await terminal.says('Sign this licence?');
    terminal.type('y');
    await terminal.says('Count the past of this sender?');
    terminal.type('y');
    await terminal.says('signed  mail-anna@northgate-notary.example-house-purchase\r\n');
    await terminal.says('learnt');
    expect(await terminal.ended).toBe('exit 0, cooked');
    const [name = ''] = fs.readdirSync(path.join(sandbox.vault, 'licence'));
    expect(sandbox.read(`licence/${name}`)).toMatch(/^signed_by: rehearsal$/m);
    expect(sandbox.read('instinct/mail/anna@northgate-notary.example.md')).toMatch(/^observations: 2$/m);
    // What was accepted is not offered again.
    await using again = onTerminal(sandbox);
    expect(await again.ended).toBe('exit 0, cooked');
  });

  test.each(['n', '\\r'])('%j to each offer writes no note, and no offer is asked about again', async (key) => {
    await using sandbox = lastSpring();
    const before = fingerprint(sandbox.vault);
    await using terminal = onTerminal(sandbox);
    await terminal.says('Sign this licence?');
    terminal.type(key);
    await terminal.says('Count the past of this sender?');
    terminal.type(key);
    expect(await terminal.ended).toBe('exit 0, cooked');
    expect(fingerprint(sandbox.vault)).toEqual(before);
    await using again = onTerminal(sandbox);
    await again.says('You said no to this licence before.');
    expect(await again.ended).toBe('exit 0, cooked');
    await using fresh = onTerminal(sandbox, '--fresh');
    await fresh.says('Sign this licence?');
    fresh.type('\\x03');
    expect(await fresh.ended).toBe('exit 0, cooked');
  });

  test('each line of a case fits a narrow terminal', async () => {
    await using sandbox = lastSpring();
    const open = sandbox.read('task/order-land-registry-extract.md').replace(/^state: done\n.*$/m, 'state: open');
    sandbox.write('task/order-land-registry-extract.md', open);
    const words = ['steward', 'rehearse', './Spring', '--vault', 'vault'];
    await using terminal = new PseudoTerminal(words, { cwd: sandbox.folder, env: sandbox.env, columns: 50 });
    await terminal.says('The most instructive');
    await terminal.says('Steward: ');
    const cases = stripVTControlCharacters(terminal.said).split('The most instructive')[1] ?? '';
    expect(cases.split('\r\n').filter((line) => line.length > 50)).toEqual([]);
  });

  test('Ctrl-C answers nothing: the offers come again', async () => {
    await using sandbox = lastSpring();
    const before = fingerprint(sandbox.vault);
    for (const _ of [1, 2]) {
      await using terminal = onTerminal(sandbox);
      await terminal.says('Sign this licence?');
      terminal.type('\\x03');
      expect(await terminal.ended).toBe('exit 0, cooked');
    }
    expect(fingerprint(sandbox.vault)).toEqual(before);
  });
});

const THREE_THOUSAND = 3000;
const MOST_SECONDS = 30;
const CORES = 2;
const TASKS = 100;
const MATTERS = 12;
const THINGS = ['boiler', 'deposit', 'invoice', 'contract', 'tiles', 'survey', 'passport', 'flight', 'roof', 'van'];
const VERBS = ['Pay the', 'Order the', 'Sign the', 'Renew the', 'Check the'];
const YEAR_MS = 365 * 86_400_000;

/** A mail of natural size: short notes, replies with a quoted thread, letters in HTML, and a third of newsletters. */
function naturalMail(nth: number): string {
  const thing = THINGS[nth % THINGS.length] ?? '';
  const at = new Date(Date.UTC(2025, 0, 1) + (nth / THREE_THOUSAND) * YEAR_MS).toISOString();
  const said =
    nth % 7 === 0 ? `The ${thing} ${nth % TASKS} has been paid.` : `About the ${thing}: we will come back to you.`;
  const thread = '> Thank you for your message. We look into it and come back to you.\n'.repeat(nth % 90);
  const text = `Dear Robin,\n\n${said}\n\nKind regards\nSender ${nth % 40}\n\nOn Monday Robin wrote:\n${thread}`;
  const plain = pastMail({
    at,
    from: `Sender <mail${nth % 40}@sender${nth % 40}.example>`,
    subject: `Your ${thing}`,
    text,
  });
  if (nth % 3 > 0) return plain;
  const html = `<html><body>${'<p style="font:14px Arial">One more offer for you, this week only.</p>\n'.repeat(300)}</body></html>`;
  return plain
    .replace('\n\n', '\nList-Unsubscribe: <https://sender.example/off>\nContent-Type: text/html; charset=utf-8\n\n')
    .replace(/\n\n[\s\S]*$/, `\n\n${html}\n`);
}

test('three thousand mails take less processor time than two cores have in thirty seconds', {
  timeout: 600_000,
}, async () => {
  await using sandbox = new Sandbox('none');
  for (let nth = 0; nth < MATTERS; nth += 1) {
    const senders = [`mail${nth}@sender${nth}.example`, `mail${nth + MATTERS}@sender${nth + MATTERS}.example`];
    sandbox.write(
      `matter/client-${nth}.md`,
      `---\ntype: matter\nstate: open\nsenders: [${senders.join(', ')}]\n---\nA client.\n`,
    );
  }
  for (let nth = 0; nth < TASKS; nth += 1) {
    const name = `${VERBS[nth % VERBS.length]} ${THINGS[nth % THINGS.length]} ${nth}`;
    sandbox.write(
      `task/${name}.md`,
      `---\ntype: task\nstate: open\nparent_matter: "[[client-${nth % MATTERS}]]"\n---\nA task.\n`,
    );
  }
  sandbox.write('steward.md', '---\ntype: steward\n---\nSettings.\n');
  const cur = path.join(sandbox.folder, 'Archive', 'cur');
  fs.mkdirSync(cur, { recursive: true });
  fs.mkdirSync(path.join(sandbox.folder, 'Archive', 'new'));
  let bytes = 0;
  for (let nth = 0; nth < THREE_THOUSAND; nth += 1) {
    const mail = naturalMail(nth);
    bytes += mail.length;
    fs.writeFileSync(path.join(cur, `${1_735_689_600 + nth}.M1P2.host:2,S`), mail);
  }
  const start = performance.now();
  const { exit, stdout } = await sandbox.sh('steward rehearse ./Archive --json --vault vault > out.json; times');
  const seconds = (performance.now() - start) / 1000;
  expect(exit).toBe(0);
  const { events, would } = JSON.parse(fs.readFileSync(path.join(sandbox.folder, 'out.json'), 'utf8'));
  expect(events.evaluated).toBe(THREE_THOUSAND);
  const processor = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  const used = processor.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
  const told = `${seconds.toFixed(1)} s, ${used.toFixed(1)} s of processor time`;
  console.info(`${THREE_THOUSAND} mails (${Math.round(bytes / 1024 / 1024)} MiB), ${TASKS} open tasks: ${told}`, would);
  // The machine may be busy with other tests: the time on the clock is for the reader.
  expect(used).toBeLessThan(CORES * MOST_SECONDS);
});
