import { expect, test } from 'vitest';
import { sourcesOf } from '../../../src/vault/notes-core.ts';

function sources(...lines: string[]): string[] {
  return sourcesOf('event/x.md', `---\n${lines.join('\n')}\n---\n`, (name) => [
    `signal/2026-11/${name}.md`,
    `signal/${name}.md`,
  ]);
}

test('an event is about its target and its signals', () => {
  expect(sources('target_path: task/pay.md', 'signals: ["[[paid]]", "[[late]]"]')).toEqual([
    'task/pay.md',
    'signal/2026-11/paid.md',
    'signal/paid.md',
    'signal/2026-11/late.md',
    'signal/late.md',
  ]);
});

test('a signal is about its target and its stream file', () => {
  expect(sources('target_path: null', 'source_event_path: stream/a.eml')).toEqual(['stream/a.eml']);
});

test('a signal of an event in a file is about that file, also where a file has such a name itself', () => {
  const odd = 'stream/box#0123456789ab';
  expect(sources(`source_event_path: ${odd}`)).toEqual([odd, 'stream/box']);
});

test('a choice is about all its candidates', () => {
  expect(sources('target_candidates: ["task/a.md", "[[task/b]]"]')).toEqual(['task/a.md', 'task/b.md']);
});

test('what leads out of the vault, or is no text, is nothing', () => {
  expect(sources('target_path: ../../etc/passwd', 'source_event_path: 7', 'signals: {a: b}')).toEqual([]);
  expect(sourcesOf('event/x.md', 'no frontmatter', () => [])).toEqual([]);
});
