import { round4 } from '../steward/gates-rounding.ts';
import type { Usage } from '../steward/ports/evaluator.ts';
import { type Extracted, isMail, type Meaning, type StreamEvent } from '../steward/ports.ts';
import { sha256 } from '../vault/hash.ts';
import { dateInWords, unmarked } from '../vault/notes.ts';
import type { MutationClass } from '../vault/records/mutation-class.ts';
import type { Yaml } from '../vault/records/values.ts';
import type { MutationProposal } from '../vault/records.ts';
import { ibanOf, NOBODY, sourceName, unverified } from '../vault/source-names.ts';
import type { AuthenticationResult, SenderStanding, TargetEvidence } from '../vault/status-words.ts';
import { utc } from '../vault/time.ts';
import { oneLine } from './mail/plain-text.ts';
import { saysToo, saysWordsToo } from './mail/word.ts';
import type { TargetCandidate, TargetIndex } from './targets-target-index.ts';

/** A signal note before it is written: its fields (contract, section 3) and its name. */
export interface SignalDraft {
  /** The note's name without folder and `.md`. */
  readonly id: string;
  readonly type: 'signal';
  readonly created: string;
  readonly origin_at: string | null;
  readonly source_type: string;
  /** Who speaks in the channel. */
  readonly pattern: string;
  /** The sender as shown, and the address. */
  readonly from: string | null;
  readonly sender_known: SenderStanding;
  readonly authenticated: AuthenticationResult;
  readonly authenticated_by: string | null;
  readonly source_event_path: string;
  readonly raw_quote: string;
  readonly target_kind: 'task' | 'matter';
  readonly target_path: string;
  readonly target_matter_path: string | null;
  readonly target_confidence: number;
  readonly target_candidates: readonly string[];
  readonly target_ambiguous: boolean;
  readonly target_evidence: readonly TargetEvidence[];
  readonly target_near: boolean;
  readonly ends_matter?: true;
  readonly effect: 'mutation' | 'action' | 'none';
  readonly effect_confidence: number;
  readonly effect_confidence_raw: number;
  readonly mutation_proposal: ProposalFields | null;
  readonly reasoning: string;
  readonly headline: string;
  /** The part of a sum that was paid; absent where no part was. */
  readonly paid?: string;
  /** What is odd about the sender or the text; absent where nothing is. */
  readonly warnings?: readonly string[];
  /** Why nothing is done on its word alone; absent where nothing speaks against it. */
  readonly doubts?: readonly string[];
  /** `skipped`: there is nothing to be done about it. */
  readonly status: 'unrouted' | 'skipped';
  /** The time of day that goes with a new day; a part of the text, of no field. */
  readonly time?: string;
  /** Who read the event. */
  readonly extracted_by: string;
  /** What reading the event took of the model, for all its signals together; absent where no model was asked. */
  readonly usage?: Usage;
}

/** A proposal as it is written, without its empty parts. */
interface ProposalFields {
  readonly class: MutationClass;
  readonly set?: Readonly<Record<string, Yaml>>;
  readonly add?: Readonly<Record<string, readonly string[]>>;
  readonly remove?: Readonly<Record<string, readonly string[]>>;
}

export interface DraftContext {
  readonly now: Date;
  /** Returns what was learnt about a source, 0–1. */
  readonly confidenceOf: (source: string) => number;
  /** Returns how well a source is known to the note at a path. */
  readonly standingOf: (source: string, target: string) => SenderStanding;
  /** Whether there is a server that could vouch for senders: of the settings, or of an account. */
  readonly canVouch: boolean;
}

const ONLY_PLAIN =
  'What it rests on stands in the plain text alone, or where the HTML may not be seen as it is read: on a small screen, on a picture, cut off.';
const MAX_SIGNALS = 5;
const MAX_HEADLINE = 120;
const MAX_SENDER = 200;
const MAX_WARNING = 300;
const MAX_REASONING = 800;

/** Returns the signals for an event's meanings, at most five. No two have the same quote, or propose the same for one note. */
export function draftsOf(
  event: StreamEvent,
  extracted: Extracted,
  index: TargetIndex,
  context: DraftContext,
): readonly SignalDraft[] {
  const drafts = extracted.meanings.flatMap((meaning) => {
    const target = index.get(meaning.target);
    return target === null ? [] : [draftOf(event, meaning, target, extracted, context)];
  });
  return distinctDrafts(drafts);
}

function draftOf(
  event: StreamEvent,
  meaning: Meaning,
  target: TargetCandidate,
  { extractor, usage }: Extracted,
  context: DraftContext,
): SignalDraft {
  const created = utc(context.now.getTime());
  const { quote, proposal, effectConfidence } = meaning;
  const pattern = patternIn(event, context);
  const source = sourceName(event.sourceType, pattern);
  const { result, server } = event.authentication;
  return {
    id: signalId(event.originAt ?? created, event.path, quote),
    type: 'signal',
    created,
    origin_at: event.originAt,
    source_type: event.sourceType,
    ...{ pattern, from: shownSender(event), sender_known: context.standingOf(source, target.path) },
    ...{ authenticated: result, authenticated_by: server },
    source_event_path: event.path,
    raw_quote: quote,
    target_kind: target.kind,
    target_path: target.path,
    target_matter_path: target.kind === 'matter' ? target.path : target.matterPath,
    target_confidence: meaning.targetConfidence,
    target_candidates: meaning.candidates,
    target_ambiguous: meaning.ambiguous,
    ...{ target_evidence: meaning.targetEvidence, target_near: meaning.targetNear },
    ...(meaning.endsMatter ? { ends_matter: true as const } : {}),
    effect: effectOf(meaning),
    effect_confidence: round4(effectConfidence * unitOf(context.confidenceOf(source))),
    effect_confidence_raw: effectConfidence,
    mutation_proposal: proposal === null ? null : fieldsOf(proposal),
    reasoning: oneLine(meaning.reasoning, MAX_REASONING),
    // A table in Obsidian may render it as Markdown. The mail keeps the exact subject.
    headline: headlineOf(meaning, event),
    ...(meaning.paid === undefined ? {} : { paid: meaning.paid }),
    ...(event.warnings.length === 0 ? {} : { warnings: event.warnings.map((one) => oneLine(one, MAX_WARNING)) }),
    ...doubtsAbout(event, quote, target),
    status: meaning.isNews ? 'skipped' : 'unrouted',
    extracted_by: extractor,
    ...(meaning.time === undefined ? {} : { time: meaning.time }),
    ...(usage === null ? {} : { usage }),
  };
}

// The field has the day alone, so the line that a person reads first keeps the time.
function headlineOf({ headline, time, proposal }: Meaning, event: StreamEvent): string {
  const said = unmarked(headline ?? event.subject);
  const due = proposal?.set.due;
  const [hour = '', minute = ''] = time?.split(':') ?? [];
  const isSaid = new RegExp(`(?<!\\d)0?${Number(hour)}[:.h]${minute}(?!\\d)`).test(said);
  if (time === undefined || typeof due !== 'string' || isSaid) return oneLine(said, MAX_HEADLINE);
  const when = dateInWords(`${due.slice(0, 10)}T${time}`);
  const words = oneLine(said, MAX_HEADLINE - when.length - 2);
  return words === '' ? when : `${words}: ${when}`;
}

function effectOf({ proposal, isNews }: Meaning): SignalDraft['effect'] {
  if (proposal !== null) return 'mutation';
  return isNews ? 'none' : 'action';
}

// Whoever reads the HTML has not read what stands in the plain text alone. That goes for what names the note as well.
function doubtsAbout(
  { doubts, shown, subject, text }: StreamEvent,
  quote: string,
  { name, aliases, keywords }: TargetCandidate,
): Pick<SignalDraft, 'doubts'> {
  const seen = `${shown}\n${subject}`;
  const isShown =
    shown === null ||
    ((saysToo(shown, quote) || saysToo(subject, quote)) && saysWordsToo(seen, text, [name, ...aliases, ...keywords]));
  const all = isShown ? doubts : [...doubts, ONLY_PLAIN];
  return all.length === 0 ? {} : { doubts: all.map((one) => oneLine(one, MAX_WARNING)) };
}

/**
 * Returns who speaks in the channel. Where a server could have vouched for the sender and did not, what becomes of the
 * signal must say nothing of the true sender.
 */
function patternIn(event: StreamEvent, { canVouch }: DraftContext): string {
  const {
    from,
    authentication: { result },
  } = event;
  if (from === null) return NOBODY;
  if (result === 'pass') return from;
  if (isMail(event)) return result === 'fail' || canVouch ? unverified(from) : from;
  return isBorrowed(event, from) ? unverified(from) : from;
}

/**
 * Whoever sends money writes the name that goes with it: it may be somebody's address, or another's IBAN. Whoever writes an
 * invitation names its organiser.
 */
function isBorrowed({ payment, appointment }: StreamEvent, from: string): boolean {
  if (appointment !== undefined) return from.includes('@');
  if (payment === undefined) return false;
  const iban = ibanOf(from);
  return iban === null ? from.includes('@') : iban !== ibanOf(payment.iban ?? '');
}

function shownSender({ from, fromName }: StreamEvent): string | null {
  if (from === null) return null;
  const name = fromName === null ? null : oneLine(unmarked(fromName), MAX_SENDER);
  // In a chat without ids the name, folded, is all that is known.
  return name === null ? from : name.toLowerCase() === from ? name : `${name} <${from}>`;
}

function fieldsOf({ class: name, set, add, remove }: MutationProposal): ProposalFields {
  const parts = Object.entries({ set, add, remove }).filter(([, part]) => Object.keys(part).length > 0);
  return { class: name, ...Object.fromEntries(parts) };
}

function signalId(time: string, path: string, quote: string): string {
  const hash = sha256(`${path}\0${quote}`).slice(0, 8);
  return `${time.replaceAll(':', '-').replaceAll('.', '-')}-${hash}`;
}

/** Returns the first signal for each quote, and for each proposal about one note; at most five. */
export function distinctDrafts(drafts: readonly SignalDraft[]): readonly SignalDraft[] {
  const seen = new Set<string>();
  const kept = drafts.filter((draft) => {
    const what = `${draft.target_path}\n${draft.effect}\n${JSON.stringify(draft.mutation_proposal)}`;
    if (seen.has(draft.id) || seen.has(what)) return false;
    seen.add(draft.id);
    seen.add(what);
    return true;
  });
  return kept.slice(0, MAX_SIGNALS);
}

function unitOf(confidence: number): number {
  return Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0;
}
