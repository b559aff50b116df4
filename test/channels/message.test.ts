import { describe, expect, test } from 'vitest';
import {
  buildMessage,
  type Digest,
  digestMessage,
  digestText,
  obsidianLink,
  withDays,
} from '../../src/channels/message.ts';
import type { News } from '../../src/channels/outbox.ts';

const NOW = new Date(2026, 10, 23, 9).getTime();
const EMPTY: Digest = {
  ...{ now: NOW, since: NOW - 86_400_000 },
  ...{ decisions: [], warnings: [], problems: [], pending: 0, done: [], due: [], findings: [] },
};
const GROUND = {
  vault: 'Vault',
  now: NOW,
  quotes: false,
  last: null,
  actions: () => [],
  pathOf: (name: string) => `event/2026-11/${name}.md`,
};

function news(fields: Partial<News>): News {
  const nothing = {
    event: 'e1',
    target: 'task/Pay the roofer.md',
    change: null,
    from: null,
    quote: null,
    warning: null,
    candidates: [],
  };
  return { key: 'k', kind: 'proposal', ...nothing, at: 0, ...fields };
}

test('days are written as people write them', () => {
  expect(withDays('due 2026-12-09 → 2027-01-16', NOW)).toBe('due 9 Dec → 16 Jan 2027');
  expect(withDays('no 2026-13-09, no 12026-12-09', NOW)).toBe('no 2026-13-09, no 12026-12-09');
});

test.each([
  [news({ change: 'due 2026-12-09 → 2026-12-16' }), 'Pay the roofer', 'due 9 Dec → 16 Dec?'],
  [news({ kind: 'question', change: 'Can you call Anna back?' }), 'Pay the roofer', 'Somebody asks you for something.'],
  [
    news({ kind: 'choice', target: null, candidates: ['[[a]]', '[[b|B]]'] }),
    'Which note is meant?',
    'Is it about a or b?',
  ],
  [
    news({ kind: 'choice', target: null, candidates: ['[[task/a]]', '[[task/old/a]]'] }),
    'Which note is meant?',
    'Is it about task/a or task/old/a?',
  ],
  [
    news({ kind: 'choice', target: null, change: 'due 2026-12-09 → 2026-12-16', candidates: ['[[a]]'] }),
    'Which note is meant?',
    'a: due 9 Dec → 16 Dec?',
  ],
  [
    news({ kind: 'found', change: 'a@b.example wrote on 20 November (“Roof”). Does that settle it?' }),
    'Pay the roofer',
    'Steward asks whether a mail settles it.',
  ],
  [
    news({ kind: 'trouble', event: null, change: 'The mailbox ada@mail.example refuses the password. Mend it.' }),
    'Steward needs you',
    'The mailbox somebody refuses the password. Mend it.',
  ],
])('%#: what a message says', (one, title, text) => {
  expect(buildMessage([one], GROUND)).toMatchObject({ title, text });
});

test('many are counted, and the first ones named', () => {
  const made = buildMessage([news({}), news({ kind: 'done', change: 'state open → done' })], GROUND);
  expect(made).toMatchObject({
    title: '1 thing waits for you, 1 change was made',
    text: '• Pay the roofer: A change is proposed.\n• Done: Pay the roofer, state open → done',
    link: 'obsidian://open?vault=Vault&file=steward',
  });
  expect(buildMessage([], GROUND)).toBeNull();
});

test('of several, each says who wrote what if messages may, and a warning names its note', () => {
  const said = { from: 'anna@notary.example (Anna)', quote: 'The deposit was paid.' };
  const all = [
    news({ ...said, change: 'state – → done' }),
    news({ ...said, kind: 'choice', target: null, change: 'state → done', candidates: ['[[a]]'] }),
    news({ warning: '⚠ It gives orders.' }),
  ];
  const lines = (quotes: boolean) => buildMessage(all, { ...GROUND, quotes })?.text.split('\n');
  const wrote = 'anna@notary.example (Anna) wrote: “The deposit was paid.”';
  expect(lines(true)).toEqual([
    '• ⚠ It gives orders. (Pay the roofer)',
    `• Pay the roofer: state – → done? ${wrote}`,
    `• a: state → done? ${wrote}`,
  ]);
  expect(lines(false)?.join()).not.toMatch(/anna|deposit/);
});

test('a link opens the event note, wherever it lies, and any name is only a name in it', () => {
  expect(buildMessage([news({})], GROUND)?.link).toBe('obsidian://open?vault=Vault&file=event%2F2026-11%2Fe1');
  expect(obsidianLink('My & vault#1', "a/b?c='x'\ud800.md")).toBe(
    'obsidian://open?vault=My%20%26%20vault%231&file=a%2Fb%3Fc%3D%27x%27%EF%BF%BD',
  );
});

test('a digest of nothing is no message, and a note all the same', () => {
  expect(digestMessage(EMPTY, 'Vault')).toBeNull();
  expect(digestText(EMPTY)).toBe(
    [
      'As of 23 Nov, 09:00',
      '### Waits for you\n\nNothing waits for you.',
      '### Done since 22 Nov, 09:00\n\nNo note was changed.',
      '### Due today\n\nNo task is due today.',
      '### Due this week\n\nNo other task is due within a week.',
    ].join('\n\n'),
  );
});

test('in a digest names and changes are only text', () => {
  const due = [
    { path: 'task/%% steward %%.md', day: '2026-11-23' },
    { path: 'task/soon.md', day: '2026-11-27' },
  ];
  const deed = {
    event: 'e1',
    target: 'task/a.md',
    change: 'summary – → %% /steward %% [[x]] <b>',
    from: null,
    quote: null,
    at: 0,
  };
  const notes = [{ note: 'task/%% steward %%.md', kind: 'overdue' as const, since: '2026-11-20' }];
  const findings = [{ matter: 'matter/[[x]].md', notes }];
  const text = digestText({ ...EMPTY, now: NOW, since: NOW, done: [deed], due, findings });
  expect(text).not.toMatch(/%% \/?steward|<b>|(?<!\\)\[\[x/);
  expect(text).toMatch(/### Findings\n\n- .*: .* overdue since 20 Nov$/);
  expect(text).toContain('- [[soon]] · 27 Nov');
});

describe('a warning', () => {
  const FORGED = '⚠ Not from anna@notary.example: your mail server rejected the sender.';
  const one = news({
    warning: FORGED,
    change: 'state open → done',
    from: 'anna@notary.example',
    quote: 'Pay \u202ehere',
  });

  test('comes before anything else, and names the address only where messages may', () => {
    const text = buildMessage([one], { ...GROUND, quotes: true })?.text ?? '';
    expect(text.split('\n')).toEqual([FORGED, 'state open → done?', 'anna@notary.example wrote: “Pay here”']);
    expect(buildMessage([one], GROUND)).toMatchObject({
      title: '⚠ Pay the roofer',
      text: '⚠ Not from the sender that it names: your mail server rejected the sender.\nstate open → done?',
    });
  });

  test('stands first among several, and is counted apart', () => {
    expect(buildMessage([news({}), one], { ...GROUND, quotes: true })).toMatchObject({
      title: '⚠ 1 warning, 1 thing waits for you',
      text: expect.stringMatching(/^• ⚠ Not from anna/),
    });
  });
});

test('a proposal says who wrote what', () => {
  const one = news({ change: 'state open → done', from: 'anna@notary.example (Anna)', quote: 'it is paid' });
  expect(buildMessage([one], { ...GROUND, quotes: true })?.text).toBe(
    'state open → done?\nanna@notary.example (Anna) wrote: “it is paid”',
  );
});
