import { z } from 'zod';
import { cite, type Extract, extractOf, type Finding, found, notFound, withoutNested } from '../files/finding.ts';
import type { Source } from '../files/source.ts';

const claim = z.object({
  path: z.string().max(1_000),
  first: z.number().int().min(1),
  last: z.number().int().min(1),
  text: z.string(),
});
/** Lines that an agent says are in a file. */
type Claim = z.infer<typeof claim>;

const MAX_CLAIMS = 40;
const reply = z.object({ extracts: z.array(claim).max(MAX_CLAIMS) });

/** Returns the claims in an agent's reply; null where the reply does not have the requested form. */
export function claimsIn(text: string): readonly Claim[] | null {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from === -1 || to < from) return null;
  try {
    return reply.parse(JSON.parse(text.slice(from, to + 1))).extracts;
  } catch {
    return null;
  }
}

/** The extract of a claim that holds, or why it does not hold. */
type ClaimCheck = { readonly ok: true; readonly extract: Extract } | { readonly ok: false; readonly why: string };

/** Compares a claim with the current file, line by line. The extract is taken from the file, not from the claim. */
export function checkClaim({ first, last, text }: Claim, source: Source | null): ClaimCheck {
  // The agent's name for the file is left out: it is the agent's own text and could say anything.
  if (source === null) return { ok: false, why: 'one place is in no registered file that can be read' };
  const place = cite({ path: source.path, first, last });
  if (last < first || last > source.lines.length) return { ok: false, why: `${place} is not in the file` };
  const extract = extractOf(source, first, last);
  const claimed = text.replace(/\n$/, '').split('\n');
  const holds =
    claimed.length === extract.lines.length &&
    extract.lines.every((line, index) => line === claimed[index]?.replace(/\r$/, ''));
  return holds ? { ok: true, extract } : { ok: false, why: `${place} does not say that` };
}

/**
 * Returns the extracts that hold, with a statement on the claims that were rejected. `paths`: the files that were read.
 */
export function findingOf(checks: readonly ClaimCheck[], paths: readonly string[]): Finding {
  const extracts = withoutNested(checks.flatMap((one) => (one.ok ? [one.extract] : [])));
  const rejected = checks.flatMap((one) => (one.ok ? [] : [one.why]));
  const statements = rejected.length === 0 ? [] : [`Struck, since the file was compared: ${rejected.join('; ')}.`];
  return extracts.length === 0 ? notFound(statements, paths) : found({ statements, extracts, checked: paths });
}
