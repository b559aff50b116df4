import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMail, textMail } from '../../src/streams/mail.ts';
import { lawRuns } from '../support/laws.ts';

const numRuns = lawRuns();
const SERVERS = ['mx.home.example', 'mx.other.example'];

const words = fc.oneof(
  fc.constantFrom(
    'The deed is signed.',
    '> as you wrote',
    '-- ',
    'On Monday Anna wrote:',
    '',
    'a & b < c',
    '--b',
    '  two  blanks ',
  ),
  fc.constantFrom('From: Anna', 'Sent: Monday', 'To: Robin', '\u200bhidden', 'é \u0301 \u00a0x', '--text-', '\t tab'),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, '')),
);
const lines = fc.array(words, { maxLength: 10 });
const HEADERS = fc.constantFrom(
  'Received: from a.example by mx.home.example; x',
  'Received: from [10.0.0.1] by b.example',
  'Authentication-Results: mx.home.example; dmarc=pass header.from=b.example',
  'Authentication-Results: mx.other.example;\n\tdkim=pass header.d=b.example',
  'authentication-RESULTS : mx.home.example; dmarc=fail',
  'X-Spam-Flag: YES',
  'X-Spam-Status: No',
  'List-Unsubscribe: <mailto:a@b.example>',
  'Precedence: bulk',
  'Auto-Submitted: auto-replied',
  'Message-ID: <2@b.example>',
  'Reply-To: other@c.example',
  'To: a@b.example, Group: c@d.example, e@f.example;',
  'Cc: =?utf-8?Q?J=C3=BCrg?= <j@b.example>',
  'From: second@b.example',
  'Subject: =?utf-8?B?w6Q=?= and more\n and folded',
  'X-Thing: \u00e9\u00e8',
  'Date: Fri, 20 Nov 2026 09:00:00 +0000 (CET)',
  'not a header',
  ' folded onto nothing',
  'Content-Language: en',
);
const tag = fc.constantFrom(
  'p',
  'div',
  'blockquote',
  'b',
  'p style="display:none"',
  'span style="font-size:0"',
  'div style="overflow:hidden;height:20px"',
  'td',
  'h1',
  'p style="background:url(x)"',
);
const html = fc
  .array(fc.tuple(tag, lines), { maxLength: 6 })
  .map((parts) => parts.map(([name, all]) => `<${name}>${all.join('<br>')}</${name.split(' ')[0]}>`).join('\n'));
const mails = fc
  .record({
    headers: fc.array(HEADERS, { maxLength: 8 }),
    form: fc.constantFrom('plain', 'html', 'both', 'mixed'),
    lines,
    html,
    end: fc.constantFrom('\n', '\r\n'),
  })
  .map((mail) => {
    const padding = `X-Padding: ${'x'.repeat(500)}`;
    const head = [...mail.headers, 'From: Anna <a@b.example>', 'Message-ID: <1@b.example>', padding];
    const [plain, rich] = [
      `Content-Type: text/plain; charset=utf-8\n\n${mail.lines.join('\n')}`,
      `Content-Type: text/html; charset=utf-8\n\n${mail.html}`,
    ];
    const multi = (kind: string, parts: readonly string[]) =>
      `Content-Type: multipart/${kind}; boundary=${kind}\n\n${parts.map((part) => `--${kind}\n${part}\n`).join('')}--${kind}--\n`;
    const both = multi('alternative', [plain, rich]);
    const attached = 'Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\n\nJVBERi0xLjQK';
    const bodies = { plain, html: rich, both, mixed: multi('mixed', [both, attached]) };
    return Buffer.from(`${head.join('\n')}\n${bodies[mail.form]}`.replaceAll('\n', mail.end));
  });

test('the text of a mail is read as the whole mail: event, identity, who vouches, doubts', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(mails, async (bytes) => {
      const text = await textMail(bytes);
      if (text === null) return;
      made += 1;
      for (const trustedServers of [[], SERVERS, ['mx.home.example']]) {
        const door = { sourceType: 'mail', trustedServers };
        const small = await parseMail('stream/a.eml', text.bytes, { ...door, whole: text.whole });
        expect(small).toEqual(await parseMail('stream/a.eml', bytes, door));
      }
      expect(text.bytes.length).toBeLessThan(bytes.length);
    }),
    { numRuns },
  );
  expect(made).toBeGreaterThan(numRuns / 4);
});

test('a text is its own text: made of it once more, it is no smaller, or read the same', async () => {
  await fc.assert(
    fc.asyncProperty(mails, async (bytes) => {
      const text = await textMail(bytes);
      const again = text === null ? null : await textMail(text.bytes);
      if (text === null || again === null) return;
      const door = { sourceType: 'mail', trustedServers: SERVERS };
      const [one, other] = [await parseMail('a', text.bytes, door), await parseMail('a', again.bytes, door)];
      expect(other.ok && other.event).toEqual(one.ok && one.event);
    }),
    { numRuns },
  );
});
