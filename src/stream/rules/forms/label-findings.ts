import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import { lineWords } from '../../../vault/words/reading-words.ts';
import type { DateOrigin } from '../../dates/origin.ts';
import { type LabelledLine, labelledLines } from '../../forms/labels/labelled-lines.ts';
import { blockText } from '../../forms/labels/lines.ts';
import { folded, type LabelKind, type Standing } from '../../forms/labels/table.ts';
import type { TopicName } from '../../languages/language-table.ts';
import type { Finding } from '../finding.ts';
import { dayClaim, denied, formFinding, type Place, topicClaim } from './claims.ts';
import { dayAt, daysOfMove } from './day.ts';
import { statusIn } from './status.ts';
import { isNothingLeft } from './sum-left.ts';

/** The labelled lines of an event. */
interface Labels {
  readonly event: StreamEvent;
  readonly origin: DateOrigin;
  readonly lines: readonly LabelledLine[];
}

type StatusKind = Extract<LabelKind, `status${string}`>;

const CONFIDENCE = {
  moved: 0.84,
  next: 0.8,
  when: 0.7,
  due: 0.8,
  status: 0.84,
  anyStatus: 0.8,
  nothingLeft: 0.8,
} as const;
const TOPIC_OF: Readonly<Record<Exclude<Standing, 'pending'>, TopicName>> = {
  ...{ paid: 'payment', delivered: 'delivery', booked: 'booking', cancelled: 'cancellation' },
  ...{ signed: 'signature', approved: 'approval', completed: 'completion' },
};
/** What each kind of status line can say. */
const SAID_BY: Readonly<Record<StatusKind, readonly Standing[]>> = {
  status: ['paid', 'delivered', 'cancelled', 'signed', 'approved', 'completed', 'pending'],
  statusOfPayment: ['paid', 'cancelled', 'completed', 'pending'],
  statusOfDelivery: ['delivered', 'cancelled', 'completed', 'pending'],
  statusOfBooking: ['booked', 'cancelled', 'completed', 'pending'],
};
/** What each kind denies where it says that something is still open. */
const DENIED_BY: Readonly<Record<StatusKind, readonly TopicName[]>> = {
  status: ['payment', 'delivery', 'booking', 'completion', 'signature', 'approval'],
  statusOfPayment: ['payment'],
  statusOfDelivery: ['delivery'],
  statusOfBooking: ['booking'],
};
const STATUS_KINDS: readonly StatusKind[] = ['statusOfPayment', 'statusOfDelivery', 'statusOfBooking', 'status'];

/** Returns what the labelled lines of an event's text say was done, called off, moved, or is due. */
export function labelFindings(event: StreamEvent, origin: DateOrigin): readonly Finding[] {
  const labels = { event, origin, lines: labelledLines(event.text) };
  return [...movesIn(labels), ...duesIn(labels), ...labels.lines.flatMap((line) => statusOf(line, labels))];
}

function movesIn(labels: Labels): readonly Finding[] {
  const { lines, origin } = labels;
  const next = datedBy(lines, 'next', origin);
  const hasFormer = datedBy(lines, 'former', origin).length > 0;
  const whens = datedBy(lines, 'when', origin);
  if (next.length > 0) return next.map((one) => dateFinding(one, labels, hasFormer ? 'moved' : 'next'));
  if (hasFormer) return whens.map((one) => dateFinding(one, labels, 'moved'));
  const arrows = lines
    .filter(({ kinds }) => kinds.includes('when'))
    .flatMap((line) => {
      const move = daysOfMove(line.value, origin);
      return move === null || move[0] === move[1] ? [] : [dateFinding({ line, day: move[1] }, labels, 'moved')];
    });
  if (arrows.length > 0) return arrows;
  return whens.filter(({ line }) => isOfAppointment(line, lines)).map((one) => dateFinding(one, labels, 'when'));
}

function duesIn(labels: Labels): readonly Finding[] {
  return datedBy(labels.lines, 'due', labels.origin).map((one) => dateFinding(one, labels, 'due'));
}

/** A line with the day that it names. */
interface DatedLine {
  readonly line: LabelledLine;
  readonly day: string;
}

function datedBy(lines: readonly LabelledLine[], kind: LabelKind, origin: DateOrigin): readonly DatedLine[] {
  return lines
    .filter(({ kinds }) => kinds.includes(kind))
    .flatMap((line) => {
      const day = dayAt(line.value, origin);
      return day === null ? [] : [{ line, day }];
    });
}

/** "Date:" may be the day of anything, unless a line beside it says where, or what. */
function isOfAppointment({ block }: LabelledLine, lines: readonly LabelledLine[]): boolean {
  return lines.some((line) => line.block === block && line.kinds.includes('about') && !line.isBare);
}

function dateFinding({ line, day }: DatedLine, labels: Labels, how: 'moved' | 'next' | 'when' | 'due'): Finding {
  const { originAt } = labels.event;
  const finding = formFinding(
    dayClaim(day, how === 'moved' ? 'next' : how),
    CONFIDENCE[how],
    placeOf(line, labels),
    reasonFor(line),
  );
  const isPast = originAt !== null && day < originAt.slice(0, 10);
  return isPast ? denied(finding, 'the day lies before the mail') : finding;
}

function statusOf(line: LabelledLine, labels: Labels): readonly Finding[] {
  const left = line.kinds.includes('open') ? isNothingLeft(line.value) : null;
  if (left !== null)
    return left ? said(line, labels, 'payment', CONFIDENCE.nothingLeft) : deniedBy(line, labels, ['payment']);
  const kind = STATUS_KINDS.find((one) => line.kinds.includes(one));
  if (kind === undefined) return [];
  const standing = statusIn(line.value, line.isBare);
  if (standing === null || !SAID_BY[kind].includes(standing)) return [];
  if (standing === 'pending') return deniedBy(line, labels, DENIED_BY[kind]);
  const isPayment = kind === 'statusOfPayment' && standing === 'completed';
  const confidence = kind === 'status' ? CONFIDENCE.anyStatus : CONFIDENCE.status;
  return said(line, labels, isPayment ? 'payment' : TOPIC_OF[standing], confidence);
}

function said(line: LabelledLine, labels: Labels, topic: TopicName, confidence: number): readonly Finding[] {
  const claim = topicClaim(topic, folded(line.label));
  return claim === null ? [] : [formFinding(claim, confidence, placeOf(line, labels), reasonFor(line))];
}

function deniedBy(line: LabelledLine, labels: Labels, topics: readonly TopicName[]): readonly Finding[] {
  return topics.flatMap((topic) =>
    said(line, labels, topic, 0).map((one) => denied(one, `still open ("${folded(line.value)}")`)),
  );
}

function placeOf(line: LabelledLine, { event: { text }, lines }: Labels): Place {
  const { start, end, block } = line;
  const beside = lines.filter(({ kinds }) => kinds.includes('reference'));
  const own = beside.filter((one) => one.block === block);
  const references = (own.length > 0 ? own : beside).map(({ value }) => value);
  const around = `${text.slice(start, end)} ${blockText(text, block)}`;
  return { text, start, end, around, references, isSubject: false };
}

function reasonFor({ label }: LabelledLine): string {
  return lineWords(folded(label));
}
