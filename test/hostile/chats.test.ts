import { describe, expect, test } from 'vitest';
import { readFindings } from '../../src/reading/read-event.ts';
import { STREAM_KINDS } from '../../src/streams/kinds.ts';
import type { StreamKind } from '../../src/streams/stream.ts';
import { eventsIn, keysIn, readAll, sourceOf } from '../streams/read-all.ts';
import { kindOf, readNamed } from '../streams/read-chats.ts';
import { zipOf } from '../streams/zip.ts';
import { candidate, eventWith, extractSignals, sampleIndex } from '../support/events.ts';
import { ownTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

// Exports of chats, transcripts and clippings come from whoever was in the room, and from whoever can drop a file.

const SENDER = { attacker: 'a sender', loss: 'what somebody makes up is taken for the word of another' } as const;
const PEER = { attacker: 'a sync peer', loss: 'the program is brought to a stop' } as const;
const KNOWN = 'anna@notary.example';

function slackOf(users: unknown, messages: unknown) {
  return zipOf([
    { name: 'users.json', text: JSON.stringify(users) },
    { name: 'channels.json', text: JSON.stringify([{ id: 'C1', name: 'house' }]) },
    { name: 'house/2035-03-01.json', text: JSON.stringify(messages) },
  ]);
}

describe('a name that its bearer chose', () => {
  const names = [
    KNOWN,
    `Anna <${KNOWN}>`,
    `<${KNOWN}>`,
    '@notary.example',
    `unverified:${KNOWN}`,
    `mailto:${KNOWN}`,
    'ａnna＠notary.example',
  ];
  const forms: readonly (readonly [string, (name: string) => readonly [string, Uint8Array | string]])[] = [
    [
      'WhatsApp',
      (name) => [
        'stream/_chat.txt',
        `20/01/2035, 09:00 - ${name.replace(/:/g, '')}: the deposit invoice has been paid`,
      ],
    ],
    [
      'Slack',
      (name) => [
        'stream/a.zip',
        slackOf(
          [{ id: name, name, real_name: name }],
          [{ type: 'message', user: name, ts: '2056348800.000200', text: 'the deposit invoice has been paid' }],
        ),
      ],
    ],
    [
      'a bot of Slack',
      (name) => [
        'stream/a.zip',
        slackOf(
          [],
          [{ type: 'message', username: name, ts: '2056348800.000200', text: 'the deposit invoice has been paid' }],
        ),
      ],
    ],
    [
      'Telegram',
      (name) => [
        'stream/r.json',
        JSON.stringify({
          name: 'x',
          type: 'private_group',
          id: 1,
          messages: [
            {
              id: 1,
              type: 'message',
              date: '2035-03-01T09:00:00',
              from: name,
              from_id: name,
              text: 'the deposit invoice has been paid',
            },
          ],
        }),
      ],
    ],
    [
      'Signal',
      (name) => [
        'stream/data.json',
        JSON.stringify({
          date: '2035-03-01T09:00:00',
          sender: name,
          body: 'the deposit invoice has been paid',
          quote: '',
        }),
      ],
    ],
    [
      'Matrix',
      (name) => [
        'stream/m.json',
        JSON.stringify({
          room_name: 'x',
          messages: [
            {
              type: 'm.room.message',
              sender: `@${name}:${name}`,
              event_id: '$1',
              origin_server_ts: 2056348800000,
              content: { msgtype: 'm.text', body: 'the deposit invoice has been paid' },
            },
          ],
        }),
      ],
    ],
    [
      'a transcript',
      (name) => [
        'stream/a.vtt',
        `WEBVTT\n\n00:01.000 --> 00:02.000\n<v ${name.replace(/[<>]/g, '')}>the deposit invoice has been paid\n`,
      ],
    ],
    [
      'a clipping',
      (name) => ['stream/a.md', `---\nauthor: ${JSON.stringify(name)}\n---\nthe deposit invoice has been paid\n`],
    ],
  ];
  for (const [where, form] of forms) {
    attack(
      {
        ...SENDER,
        means: `an author of ${where} is called like a known address`,
        defence: 'no name reads as an address',
      },
      async () => {
        for (const name of names) {
          const events = eventsIn(await readNamed(...form(name)));
          expect(events).toHaveLength(1);
          for (const event of events) {
            expect(event.from ?? '').not.toMatch(/[@<>:]/);
            expect(event.authentication.result).toBe('none');
            const { signals } = extractSignals({ ...event, bulk: false, originAt: null }, sampleIndex(), {
              ...{
                now: new Date('2026-11-20T20:00:00Z'),
                standingOf: () => 'unknown',
                confidenceOf: () => 1,
              },
            });
            for (const signal of signals) expect(signal.target_evidence).not.toContain('sender');
          }
        }
      },
    );
  }

  attack(
    {
      ...SENDER,
      means: 'an author of WhatsApp is called like an id of Telegram or Slack',
      defence: 'an id carries its channel in brackets, which no name has',
    },
    async () => {
      const name = async (author: string) =>
        eventsIn(await readNamed('stream/_chat.txt', `20/01/2035, 09:00 - ${author}: hello there`))[0]?.from;
      expect(await name('user7 (telegram)')).toBe('user7 telegram');
      expect(await name('U01 (slack)')).toBe('u01 slack');
    },
  );

  attack(
    {
      ...SENDER,
      means: 'somebody whom the phone has no name for calls themselves like a contact',
      defence: 'the mark that WhatsApp puts before such a name stays',
    },
    async () => {
      const events = eventsIn(
        await readNamed(
          'stream/_chat.txt',
          '20/01/2035, 09:00 - ~\u202fAnna Weber: paid\n20/01/2035, 09:01 - Anna Weber: paid',
        ),
      );
      expect(new Set(events.map(({ from }) => from)).size).toBe(2);
    },
  );

  attack(
    {
      ...SENDER,
      means: 'the list of users in an export of Slack gives one id the name of another',
      defence: 'the author is the id, and nobody vouches for it',
    },
    async () => {
      const message = (user: string, ts: string) => ({ type: 'message', user, ts, text: 'I confirm everything' });
      const zip = slackOf(
        [
          { id: 'U1', name: 'anna', real_name: 'Anna Weber' },
          { id: 'U2', name: 'anna', real_name: 'Anna Weber' },
        ],
        [message('U1', '2056348800.000100'), message('U2', '2056348801.000100')],
      );
      const events = eventsIn(await readNamed('stream/a.zip', zip));
      expect(events.map(({ from }) => from)).toEqual(['u1 (slack)', 'u2 (slack)']);
      expect(events.map(({ authentication }) => authentication.result)).toEqual(['none', 'none']);
    },
  );

  attack(
    {
      ...SENDER,
      means: 'invisible characters and turned-round text in names, rooms and messages',
      defence: 'they are taken out before anything is read',
    },
    async () => {
      const nasty = '\u202Eannet\u200B\u0000\u0007\u{E0041}';
      const text = `20/01/2035, 09:00 - An\u200Bna${nasty.replace('\u0000', '')}: hello\u202E there\u2066 you`;
      const [event] = eventsIn(await readNamed(`stream/WhatsApp Chat with ${nasty}.txt`, text));
      for (const part of [event?.from, event?.fromName, event?.subject, event?.text, event?.spoken?.room]) {
        expect(part ?? '').not.toMatch(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u206F\u{E0000}-\u{E0FFF}]/u);
      }
    },
  );
});

describe("words that are not their author's", () => {
  const quoted: readonly (readonly [string, string])[] = [
    ['quotes another', '> the deposit invoice has been paid\nis that so?'],
    ['pastes a log', 'look: ```the deposit invoice has been paid```'],
    ['strikes it out', '~the deposit invoice has been paid~ not yet'],
    ['pastes a mail', 'see:\nFrom: Anna\nSent: today\nTo: me\nSubject: x\nthe deposit invoice has been paid'],
  ];
  for (const [means, text] of quoted) {
    attack(
      { ...SENDER, means: `a message that ${means}`, defence: 'what is carried along is searched for links only' },
      async () => {
        const zip = slackOf([], [{ type: 'message', user: 'U1', ts: '2056348800.000200', text }]);
        const [event] = eventsIn(await readNamed('stream/a.zip', zip));
        expect(event?.text).not.toContain('has been paid');
        expect(event?.quoted).toContain('has been paid');
      },
    );
  }

  attack(
    {
      ...SENDER,
      means: 'a message that another passes on in Telegram',
      defence: 'what is passed on is not what its sender says',
    },
    async () => {
      const chat = {
        name: 'x',
        type: 'private_group',
        id: 1,
        messages: [
          {
            id: 1,
            type: 'message',
            date: '2035-03-01T09:00:00',
            from: 'Kim',
            from_id: 'user3',
            forwarded_from: 'Anna Weber',
            text: 'the deposit invoice has been paid',
          },
        ],
      };
      const [event] = eventsIn(await readNamed('stream/r.json', JSON.stringify(chat)));
      expect(event?.text).toBe('');
    },
  );

  attack(
    {
      ...SENDER,
      means: 'a page that hides words from its reader',
      defence: 'comments are no text, and styled HTML is doubted',
    },
    async () => {
      const read = async (body: string) =>
        eventsIn(await readNamed('stream/a.md', `---\ntitle: x\n---\nHello there. ${body}\n`))[0];
      expect((await read('<!-- [[pay]] has been paid -->'))?.text).toBe('Hello there.');
      expect((await read('%% [[pay]] has been paid %%'))?.text).toBe('Hello there.');
      expect((await read('<!-- [[pay]] has been paid'))?.text).toBe('Hello there.');
      for (const html of [
        '<span style="display:none">[[pay]] has been paid</span>',
        '<p class="x">paid</p>',
        '<details>paid</details>',
      ])
        expect((await read(html))?.doubts).not.toEqual([]);
    },
  );

  attack(
    {
      ...SENDER,
      means: 'frontmatter of a clipping that is a program',
      defence: 'frontmatter is YAML and nothing else',
    },
    async () => {
      for (const language of ['js', 'coffee', 'javascript']) {
        const [item] = await readNamed('stream/a.md', `---${language}\nprocess.exit(3)\n---\nwords that are read\n`);
        expect(item?.content.what).toBe('refused');
      }
    },
  );
});

describe('a room that claims much', () => {
  attack(
    {
      ...SENDER,
      means: 'a transcript in which Anna confirms everything',
      defence: 'no file vouches for who speaks in it',
    },
    async () => {
      const text =
        'Anna Weber: I confirm everything.\nAnna Weber: the deposit invoice has been paid.\nRobin: thank you all.\nAnna Weber: the deed of sale was signed.\n';
      const events = eventsIn(await readNamed('stream/talk.txt', text));
      expect(events.length).toBeGreaterThan(0);
      for (const event of events) {
        expect(event.authentication).toMatchObject({ result: 'none', server: null });
        expect(event.about).toBeUndefined();
        expect(event.stated).toBeUndefined();
      }
    },
  );

  attack(
    { ...SENDER, means: 'a group that is called by a sentence', defence: "what a room is called is nobody's word" },
    async () => {
      const file = 'stream/WhatsApp Chat with The deposit invoice has been paid.txt';
      const [event] = eventsIn(
        await readNamed(file, '20/01/2035, 09:00 - A: one\n20/01/2035, 09:00 - B: two\n20/01/2035, 09:00 - C: three'),
      );
      if (event === undefined) throw new Error('no event');
      const { signals } = extractSignals({ ...event, originAt: null }, sampleIndex(candidate({ path: 'task/x.md' })), {
        ...{
          now: new Date('2026-11-20T20:00:00Z'),
          standingOf: () => 'unknown',
          confidenceOf: () => 1,
        },
      });
      expect(signals).toEqual([]);
    },
  );
});

describe('a zip that is made to do harm', () => {
  const users = { name: 'users.json', text: '[]' };
  const day = 'house/2035-03-01.json';
  const bombs: readonly (readonly [string, Parameters<typeof zipOf>[0][number], RegExp])[] = [
    [
      'unpacks to a thousand times its size',
      { name: day, text: `[${' '.repeat(20 * 1024 * 1024)}]` },
      /far more than text does/,
    ],
    [
      'unpacks to more than its listing says',
      { name: day, text: Buffer.alloc(1024 * 1024, 0x20), said: { size: 1000 } },
      /more than it says/,
    ],
    ['says that it holds 4 GB', { name: day, text: '[]', said: { size: 0xfffffff0 } }, /at most 32 MiB/],
    ['says that it is encrypted', { name: day, text: '[]', said: { flags: 1 } }, /encrypted/],
    ['is packed in a way nobody knows', { name: day, text: '[]', said: { method: 99 } }, /packed in a way/],
    ['is packed beyond its end', { name: day, text: '[]', said: { packed: 0x7ffffff0 } }, /damaged or not complete/],
  ];
  for (const [means, bomb, reason] of bombs) {
    attack(
      {
        ...PEER,
        means: `a day of a Slack export that ${means}`,
        defence: 'it alone is refused, before it is unpacked',
      },
      async () => {
        const items = await readNamed(
          'stream/a.zip',
          zipOf([
            users,
            bomb,
            { name: 'house/2035-03-02.json', text: '[{"ts":"2056348800.1","text":"hello","user":"U1"}]' },
          ]),
        );
        expect(items.map(({ content }) => content.what)).toEqual(['refused', 'event']);
        expect(items[0]?.content).toMatchObject({ reason: expect.stringMatching(reason) });
      },
    );
  }

  attack(
    {
      attacker: 'a sync peer',
      means: 'names in a zip that lead out of it',
      loss: 'files outside the vault are read or written',
      defence: 'a name in a zip is never a path',
    },
    async () => {
      const names = [
        '../../etc/2035-03-01.json',
        '/etc/2035-03-01.json',
        '..\\x/2035-03-01.json',
        'a/b/c/2035-03-01.json',
        'house/../../2035-03-01.json',
      ];
      const text = '[{"ts":"2056348800.1","text":"hello","user":"U1"}]';
      const items = await readNamed('stream/a.zip', zipOf([users, ...names.map((name) => ({ name, text }))]));
      // Those that look like a channel are read from memory as one; nothing is opened by these names.
      for (const event of eventsIn(items)) expect(event.path).toBe('stream/a.zip');
    },
  );

  attack(
    {
      ...PEER,
      means: 'a zip that was cut off, or whose listing leads nowhere',
      defence: 'it is refused with a reason',
    },
    async () => {
      const whole = zipOf([users, { name: day, text: '[]' }]);
      for (const length of [4, 40, whole.length - 10]) {
        const cut = whole.slice(0, length);
        const kind = kindOf('stream/a.zip', whole);
        await expect(kind === null ? null : readAll(kind, cut)).rejects.toThrow(/damaged or not complete/);
      }
    },
  );
});

describe('files that are made to be slow', () => {
  const MIB = 1024 * 1024;
  const long = (text: string, most = MIB) => text.repeat(Math.ceil(most / text.length)).slice(0, most);
  const floods: readonly (readonly [string, string, string])[] = [
    ['a chat of stamps alone', 'stream/_chat.txt', long('20/01/2035, 09:00 - A: x\n', 300_000)],
    ['one endless message', 'stream/_chat.txt', `20/01/2035, 09:00 - A: x\n${long('no end\n')}`],
    ['one endless line', 'stream/_chat.txt', `20/01/2035, 09:00 - A: ${long('no end ')}`],
    ['a name without an end', 'stream/_chat.txt', `20/01/2035, 09:00 - ${long('a')}`],
    ['cues without an end', 'stream/a.vtt', `WEBVTT\n\n${long('00:00:01.000 --> 00:00:02.000\n')}`],
    ['one cue without an end', 'stream/a.vtt', `WEBVTT\n\n00:01.000 --> 00:02.000\n${long('<v A>x\n')}`],
    ['nothing but tags', 'stream/a.vtt', `WEBVTT\n\n00:01.000 --> 00:02.000\n${long('<v ')}`],
    ['nothing but speakers', 'stream/a.txt', long('Anna: x\nRobin: y\n', 300_000)],
    ['nothing but times', 'stream/a.txt', `${long('00:00:01 Anna: x\n', 1000)}${long('00:00:01\n')}`],
    ['a nest of lists', 'stream/r.json', `{"type":"personal_chat","messages":[{"id":1,"text":${long('[', 500_000)}`],
    ['a nest of objects', 'stream/r.json', `{"type":"personal_chat","messages":[]${long(',"a":{"b":{"c":1}}')}}`],
    ['a flood of messages', 'stream/r.json', `{"type":"personal_chat","messages":[${long('{},', 200_000)}{}]}`],
    [
      'a message without an end',
      'stream/r.json',
      `{"type":"personal_chat","messages":[{"id":1,"type":"message","text":"${long('x', 3 * MIB)}"}]}`,
    ],
    ['comments that never end', 'stream/a.md', long('<!-- %% ', 900_000)],
    ['tags that never end', 'stream/a.md', long('<a b', 900_000)],
    ['fences that never end', 'stream/a.md', long('```\n', 900_000)],
  ];
  for (const [means, file, text] of floods) {
    attack({ ...PEER, means, defence: 'each is read in time in proportion to its length' }, async () => {
      const bytes = new TextEncoder().encode(text);
      const kind = kindOf(file, bytes);
      expect(kind).not.toBeNull();
      const started = ownTime();
      await readAll(kind as StreamKind, bytes, { file }).catch(() => null);
      expect(ownTime() - started).toBeLessThan(6000);
    });
  }

  attack(
    {
      ...PEER,
      means: 'a message of words that open what was done, over and over',
      defence: 'so many are read, and no more',
    },
    () => {
      for (const pump of [
        'ok, ',
        'ok ok ',
        'done, ',
        'i have just ',
        'hab ein ',
        'sent ',
        "don't forget to ",
        'kannst du a ',
        ' ',
        '- ',
      ]) {
        const text = long(pump, 16_000);
        const started = ownTime();
        readFindings(eventWith({ text, spoken: { room: null, isPersonal: true } }));
        expect(ownTime() - started, pump).toBeLessThan(1500);
      }
    },
  );

  test('whatever a file begins with, every kind says quickly whether it is its own', () => {
    const heads = [
      '',
      '\0',
      '{"',
      '[',
      'PK\x03\x04',
      '"type" : ',
      '{"messages" ',
      '20/01/',
      '--> ',
      'a: b\n',
      '\uFEFF',
    ].map((pump) => new TextEncoder().encode(pump === '' ? '' : long(pump, 65_536)).subarray(0, 65_536));
    for (const kind of STREAM_KINDS) {
      for (const head of heads) {
        const started = ownTime();
        kind.recognises(head);
        expect(ownTime() - started, kind.name).toBeLessThan(500);
      }
    }
  });

  test('a file that is cut off anywhere ends in items or in a reason', async () => {
    const whole = new TextEncoder().encode(
      '{"name":"A","type":"personal_chat","id":7,"messages":[{"id":1,"type":"message","date_unixtime":"2056348800","from_id":"user7","from":"A","text":["a",{"type":"bold","text":"\\"é"}]}]}',
    );
    const kind = kindOf('stream/r.json', whole);
    if (kind === null) throw new Error('no kind');
    const read = await kind.load();
    for (let length = 1; length < whole.length; length += 1) {
      const items = () => [
        ...(read(sourceOf(whole.slice(0, length)), 0, {
          file: 'stream/r.json',
          sourceType: 'other',
          trustedServers: [],
          zone: 'UTC',
          now: 0,
        }) as Iterable<unknown>),
      ];
      expect(items).toThrow(/ends in the middle|is damaged/);
    }
  });
});

describe('forged names of events', () => {
  attack(
    {
      attacker: 'a sender',
      means: 'a message whose words try to be the name of another',
      loss: 'a later message is suppressed',
      defence: 'words enter a name by their hash alone',
    },
    async () => {
      const other = keysIn(await readNamed('stream/_chat.txt', '20/01/2035, 09:00 - Anna: hello'))[0] ?? '';
      const forged = keysIn(
        await readNamed('stream/_chat.txt', `20/01/2035, 09:00 - Kim: ${other}\n20/01/2035, 09:00 - Kim: 1`),
      );
      expect(forged).not.toContain(other);
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'an edit in Matrix of a message that another wrote',
      loss: "the other's words are replaced",
      defence: "only its author's edit is a version of a message",
    },
    async () => {
      const message = (sender: string, id: string, content: object) => ({
        type: 'm.room.message',
        sender,
        event_id: id,
        origin_server_ts: 2056348800000,
        content: { msgtype: 'm.text', body: 'words of mine', ...content },
      });
      const room = {
        room_name: 'x',
        messages: [
          message('@anna:a.example', '$1', {}),
          message('@kim:a.example', '$2', {
            'm.new_content': { body: 'others' },
            'm.relates_to': { rel_type: 'm.replace', event_id: '$1' },
          }),
        ],
      };
      const keys = keysIn(await readNamed('stream/m.json', JSON.stringify(room)));
      expect(new Set(keys).size).toBe(2);
    },
  );
});
