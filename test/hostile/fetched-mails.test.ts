import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkRelevance } from '../../src/sources/relevance.ts';
import { newSource, SOURCES } from '../../src/sources/source.ts';
import { deleteReadMails } from '../../src/sources/source-work.ts';
import { fetchedFile, fetchedMail, type MailOrigin, upToText } from '../../src/streams/fetched-mail.ts';
import { Seal } from '../../src/vault/seal.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { HOUSE, instinct, matter, PAID_MAIL, settings, task } from '../support/notes.ts';
import { ROOF_LICENCE } from '../support/own-signal.ts';
import { bestTime } from '../support/own-time.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { attack } from './attack.ts';

const SERVER = 'mx.sample.example';
const FILE = 'stream/inbox/2026-11-21-0123456789ab.eml';
const FROM: MailOrigin = { source: 'inbox', server: SERVER, keep: 'mail' };
const PROVEN = { pattern: 'billing@roof.example', confidence: 1, prior: 1, observations: 60, right: 60 };
const CLAIM = PAID_MAIL;
const NOBODYS = PAID_MAIL.replace(/^Authentication-Results.*\r\n/, '');

/** A vault in which the roofer is named and proven, and whose settings trust no server. */
async function house() {
  const vault = new TempVault({
    ...HOUSE,
    'matter/house.md': matter({ senders: ['billing@roof.example'] }),
    'task/pay.md': task(),
    'instinct/mail/roof.md': instinct('mail', PROVEN),
    'steward.md': settings({ trusted_mail_servers: [], settle_seconds: 0 }),
    ...ROOF_LICENCE,
  }).identify();
  const bench = await Bench.open(vault);
  const { seal } = bench.ports.context;
  return {
    vault,
    bench,
    marked: (from: Partial<MailOrigin> = {}, mail = CLAIM, file = FILE) =>
      fetchedFile({ ...FROM, ...from }, file, Buffer.from(mail), seal),
    /** What has become of the task, and of the signals, once all was read and weighed. */
    outcome: async () => {
      await sweepAndRead(bench);
      await bench.tick();
      const signals = vault.names('signal').map((name) => vault.fields(`signal/${name}`));
      return { state: vault.fields('task/pay.md').state, vouched: signals.map(({ authenticated }) => authenticated) };
    },
  };
}

type House = Awaited<ReturnType<typeof house>>;

test('a mail that was fetched is acted upon where its server vouches for it', async () => {
  const { vault, bench, marked, outcome } = await house();
  bench.remember(SOURCES, { inbox: { ...newSource('a'), vouches: true, server: SERVER } });
  vault.write(FILE, await marked());
  expect(await outcome()).toEqual({ state: 'done', vouched: ['pass'] });
});

describe('a sync peer who wants to be vouched for', () => {
  const forged = (mail: string) => fetchedMail(FROM, FILE, Buffer.from(mail), new Seal(Buffer.alloc(32)));
  for (const [means, drop] of [
    ['writes the lines of a fetched mail above a mail of his own', (at) => at.vault.write(FILE, forged(CLAIM))],
    [
      'writes them without a seal',
      (at) =>
        at.vault.write(FILE, `X-Steward-Source: inbox\nX-Steward-Server: ${SERVER}\nX-Steward-Keep: mail\n${CLAIM}`),
    ],
    [
      'puts his mail below the lines of a true one',
      async (at) => {
        const lines = String(await at.marked({}, NOBODYS)).slice(0, -NOBODYS.length);
        at.vault.write(FILE, `${lines}${CLAIM}`);
      },
    ],
    [
      'adds a line of the server to a true one',
      async (at) =>
        at.vault.write(
          FILE,
          String(await at.marked({}, NOBODYS)).replace('From:', `${CLAIM.split('\r\n')[0]}\r\nFrom:`),
        ),
    ],
    [
      'writes a line between the mark and the mail',
      async (at) =>
        at.vault.write(
          FILE,
          String(await at.marked({}, NOBODYS)).replace(/(?<=Seal: \w+\r\n)/, `${CLAIM.split('\r\n')[0]}\r\n`),
        ),
    ],
    [
      'names another server in a true one',
      async (at) =>
        at.vault.write(
          FILE,
          String(await at.marked({ server: 'mx.other.example' })).replace('mx.other.example', SERVER),
        ),
    ],
    [
      'takes a true one of an account that names no server to the folder of one that does',
      async (at) =>
        at.vault.write(FILE, await at.marked({ server: null, source: 'open' }, CLAIM, FILE.replace('inbox', 'open'))),
    ],
    [
      'copies a true one to another name before it is read',
      async (at) => at.vault.write(FILE.replace('ab.eml', 'ac.eml'), await at.marked()),
    ],
    [
      'puts a true one into a mailbox',
      async (at) => at.vault.write('stream/box.mbox', `From - Thu Mar 01 08:00:00 2035\n${await at.marked()}\n`),
    ],
  ] as const satisfies readonly (readonly [string, (at: House) => unknown])[])
    attack(
      {
        attacker: 'a sync peer',
        means,
        loss: 'a note is changed on the word of a server that said nothing',
        defence: 'the mark is for one path and all bytes below it, by a key outside the vault',
      },
      async () => {
        const at = await house();
        await drop(at);
        expect(await at.outcome()).toEqual({ state: 'open', vouched: ['none'] });
      },
    );
});

attack(
  {
    attacker: 'a sender',
    means: 'mails in the name of another to an account that names no server, beside one that does',
    loss: 'they count as those of the other: for what is learnt of him, and as his word',
    defence: 'a sender who is not authenticated is never counted under the plain name, whatever servers are known',
  },
  async () => {
    for (const vouches of [true, false]) {
      const { vault, bench, marked, outcome } = await house();
      bench.remember(SOURCES, { inbox: { ...newSource('a'), vouches }, open: newSource('b') });
      const file = FILE.replace('inbox', 'open');
      vault.write(file, await marked({ server: null, source: 'open' }, CLAIM, file));
      expect(await outcome()).toEqual({ state: 'open', vouched: ['none'] });
      expect(vault.names('signal').map((name) => vault.fields(`signal/${name}`).pattern)).toEqual([
        'unverified:billing@roof.example',
      ]);
    }
  },
);

describe('a sync peer who wants a mail to be read twice, or not at all', () => {
  attack(
    {
      attacker: 'a sync peer',
      means: 'copies of the text of a mail under other names, with other line ends, its lines cut off',
      loss: 'one mail gives many signals',
      defence: 'what the whole mail says is sealed with the text, without its place',
    },
    async () => {
      const { vault, bench, marked } = await house();
      const mail = PAID_MAIL.replace('To: robin', `X-Padding: ${'x'.repeat(800)}\r\nTo: robin`);
      vault.write(FILE, await marked({ keep: 'text' }, mail));
      await sweepAndRead(bench);
      const text = vault.read(FILE);
      expect(text).toContain('X-Steward-Identity');
      vault.write('stream/copy.eml', text);
      vault.write('stream/inbox/2026-11-21-ba9876543210.eml', text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'));
      vault.write('stream/whole.eml', mail);
      await sweepAndRead(bench);
      expect(vault.names('signal')).toHaveLength(1);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'his own words below the identity of a mail that is to come',
      loss: 'the mail counts as read before it was',
      defence: 'the identity is sealed together with the text',
    },
    async () => {
      const { vault, bench, marked } = await house();
      const mail = PAID_MAIL.replace('To: robin', `X-Padding: ${'x'.repeat(800)}\r\nTo: robin`);
      const text = String(await marked({ keep: 'text' }, mail));
      vault.write('stream/first.eml', text.replace('has been paid', 'will be paid by [[pay]] has been paid'));
      await sweepAndRead(bench);
      const before = vault.names('signal').length;
      vault.write(FILE, await marked({}, mail));
      await sweepAndRead(bench);
      expect(vault.names('signal').length).toBe(before + 1);
    },
  );
});

describe('whoever wants the program to delete', () => {
  const attackOn = (
    means: string,
    drop: (at: House) => Promise<string>,
    attacker: 'a sync peer' | 'a sender' = 'a sync peer',
  ) =>
    attack(
      {
        attacker,
        means,
        loss: 'the program deletes what it did not write',
        defence: 'only the bytes that it wrote itself, at that place, go, and never through a link',
      },
      async () => {
        const at = await house();
        const kept = await drop(at);
        const before = fs.readFileSync(kept);
        await sweepAndRead(at.bench);
        await deleteReadMails(at.bench.ports);
        await deleteReadMails(at.bench.ports);
        expect(fs.readFileSync(kept)).toEqual(before);
      },
    );

  attackOn('the lines of a mail that is not to be kept, above a mail of a person', async ({ vault }) => {
    vault.write(FILE, fetchedMail({ ...FROM, keep: 'quote' }, FILE, Buffer.from(CLAIM), new Seal(Buffer.alloc(32))));
    return vault.at(FILE);
  });
  attackOn(
    'such lines at the beginning of his own mail',
    async ({ vault, marked }) => {
      const own = String(fetchedMail({ ...FROM, keep: 'quote' }, FILE, Buffer.from(CLAIM), new Seal(Buffer.alloc(32))));
      vault.write(FILE, await marked({ keep: 'mail' }, own));
      return vault.at(FILE);
    },
    'a sender',
  );
  attackOn('a mail that is not to be kept, changed after it was read', async ({ vault, bench, marked }) => {
    vault.write(FILE, await marked({ keep: 'quote' }));
    await sweepAndRead(bench);
    vault.write(FILE, `${vault.read(FILE)}A note of mine.`);
    return vault.at(FILE);
  });
  attackOn('one that is not to be kept, under another name', async ({ vault, marked }) => {
    const copy = FILE.replace('inbox', 'letters');
    vault.write(copy, await marked({ keep: 'quote' }));
    return vault.at(copy);
  });
  attackOn('the folder of the source made a link to one with the same file in it', async ({ vault, bench, marked }) => {
    vault.write(FILE, await marked({ keep: 'quote' }));
    await sweepAndRead(bench);
    const outside = path.join(vault.home, 'letters');
    fs.renameSync(path.dirname(vault.at(FILE)), outside);
    fs.symlinkSync(outside, path.dirname(vault.at(FILE)));
    return path.join(outside, path.basename(FILE));
  });
  attackOn('the file made a link to another with the same bytes', async ({ vault, bench, marked }) => {
    vault.write(FILE, await marked({ keep: 'quote' }));
    await sweepAndRead(bench);
    const outside = path.join(vault.home, 'letter.eml');
    fs.renameSync(vault.at(FILE), outside);
    fs.symlinkSync(outside, vault.at(FILE));
    return outside;
  });
  attackOn('a second name for a file that is to go', async ({ vault, bench, marked }) => {
    vault.write(FILE, await marked({ keep: 'quote' }));
    await sweepAndRead(bench);
    fs.linkSync(vault.at(FILE), path.join(vault.home, 'letter.eml'));
    return path.join(vault.home, 'letter.eml');
  });
  attackOn('a state that lists notes of a person as mails to go', async ({ vault, bench }) => {
    const here = { 'matter/house.md': 0, '../letter.eml': 0, '/etc/hostname': 0, 'stream/none.eml': 0, __proto__: 0 };
    bench.remember('fleeting', here);
    return vault.at('matter/house.md');
  });
});

describe('a sender who does not want a mail to be fetched, or wants it to cost', () => {
  const bytesOf = (head: string, text: string) => Buffer.from(`${head}Subject: hi\r\n\r\n${text}`);

  attack(
    {
      attacker: 'a sender',
      means: 'headers of another mail that is worth reading, marked as bulk or old, with its Message-ID',
      loss: 'the true mail is never fetched',
      defence: 'each mail is sifted by its own headers, and known by all of them',
    },
    async () => {
      const { bench } = await house();
      const head = 'From: billing@roof.example\r\nMessage-ID: <1@roof.example>\r\n';
      const sifted = (bytes: Buffer) => checkRelevance(bench.ports, { bytes, isWhole: false });
      expect(await sifted(bytesOf(`${head}Precedence: list\r\n`, ''))).toBe('pass');
      // It may be a notification: its text tells.
      expect(await sifted(bytesOf(`${head}List-Id: <a.b.example>\r\n`, ''))).toBe('more');
      expect(await sifted(bytesOf(`${head}Date: Mon, 1 Jan 2001 08:00:00 +0000\r\n`, ''))).toBe('pass');
      expect(await sifted(bytesOf(head, ''))).toBe('fetch');
    },
  );

  attack(
    {
      attacker: 'a sender',
      means:
        'a beginning that looks like all of the text: a boundary in the text, parts in one another, none that ends',
      loss: 'what stands below is passed over',
      defence: 'where the text is not surely all there, the mail is fetched',
    },
    async () => {
      const { bench } = await house();
      const below = `${'lunch '.repeat(50)}\n[[pay]] has been paid\n`;
      const type = (boundary: string) => `Content-Type: multipart/mixed; boundary=${boundary}\n\n`;
      for (const rest of [
        `\n${below}`,
        `Content-Type: text/plain; boundary=b\n\nlunch\n--b\n${below}`,
        `Content-Type: multipart/mixed\n\n--b\n\nlunch\n--b\n${below}`,
        `Content-Type: multipart/mixed; boundary=""\n\n--\n\nlunch\n--\n${below}`,
        `${type('b')}--b\n${type('c')}--c\n${type('d')}${below}`,
        `${type('b')}--b\n\n\n--b\nContent-Type: text/html\n\n${below}`,
        `${type('b')}--b\nContent-Type: text/html\n\n<p>lunch\n--b\n\nlunch\n--b\n${below}`,
        `${type('b')}--b\nContent-Disposition: attachment\n\nlunch\n--b\nContent-Type: text/html\n\n${below}`,
        `${type('b')}${'--b\nContent-Type: image/png\n\n'.repeat(40)}--b\n\nlunch\n--b\n${below}`,
      ]) {
        const bytes = Buffer.from(`From: a@b.example\nSubject: hi\n${rest}`);
        expect(await checkRelevance(bench.ports, { bytes, isWhole: false }), rest.slice(0, 80)).toBe('fetch');
      }
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'a mail of parts in parts, of line ends alone, or with a header without end',
      loss: 'sifting holds up the daemon',
      defence: 'its time grows with the bytes that were asked for, and no faster',
    },
    async () => {
      const nested = Array.from(
        { length: 400 },
        (_, nth) => `Content-Type: multipart/mixed; boundary=${nth}\n\n--${nth}\n`,
      );
      const size = 32 * 1024;
      for (const text of [
        nested.join(''),
        `Content-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: image/x\n\n'.repeat(1300)}`,
        '\r'.repeat(size),
        '\n\r\r'.repeat(size / 3),
        `A: ${';boundary='.repeat(size / 10)}`,
        `Content-Type: multipart/mixed${'; boundary'.repeat(size / 10)}`,
        `A:b\n${' '.repeat(size)}`,
        `A:b\n${'\r \t'.repeat(size / 3)}\n\nx`,
      ])
        expect(await bestTime(async () => void upToText(Buffer.from(text)))).toBeLessThan(50);
    },
  );
});
