import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { outline, readFixture, readNamed } from '../chats/read.ts';
import { eventsIn } from '../items/read-all.ts';

describe('an export of Signal', () => {
  it('is read as sigexport writes it, its folder being the chat', async () => {
    const bytes = new Uint8Array(readFileSync(new URL('fixtures/sigexport.jsonl', import.meta.url)));
    const items = await readNamed('stream/signal/House/data.json', bytes);
    expect(outline(items)).toEqual([
      'line 1: anna weber 2035-03-01T08:00:00Z "Could you send the papers?"',
      'line 2: - 2035-03-01T08:01:00Z "Done, sent the papers" [> Could you send the papers?\n\n]',
      'line 3: nothing, no words',
      'line 4: refused, It is no message of Signal.',
    ]);
    expect(eventsIn(items)[0]?.spoken).toEqual({ room: 'House', isPersonal: false });
  });

  it('is read as sigtop writes it', async () => {
    expect(outline(await readFixture('signal-chat/fixtures/sigtop.json'))).toEqual([
      'message 1: +491701234567 2035-03-01T08:00:00Z "The deposit is paid"',
      'message 2: - 2035-03-01T08:01:00Z "Thank you" [The deposit is paid]',
      'message 3: 5f3a-77 (signal) 2035-03-01T08:02:00Z "Sorry: half of it"',
      'message 4: nothing, no words',
    ]);
  });

  it('is read as signal-cli received it, an edit being the newer version', async () => {
    const items = await readFixture('signal-chat/fixtures/received.jsonl');
    expect(outline(items)).toEqual([
      'line 1: +491701234567 2035-03-01T08:00:00Z "Please bring the keys"',
      'line 2: - 2035-03-01T08:01:00Z "I have the keys"',
      'line 3: +491701234567 2035-03-01T08:02:00Z "Please bring both keys"',
      'line 4: nothing, no words',
    ]);
    const [first, , edit] = items.flatMap(({ content }) => (content.what === 'event' ? [content.identity] : []));
    expect(edit?.key).toBe(first?.key);
    expect([first?.version, edit?.version]).toEqual(['', '2056348920000']);
    expect(eventsIn(items)[0]).toMatchObject({ fromName: 'Anna', spoken: { room: 'House', isPersonal: false } });
  });
});
