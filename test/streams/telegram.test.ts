import { describe, expect, it } from 'vitest';
import { readNamed } from './read-chats.ts';

describe('an export of Telegram', () => {
  it('gives what it holds up to where it was cut off', async () => {
    const text =
      '{"name":"Anna","type":"personal_chat","id":7,"messages":[{"id":1,"type":"message","date_unixtime":"2056348800","from_id":"user7","from":"Anna","text":"hello there"},{"id":2,';
    await expect(readNamed('stream/result.json', text)).rejects.toThrow(/ends in the middle at byte/);
  });
});
