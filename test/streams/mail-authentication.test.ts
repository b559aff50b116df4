import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMail } from '../../src/streams/mail.ts';
import { type Header, readAuthentication, readAuthenticationResults } from '../../src/streams/mail-sender.ts';
import { isAligned } from '../../src/vault/source-names.ts';
import { bestTime } from '../support/own-time.ts';

const SERVER = 'mx.example.net';
const ANNA = 'anna@notary.example';
const head = (key: string, value: string): Header => ({ key, value });
const results = (value: string) => head('authentication-results', value);
const received = (value: string) => head('received', value);
const BORDER = received(
  `from mail.notary.example (mail.notary.example [203.0.113.7]) by ${SERVER} (Postfix) with ESMTPS`,
);
const EVIL = received(`from evil.example (evil.example [203.0.113.66]) by ${SERVER} (Postfix) with ESMTPS`);
const said = (value: string, from: string | null = ANNA, trusted = [SERVER]) =>
  readAuthentication([results(value), BORDER], from, trusted).result;

/** A mail as a known service hands it over: the headers above the sender's own. */
const SERVICES: readonly (readonly [string, string, readonly Header[]])[] = [
  [
    'Gmail',
    'mx.google.com',
    [
      head('delivered-to', 'sam.porter@mailhome.example'),
      received(
        'by 2002:a05:6a10:8a0b:b0:5d1:1e5c:4b6a with SMTP id a11csp1234567pxc; Fri, 20 Nov 2026 00:15:32 -0800 (PST)',
      ),
      head('x-received', 'by 2002:a17:906:1c0b:b0:9e6:5b6a with SMTP id abc; Fri, 20 Nov 2026 00:15:32 -0800 (PST)'),
      head('arc-authentication-results', 'i=1; mx.google.com; dkim=pass header.i=@notary.example; dmarc=pass'),
      head('return-path', '<anna@notary.example>'),
      received(
        'from mail.notary.example (mail.notary.example. [203.0.113.7]) by mx.google.com with ESMTPS id x-20020a (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);        Fri, 20 Nov 2026 00:15:31 -0800 (PST)',
      ),
      head(
        'received-spf',
        'pass (google.com: domain of anna@notary.example designates 203.0.113.7 as permitted sender)',
      ),
      results(
        'mx.google.com;\r\n       dkim=pass header.i=@notary.example header.s=s1 header.b=Xy3/+kQ=;\r\n       spf=pass (google.com: domain of anna@notary.example designates 203.0.113.7 as permitted sender) smtp.mailfrom=anna@notary.example;\r\n       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=notary.example',
      ),
    ],
  ],
  [
    'Exchange Online, which names no server',
    'protection.outlook.com',
    [
      received(
        'from AS8PR04MB0001.eurprd04.prod.outlook.com (2603:10a6:20b:1::1) by DB9PR04MB0002.eurprd04.prod.outlook.com with HTTPS; Fri, 20 Nov 2026 08:15:34 +0000',
      ),
      received(
        'from DU2PR04CA0123.eurprd04.prod.outlook.com (2603:10a6:10:3b::8) by AS8PR04MB0001.eurprd04.prod.outlook.com (2603:10a6:20b:1::1) with Microsoft SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.8158.24; Fri, 20 Nov 2026 08:15:33 +0000',
      ),
      received(
        'from DB5EUR03FT046.eop-EUR03.prod.protection.outlook.com (2603:10a6:10:3b:cafe::5e) by DU2PR04CA0123.outlook.office365.com (2603:10a6:10:3b::8) with Microsoft SMTP Server id 15.20.8158.14 via Frontend Transport; Fri, 20 Nov 2026 08:15:33 +0000',
      ),
      results(
        'spf=pass (sender IP is 203.0.113.7) smtp.mailfrom=notary.example; dkim=pass (signature was verified) header.d=notary.example;dmarc=pass action=none header.from=notary.example;compauth=pass reason=100',
      ),
      received(
        'from mail.notary.example (203.0.113.7) by DB5EUR03FT046.mail.protection.outlook.com (10.152.20.10) with Microsoft SMTP Server id 15.20.8158.14 via Frontend Transport; Fri, 20 Nov 2026 08:15:33 +0000',
      ),
    ],
  ],
  [
    'Fastmail',
    'mx6.messagingengine.com',
    [
      received(
        'from phl-compute-05.internal (phl-compute-05.phl.internal [10.202.2.45]) by sloti22d1t06 (Cyrus 3.11.0-alpha0) with LMTPA; Fri, 20 Nov 2026 03:15:33 -0500',
      ),
      received(
        'from phl-mx-06 ([10.202.2.205]) by phl-compute-05.internal (LMTPProxy); Fri, 20 Nov 2026 03:15:33 -0500',
      ),
      received(
        'from mx6.messagingengine.com (localhost [127.0.0.1]) by mailmx.phl.internal (Postfix) with ESMTP id 12345',
      ),
      head('arc-authentication-results', 'i=1; mx6.messagingengine.com; dmarc=pass'),
      results(
        'mx6.messagingengine.com;\r\n    arc=none (no signatures found);\r\n    bimi=skipped (DMARC Policy is not at enforcement);\r\n    dkim=pass (2048-bit rsa key sha256) header.d=notary.example header.i=@notary.example header.b=abc123 header.a=rsa-sha256 header.s=s1 x-bits=2048;\r\n    dmarc=pass policy.published-domain-policy=none policy.applied-disposition=none policy.evaluated-disposition=none (p=none,d=none,d.eval=none) policy.policy-from=p header.from=notary.example;\r\n    iprev=pass smtp.remote-ip=203.0.113.7 (mail.notary.example);\r\n    spf=pass smtp.mailfrom=anna@notary.example smtp.helo=mail.notary.example;\r\n    x-tls=pass smtp.version=TLSv1.3 smtp.cipher=TLS_AES_256_GCM_SHA384 smtp.bits=256/256;\r\n    x-vs=clean score=-100 state=0',
      ),
      received(
        'from mail.notary.example (mail.notary.example [203.0.113.7]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)) by mx6.messagingengine.com (Postfix) with ESMTPS',
      ),
    ],
  ],
  [
    'Postfix with OpenDMARC',
    'mail.example.net',
    [
      received(
        'from mail.example.net by mail.example.net (Dovecot) with LMTP id abc for <sam@example.net>; Fri, 20 Nov 2026 09:15:33 +0100',
      ),
      received(
        'from mail.notary.example (mail.notary.example [203.0.113.7]) by mail.example.net (Postfix) with ESMTPS id 4XyZ; Fri, 20 Nov 2026 09:15:32 +0100 (CET)',
      ),
      results('mail.example.net; dmarc=pass (p=quarantine dis=none) header.from=notary.example'),
      results('mail.example.net; spf=pass smtp.mailfrom=notary.example'),
      results(
        'mail.example.net;\r\n\tdkim=pass (2048-bit key; unprotected) header.d=notary.example header.i=@notary.example header.a=rsa-sha256 header.s=s1 header.b="dXN0YWNo";\r\n\tdkim-atps=neutral',
      ),
    ],
  ],
  [
    'Proton',
    'mail.protonmail.ch',
    [
      results('mail.protonmail.ch; dmarc=pass (p=none dis=none) header.from=notary.example'),
      results('mail.protonmail.ch; spf=pass smtp.mailfrom=notary.example'),
      results('mail.protonmail.ch; arc=none smtp.remote-ip=203.0.113.7'),
      results(
        'mail.protonmail.ch; dkim=pass (Good 2048 bit rsa-sha256 signature) header.d=notary.example header.a=rsa-sha256',
      ),
      received(
        'from mail.notary.example (mail.notary.example [203.0.113.7]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)) (No client certificate requested) by mailin045.protonmail.ch (Postfix) with ESMTPS',
      ),
    ],
  ],
  [
    'mailcow with rspamd',
    'mail.example.net',
    [
      received(
        'from mail.example.net ([fd4d:6169:6c63:6f77::f]) by 8f3ac1b2d4e5 with LMTP id abc (envelope-from <anna@notary.example>) for <sam@example.net>; Fri, 20 Nov 2026 09:15:33 +0100',
      ),
      received(
        'from mail.notary.example (mail.notary.example [203.0.113.7]) (using TLSv1.3) by mail.example.net (Postcow) with ESMTPS id 123',
      ),
      results(
        'mail.example.net;\r\n\tdkim=pass header.d=notary.example header.s=s1 header.b=abc123;\r\n\tspf=pass (mail.example.net: domain of anna@notary.example designates 203.0.113.7 as permitted sender) smtp.mailfrom=anna@notary.example;\r\n\tdmarc=pass (policy=quarantine) header.from=notary.example',
      ),
    ],
  ],
];

describe('a service that the settings trust', () => {
  it.each(SERVICES)('%s vouches for the sender', (_, server, headers) => {
    expect(readAuthentication(headers, ANNA, [server])).toEqual({ result: 'pass', server, reason: 'dmarc=pass' });
  });

  it.each(SERVICES)("%s didn't authenticate somebody else", (_, server, headers) => {
    expect(readAuthentication(headers, 'anna@bank.example', [server]).result).toBe('none');
  });

  it.each(SERVICES)('%s is worth nothing where the settings do not name it', (_, _server, headers) => {
    expect(readAuthentication(headers, ANNA, ['mx.elsewhere.example'])).toMatchObject({ result: 'none', server: null });
  });

  it.each(SERVICES)('%s is worth nothing below the hop of another server', (_, server, headers) => {
    const hop = received('from evil.example by mx.elsewhere.example with ESMTPS');
    expect(readAuthentication([hop, ...headers], ANNA, [server]).result).toBe('none');
  });
});

describe('what the header says', () => {
  it.each([
    ['MX.Example.NET; DMARC=PASS HEADER.FROM=Notary.Example', 'pass'],
    [`${SERVER}; dmarc=pass`, 'pass'],
    [`${SERVER} 1; dmarc=pass header.from=notary.example`, 'pass'],
    [`"${SERVER}"; dmarc=pass`, 'pass'],
    [`(a (nested \\) comment)) ${SERVER} (and; dmarc=fail) ; (x) dmarc (y) = (z) pass`, 'pass'],
    [`${SERVER}; dmarc/1=pass`, 'pass'],
    [`${SERVER};\r\n\tdmarc=pass\r\n\theader.from=notary.example;`, 'pass'],
    [`${SERVER}; dmarc=pass header . from = notary.example`, 'pass'],
    [`${SERVER}; dmarc=pass header.from=mail.notary.example`, 'pass'],
    [`${SERVER}; dkim=pass header.d=notary.example`, 'pass'],
    [`${SERVER}; dkim=pass header.d=mail.notary.example`, 'pass'],
    [`${SERVER}; dkim=pass header.i="anna k"@notary.example`, 'pass'],
    [`${SERVER}; dkim=fail header.d=other.example; dkim=pass header.i=@notary.example`, 'pass'],
    [`${SERVER}; dmarc=none; dkim=pass header.d=notary.example header.b=ab+/c==`, 'pass'],
    [`${SERVER}; spf=pass reason="ok; dmarc=fail" smtp.mailfrom=x@y.example; dmarc=pass`, 'pass'],
    [`${SERVER}; dmarc=fail header.from=notary.example`, 'fail'],
    [`${SERVER}; dkim=pass header.d=notary.example; dmarc=FAIL (p=none)`, 'fail'],
    [`${SERVER}; none`, 'none'],
    [`${SERVER}`, 'none'],
    ['', 'none'],
    [';', 'none'],
    [`${SERVER}; dmarc=pass; dmarc=pass header.from=notary.example`, 'none'],
    [`${SERVER}; dmarc=pass; dmarc=fail`, 'fail'],
    [`${SERVER}; spf=pass smtp.mailfrom=anna@notary.example`, 'none'],
    [`${SERVER}; dkim=pass`, 'none'],
    [`${SERVER}; dkim=pass header.d=evil.example`, 'none'],
    [`${SERVER}; dkim=pass header.d=evil.example header.i=@notary.example`, 'none'],
    [`${SERVER}; dkim=pass header.d=notary.example header.d=evil.example`, 'none'],
    [`${SERVER}; dkim=pass header.d=notary.example.evil.example`, 'none'],
    [`${SERVER}; dkim=pass header.d=notnotary.example`, 'none'],
    [`${SERVER}; dkim=pass header.d=example`, 'none'],
    [`${SERVER}; dkim=pass header.s=notary.example`, 'none'],
    [`${SERVER}; dkim=neutral header.d=notary.example`, 'none'],
    [`${SERVER}; dmarc=pass header.from=evil.example`, 'none'],
    [`${SERVER}; dmarc=bestguesspass header.from=notary.example`, 'none'],
    [`${SERVER}; x-dmarc=pass`, 'none'],
    [`${SERVER}; spf=fail (dmarc=pass) smtp.mailfrom=x@notary.example`, 'none'],
    [`${SERVER}; spf=fail (; dmarc=pass) smtp.mailfrom=x@notary.example`, 'none'],
    [`${SERVER}; spf=fail reason="; dmarc=pass header.from=notary.example"`, 'none'],
    [`${SERVER}; spf=fail smtp.mailfrom="x; dmarc=pass"@evil.example`, 'none'],
    [`${SERVER}; spf=fail (never closed; dmarc=pass`, 'none'],
    [`${SERVER}; spf=fail reason="never closed; dmarc=pass`, 'none'],
    [`${SERVER}; spf=fail (x) ) ; dmarc=pass`, 'none'],
    [`${SERVER}; "dmarc"=pass`, 'none'],
    [`${SERVER}; dmarc=`, 'none'],
    [`${SERVER}; dmarc pass`, 'none'],
    [`${SERVER}; what is this; dmarc=pass`, 'none'],
    [`${SERVER}; dmarc/2=pass`, 'none'],
    [`${SERVER} 2; dmarc=pass`, 'none'],
    [`${SERVER} 1 1; dmarc=pass`, 'none'],
    [`${SERVER}.; dmarc=pass`, 'none'],
    [`(${SERVER}) evil.example; dmarc=pass`, 'none'],
    [`(${SERVER}); dmarc=pass`, 'none'],
    [`evil.example ${SERVER}; dmarc=pass`, 'none'],
    [`x${SERVER}; dmarc=pass`, 'none'],
    [`${SERVER}.evil.example; dmarc=pass`, 'none'],
    [`example.net; dmarc=pass`, 'none'],
    ['mx.example.nеt; dmarc=pass', 'none'],
    ['dmarc=pass header.from=notary.example', 'none'],
  ])('%j is %s', (value, result) => {
    expect(said(value)).toBe(result);
  });

  it.each([
    ['anna@notary.co.uk', 'notary.co.uk', 'pass'],
    ['anna@notary.co.uk', 'evil.co.uk', 'none'],
    ['anna@notary.co.uk', 'co.uk', 'none'],
    ['anna@notary.github.io', 'evil.github.io', 'none'],
    ['anna@notary.github.io', 'github.io', 'none'],
    ['anna@notary.blogspot.com', 'evil.blogspot.com', 'none'],
    ['anna@mail.notary.com', 'news.notary.com', 'pass'],
    ['anna@notary.com', 'n0tary.com', 'none'],
    ['anna@notary.com', 'notary.org', 'none'],
    ['anna@nötar.example', 'xn--ntar-5qa.example', 'pass'],
    ['anna@xn--ntar-5qa.example', 'NO\u0308TAR.example'.toLowerCase(), 'pass'],
    ['anna@nоtary.example', 'notary.example', 'none'],
    ['anna', 'notary.example', 'none'],
    ['@', 'notary.example', 'none'],
  ])('a mail from %s, signed by %s: %s', (from, domain, result) => {
    expect(said(`${SERVER}; dkim=pass header.d=${domain}`, from)).toBe(result);
  });

  it('counts for nothing without one sender, or without a trusted server', () => {
    expect(readAuthentication([results(`${SERVER}; dmarc=pass`)], null, [SERVER])).toMatchObject({ result: 'none' });
    expect(readAuthentication([results(`${SERVER}; dmarc=pass`)], ANNA, [])).toEqual({
      result: 'none',
      server: null,
      reason: 'no trusted server is set',
    });
    expect(said(`${SERVER}; dmarc=pass`, ANNA, ['MX.Example.Net '])).toBe('pass');
  });

  it('is told in a few words', () => {
    const reason = (value: string) => readAuthentication([results(value), BORDER], ANNA, [SERVER]).reason;
    expect(reason(`${SERVER}; dmarc=fail`)).toBe('mx.example.net says dmarc=fail');
    expect(reason(`${SERVER}; spf=pass`)).toBe("mx.example.net didn't authenticate notary.example");
    expect(reason('mx.evil.example; dmarc=pass')).toBe(
      'the header is of mx.evil.example, which the settings do not trust',
    );
    expect(reason('"[[Matter]]"; dmarc=pass')).toBe('the header is of a server, which the settings do not trust');
  });
});

describe('where the header stands', () => {
  const forged = results(`${SERVER}; dmarc=pass header.from=notary.example`);
  const own = results(`${SERVER}; dmarc=fail header.from=notary.example`);

  it.each<readonly [string, readonly Header[], string]>([
    ['the topmost wins', [own, EVIL, forged], 'fail'],
    ['one of another server on top takes its worth', [results('mx.evil.example; none'), forged, BORDER], 'none'],
    ['below the own border', [BORDER, forged], 'pass'],
    ['below the hop of a stranger', [received('from a.example by mx.evil.example'), forged], 'none'],
    ['below a hop inside the forged part', [EVIL, received(`from mail.notary.example by ${SERVER}`), forged], 'none'],
    ['below a hop that names no server', [received('(qmail 123 invoked from network); 20 Nov 2026'), forged], 'none'],
    [
      'below a hop that only mentions the server',
      [received(`from by (by ${SERVER}) by mx.evil.example`), forged],
      'none',
    ],
    ['below a hop from a host called by', [received(`from by by ${SERVER} with SMTP`), forged], 'pass'],
    ['below a hop whose comment has no end', [received(`from a by ${SERVER} (x`), forged], 'none'],
    ['below a border with an inner name alone', [received('from evil.example by localhost'), forged], 'none'],
    [
      'below a public address that took it from outside',
      [received('from evil.example by 203.0.113.9'), forged],
      'none',
    ],
    ['below a server of the same organisation', [received('from a.example by mx2.example.net'), forged], 'pass'],
    ['below a look-alike of the organisation', [received('from a.example by mx.examp1e.net'), forged], 'none'],
    ['in another header', [head('x-authentication-results', forged.value), BORDER], 'none'],
    ['in an ARC header', [head('arc-authentication-results', `i=1; ${forged.value}`), BORDER], 'none'],
  ])('%s', (_, headers, result) => {
    expect(readAuthentication(headers, ANNA, [SERVER]).result).toBe(result);
  });

  it('does not count without a name, unless Exchange took the mail in', () => {
    const nameless = results('dmarc=pass header.from=notary.example');
    const [, , exchange = []] = SERVICES[1] ?? [];
    const trusted = ['protection.outlook.com', SERVER];
    expect(readAuthentication([nameless, BORDER], ANNA, trusted).result).toBe('none');
    expect(readAuthentication([BORDER, nameless], ANNA, trusted).result).toBe('none');
    expect(readAuthentication(exchange, ANNA, [SERVER]).result).toBe('none');
    const border = exchange.at(-1) ?? BORDER;
    expect(readAuthentication([nameless, border], ANNA, trusted).result).toBe('none');
  });
});

describe('a whole mail', () => {
  const read = async (headers: string) => {
    const bytes = new TextEncoder().encode(`${headers}\r\n\r\nPaid.`);
    const parsed = await parseMail('stream/a.eml', bytes, { sourceType: 'mail', trustedServers: [SERVER] });
    return parsed.ok ? parsed.event : null;
  };
  const top = `Authentication-Results: ${SERVER};\r\n dmarc=pass header.from=notary.example\r\nReceived: from x.example by ${SERVER}`;

  it('says who vouches for it', async () => {
    expect((await read(`${top}\r\nFrom: Anna <anna@notary.example>`))?.authentication.result).toBe('pass');
  });

  it.each([
    'From: anna@notary.example\r\nFrom: x@evil.example',
    'From: anna@notary.example, x@evil.example',
    'From: x: anna@notary.example, x@evil.example;',
    'From: ',
    'Sender: anna@notary.example',
  ])('has no sender to vouch for: %j', async (from) => {
    expect(await read(`${top}\r\n${from}`)).toMatchObject({ from: null, authentication: { result: 'none' } });
  });

  it('does not read a header within the text', async () => {
    const event = await read(`From: anna@notary.example\r\n\r\n${top}`);
    expect(event?.authentication.result).toBe('none');
  });
});

describe('laws', () => {
  const piece = fc.constantFrom(
    ';',
    '=',
    '(',
    ')',
    '"',
    '\\',
    ' ',
    '.',
    'dmarc',
    'pass',
    'header.from',
    '@',
    '/',
    '1',
    SERVER,
  );
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
  );

  it('no bytes make it throw, and what it says is short', () => {
    fc.assert(
      fc.property(anything, anything, fc.option(anything, { nil: null }), (value, hop, from) => {
        const found = readAuthentication([received(hop), results(value)], from, [SERVER, value]);
        expect(found.reason.length).toBeLessThan(400);
      }),
    );
  });

  it('nothing in a comment or in quotes changes the verdict', () => {
    fc.assert(
      fc.property(fc.string(), (noise) => {
        const safe = noise.replace(/[\\()"]/g, '');
        const value = `${SERVER} (${safe}); spf=fail (${safe}) reason="${safe}; dmarc=pass"`;
        expect(said(value)).toBe('none');
        expect(said(`${value}; dmarc=pass (${safe})`)).toBe('pass');
      }),
    );
  });

  it('alignment goes both ways', () => {
    const domain = fc.domain();
    fc.assert(
      fc.property(domain, domain, (one, other) => {
        expect(isAligned(one, one)).toBe(true);
        expect(isAligned(one, other)).toBe(isAligned(other, one));
      }),
    );
  });

  it.each(['(', '"', '\\', ';', '=', 'a=', 'a=b ', 'a.', '(a)', ' ', 'a ', '. '])(
    '%j over and over is read in time',
    (pump) => {
      const time = (length: number) =>
        bestTime(() => readAuthenticationResults(`x; ${pump.repeat(length / pump.length)}`));
      expect(time(19_000)).toBeLessThan(40);
      expect(time(2_000_000)).toBeLessThan(40);
    },
  );
});
