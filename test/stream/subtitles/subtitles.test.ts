import { describe, expect, it } from 'vitest';
import { kindOf, outline, readFixture, readNamed } from '../chats/read.ts';
import { eventsIn, keysIn } from '../items/read-all.ts';

describe('subtitles', () => {
  it('give a turn of each voice (vtt)', async () => {
    const items = await readFixture('subtitles/fixtures/2035-03-02 House meeting.vtt');
    expect(outline(items)).toEqual([
      'line 9: anna weber 2035-03-02T11:00:01Z "Good morning, could you send the\\npapers until Friday?"',
      'line 17: robin 2035-03-02T11:00:05Z "Yes.\\nI have & will send them today."',
      'line 23: refused, Its times cannot be read.',
      'line 26: - 2035-03-02T12:00:00Z "Nobody is named here anymore"',
    ]);
    expect(eventsIn(items)[0]).toMatchObject({ sourceType: 'transcript', spoken: { room: 'House meeting' } });
  });

  it('give a turn of each who is named in the text (srt), by the clock of Zoom', async () => {
    expect(outline(await readFixture('subtitles/fixtures/GMT20350302-080000_Recording.srt'))).toEqual([
      'line 1: anna weber 2035-03-02T08:00:01Z "The deed of sale was signed.\\nIt was paid as well."',
      'line 9: robin 2035-03-02T08:00:05Z "Thank you, that is great."',
    ]);
  });

  it('say once what rolls up and is shown again', async () => {
    const text =
      'WEBVTT\n\n00:01.000 --> 00:02.000\nthe deposit\n\n00:02.000 --> 00:03.000\nthe deposit\nwas paid\n\n00:03.000 --> 00:04.000\nwas paid\nyesterday\n';
    expect(outline(await readNamed('stream/a.vtt', text))).toEqual([
      'line 3: - - "the deposit\\nwas paid\\nyesterday"',
    ]);
  });

  it.each([
    ['[Anna Weber] I have paid it', 'anna weber'],
    ['(Anna Weber)\nI have paid it', 'anna weber'],
    ['<v.loud Anna Weber>I have paid it', 'anna weber'],
    ['[Music] I have paid it', null],
    ['Note: I have paid it', null],
    ['we met at 10: I have paid it', null],
  ])('%j is said by %s', async (text, author) => {
    const [event] = eventsIn(await readNamed('stream/a.srt', `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`));
    expect(event?.from).toBe(author);
  });

  it('do not take the words of one for those of another whose name is written small', async () => {
    const cue = (second: number, text: string) => `00:0${second}.000 --> 00:0${second + 1}.000\n${text}\n\n`;
    const cues = [
      'Anna: I have paid it',
      'krithika S: thank you for that',
      'Anna: you are welcome',
      'krithika S: see you there',
    ];
    const events = eventsIn(
      await readNamed('stream/a.vtt', `WEBVTT\n\n${cues.map((text, nth) => cue(nth, text)).join('')}`),
    );
    expect(events.map(({ from }) => from)).toEqual(['anna', 'krithika s', 'anna', 'krithika s']);
    const once = eventsIn(
      await readNamed('stream/a.vtt', `WEBVTT\n\n${cue(0, 'Anna: I have paid it')}${cue(1, 'kim: and so have I')}`),
    );
    expect(once.map(({ from }) => from)).toEqual(['anna', null]);
  });

  it('know a turn that has grown again', async () => {
    const cue = (from: number, text: string) => `00:0${from}.000 --> 00:0${from + 1}.000\n<v Anna>${text}</v>\n\n`;
    const shorter = await readNamed(
      'stream/a.vtt',
      `WEBVTT\n\n${cue(1, 'I have paid the deposit of the house yesterday')}`,
    );
    const longer = await readNamed(
      'stream/a.vtt',
      `WEBVTT\n\n${cue(1, 'I have paid the deposit of the house yesterday')}${cue(2, 'and the rest today')}`,
    );
    expect(keysIn(longer)).toEqual(keysIn(shorter));
    const versions = [shorter, longer].map(([item]) =>
      item?.content.what === 'event' ? item.content.identity.version : '',
    );
    expect((versions[0] ?? '') < (versions[1] ?? '')).toBe(true);
  });

  it('are not what neither begins with WEBVTT nor has times', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(kindOf('stream/a.vtt', bytes('WEBVTTX\nhello'))).toBeNull();
    expect(kindOf('stream/a.srt', bytes('hello\nthere'))).toBeNull();
    expect(kindOf('stream/a.srt', bytes('\u0001'))).toBeNull();
  });

  it('are refused where they are no text', async () => {
    const text = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nhello\n', 'utf16le').toString('utf16le');
    const wide = Buffer.from([0xff, 0xfe, 0, 0, ...[...text].flatMap((one) => [one.charCodeAt(0), 0, 0, 0])]);
    await expect(readNamed('stream/a.srt', new Uint8Array(wide))).rejects.toThrow(/not text in UTF-8 or UTF-16/);
  });
});
