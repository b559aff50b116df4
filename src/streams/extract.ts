import type { Context, IndexAccess, ModelAccess, ReadAccess, Workspace } from '../daemon/context.ts';
import { reportFailure } from '../providers/choice.ts';
import { ProviderError } from '../providers/provider.ts';
import { candidatesFor } from '../reading/candidates.ts';
import { makeAmount, moneyWords } from '../reading/money.ts';
import { ownSubject } from '../reading/own-words.ts';
import {
  heldToOwnWord,
  isNotification,
  mayBeNotification,
  NO_FIT,
  readByPhrases,
  readByRules,
} from '../reading/read-event.ts';
import { isAddressedToProgram, PROGRAM_CEILING, RIVAL_FACTOR } from '../reading/rules.ts';
import {
  findEvidence,
  isBeside,
  lineMeant,
  MAX_CANDIDATES,
  type RankedTarget,
  rankTargets,
  sentenceEndsMatter,
  type TargetCandidate,
  type TargetIndex,
} from '../reading/targets.ts';
import { locate, plainView, quoteAround, type Span, splitSentences } from '../reading/text.ts';
import { mutationContext, permitProposal } from '../steward/change.ts';
import { round4 } from '../steward/gates.ts';
import { findInstinct } from '../steward/instinct.ts';
import { senderStanding } from '../steward/licence.ts';
import { isOwnNote } from '../steward/records.ts';
import {
  backOff,
  type HoldingWindow,
  heldWords,
  recordUnanswered,
  recordUsage,
  releaseCost,
  reserveFor,
  whyNoQuestion,
} from '../steward/spending.ts';
import {
  type Appointment,
  type ExtractionQuestion,
  type Extractor,
  type ExtractorResult,
  type FittingNote,
  type Meaning,
  type StreamEvent,
  TARGET_FLOOR,
} from '../steward/types.ts';
import { boxHeadline, boxWords, DOUBTS, sentenceCase } from '../vault/event-text.ts';
import { oneLine, plainLine, plainText } from '../vault/note-text.ts';
import type { SenderStanding } from '../vault/record.ts';
import { parsePattern, SENT } from '../vault/source-names.ts';
import { localTime } from '../vault/time.ts';
import { readAppointment } from './appointments.ts';
import { partsBeside, readPayment, vouchedPayment } from './payments.ts';
import { makeDrafts, type SignalDraft } from './signal.ts';
import { EXTRACTION_FAULT, type Silence, silentEvent } from './state.ts';
import { syncTargets } from './target-sync.ts';

const MAX_CLOSEST = 3;
const MAX_READER = 300;

/** Returns why an event that was looked into gives no signal; `reason` in the words of whoever read it. */
function silentReading(event: StreamEvent, extracted: ExtractorResult, reason: string, index: TargetIndex): Silence {
  const closest = extracted.compared === undefined ? closestNotes(event, index) : closestOf(extracted.compared);
  const [best] = closest;
  return {
    ...silentEvent(event, reason),
    kind: kindOf(extracted, best !== undefined && best.score >= TARGET_FLOOR),
    by: oneLine(extracted.extractor, MAX_READER),
    closest,
  };
}

function closestNotes(event: StreamEvent, index: TargetIndex): Silence['closest'] {
  const ranked = rankTargets(index, event, null);
  return closestOf(ranked.map(({ candidate, score, evidence }) => ({ note: candidate.path, score, evidence })));
}

function closestOf(fitting: readonly FittingNote[]): Silence['closest'] {
  return fitting.slice(0, MAX_CLOSEST).map(({ note, score, evidence }) => {
    return { note, score: Math.min(1, round4(score)), evidence: [...evidence] };
  });
}

function kindOf({ rejected, usage, unusable, skipped }: ExtractorResult, fits: boolean): Silence['kind'] {
  if (rejected.length > 0) return 'struck';
  if (usage !== null && unusable === null) return 'model-none';
  if (skipped?.startsWith(NO_FIT) === true) return 'no-note';
  return fits ? 'nothing-said' : 'no-note';
}

type Admission = { readonly ok: true; readonly event: StreamEvent } | { readonly ok: false; readonly reason: string };

const DAY_MS = 86_400_000;
/** The vault's owner has long since dealt with older mail. */
const MAX_AGE_DAYS = 14;
/** A calendar entry further ahead is not worth a note yet. */
const MAX_YEARS_AHEAD = 2;
/** A bank's statement is fetched by the month, or by the quarter. */
const MAX_AGE_DAYS_OF_PAYMENTS = 100;
/** Blanks that somebody forgot to fill in. Such a mail is about no particular person, so it is not about the reader. */
const BLANKS =
  /\{\{[^{}\n]{1,40}\}\}|\$\{[^{}\n]{1,40}\}|<<[^<>\n]{1,40}>>|\[(?:(?:YOUR|FIRST|LAST|FULL|CUSTOMER|CLIENT|INVOICE|DUE)[ _])?(?:NAME|AMOUNT|DATE|ADDRESS|NUMBER|BETRAG|DATUM|NOM|MONTANT|NOMBRE|IMPORTE|FECHA|NAAM|BEDRAG|NOME|IMPORTO)\]/;

/**
 * Decides whether rules or a model read an event. They read no old mail, unfilled template or own note, and of bulk mail only
 * notifications: what is about an order, an invoice or a booking of the reader's own.
 */
export function admitted(event: StreamEvent, now: Date): Admission {
  const reason = refusalOf(event, now);
  return reason === null ? { ok: true, event: withDoubt(withBelievableTime(event, now)) } : { ok: false, reason };
}

/** Returns whether a mail is looked into by its headers, or may be by its text below them. */
export function mayBeAdmitted(event: StreamEvent, now: Date): boolean {
  return admitted(mayBeNotification(event) ? { ...event, bulk: false } : event, now).ok;
}

function refusalOf(event: StreamEvent, now: Date): string | null {
  if (event.ownNote) return "the vault's own note";
  const isSent = event.sourceType === SENT;
  if (isSent && event.authentication.result !== 'pass') return `not your own word: ${event.authentication.reason}`;
  const machine = oneLine(event.bulkReason ?? 'sent to many', 60);
  if (event.bulk && (isSent || !isNotification(event)))
    return event.spoken === undefined ? `bulk mail: ${machine}` : machine;
  const blank = BLANKS.exec(`${event.subject}\n${event.text}`)?.[0];
  if (blank !== undefined) return `a template whose blanks are not filled in: ${oneLine(blank, 40)}`;
  if (isPast(event, now)) return pastWords(event);
  if (event.payment?.status === 'pending') return 'not booked yet';
  return event.appointment === undefined ? null : tooFarAhead(event.appointment, now);
}

function pastWords(event: StreamEvent): string {
  return event.appointment === undefined
    ? `older than ${mostDays(event)} days`
    : `over since more than ${MAX_AGE_DAYS} days`;
}

/**
 * Whether an event is too old to be looked into again. An appointment counts at the time when it takes place, not when
 * it was written into a calendar.
 */
export function isPast(event: StreamEvent, now: Date): boolean {
  const { appointment, originAt } = event;
  const at = appointment === undefined ? originAt : (appointment.end ?? appointment.start);
  return at !== null && (now.getTime() - Date.parse(at)) / DAY_MS > mostDays(event);
}

function mostDays({ payment }: StreamEvent): number {
  return payment === undefined ? MAX_AGE_DAYS : MAX_AGE_DAYS_OF_PAYMENTS;
}

function tooFarAhead({ start }: Appointment, now: Date): string | null {
  const ahead = (Date.parse(start) - now.getTime()) / DAY_MS;
  return ahead > MAX_YEARS_AHEAD * 365.25 ? `more than ${MAX_YEARS_AHEAD} years ahead` : null;
}

/** A sender to many may be right about all of them but this one, and words that weren't read may say the opposite. */
function withDoubt(event: StreamEvent): StreamEvent {
  const machine = event.bulk ? [`A machine sent it, perhaps to many (${oneLine(event.bulkReason ?? '', 60)}).`] : [];
  const unread = event.unread === undefined ? [] : [`Some of its words were not read: ${event.unread.reason}.`];
  return { ...event, doubts: [...event.doubts, ...machine, ...unread] };
}

/** A time more than a day in the future is a wrong clock or a forged header, so no date is counted from it. */
function withBelievableTime(event: StreamEvent, now: Date): StreamEvent {
  const time = event.originAt === null ? Number.NaN : Date.parse(event.originAt);
  const isBelievable = !Number.isNaN(time) && time - now.getTime() <= DAY_MS;
  return isBelievable ? event : { ...event, originAt: null };
}

const MAX_SENTENCE = 300;

/**
 * Checks what a model read in an event (contract, section 10). Returns the meanings whose quote is in the event's own
 * words and whose note still exists. Which note is meant is for the model to say; the search in the vault finds the evidence
 * for it. `rejected` lists what was dropped; the reasoning says what was lowered.
 */
export function checked(extracted: ExtractorResult, event: StreamEvent, index: TargetIndex): ExtractorResult {
  const rejected = [...extracted.rejected];
  const accepted: Meaning[] = [];
  for (const claimed of extracted.meanings) {
    const meaning = checkedMeaning(claimed, event, index);
    if (typeof meaning === 'string') rejected.push(meaning);
    else if (accepted.some(({ quote }) => quote === meaning.quote)) rejected.push('a quote that was given before');
    else accepted.push(meaning);
  }
  const meanings = accepted.map((meaning) => againstRivals(meaning, accepted));
  const none = meanings.length === 0 && extracted.meanings.length > 0;
  return { ...extracted, meanings, rejected, skipped: none ? 'no finding that passed the checks' : extracted.skipped };
}

/** Returns the meaning as far as it can be believed, or why it is dropped. */
function checkedMeaning(claimed: Meaning, event: StreamEvent, index: TargetIndex): Meaning | string {
  const target = index.get(claimed.target);
  if (target === null) return 'a note that is gone';
  const quotation = quotationIn(event, claimed.quote);
  if (quotation === null) return 'a quote that is not in the words of its author';
  const clue = { sentence: quotation.sentence, verbs: [], otherVerbs: [], class: claimed.proposal?.class ?? null };
  const ranked = rankTargets(index, event, clue);
  const evidence = findEvidence(index, event, clue, target);
  const meaning = {
    ...claimed,
    quote: quotation.quote,
    // A model chooses among the notes that it was given. By itself that is one kind of evidence, and never enough.
    targetEvidence: claimed.ambiguous ? evidence : [...evidence, 'model' as const],
    targetNear: evidence.length > 0 && isBeside(target, event, clue, index),
    endsMatter: sentenceEndsMatter(quotation.sentence, target),
  };
  const searched = besideSearch(meaning, ranked);
  const tasksOpen = target.kind === 'matter' && index.openTasksOf(target.path).length > 0;
  const { line } = meaning.endsMatter ? {} : lineMeant(event, clue, target);
  const fitting =
    line === undefined
      ? forMatter(searched, target, tasksOpen)
      : remarked({ ...searched, proposal: null, line, headline: boxHeadline(line) }, boxWords(line));
  return againstProgram(fitting, event);
}

interface Quotation {
  readonly quote: string;
  readonly sentence: string;
}

function quotationIn(event: StreamEvent, claimed: string): Quotation | null {
  const words = plainText(claimed);
  if (!/[\p{L}\p{N}]{2}/u.test(words)) return null;
  for (const text of [event.text, ownSubject(event)]) {
    const span = locate(words, text);
    if (span !== null) return { quote: quoteAround(text, span, span), sentence: sentenceAround(text, span) };
  }
  return null;
}

function sentenceAround(text: string, { start, end }: Span): string {
  const sentence = splitSentences(text).find((each) => each.start < end && end <= each.end);
  const from = Math.min(start, sentence?.start ?? start);
  return plainView(text.slice(from, Math.max(end, sentence?.end ?? end))).slice(0, MAX_SENTENCE);
}

/**
 * Adds the candidates of the search, so that a person can choose them. The confidence stays: the model was given the
 * notes.
 */
function besideSearch(meaning: Meaning, ranked: readonly RankedTarget[]): Meaning {
  const fitting = ranked.filter(({ score }) => score >= TARGET_FLOOR).map(({ candidate }) => candidate.path);
  return { ...meaning, candidates: [...new Set([...meaning.candidates, ...fitting])].slice(0, MAX_CANDIDATES) };
}

/**
 * A matter is never due, and only its own end closes it, if all its tasks are closed. The gates ask who may close it.
 */
function forMatter(meaning: Meaning, { kind }: TargetCandidate, tasksOpen: boolean): Meaning {
  const { proposal } = meaning;
  if (kind === 'task' || proposal === null) return meaning;
  if (proposal.set.due !== undefined)
    return remarked({ ...meaning, proposal: null }, 'A matter has no date of its own.');
  if (proposal.class !== 'state_change') return meaning;
  if (tasksOpen) return remarked({ ...meaning, proposal: null }, 'It has open tasks, so no change is proposed.');
  if (!meaning.endsMatter)
    return remarked(
      { ...meaning, proposal: null },
      'It does not say that the matter itself has ended, so no change is proposed.',
    );
  return meaning;
}

function againstProgram(meaning: Meaning, event: StreamEvent): Meaning {
  if (meaning.effectConfidence <= PROGRAM_CEILING || !isAddressedToProgram(event)) return meaning;
  return remarked({ ...meaning, effectConfidence: PROGRAM_CEILING }, 'The mail contains words addressed to a program.');
}

/** Of two values for one field of one note, only one can be true. */
function againstRivals(meaning: Meaning, all: readonly Meaning[]): Meaning {
  const rival = all.find((other) => other !== meaning && other.target === meaning.target && clash(other, meaning));
  if (rival === undefined) return meaning;
  const effectConfidence = round4(meaning.effectConfidence * RIVAL_FACTOR);
  return remarked({ ...meaning, effectConfidence }, `${sentenceCase(DOUBTS.alsoSaid(rival.quote))}.`);
}

function clash(one: Meaning, other: Meaning): boolean {
  const [set, others] = [one.proposal?.set ?? {}, other.proposal?.set ?? {}];
  return Object.keys(set).some((field) => Object.hasOwn(others, field) && set[field] !== others[field]);
}

function remarked(meaning: Meaning, sentence: string): Meaning {
  return { ...meaning, reasoning: `${meaning.reasoning} ${sentence}` };
}

/** An event that was read: the signals it gave, or the reason why it gave no signal. */
export interface EventReading {
  readonly kind: 'understood';
  readonly drafts: readonly SignalDraft[];
  readonly reason: string | null;
  /** The same at length; null if there are signals. */
  readonly silence: Silence | null;
  readonly asked: boolean;
}

/** The model could not be asked: the event counts as unread. */
export interface ModelWait {
  readonly kind: 'waits';
  readonly reason: string;
  /** When to try again (epoch ms); null: when the model answers again. */
  readonly until: number | null;
  /** The limit that leaves no room for the question until then; null if it waits for another reason. */
  readonly window: HoldingWindow | null;
}

/** How long a question waits that the provider rejects, in ms. */
const REJECTED_MS = 60 * 60 * 1000;

/** Reads one event with the extractor that the settings name, and checks a model's answer before it becomes signals. */
export async function extract(
  space: Workspace,
  event: StreamEvent,
  abort: AbortSignal,
): Promise<EventReading | ModelWait> {
  const admission = admitted(event, new Date(space.context.now()));
  if (!admission.ok) return notAdmitted(event, admission.reason, false);
  if (event.unread?.isWhole === true) return notRead(space, event, event.unread.reason, false);
  const vouched = vouchedPayment(admission.event, space.context.settings.trusted_bank_accounts);
  const extracted = await extractedFrom(space, vouched, abort);
  return 'kind' in extracted ? extracted : understood(space, vouched, extracted);
}

/**
 * Returns the question to a model about an event; null if no model is asked, or no note could be meant by the event.
 */
export function questionFor(space: Workspace, event: StreamEvent): ExtractionQuestion | null {
  const isAsked = space.models.extractor.asksModel && !tellsInFields(event) && !isWordless(event);
  const admission = isAsked ? admitted(event, new Date(space.context.now())) : null;
  if (admission?.ok !== true) return null;
  const candidates = candidatesFor(admission.event, syncTargets(space));
  return candidates.length === 0 ? null : { event: admission.event, candidates, now: space.context.now() };
}

// No model has to find out what a channel says by an id, or in fields.
function tellsInFields({ about, appointment, payment }: StreamEvent): boolean {
  return [about, appointment, payment].some((one) => one !== undefined);
}

function isWordless({ text, unread }: StreamEvent): boolean {
  return unread !== undefined && text === '';
}

/** Reads an event by an answer that a model gave about it earlier; the answer is checked like any other. */
export function extractAnswered(space: Workspace, event: StreamEvent, answer: ExtractorResult): EventReading {
  const admission = admitted(event, new Date(space.context.now()));
  if (!admission.ok) return notAdmitted(event, admission.reason, true);
  if (event.unread?.isWhole === true) return notRead(space, event, event.unread.reason, true);
  return understood(space, admission.event, usable(space, admission.event, answer));
}

function notAdmitted(event: StreamEvent, reason: string, asked: boolean): EventReading {
  return { kind: 'understood', drafts: [], reason, silence: silentEvent(event, reason), asked };
}

/** Returns that the words of an event weren't read, with the notes that its subject could be about. */
function notRead(
  space: IndexAccess & Pick<Workspace, 'ingest'>,
  event: StreamEvent,
  reason: string,
  asked: boolean,
): EventReading {
  const silence = { ...silentEvent(event, reason, 'not-read'), closest: closestNotes(event, syncTargets(space).index) };
  return { kind: 'understood', drafts: [], reason: silence.reason, silence, asked };
}

function understood(space: Workspace, event: StreamEvent, extracted: ExtractorResult): EventReading {
  const struck = struckWords(extracted.rejected);
  const meanings = extracted.meanings.map((meaning, nth) => (nth === 0 ? withSentence(meaning, struck) : meaning));
  const drafts = makeDrafts(event, { ...extracted, meanings }, syncTargets(space).index, {
    now: new Date(space.context.now()),
    own: { names: space.context.settings.own_names, addresses: space.context.ownAddresses?.() ?? [] },
    confidenceOf: (source) => findInstinct(space, source).confidence,
    standingOf: (source, target) => standingOn(space, source, target),
  });
  const none = [extracted.skipped ?? 'no news for a matter', struck].filter((part) => part !== '').join('. ');
  const asked = extracted.usage !== null;
  if (drafts.length > 0) return { kind: 'understood', drafts, reason: null, silence: null, asked };
  const unread = extracted.unread ?? event.unread?.reason;
  if (unread !== undefined) return notRead(space, event, unread, asked);
  const silence = silentReading(event, extracted, none, syncTargets(space).index);
  return { kind: 'understood', drafts, reason: none, silence, asked };
}

function standingOn(space: IndexAccess, source: string, path: string): SenderStanding {
  const target = space.vault.catalogue.get(path);
  if (target?.kind !== 'task' && target?.kind !== 'matter') return 'unknown';
  return senderStanding(space, { source, pattern: parsePattern(source), writer: 'own' }, target);
}

async function extractedFrom(
  space: Workspace,
  event: StreamEvent,
  abort: AbortSignal,
): Promise<ExtractorResult | ModelWait> {
  const { extractor } = space.models;
  const targets = syncTargets(space);
  const stated = statedIn(event, targets.index);
  if (stated !== null) return permitted(space, stated);
  if (event.appointment !== undefined) {
    return permitted(space, readAppointment(event, targets.index, localTime(space.context.now()).slice(0, 16)));
  }
  if (event.payment !== undefined)
    return permitted(
      space,
      readPayment(event, targets.index, (task) => partsOf(space, event, task)),
    );
  const asked = { event, now: space.context.now() };
  // If the channel names the note, the rules read its few words: the model isn't needed to find the note.
  if (event.about !== undefined) return readByPhrases(event, targets.index);
  if (!extractor.asksModel) return extractor.extract({ ...asked, candidates: [] }, abort);
  if (isWordless(event)) return readByRules(event, targets);
  const question = { ...asked, candidates: candidatesFor(event, targets) };
  if (question.candidates.length === 0) {
    const { unread: _, ...read } = readByRules(event, targets);
    return { ...read, meanings: [], skipped: NO_FIT };
  }
  const answer = await askModel(space, question, abort);
  if ('kind' in answer) return mayStandIn(space.context, abort) ? byRules(space, event, 'could not be asked') : answer;
  return usable(space, event, answer);
}

function usable(space: Workspace, event: StreamEvent, answer: ExtractorResult): ExtractorResult {
  const read = answer.unusable === null ? verified(space, event, answer) : answer;
  return answerOrRules(read, (why) => byRules(space, event, why));
}

/**
 * Returns a checked answer of a model. If the answer is unusable, or about other notes, returns the findings of the
 * rules: no mail is lost with a model that is read without one.
 */
export function answerOrRules(answer: ExtractorResult, byRules: (why: string) => ExtractorResult): ExtractorResult {
  const { unusable, meanings, rejected, usage } = answer;
  if (unusable !== null) return { ...byRules(`gave no reply that could be used: ${unusable}`), usage };
  if (meanings.length > 0 || rejected.length === 0) return answer;
  const read = byRules('named no note and quote that could be used');
  return read.meanings.length === 0 ? answer : { ...read, rejected, usage };
}

/** The parts of a task's sum that other bank lines have paid, by the program's own signals. */
function partsOf(
  space: Workspace,
  { path: event, originAt: at, payment }: StreamEvent,
  path: string,
): readonly string[] {
  const { catalogue } = space.vault;
  const task = catalogue.get(path);
  const signals = task?.kind === 'task' ? catalogue.signalsFor(task) : [];
  const others = signals
    .filter((signal) => signal.fields.source_event_path !== event && isOwnNote(space, signal))
    .flatMap(({ fields: { paid, source_event_path: from, origin_at: told } }) =>
      paid === null ? [] : [{ file: fileOf(from ?? ''), day: (told ?? '').slice(0, 10), paid }],
    );
  const sum = payment === undefined ? null : makeAmount(payment.amount, payment.currency);
  if (payment === undefined || sum === null) return [];
  return partsBeside({ file: fileOf(event), day: (at ?? payment.day).slice(0, 10), paid: moneyWords(sum) }, others);
}

/** The file of an event: `stream/bank/november.csv` of `stream/bank/november.csv#3f2a9c1b04de`. */
function fileOf(event: string): string {
  return event.replace(/#[^#/]*$/, '');
}

function verified(space: Workspace, event: StreamEvent, answer: ExtractorResult): ExtractorResult {
  const read = checked(answer, event, syncTargets(space).index);
  return permitted(space, { ...read, meanings: heldToOwnWord(read.meanings, event) });
}

function mayStandIn({ settings }: Context, abort: AbortSignal): boolean {
  return settings.evaluator_fallback === 'rules' && !abort.aborted;
}

function byRules(space: Workspace, event: StreamEvent, why: string): ExtractorResult {
  const instead = `rules (embedded; ${space.models.extractor.name} ${why.replace(/\.$/, '')})`;
  return { ...readByRules(event, syncTargets(space)), extractor: instead };
}

/** Asks within the budget and the provider's own limits: the estimate is set aside, then replaced by the real cost. */
async function askModel(
  space: Workspace,
  question: ExtractionQuestion,
  abort: AbortSignal,
): Promise<ExtractorResult | ModelWait> {
  const {
    models: { extractor },
  } = space;
  const held = waitForRoom(space.context);
  if (held !== null) return held;
  const cost = reserveFor(space.context, questionMatter(space, question), extractor.estimate?.(question) ?? null);
  if (!cost.ok) return waits(cost.refusal.reason, cost.refusal.freeAt, cost.refusal.window);
  try {
    const extracted = await extractor.extract(question, abort);
    recordUsage(space.context, cost.id, extracted.usage);
    space.problems.faults.delete(EXTRACTION_FAULT);
    return extracted;
  } catch (error) {
    if (!abort.aborted && !(error instanceof ProviderError)) throw error;
    return unanswered(space, extractor, error, cost.id, abort);
  }
}

function unanswered(
  space: ModelAccess,
  asked: Extractor,
  error: unknown,
  cost: number | null,
  abort: AbortSignal,
): ModelWait {
  const failure = error instanceof ProviderError ? error : null;
  if (failure === null) releaseCost(space.context, cost);
  else recordUnanswered(space.context, cost, failure);
  if (failure === null || abort.aborted) return waits('the program ends', null);
  if (failure.retryAfter !== undefined) backOff(space.context, failure.retryAfter);
  if (asked === space.models.extractor) reportFailure(space, EXTRACTION_FAULT, failure);
  if (failure.failure === 'rejected') return waits(failure.message, space.context.now() + REJECTED_MS);
  const isToWait = failure.retryAfter !== undefined || failure.failure === 'no-room';
  return (isToWait ? waitForRoom(space.context) : null) ?? waits(failure.message, null);
}

/** Why no question may be sent now, and until when; null if one may. */
export function waitForRoom(context: Context): ModelWait | null {
  const held = whyNoQuestion(context);
  return held === null ? null : waits(heldWords(held, context.now()), held.freeAt, held.window);
}

/** The event is as unread as before, until then (epoch ms), or until the model answers again. */
function waits(reason: string, until: number | null, window: HoldingWindow | null = null): ModelWait {
  return { kind: 'waits', reason, until, window };
}

/**
 * Returns the path of the matter that a question is asked for: that of the best candidate; null if it has no matter.
 */
function questionMatter(space: Workspace, { candidates }: ExtractionQuestion): string | null {
  const [best] = candidates;
  if (best === undefined || best.why === '') return null;
  if (best.kind === 'matter') return best.path;
  return syncTargets(space).index.get(best.path)?.matterPath ?? null;
}

/**
 * Keeps the proposals that a signal may make at all; the gates decide later whether they fit the note as it is then.
 */
function permitted(space: ReadAccess, extracted: ExtractorResult): ExtractorResult {
  return { ...extracted, meanings: extracted.meanings.map((meaning) => permittedMeaning(space, meaning)) };
}

function permittedMeaning(space: ReadAccess, meaning: Meaning): Meaning {
  const target = space.vault.catalogue.get(meaning.target);
  const note = space.notes.fresh(meaning.target);
  if (meaning.proposal === null || note === null) return meaning;
  if (target?.kind !== 'task' && target?.kind !== 'matter') return meaning;
  const permission = permitProposal(meaning.proposal, { ...mutationContext(space, target, note.data), state: 'open' });
  // A change that only a person can make is proposed as a question.
  if (permission.ok || permission.byHand === true) return meaning;
  return withSentence({ ...meaning, proposal: null }, `The change it proposed was struck out: ${permission.reason}`);
}

function withSentence(meaning: Meaning, sentence: string): Meaning {
  return { ...meaning, reasoning: `${meaning.reasoning} ${plainLine(sentence, 300)}`.trim() };
}

/** `Struck out of the reply: 2 × a quote that is not …`; empty if the reply was complete. */
function struckWords(rejected: readonly string[]): string {
  const kinds = Map.groupBy(rejected, (one) => one);
  const counted = [...kinds].map(([kind, all]) => `${all.length} × ${kind}`);
  return counted.length === 0 ? '' : `Struck out of the reply: ${counted.join(', ')}.`;
}

export const MAX_REASON = 300;

/** Returns the meaning of an event by its fields; null if its words must be read. Asks no model. */
function statedIn(event: StreamEvent, index: TargetIndex): ExtractorResult | null {
  const { about, stated } = event;
  const target = about === undefined ? null : index.get(about);
  if (stated === undefined || target === null) return null;
  const meaning = {
    target: target.path,
    candidates: [target.path],
    ambiguous: false,
    targetConfidence: 1,
    targetEvidence: ['link' as const],
    targetNear: true,
    endsMatter: false,
    quote: stated.quote,
    proposal: stated.proposal,
    effectConfidence: 1,
    reasoning: stated.reasoning,
  };
  const isSaid = stated.proposal.set.state !== undefined && stated.proposal.set.state === target.state;
  return {
    meanings: isSaid ? [] : [meaning],
    skipped: isSaid ? 'the task says so already' : null,
    rejected: [],
    unusable: null,
    extractor: stated.extractor,
    usage: null,
  };
}
