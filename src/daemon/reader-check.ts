import { ProviderError } from '../model/provider-error.ts';
import { costOf } from '../steward/gate-limits.ts';
import type { Usage } from '../steward/ports/evaluator.ts';
import type { Extracted, ExtractionQuestion, Extractor, StreamEvent } from '../steward/ports.ts';
import { admitted } from '../stream/admission.ts';
import { checked } from '../stream/checking.ts';
import { draftsOf, type SignalDraft } from '../stream/draft.ts';
import type { Known } from '../stream/learnt-meanings.ts';
import { parseMail } from '../stream/parse-mail.ts';
import { readByRules } from '../stream/rules-extractor.ts';
import { candidatesFor } from '../stream/targets.ts';
import { TargetIndex } from '../stream/targets-target-index.ts';
import type { BudgetClient } from './budget.ts';
import { costOfFailure } from './decide/model-check.ts';

/** A mail that a reader is tried on. All names are made up. */
export interface Sample {
  readonly id: string;
  readonly language: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl';
  readonly from: string;
  readonly subject: string;
  /** `{day}` stands for a day that lies ahead, in the language's own words. */
  readonly text: string;
  /** The task that has changed, and how; `moved` is due on that day. Null where the mail only seems to say so. */
  readonly expect: { readonly task: string; readonly change: 'done' | 'archived' | 'moved' } | null;
}

/** A matter of the vault in which the mails are read. */
interface SampleMatter {
  readonly matter: string;
  readonly sender: string;
  readonly tasks: readonly string[];
}

/** What the mails could be about. */
const MATTERS: readonly SampleMatter[] = [
  {
    matter: 'Boat shed',
    sender: '@tarn-timber.example',
    tasks: ['Pay the timber invoice 2207', 'Repair visit for the slipway'],
  },
  {
    matter: 'Kita Sonnenhang',
    sender: '@kita-sonnenhang.example',
    tasks: ['Betreuungsvertrag unterschreiben', 'Elternabend in der Kita', 'Impfpass einreichen'],
  },
  {
    matter: 'Déménagement à Brume',
    sender: '@cartons-brume.example',
    tasks: ["Payer l'acompte du déménagement", "Visite de l'appartement"],
  },
  {
    matter: 'Reforma de la cocina',
    sender: '@azulejos-rio.example',
    tasks: ['Pagar la señal de los azulejos', 'Entrega de los azulejos'],
  },
  { matter: 'Corso di vela', sender: '@vela-lago.example', tasks: ['Pagare la quota del corso', 'Prova in barca'] },
  {
    matter: 'Zonnepanelen',
    sender: '@dakzon.example',
    tasks: ['Aanbetaling zonnepanelen betalen', 'Keuring van het dak'],
  },
];

/** Long enough that a server with too small a context cuts off what stands before it. */
const SMALL_PRINT =
  'Goods remain ours until they are settled in full. Timber is a natural product: colour, grain and moisture vary, and no claim follows from it. Our lorries need a firm road, three metres wide, and somebody who shows where to unload. '.repeat(
    60,
  );

/** Twenty mails in six languages: thirteen say that something has changed, seven only seem to. */
export const SAMPLES: readonly Sample[] = [
  {
    id: 'en-paid',
    language: 'en',
    from: 'accounts@tarn-timber.example',
    subject: 'Receipt',
    text: 'Dear Robin Hale,\n\nwe have received your payment of £312.00 for invoice 2207. Your account is settled.\n\nTarn Timber, accounts',
    expect: { task: 'Pay the timber invoice 2207', change: 'done' },
  },
  {
    id: 'en-moved',
    language: 'en',
    from: 'visits@tarn-timber.example',
    subject: 'Your repair visit',
    text: 'Hello,\n\nour carpenter is ill. The repair visit for the slipway has been moved to {day}.\n\nKind regards\nTarn Timber',
    expect: { task: 'Repair visit for the slipway', change: 'moved' },
  },
  {
    id: 'en-long',
    language: 'en',
    from: 'visits@tarn-timber.example',
    subject: 'Slipway',
    text: `Hello Robin,\n\nthe repair visit for the slipway has been cancelled, since the yard has bought a new one. You can strike it off your list.\n\nTarn Timber\n\nTerms of business\n\n${SMALL_PRINT}`,
    expect: { task: 'Repair visit for the slipway', change: 'archived' },
  },
  {
    id: 'en-not-yet',
    language: 'en',
    from: 'accounts@tarn-timber.example',
    subject: 'Reminder',
    text: 'Dear Robin Hale,\n\ninvoice 2207 has not been paid yet. As soon as it is paid we will cut the boards.\n\nTarn Timber, accounts',
    expect: null,
  },
  {
    id: 'en-another-invoice',
    language: 'en',
    from: 'accounts@tarn-timber.example',
    subject: 'Receipt',
    text: 'Dear Robin Hale,\n\nwe have received your payment of £18.50 for invoice 2210 (screws).\n\nTarn Timber, accounts',
    expect: null,
  },
  {
    id: 'de-erledigt',
    language: 'de',
    from: 'buero@kita-sonnenhang.example',
    subject: 'Unterlagen',
    text: 'Liebe Frau Hale,\n\nvielen Dank, der Impfpass ist heute bei uns eingegangen. Damit ist alles vollständig.\n\nKita Sonnenhang',
    expect: { task: 'Impfpass einreichen', change: 'done' },
  },
  {
    id: 'de-verschoben',
    language: 'de',
    from: 'leitung@kita-sonnenhang.example',
    subject: 'Elternabend',
    text: 'Liebe Eltern,\n\nder Elternabend in der Kita wird auf den {day} verschoben.\n\nHerzliche Grüße\nIhre Leitung',
    expect: { task: 'Elternabend in der Kita', change: 'moved' },
  },
  {
    id: 'de-bedingung',
    language: 'de',
    from: 'buero@kita-sonnenhang.example',
    subject: 'Ihr Platz',
    text: 'Liebe Frau Hale,\n\nsobald der Betreuungsvertrag unterschrieben ist, schicken wir Ihnen den Plan für die Eingewöhnung.\n\nKita Sonnenhang',
    expect: null,
  },
  {
    id: 'fr-annulee',
    language: 'fr',
    from: 'agence@cartons-brume.example',
    subject: 'Appartement',
    text: "Bonjour,\n\nla visite de l'appartement est annulée : le logement a été loué hier.\n\nBien à vous\nCartons Brume",
    expect: { task: "Visite de l'appartement", change: 'archived' },
  },
  {
    id: 'fr-recu',
    language: 'fr',
    from: 'compta@cartons-brume.example',
    subject: 'Votre acompte',
    text: "Bonjour Madame Hale,\n\nnous avons bien reçu votre paiement de l'acompte pour le déménagement, 180 €.\n\nCartons Brume",
    expect: { task: "Payer l'acompte du déménagement", change: 'done' },
  },
  {
    id: 'fr-question',
    language: 'fr',
    from: 'compta@cartons-brume.example',
    subject: 'Acompte',
    text: "Bonjour Madame Hale,\n\navez-vous déjà payé l'acompte du déménagement ? Nous ne le trouvons pas.\n\nCartons Brume",
    expect: null,
  },
  {
    id: 'es-aplazada',
    language: 'es',
    from: 'pedidos@azulejos-rio.example',
    subject: 'Su pedido',
    text: 'Buenos días:\n\nla entrega de los azulejos se aplaza al {day}. Disculpe las molestias.\n\nAzulejos Río',
    expect: { task: 'Entrega de los azulejos', change: 'moved' },
  },
  {
    id: 'es-recibido',
    language: 'es',
    from: 'caja@azulejos-rio.example',
    subject: 'Pago',
    text: 'Estimada señora Hale:\n\nhemos recibido el pago de la señal de los azulejos. Gracias.\n\nAzulejos Río',
    expect: { task: 'Pagar la señal de los azulejos', change: 'done' },
  },
  {
    id: 'es-promesa',
    language: 'es',
    from: 'pedidos@azulejos-rio.example',
    subject: 'Entrega',
    text: 'Buenos días:\n\nsi el camión sale a tiempo, entregaremos los azulejos esta semana. Le avisaremos.\n\nAzulejos Río',
    expect: null,
  },
  {
    id: 'it-annullata',
    language: 'it',
    from: 'scuola@vela-lago.example',
    subject: 'Prova in barca',
    text: 'Gentile Robin,\n\nla prova in barca è stata annullata: la barca è stata venduta.\n\nVela Lago',
    expect: { task: 'Prova in barca', change: 'archived' },
  },
  {
    id: 'it-ricevuta',
    language: 'it',
    from: 'segreteria@vela-lago.example',
    subject: 'Quota',
    text: 'Gentile Robin,\n\nabbiamo ricevuto il pagamento della quota del corso. Grazie e a presto.\n\nVela Lago',
    expect: { task: 'Pagare la quota del corso', change: 'done' },
  },
  {
    id: 'it-non-ancora',
    language: 'it',
    from: 'segreteria@vela-lago.example',
    subject: 'Quota',
    text: 'Gentile Robin,\n\nla quota del corso non risulta ancora pagata. Può controllare?\n\nVela Lago',
    expect: null,
  },
  {
    id: 'nl-verplaatst',
    language: 'nl',
    from: 'planning@dakzon.example',
    subject: 'Afspraak',
    text: 'Beste Robin,\n\nde keuring van het dak is verplaatst naar {day}.\n\nMet vriendelijke groet\nDakzon',
    expect: { task: 'Keuring van het dak', change: 'moved' },
  },
  {
    id: 'nl-ontvangen',
    language: 'nl',
    from: 'administratie@dakzon.example',
    subject: 'Betaling',
    text: 'Beste Robin,\n\nwij hebben de aanbetaling voor de zonnepanelen ontvangen. Dank u wel.\n\nDakzon',
    expect: { task: 'Aanbetaling zonnepanelen betalen', change: 'done' },
  },
  {
    id: 'nl-anderen',
    language: 'nl',
    from: 'klanten@dakzon.example',
    subject: 'Samen met de buurt',
    text: 'Beste Robin,\n\nin uw straat hebben twaalf gezinnen de aanbetaling al betaald. Doet u ook mee?\n\nDakzon',
    expect: null,
  },
];

const DAY_MS = 24 * 60 * 60 * 1000;
/** How far ahead the day lies that a mail moves something to. */
const AHEAD_MS = 18 * DAY_MS;
/** No records of a vault lie here: nothing that is found can be taken for a person's own note. */
const FOLDER = 'built-in samples';

/** Returns the event of a sample, parsed from a mail's bytes as any mail is. `now`: epoch ms. */
async function sampleEvent(sample: Sample, now: number): Promise<StreamEvent> {
  const parsed = await parseMail(`${FOLDER}/${sample.id}.eml`, bytesOf(sample, now), {
    sourceType: 'mail',
    trustedServers: [],
  });
  if (!parsed.ok) throw new Error(`The sample ${sample.id} cannot be read: ${parsed.trouble.message}`);
  return parsed.event;
}

/** Returns an index of the notes that the samples are about, as of a vault. */
export function sampleIndex(): TargetIndex {
  const index = new TargetIndex();
  const blank = { aliases: [], senders: [], keywords: [], summary: '', state: 'open' };
  for (const { matter, sender, tasks } of MATTERS) {
    const matterPath = pathOf(matter);
    index.add({ ...blank, kind: 'matter', path: matterPath, name: matter, matterPath: null, senders: [sender] });
    for (const task of tasks)
      index.add({ ...blank, kind: 'task', path: pathOf(task), name: task, matterPath, due: null, scheduled: null });
  }
  return index;
}

/** Returns whether a signal proposes what is expected of its mail. */
function isExpected({ target_path, target_ambiguous, ...draft }: SignalDraft, { expect }: Sample, now: number) {
  if (expect === null || target_ambiguous || target_path !== pathOf(expect.task)) return false;
  const set = draft.mutation_proposal?.set ?? {};
  return expect.change === 'moved' ? set.due === dayAhead(now) : set.state === expect.change;
}

function pathOf(name: string): string {
  return `${FOLDER}/${name}.md`;
}

function dayAhead(now: number): string {
  return new Date(now + AHEAD_MS).toISOString().slice(0, 10);
}

function bytesOf({ language, from, subject, text }: Sample, now: number): Uint8Array {
  const spelled = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const lines = [
    `From: ${from}`,
    'To: robin@home.example',
    `Date: ${new Date(now).toUTCString()}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text.replace('{day}', spelled.format(now + AHEAD_MS)).replaceAll('\n', '\r\n'),
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** One thing that a reader got wrong. `said`: what it proposed; null where it missed a change. */
interface Mistake {
  readonly sample: string;
  readonly expected: string;
  readonly said: string | null;
}

/** How well the samples were read. */
export interface Reading {
  /** The model, or `embedded`. */
  readonly reader: string;
  readonly mails: number;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  /** The share of the proposed changes that are right; null where none was proposed. */
  readonly precision: number | null;
  /** The share of the changes that were found; null where there was none. */
  readonly recall: number | null;
  /** How many replies could not be used. */
  readonly unusable: number;
  readonly secondsPerMail: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Null where no price is known. */
  readonly usd: number | null;
  readonly mistakes: readonly Mistake[];
  /** Why it ended before the last mail; null where it did not. */
  readonly stopped: string | null;
}

/** What a reader made of one mail. */
interface SampleRead {
  readonly sample: Sample;
  readonly drafts: readonly SignalDraft[];
  readonly isUnusable: boolean;
  readonly ms: number;
  readonly usage: Usage | null;
}

/** A sample as its event, with what a model would be asked about it; null where the search finds no note. */
interface Asked {
  readonly sample: Sample;
  readonly event: StreamEvent;
  readonly question: ExtractionQuestion | null;
}

/** Returns the samples as they are read, after the same admission and the same search as any mail. */
export async function sampleQuestions({ index }: Known, now: number): Promise<readonly Asked[]> {
  return Promise.all(
    SAMPLES.map(async (sample) => {
      const admission = admitted(await sampleEvent(sample, now), new Date(now));
      if (!admission.ok) throw new Error(`The sample ${sample.id} is not admitted: ${admission.reason}`);
      const candidates = candidatesFor(index, admission.event);
      const question = candidates.length === 0 ? null : { event: admission.event, candidates, now };
      return { sample, event: admission.event, question };
    }),
  );
}

/**
 * Returns the most that a model can take for the samples, each asked about twice where a first reply cannot be used, the second
 * time with twice the room. `usd`: null where no price is known.
 */
export function mostOf(asked: readonly Asked[], extractor: Extractor): Pick<Usage, 'tokens_in' | 'tokens_out' | 'usd'> {
  const estimates = asked.flatMap(({ question }) => (question && extractor.estimate?.(question)) ?? []);
  const sum = (of: (usage: Usage) => number) => estimates.reduce((all, one) => all + of(one), 0);
  const isPriced = estimates.every(({ usd }) => usd !== null);
  return {
    tokens_in: 2 * sum(({ tokens_in }) => tokens_in),
    tokens_out: 3 * sum(({ tokens_out }) => tokens_out),
    usd: isPriced ? 3 * sum(({ usd }) => usd ?? 0) : null,
  };
}

/** Reads the samples as the program does without a model. */
export function readEmbedded(asked: readonly Asked[], known: Known, now: number): Reading {
  const reads = asked.map(({ sample, event }) => {
    const began = performance.now();
    const drafts = draftsFrom(event, readByRules(event, known), known, now);
    return { sample, drafts, isUnusable: false, ms: performance.now() - began, usage: null };
  });
  return readingOf('embedded', reads, now, null);
}

/**
 * Has a model read the samples, one after the other, through the same checks as any mail. Each question counts in the budget
 * and the rate guard. Ends early where the model can no longer be asked. `heard` is told of each mail.
 */
export async function readByModel(
  asked: readonly Asked[],
  { extractor, budget, known, now }: { extractor: Extractor; budget: BudgetClient; known: Known; now: number },
  heard: (nth: number, ms: number) => void,
): Promise<Reading> {
  const reads: SampleRead[] = [];
  for (const { sample, event, question } of asked) {
    const began = performance.now();
    const answer = question === null ? NOT_ASKED : await askedOf(extractor, question, budget);
    if (typeof answer === 'string') return readingOf(extractor.name, reads, now, answer);
    const drafts = answer.unusable === null ? draftsFrom(event, checked(answer, event, known.index), known, now) : [];
    const ms = performance.now() - began;
    reads.push({ sample, drafts, isUnusable: answer.unusable !== null, ms, usage: answer.usage });
    heard(reads.length, ms);
  }
  return readingOf(extractor.name, reads, now, null);
}

const NOT_ASKED: Extracted = {
  ...{ meanings: [], rejected: [], skipped: null, unusable: null, extractor: '', usage: null },
};

/** Returns the answer to one question, or why the model cannot be asked any more. */
async function askedOf(
  extractor: Extractor,
  question: ExtractionQuestion,
  budget: BudgetClient,
): Promise<Extracted | string> {
  const estimate = extractor.estimate?.(question);
  if (estimate === undefined) throw new Error(`${extractor.name} is no model`);
  const reserved = await budget.reserve(estimate);
  if (!reserved.ok) return reserved.reason;
  try {
    const answer = await extractor.extract(question, new AbortController().signal);
    const usage = answer.usage ?? estimate;
    await budget.record({ id: reserved.id, cost: costOf(usage), usage });
    return answer;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await budget.record({ id: reserved.id, ...costOfFailure(error) });
    return error.failure === 'rejected' ? { ...NOT_ASKED, unusable: error.message } : error.message;
  }
}

// As if every sender were known: what is measured is the reading alone.
function draftsFrom(event: StreamEvent, extracted: Extracted, { index }: Known, now: number): readonly SignalDraft[] {
  const context = { confidenceOf: () => 1, standingOf: () => 'unknown' as const, canVouch: false };
  return draftsOf(event, extracted, index, { ...context, now: new Date(now) });
}

function readingOf(reader: string, reads: readonly SampleRead[], now: number, stopped: string | null): Reading {
  const judged = reads.map((read) => judgedOf(read, now));
  const sum = (of: (one: (typeof judged)[number]) => number) => judged.reduce((all, one) => all + of(one), 0);
  const [right, wrong] = [sum((one) => one.right), sum(({ wrongly }) => wrongly.length)];
  const missed = judged.filter(({ isMissed }) => isMissed).length;
  const usages = reads.flatMap(({ usage }) => usage ?? []);
  return {
    ...{ reader, mails: reads.length, right, wrong, missed },
    precision: shareOf(right, right + wrong),
    recall: shareOf(right, right + missed),
    unusable: reads.filter(({ isUnusable }) => isUnusable).length,
    secondsPerMail: reads.reduce((all, { ms }) => all + ms, 0) / 1000 / Math.max(1, reads.length),
    tokensIn: usages.reduce((all, { tokens_in }) => all + tokens_in, 0),
    tokensOut: usages.reduce((all, { tokens_out }) => all + tokens_out, 0),
    usd: usages.some(({ usd }) => usd === null) ? null : usages.reduce((all, { usd }) => all + (usd ?? 0), 0),
    mistakes: judged.flatMap(mistakesOf),
    stopped,
  };
}

/** What is proposed for the one expected change, and what besides. What may mean several notes is neither. */
function judgedOf({ sample, drafts }: SampleRead, now: number) {
  const proposed = drafts.filter(({ effect, target_ambiguous }) => effect === 'mutation' && !target_ambiguous);
  const wrongly = proposed.filter((draft) => !isExpected(draft, sample, now));
  const right = proposed.length > wrongly.length ? 1 : 0;
  return { sample, wrongly, right, isMissed: sample.expect !== null && right === 0 };
}

function mistakesOf({ sample, wrongly, isMissed }: ReturnType<typeof judgedOf>): Mistake[] {
  const expected = sample.expect === null ? 'nothing' : `${sample.expect.change}: ${sample.expect.task}`;
  const said = wrongly.map((draft) => ({ sample: sample.id, expected, said: toldOf(draft) }));
  return isMissed && said.length === 0 ? [{ sample: sample.id, expected, said: null }] : said;
}

/** `due 2026-12-11: Repair visit for the slipway`. */
function toldOf({ mutation_proposal, target_path }: SignalDraft): string {
  const set = Object.entries(mutation_proposal?.set ?? {}).map(([field, value]) => `${field} ${String(value)}`);
  const task = target_path.replace(/^.*\//, '').replace(/\.md$/, '');
  return `${set.join(', ') || 'another field'}: ${task}`;
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
