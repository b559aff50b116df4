import { expect, test } from 'vitest';
import {
  type Digest,
  digestMessage,
  digestText,
  messageOf,
  type News,
  obsidianLink,
  withDays,
} from '../../../src/steward/notify.ts';

const NOW = new Date(2026, 10, 23, 9).getTime();
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
    'It may be about a or b.',
  ],
  [
    news({ kind: 'found', change: 'Overdue for 3 days (due 2026-11-20). Nothing was heard from a@b.example so far.' }),
    'Pay the roofer',
    'Overdue for 3 days (due 20 Nov).',
  ],
  [
    news({ kind: 'trouble', event: null, change: 'The mailbox ada@mail.example refuses the password. Mend it.' }),
    'Steward needs you',
    'The mailbox somebody refuses the password. Mend it.',
  ],
])('%#: what a message says', (one, title, text) => {
  expect(messageOf([one], GROUND)).toMatchObject({ title, text });
});

test('many are counted, and the first ones named', () => {
  const made = messageOf([news({}), news({ kind: 'done', change: 'state open → done' })], GROUND);
  expect(made).toMatchObject({
    title: '1 thing waits for you, 1 change was made',
    text: '• Pay the roofer: A change is proposed.\n• Done: Pay the roofer, state open → done',
    link: 'obsidian://open?vault=Vault&file=steward',
  });
  expect(messageOf([], GROUND)).toBeNull();
});

test('a link opens the event note, wherever it lies, and any name is only a name in it', () => {
  expect(messageOf([news({})], GROUND)?.link).toBe('obsidian://open?vault=Vault&file=event%2F2026-11%2Fe1');
  expect(obsidianLink('My & vault#1', "a/b?c='x'\ud800.md")).toBe(
    'obsidian://open?vault=My%20%26%20vault%231&file=a%2Fb%3Fc%3D%27x%27%EF%BF%BD',
  );
});

test('a digest of nothing is no message, and a note all the same', () => {
  const empty: Digest = { now: NOW, since: NOW - 86_400_000, waiting: [], done: [], due: [] };
  expect(digestMessage(empty, 'Vault')).toBeNull();
  expect(digestText(empty)).toBe(
    [
      'As of 23 Nov, 09:00',
      '### Waits for you\n\nNothing waits for you.',
      '### Done since 22 Nov, 09:00\n\nNothing was changed.',
      '### Due today\n\nNothing is due today.',
      '### Due this week\n\nNothing else is due within a week.',
    ].join('\n\n'),
  );
});

test('in a digest names and changes are only text', () => {
  const due = [
    { path: 'task/old.md', day: '2026-11-20' },
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
  const text = digestText({ now: NOW, since: NOW, waiting: [], done: [deed], due });
  expect(text).not.toMatch(/%% \/?steward|<b>|(?<!\\)\[\[x/);
  expect(text).toContain('### Overdue\n\n- [[old]] · 20 Nov');
  expect(text).toContain('- [[soon]] · 27 Nov');
});
