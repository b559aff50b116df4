import { ApplicationFailure, CancelledFailure, defaultPayloadConverter, type ProtoFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { failureConverter } from '../../src/engine/failures.ts';

const told = (error: unknown): ProtoFailure => failureConverter.errorToFailure(error, defaultPayloadConverter);

test('of a failure the engine is told its code, and nothing that was said', () => {
  const cause = new TypeError('task/pay.md: the canary has flown', { cause: new Error('/home/canary') });
  const failures = [
    cause,
    ApplicationFailure.create({ type: 'fault', message: 'canary', details: ['canary'], cause }),
    ApplicationFailure.create({ type: 'Canary Type', message: 'canary' }),
    new CancelledFailure('canary', ['canary'], cause),
    'canary',
  ].map(told);

  // Details are bytes, which JSON tells as numbers.
  const text = JSON.stringify(failures, (_, held: unknown) =>
    held instanceof Uint8Array ? Buffer.from(held).toString('latin1') : held,
  );
  expect(text).not.toMatch(/canary|home|\.ts|TypeError/i);
  expect(failures.map(({ message }) => message)).toEqual(['fault', 'fault', 'fault', 'fault', 'fault']);
  expect(failures.every(({ stackTrace }) => stackTrace === '')).toBe(true);
});

test('what kind of failure it is stays: the engine goes by that', () => {
  expect(told(new CancelledFailure('stopped')).canceledFailureInfo).toBeDefined();
  expect(told(ApplicationFailure.nonRetryable('x', 'vault-gone')).applicationFailureInfo).toEqual({
    type: 'vault-gone',
    nonRetryable: true,
  });
});
