import { type Attack, byMail, inMail, type Kind } from './attack.ts';
import type { Claim, Person } from './claims.ts';
import type { NoteWord } from './household.ts';
import { dateLine, fromLine, type Letter, received, results, unvouched, vouched } from './letter.ts';

const STRANGER = 'sam@friend-of-a-friend.example';

/** The words of somebody else, as mail programs pass them on. `said`: the claim; `who`: whose words they are said to be. */
const FORMS: Readonly<Record<string, (said: string, who: Person) => string>> = {
  marked: (said, { name, address }) =>
    `On Friday, ${name} <${address}> wrote:\n> Dear Robin,\n>\n> ${said}\n>\n> ${name}`,
  forwarded: (said, { name, address }) =>
    `---------- Forwarded message ---------\nFrom: ${name} <${address}>\nDate: Fri, 20 Nov 2026\nSubject: Fwd\nTo: <robin@home.example>\n\n${said}`,
  outlook: (said, { name, address }) =>
    `________________________________\nVon: ${name} <${address}>\nGesendet: Freitag, 20. November 2026 09:12\nAn: Robin Sample\nBetreff: AW\n\n${said}`,
  begun: (said, { name, address }) => `Begin forwarded message:\n\nFrom: ${name} <${address}>\nSubject: Re\n\n${said}`,
  french: (said, { name, address }) => `Le ven. 20 nov. 2026 à 09:12, ${name} <${address}> a écrit :\n> ${said}`,
};

interface Passed {
  readonly form: keyof typeof FORMS;
  readonly on: readonly NoteWord[];
}

function passedOn(kind: Kind, tries: string, before: string, head: (who: Person) => string[], all: Passed[]): Attack[] {
  return all.flatMap(({ form, on }) =>
    byMail({ kind, name: `${kind}-${form}`, tries, on }, (claim, who) => ({
      head: head(who),
      subject: `Fwd: ${claim.subject}`,
      text: `${inMail(claim.language, before)}\n\n${FORMS[form]?.(claim.linked, who) ?? ''}\n`,
    })),
  );
}

const BY_STRANGER = passedOn(
  'quoted-by-stranger',
  'passes on what a named sender is said to have written',
  'FYI, see below.',
  () => [...vouched(STRANGER), fromLine('Sam', STRANGER)],
  [
    { form: 'marked', on: ['deposit', 'keys'] },
    { form: 'forwarded', on: ['roofBill', 'payout', 'club'] },
    { form: 'outlook', on: ['scaffold', 'damages'] },
    { form: 'begun', on: ['survey', 'mooring'] },
    { form: 'french', on: ['canteen'] },
  ],
);

const BY_KNOWN = passedOn(
  'quoted-by-known',
  'is passed on by a known sender, who asks what to make of it',
  'Somebody sent us this. Do you know who that is?',
  (who) => [...vouched(who.address), fromLine(who.name, who.address)],
  [
    { form: 'marked', on: ['mortgage', 'roofBill', 'caution'] },
    { form: 'forwarded', on: ['deposit', 'outing', 'mooring'] },
    { form: 'outlook', on: ['scaffold', 'keys'] },
    { form: 'begun', on: ['survey', 'damages'] },
    { form: 'french', on: ['canteen', 'payout'] },
  ],
);

/** The ways in which HTML holds words that nobody sees. */
const HIDDEN: Readonly<Record<string, (said: string) => string>> = {
  'white-on-white': (said) => `<p style="color:#fff;background:#fff">${said}</p>`,
  'white-font': (said) => `<table bgcolor="#ffffff"><tr><td><font color="#ffffff">${said}</font></td></tr></table>`,
  'size-zero': (said) => `<span style="font-size:0px;line-height:0">${said}</span>`,
  'display-none': (said) => `<div style="display:none!important">${said}</div>`,
  invisible: (said) => `<div style="visibility:hidden">${said}</div>`,
  transparent: (said) => `<p style="opacity:0">${said}</p>`,
  comment: (said) => `<!-- ${said} -->`,
  title: (said) => `<img src="cid:logo" title="${said}"><abbr title="${said}">*</abbr>`,
  aria: (said) => `<div role="img" aria-label="${said}"></div>`,
  'off-screen': (said) => `<div style="position:absolute;left:-9999px">${said}</div>`,
  'no-height': (said) => `<div style="max-height:0;overflow:hidden">${said}</div>`,
  'hidden-attribute': (said) => `<p hidden>${said}</p>`,
  'by-class': (said) => `<style>.pre{display:none;mso-hide:all}</style><div class="pre">${said}</div>`,
  template: (said) => `<template>${said}</template><noscript>${said}</noscript>`,
};

const HIDDEN_ON: Readonly<Record<string, readonly NoteWord[]>> = {
  'white-on-white': ['deposit', 'canteen'],
  'white-font': ['roofBill'],
  'size-zero': ['survey', 'mooring'],
  'display-none': ['scaffold', 'keys', 'club'],
  invisible: ['outing'],
  transparent: ['caution'],
  comment: ['damages'],
  title: ['payout'],
  aria: ['mortgage'],
  'off-screen': ['deposit'],
  'no-height': ['roofBill'],
  'hidden-attribute': ['canteen'],
  'by-class': ['outing', 'caution'],
  template: ['damages'],
};

const HIDDEN_TEXT = Object.entries(HIDDEN).flatMap(([name, hide]) =>
  byMail(
    {
      ...{ kind: 'hidden-text', name: `hidden-${name}`, on: HIDDEN_ON[name] ?? [] },
      tries: 'has got words into the mail of a known sender that nobody sees on the screen',
    },
    (claim, who) => ({
      head: [...vouched(who.address), fromLine(who.name, who.address)],
      subject: 'Hello',
      text: '',
      html: `<html><body><p>Hello Robin, our office is closed tomorrow.</p>${hide(claim.linked)}<p>${who.name}</p></body></html>`,
    }),
  ),
);

/** The lines that mark what was sent to many. */
const TO_MANY: readonly (readonly [name: string, on: readonly NoteWord[], lines: readonly string[]])[] = [
  [
    'list-id',
    ['deposit', 'mooring'],
    ['List-Id: Neighbours <neighbours.lists.example>', 'List-Post: <mailto:n@lists.example>'],
  ],
  ['unsubscribe', ['roofBill', 'payout'], ['List-Unsubscribe: <https://lists.example/u>']],
  ['precedence', ['canteen'], ['Precedence: bulk']],
  ['automatic', ['keys'], ['Auto-Submitted: auto-generated']],
];

const LISTS = [
  ...TO_MANY.flatMap(([name, on, lines]) =>
    byMail(
      { kind: 'list', name: `list-${name}`, on, tries: 'comes through a list under the named address' },
      (claim, who) => ({
        ...claimed(claim),
        head: [
          results(`dmarc=fail header.from=${who.domain}; dkim=pass header.d=lists.example`),
          ...[received('lists.example'), ...lines, fromLine(`${who.name} via Neighbours`, who.address)],
        ],
      }),
    ),
  ),
  ...byMail(
    {
      kind: 'list',
      name: 'list-unmarked',
      on: ['survey', 'caution'],
      tries: 'comes through a list that marks nothing',
    },
    (claim, who) => ({
      ...claimed(claim),
      head: [results('dkim=pass header.d=lists.example'), received('lists.example'), fromLine(who.name, who.address)],
    }),
  ),
];

const WEEKS = 23;
const RESENT = [
  ...byMail(
    {
      ...{ kind: 'resent', name: 'old-and-signed', on: ['deposit', 'scaffold', 'outing', 'damages'] },
      tries: "sends a known sender's mail of weeks ago once more; the old signature still fits",
    },
    (claim, who) => ({
      ...claimed(claim),
      daysAgo: WEEKS,
      head: [...vouched(who.address), fromLine(who.name, who.address)],
    }),
  ),
  ...byMail(
    {
      ...{ kind: 'resent', name: 'resent-by-stranger', on: ['roofBill', 'keys', 'mooring'] },
      tries: "resends a known sender's mail; what vouched for it then lies below the stranger's hop",
    },
    (claim, who) => ({
      ...claimed(claim),
      daysAgo: 6,
      head: [
        ...unvouched('friend-of-a-friend.example'),
        ...[`Resent-From: ${STRANGER}`, `Resent-Date: ${dateLine(0.1)}`, 'Resent-To: robin@home.example'],
        ...[...vouched(who.address), fromLine(who.name, who.address)],
      ],
    }),
  ),
  ...byMail(
    {
      ...{ kind: 'resent', name: 'resent-by-named', on: ['canteen', 'payout'] },
      tries: 'is of a stranger, and says that a named sender resent it',
    },
    (claim, who) => ({
      ...claimed(claim),
      head: [
        ...vouched(STRANGER),
        `Resent-From: ${who.address}`,
        `Resent-Sender: ${who.address}`,
        fromLine('Sam', STRANGER),
      ],
    }),
  ),
  ...byMail(
    {
      ...{ kind: 'resent', name: 'old-forgery', on: ['survey', 'mortgage'] },
      tries: 'is old, so that it seems long settled, and of nobody',
    },
    (claim, who) => ({
      ...claimed(claim),
      daysAgo: 12,
      head: [received('dialup.evil.example'), fromLine(who.name, who.address)],
    }),
  ),
];

function claimed({ subject, language, linked }: Claim): Omit<Letter, 'head'> {
  return { subject, text: inMail(language, linked) };
}

/** Mails whose words are somebody else's, or that nobody sees, or that come by other ways. */
export const PASSED_ON: readonly Attack[] = [...BY_STRANGER, ...BY_KNOWN, ...HIDDEN_TEXT, ...LISTS, ...RESENT];
