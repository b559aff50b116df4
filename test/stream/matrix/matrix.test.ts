import { describe, expect, it } from 'vitest';
import { outline, readFixture } from '../chats/read.ts';
import { eventsIn } from '../items/read-all.ts';

describe('an export of a Matrix room', () => {
  it('is read message by message', async () => {
    const items = await readFixture('matrix/fixtures/room.json');
    expect(outline(items)).toEqual([
      'message 1: nothing, no words',
      'message 2: anna (matrix.example) 2035-03-01T08:00:00Z "Could you sign the deed?"',
      'message 3: robin (matrix.example) 2035-03-01T08:01:00Z "The deed is signed" [> <@anna:matrix.example> Could you sign the deed?]',
      'message 4: anna (matrix.example) 2035-03-01T08:02:00Z "Could you sign the deed today?"',
      'message 5: bot (matrix.example) 2035-03-01T08:03:00Z "The build is done" (machine)',
      'message 6: nothing, encrypted',
      'message 7: nothing, no words',
    ]);
    expect(eventsIn(items)[0]).toMatchObject({ spoken: { room: 'House purchase' }, fromName: '@anna:matrix.example' });
  });

  it('takes an edit for the newer version of the message that it edits', async () => {
    const items = await readFixture('matrix/fixtures/room.json');
    const [first, , edit] = items.flatMap(({ content }) => (content.what === 'event' ? [content.identity] : []));
    expect(edit?.key).toBe(first?.key);
    expect(first?.version).toBe('');
    expect(edit).toMatchObject({ version: '2056348920000', otherwise: 'newer' });
  });
});
