import type { Anthropic as Sdk } from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { Usage } from '../steward/ports/evaluator.ts';
import { classOfField } from '../steward/ports/mutation-class.ts';
import type { CandidateNote, Extracted, ExtractionQuestion, Extractor, Meaning } from '../steward/ports.ts';
import { clipped } from '../vault/note-text.ts';
import type { MutationProposal } from '../vault/records.ts';
import { askAgain, EXTRACT } from './extract-prompt.ts';
import {
  type ClaimedChange,
  claimedChange,
  FIRST_MODE,
  type Inquiry,
  jsonOf,
  Model,
  type ModelSetup,
  type Price,
  quoted,
  type Read,
  stricter,
} from './model.ts';
import { plainLine } from './plain.ts';
import type { Provider, Requested } from './provider.ts';
import { nullIfRejected, ProviderError, unavailable } from './provider-error.ts';

/** How much of an event is shown, in characters: in full, and in brief. */
const FULL = { text: 16_000, earlier: 2000 } as const;
const BRIEF = { text: 3000, earlier: 0 } as const;
const MAX_FIELD = 500;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns what a question and its reply call a candidate: a name made from its position, since its own name is data. */
function candidateName(index: number): string {
  return `c${index + 1}`;
}

/**
 * Returns an event as a model is asked about it: the event and the notes it may be about, as JSON between marks that the
 * data cannot close. `brief`: for a provider that found the full question too long.
 */
export function eventText({ event, candidates, now }: ExtractionQuestion, brief = false): string {
  const limits = brief ? BRIEF : FULL;
  const { sourceType: source, from, originAt, subject, text, quoted: earlier } = event;
  const shown = {
    ...{ source, from, written: originAt === null ? null : dayAndTime(Date.parse(originAt)) },
    subject: clipped(subject, MAX_FIELD),
    text: clipped(text, limits.text),
    earlier: clipped(earlier, limits.earlier),
  };
  const lines = candidates.map((candidate, index) => quoted(noteData(candidate, index), MAX_FIELD));
  return [
    `It is ${dayAndTime(now)}.`,
    `<event>\n${quoted(shown, limits.text)}\n</event>`,
    `<notes>\n${lines.join('\n')}\n</notes>`,
    'Say what the event means for these notes.',
  ].join('\n\n');
}

function noteData({ kind, name, matter, state, summary, why }: CandidateNote, index: number) {
  return { note: candidateName(index), kind, name, matter, state, summary, found_by: why };
}

/** Such as `Friday 2026-11-20T08:15Z`, with the weekday because people write "by Friday". */
function dayAndTime(at: number): string {
  const time = new Date(at);
  return `${DAYS[time.getUTCDay()]} ${time.toISOString().slice(0, 16)}Z`;
}

/** What a model that names no confidence is taken to have: too little for anything but a proposal. */
const UNSAID = 0.5;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a reply in the form that was asked for, where a small model wrote the same in another: a list in place of the object
 * around it, one thing in place of a list of one, a number as text, a field left out. What it says stays as it is.
 */
export function mended(said: unknown): unknown {
  const whole = unwrapped(said);
  if (Array.isArray(whole)) return { signals: whole.map(mendedSignal) };
  if (!isFields(whole)) return whole;
  if ('signals' in whole) return { signals: listOf(whole.signals, mendedSignal) };
  return 'note' in whole ? { signals: [mendedSignal(whole)] } : whole;
}

function mendedSignal(said: unknown): unknown {
  if (!isFields(said)) return said;
  const { note, or_notes, note_confidence, quote, effect_confidence, reasoning } = said;
  return {
    note: typeof note === 'string' ? note.trim().toLowerCase() : note,
    or_notes: listOf(or_notes, (one) => (typeof one === 'string' ? one.toLowerCase() : one)),
    note_confidence: share(note_confidence),
    // Without a quote the signal is worthless, not the whole reply.
    quote: quote ?? '',
    changes: changesIn(said),
    effect_confidence: share(effect_confidence),
    reasoning: reasoning ?? '',
  };
}

/** The changes as a list, as one change, as a table of fields and values, or beside the quote. */
function changesIn(said: Fields): unknown {
  const changes = unwrapped(said.changes ?? ('field' in said ? said : []));
  if (Array.isArray(changes)) return changes.map(mendedChange);
  if (!isFields(changes)) return changes;
  if ('field' in changes) return [mendedChange(changes)];
  return Object.entries(changes).map(([field, value]) => ({ field, op: 'set', value }));
}

function mendedChange(said: unknown): unknown {
  return isFields(said) ? { field: said.field, op: said.op ?? 'set', value: said.value } : said;
}

/** `0.9`, `"0.9"` and `"90 %"` as 0.9. */
function share(said: unknown): unknown {
  if (said === undefined || said === null) return UNSAID;
  const [, figure, percent] =
    typeof said === 'string' ? (/^\s*(\d{1,3}(?:\.\d{1,9})?)\s*(%)?\s*$/.exec(said) ?? []) : [];
  return figure === undefined ? said : Number(figure) / (percent === undefined ? 1 : 100);
}

function listOf(said: unknown, each: (one: unknown) => unknown): unknown {
  const list = unwrapped(said);
  if (list === undefined || list === null || list === '') return [];
  if (Array.isArray(list)) return list.map(each);
  return isFields(list) || /^c\d+$/i.test(String(list)) ? [each(list)] : list;
}

/** Some models write a list or an object as the text of one. */
function unwrapped(said: unknown): unknown {
  return typeof said === 'string' && /^\s*[[{]/.test(said) ? (jsonOf(said) ?? said) : said;
}

function isFields(said: unknown): said is Fields {
  return typeof said === 'object' && said !== null && !Array.isArray(said);
}

/** The most meanings that one event is believed to have (contract, section 10). */
const MAX_MEANINGS = 5;
/** A reply that lists more than this ignores the question. */
const MAX_LISTED = 20;
const MAX_REASONING = 400;

/** The schema of a model's answer. The provider holds the model to it, and the reply is checked against it again here. */
const form = z.object({
  signals: z.array(
    z.object({
      note: z.string(),
      or_notes: z.array(z.string()),
      note_confidence: z.number().min(0).max(1),
      quote: z.string(),
      changes: z.array(claimedChange),
      effect_confidence: z.number().min(0).max(1),
      reasoning: z.string(),
    }),
  ),
});
/** The same, as small models keep to it. */
export const extraction = z.preprocess(mended, form);
type Extraction = z.infer<typeof extraction>;
type SaidSignal = Extraction['signals'][number];
type Given = Pick<CandidateNote, 'path'>;

/** Returns what a reply says the event means, for the notes that were given and no others: the five surest meanings. */
export function meaningsIn(
  said: Extraction,
  { candidates }: { readonly candidates: readonly Given[] },
): Read<Pick<Extracted, 'meanings' | 'rejected'>> {
  if (said.signals.length > MAX_LISTED || said.signals.some(({ changes }) => changes.length > MAX_LISTED)) {
    return stricter('it lists too much.');
  }
  const given = new Map(candidates.map((candidate, index) => [candidateName(index), candidate]));
  const known = said.signals.filter(({ note }) => given.has(note.trim()));
  const surest = known.toSorted((one, other) => other.effect_confidence - one.effect_confidence);
  const rejected = [
    ...said.signals.slice(known.length).map(() => 'a note that was not given'),
    ...known.slice(MAX_MEANINGS).map(() => `more than ${MAX_MEANINGS} signals`),
  ];
  return {
    ok: true,
    value: { meanings: surest.slice(0, MAX_MEANINGS).flatMap((one) => meaningOf(one, given)), rejected },
  };
}

function meaningOf(said: SaidSignal, given: ReadonlyMap<string, Given>): Meaning[] {
  const target = given.get(said.note.trim());
  if (target === undefined) return [];
  const others = said.or_notes.flatMap((name) => given.get(name.trim())?.path ?? []);
  const candidates = [...new Set([target.path, ...others])];
  const doubt = doubtOf(said.changes);
  const proposal = said.changes.length === 0 || doubt !== null ? null : proposalOf(said.changes);
  return [
    {
      ...{ target: target.path, candidates, ambiguous: candidates.length > 1, proposal, quote: said.quote },
      targetConfidence: said.note_confidence,
      effectConfidence: said.effect_confidence,
      // What a model says of its evidence counts for nothing: the search in the vault finds it (`stream/checking.ts`).
      ...{ targetEvidence: [], targetNear: false, endsMatter: false },
      reasoning: plainLine(said.reasoning, MAX_REASONING) + (doubt === null ? '' : ` No change is proposed: ${doubt}.`),
    },
  ];
}

/** Returns why changes are no proposal, or null: a proposal has one class (section 3) and at most one value for a field. */
function doubtOf(changes: readonly ClaimedChange[]): string | null {
  if (new Set(changes.map(({ field }) => classOfField(field))).size > 1) return 'its changes are of several kinds';
  const set = changes.filter(({ op }) => op === 'set').map(({ field }) => field);
  return new Set(set).size < set.length ? 'it gives two values for one field' : null;
}

function proposalOf(changes: readonly ClaimedChange[]): MutationProposal {
  const of = (op: ClaimedChange['op']) => changes.filter((change) => change.op === op);
  const set = Object.fromEntries(of('set').map((change) => [change.field, change.value]));
  return { class: classOfField(changes[0]?.field ?? ''), set, add: members(of('add')), remove: members(of('remove')) };
}

function members(changes: readonly ClaimedChange[]): Record<string, string[]> {
  const fields = Map.groupBy(changes, ({ field }) => field);
  return Object.fromEntries([...fields].map(([field, all]) => [field, all.flatMap(({ value }) => texts(value))]));
}

function texts(value: ClaimedChange['value']): string[] {
  return Array.isArray(value) ? value : [String(value)];
}

const MAX_TOKENS = 4096;

type Meant = Pick<Extracted, 'meanings' | 'rejected'>;

/** Reads stream events by asking one of Anthropic's models: one request per event, and a second if the reply cannot be used. */
export class AnthropicExtractor implements Extractor {
  readonly name: string;
  readonly asksModel = true;
  readonly #model: Model;

  constructor(provider: Provider, setup: ModelSetup) {
    this.name = setup.model;
    this.#model = new Model(provider, setup);
  }

  /** Returns what an event means. Throws `ProviderError` if there is no reply; then the event remains unread. */
  async extract(question: ExtractionQuestion, abort: AbortSignal): Promise<Extracted> {
    const { read, usage } = await this.#model.inquire(inquiryOf(question), abort);
    const extractor = `${this.name} (prompt ${EXTRACT.version})`;
    if (!read.ok) return { meanings: [], rejected: [], skipped: null, unusable: read.reason, extractor, usage };
    return extractedFrom(read.value, extractor, usage);
  }

  /** Returns the most that one request can take. */
  estimate(question: ExtractionQuestion): Usage {
    return this.#model.estimate(inquiryOf(question));
  }
}

/** Returns the extraction of a usable reply. `extractor`: who read the event, as the signal says it. */
function extractedFrom(meant: Meant, extractor: string, usage: Usage): Extracted {
  const skipped = meant.meanings.length === 0 ? 'nothing that changes a matter' : null;
  return { ...meant, skipped, unusable: null, extractor, usage };
}

/** Returns what a model is asked about one event. */
function inquiryOf(question: ExtractionQuestion): Inquiry<Extraction, Meant> {
  return {
    system: [EXTRACT.system],
    name: 'extraction',
    schema: extraction,
    question: (brief) => eventText(question, brief),
    again: askAgain,
    conclude: (said) => meaningsIn(said, question),
    maxTokens: MAX_TOKENS,
    now: question.now,
  };
}

/** The HTTP statuses of a server without such an address. */
const NO_SUCH = [404, 405, 501];

const batch = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  processing_status: z.string(),
});

const result = z.lazy(() =>
  z.object({
    custom_id: z.string(),
    result: z.object({ type: z.string(), message: z.unknown().optional() }),
  }),
);

type Requests = Parameters<Sdk['messages']['batches']['create']>[0]['requests'];

/** The unparsed reply to each request that was answered, by the request's id. */
type BatchReplies = ReadonlyMap<string, unknown>;

/** Sends many requests as one batch. Returns the batch's id; null where this server takes none. Throws `ProviderError`. */
async function createBatch(
  provider: Provider,
  asked: Requested,
  requests: Requests,
  abort: AbortSignal,
): Promise<string | null> {
  const response = await provider
    .request(asked, abort, (sdk, signal) => sdk.messages.batches.create({ requests }, { signal }).catch(unlessNoSuch))
    .catch(nullIfRejected);
  return response === null ? null : batchOf(response, asked).id;
}

/** Returns a batch's replies; null while it is running, `unknown` where the provider no longer knows it. Throws `ProviderError`. */
async function lookAtBatch(
  provider: Provider,
  asked: Requested,
  id: string,
  abort: AbortSignal,
): Promise<BatchReplies | 'unknown' | null> {
  const response = await provider.request(asked, abort, (sdk, signal) =>
    sdk.messages.batches.retrieve(id, {}, { signal }).catch(unlessNoSuch),
  );
  if (response === null) return 'unknown';
  if (batchOf(response, asked).processing_status !== 'ended') return null;
  const lines = await provider.request(asked, abort, (sdk, signal) => linesOf(sdk, id, signal).catch(unlessNoSuch));
  return lines === null ? 'unknown' : repliesIn(lines);
}

// Uses our own address, not the one in the batch, because the request carries the key.
async function linesOf(sdk: Sdk, id: string, signal: AbortSignal): Promise<string> {
  const response = await sdk.get(`/v1/messages/batches/${id}/results`, { signal }).asResponse();
  return response.text();
}

function batchOf(response: unknown, { model }: Requested): z.infer<typeof batch> {
  const parsed = batch.safeParse(response);
  if (!parsed.success) throw unavailable(model, '(what answered is not the Message Batches API)', true);
  return parsed.data;
}

/** One line per request, in any order. If a line cannot be read, its request has no reply. */
function repliesIn(lines: string): BatchReplies {
  return new Map(lines.split('\n').flatMap(replyIn));
}

function replyIn(line: string): [string, unknown][] {
  const parsed = result.safeParse(jsonOf(line));
  if (!parsed.success || parsed.data.result.type !== 'succeeded') return [];
  return [[parsed.data.custom_id, parsed.data.result.message]];
}

// Caught here, before the provider takes it for an unknown model and starts a cooldown.
function unlessNoSuch(error: unknown): null {
  if (error instanceof Error && 'status' in error && NO_SUCH.includes(Number(error.status))) return null;
  throw error;
}

/** The price of a question in a batch, as a share of its price alone. */
const SHARE = 0.5;
/** How long no batch is sent to a server that failed to take one. Each file is then asked about alone. */
const SUSPENSION_MS = 60 * 60 * 1000;

/** What one reply of a batch says, and what it took. */
export interface BatchAnswer {
  /** Null where the reply cannot be used. Its event is then asked about alone. */
  readonly extracted: Extracted | null;
  readonly usage: Usage;
}

/** Asks a model about many stream events as one batch: the same questions at half the price, answered within a day. */
export class ExtractionBatch {
  /** The version of the prompt. */
  readonly prompt = EXTRACT.version;
  readonly #provider: Provider;
  readonly #model: Model;

  constructor(provider: Provider, { model, price }: ModelSetup) {
    this.#provider = provider;
    this.#model = new Model(provider, { model, price: price === null ? null : shareOf(price) });
  }

  /** Returns whether this server and model can be asked by batch, as far as this is known. `now`: epoch ms. */
  isOffered(now: number): boolean {
    const { batchSupport, outputModes } = this.#provider;
    return batchSupport.isAssumed(now) && (outputModes.of(this.#model.id) ?? FIRST_MODE) === FIRST_MODE;
  }

  /** Returns the most that one question can take. */
  estimate(question: ExtractionQuestion): Usage {
    return this.#model.estimate(inquiryOf(question));
  }

  /**
   * Sends the questions, by their ids. Returns the batch's id, or null where the server takes no batches. Throws
   * `ProviderError`.
   */
  async put(
    questions: ReadonlyMap<string, ExtractionQuestion>,
    now: number,
    abort: AbortSignal,
  ): Promise<string | null> {
    const requests = await Promise.all(
      [...questions].map(async ([custom_id, question]) => {
        return { custom_id, params: await this.#model.requestFor(inquiryOf(question)) };
      }),
    );
    const { batchSupport } = this.#provider;
    try {
      const id = await createBatch(this.#provider, { model: this.#model.id, now }, requests, abort);
      if (id === null) batchSupport.suspendUntil(Number.POSITIVE_INFINITY);
      return id;
    } catch (error) {
      const isToWait = error instanceof ProviderError && ['rate-limited', 'no-room'].includes(error.failure);
      if (!isToWait) batchSupport.suspendUntil(now + SUSPENSION_MS);
      throw error;
    }
  }

  /** Returns the replies; null while the batch is running, `unknown` where the provider no longer knows it. Throws `ProviderError`. */
  look(id: string, now: number, abort: AbortSignal): Promise<BatchReplies | 'unknown' | null> {
    return lookAtBatch(this.#provider, { model: this.#model.id, now }, id, abort);
  }

  /**
   * Returns what a reply says about the notes that were given with its question; null where it is no reply at all.
   * `candidates`: the paths of those notes, in their order; `prompt`: the version that was asked with.
   */
  read(response: unknown, candidates: readonly string[], prompt: string): BatchAnswer | null {
    const given = { candidates: candidates.map((path) => ({ path })) };
    const result = this.#model.resultOf({ schema: extraction, conclude: (said) => meaningsIn(said, given) }, response);
    if (result === null) return null;
    const { read, usage } = result;
    return {
      extracted: read.ok ? extractedFrom(read.value, `${this.#model.id} (prompt ${prompt})`, usage) : null,
      usage,
    };
  }
}

function shareOf({ read, written }: Price): Price {
  return { read: SHARE * read, written: SHARE * written };
}
