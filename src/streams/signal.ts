import type { WriteAccess } from '../daemon/context.ts';
import { type OwnNames, otherAddressee } from '../reading/addressee.ts';
import { whyIncomplete } from '../reading/complete.ts';
import { listReferences, plainReference, referencesKnown } from '../reading/money.ts';
import { withoutSalutation } from '../reading/rules.ts';
import type { TargetCandidate, TargetIndex } from '../reading/targets.ts';
import { locate, saysToo, saysWordsToo, splitSentences } from '../reading/text.ts';
import { findAccount } from '../steward/event-note.ts';
import { round4 } from '../steward/gates.ts';
import type { ExtractorResult, Meaning, StreamEvent, Usage } from '../steward/types.ts';
import { formatAccountPlace, formatReadPlace, INCOMPLETE, signalBody } from '../vault/event-text.ts';
import type { Yaml } from '../vault/frontmatter.ts';
import { stem, streamFilePath } from '../vault/layout.ts';
import {
  dateInWords,
  escapeMarkdown,
  linkTo,
  noteText,
  oneLine,
  sha256,
  unmarked,
  writtenPlaces,
} from '../vault/note-text.ts';
import type {
  AuthenticationResult,
  MutationClass,
  MutationProposal,
  SenderStanding,
  TargetEvidence,
} from '../vault/record.ts';
import { sealSignal } from '../vault/seal.ts';
import { SENT, sourceName, VAULT_EDIT } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import { senderPattern } from './stream.ts';

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
  /** The sentence begins before the quote. */
  readonly quote_cut?: true;
  /** It goes on behind the quote. */
  readonly quote_open?: true;
  readonly target_kind: 'task' | 'matter';
  readonly target_path: string;
  readonly target_matter_path: string | null;
  readonly target_confidence: number;
  readonly target_candidates: readonly string[];
  readonly target_ambiguous: boolean;
  readonly target_evidence: readonly TargetEvidence[];
  readonly target_near: boolean;
  /** The line of the matter's note that it is about; absent if it is about the note itself. */
  readonly target_line?: string;
  readonly ends_matter?: true;
  readonly effect: 'mutation' | 'action' | 'none';
  readonly effect_confidence: number;
  readonly effect_confidence_raw: number;
  readonly mutation_proposal: ProposalFields | null;
  readonly reasoning: string;
  readonly headline: string;
  /** The part of a sum that was paid; absent if it wasn't a part. */
  readonly paid?: string;
  /** Oddities of the sender or the text; absent if there aren't any. */
  readonly warnings?: readonly string[];
  /** Why a person must confirm it; absent if that isn't needed. */
  readonly doubts?: readonly string[];
  /** `skipped`: the event asks for no action. */
  readonly status: 'unrouted' | 'skipped';
  /** The time of day that goes with a new day; a part of the text, of no field. */
  readonly time?: string;
  readonly extracted_by: string;
  /** The model's usage for reading the event, for all its signals together; absent if no model was asked. */
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
  /** The user's names; absent if an event isn't read for whom it greets. */
  readonly own?: OwnNames;
  /** Returns what was learnt about a source, 0–1. */
  readonly confidenceOf: (source: string) => number;
  /** Returns how well a source is known to the note at a path. */
  readonly standingOf: (source: string, target: string) => SenderStanding;
}

const ONLY_PLAIN =
  'The words it is based on are only in the plain text, or in HTML that may not be visible: on a small screen, on a picture, cut off.';
const MAX_SIGNALS = 5;
const MAX_HEADLINE = 120;
const MAX_SENDER = 200;
const MAX_WARNING = 300;
const MAX_REASONING = 800;

/** Returns the signals for an event's meanings, at most five. No two have the same quote, or propose the same for one note. */
export function makeDrafts(
  event: StreamEvent,
  extracted: ExtractorResult,
  index: TargetIndex,
  context: DraftContext,
): readonly SignalDraft[] {
  const drafts = extracted.meanings.flatMap((meaning) => {
    const target = index.get(meaning.target);
    if (target === null) return [];
    const matter = target.matterPath === null ? null : index.get(target.matterPath);
    const draft = draftOf(event, meaning, target, extracted, context);
    return [{ ...draft, ...doubtsAbout(event, meaning, target, matter, context) }];
  });
  return distinctDrafts(drafts);
}

function draftOf(
  event: StreamEvent,
  meaning: Meaning,
  target: TargetCandidate,
  { extractor, usage }: ExtractorResult,
  context: DraftContext,
): SignalDraft {
  const created = utc(context.now.getTime());
  const { quote, proposal, effectConfidence } = meaning;
  const pattern = senderPattern(event);
  const source = eventSource(event);
  const { result, server } = event.authentication;
  return {
    id: signalId(event.originAt ?? created, event.path, quote),
    type: 'signal',
    created,
    origin_at: event.originAt,
    source_type: event.sourceType,
    pattern,
    from: shownSender(event),
    sender_known: context.standingOf(source, target.path),
    authenticated: result,
    authenticated_by: server,
    source_event_path: event.path,
    raw_quote: quote,
    ...(isCut(event, quote) ? { quote_cut: true as const } : {}),
    ...(goesOn(event, quote) ? { quote_open: true as const } : {}),
    target_kind: target.kind,
    target_path: target.path,
    target_matter_path: target.kind === 'matter' ? target.path : target.matterPath,
    target_confidence: meaning.targetConfidence,
    target_candidates: meaning.candidates,
    target_ambiguous: meaning.ambiguous,
    target_evidence: meaning.targetEvidence,
    target_near: meaning.targetNear,
    ...(meaning.line === undefined ? {} : { target_line: meaning.line }),
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

// A reader of the HTML has not seen text that is only in the plain part. That includes the text that names the note.
function doubtsAbout(
  event: StreamEvent,
  meaning: Meaning,
  target: TargetCandidate,
  matter: TargetCandidate | null,
  { own }: Pick<DraftContext, 'own'>,
): Pick<SignalDraft, 'doubts'> {
  const { quote, proposal, doubts: read = [] } = meaning;
  const { doubts, shown, subject, text } = event;
  const { name, aliases, keywords } = target;
  const seen = `${shown}\n${subject}`;
  const isShown =
    shown === null ||
    ((saysToo(shown, quote) || saysToo(subject, quote)) && saysWordsToo(seen, text, [name, ...aliases, ...keywords]));
  const other = isInWords(event) ? otherNumber(event, quote, target, matter) : null;
  const greeted = own !== undefined && isInWords(event) ? otherAddressee(event, own) : null;
  const addressed = greeted === null ? null : INCOMPLETE.addressed(greeted);
  const isNews = proposal !== null && isInWords(event) && meaning.takesBack !== true;
  const incomplete = isNews ? whyIncomplete(event, meaning, target, matter) : null;
  const all = [...doubts, isShown ? null : ONLY_PLAIN, other, addressed, incomplete, ...read].filter(
    (one) => one !== null,
  );
  return all.length === 0 ? {} : { doubts: all.map((one) => oneLine(one, MAX_WARNING)) };
}

// A booking and an appointment say in fields what they are about, and so does a note that the user has edited.
function isInWords({ payment, appointment, sourceType }: StreamEvent): boolean {
  return payment === undefined && appointment === undefined && sourceType !== VAULT_EDIT;
}

const LINK = /\[\[[^[\]]{0,300}\]\]/g;
/** A day and hour, as programs write them: `2026-11-02T10`. */
const TIME = /^\d{4}-\d\d-\d\d/;

// If one sender has two bills, news of one doesn't concern the other. A link next to it doesn't change that.
function otherNumber(
  { subject, text }: StreamEvent,
  quote: string,
  target: TargetCandidate,
  matter: TargetCandidate | null,
): string | null {
  const place = locate(quote, text);
  const sentence = place === null ? undefined : splitSentences(text).find(({ end }) => end > place.start);
  const said = sentence === undefined ? subject : text.slice(sentence.start, sentence.end);
  const named = [...listReferences([said.replace(LINK, ' ')])];
  const other = named.find((one) => !TIME.test(one));
  if (other === undefined) return null;
  const known = new Set([...referencesKnown(target), ...(matter === null ? [] : referencesKnown(matter))]);
  if (named.some((one) => known.has(plainReference(one)))) return null;
  return `It is about ${other.toUpperCase()}, which neither this note nor its matter names.`;
}

// A quote from the subject or from fields isn't in the text. A salutation belongs to the first sentence.
function isCut({ text }: StreamEvent, quote: string): boolean {
  const place = locate(quote, text);
  const sentence = place === null ? undefined : splitSentences(text).find(({ end }) => end > place.start);
  if (place === null || sentence === undefined) return false;
  const before =
    text
      .slice(sentence.start, place.start)
      .split(/\n[^\S\n]*\n/)
      .at(-1) ?? '';
  return /[\p{L}\p{N}]/u.test(withoutSalutation(before));
}

// As far as the paragraph: a last sentence without a full stop has the sender's name below it.
function goesOn({ text }: StreamEvent, quote: string): boolean {
  const place = locate(quote, text);
  const sentence = place === null ? undefined : splitSentences(text).find(({ end }) => end >= place.end);
  if (place === null || sentence === undefined) return false;
  const [after = ''] = text.slice(place.end, sentence.end).split(/\n[^\S\n]*\n/);
  return /[\p{L}\p{N}]/u.test(after);
}

/** Returns the source that is taught by what becomes of an event: `mail:anna@notary.example`. */
export function eventSource(event: StreamEvent): string {
  return sourceName(event.sourceType, senderPattern(event));
}

function shownSender({ from, fromName, sourceType }: StreamEvent): string | null {
  if (from === null) return null;
  if (sourceType === SENT) return `You <${from}>`;
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

/**
 * Writes a signal into a note of its own and returns its vault-relative path. The same event yields the same signal
 * under the same name: a note that is already there stays as it is, and null is returned.
 */
export function writeSignal(space: WriteAccess, draft: SignalDraft): string | null {
  if (isThere(space, draft.id)) return null;
  const { path, text } = signalNote(space, draft, { applied_at: null, audit_record_path: null });
  if (!space.transactions.create(path, text)) return null;
  space.context.emit({
    what: 'signal-written',
    signal: path,
    target: draft.target_path,
    headline: draft.headline,
    candidates: draft.target_ambiguous ? draft.target_candidates : [],
  });
  space.vault.look([path]);
  return path;
}

/** Returns a signal that was applied already, by the event note at a path, as a step; null if its note is there. `now` in epoch ms. */
export function appliedSignal(space: WriteAccess, draft: SignalDraft, event: string, now: number) {
  if (isThere(space, draft.id)) return null;
  const stamp = { status: 'applied', applied_at: utc(now), audit_record_path: event };
  return { do: 'create' as const, ...signalNote(space, draft, stamp) };
}

function signalNote(space: WriteAccess, draft: SignalDraft, stamp: Readonly<Record<string, string | null>>) {
  const { id, time, ...fields } = draft;
  const path = space.transactions.signalPath(id);
  const frontmatter = sealSignal(space.context.seal, path, { ...fields, ...stamp });
  const note = (file: string) => linkToNote(space, file);
  const text = signalBody(draft, { note, where: whereRead(space, draft.source_event_path) });
  return { path, text: noteText(frontmatter, text) };
}

// Wherever it is: a person may have moved it. A note that has just arrived there is read first.
function isThere({ vault }: WriteAccess, name: string): boolean {
  const { layout } = vault;
  vault.look(writtenPlaces(layout.folders.signal, name));
  return vault.catalogue.named(name).some(({ path }) => layout.folderKindOf(path) === 'signal');
}

// By its name, or by its path if the name leads to another.
function linkToNote({ vault }: WriteAccess, path: string): string {
  const name = stem(path);
  return linkTo(vault.catalogue.resolve(name, ['task', 'matter'])?.path === path ? name : path.replace(/\.md$/i, ''));
}

// A link to a file that the vault does not keep would create that file when it is followed.
function whereRead(space: WriteAccess, source: string): string {
  const account = findAccount(space.context, source);
  if (account !== null) return formatAccountPlace(account);
  const { streams, catalogue } = space.vault;
  const file = streams.has(source) ? source : streamFilePath(source);
  if (catalogue.get(file) !== undefined) return formatReadPlace(linkToNote(space, file));
  return formatReadPlace(streams.has(file) ? linkTo(file) : escapeMarkdown(file));
}
