import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { daysMoved, yearsTo } from '../../../src/cli/commands/demo.ts';
import { localDate } from '../../../src/vault/time.ts';
import { Sandbox } from '../../stories/support.ts';

test('the demo ends by itself, and does exactly what the example says of each mail', async () => {
  await using sandbox = new Sandbox('none');
  const program = path.resolve(import.meta.dirname, '../../..', 'bin', 'demo.js');
  const { stdout, stderr, exit } = await sandbox.sh(`'${process.execPath}' '${program}' --once --dir shown`);
  expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
  const mails = new Map(
    stdout
      .split('→ a mail arrives: ')
      .map((part) => [part.slice(0, part.indexOf('\n')).replace(/^stream\//, ''), part]),
  );
  const lines = (what: string, mail: string) =>
    [...(mails.get(mail) ?? '').matchAll(new RegExp(`^${what} (\\S+): (.*?) \\(`, 'gm'))].map((match) =>
      match.slice(1),
    );
  // A tick may fall into any mail's time, and weigh the one signal that lies in the example.
  const done = (mail: string) =>
    (mails.get(mail) ?? '')
      .split('\n')
      .filter((line) => /^(acted|proposed|recorded) /.test(line) && !line.includes(' task/send-odometer-photo.md:'));
  expect(stdout).toMatch(/^schedule steward-house-purchase provisioned, /m);
  expect(stdout).toMatch(/^licence signed licence\/mail-anna@northgate-notary\.example-house-purchase\.md: /m);
  expect(lines('acted', '01-payment-received.eml')).toEqual([['task/pay-notary-deposit.md', 'state open → done']]);
  const moved = ['task/kitchen-measuring-appointment.md', expect.stringMatching(/^due (\d{4})-12-01 → \1-12-12$/)];
  expect(lines('acted', '02-appointment-moved.eml')).toEqual([]);
  expect(lines('proposed', '02-appointment-moved.eml')).toEqual([moved]);
  expect(lines('confirmed', '02-appointment-moved.eml')).toEqual([moved]);
  expect(lines('licence signed', '02-appointment-moved.eml')).toEqual([
    ['licence/mail-juergen@muesterle-kuechen.example-kitchen-renovation.md', 'mail:juergen@muesterle-kuechen.example'],
  ]);
  expect(mails.get('05-contract-signed.eml')).toContain(
    'office@greenfield-allotments.example has no licence on allotment-garden',
  );
  expect(lines('proposed', '05-contract-signed.eml')).toEqual([
    [
      'task/sign-lease-contract-for-plot-14.md',
      expect.stringMatching(/^status open → done; completedDate$|^status open → done; completedDate \(none\)/),
    ],
  ]);
  for (const mail of ['03-not-yet-paid.eml', '06-newsletter.eml', '07-please-obey.eml']) {
    expect(mails.get(mail)).toMatch(new RegExp(`^read stream/${mail}: no signal`, 'm'));
    expect(mails.get(mail)).not.toMatch(/^signal /m);
    expect(done(mail)).toEqual([]);
  }
  expect(mails.get('04-which-invoice.eml')).toMatch(
    /^signal .*marlow-invoice-041.*marlow-invoice-042.*you are asked which/m,
  );
  expect(done('04-which-invoice.eml')).toEqual([]);
  const weighed = mails.get('gmail/08-another-van.eml');
  expect(weighed).toMatch(/rules would say: likely_done at 0\.\d\d, state "done"$/m);
  expect(weighed).toMatch(/claude-sonnet-5-5 \(recorded by hand, prompt \S+\) says: needs_input at 0\.64, no change$/m);
  expect(weighed).toMatch(/^recorded task\/book-moving-van\.md: no change \(needs_input 0\.64/m);
  // The forged mail says as much as the others, and is only proposed.
  expect(stdout).toMatch(
    /^proposed task\/order-land-registry-extract\.md: state open → done \(.*not from anna@northgate-notary\.example: your mail server rejected the sender/m,
  );
  expect(stdout).not.toMatch(/^problem /m);
  // Only the invoice that is overdue in the example is so, on any day; a verdict of the rules is not compared with itself.
  expect(stdout).not.toMatch(/^noticed (?!task\/marlow-invoice-041\.md)|\bundefined\b/m);
  expect(stdout).toMatch(/^ +look: .*shown\/task\/pay-notary-deposit\.md$/m);
  expect(stdout).toMatch(/^ +undo: .*npx steward --vault shown undo \S+$/m);
  onlyTheseLinesDiffer(path.join(sandbox.folder, 'shown'), {
    'pay-notary-deposit.md': 1,
    'kitchen-measuring-appointment.md': 1,
    'sign-lease-contract-for-plot-14.md': 1, // that something waits
  });
});

function onlyTheseLinesDiffer(vault: string, expected: Record<string, number>): void {
  const example = path.resolve(import.meta.dirname, '../../..', 'vault-example', 'task');
  const years = yearsTo(localDate(Date.now()));
  const changed: Record<string, number> = {};
  for (const name of fs.readdirSync(example)) {
    const before = daysMoved(fs.readFileSync(path.join(example, name), 'utf8'), years).split('\n');
    const after = fs.readFileSync(path.join(vault, 'task', name), 'utf8').split('\n');
    const fresh = after.filter((line) => !before.includes(line)).length;
    if (fresh > 0 || after.length < before.length) changed[name] = fresh;
  }
  expect(changed).toEqual(expected);
}
