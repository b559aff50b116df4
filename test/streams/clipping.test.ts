import { describe, expect, it } from 'vitest';
import { keysIn } from './read-all.ts';
import { readNamed } from './read-chats.ts';

describe('a clipping', () => {
  it('is another one where its words are others', async () => {
    const keys = async (text: string) =>
      keysIn(await readNamed('stream/a.md', `---\nsource: https://a.example/x\n---\n${text}`));
    expect(await keys('one thing')).toEqual(await keys('one  thing\n'));
    expect(await keys('one thing')).not.toEqual(await keys('another thing'));
  });
});
