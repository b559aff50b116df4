import { expect, test } from 'vitest';
import { describeError } from '../../../src/daemon/faults.ts';

const SECRET = 'plainly-made-up';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test.each([
  ['a parser that quotes what it read', false, thrownBy(() => JSON.parse(`{"note": ${SECRET}`))],
  ['an argument that Node refuses', false, thrownBy(() => new Headers([[`${SECRET} `, '']]).get(`${SECRET}\n`))],
  ['an error of a component that works with passwords', true, new Error(`refused ${SECRET}`)],
  ['something that is no error', false, `refused ${SECRET}`],
])('keeps no text of notes and passwords: %s', (_, isSecret, error) => {
  if (error instanceof TypeError) Object.assign(error, { code: 'ERR_INVALID_ARG_VALUE' });
  expect(JSON.stringify(describeError(error, isSecret))).not.toContain(SECRET);
});

test('keeps what the engine says of the program, and where, but no more than it needs', () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'stdin')");
  expect(describeError(error, true)).toMatchObject({ name: 'TypeError', message: error.message });
  expect(describeError(error, true).stack).toMatch(/^at .*describe-error\.test\.ts/);
  const deep = Object.assign(new Error(`${'x'.repeat(900)}\nsecond`), {
    stack: `Error\n${'    at look (a.ts:1:2)\n'.repeat(900)}`,
  });
  const { message, stack } = describeError(deep, false);
  expect(message).toHaveLength(200);
  expect(stack.split('\n')).toHaveLength(20);
});
