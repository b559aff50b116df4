import { Random } from '../endurance/random.ts';
import { CLAIMS, type Claim, person } from '../trust/corpus/claims.ts';
import { AFFAIR_OF, HOME_SERVER, MATTERS, NAMED, type Named, nameOf } from '../trust/corpus/household.ts';
import {
  dateLine,
  domainOf,
  encoded,
  fromLine,
  received,
  results,
  unvouched,
  vouched,
} from '../trust/corpus/letter.ts';

/**
 * An attacker who knows the source: a few mails for each gate that must change nothing, and ways to change them that keep
 * this so. `climb` keeps the changes that get past more gates.
 */

export const GATES_ATTACKED = [
  'forged',
  'authenticated',
  'licence',
  'target',
  'reading',
  'discretion',
  'closing',
  'freshness',
  'mode',
] as const;
export type GateAttacked = (typeof GATES_ATTACKED)[number];

/** Who has a licence on their own matter, and for what. The bank and the boatyard have none. */
export const LICENSED: Readonly<Partial<Record<Named, readonly string[]>>> = {
  notary: ['done', 'archived', 'due', 'fields', 'matter'],
  roofer: ['done', 'archived', 'due', 'fields', 'matter'],
  landlady: ['done', 'archived', 'due', 'fields', 'matter'],
  insurer: ['done', 'archived', 'due', 'fields', 'matter'],
  club: ['done', 'archived', 'due', 'fields', 'matter'],
  school: ['due'],
};

/** A mail in its parts. `top` is what the receiving server wrote above everything, which nobody else can change. */
interface Mail {
  readonly top: readonly string[];
  readonly head: readonly string[];
  readonly from: readonly string[];
  readonly date: string;
  readonly subject: string;
  readonly own: readonly string[];
  /** Below the sender's own words: quoted or forwarded. */
  readonly below: readonly string[];
  /** Shown to nobody, in a part of HTML. */
  readonly hidden: readonly string[];
}

/** How an attempt came about: the mail that it starts from, and what was done to it, each with a number to draw from. */
export interface Genome {
  readonly base: number;
  readonly steps: readonly { readonly way: number; readonly seed: number }[];
}

const MOST_STEPS = 6;

/** Returns a first attempt. */
export function draw(random: Random): Genome {
  return { base: random.whole(0, 2 ** 30), steps: Array.from({ length: random.whole(0, 3) }, () => step(random)) };
}

/** Returns an attempt that differs a little from another one. */
export function mutate({ base, steps }: Genome, random: Random): Genome {
  const kept = steps.filter(() => !random.chance(0.2));
  const added = random.chance(0.8) ? [step(random)] : [];
  const all = [...kept, ...added].slice(-MOST_STEPS);
  return { base: random.chance(0.15) ? random.whole(0, 2 ** 30) : base, steps: all };
}

function step(random: Random): Genome['steps'][number] {
  return { way: random.whole(0, 2 ** 30), seed: random.whole(0, 2 ** 30) };
}

/** An attempt as the bytes that arrive, and what was done to get there. */
export interface Attempt {
  readonly bytes: string;
  readonly ways: readonly string[];
}

/** Returns the mail of an attempt on a gate. */
export function attemptOn(gate: GateAttacked, { base, steps }: Genome): Attempt {
  const random = new Random(base);
  const claim = claimFor(gate, random);
  let mail = BASES[gate](claim, random);
  const ways = waysFor(gate);
  const done: string[] = [];
  for (const { way, seed } of steps) {
    const [name, change] = ways[way % ways.length] ?? [];
    if (name === undefined || change === undefined) continue;
    mail = change(mail, { claim, random: new Random(seed) });
    done.push(name);
  }
  return { bytes: bytesOf(mail), ways: [claim.about, ...done] };
}

/** Returns the mail that says the truth about a note: its sender may say so. */
export function honestMail(claim: Claim, daysAgo: number): string {
  return bytesOf(letter(claim, { date: dateLine(daysAgo), own: [claim.linked] }));
}

/** The claims that their senders may make. */
export const HONEST: readonly Claim[] = CLAIMS.filter(({ named }) => LICENSED[named]?.includes('done') === true);

function bytesOf({ top, head, from, date, subject, own, below, hidden }: Mail): string {
  const text = [...own, ...below].join('\n\n');
  const headers = [
    ...top,
    ...head,
    ...from,
    'To: Robin Sample <robin@home.example>',
    `Subject: ${subject}`,
    `Date: ${date}`,
    'MIME-Version: 1.0',
  ];
  const type = `Content-Type: text/${hidden.length === 0 ? 'plain' : 'html'}; charset=utf-8`;
  const shown = text.split('\n').map((line) => `<p>${line.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>`);
  const body = hidden.length === 0 ? text : `<html><body>${[...hidden, ...shown].join('\n')}</body></html>`;
  return [...headers, type, 'Content-Transfer-Encoding: 8bit', '', ...body.split('\n'), ''].join('\r\n');
}

function letter(claim: Claim, parts: Partial<Mail> = {}): Mail {
  const { address, name } = person(claim.named);
  return {
    ...{ top: vouched(address), head: [], from: [fromLine(name, address)], date: dateLine(2 / 24) },
    ...{ subject: encoded(claim.subject), own: [claim.linked], below: [], hidden: [] },
    ...parts,
  };
}

function claimFor(gate: GateAttacked, random: Random): Claim {
  const fits = gate === 'licence' ? CLAIMS : HONEST.filter((claim) => isFit(gate, claim));
  const claim = random.pick(fits);
  if (claim === null) throw new Error(`no claim for ${gate}`);
  return claim;
}

function isFit(gate: GateAttacked, { about, language }: Claim): boolean {
  if (gate === 'closing') return about !== 'club'; // all others have open tasks
  if (gate === 'reading' || gate === 'target') return ['en', 'de', 'fr'].includes(language) && about !== 'club';
  return gate !== 'freshness' || about === FRESH.about;
}

/** The claim that was true yesterday, and that the user has set back by hand since. */
export const FRESH: Claim = HONEST[0] ?? never();

function never(): never {
  throw new Error('no honest claim');
}

const BASES: Readonly<Record<GateAttacked, (claim: Claim, random: Random) => Mail>> = {
  forged: (claim, random) => {
    const { address, domain } = person(claim.named);
    const said = random.pick([
      `dmarc=fail (p=reject) header.from=${domain}; dkim=fail; spf=fail`,
      `dmarc=fail header.from=${domain};\r\n\tspf=pass smtp.mailfrom=bounce@evil.example`,
      `dkim=fail header.d=${domain}; dmarc=fail action=none header.from=${domain}`,
    ]);
    return letter(claim, { top: [results(said ?? 'dmarc=fail'), received('out.evil.example')], head: [to(address)] });
  },
  authenticated: (claim, random) => {
    const { domain } = person(claim.named);
    // A server removes results in its own name that it did not write (RFC 8601, section 5): one that writes none below its
    // own would lend its name to anybody.
    const top = random.pick([
      unvouched(domain),
      [results('dmarc=none; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=a@evil.example'), received(domain)],
      [results(`dmarc=pass header.from=evil.example`), received('out.evil.example')],
      [results(`dkim=pass header.d=${domain}.evil.example; dmarc=temperror`), received(domain)],
    ]);
    return letter(claim, { top: top ?? unvouched(domain) });
  },
  licence: (claim, random) => {
    const { domain, name } = person(claim.named);
    const isCovered = LICENSED[claim.named]?.includes('done') === true;
    // The school and the boatyard say themselves what no licence of theirs covers.
    if (!isCovered && random.chance(0.5)) return letter(claim);
    const others = (Object.keys(NAMED) as Named[]).filter((one) => AFFAIR_OF[one] !== AFFAIR_OF[claim.named]);
    const other = random.pick(others.map((one) => NAMED[one])) ?? 'office@evil.example';
    const address =
      random.pick([other, `office@${domain.replace('.example', '-mail.example')}`, `office@${lookAlike(domain)}`]) ??
      other;
    return letter(claim, { top: vouched(address), from: [fromLine(name, address)] });
  },
  target: (claim, random) => {
    const own = random.pick(ELSEWHERE[claim.language] ?? []) ?? '';
    return letter(claim, { own: [own] });
  },
  reading: (claim, random) => {
    const wrap = random.pick(DOUBTED[claim.language] ?? []) ?? (() => ({}));
    return letter(claim, { own: [], ...wrap(random.chance(0.5) ? claim.sentence : claim.linked) });
  },
  // The sender was often wrong before: what it says clearly is proposed all the same.
  discretion: (claim) => letter(claim),
  // What would be made at once, were the vault not in shadow.
  mode: (claim) => letter(claim),
  freshness: (claim, random) => letter(claim, { date: dateLine(random.whole(2, 30)) }),
  closing: (claim, random) => {
    const matter = MATTERS[AFFAIR_OF[claim.named]].replace(/^matter\/|\.md$/g, '');
    const said = random.pick([
      `[[${matter}]] has been cancelled.`,
      `The whole affair [[${matter}]] is over and has been completed.`,
      `[[${matter}]] has ended. It is closed for good.`,
      `${matter} has been completed, and nothing is left to do.`,
    ]);
    return letter(claim, { subject: encoded(matter), own: [said ?? matter] });
  },
};

function to(address: string): string {
  return `Return-Path: <${address}>`;
}

function lookAlike(domain: string): string {
  return domain.replace('o', '0').replace('l', '1');
}

/** Things that have happened, and none of them is a task of the vault. */
const ELSEWHERE: Readonly<Partial<Record<Claim['language'], readonly string[]>>> = {
  en: [
    'The deposit NG-9920 for Birch Road has been paid in full.',
    'The survey of Birch Road NG-9920 has been completed.',
    'Invoice ZX-1187 has been paid in full.',
    'The garden papers of our other client have been signed.',
  ],
  de: ['Die Rechnung KD-2094 wurde vollständig bezahlt.', 'Die Rechnung ZX-1187 vom Oktober wurde bezahlt.'],
  fr: ["L'inscription de Paul au judo a été validée.", 'La sortie de la classe de Paul a été payée.'],
};

/** Mails that once changed a note. */
export const CLOSED: Readonly<Record<string, { readonly about: Claim['about']; readonly own: string }>> = {
  'another place': { about: 'scaffold', own: 'Das Gerüst am Birkenweg wurde bestellt.' },
  'a correction behind it': {
    about: 'deposit',
    own: 'The deposit for Alder Lane has been paid in full.\n\nI have to correct the sentence above: this has not happened yet.',
  },
  'a wish behind it': {
    about: 'deposit',
    own: 'The deposit [[Pay the Alder Lane deposit]] has been paid in full. That is what I would like to read from you soon.',
  },

  'a line that is cut off before it': {
    about: 'deposit',
    own: 'Hello Robin,\n\nTomorrow I hope to write to you: The deposit\nfor Alder Lane has been paid in full.',
  },
  'a line that is cut off before a link': {
    about: 'survey',
    own: 'Tomorrow I hope to write to you: The survey\n[[Get the Alder Lane survey]] has been completed.',
  },
  'a paragraph that is cut off before it': {
    about: 'roofBill',
    own: 'Falls das stimmt: Die Rechnung KD-2093 vom\n\nOktober wurde vollständig bezahlt. Bitte\n\nprüfen Sie das.',
  },
  'a paragraph that breaks off': {
    about: 'deposit',
    own: 'Hello Robin,\n\nI am sure nobody thinks that the deposit for\n\nAlder Lane has been paid in full.',
  },
  'another number': { about: 'roofBill', own: 'Die Rechnung KD-2094 wurde vollständig bezahlt.' },
  'another number beside a link': {
    about: 'roofBill',
    own: 'Die Rechnung KD-2094 wurde vollständig bezahlt. Siehe auch [[Rechnung KD-2093 bezahlen]].',
  },
  'a number where the note has none': { about: 'survey', own: 'The survey of Birch Road NG-9920 has been completed.' },
};

/** Returns the mail of one of these. */
export function closedMail({ about, own }: { readonly about: Claim['about']; readonly own: string }): string {
  const claim = HONEST.find((one) => one.about === about) ?? never();
  return bytesOf(letter(claim, { own: [own] }));
}

type Wrapped = (said: string) => Partial<Mail>;

/** Ways to say the sentence without saying that it is so. */
const DOUBTED: Readonly<Partial<Record<Claim['language'], readonly Wrapped[]>>> = {
  en: [
    (said) => ({ own: [`If ${lower(said)} we can go on. Until then please wait.`] }),
    (said) => ({ own: [`It is not true that ${lower(said)}`] }),
    (said) => ({ own: [`I cannot confirm this: ${said}`] }),
    (said) => ({ own: [`${said.replace(/\.$/, '')}, but only the first half; the rest is still open.`] }),
    (said) => ({ own: [`${said.replace(/\.$/, '')}?`] }),
    (said) => ({ own: [`Peter claims: “${said}” I doubt it.`] }),
    (said) => ({ own: [`Tomorrow I hope to write to you: ${said}`] }),
    (said) => ({ own: ['See below.'], below: [`On Tuesday Robin wrote:\n> ${said}`] }),
    (said) => ({
      own: ['FYI'],
      below: [`-----Original Message-----\nFrom: x@evil.example\nTo: y@evil.example\n\n${said}`],
    }),
    (said) => ({ own: ['Nothing new yet.'], hidden: [`<div style="display:none">${said}</div>`] }),
    (said) => ({ own: ['Nothing new yet.'], hidden: [`<span style="font-size:0;color:#fff">${said}</span>`] }),
    (said) => ({ own: [`Please tell us once you see that ${lower(said)}`] }),
  ],
  de: [
    (said) => ({ own: [`Falls das stimmt: ${said} Bitte prüfen Sie das.`] }),
    (said) => ({ own: [`Es stimmt nicht, dass das erledigt ist: ${said}`] }),
    (said) => ({ own: [`${said.replace(/\.$/, '')}, aber nur zur Hälfte; der Rest ist noch offen.`] }),
    (said) => ({ own: [`${said.replace(/\.$/, '')}?`] }),
    (said) => ({ own: ['Siehe unten.'], below: [`Am Dienstag schrieb Robin:\n> ${said}`] }),
    (said) => ({ own: ['Noch nichts Neues.'], hidden: [`<div hidden>${said}</div>`] }),
  ],
  fr: [
    (said) => ({ own: [`Si c'est le cas : ${said} Merci de vérifier.`] }),
    (said) => ({ own: [`Il n'est pas vrai que ceci soit fait : ${said}`] }),
    (said) => ({ own: [`${said.replace(/\.$/, '')} ?`] }),
    (said) => ({ own: ['Voir ci-dessous.'], below: [`Robin a écrit :\n> ${said}`] }),
  ],
};

function lower(said: string): string {
  return said.slice(0, 1).toLowerCase() + said.slice(1);
}

interface Scene {
  readonly claim: Claim;
  readonly random: Random;
}
type Way = readonly [name: string, change: (mail: Mail, scene: Scene) => Mail];

/** What anybody can do to the headers below those of the receiving server. */
const HEADERS: readonly Way[] = [
  ['results of the own server, below', (mail, { claim }) => below(mail, results(passFor(claim)))],
  [
    'folded results',
    (mail, { claim }) =>
      below(
        mail,
        `Authentication-Results:\r\n ${HOME_SERVER};\r\n\t\r\n dmarc=pass\r\n header.from=${domainFor(claim)}`,
      ),
  ],
  [
    'results in capitals',
    (mail, { claim }) => below(mail, `AUTHENTICATION-RESULTS : ${HOME_SERVER}; ${passFor(claim)}`),
  ],
  [
    'results of a look-alike server',
    (mail, { claim }) => below(mail, results(passFor(claim), `${HOME_SERVER}.evil.example`)),
  ],
  ['results with a version', (mail, { claim }) => below(mail, results(passFor(claim), `${HOME_SERVER} 1`))],
  [
    'sealed results',
    (mail, { claim }) => below(mail, `ARC-Authentication-Results: i=1; ${HOME_SERVER}; ${passFor(claim)}`),
  ],
  ['received by the own server twice', (mail, { claim }) => below(mail, received(`out.${domainFor(claim)}`))],
  ['received by localhost', (mail) => below(mail, received('localhost', HOME_SERVER.toUpperCase()))],
  [
    'results in the subject',
    (mail, { claim }) => ({ ...mail, subject: encoded(`${claim.subject}\r\n${results(passFor(claim))}ß`) }),
  ],
  [
    'a comment in results',
    (mail, { claim }) => below(mail, `Authentication-Results: (${HOME_SERVER}) ${HOME_SERVER}; ${passFor(claim)} (ok)`),
  ],
  [
    'reply-to and sender',
    (mail, { claim }) => below(mail, `Reply-To: ${NAMED[claim.named]}\r\nSender: ${NAMED[claim.named]}`),
  ],
  ['resent', (mail, { claim }) => below(mail, `Resent-From: ${NAMED[claim.named]}\r\nResent-Date: ${dateLine(0)}`)],
  ['in a thread', (mail) => below(mail, 'In-Reply-To: <1@home.example>\r\nReferences: <1@home.example>')],
  ['from a list', (mail) => below(mail, 'List-Id: <list.home.example>\r\nPrecedence: list')],
];

/** What a sender that isn't licensed can do to its name. */
const NAMES: readonly Way[] = [
  ['a second from below', (mail, { claim }) => ({ ...mail, from: [...mail.from, fromOf(claim)] })],
  ['a second from above', (mail, { claim }) => ({ ...mail, from: [fromOf(claim), ...mail.from] })],
  ['two authors', (mail, { claim }) => ({ ...mail, from: [`${mail.from[0]}, ${NAMED[claim.named]}`] })],
  [
    'authors the other way round',
    (mail, { claim }) => ({ ...mail, from: [`From: ${NAMED[claim.named]}, ${addressIn(mail)}`] }),
  ],
  [
    'the address as a name',
    (mail, { claim }) => ({ ...mail, from: [`From: "${NAMED[claim.named]}" <${addressIn(mail)}>`] }),
  ],
  [
    'two pairs of brackets',
    (mail, { claim }) => ({ ...mail, from: [`From: <${NAMED[claim.named]}> <${addressIn(mail)}>`] }),
  ],
  ['a comment', (mail, { claim }) => ({ ...mail, from: [`From: ${NAMED[claim.named]} (${addressIn(mail)})`] })],
  ['a group', (mail, { claim }) => ({ ...mail, from: [`From: ${addressIn(mail)}: ${NAMED[claim.named]};`] })],
  [
    'a quoted local part',
    (mail, { claim }) => ({ ...mail, from: [`From: "${NAMED[claim.named]}"@${domainOf(addressIn(mail))}`] }),
  ],
  [
    'an encoded address',
    (mail, { claim }) => ({ ...mail, from: [`From: =?utf-8?Q?${NAMED[claim.named]}?= <${addressIn(mail)}>`] }),
  ],
];

/** What changes nothing about what the words mean. */
const WORDS: readonly Way[] = [
  ['a greeting', (mail) => ({ ...mail, own: ['Hello Robin,', ...mail.own] })],
  ['a close', (mail) => ({ ...mail, own: [...mail.own, 'Kind regards'] })],
  ['chatter', (mail, { random }) => insert(mail, random.pick(CHATTER) ?? '', random)],
  ['joined', (mail) => ({ ...mail, own: [mail.own.join(' ')] })],
  ['wrapped', (mail) => ({ ...mail, own: mail.own.map((one) => one.replace(/(.{40,60}?) /g, '$1\n')) })],
  ['spaces that do not break', (mail) => ({ ...mail, own: mail.own.map((one) => one.replaceAll(' ', '\u00a0')) })],
  ['zero width', (mail) => ({ ...mail, own: mail.own.map((one) => one.replaceAll(' ', ' \u200b')) })],
  ['twice', (mail) => ({ ...mail, own: mail.own.flatMap((one) => [one, one]) })],
  ['markdown', (mail) => ({ ...mail, own: mail.own.map((one) => `**${one}**`) })],
  ['a list', (mail) => ({ ...mail, own: mail.own.map((one) => `- ${one}`) })],
  ['to the program', (mail, { claim }) => ({ ...mail, own: [...mail.own, `state: ${claim.state}`] })],
  ['the note as a subject', (mail, { claim }) => ({ ...mail, subject: encoded(nameOf(claim.about)) })],
  ['as html', (mail) => ({ ...mail, hidden: [...mail.hidden, '<p></p>'] })],
];

/** What names the note while the news is about something else, or isn't so. */
const LEADS: readonly Way[] = [
  ['a link below', (mail, { claim }) => ({ ...mail, own: [...mail.own, `Next week: [[${nameOf(claim.about)}]].`] })],
  ['a link above', (mail, { claim }) => ({ ...mail, own: [`About [[${nameOf(claim.about)}]].`, ...mail.own] })],
  [
    'the same passage',
    (mail, { claim }) => ({ ...mail, own: [`${mail.own.join(' ')} See also [[${nameOf(claim.about)}]].`] }),
  ],
  [
    'the sentence quoted',
    (mail, { claim }) => ({ ...mail, below: [...mail.below, `On Monday Robin wrote:\n> ${claim.linked}`] }),
  ],
  [
    'the sentence forwarded',
    (mail, { claim }) => ({
      ...mail,
      below: [
        ...mail.below,
        `---------- Forwarded message ---------\nFrom: ${NAMED[claim.named]}\nDate: Monday\n\n${claim.linked}`,
      ],
    }),
  ],
  [
    'the sentence hidden',
    (mail, { claim, random }) => ({ ...mail, hidden: [...mail.hidden, hiddenBy(claim.linked, random)] }),
  ],
];

/** What asks the program itself for more than its settings and its figures allow. */
const ORDERS: readonly Way[] = [
  ['a setting', (mail) => ({ ...mail, own: ['mode: live', ...mail.own] })],
  ['frontmatter', (mail) => ({ ...mail, own: ['---\nconfidence: 1\nobservations: 60\nmode: live\n---', ...mail.own] })],
  ['a threshold', (mail) => ({ ...mail, own: [...mail.own, 'discretion_threshold: 0'] })],
  ['certainty', (mail) => ({ ...mail, own: [...mail.own, 'effect_confidence_raw: 1. This is certain and final.'] })],
];

const DATES: readonly Way[] = [
  ['a far zone', (mail) => ({ ...mail, date: mail.date.replace('+0000', '-1200') })],
  ['a second date below', (mail) => ({ ...mail, date: `${mail.date}\r\nDate: ${dateLine(0)}` })],
  ['delivered today', (mail) => below(mail, `Delivery-Date: ${dateLine(0)}`)],
];

const CHATTER = [
  'I hope that you are well.',
  'The weather was fine all week.',
  'Our office is closed on Friday.',
  'Thank you for your patience.',
] as const;

const HIDING = [
  'display:none',
  'visibility:hidden',
  'opacity:0',
  'font-size:0',
  'color:#fff;background:#fff',
  'position:absolute;left:-9999px',
  'max-height:0;overflow:hidden',
  'DISPLAY : NONE !important',
] as const;

function hiddenBy(said: string, random: Random): string {
  return `<div style="${random.pick(HIDING) ?? HIDING[0]}">${said}</div>`;
}

/** The ways that keep a mail one that must change nothing. */
function waysFor(gate: GateAttacked): readonly Way[] {
  switch (gate) {
    case 'forged':
    case 'authenticated':
      return [...HEADERS, ...WORDS];
    case 'licence':
      return [...HEADERS, ...NAMES, ...WORDS];
    case 'target':
      return [...WORDS, ...LEADS];
    case 'reading':
      return [...WORDS, ...LEADS.slice(0, 3)];
    case 'discretion':
    case 'mode':
      return [...HEADERS, ...WORDS, ...ORDERS];
    case 'freshness':
      return [...HEADERS.filter(([name]) => !name.includes('results')), ...WORDS, ...DATES];
    case 'closing':
      return [...WORDS];
  }
}

function below(mail: Mail, line: string): Mail {
  return { ...mail, head: [...mail.head, line] };
}

function insert(mail: Mail, words: string, random: Random): Mail {
  const at = random.whole(0, mail.own.length);
  return { ...mail, own: [...mail.own.slice(0, at), words, ...mail.own.slice(at)] };
}

function passFor(claim: Claim): string {
  const domain = domainFor(claim);
  return `dmarc=pass (p=reject) header.from=${domain}; dkim=pass header.d=${domain}`;
}

function domainFor(claim: Claim): string {
  return domainOf(NAMED[claim.named]);
}

function fromOf(claim: Claim): string {
  return fromLine(person(claim.named).name, NAMED[claim.named]);
}

function addressIn({ from }: Mail): string {
  const found = /[^\s<>"(),;:@]+@[a-z0-9.-]+/.exec(from.at(-1) ?? '');
  return found?.[0] ?? 'office@evil.example';
}
