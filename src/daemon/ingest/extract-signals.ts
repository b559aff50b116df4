import { plainLine } from '../../model/plain.ts';
import { ProviderError } from '../../model/provider/provider-error.ts';
import { permitProposal } from '../../steward/changes/change-policy.ts';
import { mutationContext } from '../../steward/changes/permission.ts';
import { instinctOf } from '../../steward/learning/sources.ts';
import type { Extracted, ExtractionQuestion, Extractor, Meaning } from '../../steward/ports/extractor.ts';
import { isOwnNote } from '../../steward/ports/own-notes.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { standingOf } from '../../steward/trust/licence.ts';
import { admitted } from '../../stream/admission.ts';
import { readAppointment } from '../../stream/appointments/read-appointment.ts';
import { checked } from '../../stream/checking.ts';
import { draftsOf, type SignalDraft } from '../../stream/draft.ts';
import { amountOf, moneyWords } from '../../stream/money/amount.ts';
import { partsBeside } from '../../stream/payments/parts.ts';
import { readPayment } from '../../stream/payments/read-payment.ts';
import { vouchedPayment } from '../../stream/payments/vouching.ts';
import { NO_FIT, readByPhrases, readByRules } from '../../stream/rules-extractor.ts';
import { type Silence, silentEvent } from '../../stream/silence.ts';
import { silentReading } from '../../stream/silent-reading.ts';
import { candidatesFor } from '../../stream/targets/candidates.ts';
import type { SenderStanding } from '../../vault/records/signal.ts';
import { patternOf } from '../../vault/source-names.ts';
import { localTime } from '../../vault/time.ts';
import { backOff } from '../budget/provider-backoff.ts';
import { whyNoQuestion } from '../budget/question-door.ts';
import { recordUnanswered, recordUsage, releaseCost, reserveFor } from '../budget/reservation.ts';
import { type HoldingWindow, heldWords } from '../budget/window-words.ts';
import type { Context, IndexAccess, ModelAccess, ReadAccess, Workspace } from '../context/ports.ts';
import { reportFailure } from '../decide/evaluator-choice.ts';
import { EXTRACTION_FAULT } from './extractor-choice.ts';
import { statedIn } from './plane-file.ts';
import { targetsOf } from './target-sync.ts';

/** An event that was read: the signals it gave, or the reason why there are none. */
export interface Understood {
  readonly kind: 'understood';
  readonly drafts: readonly SignalDraft[];
  readonly reason: string | null;
  /** The same at length; null where there are signals. */
  readonly silence: Silence | null;
  /** Whether a model was asked. */
  readonly asked: boolean;
}

/** The model could not be asked: the event counts as unread. */
export interface Waits {
  readonly kind: 'waits';
  readonly reason: string;
  /** When to try again (epoch ms); null: when the model answers again. */
  readonly until: number | null;
  /** What has no room for the question until then; null where it waits for another reason. */
  readonly window: HoldingWindow | null;
}

/** How long a question waits that the provider rejects, in ms. */
const REJECTED_MS = 60 * 60 * 1000;

/** Reads one event with the extractor that the settings name, and checks a model's answer before it becomes signals. */
export async function extract(space: Workspace, event: StreamEvent, abort: AbortSignal): Promise<Understood | Waits> {
  const admission = admitted(event, new Date(space.context.now()));
  if (!admission.ok) return notAdmitted(event, admission.reason, false);
  const vouched = vouchedPayment(admission.event, space.context.settings.trusted_bank_accounts);
  const extracted = await extractedFrom(space, vouched, abort);
  return 'kind' in extracted ? extracted : understood(space, vouched, extracted);
}

/**
 * Returns what a model would be asked about an event; null where none is asked, or no note could be meant by the event.
 */
export function questionFor(space: Workspace, event: StreamEvent): ExtractionQuestion | null {
  const isAsked = space.models.extractor.asksModel && !tellsInFields(event);
  const admission = isAsked ? admitted(event, new Date(space.context.now())) : null;
  if (admission?.ok !== true) return null;
  const candidates = candidatesFor(targetsOf(space).index, admission.event);
  return candidates.length === 0 ? null : { event: admission.event, candidates, now: space.context.now() };
}

// What a channel tells by an id, or in fields, no model has to find out.
function tellsInFields({ about, appointment, payment }: StreamEvent): boolean {
  return [about, appointment, payment].some((one) => one !== undefined);
}

/** Reads an event by an answer that a model gave about it earlier; the answer is checked like any other. */
export function extractAnswered(space: Workspace, event: StreamEvent, answer: Extracted): Understood {
  const admission = admitted(event, new Date(space.context.now()));
  if (!admission.ok) return notAdmitted(event, admission.reason, true);
  return understood(space, admission.event, verified(space, admission.event, answer));
}

function notAdmitted(event: StreamEvent, reason: string, asked: boolean): Understood {
  return { kind: 'understood', drafts: [], reason, silence: silentEvent(event, reason), asked };
}

function understood(space: Workspace, event: StreamEvent, extracted: Extracted): Understood {
  const struck = struckWords(extracted.rejected);
  const meanings = extracted.meanings.map((meaning, nth) => (nth === 0 ? withSentence(meaning, struck) : meaning));
  const drafts = draftsOf(event, { ...extracted, meanings }, targetsOf(space).index, {
    now: new Date(space.context.now()),
    confidenceOf: (source) => instinctOf(space, source).confidence,
    standingOf: (source, target) => standingOn(space, source, target),
    canVouch: event.isVouchable === true || canVouch(space.context),
  });
  const none = [extracted.skipped ?? 'nothing that changes a matter', struck].filter((part) => part !== '').join('. ');
  const asked = extracted.usage !== null;
  if (drafts.length > 0) return { kind: 'understood', drafts, reason: null, silence: null, asked };
  const silence = silentReading(event, extracted, none, targetsOf(space).index);
  return { kind: 'understood', drafts, reason: none, silence, asked };
}

// Also for a mail that came by another way: where somebody could be vouched for, one who is not is not that somebody.
function canVouch({ settings, state }: Workspace['context']): boolean {
  return settings.trusted_mail_servers.length > 0 || Object.values(state.get('sources')).some(({ vouches }) => vouches);
}

function standingOn(space: IndexAccess, source: string, path: string): SenderStanding {
  const target = space.vault.catalogue.get(path);
  if (target?.kind !== 'task' && target?.kind !== 'matter') return 'unknown';
  return standingOf(space, { source, pattern: patternOf(source), writer: 'own' }, target).known;
}

async function extractedFrom(space: Workspace, event: StreamEvent, abort: AbortSignal): Promise<Extracted | Waits> {
  const { extractor } = space.models;
  const targets = targetsOf(space);
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
  // Where the channel names the note, the rules read its few words: no model has to find out what it is about.
  if (event.about !== undefined) return readByPhrases(event, targets.index);
  if (!extractor.asksModel) return extractor.extract({ ...asked, candidates: [] }, abort);
  const question = { ...asked, candidates: candidatesFor(targets.index, event) };
  if (question.candidates.length === 0) return { ...readByRules(event, targets), meanings: [], skipped: NO_FIT };
  const answer = await askModel(space, question, abort);
  if ('kind' in answer) return mayStandIn(space.context, abort) ? byRules(space, event, 'could not be asked') : answer;
  if (answer.unusable === null) return verified(space, event, answer);
  return { ...byRules(space, event, `gave no reply that could be used: ${answer.unusable}`), usage: answer.usage };
}

/** What other bank lines have paid of a task's sum, by the signals of the program's own. */
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
  const sum = payment === undefined ? null : amountOf(payment.amount, payment.currency);
  if (payment === undefined || sum === null) return [];
  return partsBeside({ file: fileOf(event), day: (at ?? payment.day).slice(0, 10), paid: moneyWords(sum) }, others);
}

/** The file of an event: `stream/bank/november.csv` of `stream/bank/november.csv#3f2a9c1b04de`. */
function fileOf(event: string): string {
  return event.replace(/#[^#/]*$/, '');
}

function verified(space: Workspace, event: StreamEvent, answer: Extracted): Extracted {
  return permitted(space, checked(answer, event, targetsOf(space).index));
}

function mayStandIn({ settings }: Context, abort: AbortSignal): boolean {
  return settings.evaluator_fallback === 'rules' && !abort.aborted;
}

/** Reads an event by the rules in place of the model. */
function byRules(space: Workspace, event: StreamEvent, why: string): Extracted {
  const instead = `rules (embedded; ${space.models.extractor.name} ${why.replace(/\.$/, '')})`;
  return { ...readByRules(event, targetsOf(space)), extractor: instead };
}

/** Asks within the budget and the provider's own limits: the estimate is set aside, then replaced by the real cost. */
async function askModel(
  space: Workspace,
  question: ExtractionQuestion,
  abort: AbortSignal,
): Promise<Extracted | Waits> {
  const {
    models: { extractor },
  } = space;
  const held = waitForRoom(space.context);
  if (held !== null) return held;
  const cost = reserveFor(space.context, matterOf(space, question), extractor.estimate?.(question) ?? null);
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
): Waits {
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

/** Why no question may be put now, and until when; null where one may. */
export function waitForRoom(context: Context): Waits | null {
  const held = whyNoQuestion(context);
  return held === null ? null : waits(heldWords(held, context.now()), held.freeAt, held.window);
}

/** The event is as unread as before, until then (epoch ms), or until the model answers again. */
export function waits(reason: string, until: number | null, window: HoldingWindow | null = null): Waits {
  return { kind: 'waits', reason, until, window };
}

/** Returns the path of the matter that a question is asked for: that of the best candidate. */
export function matterOf(space: Workspace, { candidates }: ExtractionQuestion): string | null {
  const [best] = candidates;
  if (best === undefined || best.kind === 'matter') return best?.path ?? null;
  return targetsOf(space).index.get(best.path)?.matterPath ?? null;
}

/**
 * Keeps the proposals that a signal may make at all; the gates decide later whether they fit the note as it is then.
 */
function permitted(space: ReadAccess, extracted: Extracted): Extracted {
  return { ...extracted, meanings: extracted.meanings.map((meaning) => permittedMeaning(space, meaning)) };
}

function permittedMeaning(space: ReadAccess, meaning: Meaning): Meaning {
  const target = space.vault.catalogue.get(meaning.target);
  const note = space.notes.fresh(meaning.target);
  if (meaning.proposal === null || note === null) return meaning;
  if (target?.kind !== 'task' && target?.kind !== 'matter') return meaning;
  const permission = permitProposal(meaning.proposal, { ...mutationContext(space, target, note.data), state: 'open' });
  if (permission.ok) return meaning;
  return withSentence({ ...meaning, proposal: null }, `The change it proposed was struck out: ${permission.reason}`);
}

function withSentence(meaning: Meaning, sentence: string): Meaning {
  return { ...meaning, reasoning: `${meaning.reasoning} ${plainLine(sentence, 300)}`.trim() };
}

/** `Struck out of the reply: 2 × a quote that is not …`; empty where nothing was. */
function struckWords(rejected: readonly string[]): string {
  const kinds = Map.groupBy(rejected, (one) => one);
  const counted = [...kinds].map(([kind, all]) => `${all.length} × ${kind}`);
  return counted.length === 0 ? '' : `Struck out of the reply: ${counted.join(', ')}.`;
}
