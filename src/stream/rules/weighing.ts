import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { viewOf } from '../mail/sentence.ts';
import type { Finding } from './finding.ts';
import { wordPattern } from './pattern.ts';
import { TOPICS, type Topic } from './phrases.ts';
import { topicPatterns } from './topic-pattern.ts';

const CONTRADICTIONS: ReadonlyMap<Topic, RegExp> = topicPatterns((topic) => topic.contradictedBy);
/** Words for a program rather than a person: whatever else such a mail says is not to be relied on. */
const ADDRESSED_TO_A_PROGRAM =
  /ignore (?:all |any |the |your )*(?:previous|prior|above|earlier) (?:instructions|prompts?|rules)|disregard (?:all |any |the |your )*(?:previous|prior|above) |system prompt|you are (?:now )?an? (?:ai|assistant|language model|agent)|<\/?(?:system|assistant|instructions?)>|vault[- ]?steward|mutation_proposal|effect_confidence|target_path/i;
/** Somewhere the mail takes its words back, or says that they are none. */
const TAKEN_BACK = wordPattern(
  'scratch that|(?:ignore|disregard) (?:this|that|it|my|our)|my (?:mistake|error)|(?:i|we) (?:was|were) wrong|sorry, wrong|(?:only|just) a test|test (?:mail|message)|preview of|an example of|a sample of|irrtum|mein fehler|nein,? halt|nur ein test|testmail|erreur de ma part|je me suis trompée?|un test|me (?:he )?equivo\\p{L}*|es una prueba|vergissing|dit is een test|mi sono sbagliat[oa]|errore mio',
);
const TAKEN_BACK_FACTOR = 0.5;
export const PROGRAM_CEILING = 0.5;
/** Two proposals of one mail for the same field, only one of which can be true. */
export const RIVAL_FACTOR = 0.7;
const CONTRADICTION_FACTOR = 0.6;

/**
 * The findings of one event beside each other: one for each distinct proposal, surest first, lowered by what the same
 * event says against it.
 */
export function weighed(
  standing: readonly Finding[],
  defeated: readonly Finding[],
  event: StreamEvent,
): readonly Finding[] {
  // What is said against a proposal is the same for each of its wordings, so only the surest is looked at.
  const lowered = bestOfEach(standing).map((finding) => weighedAgainst(finding, defeated, event));
  return quotedApart(againstRivals(lowered));
}

function weighedAgainst(finding: Finding, defeated: readonly Finding[], event: StreamEvent): Finding {
  const lowered = afterRetraction(afterContradiction(finding, defeated, event), event);
  if (!isAddressedToProgram(event)) return lowered;
  const ceiling = Math.min(lowered.rawConfidence, PROGRAM_CEILING);
  return lowerTo(lowered, ceiling, 'the mail holds words addressed to a program');
}

/** Whether a mail speaks to whoever reads it by machine: nothing it says is then surer than `PROGRAM_CEILING`. */
export function isAddressedToProgram({ subject, text }: StreamEvent): boolean {
  return ADDRESSED_TO_A_PROGRAM.test(`${subject}\n${text}`);
}

function afterContradiction(finding: Finding, defeated: readonly Finding[], event: StreamEvent): Finding {
  const contradiction = contradictionOf(finding, defeated, event);
  if (contradiction === null) return finding;
  return lowerTo(finding, finding.rawConfidence * CONTRADICTION_FACTOR, `contradicted by "${contradiction}"`);
}

function afterRetraction(finding: Finding, event: StreamEvent): Finding {
  const words = finding.class === null ? undefined : TAKEN_BACK.exec(viewOf(`${event.subject} \n ${event.text}`))?.[0];
  if (words === undefined) return finding;
  return lowerTo(finding, finding.rawConfidence * TAKEN_BACK_FACTOR, `the mail also says "${words}"`);
}

function contradictionOf(finding: Finding, defeated: readonly Finding[], event: StreamEvent): string | null {
  if (finding.class === null) return null;
  const topic = topicOf(finding);
  const denied = defeated.find(
    (each) => topicOf(each) === topic && /^(?:negated|still open|only in part)/.test(each.defeatedBy ?? ''),
  );
  if (denied !== undefined) return denied.quote;
  const entry = TOPICS.find((each) => each.topic === topic);
  const opposite =
    entry === undefined ? null : CONTRADICTIONS.get(entry.topic)?.exec(viewOf(`${event.subject} \n ${event.text}`));
  return opposite?.[0].slice(0, 50) ?? null;
}

/** The finding with this confidence, and the reason why. */
export function lowerTo(finding: Finding, confidence: number, because: string): Finding {
  return { ...finding, rawConfidence: rounded(confidence), reason: `${finding.reason}; ${because}` };
}

/** The same proposal in other words adds nothing; only its surest wording is kept, for each sentence it may be about. */
function bestOfEach(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>();
  for (const finding of findings) {
    const key = proposalKey(finding);
    const known = best.get(key);
    if (known === undefined || finding.rawConfidence > known.rawConfidence) best.set(key, finding);
  }
  return [...best.values()].sort((one, other) => other.rawConfidence - one.rawConfidence);
}

/** "The deposit was paid. The deed was signed." are two: each topic may mean another task. */
function proposalKey(finding: Finding): string {
  const topic = finding.class === 'state_change' ? topicOf(finding) : '';
  return JSON.stringify([finding.effect, finding.class, finding.set, topic]);
}

/** A task cannot be due on two days, nor a thing both done and called off. */
function againstRivals(findings: readonly Finding[]): Finding[] {
  const lowered = findings.map((finding) => {
    const rival = findings.find((other) => areRivals(finding, other));
    if (rival === undefined) return finding;
    return lowerTo(finding, finding.rawConfidence * RIVAL_FACTOR, `the same mail also says "${rival.quote}"`);
  });
  return lowered.sort((one, other) => other.rawConfidence - one.rawConfidence);
}

/** Two findings of one short sentence show their own phrase each: a signal is known by its quote. */
function quotedApart(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => {
    const isShared = findings.some((other) => other !== finding && other.quote === finding.quote);
    return isShared ? { ...finding, quote: finding.words } : finding;
  });
}

function areRivals(one: Finding, other: Finding): boolean {
  if (one === other || one.class === null || one.class !== other.class) return false;
  return Object.entries(one.set).some(([field, value]) => other.set[field] !== undefined && other.set[field] !== value);
}

function topicOf(finding: Finding): string {
  return finding.phrase.slice(0, finding.phrase.indexOf(':'));
}

/** A confidence as it is kept: four decimals. */
export function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
