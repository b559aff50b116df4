import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfRow, RowScan, shortNumber } from '../../../../src/evidence/formats-json-lines.ts';
import { lawRuns } from '../../../support/laws.ts';

const KEYS = ['a', 'score', 'ü', '', 'x.y', 'toString'];
const ANY = '{"a":1,"score":-0.5e3,"ü":[true,null,{"a":"\\n\\u0041é😀"}],"b\\"":"\\\\"}';

/** Lines of JSON of the kinds that rows have, some written with blanks, some with a letter put in, changed or left out. */
function lines(): fc.Arbitrary<string> {
  const key = fc.oneof(fc.constantFrom(...KEYS, '__proto__', 'b"', 'long'), fc.string({ maxLength: 3 }));
  const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(key, tie('value'))),
  }));
  const row = fc.oneof(fc.dictionary(key, value), fc.dictionary(key, leaf), value);
  const written = fc.tuple(row, fc.constantFrom(undefined, ' ', '\t', '\r')).map(([one, blank]) => {
    const text = JSON.stringify(one, null, blank) ?? '';
    return text.replaceAll('\n', blank === undefined ? '\n' : blank);
  });
  const letter = fc.oneof(fc.constantFrom(...'{}[]",:\\-.0123456789eE+ \t\r\u0001tfnü'), fc.string({ maxLength: 1 }));
  const spoilt = fc
    .tuple(fc.oneof(written, fc.constant(ANY)), fc.nat(), fc.nat({ max: 1 }), letter)
    .map(
      ([text, at, cut, put]) =>
        text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + cut),
    );
  const twice = fc.tuple(fc.constantFrom(...KEYS), leaf, leaf).map(([name, one, other]) => {
    const [first, last] = [JSON.stringify(one), JSON.stringify(other)];
    return `{${JSON.stringify(name)}:${first},${JSON.stringify(name)}:${last}}`;
  });
  const line = fc.oneof(
    written,
    spoilt,
    twice,
    fc.constantFrom('', ' ', '\r', '\u00a0', '{"a":01}', '{"a":-}', '{"a":1.}'),
  );
  return fc.array(line, { maxLength: 6 }).map((all) => all.join('\n').toWellFormed());
}

/** What `JSON.parse` says of each line, with those members of an object that are asked for. */
function plainly(text: string): unknown[] {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  return all.map((line) => {
    try {
      return asked(JSON.parse(line));
    } catch {
      return line.trim() === '' ? 'empty' : 'unread';
    }
  });
}

function asked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value };
  return { members: KEYS.map((key) => (Object.hasOwn(value, key) ? { key, value: Reflect.get(value, key) } : null)) };
}

function scanned(text: string): unknown[] {
  const scan = new RowScan(text, KEYS);
  const found: unknown[] = [];
  while (scan.hasNext) {
    const read = scan.next();
    if (read.value !== undefined) found.push(asked(read.value));
    else found.push('text' in read && read.text.trim() !== '' ? 'unread' : 'empty');
  }
  return found;
}

test('each line is what JSON.parse says of it, in the members that are asked for', () => {
  fc.assert(
    fc.property(lines(), (text) => {
      expect(scanned(text)).toEqual(plainly(text));
    }),
    { numRuns: lawRuns() },
  );
});

test('what ends surely is JSON', () => {
  let sure = 0;
  fc.assert(
    fc.property(lines(), (text) => {
      for (const line of text.split('\n')) {
        const end = endOfRow(Buffer.from(line), 0, () => undefined);
        if (end === null) continue;
        sure += 1;
        expect(() => JSON.parse(line)).not.toThrow();
      }
    }),
    { numRuns: lawRuns() },
  );
  expect(sure).toBeGreaterThan(lawRuns() / 5);
});

test('a short number is the number that JSON.parse makes of it', () => {
  const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?$/);
  fc.assert(
    fc.property(digits, (written) => {
      const number = shortNumber(Buffer.from(written), 0, written.length);
      if (number !== null) expect(Object.is(number, JSON.parse(written))).toBe(true);
      return number !== null || written.replace(/\D/g, '').length > 15;
    }),
    { numRuns: lawRuns() },
  );
});

test('rows that nest deeper than a stack are left to JSON.parse', () => {
  const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  expect(endOfRow(Buffer.from(deep), 0, () => undefined)).toBeNull();
  expect(new RowScan(deep, ['a']).next().value).toHaveProperty('a');
});

test('a member called __proto__ is a member like another', () => {
  const value = new RowScan('{"__proto__":{"a":1}}', ['__proto__']).next().value;
  expect(Object.keys(Object(value))).toEqual(['__proto__']);
});
