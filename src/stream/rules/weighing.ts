import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { DOUBTS } from '../../vault/words/reading-words.ts';
import { patternOfAll } from '../languages/union.ts';
import { viewOf } from '../mail/sentence.ts';
import { type Finding, lowerTo, surestFirst, topicOf } from './finding.ts';
import { wordPattern } from './pattern.ts';
import { isAddressedToProgram, PROGRAM_CEILING } from './prompt-injection.ts';
import { topicPatterns } from './topic-pattern.ts';

const CONTRADICTIONS: ReadonlyMap<string, RegExp> = topicPatterns((words) => words.contradictedBy);
/** Words that take back what the mail says, or mark it as not meant. */
const TAKEN_BACK = wordPattern(patternOfAll(({ cues }) => cues.takenBack));
const TAKEN_BACK_FACTOR = 0.5;
/** For two proposals of one mail about the same field, of which only one can be true. */
export const RIVAL_FACTOR = 0.7;
const CONTRADICTION_FACTOR = 0.6;
/** Something else has taken its place, so that what the note is about goes on. */
const REPLACED = wordPattern(patternOfAll(({ cues }) => cues.replaced));
const REPLACED_FACTOR = 0.5;
const NEGATED = wordPattern(patternOfAll(({ cues }) => cues.negation));
/** How far before "rescheduled" a "not" denies it. */
const REACH = 24;

/**
 * Weighs the findings of one event against each other. Returns one for each distinct proposal, surest first, each lowered
 * by what the same event says against it. `asserted`: findings that are meant; `defeated`: those that are not.
 */
export function weighed(
  asserted: readonly Finding[],
  defeated: readonly Finding[],
  event: StreamEvent,
): readonly Finding[] {
  // What speaks against a proposal is the same for each of its wordings, so only the surest wording is weighed.
  const lowered = bestOfEach(asserted).map((finding) => weighedAgainst(finding, defeated, event));
  return quotedApart(againstRivals(lowered));
}

function weighedAgainst(finding: Finding, defeated: readonly Finding[], event: StreamEvent): Finding {
  const view = viewOf(`${event.subject} \n ${event.text}`);
  const lowered = afterReplacement(afterRetraction(afterContradiction(finding, defeated, view), view), view);
  if (!isAddressedToProgram(event)) return lowered;
  const ceiling = Math.min(lowered.rawConfidence, PROGRAM_CEILING);
  return lowerTo(lowered, ceiling, 'the mail holds words addressed to a program');
}

function afterContradiction(finding: Finding, defeated: readonly Finding[], view: string): Finding {
  const contradiction = contradictionOf(finding, defeated, view);
  if (contradiction === null) return finding;
  const factor = finding.set.state === 'archived' ? REPLACED_FACTOR : CONTRADICTION_FACTOR;
  return lowerTo(finding, finding.rawConfidence * factor, DOUBTS.contradicted(contradiction));
}

function afterRetraction(finding: Finding, view: string): Finding {
  const words = finding.class === null ? undefined : TAKEN_BACK.exec(view)?.[0];
  if (words === undefined) return finding;
  return lowerTo(finding, finding.rawConfidence * TAKEN_BACK_FACTOR, DOUBTS.alsoSaid(words));
}

function afterReplacement(finding: Finding, view: string): Finding {
  const words = finding.set.state === 'archived' ? saidIn(view, REPLACED) : null;
  if (words === null) return finding;
  return lowerTo(finding, finding.rawConfidence * REPLACED_FACTOR, DOUBTS.replaced(words));
}

/** Returns the words of a text that a pattern finds; null where they are denied: "will not be rescheduled". */
function saidIn(view: string, pattern: RegExp | undefined): string | null {
  const found = pattern?.exec(view) ?? null;
  if (found === null || NEGATED.test(view.slice(Math.max(0, found.index - REACH), found.index))) return null;
  return found[0];
}

function contradictionOf(finding: Finding, defeated: readonly Finding[], view: string): string | null {
  if (finding.class === null) return null;
  const topic = topicOf(finding);
  const denied = defeated.find(
    (each) => topicOf(each) === topic && /^(?:negated|still open|only in part)/.test(each.defeatedBy ?? ''),
  );
  if (denied !== undefined) return denied.quote;
  return saidIn(view, CONTRADICTIONS.get(topic))?.slice(0, 50) ?? null;
}

/** Keeps only the surest wording of each proposal: the same proposal in other words adds nothing. */
function bestOfEach(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>();
  for (const finding of findings) {
    const key = proposalKey(finding);
    const known = best.get(key);
    if (known === undefined || finding.rawConfidence > known.rawConfidence) best.set(key, finding);
  }
  return surestFirst([...best.values()]);
}

/** "The deposit was paid. The deed was signed." are two proposals: each topic may mean another task. */
function proposalKey(finding: Finding): string {
  const topic = finding.class === 'state_change' ? topicOf(finding) : '';
  return JSON.stringify([finding.effect, finding.class, finding.set, topic]);
}

/** A task cannot be due on two days, nor be both done and called off. */
function againstRivals(findings: readonly Finding[]): Finding[] {
  const lowered = findings.map((finding) => {
    const rival = findings.find((other) => areRivals(finding, other));
    if (rival === undefined) return finding;
    return lowerTo(finding, finding.rawConfidence * RIVAL_FACTOR, DOUBTS.alsoSaid(rival.quote));
  });
  return surestFirst(lowered);
}

/** Two findings in one short sentence each quote only their own phrase, because a signal is identified by its quote. */
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
