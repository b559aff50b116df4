import { Allowance } from '../../evidence/allowance.ts';
import type { Answer } from '../../evidence/answer.ts';
import { cite, type Registered, registeredFiles } from '../../evidence/files.ts';
import { Researcher } from '../../evidence/researcher.ts';
import { plainLine } from '../../model/plain.ts';
import {
  type Evaluator,
  type Question,
  Unanswered,
  type Usage,
  usageOfBoth,
  type Verdict,
} from '../../steward/ports/evaluator.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import type { EvidenceItem } from '../../vault/records.ts';
import { backOff } from '../budget/provider-backoff.ts';
import type { Context, ModelAccess } from '../context.ts';
import { groundOf } from '../environment.ts';

/** How many requests about files one judgement may make, and how many tokens each answer may have. */
const MAX_REQUESTS = 2;
const MAX_TOKENS = 1_000;
/** How many citations of one answer the event note names, and how many characters of each request. */
const MAX_CITATIONS = 5;
const MAX_NOTED = 200;

/**
 * Returns the evaluator's verdict. Where the matter's note registers files, a model may ask once what they say: that is
 * looked up without a model, and the question is put once more with what was found. Rejects as the evaluator does.
 */
export async function withEvidence(space: ModelAccess, question: Question, abort: AbortSignal): Promise<Verdict> {
  const {
    models: { evaluator },
  } = space;
  const registered = registeredFor(space, question);
  if (registered === null) return evaluator.evaluate(question, abort);
  const paths = registered.files.map(({ path }) => path);
  const { requests = [], ...first } = await evaluator.evaluate(
    { ...question, files: { paths, extracts: null } },
    abort,
  );
  const asked = requests.filter((request) => request.trim() !== '').slice(0, MAX_REQUESTS);
  if (asked.length === 0) return first;
  const answers = await answersTo(space.context, registered, asked, abort);
  const files = { paths, extracts: answers.map(({ text }) => text) };
  const { second, took } = await askAgain(space.context, evaluator, { ...question, files }, abort);
  const usage = first.usage && took ? usageOfBoth(first.usage, took) : (first.usage ?? took);
  // The first verdict is complete: it stands where the question cannot be put again.
  if (second === null || second.fallback === true) return { ...first, usage };
  const items = answers.flatMap((answer, index) => itemsOf(asked[index] ?? '', answer));
  return { ...second, usage, evidence: [...second.evidence, ...items] };
}

/** The files that the note's matter registers, or null. A root that may not be read is listed in `status`. */
function registeredFor(space: ModelAccess, { target }: Question): Registered | null {
  const { catalogue } = space.vault;
  const record = catalogue.get(target.path);
  const matter = record?.kind === 'task' ? catalogue.matterOf(record) : record;
  const note = matter?.kind === 'matter' ? space.notes.fresh(matter.path) : null;
  if (note === null) return null;
  const registered = registeredFiles(note, note.path, groundOf(space.vault.root, space.context.env));
  followFault(space, `evidence ${note.path}`, registered.troubles.find(({ code }) => code === 'evidence-root') ?? null);
  return registered.files.length === 0 ? null : registered;
}

// Said once, when it is first met; it goes with the next judgement that does not meet it.
function followFault({ problems: { faults }, context }: ModelAccess, key: string, trouble: Diagnostic | null): void {
  if (trouble === null) faults.delete(key);
  else {
    if (!faults.has(key)) context.emit({ what: 'trouble', trouble });
    faults.set(key, trouble);
  }
}

async function answersTo(
  context: Context,
  registered: Registered,
  requests: readonly string[],
  abort: AbortSignal,
): Promise<readonly Answer[]> {
  const limits = {
    ...context.settings,
    max_response_tokens: Math.min(context.settings.max_response_tokens, MAX_TOKENS),
  };
  const researcher = new Researcher({ registered, agent: null, limits, now: context.now });
  const asker = { agent: 'the steward', allowance: new Allowance(MAX_REQUESTS) };
  return Promise.all(requests.map((request) => researcher.answer(request, asker, abort)));
}

// The same evaluator judges again, even if the settings have changed since; its usage counts, answered or not.
async function askAgain(
  context: Context,
  evaluator: Evaluator,
  question: Question,
  abort: AbortSignal,
): Promise<{ readonly second: Verdict | null; readonly took: Usage | null }> {
  try {
    const second = await evaluator.evaluate(question, abort);
    return { second, took: second.usage ?? null };
  } catch (error) {
    if (abort.aborted || !(error instanceof Unanswered)) throw error;
    if (error.retryAfter !== undefined) backOff(context, error.retryAfter);
    return { second: null, took: error.took };
  }
}

/** The evidence that the event note names for an answer: its citations, and what was asked. */
function itemsOf(request: string, { ok, citations }: Answer): readonly EvidenceItem[] {
  const note = plainLine(request, MAX_NOTED);
  if (!ok) return [{ source: 'files', ref: 'not found', note }];
  return citations
    .slice(0, MAX_CITATIONS)
    .map((citation) => ({ source: 'files', ref: plainLine(cite(citation), MAX_NOTED), note }));
}
