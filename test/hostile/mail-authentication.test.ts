import { describe, expect, test } from 'vitest';
import { readAuthentication } from '../../src/streams/mail-sender.ts';
import { authenticated, isResults, type OpenMail, PROVIDERS, providerMail } from '../streams/mail-providers.ts';
import { attack } from './attack.ts';

/** The header below which all is the sender's own. */
const OWN = 'DKIM-Signature:';

/** Returns what the provider wrote about the sender, changed so that it does not authenticate anybody. */
function withVerdict(mail: OpenMail, said: 'none' | 'fail'): OpenMail {
  const headers = mail.headers.map((header) =>
    isResults(header) ? header.replace(/\bdmarc=pass/, `dmarc=${said}`).replaceAll('dkim=pass', 'dkim=none') : header,
  );
  return { ...mail, headers };
}

/** Returns a mail with headers of the sender's, above the sender's other ones. */
function sentWith({ headers, body }: OpenMail, ...own: readonly string[]): OpenMail {
  const at = headers.findIndex((header) => header.startsWith(OWN));
  return { headers: [...headers.slice(0, at), ...own, ...headers.slice(at)], body };
}

function withoutResults({ headers, body }: OpenMail): OpenMail {
  return { headers: headers.filter((header) => !isResults(header)), body };
}

const FORWARDED =
  'Received: from mx.forwarder.example by mx.forwarder.example with ESMTP; Fri, 20 Nov 2026 08:15:31 +0000';

describe.each(PROVIDERS)('mail at %s', (file, trusted) => {
  const genuine = providerMail(file);
  const pass = genuine.headers.filter(isResults);
  const unproven = withVerdict(genuine, 'none');
  const resultOf = async (mail: OpenMail) => (await authenticated(mail, trusted)).result;

  test('is authenticated as the provider wrote it, and not without its word', async () => {
    expect(await resultOf(genuine)).toBe('pass');
    expect(await resultOf(unproven)).toBe('none');
    expect(await resultOf(withVerdict(genuine, 'fail'))).toBe(file === 'gmx' ? 'none' : 'fail');
    expect(await resultOf(withoutResults(genuine))).toBe('none');
  });

  const forgery = (means: string, defence: string, attempt: () => Promise<void>) =>
    attack({ attacker: 'a sender', means, loss: 'a mail that acts in the name of somebody else', defence }, attempt);

  forgery('sends the provider’s header along, below the genuine one', 'the topmost counts', async () => {
    expect(await resultOf(sentWith(unproven, ...pass))).toBe('none');
    expect(await resultOf(sentWith(withVerdict(genuine, 'fail'), ...pass))).not.toBe('pass');
  });

  forgery('signs for itself what the provider left open', 'the provider’s header ends what is read', async () => {
    const id = /:\s*([\w.-]+);/.exec(pass[0] ?? '')?.[1] ?? 'protection.outlook.com';
    const own = [`Authentication-Results: ${id}; dkim=pass header.d=notary.example`];
    expect(await resultOf(sentWith(unproven, ...own))).toBe('none');
    const mute = { ...genuine, headers: genuine.headers.filter((header) => !/\b(?:dmarc|dkim|spf)=/.test(header)) };
    expect(await resultOf(sentWith(mute, 'Authentication-Results: evil.example; dmarc=pass'))).toBe('none');
    const silent = { ...genuine, headers: genuine.headers.filter((header) => !/\bd(?:marc|kim)=/.test(header)) };
    if (silent.headers.some(isResults)) expect(await resultOf(sentWith(silent, ...pass))).toBe('none');
  });

  forgery('sends it along many times', 'the topmost counts', async () => {
    expect(await resultOf(sentWith(unproven, ...Array.from({ length: 50 }, () => pass).flat()))).toBe('none');
  });

  forgery('folds it so that its name is on another line', 'headers are unfolded before they are read', async () => {
    const folded = pass.map((header) => header.replace(/:\s*/, ':\r\n \r\n\t').replaceAll('; ', ';\r\n\t '));
    expect(await resultOf(sentWith(unproven, ...folded))).toBe('none');
  });

  forgery('writes a line of the provider’s border host above it', 'it is below the genuine header', async () => {
    const border = genuine.headers.filter((header) => /^received:/i.test(header));
    expect(await resultOf(sentWith(unproven, ...border, ...pass))).toBe('none');
    expect(await resultOf(sentWith(unproven, ...pass, ...border))).toBe('none');
  });

  forgery('attaches an authenticated mail', 'an attached mail has no say about the outer one', async () => {
    const inner = `${genuine.headers.join('\r\n')}\r\n\r\n${genuine.body}`;
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nSee the mail.\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--b--\r\n`;
    const headers = unproven.headers.map((header) =>
      /^content-type:/i.test(header) ? 'Content-Type: multipart/mixed; boundary=b' : header,
    );
    expect(await resultOf({ headers, body })).toBe('none');
  });

  forgery('writes it into the text', 'only headers are read', async () => {
    expect(await resultOf({ ...unproven, body: `${pass.join('\r\n')}\r\n\r\n${genuine.body}` })).toBe('none');
  });

  forgery('sends it through a forwarder with ARC', 'ARC is no word of the provider', async () => {
    const arc = ['ARC-Seal: i=1; cv=none; d=forwarder.example; s=a; b=AAAA'].concat(
      pass.map((header) => header.replace(/^[^:]+:/, 'ARC-Authentication-Results: i=1;')),
    );
    const says = (verdict: 'none' | 'fail') => {
      const mail = withVerdict(genuine, verdict);
      const headers = mail.headers.map((header) =>
        isResults(header) ? header.replace(/\barc=none\b/, 'arc=pass') : header,
      );
      return sentWith({ ...mail, headers }, FORWARDED, ...arc, ...pass);
    };
    expect(await resultOf(says('none'))).toBe('none');
    expect(await resultOf(says('fail'))).not.toBe('pass');
  });

  forgery('has another server deliver the provider’s header', 'a foreign hop is above it', async () => {
    expect(await resultOf({ ...genuine, headers: [FORWARDED, ...genuine.headers] })).toBe('none');
    const foreign = 'Received: from evil.example by mx.evil.example with ESMTPS; Fri, 20 Nov 2026 08:15:31 +0000';
    const others = genuine.headers.filter((header) => !/^received:/i.test(header));
    expect(await resultOf({ ...genuine, headers: [foreign, ...others] })).toBe('none');
    expect(await resultOf({ ...genuine, headers: others })).toBe('none');
  });

  // Outlook's header has no name.
  test.skipIf(file === 'outlook')('another name or version in the header doesn’t count', async () => {
    const named = (change: (name: string) => string) => ({
      ...genuine,
      headers: genuine.headers.map((header) =>
        isResults(header) ? header.replace(/(:\s*)([\w.-]+)/, (_, colon, name) => `${colon}${change(name)}`) : header,
      ),
    });
    expect(await resultOf(named((name) => `${name} 1`))).toBe('pass');
    expect(await resultOf(named((name) => name.toUpperCase()))).toBe('pass');
    for (const change of [
      (name: string) => `${name} 2`,
      (name: string) => `${name}.evil.example`,
      (name: string) => `x${name.replaceAll('.', '-')}`,
      (name: string) => `evil.example ${name}`,
      (name: string) => `${name}/2`,
    ])
      expect(await resultOf(named(change))).toBe('none');
  });

  test('a header of one provider doesn’t count for another', async () => {
    const others = PROVIDERS.filter(([, other]) => other !== trusted).map(([, other]) => other);
    expect((await authenticated(genuine, ...others)).result).toBe('none');
  });
});

test('a header in the place where the sender’s own are doesn’t count at providers that write above', async () => {
  for (const [file, trusted] of PROVIDERS.filter(([name]) => ['outlook', 'fastmail', 'gmx'].includes(name))) {
    const genuine = providerMail(file);
    const forged = sentWith(withoutResults(genuine), ...genuine.headers.filter(isResults));
    expect((await authenticated(forged, trusted)).result).toBe('none');
  }
});

describe('a server that writes no header', () => {
  attack(
    {
      attacker: 'a sender',
      means: 'sends a From that OpenDMARC cannot read, and a header in its name',
      loss: 'a mail that acts in the name of somebody else',
      defence: 'only a plain From names a sender',
    },
    async () => {
      const mail = providerMail('opendmarc');
      const headers = mail.headers.filter((header) => !isResults(header));
      const border = headers.findLastIndex((header) => /^received:/i.test(header)) + 1;
      const forged = 'Authentication-Results: mail.mailhome.example; dmarc=pass header.from=notary.example';
      const long = `"${'A'.repeat(2100)}" <anna@notary.example>`;
      for (const from of [long, 'anna@notary.example (', '[ <anna@notary.example>', '"anna@notary.example" <>']) {
        const below = headers.slice(border).map((header) => (/^from:/i.test(header) ? `From: ${from}` : header));
        const all = [...headers.slice(0, border), forged, ...below];
        const { result } = await authenticated({ ...mail, headers: all }, 'opendmarc:mail.mailhome.example');
        expect([from, result]).toEqual([from, 'none']);
      }
    },
  );

  /** What an attacker calls themselves to a provider's border host, and the line that this host writes about it. */
  const GREETINGS: readonly (readonly [file: string, helo: string, received: string])[] = [
    ['gmx', 'localhost', 'from HELO ([203.0.113.66]) by mx-ha.gmx.net (mxgmx103 [212.227.17.5]) with ESMTPS'],
    ['gmx', 'mout.gmx.net', 'from HELO ([203.0.113.66]) by mx-ha.gmx.net (mxgmx103 [212.227.17.5]) with ESMTPS'],
    ['gmx', '[127.0.0.1]', 'from HELO ([203.0.113.66]) by mx-ha.gmx.net (mxgmx103 [212.227.17.5]) with ESMTPS'],
    ['gmx', 'mx-ha', 'from HELO by mx-ha.gmx.net (mxgmx103 [212.227.17.5]) with ESMTPS'],
    [
      'outlook',
      'localhost',
      'from HELO (203.0.113.66) by\r\n DB5PEPF00014B88.mail.protection.outlook.com (10.167.8.100)',
    ],
    [
      'outlook',
      'a.outlook.com',
      'from HELO (2001:db8::66) by DB5PEPF00014B88.mail.protection.outlook.com (10.167.8.100)',
    ],
    ['fastmail', 'localhost', 'from HELO (unknown [203.0.113.66]) by phl-mx-04.messagingengine.com (Postfix)'],
    ['fastmail', 'by', 'from HELO (unknown [203.0.113.66]) by phl-mx-04.messagingengine.com (Postfix)'],
  ];

  test('a border host counts if it took the mail from another inside', async () => {
    for (const [file, , received] of GREETINGS.filter(([, , line]) => line.includes('66'))) {
      const genuine = providerMail(file);
      const inside = received.replace('HELO', 'localhost').replace(/203\.0\.113\.66|2001:db8::66/, '127.0.0.1');
      const mail = { ...genuine, headers: [`Received: ${inside}`, ...genuine.headers] };
      expect([inside, (await authenticated(mail, file)).result]).toEqual([inside, 'pass']);
    }
  });

  for (const [file, helo, received] of GREETINGS) {
    attack(
      {
        attacker: 'a sender',
        means: `greets the border host of ${file} as ${helo}, with headers of that host below`,
        loss: 'a mail that acts in the name of somebody else',
        defence: 'the address that the host saw counts, not the greeting',
      },
      async () => {
        const genuine = providerMail(file);
        const line = `Received: ${received.replace('HELO', helo)}; Fri, 20 Nov 2026 09:15:32 +0100`;
        const forged = { ...genuine, headers: [line, ...genuine.headers] };
        expect((await authenticated(forged, file)).result).toBe('none');
      },
    );
  }

  attack(
    {
      attacker: 'a sender',
      means: 'greets a trusted server as one of its own, with a header and a hop of that server below',
      loss: 'a mail that acts in the name of somebody else',
      defence: 'only a name that the server looked up, or an inner address, is one of its own',
    },
    () => {
      const forged = [
        {
          key: 'received',
          value: 'from mail.notary.example (mail.notary.example [203.0.113.7]) by mx.home.example (Postfix)',
        },
        { key: 'authentication-results', value: 'mx.home.example; dmarc=pass header.from=notary.example' },
      ];
      const resultBelow = (value: string) =>
        readAuthentication([{ key: 'received', value }, ...forged], 'anna@notary.example', ['mx.home.example']).result;
      for (const peer of [
        'localhost (unknown [203.0.113.66])',
        'mx2.home.example (unknown [203.0.113.66])',
        'mx2.home.example (mx2.home.example [203.0.113.66] (may be forged))',
        'mx2.home.example ([203.0.113.66])',
        '[10.0.0.1] (evil.example [IPv6:2001:db8::66])',
        'localhost (localhost [127.0.0.1]) (evil.example [203.0.113.66])',
      ])
        expect([peer, resultBelow(`from ${peer} by mx.home.example (Postfix)`)]).toEqual([peer, 'none']);
      expect(resultBelow('from evil.example (mx2.home.example [198.51.100.4]) by mx.home.example (Postfix)')).toBe(
        'none',
      );
      expect(resultBelow('from mx2.home.example (mx2.home.example [198.51.100.4]) by mx.home.example')).toBe('pass');
      expect(resultBelow('from localhost (localhost [127.0.0.1]) by mx.home.example (Postfix)')).toBe('pass');
      expect(resultBelow('from mx.home.example by mx.home.example (Dovecot) with LMTP')).toBe('pass');
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'puts a comment into the domain that it signs for',
      loss: 'a mail that acts in the name of somebody else',
      defence: 'a header with a comment inside a word is not read',
    },
    () => {
      const value = 'mx.home.example; dkim=pass header.i=@notary.example(.evil.example header.s=s) header.b=abc';
      const headers = [{ key: 'authentication-results', value }];
      expect(readAuthentication(headers, 'anna@notary.example', ['mx.home.example']).result).toBe('none');
    },
  );
});
