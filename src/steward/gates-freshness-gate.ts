import type { SignalFields } from '../vault/status-words.ts';
import { utc } from '../vault/time.ts';
import { discretionGate, type Gate, modeGate, reasonIn, refusalWords, type Thresholds } from './gates-gate.ts';
import { type Mode, round4 } from './gates-rounding.ts';

/** What one signal told: when (epoch ms, null where it does not say), and in which words. */
export interface Telling {
  readonly source: string;
  readonly at: number | null;
  readonly quote: string | null;
}

/**
 * Returns the gate that keeps old news from being acted upon: a mail that is sent again, or comes late, must not undo what
 * a newer one has brought. `told`: what the note's fields already reflect, or what a person has decided about.
 */
export function freshnessGate(bearing: readonly Telling[], told: readonly Telling[]): Gate {
  const gate = (held: boolean, sentence: string): Gate => {
    return { name: 'freshness', held, figure: null, threshold: 0, sentence: `freshness: ${sentence}` };
  };
  for (const one of bearing) {
    const other = told.find((earlier) => isNotOlder(earlier, one));
    if (other !== undefined)
      return gate(false, `what was decided${dated(other)} is at least as new as what ${one.source} says${dated(one)}.`);
  }
  return gate(true, 'nothing newer was decided here.');
}

// Two mails of one moment are two mails, unless they say the same: then the one is the other, sent again.
function isNotOlder(told: Telling, one: Telling): boolean {
  if (told.at === null) return false;
  return one.at === null || told.at > one.at || (told.at === one.at && told.quote === one.quote);
}

function dated({ at }: Telling): string {
  return at === null ? '' : ` (${utc(at)})`;
}

/** The fields of a signal that decide whether it is strong enough by itself. */
type Routable = Pick<
  SignalFields,
  'effect' | 'mutation_proposal' | 'target_ambiguous' | 'target_confidence' | 'status' | 'steward'
>;

/** What a signal is held against. */
interface RouteGates {
  readonly mode: Mode;
  readonly thresholds: Thresholds;
  /** The threshold of the signal's source, or the note's own (section 6); null where it is never acted upon. */
  readonly discretion: number | null;
  /** The gates that ask who the sender is. */
  readonly standing: readonly Gate[];
}

/** Who speaks in the signal, and how far that is believed. */
interface Speaker {
  readonly source: string;
  readonly effectConfidence: number;
}

/** Whether a signal is acted upon at once, and why. */
export interface Route {
  readonly route: boolean;
  /** min(target_confidence, effect_confidence) (contract, section 5). */
  readonly confidence: number;
  /** Empty where a signal like this is never routed. */
  readonly gates: readonly Gate[];
  readonly reason: string;
}

/**
 * Returns whether one signal is acted upon at once, without waiting for the tick (contract, section 5). In shadow it is
 * judged by what live would ask, since its event note must show what would have happened.
 */
export function routeAlone(
  signal: Routable,
  speaker: Speaker,
  { mode, thresholds, discretion, standing }: RouteGates,
): Route {
  const confidence = round4(Math.min(signal.target_confidence, speaker.effectConfidence));
  const unfit = unfitReason(signal);
  if (unfit !== null) return { route: false, confidence, gates: [], reason: unfit };
  const asked = mode === 'shadow' ? 'live' : mode;
  const gates = [...standing, discretionGate([speaker], () => discretion), modeGate(asked, confidence, thresholds)];
  const closed = gates.find((gate) => !gate.held);
  return {
    route: closed === undefined,
    confidence,
    gates,
    reason: (closed && refusalWords(closed.name, reasonIn(closed.sentence))) ?? 'It is strong enough alone.',
  };
}

function unfitReason(signal: Routable): string | null {
  if (!signal.steward) return 'The note says steward: false.';
  if (signal.status !== 'unrouted') return `The signal is ${signal.status} already.`;
  if (signal.effect !== 'mutation') return `Its effect is ${signal.effect}, which changes nothing.`;
  if (signal.mutation_proposal === null) return 'It proposes no change.';
  return signal.target_ambiguous ? 'It may mean several notes.' : null;
}
