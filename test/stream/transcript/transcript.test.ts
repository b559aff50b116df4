import { describe, expect, it } from 'vitest';
import { kindOf, outline, readFixture, readNamed } from '../chats/read.ts';

describe('a transcript of a meeting', () => {
  it('gives a turn of each speaker', async () => {
    expect(outline(await readFixture('transcript/fixtures/2035-03-02 Planning.txt'))).toEqual([
      'line 4: anna weber 2035-03-02T11:00:05Z "Good morning. Could you send the papers until Friday?"',
      'line 5: nothing, too few words',
      'line 6: anna weber 2035-03-02T11:00:14Z "The deposit was paid yesterday,\\nso that is done."',
      'line 8: robin 2035-03-02T11:01:02Z "I have signed the deed: all of it."',
    ]);
  });

  it('is read as Otter, Teams and the chat of Zoom write it', async () => {
    expect(outline(await readFixture('transcript/fixtures/otter.txt'))).toEqual([
      'line 1: anna weber - "Good morning everybody, thank you for coming."',
      'line 4: robin sample - "The deposit was paid on Monday.\\nThe deed follows."',
      'line 8: anna weber - "I have signed the deed."',
    ]);
    expect(outline(await readFixture('transcript/fixtures/teams.txt'))).toEqual([
      'line 2: anna weber - "Good morning everybody."',
      'line 5: robin - "The deposit was paid on Monday."',
      'line 8: anna weber - "The deed was signed today."',
    ]);
    expect(outline(await readFixture('transcript/fixtures/2035-03-02 zoom chat.txt'))).toEqual([
      'line 1: anna weber 2035-03-02T08:15:32Z "Could you send the papers?"',
      'line 3: robin 2035-03-02T08:16:00Z "done, sent the papers"',
      'line 4: anna weber 2035-03-02T08:17:00Z "thank you very much"',
    ]);
  });

  it.each([
    ['Anna: I have paid it\nRobin: thank you for that\nAnna: you are welcome\nRobin: see you there\n', 'anna'],
    [
      '**Anna:** I have paid it\n**Robin:** thank you for that\n**Anna:** you are welcome\n**Robin:** see you\n',
      'anna',
    ],
    [
      '[Anna Weber] 08:15:32\nI have paid it\n\n[Robin] 08:15:40\nThank you for that\n\n[Anna Weber] 08:16:00\nyes\n',
      'anna weber',
    ],
    [
      'Anna Weber (00:01)\nI have paid it\n\nRobin (00:09)\nThank you for that\n\nAnna Weber (00:20)\nyes\n',
      'anna weber',
    ],
    ['0:03 Anna Weber\nI have paid it\n0:09 Robin Sample\nThank you for that\n0:20 Anna Weber\nyes\n', 'anna weber'],
  ])('%j begins with %s', async (text, author) => {
    const [first] = outline(await readNamed('stream/talk.txt', text));
    expect(first).toBe(`line 1: ${author} - "I have paid it"`);
  });

  it.each([
    'Shopping list\n\nMilk: two litres\nBread: one\nButter: none\nEggs: six\n',
    'Name: Anna\nDate: tomorrow\nPlace: here\nName: again\n',
    'A letter.\n\nDear Robin,\nthe deposit was paid.\n',
    '10:15 and then\nnothing\n',
  ])('%j is none', (text) => {
    expect(kindOf('stream/note.txt', new TextEncoder().encode(text))).toBeNull();
  });
});
