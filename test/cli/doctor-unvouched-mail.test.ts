import { describe, expect, test } from 'vitest';
import { topmostServer, unvouchedMail } from '../../src/features/examination.ts';
import { fetchedMail } from '../../src/streams/fetched-mail.ts';
import { HOUSE, settings } from '../support/notes.ts';
import { writeRoofMail } from '../support/roof-mail.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

/** A mail with the given headers on top. */
function mail(...headers: readonly string[]): string {
  return [
    ...headers,
    'From: a@roof.example',
    'Subject: x',
    '',
    'Authentication-Results: body.example; dmarc=pass',
  ].join('\r\n');
}

interface Told {
  readonly vouched?: number;
  readonly unvouched: number;
  readonly trusts?: readonly string[];
  readonly mails?: readonly string[];
}

async function troubleOf({ vouched = 0, unvouched, trusts = [], mails = [] }: Told) {
  const files = Object.fromEntries(mails.map((text, nth) => [`stream/m${nth}.eml`, text]));
  const vault = new TempVault({ ...HOUSE, ...files, 'steward.md': settings({ trusted_mail_servers: [...trusts] }) });
  const bench = await Bench.open(vault);
  for (let nth = 0; nth < vouched + unvouched; nth += 1) {
    const authenticated = nth < vouched ? 'pass' : 'none';
    writeRoofMail(vault, `signal/s${nth}.md`, { raw_quote: `nr ${nth}`, authenticated });
  }
  await bench.sweep();
  return unvouchedMail(bench.ports);
}

describe('what can be done about mails that nobody vouches for', () => {
  const HOME = 'Authentication-Results: MX.Home.example; dmarc=pass';

  test('is said with the servers that stand on top of the newest mails, the most frequent first', async () => {
    const other = 'Authentication-Results: other.example; none';
    const trouble = only(
      await troubleOf({ unvouched: 4, vouched: 1, mails: [other, HOME, HOME].map((one) => mail(one)) }),
    );
    expect(trouble).toMatchObject({ code: 'mail-unvouched', file: 'steward.md' });
    expect(trouble.message).toContain('of 4 of the newest 5 mail signals');
    expect(trouble.hint).toContain('name mx.home.example (2 mails), other.example (1 mail).');
    expect(trouble.hint).toContain('write trusted_mail_servers: [mx.home.example] into steward.md');
    expect(trouble.hint).toContain('A sender can write such a line too');
  });

  test('is said of a fetched mail by the note of its source: the settings do not count for it', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ trusted_mail_servers: ['mx.home.example'] }) });
    const bench = await Bench.open(vault);
    for (const nth of [1, 2, 3])
      writeRoofMail(vault, `signal/s${nth}.md`, { raw_quote: `${nth}`, authenticated: 'none' });
    for (const [source, server] of [
      ['inbox', null],
      ['work', 'mx.home.example'],
    ] as const) {
      const file = `stream/${source}/2026-11-20-0123456789ab.eml`;
      const from = { source, server, keep: 'mail' } as const;
      vault.write(file, fetchedMail(from, file, Buffer.from(mail(HOME)), bench.ports.context.seal));
    }
    await bench.sweep();
    const { hint } = only(unvouchedMail(bench.ports));
    expect(hint).toContain(
      'name mx.home.example (1 mail). If that is the server of the account inbox, write mail_server',
    );
  });

  test('names the provider of a known server', async () => {
    const icloud = 'Authentication-Results: bimi.icloud.com; bimi=none';
    const trouble = only(await troubleOf({ unvouched: 3, mails: [mail(icloud)] }));
    expect(trouble.hint).toContain('write trusted_mail_servers: [icloud] into steward.md');
  });

  test('says so where no server says anything', async () => {
    const trouble = only(await troubleOf({ unvouched: 3, mails: [mail('')] }));
    expect(trouble.hint).toMatch(/^No server says/);
  });

  test('is not said once the server is trusted: mails that were read before stay as they were judged', async () => {
    expect(await troubleOf({ unvouched: 3, trusts: ['mx.home.example'], mails: [mail(HOME)] })).toEqual([]);
  });

  test.each<[string, Told]>([
    ['a few', { unvouched: 2 }],
    ['less than half', { unvouched: 5, vouched: 6 }],
    ['none', { unvouched: 0, vouched: 6 }],
  ])('is not said of %s', async (_, told) => expect(await troubleOf(told)).toEqual([]));

  test('signals that somebody dropped say nothing of mails', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    for (const nth of [1, 2, 3]) {
      writeRoofMail(vault, `signal/s${nth}.md`, { authenticated: 'none' });
      vault.edit(`signal/s${nth}.md`, 'your invoice is paid', 'forged');
    }
    await bench.sweep();
    expect(unvouchedMail(bench.ports)).toEqual([]);
  });
});

describe('the topmost server of a mail', () => {
  test.each<[string, string | null]>([
    [mail('Authentication-Results: mx.home.example; dmarc=pass'), 'mx.home.example'],
    [mail('Received: by x', 'authentication-results: MX.home.example 1;', ' dkim=pass'), 'mx.home.example'],
    [mail('Authentication-Results:', '\tmx.home.example; dmarc=pass'), 'mx.home.example'],
    [mail('Authentication-Results: one.example; none', 'Authentication-Results: two.example; none'), 'one.example'],
    [mail('Authentication-Results: mx.home.example'), 'mx.home.example'],
    [mail('X-Authentication-Results: mx.home.example; none'), null],
    [mail('Authentication-Results: (a comment) mx.home.example; none'), null],
    [mail('Authentication-Results: dmarc=pass action=none'), null],
    [mail('Authentication-Results: [[x]]; none'), null],
    [mail(`Authentication-Results: ${'a'.repeat(300)}; none`), null],
    [mail(), null],
    ['', null],
  ])('%#', (text, server) => expect(topmostServer(text)).toBe(server));
});
