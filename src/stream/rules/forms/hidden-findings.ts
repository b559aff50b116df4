import type { HiddenThing, StreamEvent } from '../../../steward/ports/stream-event.ts';
import { hiddenWords } from '../../../vault/words/reading-words.ts';
import { LABELS, wordsIn } from '../../forms/labels/table.ts';
import type { TopicName } from '../../languages/language-table.ts';
import { viewOf } from '../../mail/sentence.ts';
import { saysToo } from '../../mail/word.ts';
import type { Finding } from '../finding.ts';
import { wordPattern } from '../pattern.ts';
import { dayClaim, denied, formFinding, type Place, topicClaim } from './claims.ts';
import { type NamedThing, placeInText } from './visible.ts';

type State = { readonly topic: TopicName; readonly isDone: boolean };

/** What the words of schema.org say was done, and what they deny. */
const STATES: Readonly<Record<string, State>> = {
  ...{ OrderDelivered: done('delivery'), OrderInTransit: not('delivery'), OrderProcessing: not('delivery') },
  ...{ OrderPickupAvailable: not('delivery'), OrderPaymentDue: not('payment'), OrderProblem: not('delivery') },
  ...{ OrderCancelled: done('cancellation') },
  ...{ PaymentComplete: done('payment'), PaymentDue: not('payment'), PaymentPastDue: not('payment') },
  ...{ PaymentDeclined: not('payment'), PaymentAutomaticallyApplied: not('payment') },
  ...{ ReservationConfirmed: done('booking'), Confirmed: done('booking'), ReservationPending: not('booking') },
  ...{ ReservationHold: not('booking'), ReservationCancelled: done('cancellation'), Cancelled: done('cancellation') },
  ...{ EventCancelled: done('cancellation') },
  ...{ Delivered: done('delivery'), InTransit: not('delivery'), OutForDelivery: not('delivery') },
};
const RESERVED_ONLY = new Set(['Confirmed', 'Cancelled']);
const CONFIDENCE: Readonly<Record<NamedThing['by'], number>> = { reference: 0.84, name: 0.8, party: 0.65 };
const CONFIRM_CONFIDENCE = 0.6;
const NOT_DONE = anyOf('notDone');
const NOT_CANCELLED = anyOf('notCancelled');

/**
 * Returns what the hidden things of a mail say, as far as its text names the same thing by its number, its name, or whose it
 * is, and says nothing against it. Each quotes the text, and is only ever proposed.
 */
export function hiddenFindings(event: StreamEvent): readonly Finding[] {
  const things = event.forms?.things ?? [];
  if (things.length === 0) return [];
  const visible = viewOf(`${event.subject}\n${event.shown ?? event.text}`);
  return things.flatMap((thing) => findingsOf(thing, event, visible));
}

function findingsOf(thing: HiddenThing, event: StreamEvent, visible: string): readonly Finding[] {
  const named = placeInText(thing, event);
  if (named === null || !isShown(named.place, event)) return [];
  if (thing.kind === 'confirmation') return asked(thing, named);
  return [...statesOf(thing, named, visible), ...dayOf(thing, named, event, visible)];
}

/** Where the text stands in the plain part alone, nobody who reads the HTML has seen it. */
function isShown({ text, start, end }: Place, { shown, subject }: StreamEvent): boolean {
  const line = text.slice(start, end);
  return shown === null || saysToo(shown, line) || saysToo(subject, line);
}

function statesOf(thing: HiddenThing, named: NamedThing, visible: string): readonly Finding[] {
  return thing.statuses.flatMap((status) => {
    const state = Object.hasOwn(STATES, status) ? STATES[status] : undefined;
    if (state === undefined || (RESERVED_ONLY.has(status) && thing.kind !== 'reservation')) return [];
    const claim = topicClaim(state.topic, `${thing.kind} ${status}`);
    if (claim === null) return [];
    const finding = formFinding(claim, CONFIDENCE[named.by], named.place, reasonFor(thing, status, named));
    if (!state.isDone) return [denied(finding, `still open ("${status}")`)];
    const against = (state.topic === 'cancellation' ? NOT_CANCELLED : NOT_DONE).exec(visible)?.[0];
    return against === undefined ? [finding] : [denied(finding, `negated by the text ("${against}")`)];
  });
}

function dayOf(thing: HiddenThing, named: NamedThing, { originAt }: StreamEvent, visible: string): readonly Finding[] {
  const { kind, statuses, day, dayBefore } = thing;
  const isMoved = kind === 'event' && statuses.includes('EventRescheduled') && day !== dayBefore;
  const isToPay =
    (kind === 'invoice' || kind === 'order') && statuses.some((one) => /^(?:Order)?PaymentDue$/.test(one));
  if (day === null || !(isMoved || isToPay) || NOT_CANCELLED.test(visible)) return [];
  const finding = formFinding(
    dayClaim(day, `${kind} ${isMoved ? 'rescheduled' : 'due'}`),
    CONFIDENCE[named.by],
    named.place,
    reasonFor(thing, day, named),
  );
  const isPast = originAt !== null && day < originAt.slice(0, 10);
  return [isPast ? denied(finding, 'the day lies before the mail') : finding];
}

function asked({ names }: HiddenThing, named: NamedThing): readonly Finding[] {
  const claim = {
    effect: 'action',
    class: null,
    set: {},
    phraseId: 'form: request: confirm',
    verbs: [],
    otherVerbs: [],
  } as const;
  return [formFinding(claim, CONFIRM_CONFIDENCE, named.place, `the mail has a button "${names[0] ?? ''}"`)];
}

function reasonFor({ kind }: HiddenThing, says: string, { by, words }: NamedThing): string {
  return hiddenWords(kind, says, by, words);
}

function anyOf(list: 'notDone' | 'notCancelled'): RegExp {
  const words = Object.values(LABELS).flatMap((one) => wordsIn(one[list]));
  const plain = [...new Set(words.map(viewOf))].map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return wordPattern(plain.join('|').replaceAll('\\-', '-'));
}

function done(topic: TopicName): State {
  return { topic, isDone: true };
}

function not(topic: TopicName): State {
  return { topic, isDone: false };
}
