import { describe, expect, test } from 'vitest';
import { arrived, type Mail } from './arriving-mail.ts';
import { attack } from './attack.ts';

// Mails of a sender who is named, for whom a trusted server vouches, and whose account somebody else may have taken over.

const CLAIM = 'Hello Robin, [[pay]] has been paid. Thank you.';
const SENDER = { attacker: 'a sender', loss: 'a note is changed by words that its reader never saw' } as const;

describe('honest mails of a named sender are acted upon', () => {
  test.each<[string, Mail]>([
    ['in plain text', { plain: CLAIM }],
    ['in HTML', { html: `<p>${CLAIM}</p>` }],
    ['in both', { plain: CLAIM, html: `<div style="font:16px/1.5 Arial;padding:8px"><p>${CLAIM}</p></div>` }],
    [
      'with a preheader',
      { html: `<div style="display:none;max-height:0;mso-hide:all">News for you</div><p>${CLAIM}</p>` },
    ],
    ['as Outlook writes it', { html: `<body link="#0563C1" vlink="#954F72"><p class=MsoNormal>${CLAIM}</p></body>` }],
    ['that a filter found clean', { head: ['X-Spam-Flag: NO', 'X-Spam-Status: No, score=-1.1'], plain: CLAIM }],
  ])('%s', async (_, mail) => {
    expect((await arrived(mail)).fields.state).toBe('done');
  });
});

describe('a mail that its server marks', () => {
  for (const head of [
    ...[
      'X-Spam-Flag: YES',
      'X-Spam-Status: Yes, score=9.1 required=5.0',
      'X-Spam-Level: *******',
      'X-Rspamd-Action: add header',
    ],
    'X-Forefront-Antispam-Report: CIP:192.0.2.1;CTRY:;LANG:en;SCL:1;SRV:;IPV:NLI;SFV:SPM;H:x;PTR:;CAT:NONE;',
    'X-Forefront-Antispam-Report: CIP:192.0.2.1;SCL:1;SFV:NSPM;CAT:PHSH;DIR:INB;',
    ...['X-MS-Exchange-Organization-SCL: 6', 'X-Gm-Phishy: 1', 'X-Spamd-Result: default: True [15.20 / 15.00]'],
    ...['X-Barracuda-Spam-Status: Yes, SCORE=5.1', 'X-Bogosity: Spam, tests=bogofilter'],
  ]) {
    attack(
      {
        attacker: 'a sender',
        means: `phishing from a true account, ${head.slice(0, 60)}`,
        loss: 'a note is changed by what the mail server knew to be false',
        defence: 'what is marked is proposed at most, and the event note says so',
      },
      async () => {
        const { fields, gates } = await arrived({ head: [head], plain: CLAIM });
        expect(fields).toMatchObject({ state: 'open', pending_confirmation: true });
        expect(gates).toContain('marks it as spam or phishing');
      },
    );
  }

  attack(
    {
      attacker: 'a sender',
      means: 'X-Spam-Flag: NO, written above the YES of the server',
      loss: 'the mark is overruled by whoever it is about',
      defence: 'no mark takes another away',
    },
    async () => {
      const { fields } = await arrived({ head: ['X-Spam-Flag: NO', 'X-Spam-Flag: YES'], plain: CLAIM });
      expect(fields).toMatchObject({ state: 'open', pending_confirmation: true });
    },
  );
});

describe('a plain part that says something else than the HTML', () => {
  for (const [means, html] of [
    ['another thing altogether', '<p>Hello Robin, see you on Sunday at the summer party of our little club.</p>'],
    ['the same words, with a “not”', '<p>Hello Robin, [[pay]] has not been paid. Thank you.</p>'],
    ['the same words in another order', '<p>Hello Robin, thank you. Has [[pay]] been paid?</p>'],
    ['a picture alone', '<p><img src="cid:x" alt="Hello"></p>'],
  ] as const) {
    attack({ ...SENDER, means, defence: 'what it rests on must be shown, too' }, async () => {
      const { fields, gates, signals } = await arrived({ plain: CLAIM, html });
      expect(fields.state).toBe('open');
      if (signals > 0) expect(gates).toMatch(/are only in the plain text|say different things/);
    });
  }
});

describe('HTML that a reader does not see, or may not see', () => {
  const hidden: readonly string[] = [
    ...['color:#fff', 'color:rgba(0,0,0,0)', 'font-size:1px', 'font-size:0', 'font-size:calc(1px - 1px)', 'opacity:0'],
    ...[
      'position:absolute;left:-9999px',
      'clip:rect(0,0,0,0)',
      'clip-path:inset(50%)',
      'transform:scale(0)',
      'display:none',
    ],
    ...[
      'max-height:0;overflow:hidden',
      'text-indent:-9999px',
      'visibility:hidden',
      '--a:0;font-size:var(--a)',
      'zoom:0.01',
    ],
    ...['color:color-mix(in srgb, white 100%, black)', 'display:table-column', 'color:/**/white', 'displ\\61y:none'],
  ];
  const doubtful: readonly string[] = [
    ...[
      'mix-blend-mode:screen',
      'filter:brightness(0) invert(1)',
      'filter:contrast(0)',
      'filter:url(#x)',
      'color:lab(100 0 0)',
    ],
    ...[
      'position:relative;z-index:-1',
      'block-size:0;overflow:hidden',
      'inline-size:0;overflow:hidden',
      'contain:size',
    ],
    ...['max-block-size:0;overflow:hidden', 'aspect-ratio:1/0', 'offset-path:path("M -9999 0")', 'word-spacing:-99em'],
    ...['font-size-adjust:0', 'font-stretch:0%', 'animation:a 1s', 'font-size:3px', 'color:#dcdcdc', 'opacity:.2'],
    ...['text-decoration:line-through', 'writing-mode:vertical-rl;height:1px', 'color:ButtonHighlight', 'all:unset'],
    ...[
      'display:grid;grid-template-rows:0fr',
      'content:url(x.png)',
      'a-property-of-tomorrow:hide',
      '-webkit-line-clamp:0',
    ],
  ];
  for (const style of [...hidden, ...doubtful]) {
    attack(
      { ...SENDER, means: `style="${style}"`, defence: 'what is not surely seen is proposed at most' },
      async () => {
        const { fields, gates, signals } = await arrived({ html: `<p>Hello</p><p style='${style}'>${CLAIM}</p>` });
        expect(fields.state).toBe('open');
        expect(signals).toBe(doubtful.includes(style) ? 1 : 0);
        if (signals > 0) expect(gates).toContain('may not be seen as it is read');
      },
    );
  }

  for (const [means, html] of [
    ['a white sheet over it', `<p>${CLAIM}</p><div style="position:absolute;inset:0;background:#fff">Hello</div>`],
    ['pulled under what follows', `<p>${CLAIM}</p><div style="margin-top:-60px;background:#fff">Hello</div>`],
    ['letters of its own', `<style>@font-face{font-family:x;src:url(data:,)}p{font-family:x}</style><p>${CLAIM}</p>`],
    ['a style sheet from elsewhere', `<link rel=stylesheet href="https://a.example/x.css"><p>${CLAIM}</p>`],
    ['an escaped @import', `<style>@\\69mport url(https://a.example/x.css);</style><p>${CLAIM}</p>`],
    ['a first line of size 0', `<style>p::first-line{font-size:0}</style><p>${CLAIM}</p>`],
    ['struck through', `<p><s>${CLAIM}</s></p>`],
    ['in a form of one letter', `<textarea rows=1 cols=1>${CLAIM}</textarea>`],
    ['in a list to choose from', `<select><option>${CLAIM}</option></select>`],
    ['outside a list to choose from', `<option>${CLAIM}</option>`],
    ['in closed details', `<details><summary>Hello</summary>${CLAIM}</details>`],
    ['a root that is invisible', `<style>:root{visibility:hidden}</style><p>${CLAIM}</p>`],
    ['a rule in a layer', `<style>@layer a{.x{display:none}}</style><p class=x>${CLAIM}</p>`],
    ['a rule in a scope', `<style>@scope(.y){p{display:none}}</style><div class=y><p>${CLAIM}</p></div>`],
    ['a rule under a condition', `<style>@supports(display:grid){.x{display:none}}</style><p class=x>${CLAIM}</p>`],
    ['a picture of another language', `<svg><text>${CLAIM}</text></svg>`],
    ['a formula', `<math><mtext>${CLAIM}</mtext></math>`],
    ['what stands in for a picture', `<object data=x>${CLAIM}</object><noscript>${CLAIM}</noscript>`],
    ['columns from right to left', `<p style="display:flex;flex-direction:row-reverse"><b>${CLAIM}</b></p>`],
  ] as const) {
    attack({ ...SENDER, means, defence: 'what is not surely seen is proposed at most' }, async () => {
      const { fields, gates, signals } = await arrived({ html });
      expect(fields.state).toBe('open');
      if (signals > 0) expect(gates).toContain('may not be seen as it is read');
    });
  }
});
