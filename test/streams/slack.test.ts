import { describe, expect, it } from 'vitest';
import { eventsIn, keysIn } from './read-all.ts';
import { kindOf, outline, readNamed } from './read-chats.ts';
import { zipOf } from './zip.ts';

const USERS = [
  { id: 'U01', team_id: 'T1', name: 'anna', real_name: 'Anna Weber', profile: { display_name: 'Anna' } },
  { id: 'U02', team_id: 'T1', name: 'robin', profile: { display_name: '', real_name: 'Robin Sample' } },
  { id: 'U03', team_id: 'T1', name: 'buildbot', is_bot: true },
];
const GENERAL = [
  { type: 'message', subtype: 'channel_join', user: 'U02', ts: '2056348700.000100', text: '<@U02> has joined' },
  {
    type: 'message',
    user: 'U01',
    ts: '2056348800.000200',
    text: '<@U02> could you sign the deed &amp; send it to <https://house.example|the house>?',
  },
  {
    type: 'message',
    user: 'U02',
    ts: '2056348860.000300',
    thread_ts: '2056348800.000200',
    text: '&gt; could you sign the deed\nThe deed is signed',
    edited: { user: 'U02', ts: '2056348900.000000' },
  },
  { type: 'message', user: 'U03', ts: '2056348920.000400', text: 'The build is done' },
  {
    type: 'message',
    subtype: 'bot_message',
    username: 'Deploys',
    bot_id: 'B1',
    ts: '2056348980.000500',
    text: 'Deployed',
  },
  { type: 'message', user: 'U01', ts: '2056349040.000600', text: '', files: [{ id: 'F1' }] },
  {
    type: 'message',
    user: 'U09',
    user_profile: { display_name: 'Guest', real_name: '' },
    ts: '2056349100.000700',
    text: 'hello from a guest',
  },
  { type: 'message', ts: 'yesterday', text: 'no time' },
];
const DIRECT = [
  { type: 'message', user: 'U01', ts: '2056349160.000800', text: '~I have paid it~ I will pay it tomorrow' },
];

function exportOf(...more: Parameters<typeof zipOf>[0][number][]) {
  return zipOf([
    { name: 'users.json', text: JSON.stringify(USERS) },
    { name: 'channels.json', text: JSON.stringify([{ id: 'C01', name: 'general', members: [] }]) },
    { name: 'dms.json', text: JSON.stringify([{ id: 'D0000001', members: ['U01', 'U02'] }]) },
    { name: 'general/', text: '' },
    { name: 'general/2035-03-01.json', text: JSON.stringify(GENERAL) },
    { name: 'D0000001/2035-03-01.json', text: JSON.stringify(DIRECT) },
    ...more,
  ]);
}

describe('an export of Slack', () => {
  it('is read message by message, with names in place of ids', async () => {
    const items = await readNamed('stream/export.zip', exportOf());
    expect(outline(items)).toEqual([
      'general 2035-03-01, message 1: nothing, a line of Slack itself',
      'general 2035-03-01, message 2: u01 (slack) 2035-03-01T08:00:00Z "@Robin Sample could you sign the deed & send it to the house (https://house.example)?"',
      'general 2035-03-01, message 3: u02 (slack) 2035-03-01T08:01:00Z "The deed is signed" [> could you sign the deed]',
      'general 2035-03-01, message 4: u03 (slack) 2035-03-01T08:02:00Z "The build is done" (machine)',
      'general 2035-03-01, message 5: deploys 2035-03-01T08:03:00Z "Deployed" (machine)',
      'general 2035-03-01, message 6: u01 (slack) 2035-03-01T08:04:00Z "" (not read: only a file)',
      'general 2035-03-01, message 7: u09 (slack) 2035-03-01T08:05:00Z "hello from a guest"',
      "general 2035-03-01, message 8: refused, It isn't a Slack message.",
      'D0000001 2035-03-01, message 1: u01 (slack) 2035-03-01T08:06:00Z "I will pay it tomorrow" [~I have paid it~]',
    ]);
    const events = eventsIn(items);
    expect(events[0]).toMatchObject({
      ...{ sourceType: 'slack_channel', fromName: 'Anna', spoken: { room: '#general', isPersonal: false } },
    });
    expect(events[0]?.subject).toMatch(/^#general: @Robin Sample could you sign/);
    expect(events.at(-1)).toMatchObject({ sourceType: 'slack', spoken: { room: null, isPersonal: true } });
    expect(events[5]?.fromName).toBe('Guest');
  });

  it('names a message by team, channel and time, and an edited one by its version', async () => {
    const items = await readNamed('stream/export.zip', exportOf());
    expect(keysIn(items)[0]).toBe('slack T1 C01 2056348800.000200');
    const edited = items.flatMap(({ content }) => (content.what === 'event' ? [content.identity] : []))[1];
    expect(edited).toEqual({ key: 'slack T1 C01 2056348860.000300', version: '2056348900.000000', otherwise: 'newer' });
  });

  it('is read where it was packed anew with its folder', async () => {
    const zip = zipOf([
      { name: 'team/users.json', text: JSON.stringify(USERS) },
      { name: 'team/channels.json', text: JSON.stringify([{ id: 'C01', name: 'general' }]) },
      { name: 'team/general/2035-03-01.json', text: JSON.stringify(GENERAL.slice(1, 2)) },
    ]);
    expect(keysIn(await readNamed('stream/team.zip', zip))).toEqual(['slack T1 C01 2056348800.000200']);
  });

  it('has its source from the folder, where that names another', async () => {
    const events = eventsIn(await readNamed('stream/vexa/export.zip', exportOf(), { sourceType: 'vexa' }));
    expect(new Set(events.map(({ sourceType }) => sourceType))).toEqual(new Set(['vexa']));
  });

  it('is found again at the place of any of its messages', async () => {
    const zip = exportOf();
    const all = await readNamed('stream/export.zip', zip);
    const kind = kindOf('stream/export.zip', zip);
    const { readAll } = await import('./read-all.ts');
    for (const item of all) {
      const rest = kind === null ? [] : await readAll(kind, zip, { from: item.at, sourceType: 'slack_channel' });
      expect(rest.map(({ place }) => place)).toEqual(all.slice(all.indexOf(item)).map(({ place }) => place));
    }
  });

  it.each<[what: string, message: object, read: string]>([
    [
      'the text of an editor, with names, links and what is struck out',
      {
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'user', user_id: 'U02' },
                  { type: 'text', text: ' I have booked ' },
                  { type: 'text', text: 'the ferry', style: { bold: true } },
                  { type: 'text', text: ' and paid', style: { strike: true } },
                  { type: 'link', url: 'https://ferry.example' },
                ],
              },
              {
                type: 'rich_text_list',
                elements: [
                  { type: 'rich_text_section', elements: [{ type: 'text', text: 'Tickets' }] },
                  { type: 'rich_text_section', elements: [{ type: 'text', text: 'Hotel' }] },
                ],
              },
              { type: 'rich_text_quote', elements: [{ type: 'text', text: 'Please book it' }] },
            ],
          },
        ],
      },
      '"@Robin Sample I have booked the ferry https://ferry.example\\nTickets\\nHotel" [ and paid\n\nPlease book it]',
    ],
    [
      'sections, headers and contexts of an app',
      {
        text: 'A notification',
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Ferry' } },
          { type: 'section', text: { type: 'mrkdwn', text: 'Booked by <@U02> &amp; paid' } },
          { type: 'section', fields: [{ type: 'mrkdwn', text: '*Due* Monday' }] },
          { type: 'divider' },
          { type: 'context', elements: [{ type: 'mrkdwn', text: 'by the office' }] },
          { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Cancel it' } }] },
        ],
      },
      '"Ferry\\nBooked by @Robin Sample & paid\\n*Due* Monday\\nby the office"',
    ],
    [
      'an attachment of its own',
      {
        text: 'New invoice',
        attachments: [{ pretext: 'From the office', title: 'Invoice 12', fields: [{ title: 'Sum', value: '80' }] }],
      },
      '"New invoice\\nFrom the office\\nInvoice 12\\nSum: 80"',
    ],
    [
      'what is behind a link as words of others',
      { text: 'See this', attachments: [{ from_url: 'https://news.example', title: 'It is paid', text: 'All of it' }] },
      '"See this" [It is paid\nAll of it]',
    ],
    [
      'a block of an unknown kind as not read',
      { blocks: [{ type: 'chart', data: [1] }] },
      '"" (not read: in a form that isn\'t read: chart)',
    ],
    ['a picture as not read', { files: [{ mimetype: 'image/png' }] }, '"" (not read: only a picture)'],
  ])('reads %s', async (_, message, read) => {
    const day = [{ type: 'message', user: 'U01', ts: '2056348800.000200', text: '', ...message }];
    const zip = zipOf([
      { name: 'users.json', text: JSON.stringify(USERS) },
      { name: 'channels.json', text: JSON.stringify([{ id: 'C01', name: 'general' }]) },
      { name: 'general/2035-03-01.json', text: JSON.stringify(day) },
    ]);
    const [line] = outline(await readNamed('stream/export.zip', zip));
    expect(line).toBe(`general 2035-03-01, message 1: u01 (slack) 2035-03-01T08:00:00Z ${read}`);
  });

  it('refuses a day that cannot be read, and no other', async () => {
    const items = await readNamed('stream/export.zip', exportOf({ name: 'general/2035-03-02.json', text: '[{' }));
    expect(items.at(-1)).toMatchObject({ place: 'general 2035-03-02', content: { what: 'refused' } });
    expect(items).toHaveLength(10);
  });
});

describe('one day of a channel of Slack, as a file by itself', () => {
  const DAY = JSON.stringify(GENERAL);

  it('is read message by message, and the folder names the channel', async () => {
    const items = await readNamed('stream/slack/general/2035-03-01.json', DAY);
    expect(outline(items)[2]).toBe(
      'message 3: u02 (slack) 2035-03-01T08:01:00Z "The deed is signed" [> could you sign the deed]',
    );
    expect(items).toHaveLength(GENERAL.length);
    expect(eventsIn(items)[0]).toMatchObject({
      ...{ sourceType: 'slack_channel', from: 'u01 (slack)', spoken: { room: '#general', isPersonal: false } },
    });
    expect(keysIn(items)[0]).toBe('slack  general 2056348800.000200');
  });

  it('is of no channel in a folder for all, and personal in that of a direct message', async () => {
    const [one] = eventsIn(await readNamed('stream/slack/2035-03-01.json', DAY));
    expect(one?.spoken).toEqual({ room: null, isPersonal: false });
    const [other] = eventsIn(await readNamed('stream/D0000001/day.json', JSON.stringify(DIRECT)));
    expect(other).toMatchObject({ sourceType: 'slack', spoken: { room: null, isPersonal: true } });
  });

  it('is not taken for one where it is another list', () => {
    const other = JSON.stringify([{ type: 'message', ts: 'yesterday', text: 'no time' }]);
    expect(kindOf('stream/2035-03-01.json', new TextEncoder().encode(other))).toBeNull();
    expect(kindOf('stream/2035-03-01.json', new TextEncoder().encode(DAY))?.name).toBe('slack-day');
  });

  it('that is no list or cut off is refused as a whole', async () => {
    await expect(readNamed('stream/slack/2035-03-01.json', DAY.slice(0, -40))).rejects.toThrow();
  });
});
