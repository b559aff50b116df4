import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ownFolder } from '../daemon/runtime-paths.ts';
import type { ExtractorResult } from '../steward/types.ts';
import { EXIT, errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { readBytes } from '../vault/files.ts';
import { sha256 } from '../vault/note-text.ts';
import { mutationProposal, TARGET_EVIDENCE } from '../vault/record.ts';
import { rehearsedCase } from './rehearsal-evaluation.ts';

/*
 * The findings of a rehearsal so far, in a file of the user's own outside the vault: one JSON object a line.
 * An evaluated event counts as long as the vault, the settings and the program are the same; a model's answer, as long
 * as the question is.
 */

const evaluatedParts = z
  .object({
    cases: z.array(rehearsedCase).readonly(),
    /** Why nothing was read in it; null if something was. */
    reason: z.string().nullable(),
    /** Whether its words couldn't be read. */
    isUnread: z.boolean(),
    /** The open notes that it names, the likeliest first. */
    named: z.array(z.object({ note: z.string(), score: z.number() })).readonly(),
  })
  .readonly();
export type EvaluatedParts = z.infer<typeof evaluatedParts>;

const share = z.number().min(0).max(1);
const answer = z.object({
  meanings: z.array(
    z.object({
      target: z.string(),
      candidates: z.array(z.string()),
      ambiguous: z.boolean(),
      targetConfidence: share,
      targetEvidence: z.array(z.enum(TARGET_EVIDENCE)),
      targetNear: z.boolean(),
      endsMatter: z.boolean(),
      quote: z.string(),
      proposal: mutationProposal.nullable(),
      effectConfidence: share,
      reasoning: z.string(),
    }),
  ),
  skipped: z.string().nullable(),
  rejected: z.array(z.string()),
  unusable: z.string().nullable(),
  extractor: z.string(),
  usage: z
    .object({ model: z.string(), tokens_in: z.number(), tokens_out: z.number(), usd: z.number().nullable() })
    .nullable(),
});

const line = z.union([
  z.strictObject({ format: z.literal(1), binding: z.string() }),
  z.strictObject({ event: z.string(), parts: evaluatedParts }),
  /** `answer`: null if the question cost something and was not answered. */
  z.strictObject({ question: z.string(), answer: answer.nullable(), usd: z.number().min(0) }),
]);
type Line = z.infer<typeof line>;

interface PaidAnswer {
  readonly answer: ExtractorResult | null;
  readonly usd: number;
}

const MAX_BYTES = 512 * 1024 * 1024;
/** How many lines are written at once. */
const MOST_HELD = 200;
const STALE_MS = 30 * 86_400_000;

/** Where a rehearsal keeps what it has found out, and what must be the same for it to count. */
interface ProgressPlace {
  /** The absolute path of the file; null if no file is kept. */
  readonly file: string | null;
  readonly binding: string;
}

/**
 * The findings of an earlier rehearsal, and those that this one adds. If the disk refuses them, the rehearsal goes on:
 * see `trouble`.
 */
export class RehearsalProgress {
  /** Why it can't be kept; null as long as it can. */
  trouble: string | null = null;
  readonly #file: string | null;
  readonly #binding: string;
  readonly #events = new Map<string, EvaluatedParts>();
  readonly #answers = new Map<string, PaidAnswer>();
  #held: Line[] = [];
  /** Whether the lines that are read were written for the same binding. */
  #isSame = false;

  constructor({ file, binding }: ProgressPlace, now: number) {
    this.#file = file;
    this.#binding = binding;
    this.#guarded((own) => {
      removeStale(path.dirname(own), now);
      for (const one of linesIn(own)) this.#take(one);
      this.#rewrite();
    });
  }

  /** How many events were evaluated before. */
  get size(): number {
    return this.#events.size;
  }

  /** The cost of all answers of models together, in US dollars. */
  get spentUsd(): number {
    return this.#answers.values().reduce((sum, { usd }) => sum + usd, 0);
  }

  event(key: string): EvaluatedParts | null {
    return this.#events.get(key) ?? null;
  }

  answer(key: string): PaidAnswer | null {
    return this.#answers.get(key) ?? null;
  }

  keepEvent(event: string, parts: EvaluatedParts): void {
    this.#held.push({ event, parts });
    if (this.#held.length >= MOST_HELD) this.flush();
  }

  /** Writes, before a question is sent, what it may cost at most: it counts if this run is killed before the answer is kept. */
  reserve(question: string, mostUsd: number): void {
    const before = this.#answers.get(question)?.usd ?? 0;
    this.#held.push({ question, answer: null, usd: before + mostUsd });
    this.flush();
  }

  /** Is on disk at once: it was paid for. */
  keepAnswer(question: string, { answer: said, usd }: PaidAnswer): void {
    const before = this.#answers.get(question)?.usd ?? 0;
    const parsed = said === null ? null : (answer.safeParse(said).data ?? null);
    this.#answers.set(question, { answer: parsed, usd: before + usd });
    this.#held.push({ question, answer: parsed, usd: before + usd });
    this.flush();
  }

  flush(): void {
    const held = this.#held.splice(0);
    if (held.length === 0) return;
    this.#guarded((own) => fs.appendFileSync(own, textOf(held), { mode: 0o600 }));
  }

  /** Forgets the events after a rehearsal that came to its end. Answers that were paid for stay for thirty days. */
  finish(): void {
    this.#held = [];
    this.#events.clear();
    this.#guarded((own) => {
      if (this.#answers.size === 0) fs.rmSync(own, { force: true });
      else this.#rewrite();
    });
  }

  #take(one: Line): void {
    if ('binding' in one) {
      if (one.binding !== this.#binding) this.#events.clear();
      this.#isSame = one.binding === this.#binding;
    } else if ('event' in one) {
      if (this.#isSame) this.#events.set(one.event, one.parts);
    } else this.#answers.set(one.question, one);
  }

  #rewrite(): void {
    const lines: Line[] = [
      { format: 1, binding: this.#binding },
      ...[...this.#answers].map(([question, { answer: said, usd }]) => ({
        question,
        answer: said === null ? null : (answer.safeParse(said).data ?? null),
        usd,
      })),
      ...[...this.#events].map(([event, parts]) => ({ event, parts })),
    ];
    this.#guarded((own) => replaceFile(own, textOf(lines)));
  }

  #guarded(work: (file: string) => void): void {
    if (this.#file === null || this.trouble !== null) return;
    try {
      ownFolder(this.#file);
      work(this.#file);
    } catch (error) {
      this.trouble = `what was compared can't be kept for a later run: ${errorReason(error)}`;
    }
  }
}

function textOf(lines: readonly Line[]): string {
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}

// A line that a crash cut off, or that somebody changed, ends what is believed.
function linesIn(file: string): Line[] {
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const lines: Line[] = [];
  for (const text of readBytes(file, MAX_BYTES, fs.constants.O_NOFOLLOW).bytes.toString('utf8').split('\n')) {
    const read = text === '' ? null : parsed(text);
    if (read === null) break;
    lines.push(read);
  }
  return lines;
}

function parsed(text: string): Line | null {
  return line.safeParse(jsonIn(text)).data ?? null;
}

function removeStale(folder: string, now: number): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() === true && now - stat.mtimeMs > STALE_MS) fs.rmSync(file, { force: true });
  }
}

/**
 * Lets one rehearsal at a time spend for a file of progress, and returns what ends that. Throws `rehearsal-busy` (75) while
 * another one runs.
 */
export function holdProgress(file: string): () => void {
  const lock = `${file}.lock`;
  for (let nth = 0; nth < 2; nth += 1) {
    try {
      ownFolder(file);
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => fs.rmSync(lock, { force: true });
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') return () => {}; // the progress can't be kept, and says so
      if (isRunning(lock)) break;
      fs.rmSync(lock, { force: true }); // of a run that was killed
    }
  }
  const message = 'Another rehearsal of this vault asks a model at the moment.';
  throw new StewardError({ code: 'rehearsal-busy', message, hint: 'Try again when it has ended.' }, EXIT.tryAgain);
}

function isRunning(lock: string): boolean {
  try {
    process.kill(Number(readBytes(lock, 100, fs.constants.O_NOFOLLOW).bytes.toString('utf8')), 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

/** Returns the name of the file of a rehearsal: one for each vault and reader. */
export function progressName(root: string, reader: string): string {
  return `${sha256(`${root}\n${reader}`).slice(0, 32)}.jsonl`;
}

const declined = z.object({ version: z.literal(1), offers: z.record(z.string(), z.iso.date()) });
const MAX_DECLINED_BYTES = 4 * 1024 * 1024;

/** The offers that a person said no to on this machine, by a hash, each with the day. */
export class DeclinedOffers {
  readonly #file: string;
  #offers: Readonly<Record<string, string>> = {};

  /** `folder`: of the user's own, outside the vault. `isFresh`: what was said before counts no more. */
  constructor(folder: string, root: string, isFresh: boolean) {
    this.#file = path.join(folder, `${sha256(root).slice(0, 32)}.json`);
    if (!isFresh) this.#offers = this.#read();
  }

  /** Returns the day on which an offer was declined; null if it wasn't. */
  dayOf(offer: string): string | null {
    return this.#offers[sha256(offer)] ?? null;
  }

  /** Remembers that offers were declined on a day. Throws what the disk refuses. */
  add(offers: readonly string[], day: string): void {
    if (offers.length === 0) return;
    this.#offers = { ...this.#offers, ...Object.fromEntries(offers.map((offer) => [sha256(offer), day])) };
    ownFolder(this.#file);
    replaceFile(this.#file, JSON.stringify({ version: 1, offers: this.#offers }));
  }

  #read(): Readonly<Record<string, string>> {
    if (fs.lstatSync(this.#file, { throwIfNoEntry: false })?.isFile() !== true) return {};
    const { bytes } = readBytes(this.#file, MAX_DECLINED_BYTES, fs.constants.O_NOFOLLOW);
    const read = declined.safeParse(jsonIn(bytes.toString('utf8')));
    return read.data?.offers ?? {};
  }
}

// Another file takes its place, so that a link there, or a file of somebody else's, is never written to.
function replaceFile(file: string, text: string): void {
  const made = `${file}.${process.pid}`;
  fs.rmSync(made, { force: true });
  fs.writeFileSync(made, text, { mode: 0o600, flag: 'wx' });
  fs.renameSync(made, file);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
