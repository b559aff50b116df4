import type { Extracted, Extractor, Meaning, StreamEvent } from '../steward/ports.ts';
import { sentenceCase } from '../vault/reading-words.ts';
import type { MutationProposal } from '../vault/records.ts';
import { dueBy, isOldNews } from './appointments-task-date.ts';
import { readFindings } from './event-findings.ts';
import { fitsIn, joined, type Known } from './learnt-meanings.ts';
import { oneLine } from './mail/plain-text.ts';
import { stem, tellingWords } from './mail/word.ts';
import type { Finding } from './rules.ts';
import { TARGET_FLOOR } from './targets/score.ts';
import { chooseTarget, endsMatter, rankTargets, type TargetChoice } from './targets.ts';
import type { TargetCandidate, TargetIndex } from './targets-target-index.ts';

/** How it is said that no note is meant. */
export const NO_FIT = 'no matter fits';

/** Returns an extractor that reads events by the phrase table and by what was learnt, and searches for what they are about. Asks no model. */
export function rulesExtractor(known: Known): Extractor {
  return {
    name: 'rules',
    asksModel: false,
    async extract({ event }, abort) {
      abort.throwIfAborted();
      return readByRules(event, known);
    },
  };
}

/** Returns what one stream event means for the notes in the index, or the reason why it means nothing. */
export function readByRules(event: StreamEvent, known: Known): Extracted {
  const read = phrasesIn(event, known);
  const fits = fitsIn(event, read.found, known);
  return concluded(read, fits.length === 0 ? read.meant : joined(read.byRules, fits, event, known), event, known.index);
}

/** Returns the same by the phrase table and the forms alone, with nothing that was learnt. */
export function readByPhrases(event: StreamEvent, index: TargetIndex): Extracted {
  const read = phrasesIn(event, { index });
  return concluded(read, read.meant, event, index);
}

/** What the phrase table and the forms find in an event, and what that means. */
interface Phrases {
  readonly found: ReturnType<typeof readFindings>;
  readonly byRules: readonly { readonly finding: Finding; readonly meaning: Meaning }[];
  readonly meant: readonly Meaning[];
}

function phrasesIn(event: StreamEvent, { index, book, languages }: Omit<Known, 'learnt'>): Phrases {
  const found = readFindings(event, book?.silence, languages);
  const byRules = found.findings.flatMap((finding) =>
    meaningsOf(finding, event, index).map((meaning) => ({ finding, meaning })),
  );
  return { found, byRules, meant: byRules.map(({ meaning }) => meaning) };
}

function concluded(
  { found: { findings, endings, defeated, notRead } }: Phrases,
  meanings: readonly Meaning[],
  event: StreamEvent,
  index: TargetIndex,
): Extracted {
  const ends = endings.flatMap((ending) => meaningsOf(ending, event, index)).filter((meaning) => meaning.endsMatter);
  const all = [...meanings, ...ends];
  if (all.length > 0) return extracted(all, null);
  if (findings.length > 0) return extracted([], noTarget(findings, event, index));
  return extracted([], notRead === null ? nothingFound(event, defeated) : `written in ${notRead}, which is not read`);
}

function extracted(meanings: readonly Meaning[], skipped: string | null): Extracted {
  return { meanings, skipped, rejected: [], unusable: null, extractor: 'rules (embedded)', usage: null };
}

function nothingFound(event: StreamEvent, defeated: readonly Finding[]): string {
  const [first] = defeated;
  if (first !== undefined) return oneLine(`"${first.quote}": ${first.defeatedBy ?? ''}`, 160);
  if (event.text.trim() === '' && event.quoted.trim() !== '') return 'only quoted or forwarded words';
  return 'nothing that changes a matter';
}

function noTarget(findings: readonly Finding[], event: StreamEvent, index: TargetIndex): string {
  const closest = findings
    .flatMap((finding) => rankTargets(index, event, finding))
    .sort((a, b) => b.score - a.score)[0];
  if (closest === undefined) return NO_FIT;
  return oneLine(`${NO_FIT} (best ${closest.score.toFixed(2)} ${closest.candidate.name})`, 160);
}

function meaningsOf(finding: Finding, event: StreamEvent, index: TargetIndex): Meaning[] {
  const choice = chooseTarget(index, event, finding);
  const target = choice === null ? null : index.get(choice.path);
  if (choice === null || target === null || choice.confidence < TARGET_FLOOR) return [];
  if (isOldNews(finding, target)) return [];
  const ends = endsMatter(finding, target);
  const whyNone = target.kind === 'task' ? null : whyNotForMatter(finding, ends, index.openTasksOf(target.path).length);
  return [
    {
      ...{ target: choice.path, candidates: choice.candidates, ambiguous: choice.ambiguous },
      ...{ targetConfidence: choice.confidence, targetEvidence: choice.evidence, targetNear: choice.near },
      ...{ endsMatter: ends, proposal: whyNone === null ? proposalOf(finding, target) : null },
      quote: finding.quote,
      ...timeOf(finding),
      effectConfidence: finding.rawConfidence,
      reasoning: reasoningOf(finding, choice, whyNone),
    },
  ];
}

/** A matter is never due, and one thing done does not close it: only its own end does, where none of its tasks is open. */
function whyNotForMatter({ class: name }: Finding, ends: boolean, openTasks: number): string | null {
  if (name === 'context_edit') return 'No task stands out, so no date is proposed.';
  if (name === null || (ends && openTasks === 0)) return null;
  if (ends) return 'The matter still has open tasks, so no change is proposed.';
  if (openTasks > 0) return 'No task stands out, so no change is proposed.';
  return 'It does not say that the matter itself has ended, so no change is proposed.';
}

function proposalOf(finding: Finding, target: TargetCandidate): MutationProposal | null {
  if (finding.class === null) return null;
  const set = isTheDeed(finding, target) ? { state: 'done' } : setFor(finding, target);
  return { class: finding.class, set, add: {}, remove: {} };
}

function timeOf({ time, set }: Finding): Pick<Meaning, 'time'> {
  return time === undefined || set.due === undefined ? {} : { time };
}

/** A task whose day has a time gets the new one with its time. */
function setFor({ set, time }: Finding, target: TargetCandidate): Finding['set'] {
  return set.due === undefined || time === undefined ? set : { ...set, due: dueBy(target, `${set.due}T${time}`) };
}

/** "Cancel the broadband" is done, not called off, when the broadband is cancelled. */
function isTheDeed(finding: Finding, target: TargetCandidate): boolean {
  if (target.kind !== 'task' || finding.set.state !== 'archived') return false;
  const verbs = new Set(finding.verbs.map(stem));
  return tellingWords(target.name).some((word) => verbs.has(word));
}

function reasoningOf(finding: Finding, choice: TargetChoice, whyNone: string | null): string {
  return `${sentenceCase(finding.reason)}. ${choice.reasoning}${whyNone === null ? '' : ` ${whyNone}`}`;
}
