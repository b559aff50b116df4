import { expect, test } from 'vitest';
import { sanitize } from '../../src/roundtable/notes.ts';

test('headings, lists and quotes stay; bold too', () => {
  const text = '# Title\n\nP01 It **holds**.\n\n- one\n  - two\n1. three\n> said';
  expect(sanitize(text)).toBe(text);
});

test.each([
  ['an embed', '![[secret]]', /!\[\[/],
  ['a picture elsewhere', '![x](https://evil.example/?q=1)', /(?<!\\)\]\(|https:\/\//],
  ['code that a plugin runs', '```dataviewjs\ndv.paragraph(1)\n```', /```/],
  ['a query in a line', 'so `= this.file` it is', /(?<!\\)`/],
  ['HTML', '<img src=x onerror=alert(1)>', /(?<!\\)</],
  ['a template', '<% tp.system %>', /<%|%>/],
  ['a comment', '%% hidden %%', /%%/],
  ['an inline field', 'state:: done', /::/],
  ['a frontmatter', '---\nsteward: false\n---', /^---/],
])('%s is only text', (_, text, mark) => {
  expect(sanitize(text)).not.toMatch(mark);
});
