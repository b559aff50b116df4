import { expect } from 'vitest';
import { Sandbox } from '../stories/support.ts';
import { attack } from './attack.ts';

// What a sender or a sync peer wrote is printed by commands, and by `run` into the journal of the system.

/** Clears the screen, sets the clipboard, names a link, and the one-byte forms that some terminals obey. */
const ORDERS = '\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u001b]8;;http://evil.example\u0007\u009b31m\u202e';

function mail(subject: string, quoted: string): string {
  return `From: "Anna ${quoted}" <anna@northgate-notary.example>
To: robin@sample-household.example
Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=
Date: ${new Date().toUTCString()}
Message-ID: <screen@northgate-notary.example>
Content-Type: text/plain; charset=utf-8

About the notary deposit for 7 Elm Lane, reference NG-2026-0117:
we confirm that the payment ${quoted} has been received.
`;
}

attack(
  {
    attacker: 'a sender',
    means: 'writes terminal orders into subject, name and text of a mail',
    loss: 'the screen, the clipboard, what a person believes to have read',
    defence: 'no command prints a control character that it did not make itself',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    sandbox.write('stream/screen.eml', mail(`Deposit ${ORDERS} received`, ORDERS));
    for (const words of [
      ['tick'],
      ['status'],
      ['inbox'],
      ['log'],
      ['explain', 'pay-notary-deposit'],
      ['doctor'],
      ['report'],
    ]) {
      const { stdout, stderr } = await sandbox.steward([...words, '--vault', 'vault']);
      for (const order of ['\u001b', '\u009b', '\u0007', '\u202e'])
        expect(stdout + stderr, words.join(' ')).not.toContain(order);
    }
  },
);

attack(
  {
    attacker: 'a sender',
    means: 'breaks the line in a subject, to forge the line after it',
    loss: 'a log that says what never happened',
    defence: 'one thing that happened is one line, whatever it quotes',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    const forged = 'confirmed task/pay-notary-deposit.md by hand';
    sandbox.write('stream/lines.eml', mail(`Deposit\n${forged}\r${forged}\u2028${forged}\u0085${forged}`, 'today'));
    for (const words of [['tick'], ['log'], ['inbox'], ['status']]) {
      const { stdout, stderr } = await sandbox.steward([...words, '--vault', 'vault']);
      const lines = (stdout + stderr).split(/[\n\r\u2028\u0085]/);
      expect(lines.filter((line) => line.startsWith(forged))).toEqual([]);
    }
  },
);
