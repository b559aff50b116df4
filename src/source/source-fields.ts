import { z } from 'zod';
import { issueWords } from '../vault/records/issue-words.ts';
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
  return issueWords(issue);
}
