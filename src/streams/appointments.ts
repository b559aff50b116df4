import { findCodes } from '../reading/money.ts';
import {
  byNouns,
  type Clue,
  dueBy,
  findLeads,
  hasPassed,
  isBeside,
  isNear,
  isSameDate,
  MAX_CANDIDATES,
  ofMatter,
  type RankedTarget,
  rankTargets,
  SCORE,
  type TargetCandidate,
  type TargetIndex,
} from '../reading/targets.ts';
import { findLinks, MAX_QUOTE_CHARACTERS, stem, stemmedWords, tellingWords } from '../reading/text.ts';
import { round4 } from '../steward/gates.ts';
import {
  type Appointment,
  type ExtractorResult,
  type Meaning,
  type StreamEvent,
  TARGET_FLOOR,
} from '../steward/types.ts';
import { pointsTo } from '../vault/event-text.ts';
import { cutAt, oneLine } from '../vault/note-text.ts';
import { type MutationProposal, parseState } from '../vault/record.ts';
import { parseVersionStart } from './stream.ts';

/** A number or code that one note alone has names it as well as its sender's address does. */
const REFERENCE = SCORE.sender;
/** Words in common that are no name as a whole: most of them must be there. */
const WORDS_FLOOR = 0.7;

/**
 * Returns the notes that an appointment may be about, best first, each with its score and why. Names and keywords are looked
 * for in its title; in its description only what is meant to point somewhere: links, numbers and codes.
 */
function fittingNotes(event: StreamEvent, index: TargetIndex): readonly RankedTarget[] {
  const ranked = rankTargets(index, { ...event, text: pointersIn(event.text) }, clueOf(event));
  const all = new Map(ranked.map((each) => [each.candidate.path, each]));
  for (const found of referencedIn(event, index)) {
    const known = all.get(found.candidate.path) ?? found;
    if (known === found || known.score < found.score) {
      all.set(known.candidate.path, { ...found, evidence: known.evidence });
    }
  }
  return [...all.values()]
    .filter(({ candidate, evidence }) => isPointer(evidence) || !isOfItsOwn(event.subject, candidate))
    .filter(({ score, evidence }) => score >= (evidence.every((kind) => kind === 'words') ? WORDS_FLOOR : TARGET_FLOOR))
    .toSorted((one, other) => other.score - one.score);
}

// A link is meant; what only the organiser points to gets no date anyway.
function isPointer(evidence: RankedTarget['evidence']): boolean {
  return evidence.includes('link') || evidence.every((kind) => kind === 'sender');
}

/** Activities at an appointment, in six languages: each group is one activity. */
const ACTIVITIES = [
  'call phone ring anruf anrufen telefonat telefonieren telefontermin appel appeler téléphoner llamada llamar chiamata chiamare telefonata bellen telefoontje',
  'meet meeting treffen besprechung besprechen sitzung réunion rencontrer reunión reunirse riunione incontro incontrare vergadering overleg bespreking',
  'discuss talk chat gespräch reden entretien discuter parler hablar conversación colloquio parlare gesprek praten',
  'visit viewing view inspect inspection besuch besuchen besichtigung besichtigen visite visiter visita visitar visitare bezichtiging bezichtigen bezoek bezoeken',
  'lunch dinner breakfast coffee mittagessen abendessen kaffee déjeuner dîner almuerzo cena pranzo koffie',
  'review prepare preparation vorbereiten vorbereitung préparer préparation revisar preparar rivedere preparare voorbereiden doornemen',
];
const ACTIVITY_OF: ReadonlyMap<string, number> = new Map(
  ACTIVITIES.flatMap((group, nth) => group.split(' ').map((word) => [stem(word), nth] as const)),
);

/**
 * Whether a title says another activity than a task does: "Call with the notary about the deed" isn't when *Sign the deed* is due.
 * A title that has all words of the task is about the task.
 */
function isOfItsOwn(title: string, { kind, name }: TargetCandidate): boolean {
  if (kind !== 'task') return false;
  const [said, own] = [new Set(stemmedWords(title)), tellingWords(name)];
  if (own.every((word) => said.has(word))) return false;
  const theirs = new Set(stemmedWords(name).map((word) => ACTIVITY_OF.get(word)));
  const named = [...said].flatMap((word) => ACTIVITY_OF.get(word) ?? []);
  return named.length > 0 && named.every((activity) => !theirs.has(activity));
}

function leadsStraight(note: TargetCandidate, event: StreamEvent, index: TargetIndex): boolean {
  const linked = new Set(findLinks(event.text).flatMap(({ target }) => index.byLink(target)));
  return (linked.size === 1 && linked.has(note.path)) || isBeside(note, event, clueOf(event), index);
}

function clueOf({ subject }: StreamEvent): Clue {
  return { sentence: subject, verbs: [], otherVerbs: [], class: 'context_edit' };
}

function pointersIn(text: string): string {
  return [...findLinks(text).map(({ target }) => `[[${target}]]`), ...findCodes(text)].join('\n');
}

function referencedIn({ subject, text, from }: StreamEvent, index: TargetIndex): RankedTarget[] {
  const senders = new Set(index.bySender(from ?? '').map(({ path }) => path));
  const paths = new Map([...findCodes(`${subject}\n${text}`)].map((code) => [index.byReference(code), code] as const));
  return [...paths].flatMap(([path, code]) => {
    const candidate = path === null ? null : index.get(path);
    if (candidate === null) return [];
    const isSender = senders.has(candidate.path) || senders.has(candidate.matterPath ?? '');
    const evidence = isSender ? (['reference', 'sender'] as const) : (['reference'] as const);
    return [
      {
        candidate,
        score: isSender ? SCORE.senderAndPhrase : REFERENCE,
        leads: byNouns(`the number ${code}`),
        evidence,
      },
    ];
  });
}

/** An appointment with the notes that fit it, best first. */
interface AppointmentFits {
  readonly event: StreamEvent;
  readonly appointment: Appointment;
  readonly fits: readonly RankedTarget[];
  readonly index: TargetIndex;
}

interface Finding {
  readonly says: string;
  readonly proposal: MutationProposal | null;
  readonly confidence: number;
}

/** That a date moved is told by the calendar itself; that an entry is a task's date is found by its words. */
const CONFIDENCE = { moved: 0.95, cancelled: 0.9, first: 0.85 } as const;
const TENTATIVE = 0.7;
const MAX_SHOWN = 120;

/**
 * Returns what an appointment means for the notes in the index, or why it has no meaning for them. `now`: local,
 * `YYYY-MM-DDTHH:mm`. It gives a task its date, moves it along, or says that it is cancelled; never that anything is
 * done.
 */
export function readAppointment(event: StreamEvent, index: TargetIndex, now: string): ExtractorResult {
  const { appointment } = event;
  if (appointment === undefined) return nothing("it isn't an appointment");
  if (hasPassed(appointment, now)) return nothing('it has passed');
  const fits = fittingNotes(event, index);
  if (fits.length === 0) return nothing('no note fits');
  const asked = { event, appointment, fits, index };
  if (appointment.status === 'cancelled') return cancelled(asked);
  const known = moved(asked) ?? movedBack(asked);
  if (known !== null) return known;
  // The series says when its next one is, moved ones included.
  return appointment.ofSeries === true ? nothing('one of a series that is read as a whole') : dated(asked);
}

/** A cancelled appointment may come again on another day, or never: that is for a person to say. */
function cancelled(asked: AppointmentFits): ExtractorResult {
  const { start } = asked.appointment;
  const standing = tasksOn([start, ...formerStarts(asked)], asked);
  if (standing.length === 0) return nothing('it is cancelled, and no task that fits has its date');
  const says = `The calendar says that the appointment on ${shown(start)} is cancelled.`;
  return found(standing, asked, () => ({ says, proposal: null, confidence: CONFIDENCE.cancelled }));
}

/** Null if the appointment has not moved, or no task has its former date. */
function moved(asked: AppointmentFits): ExtractorResult | null {
  const standing = tasksOn(formerStarts(asked), asked);
  if (standing.length === 0) return null;
  const { start } = asked.appointment;
  return found(standing, asked, (task) => {
    if (isSameDate(task.due ?? '', start)) return 'the task has its new date already';
    const says = `The appointment moved from ${shown(task.due ?? '')} to ${shown(start)}, and the task with it.`;
    return { says, proposal: due(task, start), confidence: CONFIDENCE.moved };
  });
}

/** It moved away and came back, and the task has not moved: a person who was asked to move it should know. */
function movedBack(asked: AppointmentFits): ExtractorResult | null {
  const { event, appointment } = asked;
  const starts = versionStarts(event);
  const away = starts.at(-1);
  if (appointment.series === true || away === undefined || away === appointment.start) return null;
  const standing = starts.includes(appointment.start) ? tasksOn([appointment.start], asked) : [];
  if (standing.length === 0) return null;
  const says = `The appointment is back on ${shown(appointment.start)}, where the task is, and no longer on ${shown(away)}.`;
  return found(standing, asked, () => ({ says, proposal: null, confidence: CONFIDENCE.moved }));
}

function dated(asked: AppointmentFits): ExtractorResult {
  const { appointment, fits } = asked;
  const [best] = fits;
  if (best === undefined || best.candidate.kind === 'matter') return nothing('no task fits best');
  if (best.evidence.every((kind) => kind === 'sender')) return nothing('only its organiser points to a task');
  if (appointment.series === true && !namesAlone(fits))
    return nothing("a series, and its title doesn't name a single task");
  return found(fits, asked, (task) => {
    const own = task.due ?? task.scheduled ?? null;
    if (own !== null && isSameDate(own, appointment.start)) return 'the task has this date already';
    if (own !== null) return `the task has another date: ${oneLine(own, 20)}`;
    const says = `The calendar has its date: ${shown(appointment.start)}.`;
    return { says, proposal: due(task, appointment.start), confidence: CONFIDENCE.first };
  });
}

/** Returns the result for the best of some notes. `read`: its finding, or why there isn't one. */
function found(
  notes: readonly RankedTarget[],
  { event, appointment, index }: AppointmentFits,
  read: (task: TargetCandidate) => Finding | string,
): ExtractorResult {
  const [best, second] = notes;
  const quote = quoteOf(event);
  if (best === undefined || quote === '') return nothing('it has no words');
  if (isOver(best.candidate)) return nothing('the task is done');
  const finding = read(best.candidate);
  if (typeof finding === 'string') return nothing(finding);
  const { says, proposal, confidence } = finding;
  const ambiguous = second !== undefined && isNear(best.score, second.score);
  const isTentative = appointment.status === 'tentative';
  const meaning: Meaning = {
    target: best.candidate.path,
    ambiguous,
    targetConfidence: round4(best.score),
    candidates: notes.slice(0, MAX_CANDIDATES).map(({ candidate }) => candidate.path),
    targetEvidence: best.evidence,
    targetNear: leadsStraight(best.candidate, event, index),
    endsMatter: false,
    quote,
    proposal,
    ...(proposal === null || appointment.start.length <= 10 ? {} : { time: appointment.start.slice(11, 16) }),
    // A question to a person says more than the appointment's title.
    ...(proposal === null ? { headline: says } : {}),
    effectConfidence: round4(isTentative ? confidence * TENTATIVE : confidence),
    reasoning: `${says}${isTentative ? ' It is not firm yet.' : ''} ${pointsTo(calledBy(findLeads(best.leads, event)), best.candidate.name, ambiguous ? second.candidate.name : null)}`,
  };
  return { ...nothing(null), meanings: [meaning] };
}

/** Returns the tasks whose date is one of some starts: those that fit, and those of the matters that fit. */
function tasksOn(starts: readonly string[], { fits, index }: AppointmentFits): readonly RankedTarget[] {
  const under = fits.flatMap(({ candidate, score, evidence, leads }) => {
    const tasks = candidate.kind === 'matter' ? index.openTasksOf(candidate.path) : [];
    return tasks.map((task) => ({
      candidate: task,
      score,
      leads: { ...ofMatter(leads), nouns: [...ofMatter(leads).nouns, 'the date'] },
      evidence,
    }));
  });
  const all = new Map([...under, ...fits].map((each) => [each.candidate.path, each]));
  return [...all.values()]
    .filter(({ candidate: { due } }) => starts.some((start) => typeof due === 'string' && isSameDate(due, start)))
    .toSorted((one, other) => other.score - one.score);
}

/**
 * The start before the move, by the calendar itself or by its former versions. The next one of a series has not moved.
 */
function formerStarts({ event, appointment }: AppointmentFits): readonly string[] {
  if (appointment.series === true) return [];
  return [appointment.movedFrom, ...versionStarts(event)]
    .filter((start) => start !== null)
    .filter((start) => start !== appointment.start);
}

/** The starts in all versions that were read, oldest first: what was proposed of one may not have been confirmed. */
function versionStarts({ replaces = [] }: StreamEvent): readonly string[] {
  return replaces.map(parseVersionStart).filter((start) => start !== null);
}

function calledBy<Led extends { readonly nouns: readonly string[] }>(leads: Led): Led {
  return { ...leads, nouns: leads.nouns.map((noun) => noun.replace('the sender', 'the organiser')) };
}

/** Whether the best note is named, or linked to, as no other is. */
function namesAlone([best, second]: readonly RankedTarget[]): boolean {
  const isNamed = best?.evidence.some((kind) => kind === 'name' || kind === 'keyword' || kind === 'link') === true;
  return isNamed && (second === undefined || !isNear(best.score, second.score));
}

function isOver({ state }: TargetCandidate): boolean {
  const known = parseState(state);
  return known === 'done' || known === 'archived';
}

function due(task: TargetCandidate, start: string): MutationProposal {
  return { class: 'context_edit', set: { due: dueBy(task, start) }, add: {}, remove: {} };
}

function quoteOf({ subject, appointment, text }: StreamEvent): string {
  const words =
    [subject, appointment?.location ?? '', ...text.split('\n', 20)].find((line) => line.trim() !== '') ?? '';
  return cutAt(words.trim(), MAX_QUOTE_CHARACTERS).trim();
}

function shown(start: string): string {
  return oneLine(start.replace('T', ' '), MAX_SHOWN);
}

function nothing(skipped: string | null): ExtractorResult {
  return { meanings: [], skipped, rejected: [], unusable: null, extractor: 'calendar (embedded)', usage: null };
}
