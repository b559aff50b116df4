import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { datesIn } from './date-finding.ts';
import type { Finding } from './finding.ts';
import { passagesOf } from './passage.ts';
import { requestsIn } from './request-finding.ts';
import { statesIn } from './state-finding.ts';
import { weighed } from './weighing.ts';

/** What the phrase table finds in one event. */
interface EventFindings {
  /** One for each distinct proposal, surest first. */
  readonly findings: readonly Finding[];
  /** Phrases that the event contains but does not mean. */
  readonly defeated: readonly Finding[];
}

const MAX_FINDINGS = 12;
/** A finding that is more likely wrong than right is not worth a signal. */
const LEAST_CONFIDENCE = 0.5;

/** Returns what an event's subject and text say was done, called off, moved to another day, or asked for. */
export function readFindings(event: StreamEvent): EventFindings {
  const all = passagesOf(event).flatMap((passage) => [
    ...statesIn(passage),
    ...datesIn(passage, event.originAt),
    ...requestsIn(passage),
  ]);
  const defeated = all.filter((finding) => finding.defeatedBy !== null);
  const asserted = all.filter((finding) => finding.defeatedBy === null);
  const findings = weighed(asserted, defeated, event).filter((each) => each.rawConfidence >= LEAST_CONFIDENCE);
  return { findings: findings.slice(0, MAX_FINDINGS), defeated };
}
