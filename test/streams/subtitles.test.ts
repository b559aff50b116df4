import { describe, expect, it } from 'vitest';
import { keysIn } from './read-all.ts';
import { kindOf, readNamed } from './read-chats.ts';

describe('subtitles', () => {
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
