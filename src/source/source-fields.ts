import { z } from 'zod';
import { sourceSettings } from './source-note.ts';

const word = z.string().max(2000);

/** The frontmatter of a source note as a person writes it, before what is left out is filled in. */
export const sourceFields = z.lazy(() =>
  z.record(z.string().regex(/^[a-z_]{1,40}$/), z.union([word, z.number(), z.boolean(), z.array(word).max(200)])),
);
export type SourceFields = z.infer<typeof sourceFields>;

/** Says what stands against fields, and in which; null where a source can be read from them. `only`: of that one field. */
export function fieldTrouble(fields: SourceFields, only: string | null = null): string | null {
  const issues = sourceSettings.safeParse(fields).error?.issues ?? [];
  const issue = issues.find(({ path }) => only === null || path[0] === only);
  if (issue === undefined) return null;
  return `${String(issue.path[0] ?? 'kind')} ${whyNotFit(issue)}`;
}

/** Returns what stands against a field, as the rest of a sentence that begins with its name; no value of it is repeated. */
export function whyNotFit(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'is not valid';
  if (issue.path[0] === 'kind' || issue.code === 'invalid_union')
    return 'must be imap, caldav, ics, webhook or command';
  if (/^(?:must|may|is) /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return wrongType(issue);
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_big') return issue.origin === 'string' ? 'is too long' : `must be ${issue.maximum} at most`;
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? 'must not be empty' : `must be ${issue.minimum} at least`;
  return 'is not valid';
}

function wrongType({ expected, message }: z.core.$ZodIssueInvalidType): string {
  if (message.endsWith('received undefined')) return 'is missing';
  return `must be ${TYPES[expected] ?? expected}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
};
