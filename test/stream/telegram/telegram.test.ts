import { describe, expect, it } from 'vitest';
import { outline, readFixture, readNamed } from '../chats/read.ts';
import { eventsIn } from '../items/read-all.ts';

describe('an export of Telegram', () => {
  it('is read message by message, chat by chat', async () => {
    const items = await readFixture('telegram/fixtures/result.json');
    expect(outline(items)).toEqual([
      'message 1: nothing, a line of Telegram itself',
      'message 2: user700200 (telegram) 2035-03-01T08:00:00Z "The deed is signed" [ and paid]',
      'message 3: - 2035-03-01T08:01:00Z "I have paid the deposit"',
      'message 4: user700200 (telegram) 2035-03-01T08:02:00Z "Thank you"',
      'message 5: user700200 (telegram) 2035-03-01T08:03:00Z "" [Your payment was received]',
      'message 6: nothing, no words',
      'message 7: refused, It is no message of Telegram.',
      'message 8: user31 (telegram) 2035-03-02T08:00:00Z "Please bring the ladder"',
      'message 9: channel99 (telegram) 2035-03-02T08:01:00Z "Sale!" (machine)',
    ]);
    const events = eventsIn(items);
    expect(events[0]).toMatchObject({ fromName: 'Anna Weber', spoken: { room: null, isPersonal: true } });
    expect(events.at(-1)?.spoken).toEqual({ room: 'Garden club', isPersonal: false });
  });

  it('tells messages of one number in two chats apart, and knows an edited one again', async () => {
    const items = await readFixture('telegram/fixtures/result.json');
    const identities = items.flatMap(({ content }) => (content.what === 'event' ? [content.identity] : []));
    expect(identities[0]).toEqual({ key: 'telegram 700200 2', version: '', otherwise: 'newer' });
    expect(identities[2]).toEqual({ key: 'telegram 700200 4', version: '2056349400', otherwise: 'newer' });
    expect(identities[4]?.key).toBe('telegram 900300 2');
  });

  it("knows the vault's owner in an export of one chat with one other", async () => {
    const chat = (from: string) => ({
      ...{ name: 'Anna', type: 'personal_chat', id: 7 },
      messages: [{ id: 1, type: 'message', date: '2035-03-01T09:00:00', from, from_id: from, text: 'I have paid it' }],
    });
    const authors = async (from: string) =>
      eventsIn(await readNamed('stream/result.json', JSON.stringify(chat(from)))).map((event) => event.from);
    expect(await authors('user7')).toEqual(['user7 (telegram)']);
    expect(await authors('user8')).toEqual([null]);
  });

  it('gives what it holds up to where it was cut off', async () => {
    const text =
      '{"name":"Anna","type":"personal_chat","id":7,"messages":[{"id":1,"type":"message","date_unixtime":"2056348800","from_id":"user7","from":"Anna","text":"hello there"},{"id":2,';
    await expect(readNamed('stream/result.json', text)).rejects.toThrow(/ends in the middle at byte/);
  });
});
