import { describe, expect, test } from 'vitest';
import { arrived, type Mail } from './arriving-mail.ts';
import { attack } from './attack.ts';

// Mails of a proven sender whose account somebody else may have taken over, and honest ones as real systems write them.

const CLAIM = 'Hello Robin, [[pay]] has been paid. Thank you.';
const SENDER = { attacker: 'a sender', loss: 'a note is changed by words that its reader never saw' } as const;

/** No change is made, and what is proposed says why. */
async function onlyProposed(mail: Mail): Promise<void> {
  const { fields, gates, signals } = await arrived(mail);
  expect(fields.state).toBe('open');
  if (signals > 0) expect(gates).toMatch(/may not be (?:seen as it is read|visible)/);
}

describe('a style sheet that hides by what a reader of it may pass over', () => {
  for (const [means, css] of [
    ['a condition that is the opposite of paper', '@media not print{.x{display:none}}'],
    ['a list of conditions, one of them paper', '@media print,screen{.x{display:none}}'],
    ['a list of conditions, one of them narrow', '@media (max-width:1px),all{.x{display:none}}'],
    ['a window wider than a thousand pixels', '@media (min-width:1001px){.x{display:none}}'],
    ['all but dark screens', '@media not all and (prefers-color-scheme:dark){.x{display:none}}'],
    ['two thousand selectors before the one that counts', `${'.y,'.repeat(2000)}.x{display:none}`],
    ['ten thousand selectors', `${'.y,'.repeat(10_000)}.x{display:none}`],
    ['a forgiving list with a part that is none', ':is(.x,%){display:none}'],
    ['a class named by a face', '.y,.\u{1F600}{color:red} .\u{1F600},.x{display:none}'],
    ['a selector of one maker', ':-webkit-any(.x){display:none}'],
    ['twenty conditions in one another', `${'@media all{'.repeat(20)}.x{display:none}${'}'.repeat(20)}`],
    ['a condition within the rule', '.x{@media all{display:none}}'],
    ['a condition of what is supported within the rule', '.x{@supports(display:grid){display:none}}'],
    ['a neighbour of what stands around what stands around it', '.a+.b .x{display:none}'],
    ['a word put before it', '.x::before{content:"This is not true: "}'],
    ['a cover put before it', 'body::before{content:"";position:fixed;inset:0;background:#fff}'],
  ] as const) {
    attack({ ...SENDER, means, defence: 'what may be heeded by some program counts' }, async () => {
      const html = `<style>${css}</style><i class=a></i><div class=b><div class=b><p class=x>${CLAIM}</p></div></div>`;
      await onlyProposed({ html });
    });
  }

  attack({ ...SENDER, means: 'a box that is ticked from the start', defence: 'a state may be the first one' }, () =>
    onlyProposed({ html: `<style>:checked+p{display:none}</style><input type=checkbox checked><p>${CLAIM}</p>` }),
  );
});

describe('HTML that programs without scripts read in another way', () => {
  for (const [means, html] of [
    ['a style sheet for them', `<noscript><style>p{display:none}</style></noscript><p>${CLAIM}</p>`],
    ['a comment that begins for them', `<noscript><!--</noscript><p>${CLAIM}</p><!-- --></noscript><p>Hello</p>`],
  ] as const)
    attack({ ...SENDER, means, defence: 'a mail with parts for some programs is proposed at most' }, () =>
      onlyProposed({ html }),
    );
});

describe('words that are shown to some readers only', () => {
  const over = '<div style="background:#fff;height:200px;';
  for (const [means, html] of [
    ['not on a telephone', `<style>@media (max-width:600px){.x{display:none}}</style><p class=x>${CLAIM}</p>`],
    ['not in the dark', `<style>@media (prefers-color-scheme:dark){.x{display:none}}</style><p class=x>${CLAIM}</p>`],
    ['on a picture of their own colour', `<p style="background:url(https://a.example/black.png)">${CLAIM}</p>`],
    ['on a picture of a table', `<table background="https://a.example/b.png"><tr><td>${CLAIM}</td></tr></table>`],
    ['behind the frame’s picture', `<p style="border-image:url(x) 30 fill / 1 / 900px">${CLAIM}</p>`],
    ['below the edge of a box', `<div style="overflow:hidden;height:20px"><br><br><br>${CLAIM}</div>`],
    ['beside a box', `<div style="overflow:hidden;width:60px;white-space:nowrap">Hello dear ${CLAIM}</div>`],
    ['far to the right', `<div style="padding-left:9000px">${CLAIM}</div>`],
    ['in a column that is folded up', `<table><col style="visibility:collapse"><tr><td>${CLAIM}</td></tr></table>`],
    ['under a box that is pulled up a little', `<p>${CLAIM}</p>${over}margin:-20px 0 0">Hello</div>`],
    ['under a box that is moved up', `<p>${CLAIM}</p>${over}position:relative;top:-90px">Hello</div>`],
    ['under a box that is drawn higher up', `<p>${CLAIM}</p>${over}transform:translateY(-90px)">Hello</div>`],
    ['under a shadow', `<p>${CLAIM}</p><p style="box-shadow:0 -300px 0 300px #fff">Hello</p>`],
    ['under an outline', `<p style="outline:900px solid #fff;outline-offset:-900px">${CLAIM}</p>`],
    ['in letters that are signs', `<p style="font-family:'W\\69ngdings'">${CLAIM}</p>`],
    ['in letters of an old element that are signs', `<font face="Webdings">${CLAIM}</font>`],
  ] as const)
    attack({ ...SENDER, means, defence: 'what not every reader surely sees is proposed at most' }, () =>
      onlyProposed({ html }),
    );
});

describe('letters from elsewhere', () => {
  const link = (href: string) => `<link rel=stylesheet href="${href}"><p style="font-family:x">${CLAIM}</p>`;
  const google = 'https://fonts.googleapis.com/css';
  for (const [means, href] of [
    ['blank letters of a host that has plain ones', `${google}?family=Adobe+Blank`],
    ['blank letters beside plain ones', `${google}?family=Lato|Adobe+Blank:400`],
    ['bars in place of letters', `${google}2?family=Lato&family=Libre+Barcode+39`],
    ['an effect', `${google}?family=Lato&effect=x`],
    ['another place of that host', 'https://fonts.googleapis.com/icon?family=Lato'],
    ['a host of a similar name', 'https://fonts.googleapis.com.a.example/css?family=Lato'],
    ['a name before the host', 'https://fonts.googleapis.com@a.example/css?family=Lato'],
    ['another port', 'https://fonts.googleapis.com:8443/css?family=Lato'],
  ] as const)
    attack({ ...SENDER, means, defence: 'only letters known to be plain are taken for plain' }, async () => {
      await onlyProposed({ html: link(href) });
      await onlyProposed({ html: `<style>@import url("${href}");</style><p>${CLAIM}</p>` });
    });
});

describe('a plain part that says more than its HTML', () => {
  attack(
    {
      ...SENDER,
      means: 'the claim in both, and what it is about in the plain part alone',
      defence: 'what names the note must be shown, too',
    },
    async () => {
      const { fields, gates, signals } = await arrived({
        plain: 'Hello Robin, this is about [[pay]]. It has been paid. Thank you.',
        html: '<p>Hello Robin, this is about the bill for the garden. It has been paid. Thank you.</p>',
      });
      expect(fields.state).toBe('open');
      if (signals > 0) expect(gates).toContain('are only in the plain text');
    },
  );
});

/** Parts of a mail, each a header and a text. */
function parts(type: string, ...all: readonly (readonly [header: string, text: string])[]): readonly string[] {
  const lines = all.flatMap(([header, text]) => ['--b', ...header.split('\n'), '', text]);
  return [`Content-Type: ${type}; boundary=b`, '', ...lines, '--b--', ''];
}

describe('versions of which a program shows one', () => {
  const other = 'Hello Robin, see you on Sunday at the summer party.';
  const [plain, html] = ['Content-Type: text/plain', 'Content-Type: text/html'];
  const [claimed, othered] = [`<p>${CLAIM}</p>`, `<p>${other}</p>`];
  const deep = parts('multipart/alternative', [html, claimed], [html, othered]).join('\r\n').replaceAll('--b', '--c');
  for (const [means, mime] of [
    ['two of HTML, the last of which is shown', parts('multipart/alternative', [html, claimed], [html, othered])],
    ['two of plain text', parts('multipart/alternative', [plain, CLAIM], [plain, other])],
    [
      'one for a program that shows it in place of the HTML',
      parts('multipart/alternative', [plain, CLAIM], ['Content-Type: text/x-amp-html', othered], [html, claimed]),
    ],
    ['one in enriched text', parts('multipart/alternative', [plain, CLAIM], ['Content-Type: text/enriched', other])],
    [
      'two of HTML, with a sign which of them counts',
      parts(
        'multipart/related; start="<2>"',
        [`${html}\nContent-ID: <1>`, claimed],
        [`${html}\nContent-ID: <2>`, othered],
      ),
    ],
    [
      'two of HTML below another part',
      parts('multipart/mixed', [deep.replace('=b', '=c').split('\r\n\r\n')[0] ?? '', deep.slice(deep.indexOf('--c'))]),
    ],
    ['two words for what it is', [plain, html, '', `<p>${other}</p><!--\r\n\r\n${CLAIM}\r\n\r\n-->`]],
    [
      'two words for what it is, below six hundred lines of header',
      [...Array.from({ length: 600 }, (_, at) => `X-A-${at}: b`), plain, html, '', CLAIM],
    ],
    ['two marks between its parts', parts('multipart/mixed; boundary=a', [plain, other], [plain, CLAIM])],
  ] as const)
    attack({ ...SENDER, means, defence: 'a mail that programs show in several ways is proposed at most' }, () =>
      onlyProposed({ mime }),
    );
});

describe('honest mails of real systems are acted upon', () => {
  const font = 'https://fonts.googleapis.com/css?family=Nunito+Sans:400,700&amp;display=swap';
  const page = (head: string, body: string) => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
  const table = (text: string) =>
    `<table width="100%" role="presentation" cellpadding="0"><tr><td align="center" style="padding:24px;word-break:break-word">${text}</td></tr></table>`;
  test.each<[string, string]>([
    [
      'web fonts, imported',
      page(`<style>@import url("${font}");body{font-family:"Nunito Sans",Arial}</style>`, `<p>${CLAIM}</p>`),
    ],
    [
      'web fonts, linked',
      page(`<link href="${font.replace('&amp;', '&')}" rel="stylesheet">`, table(`<p>${CLAIM}</p>`)),
    ],
    [
      'rules for telephones and for the dark',
      page(
        `<meta name="color-scheme" content="light dark"><style>:root{color-scheme:light dark}
        @media only screen and (max-width:600px){.body,.mobile{width:100%!important;padding:0!important}}
        @media (prefers-color-scheme:dark){body{background:#222!important;color:#fff!important}.logo{display:none!important}}</style>`,
        `<div class=body><img class=logo src="https://roof.example/logo.png" width=120 height=40>${table(CLAIM)}</div>`,
      ),
    ],
    [
      'a preheader with blanks and a tracking pixel',
      `<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden">News${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>${table(CLAIM)}<img src="https://roof.example/open.gif" width=1 height=1 style="height:1px!important;width:1px!important">`,
    ],
    [
      'resets, clearings and Outlook’s own parts',
      page(
        `<!--[if mso]><noscript><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml></noscript><![endif]-->
        <style>#outlook a{padding:0}.ExternalClass *{line-height:100%}table,td{mso-table-lspace:0}img{border:0;-ms-interpolation-mode:bicubic}
        .row:after{content:"";display:table;clear:both}a[x-apple-data-detectors]{color:inherit!important}u + #body a{color:inherit}</style>`,
        `<div class=row>${table(CLAIM)}</div>`,
      ),
    ],
    [
      'a hero picture above, a button and a card with a shadow',
      `<div style="background:url(https://roof.example/hero.jpg) center/cover #123;color:#fff;height:200px;overflow:hidden">Welcome</div>
      <div style="box-shadow:0 4px 12px rgba(0,0,0,.15);border-radius:8px;overflow:hidden;max-width:600px">${table(CLAIM)}</div>
      <a href="https://roof.example/" style="display:inline-block;background:#0a7;color:#fff;padding:12px 24px">Open</a>`,
    ],
  ])('%s', async (_, html) => {
    expect((await arrived({ html })).fields.state).toBe('done');
    expect((await arrived({ html, plain: `${CLAIM}\n\nhttps://roof.example/pay\n` })).fields.state).toBe('done');
  });
});

describe('honest mails put together in other ways are acted upon', () => {
  const [plain, html] = ['Content-Type: text/plain; charset=utf-8', 'Content-Type: text/html; charset=utf-8'];
  const picture = ['Content-Type: image/png\nContent-ID: <logo>\nContent-Disposition: inline', 'AAAA'] as const;
  test.each<[string, readonly string[]]>([
    ['HTML with its picture', parts('multipart/related; type="text/html"', [html, `<p>${CLAIM}</p>`], picture)],
    [
      'a text, and an invitation',
      parts(
        'multipart/alternative',
        [plain, CLAIM],
        ['Content-Type: text/calendar', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'],
      ),
    ],
    [
      'HTML, a picture, and HTML, as a telephone writes it',
      parts('multipart/mixed', [html, `<p>${CLAIM}</p>`], picture, [html, '<p>Sent from my telephone</p>']),
    ],
    [
      'a bill beside it',
      parts(
        'multipart/mixed',
        [plain, CLAIM],
        ['Content-Type: application/pdf\nContent-Disposition: attachment; filename=bill.pdf', 'AAAA'],
      ),
    ],
  ])('%s', async (_, mime) => {
    expect((await arrived({ mime })).fields.state).toBe('done');
  });
});
