import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRequests } from '../../src/evidence/request.ts';
import { ownTime } from '../support/own-time.ts';

test('requests are found in their order, over several lines, with brackets of their own', () => {
  const message = [
    'I claim that the floor is strict. [[request: value of a.b[0].c in tuning.dart]]',
    'And then [[Request:',
    '  count rows where x == 1',
    '  in results.json ]] or [[request: show [[Risks]] in notes.md]].',
  ].join('\n');
  expect(parseRequests(message)).toEqual([
    'value of a.b[0].c in tuning.dart',
    'count rows where x == 1 in results.json',
    'show [[Risks]] in notes.md',
  ]);
});

test('what stands in code is shown, not asked', () => {
  const message = [
    'Write `[[request: a]]` or ``x ` [[request: b]]``.',
    '```',
    '[[request: c]]',
    '~~~',
    '```',
    '~~~md',
    '```',
    '[[request: d]]',
    '~~~~',
    '[[request: e]]',
    'A ` that is never closed, [[request: f]]',
    '',
    'and another. [[request: show `g` in a.ts]]',
    '```',
    '[[request: in a block that is never closed]]',
  ].join('\n');
  expect(parseRequests(message)).toEqual(['e', 'f', 'show `g` in a.ts']);
});

test.each([
  ['', []],
  ['[[request: never closed', []],
  ['[[request:   ]]', []],
  ['[request: one bracket]', []],
  ['[[requests: another word]]', []],
  ['[[request: a ] b]]', ['a ] b']],
  ['[[request: a [ b]] and more', ['a [ b']],
  ['[[request: one]][[request: two]]', ['one', 'two']],
])('%j', (message, requests) => {
  expect(parseRequests(message)).toEqual(requests);
});

test('a request stands as it was asked, whatever plain text is around it', () => {
  const plain = fc.stringMatching(/^[a-z .,]{0,40}$/);
  const asked = fc.stringMatching(/^[a-z]([a-z .'=<>0-9]{0,30}[a-z])?$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, asked)), plain, (parts, end) => {
      const message = parts.map(([before, request]) => `${before}[[request: ${request}]]`).join('') + end;
      expect(parseRequests(message)).toEqual(parts.map(([, request]) => request.replace(/\s+/g, ' ')));
    }),
  );
});

test.each(['[[request: ', '[[request: [', '`', '``` ', '\n```\n', '[[request: a]]', '\n\n`', '~~~\n', ' ', '\n'])(
  'a message of a megabyte of %j is read at once',
  (pump) => {
    const message = pump.repeat(1_000_000 / pump.length);
    const began = ownTime();
    parseRequests(message);
    expect(ownTime() - began).toBeLessThan(5_000);
  },
);
