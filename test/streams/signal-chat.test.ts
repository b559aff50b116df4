import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventsIn } from './read-all.ts';
import { outline, readNamed } from './read-chats.ts';

describe('an export of Signal', () => {
  it('is read as sigexport writes it, its folder being the chat', async () => {
    const bytes = new Uint8Array(readFileSync(new URL('signal-chat/sigexport.jsonl', import.meta.url)));
    const items = await readNamed('stream/signal/House/data.json', bytes);
    expect(outline(items)).toEqual([
      'line 1: anna weber 2035-03-01T08:00:00Z "Could you send the papers?"',
      'line 2: - 2035-03-01T08:01:00Z "Done, sent the papers" [> Could you send the papers?\n\n]',
      'line 3: anna weber 2035-03-01T08:02:00Z "" (not read: only a picture or another file)',
      "line 4: refused, It isn't a Signal message.",
    ]);
    expect(eventsIn(items)[0]?.spoken).toEqual({ room: 'House', isPersonal: false });
  });
});
