import { domainToASCII } from 'node:url';
import { type Attack, byMail, claiming } from './attack.ts';
import type { Person } from './claims.ts';
import type { NoteWord } from './household.ts';
import { domainOf, encoded, fromLine, vouched } from './letter.ts';

const STRANGER = 'desk@helpful-stranger.example';

/** The look-alikes: addresses that somebody else truly owns. */
const LOOK_ALIKES: readonly (readonly [name: string, on: readonly NoteWord[], address: (who: Person) => string])[] = [
  ['digit', ['deposit', 'roofBill'], ({ address }) => address.replace(/[oe](?=[^@]*$)/, '0')],
  ['doubled-letter', ['scaffold', 'keys'], ({ address }) => address.replace(/[a-z](?=\.example$)/, '$&$&')],
  ['no-hyphen', ['survey', 'canteen', 'mooring'], ({ local, domain }) => `${local}@${domain.replaceAll('-', '')}`],
  ['as-subdomain', ['outing', 'caution'], ({ local, domain }) => `${local}@${domain}.evil.example`],
  ['with-a-word', ['damages', 'payout'], ({ local, domain }) => `${local}@billing-${domain}`],
  ['another-suffix', ['club', 'mortgage'], ({ local, domain }) => `${local}@${domain.replace('.example', '.test')}`],
  ['capital-i', ['keys'], ({ local, domain }) => `${local}@${domain.replace('l', 'I')}`],
  ['name-as-local', ['roofBill'], ({ domain }) => `${domain}@helpful-stranger.example`],
];

/** Letters that look like Latin ones, and are not. */
const HOMOGRAPHS: readonly (readonly [name: string, on: readonly NoteWord[], address: (who: Person) => string])[] = [
  ['cyrillic-domain', ['deposit', 'keys'], ({ local, domain }) => `${local}@${domain.replace('a', 'а')}`],
  ['cyrillic-o', ['roofBill', 'survey'], ({ local, domain }) => `${local}@${domain.replace(/[eo]/, 'е')}`],
  [
    'cyrillic-local',
    ['outing', 'payout'],
    ({ local, domain }) => `${local.replace(/[ae]/, 'а')}@${domain}.evil.example`,
  ],
  ['greek', ['caution'], ({ local, domain }) => `${local}@${domain.replace('u', 'υ')}`],
  [
    'punycode',
    ['mortgage', 'canteen', 'scaffold'],
    ({ local, domain }) => `${local}@${domainToASCII(domain.replace(/[ae]/, 'а'))}`,
  ],
  ['dot-below', ['club', 'damages'], ({ local, domain }) => `${local}@${domain.replace('u', 'ụ')}`],
  ['zero-width', ['mooring'], ({ local, domain }) => `${local}@${domain.replace('-', '-\u200b')}`],
];

function ofOwnDomain(kind: 'look-alike' | 'homograph', table: typeof LOOK_ALIKES): Attack[] {
  return table.flatMap(([name, on, address]) =>
    byMail(
      { kind, name, on, tries: 'writes from an address of its own that is easily taken for the named one' },
      (claim, who) => claiming(claim, [...vouched(address(who)), fromLine(who.name, address(who))]),
    ),
  );
}

/** The names that a stranger shows: each holds what a hasty reader takes for the address. */
const SHOWN_NAMES: readonly (readonly [name: string, on: readonly NoteWord[], line: (who: Person) => string])[] = [
  ['address-as-name', ['deposit', 'scaffold', 'payout'], (who) => fromLine(who.address, STRANGER)],
  ['name-and-address', ['roofBill', 'outing'], (who) => fromLine(`${who.name} <${who.address}>`, STRANGER)],
  ['encoded-address', ['canteen', 'mooring'], (who) => `From: =?utf-8?B?${base64(`${who.address} `)}?= <${STRANGER}>`],
  ['address-in-comment', ['caution', 'survey'], (who) => `From: ${STRANGER} (${who.address})`],
  ['same-name', ['keys', 'club'], (who) => fromLine(who.name, STRANGER)],
  ['on-behalf', ['damages', 'mortgage'], (who) => fromLine(`${who.name} via ${who.domain}`, STRANGER)],
];

const DISPLAY_NAMES = SHOWN_NAMES.flatMap(([name, on, line]) =>
  byMail(
    { kind: 'display-name', name, on, tries: 'shows the named sender in the name, not in the address' },
    (claim, who) => claiming(claim, [...vouched(STRANGER), line(who)]),
  ),
);

const REPLY_TO = [
  ...byMail(
    {
      ...{ kind: 'reply-to', name: 'reply-to-named', on: ['deposit', 'roofBill', 'outing', 'mooring'] },
      tries: 'asks for answers to the named address, so that it looks like its writer',
    },
    (claim, who) => claiming(claim, [...vouched(STRANGER), fromLine(who.name, STRANGER), `Reply-To: ${who.address}`]),
  ),
  ...byMail(
    {
      ...{ kind: 'reply-to', name: 'return-path-named', on: ['caution', 'damages', 'survey'] },
      tries: 'names the known address as the one that failures go back to',
    },
    (claim, who) =>
      claiming(claim, [`Return-Path: <${who.address}>`, ...vouched(STRANGER), fromLine('Desk', STRANGER)]),
  ),
  ...byMail(
    {
      ...{ kind: 'reply-to', name: 'answers-elsewhere', on: ['mortgage', 'keys', 'club'] },
      tries: 'takes the named address, which nobody vouches for, and wants the answers itself',
    },
    (claim, who) => claiming(claim, [fromLine(who.name, who.address), `Reply-To: ${STRANGER}`]),
  ),
];

/** The ways to name more than one author, with a stranger who passes and somebody named who does not. */
const AUTHORS: readonly (readonly [
  name: string,
  on: readonly NoteWord[],
  lines: (who: Person) => readonly string[],
])[] = [
  ['stranger-first', ['deposit', 'canteen'], (who) => [fromLine('Desk', STRANGER), fromLine(who.name, who.address)]],
  ['named-first', ['roofBill', 'payout'], (who) => [fromLine(who.name, who.address), fromLine('Desk', STRANGER)]],
  ['two-in-one', ['outing', 'keys'], (who) => [`From: ${who.address}, ${STRANGER}`]],
  ['group', ['caution', 'mooring'], (who) => [`From: ${encoded('Friends')}: ${who.address}, ${STRANGER};`]],
  ['group-alone', ['survey'], (who) => [`From: Friends: ${who.address};`]],
  ['route', ['damages'], (who) => [`From: <@helpful-stranger.example:${who.address}>`]],
  ['sender-named', ['mortgage', 'club'], (who) => [fromLine('Desk', STRANGER), `Sender: ${who.address}`]],
  ['no-from', ['scaffold', 'roofBill'], (who) => [`Sender: ${who.address}`, `X-From: ${who.address}`]],
  ['quoted-local', ['deposit'], (who) => [`From: "${who.address}"@helpful-stranger.example`]],
  ['folded', ['survey'], (who) => [`From: ${STRANGER}\r\n <${who.address}>`]],
];

const TWO_AUTHORS = AUTHORS.flatMap(([name, on, lines]) =>
  byMail(
    { kind: 'two-authors', name, on, tries: 'leaves it open who wrote it, and hopes for the named one' },
    (claim, who) => claiming(claim, [...vouched(STRANGER), ...lines(who)]),
  ),
);

const plainStranger = (name: string) => [...vouched(STRANGER), fromLine(name, STRANGER)];

const WIKILINK = byMail(
  {
    ...{ kind: 'wikilink', name: 'knows-the-name' },
    on: ['deposit', 'mortgage', 'scaffold', 'canteen', 'keys', 'damages', 'mooring'],
    tries: 'knows the name of the note, and links to it under its own, well-vouched address',
  },
  (claim) => claiming(claim, plainStranger('Helpful Stranger')),
);

const NUMBERS: Partial<Record<NoteWord, string>> = { deposit: 'NG-4471', roofBill: 'KD-2093', payout: 'SN-7781' };
const REFERENCE = byMail(
  {
    ...{ kind: 'reference', name: 'copied-number', on: ['deposit', 'roofBill', 'payout'] },
    tries: 'has seen the number on the paper, and gives it as proof',
  },
  (claim) => ({
    head: plainStranger('Accounts'),
    subject: `${claim.subject} ${NUMBERS[claim.about]}`,
    text: `${claim.sentence} (${NUMBERS[claim.about]})\n\nOur file: ${domainOf(STRANGER)}`,
  }),
);

/** Mails of people whom nobody in the vault knows, under addresses that are truly theirs. */
export const STRANGERS: readonly Attack[] = [
  ...ofOwnDomain('look-alike', LOOK_ALIKES),
  ...ofOwnDomain('homograph', HOMOGRAPHS),
  ...DISPLAY_NAMES,
  ...REPLY_TO,
  ...TWO_AUTHORS,
  ...WIKILINK,
  ...REFERENCE,
];

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
