import { expect, test } from 'vitest';
import { findRetirement } from '../../src/providers/provider.ts';

test('a model that is gone has a successor that is there', () => {
  for (const model of ['claude-sonnet-4-20250514', 'claude-3-haiku-20240307', 'claude-opus-4-1', 'claude-sonnet-4-5']) {
    const retirement = findRetirement(model);
    expect(retirement?.since).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(findRetirement(retirement?.successor ?? model)).toBeNull();
  }
});

test.each(['claude-sonnet-5-5', 'llama3.3:70b', 'constructor', '__proto__', ''])('nothing is known of %j', (model) => {
  expect(findRetirement(model)).toBeNull();
});
