import { createHash } from 'node:crypto';
import { type Finding, readFindings } from './finding.ts';
import { oneLine } from './plain-text.ts';
import type { StreamEvent } from './stream-event.ts';
import { chooseTarget, rankTargets, TARGET_FLOOR, type TargetChoice, type TargetIndex } from './target.ts';
import { stem, tellingWords } from './word.ts';

/** A signal note before it is written: its fields (contract, section 3) and the name it gets. */
export interface SignalDraft {
  /** The note's name without folder and `.md`. */
  readonly id: string;
  readonly type: 'signal';
  readonly created: string;
  readonly origin_at: string | null;
  readonly source_type: string;
  readonly source_event_path: string;
  readonly raw_quote: string;
  readonly target_kind: 'task' | 'matter';
  readonly target_path: string;
  readonly target_matter_path: string | null;
  readonly target_confidence: number;
  readonly target_candidates: readonly string[];
  readonly target_ambiguous: boolean;
  readonly effect: 'mutation' | 'action';
  readonly effect_confidence: number;
  readonly effect_confidence_raw: number;
  readonly mutation_proposal: { readonly class: string; readonly set: Readonly<Record<string, string>> } | null;
  readonly reasoning: string;
  readonly headline: string;
  readonly status: 'unrouted';
}

export interface Extraction {
  readonly signals: readonly SignalDraft[];
  /** Why there is no signal; null where there is one. */
  readonly skipped: string | null;
}

export interface ExtractionContext {
  readonly now: Date;
  /** What has been learnt of a source, 0–1. */
  readonly confidenceOf: (source: string) => number;
}

const DAY_MS = 86_400_000;
/** Older mail is history, which the vault's owner has long since dealt with. */
export const MAX_AGE_DAYS = 14;
const MAX_SIGNALS = 5;
const MAX_HEADLINE = 120;
const MAX_REASONING = 400;
/** Blanks that somebody forgot to fill in: what such a mail says of nobody is not said of the reader. */
const BLANKS =
  /\{\{[^{}\n]{1,40}\}\}|\$\{[^{}\n]{1,40}\}|<<[^<>\n]{1,40}>>|\[(?:(?:YOUR|FIRST|LAST|FULL|CUSTOMER|CLIENT|INVOICE|DUE)[ _])?(?:NAME|AMOUNT|DATE|ADDRESS|NUMBER|BETRAG|DATUM|NOM|MONTANT|NOMBRE|IMPORTE|FECHA|NAAM|BEDRAG|NOME|IMPORTO)\]/;

/** What one stream event means for the matters and tasks there are: signals, or the reason why there are none. */
export function extractSignals(event: StreamEvent, index: TargetIndex, context: ExtractionContext): Extraction {
  const refusal = refusalOf(event, context.now);
  if (refusal !== null) return skipped(refusal);
  const read = withBelievableTime(event, context.now);
  const { findings, defeated } = readFindings(read);
  if (findings.length === 0) return skipped(nothingFound(read, defeated));
  const drafts = findings.flatMap((finding) => draftsOf(finding, read, index, context));
  return drafts.length === 0 ? skipped(noTarget(findings, read, index)) : { signals: distinct(drafts), skipped: null };
}

function refusalOf(event: StreamEvent, now: Date): string | null {
  if (event.ownNote) return "the vault's own note";
  if (event.bulk) return `bulk mail: ${oneLine(event.bulkReason ?? 'sent to many', 60)}`;
  const blank = BLANKS.exec(`${event.subject}\n${event.text}`)?.[0];
  if (blank !== undefined) return `a template whose blanks are not filled in: ${oneLine(blank, 40)}`;
  const age = event.originAt === null ? 0 : (now.getTime() - Date.parse(event.originAt)) / DAY_MS;
  return age > MAX_AGE_DAYS ? `older than ${MAX_AGE_DAYS} days` : null;
}

/** A time to come is a wrong clock or a forged header; nothing is counted from it. */
function withBelievableTime(event: StreamEvent, now: Date): StreamEvent {
  const time = event.originAt === null ? Number.NaN : Date.parse(event.originAt);
  const isBelievable = !Number.isNaN(time) && time - now.getTime() <= DAY_MS;
  return isBelievable ? event : { ...event, originAt: null };
}

function nothingFound(event: StreamEvent, defeated: readonly Finding[]): string {
  const [first] = defeated;
  if (first !== undefined) return oneLine(`"${first.quote}": ${first.defeatedBy ?? ''}`, 160);
  if (event.text.trim() === '' && event.quoted.trim() !== '') return 'only quoted or forwarded words';
  return 'nothing that changes a matter';
}

function noTarget(findings: readonly Finding[], event: StreamEvent, index: TargetIndex): string {
  const closest = findings
    .flatMap((finding) => rankTargets(index, event, finding))
    .sort((a, b) => b.score - a.score)[0];
  if (closest === undefined) return 'no matter fits';
  return oneLine(`no matter fits (best ${closest.score.toFixed(2)} ${closest.candidate.name})`, 160);
}

function draftsOf(finding: Finding, event: StreamEvent, index: TargetIndex, context: ExtractionContext): SignalDraft[] {
  const choice = chooseTarget(index, event, finding);
  return choice === null || choice.confidence < TARGET_FLOOR ? [] : [draftOf(finding, choice, event, context)];
}

function draftOf(finding: Finding, choice: TargetChoice, event: StreamEvent, context: ExtractionContext): SignalDraft {
  const created = isoSeconds(context.now);
  const quote = finding.quote;
  const proposal = proposalOf(finding, choice);
  return {
    id: signalId(event.originAt ?? created, event.path, quote),
    type: 'signal',
    created,
    origin_at: event.originAt,
    source_type: event.sourceType,
    source_event_path: event.path,
    raw_quote: quote,
    target_kind: choice.kind,
    target_path: choice.path,
    target_matter_path: choice.matterPath,
    target_confidence: choice.confidence,
    target_candidates: choice.candidates,
    target_ambiguous: choice.ambiguous,
    effect: proposal === null ? 'action' : 'mutation',
    effect_confidence: rounded(finding.rawConfidence * unitOf(context.confidenceOf(event.sourceType))),
    effect_confidence_raw: finding.rawConfidence,
    mutation_proposal: proposal,
    reasoning: oneLine(reasoningOf(finding, choice, proposal), MAX_REASONING),
    headline: oneLine(event.subject, MAX_HEADLINE),
    status: 'unrouted',
  };
}

/** A matter has no day on which it is due, and is not closed by one thing done: that is left to its steward to weigh. */
function proposalOf(finding: Finding, choice: TargetChoice): SignalDraft['mutation_proposal'] {
  const cannotHold = choice.kind === 'matter' && (finding.set.due !== undefined || choice.tasksOpen);
  if (finding.class === null || cannotHold) return null;
  return { class: finding.class, set: isTheDeed(finding, choice) ? { state: 'done' } : finding.set };
}

/** "Cancel the broadband" is not called off but done when the broadband is cancelled. */
function isTheDeed(finding: Finding, choice: TargetChoice): boolean {
  if (choice.kind !== 'task' || finding.set.state !== 'archived') return false;
  const verbs = new Set(finding.verbs.map(stem));
  return tellingWords(choice.name).some((word) => verbs.has(word));
}

function reasoningOf(finding: Finding, choice: TargetChoice, proposal: SignalDraft['mutation_proposal']): string {
  const read = finding.reason.charAt(0).toUpperCase() + finding.reason.slice(1);
  const what = finding.class === 'state_change' ? 'change' : 'date';
  const left = proposal === null && finding.class !== null ? ` No task stands out, so no ${what} is proposed.` : '';
  return `${read}. Target ${choice.reasoning}.${left}`;
}

function signalId(time: string, path: string, quote: string): string {
  const hash = createHash('sha256').update(`${path}\0${quote}`, 'utf8').digest('hex').slice(0, 8);
  return `${time.replaceAll(':', '-').replaceAll('.', '-')}-${hash}`;
}

/** One signal for each quote, and for each note one of a kind: the surest. */
function distinct(drafts: readonly SignalDraft[]): readonly SignalDraft[] {
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

function skipped(reason: string): Extraction {
  return { signals: [], skipped: reason };
}

function unitOf(confidence: number): number {
  return Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0;
}

function isoSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
