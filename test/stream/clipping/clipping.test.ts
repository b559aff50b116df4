import { describe, expect, it } from 'vitest';
import { outline, readFixture, readNamed } from '../chats/read.ts';
import { eventsIn, keysIn } from '../items/read-all.ts';

describe('a clipping', () => {
  it('is one event, with its page, its author, and the words that its author wrote', async () => {
    const items = await readFixture('clipping/fixtures/tax.md');
    expect(outline(items)).toEqual([
      'the note: kim writer 2035-03-01T11:00:00Z "# Another heading\\n\\nThe return for 2034 is due on 31 May 2035." [> Somebody said: the deposit was paid.]',
    ]);
    const [event] = eventsIn(items);
    expect(event).toMatchObject({
      ...{ subject: 'How to file the tax return', sourceType: 'other', page: { url: 'https://tax.example/return' } },
      ...{ fromName: 'Kim Writer', authentication: { result: 'none' }, doubts: [] },
    });
    expect(keysIn(items)[0]).toMatch(/^page https:\/\/tax\.example\/return [0-9a-f]{16}$/);
  });

  it('needs no frontmatter', async () => {
    const [event] = eventsIn(await readFixture('clipping/fixtures/plain.md'));
    expect(event).toMatchObject({ subject: 'Notes from the call', from: null, page: { url: null } });
  });

  it('names its site where it names no author', async () => {
    const [event] = eventsIn(await readNamed('stream/a.md', '---\nurl: https://tax.example/a\n---\nSome words here\n'));
    expect(event).toMatchObject({ from: 'tax.example', subject: 'a' });
  });

  it('is another one where its words are others', async () => {
    const keys = async (text: string) =>
      keysIn(await readNamed('stream/a.md', `---\nsource: https://a.example/x\n---\n${text}`));
    expect(await keys('one thing')).toEqual(await keys('one  thing\n'));
    expect(await keys('one thing')).not.toEqual(await keys('another thing'));
  });

  it('that is a copy of a note of the vault says nothing new', async () => {
    const [event] = eventsIn(await readNamed('stream/a.md', '---\ntype: signal-action\n---\nThe deposit was paid\n'));
    expect(event?.ownNote).toBe(true);
  });

  it('with frontmatter that is no YAML is refused', async () => {
    const [item] = await readNamed('stream/a.md', '---js\nprocess.exit(1)\n---\nSome words\n');
    expect(item?.content).toMatchObject({ what: 'refused' });
  });
});
