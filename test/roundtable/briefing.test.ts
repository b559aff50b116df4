import { describe, expect, test } from 'vitest';
import { readBriefing } from '../../src/roundtable/notes.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { readNote } from '../../src/vault/frontmatter.ts';

const FILE = 'roundtable/tiles/briefing.md';

function briefing(text: string) {
  const read = readNote(FILE, Buffer.from(text));
  if (!read.ok) throw new Error(read.trouble.message);
  return readBriefing(FILE, read.note);
}

function troubleOf(text: string) {
  try {
    briefing(text);
  } catch (error) {
    if (error instanceof StewardError) return error.trouble;
  }
  throw new Error('the briefing was taken');
}

const agents = (...names: string[]) =>
  `---\nquestion: Which?\nagents:\n${names.map((one) => `  - name: ${one}\n`).join('')}---\n`;

test('a briefing as a person writes it', () => {
  const read = briefing(
    `---\nquestion: Which tiles?\nagents:\n  - name: marcus\n    role: looks at cost\n    model: claude-haiku-4-5\n  - name: Żofia\nmax_rounds: 2\nformat: brief\n---\n\n# Background\n\nText.\n`,
  );
  expect(read).toMatchObject({
    id: 'tiles',
    folder: 'roundtable/tiles',
    question: 'Which tiles?',
    agents: [
      { name: 'marcus', role: 'looks at cost', model: 'claude-haiku-4-5' },
      { name: 'Żofia', role: '', model: null },
    ],
    maxRounds: 2,
    format: 'brief',
    body: '# Background\n\nText.',
  });
});

test('agents may be lines of text, as a property editor shows them', () => {
  const read = briefing(
    '---\nquestion: Which?\nagents:\n  - marcus | looks at cost | claude-haiku-4-5\n  - ada\n---\n',
  );
  expect(read.agents).toEqual([
    { name: 'marcus', role: 'looks at cost', model: 'claude-haiku-4-5' },
    { name: 'ada', role: '', model: null },
  ]);
  expect(read.maxRounds).toBe(3);
});

describe('what is refused, with the field’s place', () => {
  test.each([
    ['no question', '---\nagents: [a, b]\n---\n', /^question must be/],
    ['no agents', '---\nquestion: Which?\n---\n', /^agents must be/],
    ['an empty list', '---\nquestion: Which?\nagents: []\n---\n', /at least two agents/],
    ['one agent', agents('ada'), /at least two agents/],
    ['too many', agents(...Array.from({ length: 13 }, (_, at) => `a${at}`)), /12 agents at most/],
    ['one name twice', agents('ada', 'ben', 'ada'), /ada twice/],
    ['names that differ in case', agents('ada', 'Ada'), /twice/],
    ['a path', agents('ada', '../ben'), /letters, digits/],
    ['a path, absolute', agents('ada', '/etc/passwd'), /letters, digits/],
    ['a hidden name', agents('ada', '.ben'), /letters, digits/],
    ['a name with an ending', agents('ada', 'ben.md'), /letters, digits/],
    ['an empty name', '---\nquestion: Which?\nagents: [ada, " | role"]\n---\n', /letters, digits/],
    ['the judge’s name', agents('ada', 'Judge'), /another agent has/],
    ['a name that is a list', '---\nquestion: Which?\nagents:\n  - name: [x]\n  - ada\n---\n', /list of agents/],
    ['no number of rounds', '---\nquestion: Which?\nagents: [a, b]\nmax_rounds: many\n---\n', /from 1 to 10/],
    ['too many rounds', '---\nquestion: Which?\nagents: [a, b]\nmax_rounds: 11\n---\n', /from 1 to 10/],
  ])('%s', (_, text, message) => {
    const trouble = troubleOf(text);
    expect(trouble).toMatchObject({ code: 'briefing-invalid', file: FILE });
    expect(trouble.message).toMatch(message);
  });

  test('the line of the field', () => {
    expect(troubleOf(agents('ada', '../ben')).line).toBe(3);
  });
});
