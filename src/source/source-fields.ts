import { z } from 'zod';
import { sourceSettings } from './source-note.ts';

const word = z.string().max(2000);

/** The frontmatter of a source note as a person writes it, before what is left out is filled in. */
export const sourceFields = z.record(
  z.string().regex(/^[a-z_]{1,40}$/),
  z.union([word, z.number(), z.boolean(), z.array(word).max(200)]),
);
export type SourceFields = z.infer<typeof sourceFields>;

/** Says what stands against fields, and in which; null where a source can be read from them. `only`: of that one field. */
export function fieldTrouble(fields: SourceFields, only: string | null = null): string | null {
  const issues = sourceSettings.safeParse(fields).error?.issues ?? [];
  const issue = issues.find(({ path }) => only === null || path[0] === only);
  if (issue === undefined) return null;
  const key = String(issue.path[0] ?? 'kind');
  if (key === 'kind') return 'kind must be imap, caldav, ics, webhook or command';
  return /^(?:must|may|is) /.test(issue.message) ? `${key} ${issue.message}` : `${key} is not valid: ${issue.message}`;
}
