import type { Extracted, Extractor, Meaning } from '../steward/ports/extractor.ts';
import type { StreamEvent } from '../steward/ports/stream-event.ts';
import type { MutationProposal } from '../vault/records/mutation.ts';
import { oneLine } from './mail/plain-text.ts';
import { stem, tellingWords } from './mail/word.ts';
import { readFindings } from './rules/event-findings.ts';
import type { Finding } from './rules/finding.ts';
import { rankTargets } from './targets/ranking.ts';
import { TARGET_FLOOR } from './targets/score.ts';
import { chooseTarget, type TargetChoice } from './targets/target-choice.ts';
import type { TargetIndex } from './targets/target-index.ts';

/** Returns an extractor that reads events by the phrase table and searches `index` for what they are about. Asks no model. */
export function rulesExtractor(index: () => TargetIndex): Extractor {
  return {
    name: 'rules',
    asksModel: false,
    async extract({ event }, abort) {
      abort.throwIfAborted();
      return readByRules(event, index());
    },
  };
}

/** Returns what one stream event means for the notes in the index, or the reason why it means nothing. */
export function readByRules(event: StreamEvent, index: TargetIndex): Extracted {
  const { findings, defeated } = readFindings(event);
  if (findings.length === 0) return extracted([], nothingFound(event, defeated));
  const meanings = findings.flatMap((finding) => meaningsOf(finding, event, index));
  return extracted(meanings, meanings.length === 0 ? noTarget(findings, event, index) : null);
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
  if (closest === undefined) return 'no matter fits';
  return oneLine(`no matter fits (best ${closest.score.toFixed(2)} ${closest.candidate.name})`, 160);
}

function meaningsOf(finding: Finding, event: StreamEvent, index: TargetIndex): Meaning[] {
  const choice = chooseTarget(index, event, finding);
  if (choice === null || choice.confidence < TARGET_FLOOR) return [];
  const proposal = proposalOf(finding, choice);
  const { path: target, confidence: targetConfidence, candidates, ambiguous } = choice;
  return [
    {
      ...{ target, candidates, ambiguous, targetConfidence, proposal },
      quote: finding.quote,
      effectConfidence: finding.rawConfidence,
      ...{ targetEvidence: [], targetNear: false, endsMatter: false },
      reasoning: reasoningOf(finding, choice, proposal),
    },
  ];
}

/** A matter is never due, and one thing done does not close it while it has open tasks: its steward weighs that. */
function proposalOf(finding: Finding, choice: TargetChoice): MutationProposal | null {
  const isNotForMatter = choice.kind === 'matter' && (finding.set.due !== undefined || choice.tasksOpen);
  if (finding.class === null || isNotForMatter) return null;
  const set = isTheDeed(finding, choice) ? { state: 'done' } : finding.set;
  return { class: finding.class, set, add: {}, remove: {} };
}

/** "Cancel the broadband" is done, not called off, when the broadband is cancelled. */
function isTheDeed(finding: Finding, choice: TargetChoice): boolean {
  if (choice.kind !== 'task' || finding.set.state !== 'archived') return false;
  const verbs = new Set(finding.verbs.map(stem));
  return tellingWords(choice.name).some((word) => verbs.has(word));
}

function reasoningOf(finding: Finding, choice: TargetChoice, proposal: MutationProposal | null): string {
  const read = finding.reason.charAt(0).toUpperCase() + finding.reason.slice(1);
  const what = finding.class === 'state_change' ? 'change' : 'date';
  const left = proposal === null && finding.class !== null ? ` No task stands out, so no ${what} is proposed.` : '';
  return `${read}. Target ${choice.reasoning}.${left}`;
}
