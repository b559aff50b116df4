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
  expect(stdout).toMatch(/^ {2}started with 7 matters, in mode live$/m);
  expect(stdout).toMatch(/^ {2}licence signed for mail:anna@northgate-notary\.example: /m);
  const mails = new Map(
    stdout.split('→ a mail arrives: ').map((part) => [/^“(.*?)”/.exec(part)?.[1] ?? '', part.split('\n').slice(1)]),
  );
  // A check may fall into any mail's time, and evaluate the one signal that the example contains.
  const about = (subject: string) =>
    (mails.get(subject) ?? []).filter((line) => /^ {2}\S/.test(line) && !line.includes(' send-odometer-photo:'));
  const starting = (subject: string, ...what: readonly string[]) =>
    about(subject).filter((line) => what.some((word) => line.startsWith(`  ${word} `)));
  expect(starting('Notary deposit for 7 Elm Lane', 'applied')).toEqual([
    expect.stringMatching(/^ {2}applied pay-notary-deposit: state open → done \(confidence 0\.\d\d\)$/),
  ]);
  const moved = /^ {2}(\w+) kitchen-measuring-appointment: due (\d{4})-12-01 → \2-12-12 \(confidence 0\.\d\d\)$/;
  const measuring = 'Ihre Küche: measuring appointment';
  const outcomes = about(measuring).flatMap((line) => moved.exec(line)?.[1] ?? []);
  expect(outcomes).toEqual(['proposed', 'confirmed']);
  expect(starting(measuring, 'licence')).toEqual([
    '  licence signed for mail:juergen@muesterle-kuechen.example: you ticked it',
  ]);
  expect(starting(measuring, 'learned')).toEqual([
    '  learned that mail:juergen@muesterle-kuechen.example was right: confidence 0.96, slightly up',
  ]);
  const lease = mails.get('Lease contract for plot 14');
  expect(lease).toContain('    office@greenfield-allotments.example has no licence on allotment-garden.');
  expect(lease?.join('\n')).toMatch(
    /^ {2}proposed sign-lease-contract-for-plot-14: status open → done; completedDate \(none\)/m,
  );
  const silent = ['Re: Car insurance premium, policy FW-000-EX', 'Your car insurance premium: have you heard?'];
  for (const subject of [...silent, 'A message for your assistant']) {
    expect(starting(subject, 'no'), subject).toEqual([expect.stringMatching(/^ {2}no signal: ./)]);
    expect(starting(subject, 'applied', 'proposed', 'recorded')).toEqual([]);
  }
  expect(starting('Marlow invoice paid', 'asked', 'applied', 'proposed', 'recorded')).toEqual([
    '  asked which note is meant: marlow-invoice-041 or marlow-invoice-042',
  ]);
  const weighed = mails.get('Moving van')?.join('\n');
  expect(weighed).toMatch(/rules would say: likely_done at 0\.\d\d, state "done"$/m);
  expect(weighed).toMatch(/claude-sonnet-5-5 \(recorded by hand, prompt \S+\) says: needs_input at 0\.64, no change$/m);
  expect(weighed).toMatch(/^ {2}recorded book-moving-van: no change \(confidence 0\.64\)/m);
  // The forged mail says as much as the others, and is only proposed.
  expect(mails.get('Land registry extract for 7 Elm Lane')?.join('\n')).toMatch(
    /^ {2}proposed order-land-registry-extract: state open → done .*\n {4}not from anna@northgate-notary\.example: your mail server rejected the sender/m,
  );
  expect(stdout).not.toMatch(/^ *problem /m);
  // Only the invoice that is overdue in the example is so, on any day; a verdict of the rules is not compared with itself.
  expect(stdout).not.toMatch(/^ *noticed (?!marlow-invoice-041:)|\bundefined\b/m);
  expect(stdout).toMatch(/^ +look: shown\/task\/pay-notary-deposit\.md, /m);
  expect(stdout).toMatch(/^ +npx steward --vault shown undo pay-notary-deposit$/m);
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
