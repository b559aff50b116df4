import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToText, readHtml } from '../../src/streams/mail-html.ts';

/** What stands in each text: `CLAIM` is what is hidden, or not. */
const sees = (html: string) => htmlToText(html).includes('CLAIM');
const styled = (style: string) => `<p>Hello</p><div style="${style}">CLAIM</div><p>Bye</p>`;
const sheet = (css: string, html = '<div class="x" id="y">CLAIM</div>') => `<style>${css}</style><p>Hello</p>${html}`;

describe('a reader does not see', () => {
  it.each([
    'display:none',
    'DISPLAY : NONE !important',
    'display:none;',
    'color:red;display:none',
    'display:none !important;display:block',
    'display:none;display:nonsense',
    'd\\69splay:none',
    'display:n\\6f ne',
    '/* x */display/* y */:/* z */none',
    '&#100;isplay:none',
    'display&colon;none',
    'display:var(--x)',
    'visibility:hidden',
    'visibility:collapse',
    'font-size:0',
    'font-size:0.0em',
    'font-size:1px',
    'font-size:1pt',
    'font-size:2px',
    'font-size:0.1em',
    'font-size:10%',
    'font-size:.0001rem',
    'font-size:calc(1px - 1px)',
    'font-size:var(--none)',
    'font-size:0;font-size:abc',
    'font:0/0 a',
    'font:1px/1px Arial',
    'font:bold 1px Arial',
    'opacity:0',
    'opacity:0.01',
    'opacity:0%',
    'opacity:1e-9',
    'filter:opacity(0)',
    'color:#fff',
    'color:white',
    'color:#FFFFFF',
    'color:rgb(255,255,255)',
    'color:rgb(100%, 100%, 100%)',
    'color:rgba(0,0,0,0)',
    'color:hsl(0,0%,100%)',
    'color:hwb(0 100% 0%)',
    'color:oklch(1 0 0)',
    'color:transparent',
    'color:#fefefe',
    'color:#eee',
    'color:#ffffff01',
    'color:fff',
    'color:ffffff',
    'color:white;color:nonsense',
    'color:white;color:black nonsense',
    'color:color-mix(in srgb, white, white)',
    'color:#000;-webkit-text-fill-color:transparent',
    'background:#000',
    'background:#000;color:black',
    'background-color:black',
    'background:black url(x.png) no-repeat',
    'background:linear-gradient(#000,#000)',
    'color:#fff;background:black nonsense',
    'color:#123456;background:#123457',
    'mso-hide:all',
    'max-height:0;overflow:hidden',
    'height:0;overflow:hidden',
    'height:1px;overflow:hidden',
    'height:0px;overflow-y:clip',
    'line-height:0;overflow:hidden',
    'width:0',
    'max-width:0;overflow:hidden',
    'position:absolute;left:-9999px',
    'position:absolute;top:-999em',
    'position:fixed;left:200vw;right:-300vw',
    'margin-left:-5000px',
    'margin:0 0 0 -9999px',
    'text-indent:-9999px',
    'text-indent:-200%',
    'position:absolute;clip:rect(0,0,0,0)',
    'position:absolute;clip:rect(1px 1px 1px 1px)',
    'clip-path:inset(100%)',
    'clip-path:circle(0)',
    'transform:scale(0)',
    'transform:scale(.001)',
    'transform:translateX(-9999px)',
    'transform:rotateX(90deg)',
    'scale:0',
    'zoom:0.01',
    'letter-spacing:-1em',
    'unicode-bidi:bidi-override;direction:rtl',
    'content-visibility:hidden',
    '-webkit-mask-image:linear-gradient(transparent,transparent)',
  ])('what is styled %s', (style) => {
    expect(sees(styled(style))).toBe(false);
    expect(htmlToText(styled(style))).toMatch(/Hello\s+Bye/);
    expect(readHtml(styled(style)).unseen).toContain('CLAIM');
  });

  it.each([
    '<div hidden>CLAIM</div>',
    '<div HIDDEN=hidden>CLAIM</div>',
    '<div class=x hidden=until-found>CLAIM</div>',
    '<div style=display:none>CLAIM</div>',
    '<div style=display:none />CLAIM',
    '<span style="display:none"/>CLAIM',
    "<div style='display:none'>CLAIM</div>",
    '<DIV STYLE="DISPLAY:NONE">CLAIM</DIV>',
    '<div a=">" style="display:none">CLAIM</div>',
    '<div\nstyle\n=\n"display:none">CLAIM</div>',
    '<div/style="display:none">CLAIM</div>',
    '<div style="display:none" style="display:block">CLAIM</div>',
    '<div style="display:none"><p>x</div>y</p><span style="display:none">CLAIM</span>',
    '<div style="display:none"><div>x</div>CLAIM</div>',
    '<div style="display:none"></span></p>CLAIM</div>',
    '<div style="display:none"><b></div style="x"><i style="display:none">CLAIM',
    '<b style="display:none"><p>CLAIM</b></p>',
    '<b style="display:none"><p>x</b>CLAIM</p>'.replace('x</b>CLAIM', 'CLAIM</b>'),
    '<table><tr style="display:none"><td>CLAIM</td></tr></table>',
    '<div style="opacity:.3"><div style="opacity:.3"><p style="opacity:.3">CLAIM</p></div></div>',
    '<div style="visibility:hidden"><p>CLAIM</p></div>',
    '<div style="font-size:10%"><p style="font-size:50%">CLAIM</p></div>',
    '<div style="background:#000"><p style="background:#fff"><span style="color:#fff">CLAIM</span></p></div>',
    '<font color=white>CLAIM</font>',
    '<font color="#ffffff">CLAIM</font>',
    '<font color="FFFFFF">CLAIM</font>',
    '<font color="ffffgg" style="color:#fff">CLAIM</font>',
    '<font color="fffefefff">CLAIM</font>',
    '<table bgcolor=black><td>CLAIM</td></table>',
    '<table bgcolor="#112233"><td><font color="#112234">CLAIM</font></td></table>',
    '<body bgcolor=black>CLAIM</body>',
    '<body text=white>CLAIM</body>',
    '<body style="color:white">CLAIM</body>',
    '<p>x<!-- CLAIM -->y',
    '<!--[if mso]>CLAIM<![endif]-->',
    '<!--[if gte mso 9]><p>CLAIM</p><![endif]-->',
    '<!-- > -- > CLAIM -->',
    '<? CLAIM ?>',
    '<![CDATA[CLAIM]]>',
    '<noscript>CLAIM</noscript>',
    '<template><p>CLAIM</p></template>',
    '<title>CLAIM</title>',
    '<head><title>x</title></head><script>CLAIM</script>',
    '<style>CLAIM</style>',
    '<script>x</script x><script>"</scrip>CLAIM"</script>',
    '<svg><text>CLAIM</text></svg>',
    '<svg><title><p>CLAIM</p></title></svg>',
    '<math><mtext>CLAIM</mtext></math>',
    '<object>CLAIM</object>',
    '<iframe>CLAIM</iframe>',
    '<video>CLAIM</video>',
    '<datalist><option>CLAIM</datalist>',
    '<select><option>a<option>CLAIM</select>',
    '<details><summary>x</summary>CLAIM</details>',
    '<details><p>CLAIM</p></details>',
    '<dialog>CLAIM</dialog>',
    '<div popover>CLAIM</div>',
    '<bdo dir=rtl>CLAIM</bdo>',
    '<img alt="CLAIM">',
    '<a title="CLAIM">x</a>',
    '<input type=hidden value=CLAIM>',
  ])('%s', (html) => {
    expect(sees(html)).toBe(false);
  });

  it.each([
    '.x{display:none}',
    '#y{display:none}',
    'div{display:none}',
    '*{color:#fff}',
    'DIV.X{DISPLAY:NONE}',
    'div.x#y{display:none}',
    'p,.x,h1{display:none}',
    'body .x{display:none}',
    'body > .x{display:none}',
    'p + .x{display:none}',
    'p ~ div{display:none}',
    '.x:not(.z){display:none}',
    '.x:nth-child(2){display:none}',
    ':is(.x,.z){display:none}',
    '[class=x]{display:none}',
    '[id^="y"]{display:none}',
    '[class~=x]{display:none}',
    '.\\78{display:none}',
    '<!-- .x{display:none} -->',
    '/*{}*/.x/**/{display:none}',
    '.x{;;display:none',
    '.x{color:red;;x;display:none}',
    '.x{);display:none}',
    '.z{color:red} } .q{} .x{display:none}',
    '.x{background:url(a;b);display:none}',
    '.z{content:"}"} .x{display:none}',
    '@media screen{.x{display:none}}',
    '@media all{.x{display:none}}',
    '@media (min-width:1px){.x{display:none}}',
    '@media screen and (max-width:99999px){.x{display:none}}',
    '@media screen{@media all{.x{display:none}}}',
    '@supports (display:block){.x{display:none}}',
    '@layer a{.x{display:none}}',
    'body{.x{display:none}}',
    'body{& .x{display:none}}',
    '@import "a";.x{display:none}',
    '.x{display:none} .x{display:nonsense}',
    '.x{display:none} .x:hover{display:block}',
    '.x{display:none} .x:nth-child(99){display:block}',
    '.x{display:none} .x::after{display:block}',
    '.x{display:none} .x:-moz-thing{display:block}',
    '.x{display:none} @media print{.x{display:block}}',
    '.x{display:none} @media (max-width:400px){.x{display:block}}',
    '.x{display:none} @media (min-width:99999px){.x{display:block}}',
    '.x{display:none} p > .x > p, .z > .x{display:block}',
    '.x{display:none !important} #y{display:block}',
    '#y{display:none} .x{display:block}',
    '.x{color:white}',
    '.x{background:#000}',
    'body{background:#333} .x{color:#333}',
  ])('what a style sheet hides: %s', (css) => {
    expect(sees(sheet(css))).toBe(false);
    expect(htmlToText(sheet(css, '<b>Bye</b>')).includes('Bye')).toBe(!/^(?:\*|:is)/.test(css));
  });

  it('what only a style sheet that many programs drop would show', () => {
    expect(sees(sheet('.x{display:block !important}', '<div class=x style="display:none">CLAIM</div>'))).toBe(false);
    expect(sees(sheet('.x{color:#000 !important}', '<div class=x style="color:#fff">CLAIM</div>'))).toBe(false);
  });

  it('what stands behind more than is read', () => {
    expect(sees(`${'<div>'.repeat(600)}CLAIM`)).toBe(false);
  });
});

describe('a reader sees', () => {
  it.each([
    '<p>CLAIM</p>',
    'CLAIM',
    '<div aria-hidden="true">CLAIM</div>',
    '<div style="font-size:0"><p style="font-size:16px">CLAIM</p></div>',
    '<div style="visibility:hidden"><p style="visibility:visible">CLAIM</p></div>',
    '<div style="display:none">x</div>CLAIM',
    '<div style="display:none">x<div>y</div></div>CLAIM',
    '<div hidden>x</div>CLAIM',
    '<br hidden>CLAIM',
    '<img style="display:none">CLAIM',
    '<img style="display:none"/>CLAIM',
    '<p style="display:none">x<p>CLAIM',
    '<div class="hidden">CLAIM</div>',
    '<div title="display:none">CLAIM</div>',
    '<div data-hidden=1>CLAIM</div>',
    '<div style="dis/**/play:none">CLAIM</div>',
    '<div style="display:none-such">CLAIM</div>',
    '<div style="x-display:none">CLAIM</div>',
    '<table bgcolor="#1a73e8"><td><font color=white>CLAIM</font></td></table>',
    '<a href="x" style="background:#1a73e8;color:#fff;padding:8px">CLAIM</a>',
    '<td style="background:#1a73e8 url(\'x.png\') no-repeat center / cover;color:#ffffff">CLAIM</td>'.replace(
      /td/g,
      'p',
    ),
    '<div style="color:#fff;background-image:linear-gradient(90deg, #111 0%, #334 100%)">CLAIM</div>',
    '<div style="color:#666;font-size:11px;line-height:1;overflow:hidden">CLAIM</div>',
    '<div style="color:#999">CLAIM</div>',
    '<div style="color:white"><a href="x">CLAIM</a></div>',
    '<div style="max-height:400px;overflow:hidden;width:100%;max-width:600px;margin:0 auto">CLAIM</div>',
    '<div style="font:normal 14px/1.4 Arial, sans-serif;letter-spacing:-0.2px;text-indent:2em">CLAIM</div>',
    '<div style="opacity:.87;transform:none;position:relative;left:0;top:2px">CLAIM</div>',
    '<div style="font-size:clamp(12px, 2vw, 18px)">CLAIM</div>',
    '<![if !mso]>CLAIM<![endif]>',
    '<!--[if !mso]><!-->CLAIM<!--<![endif]-->',
    '<details open><summary>x</summary>CLAIM</details>',
    '<details><summary>CLAIM</summary>x</details>',
    '<textarea>CLAIM</textarea>',
    '<unknown-tag>CLAIM</unknown-tag>',
    '<center><big>CLAIM</big></center>',
    '<p>1 < 2 CLAIM',
    '<a href="x>CLAIM</a> y">CLAIM</a>',
  ])('%s', (html) => {
    expect(sees(html)).toBe(true);
  });

  it.each([
    '.z{display:none}',
    'p{display:none}',
    '.z .x{display:none}',
    'div.z{display:none}',
    '.x:hover{display:none}',
    '.x::before{display:none}',
    '@media print{.x{display:none}}',
    '@media (max-width:600px){.x{display:none}}',
    '@media (prefers-color-scheme:dark){.x{color:#fff}}',
    '@font-face{font-family:x}',
    '@keyframes x{from{opacity:0}}',
    '.x{display:none} .x{display:block}',
    '.x{display:none} #y{display:block}',
    '.x{display:block !important} .x{display:none}',
    '[class*=hide]{display:none}',
    '.x{background:#123;color:#fff}',
    '.x{color:#222;background:#f5f5f5}',
    'a:link{color:#fff}',
    'img{display:none} table{font-size:0}',
    '.x{',
    '}}}',
  ])('what no style sheet hides: %s', (css) => {
    expect(sees(sheet(css))).toBe(true);
  });
});

describe('laws', () => {
  const piece = fc.constantFrom(
    ...'<div> <p> </p> </div> <b> </b> <table> <td> <tr> <style> </style> .x{ } display:none; style=" " > < / & &#100; <!-- --> ( ) { } /* */'.split(
      ' ',
    ),
    ' ',
    'CLAIM',
  );
  const soup = fc.array(piece, { maxLength: 60 }).map((all) => all.join(''));

  it('no text makes it throw, nor gives it words that it does not have', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (html) => {
        const { seen } = readHtml(html);
        expect(seen.split('CLAIM').length).toBeLessThanOrEqual(html.split('CLAIM').length + 40);
      }),
    );
  });

  it('whatever stands in what is hidden stays hidden, if it closes no more than it opens', () => {
    const word = fc.constantFrom(
      '<p>',
      '<b>x</b>',
      '<div>y</div>',
      '<table><tr><td>',
      '<i>',
      '<br>',
      '<hr/>',
      '<ul><li>',
      '&amp;',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (inner) => {
        const html = `Hello<section style="display:none">${inner.join('')}CLAIM</section>`;
        expect(sees(html)).toBe(false);
      }),
    );
  });
});
