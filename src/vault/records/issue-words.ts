import type { z } from 'zod';

/** What a person calls the kinds of values that a schema expects. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  record: 'a map',
  object: 'a map',
};

/**
 * Returns what is wrong with a field, as the rest of a sentence that begins with its name: what its schema says of it, else
 * the same in plain words. No value is repeated.
 */
export function issueWords(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'is not valid';
  // All that zod says by itself begins so; whatever our schemas say does not.
  if (!/^(?:Invalid|Too |Unrecognized|Not a )/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${issue.values.join()}` : `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return issue.origin === 'string' ? 'is too long' : `must be ${issue.maximum} at most`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be ${issue.minimum} at least`;
    default:
      return 'is not valid';
  }
}
