import { round4 } from '../steward/gates-rounding.ts';
import type { Extracted, StreamEvent } from '../steward/ports.ts';
import { oneLine } from './mail/plain-text.ts';
import { NO_FIT } from './rules-extractor.ts';
import { type Silence, silentEvent } from './silence.ts';
import { TARGET_FLOOR } from './targets/score.ts';
import { rankTargets } from './targets.ts';
import type { TargetIndex } from './targets-target-index.ts';

// Apart from `silence.ts`: whoever only tells of what is remembered need not load what reads events.

const MAX_CLOSEST = 3;
const MAX_READER = 300;

/** Returns why an event that was looked into gives no signal; `reason` in the words of whoever read it. */
export function silentReading(event: StreamEvent, extracted: Extracted, reason: string, index: TargetIndex): Silence {
  const closest = rankTargets(index, event, null)
    .slice(0, MAX_CLOSEST)
    .map(({ candidate, score }) => ({ note: candidate.path, score: Math.min(1, round4(score)) }));
  const [best] = closest;
  return {
    ...silentEvent(event, reason),
    kind: kindOf(extracted, best !== undefined && best.score >= TARGET_FLOOR),
    by: oneLine(extracted.extractor, MAX_READER),
    closest,
  };
}

function kindOf({ rejected, usage, unusable, skipped }: Extracted, fits: boolean): Silence['kind'] {
  if (rejected.length > 0) return 'struck';
  if (usage !== null && unusable === null) return 'model-none';
  if (skipped?.startsWith(NO_FIT) === true) return 'no-note';
  return fits ? 'nothing-said' : 'no-note';
}
