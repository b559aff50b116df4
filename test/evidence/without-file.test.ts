import { describe, expect, test } from 'vitest';
import { runLookup } from '../../src/evidence/query.ts';
import { Allowance, Researcher } from '../../src/evidence/researcher.ts';
import { TempVault } from '../support/temp-vault.ts';
import { briefing, registeredIn } from './registered-files.ts';

const LIMITS = { timeout_seconds: 120, max_response_tokens: 2000, haiku_model: 'a', sonnet_model: 'b' };
const GATE = [
  'bool relevanceGate(double score) {',
  '  if (score < floor) {',
  '    return false;',
  '  }',
  '  return true;',
  '}',
];
const MERGER = ['import "x.dart";', '', ...GATE, '', 'bool otherGate() => relevanceGate(0.5);', ''].join('\n');
/** The preprocessor decides where it ends. */
const CUT = 'int relevanceGate(int x) {\n#if A\n  if (x) {\n#else\n  if (!x) {\n#endif\n  }\n  return 1;\n}\n';
const FILES = {
  'lib/merger.dart': MERGER,
  'lib/tuning.dart': 'class Tuning {\n  static const vectorFloorStrict = 0.62;\n}\n',
  'results.json': '{"relevanceGate": "on", "load": 3}\n',
  'README.md': '# Guide\n\n## Setup\n\nCall relevanceGate first.\n\n## Usage\n\nuse it\n',
};

function found(request: string, files: Record<string, string> = FILES) {
  const vault = new TempVault({ ...files, 'roundtable/r/briefing.md': briefing(['**/*']) });
  return runLookup({ how: 'look', request, files: registeredIn(vault).files });
}

async function answered(request: string, files: Record<string, string> = FILES, items: readonly string[] = ['**/*']) {
  const vault = new TempVault({ ...files, 'roundtable/r/briefing.md': briefing(items) });
  const researcher = new Researcher({ registered: registeredIn(vault), agent: null, limits: LIMITS, now: () => 0 });
  return researcher.answer(request, { agent: 'marcus', allowance: new Allowance(1) }, new AbortController().signal);
}

describe('a request that names no file', () => {
  test('is answered from the one file that defines the part, complete and with nothing else', async () => {
    const answer = await answered('Show me the relevanceGate function');
    expect(answer.text).toBe(
      [
        '[Research result for marcus | deterministic | 0.0s]:',
        'lib/merger.dart:3-8 — function relevanceGate',
        '```',
        ...GATE,
        '```',
      ].join('\n'),
    );
    expect(answer).toMatchObject({ ok: true, citations: [{ path: 'lib/merger.dart', first: 3, last: 8 }] });
  });

  test.each([
    ['can you show me the relevanceGate function, please?', 'lib/merger.dart', 3],
    ['show relevanceGate', 'lib/merger.dart', 3],
    ['the definition of relevanceGate', 'lib/merger.dart', 3],
    ['show the class Tuning', 'lib/tuning.dart', 1],
    ['what is the value of vectorFloorStrict?', 'lib/tuning.dart', 2],
    ['show the Setup section', 'README.md', 3],
  ])('%s', (request, path, first) => {
    expect(found(request)).toMatchObject({ found: true, statements: [], extracts: [{ path, first }] });
  });

  test.each([
    ['two files define it', 'show me the relevanceGate function', { ...FILES, 'lib/old.dart': MERGER }],
    ['no file defines it', 'show me the dualGate function', FILES],
    ['the word may be a question', 'show errors', FILES],
    ['the words may be a question', 'show me what changed', FILES],
    ['it is only mentioned', 'show me the load function', FILES],
    ['rows are asked for', 'count rows where gate is open', FILES],
    ['lines are asked for', 'show lines 1-3', FILES],
    ['one of the files cannot be taken apart', 'show me the relevanceGate function', { 'a.dart': MERGER, 'b.c': CUT }],
  ])('is left to somebody who understands it where %s', (_, request, files) => {
    expect(found(request, files)).toBeNull();
  });
});

describe('a request that names a function', () => {
  test.each([
    "I'd like to see relevanceGate.",
    'I need the body of the relevanceGate function, verbatim',
    'paste relevanceGate here',
    'relevanceGate, please',
    'relevanceGate()',
    'Marcus wants the full source of `relevanceGate`',
    'let me read relevanceGate in full',
    "Could you get me relevanceGate's code?",
    'Evidence: function relevanceGate',
    'The exact text of the function called relevanceGate',
    'Zeig mir die Funktion relevanceGate',
    'Montre-moi la fonction relevanceGate',
    'for the record: relevanceGate and nothing else',
  ])('gets its definition, however it is put: %s', (request) => {
    expect(found(request)).toMatchObject({
      ...{ found: true, statements: [] },
      extracts: [{ path: 'lib/merger.dart', first: 3, last: 8, lines: GATE }],
    });
  });

  test.each([
    'which functions call relevanceGate',
    'who wrote relevanceGate',
    'how often is relevanceGate used',
    'why does relevanceGate return false',
    'the tests for relevanceGate',
    'compare relevanceGate with the old one',
    'show me relevanceGate and otherGate',
    'a function that loads scores',
  ])('is left to somebody who understands it if it asks for something else: %s', (request) => {
    expect(found(request)).toBeNull();
  });

  test('gets the code rather than a heading or a value of that name', () => {
    const files = { ...FILES, 'notes.md': '# relevanceGate\n\nIt filters.\n' };
    expect(found('paste relevanceGate here', files)).toMatchObject({ extracts: [{ path: 'lib/merger.dart' }] });
    const value = { 'tuning.dart': 'const vectorFloor = 0.62;\n' };
    expect(found('paste vectorFloor here', value)).toBeNull();
  });
});

describe('files that are left out', () => {
  const KEY = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----'].join(' ');
  const SECRETS = {
    '.env': 'TOKEN=relevanceGate\n',
    'lib/.env.local': 'TOKEN=relevanceGate\n',
    '.ssh/config': 'relevanceGate\n',
    'certs/server.pem': 'relevanceGate\n',
    'token.json': '{"relevanceGate": 1}\n',
    'notes/setup.md': `Deploy with ghp_${'0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT'}uVwXyZ1 and relevanceGate.\n`,
    'notes/key.txt': `${KEY}\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU relevanceGate\n`,
  };
  const NAMED = ['**/*', '.env', 'lib/.env.local', '.ssh/config', 'certs/*.pem', 'token.json', 'notes/key.txt'];

  test('are never read, whatever the briefing lists, and the answer names them', async () => {
    const answer = await answered('everything about relevanceGate', { ...FILES, ...SECRETS }, NAMED);
    expect(answer.text).toContain(
      'Left out, because they may contain keys or passwords: notes/key.txt, notes/setup.md.',
    );
    const [, left = ''] = /contain keys or passwords: (.*\.env.*)\./.exec(answer.text) ?? [];
    expect(left.split(', ').sort()).toEqual([
      '.env',
      '.ssh/config',
      'certs/server.pem',
      'lib/.env.local',
      'token.json',
    ]);
    expect(answer.text).not.toContain('TOKEN');
    expect(answer.checked.filter((path) => path in SECRETS)).toEqual([]);
  });

  test('are named too where a pattern would match them and they are hidden', async () => {
    const answer = await answered('show me the relevanceGate function', { ...FILES, ...SECRETS }, ['lib/**', '*']);
    expect(answer).toMatchObject({ ok: true, by: 'deterministic' });
    expect(answer.text).toContain(
      'Left out, because they may contain keys or passwords: lib/.env.local, token.json, .env.\nlib/merger.dart',
    );
  });

  test('are named if only their content shows it, and the answer is in another file', async () => {
    const answer = await answered('show me the relevanceGate function', { ...FILES, ...SECRETS }, ['lib/*', 'notes/*']);
    expect(answer.text).toContain(
      'Left out, because they may contain keys or passwords: notes/key.txt, notes/setup.md.',
    );
    expect(answer.citations).toMatchObject([{ path: 'lib/merger.dart', first: 3, last: 8 }]);
  });

  test('and nothing is said where there are none', async () => {
    expect((await answered('show me the relevanceGate function')).text).not.toContain('Left out');
  });
});
