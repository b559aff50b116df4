import { instinctOf, silenceOf, thresholdOf } from '../../steward/learning/sources.ts';
import { isOwnNote } from '../../steward/ports/own-notes.ts';
import { answerOf, comesAfter } from '../../steward/proposals/proposal-status.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import { licenceWords, timesWords } from '../../steward/trust/licence-words.ts';
import { type Licence, licencesOn, licensingMatter } from '../../steward/trust/licences.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { stem } from '../../vault/note-names.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { EVENT_TYPES } from '../../vault/records/event.ts';
import { sourceKey } from '../../vault/source-names.ts';
import { iso } from '../../vault/time.ts';
import type { IndexAccess } from '../context/ports.ts';
import { BLANK, type Explanation, type SourceOutcome, type Times } from './explanation.ts';
import { orNone, timed } from './wording.ts';

/** How many outcomes are told; the history in the instinct note holds more. */
const TOLD = 30;

/**
 * Explains a source: how far it is believed, what it has shown, and where it may act. Null where nothing was ever heard
 * of it. `note`: what the explanation is about, as it was asked.
 */
export function explainSource(space: IndexAccess, source: string, note: string, times: Times): Explanation | null {
  const events = eventsOf(space, source);
  if (events.length === 0 && space.vault.catalogue.instinctOf(source) === null) return null;
  const outcomes = events.flatMap((event) => outcomeOf(space, event));
  const places = licencesOf(space, source, events);
  return {
    ...BLANK,
    note,
    kind: 'instinct',
    sentence: sentenceFor(space, source),
    sections: [
      { title: 'What was learnt', lines: learntLines(space, source) },
      { title: 'Outcomes', lines: orNone(outcomeLines(outcomes, times)) },
      { title: 'Where it may act', lines: orNone(places.map(({ licence, where }) => licenceWords(licence, where))) },
    ],
    licences: places.map(({ licence }) => licence),
    outcomes,
  };
}

function sentenceFor(space: IndexAccess, source: string): string {
  const needs = thresholdOf(space, source, null);
  if (needs === null) return `Signals from ${source} stay unheard: ${silenceOf(space, source)}`;
  const { confidence } = instinctOf(space, source);
  return `Trust in ${source} is ${confidence}; its signals must reach ${needs} to act.`;
}

function learntLines(space: IndexAccess, source: string): string[] {
  const { observations, wrong, reversals, status, pinned, pinnedBy } = instinctOf(space, source);
  const record = space.vault.catalogue.instinctOf(source);
  return [
    `right ${timesWords(observations)}, wrong ${timesWords(wrong)}, taken back ${timesWords(reversals)}`,
    `it is ${status}${pinned ? `, and pinned by ${pinnedBy === 'steward' ? 'the steward' : 'a person'}` : ''}`,
    record === null ? 'no note yet: its trust has not moved' : `its history: ${record.path}`,
  ];
}

/** The program's own decisions that rest on a source, newest first. */
function eventsOf(space: IndexAccess, source: string): EventRecord[] {
  const key = sourceKey(source);
  return space.vault.catalogue
    .events()
    .filter(({ fields }) => EVENT_TYPES.some((type) => type === fields.type))
    .filter(({ fields }) =>
      Object.entries(fields.source_contributions).some(([one, share]) => share > 0 && sourceKey(one) === key),
    )
    .filter((event) => isOwnNote(space, event))
    .sort((one, other) => (comesAfter(one, other) ? -1 : 1));
}

function outcomeOf(space: IndexAccess, event: EventRecord): SourceOutcome[] {
  const answer = answerOf(space, event);
  const made = answer !== null && answer.fields.dismisses === null ? answer : event;
  const of = (record: EventRecord, outcome: SourceOutcome['outcome'], by: string, at: string | null) => {
    const moment = momentOf(record.name, at);
    return [
      { event: record.name, outcome, by, at: Number.isFinite(moment) ? iso(moment) : null, target: nameOf(event) },
    ];
  };
  if (isReversed(space, made) || isReversed(space, event))
    return of(made, 'wrong', 'taken back', made.fields.timestamp);
  if (answer !== null) {
    const isConfirmed = answer === made;
    return of(
      answer,
      isConfirmed ? 'right' : 'wrong',
      isConfirmed ? 'confirmed' : 'dismissed',
      answer.fields.timestamp,
    );
  }
  const { taught, taught_by: by, taught_at: at, timestamp } = event.fields;
  return taught === null || taught === 'nothing' ? [] : of(event, taught, by ?? taught, at ?? timestamp);
}

function nameOf({ fields }: EventRecord): string | null {
  return fields.target_path === null ? null : stem(fields.target_path);
}

function outcomeLines(outcomes: readonly SourceOutcome[], times: Times): string[] {
  const lines = outcomes.slice(0, TOLD).map(({ event, outcome, by, at, target }) => {
    const about = target === null ? '' : ` on ${target}`;
    return `${outcome}: ${by}${about}${at === null ? '' : `, ${timed(at, times)}`}: [[${event}]]`;
  });
  return outcomes.length > TOLD ? [...lines, `and ${outcomes.length - TOLD} before these`] : lines;
}

/** What the source may do on each matter that its events are about. */
function licencesOf(space: IndexAccess, source: string, events: readonly EventRecord[]) {
  const { catalogue } = space.vault;
  const targets = new Map<string, TargetRecord>();
  for (const { fields } of events) {
    const target = fields.target_path === null ? undefined : catalogue.get(catalogue.currentPath(fields.target_path));
    if (target?.kind !== 'task' && target?.kind !== 'matter') continue;
    const where = licensingMatter(space, target) ?? target.name;
    if (!targets.has(where)) targets.set(where, target);
  }
  return [...targets].flatMap(([where, target]): { where: string; licence: Licence }[] =>
    licencesOn(space, target)
      .filter((licence) => sourceKey(licence.source) === sourceKey(source))
      .map((licence) => ({ where, licence })),
  );
}
