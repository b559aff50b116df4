import { DEFAULT_THRESHOLDS, discretionGate, judge, modeGate } from '../../src/steward/gates/gate.ts';
import { routeAlone } from '../../src/steward/gates/route.ts';
import type { Evaluator, Question, Verdict, WeighedSignal } from '../../src/steward/ports/evaluator.ts';
import type { SignalDraft } from '../../src/stream/draft.ts';
import type { TargetIndex } from '../../src/stream/targets/target-index.ts';
import { signalFields } from '../../src/vault/records/signal.ts';
import { LOW_EXPERIENCE } from '../support/gates.ts';
import type { Expected, MailCase } from './case.ts';
import { type Reader, signalsOf } from './reader.ts';

/** One signal beside what was expected of its mail. */
export interface Guess {
  readonly draft: SignalDraft;
  /** The expectation it meets; null where it meets none. */
  readonly meets: Expected | null;
  /** min(target, effect): how sure the reader is. */
  readonly confidence: number;
  /** Left to a person: it may mean several notes, or shows the words of a change without proposing it. */
  readonly isLeft: boolean;
}

/** The result of one mail. */
export interface MailAnswer {
  readonly mail: MailCase;
  readonly guesses: readonly Guess[];
  readonly missed: readonly Expected[];
  /** What would have been done wrongly to a note, in words; null where nothing would. */
  readonly wrongAct: string | null;
}

/** Reads one mail and compares the signals. The gates themselves, in live mode, say what would be done by itself. */
export async function answer(
  mail: MailCase,
  index: TargetIndex,
  reader: Reader,
  evaluator: Evaluator,
): Promise<MailAnswer> {
  const drafts = await signalsOf(mail, index, reader);
  const left = [...mail.expect];
  const guesses = drafts.map((draft) => guessOf(draft, mail, left));
  const wrongAct = wronglyRouted(guesses) ?? (await wronglyWeighed(guesses, evaluator));
  return { mail, guesses, missed: left, wrongAct };
}

function guessOf(draft: SignalDraft, mail: MailCase, left: Expected[]): Guess {
  const confidence = Math.min(draft.target_confidence, draft.effect_confidence_raw);
  const at = draft.target_ambiguous ? -1 : left.findIndex((each) => meets(draft, each, mail));
  const met = at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  return { draft, meets: met, confidence, isLeft: draft.target_ambiguous || (met === null && points(draft, mail)) };
}

/** Whether a signal proposes no change but shows the words of one. */
function points(draft: SignalDraft, mail: MailCase): boolean {
  const changes = mail.expect.filter(({ set }) => set !== null);
  return draft.effect === 'action' && changes.some(({ quote }) => overlaps(draft.raw_quote, quote, mail));
}

function meets(draft: SignalDraft, expected: Expected, mail: MailCase): boolean {
  if (!overlaps(draft.raw_quote, expected.quote, mail)) return false;
  const isMeant = nameOf(draft.target_path) === expected.note;
  if (expected.set === null) return draft.effect === 'action' && (isMeant || draft.target_kind === 'matter');
  return isMeant && same(draft.mutation_proposal?.set ?? {}, expected.set);
}

/** Whether two quotes share words in the mail. */
function overlaps(one: string, other: string, mail: MailCase): boolean {
  const text = `${mail.subject}\n${mail.text}`;
  const [ones, others] = [placesOf(one, text), placesOf(other, text)];
  return ones.some((a) => others.some((b) => a < b + other.length && b < a + one.length));
}

function placesOf(quote: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) places.push(at);
  return places;
}

function wronglyRouted(guesses: readonly Guess[]): string | null {
  // As if every sender were named and vouched for: what is measured is the reading alone.
  const gates = { mode: 'live', thresholds: DEFAULT_THRESHOLDS, discretion: LOW_EXPERIENCE, standing: [] } as const;
  const wrong = guesses.find(
    ({ draft, meets: met }) => met === null && routeAlone(signalFields.parse(draft), weighedOf(draft), gates).route,
  );
  return wrong === undefined ? null : `${told(wrong.draft)}, at once`;
}

/** The signals of one mail for one note go to the tick together; a strong one must not carry a wrong one along. */
async function wronglyWeighed(guesses: readonly Guess[], evaluator: Evaluator): Promise<string | null> {
  const certain = guesses.filter(({ draft }) => !draft.target_ambiguous);
  for (const group of Map.groupBy(certain, ({ draft }) => draft.target_path).values()) {
    const asked = questionOf(group.map(({ draft }) => draft));
    const verdict = await evaluator.evaluate(asked, AbortSignal.timeout(60_000));
    const wrong = group.find(({ draft, meets: met }) => met === null && draft.effect === 'mutation');
    if (wrong !== undefined && wouldAct(verdict, asked.signals)) return `${told(wrong.draft)}, at the tick`;
  }
  return null;
}

function questionOf(drafts: readonly SignalDraft[]): Question {
  const path = drafts[0]?.target_path ?? '';
  const kind = drafts[0]?.target_kind ?? 'task';
  const target = { kind, path, name: nameOf(path), state: 'open', fields: {}, matter: null } as const;
  return { target, signals: drafts.map(weighedOf), now: Date.parse(drafts[0]?.created ?? '') };
}

function weighedOf(draft: SignalDraft): WeighedSignal {
  return {
    path: `signal/${draft.id}.md`,
    id: draft.id,
    source: draft.source_type,
    effect: draft.effect,
    effectConfidence: draft.effect_confidence,
    targetConfidence: draft.target_confidence,
    ageMs: 0,
    headline: draft.headline,
    quote: draft.raw_quote,
    proposal: signalFields.parse(draft).mutation_proposal,
  };
}

/** Whether a verdict with changes passes the gates of live mode, from sources without experience. */
export function wouldAct(verdict: Verdict, signals: readonly WeighedSignal[]): boolean {
  const discretion = discretionGate(signals, () => LOW_EXPERIENCE);
  const gates = [discretion, modeGate('live', verdict.confidence, DEFAULT_THRESHOLDS)];
  return verdict.changes.length > 0 && judge('live', gates) === 'act';
}

/** `state: done → Pay the deposit (target 0.97, effect 0.96) by “has been paid”`. */
export function told(draft: SignalDraft): string {
  const set = Object.entries(draft.mutation_proposal?.set ?? { asks: 'of you' });
  const what = set.map(([field, value]) => `${field}: ${value}`).join(', ');
  const doubt = draft.target_ambiguous ? ', ambiguous' : '';
  const figures = `target ${draft.target_confidence}${doubt}, effect ${draft.effect_confidence_raw}`;
  return `${what} → ${nameOf(draft.target_path)} (${figures}) by “${draft.raw_quote}”`;
}

/** Returns the name of the note at a path. */
export function nameOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.md$/, '');
}

function same(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, string>>): boolean {
  const [fields, others] = [Object.entries(one), Object.keys(other)];
  return fields.length === others.length && fields.every(([field, value]) => other[field] === value);
}
