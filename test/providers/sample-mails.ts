import { ProviderError } from '../../src/providers/provider.ts';
import { candidatesFor } from '../../src/reading/candidates.ts';
import type { ReadingBasis } from '../../src/reading/learnt.ts';
import { TargetIndex } from '../../src/reading/targets.ts';
import type { Extractor, StreamEvent, Usage } from '../../src/steward/types.ts';
import { admitted, checked } from '../../src/streams/extract.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { makeDrafts, type SignalDraft } from '../../src/streams/signal.ts';

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

/** How well a model read the samples. */
interface Reading {
  readonly right: number;
  /** The ids of the samples about which it proposed something else. */
  readonly wrong: readonly string[];
  readonly missed: number;
  /** How many replies could not be used. */
  readonly unusable: number;
  readonly usage: readonly Usage[];
}

/**
 * Has a model read the samples, one after the other, through the same search and the same checks as any mail. Throws what
 * the provider refuses, but for a reply that cannot be used. `now`: epoch ms.
 */
export async function readSamples(extractor: Extractor, known: ReadingBasis, now: number): Promise<Reading> {
  const reads = [];
  for (const sample of SAMPLES) reads.push({ sample, ...(await readSample(sample, extractor, known, now)) });
  const judged = reads.map(({ sample, drafts }) => {
    const proposed = drafts.filter(({ effect, target_ambiguous }) => effect === 'mutation' && !target_ambiguous);
    const right = proposed.filter((draft) => isExpected(draft, sample, now)).length;
    return { sample, isRight: right > 0, isWrong: proposed.length > right };
  });
  return {
    right: judged.filter(({ isRight }) => isRight).length,
    wrong: judged.filter(({ isWrong }) => isWrong).map(({ sample }) => sample.id),
    missed: judged.filter(({ sample, isRight }) => sample.expect !== null && !isRight).length,
    unusable: reads.filter(({ isUnusable }) => isUnusable).length,
    usage: reads.flatMap(({ usage }) => usage ?? []),
  };
}

/** What a model made of one sample. */
interface SampleRead {
  readonly drafts: readonly SignalDraft[];
  readonly isUnusable: boolean;
  readonly usage: Usage | null;
}

async function readSample(sample: Sample, extractor: Extractor, known: ReadingBasis, now: number): Promise<SampleRead> {
  const admission = admitted(await sampleEvent(sample, now), new Date(now));
  if (!admission.ok) throw new Error(`The sample ${sample.id} is not admitted: ${admission.reason}`);
  const { event } = admission;
  const candidates = candidatesFor(event, known);
  if (candidates.length === 0) return { drafts: [], isUnusable: false, usage: null };
  try {
    const answer = await extractor.extract({ event, candidates, now }, new AbortController().signal);
    if (answer.unusable !== null) return { drafts: [], isUnusable: true, usage: answer.usage };
    // As if every sender were known: what is measured is the reading alone.
    const context = {
      confidenceOf: () => 1,
      standingOf: () => 'unknown' as const,
      now: new Date(now),
    };
    const drafts = makeDrafts(event, checked(answer, event, known.index), known.index, context);
    return { drafts, isUnusable: false, usage: answer.usage };
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'rejected')
      return { drafts: [], isUnusable: true, usage: null };
    throw error;
  }
}
