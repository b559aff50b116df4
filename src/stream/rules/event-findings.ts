import { isMail, type StreamEvent } from '../../steward/ports/stream-event.ts';
import { datesIn } from './date-finding.ts';
import type { Finding } from './finding.ts';
import { formsOf, withForms } from './forms/form-findings.ts';
import { passagesOf } from './passage.ts';
import { requestsIn } from './request-finding.ts';
import { spokenIn } from './spoken/spoken-findings.ts';
import { endingsIn, statesIn } from './state-finding.ts';
import { weighed } from './weighing.ts';

/** What the phrase table finds in one event. */
interface EventFindings {
  /** One for each distinct proposal, surest first. */
  readonly findings: readonly Finding[];
  /** What is said to have come to its end: of use only where that is a whole matter. */
  readonly endings: readonly Finding[];
  /** Phrases that the event contains but does not mean. */
  readonly defeated: readonly Finding[];
}

const MAX_FINDINGS = 12;
/** A finding that is more likely wrong than right is not worth a signal. */
const LEAST_CONFIDENCE = 0.5;

/** Returns what an event's subject and text say was done, called off, moved to another day, or asked for. */
export function readFindings(event: StreamEvent): EventFindings {
  const passages = passagesOf(event);
  const sentences = passages.flatMap((passage) => [
    ...statesIn(passage),
    ...datesIn(passage, event.originAt),
    ...requestsIn(passage),
    ...(event.spoken === undefined ? [] : spokenIn(passage)),
  ]);
  const all = isMail(event) ? withForms(sentences, formsOf(event, sentences)) : sentences;
  const ends = passages.flatMap(endingsIn);
  return { findings: meant(all, event), endings: meant(ends, event), defeated: all.filter(isDefeated) };
}

function meant(all: readonly Finding[], event: StreamEvent): readonly Finding[] {
  const asserted = all.filter((finding) => !isDefeated(finding));
  const findings = weighed(asserted, all.filter(isDefeated), event);
  return findings.filter((each) => each.rawConfidence >= LEAST_CONFIDENCE).slice(0, MAX_FINDINGS);
}

function isDefeated({ defeatedBy }: Finding): boolean {
  return defeatedBy !== null;
}
