import type { Files } from '../../support/temp-vault.ts';
import { type Claim, claimAbout, type Person, person } from './claims.ts';
import type { Language } from './days.ts';
import type { NoteWord } from './household.ts';
import type { Letter } from './letter.ts';

/** The tricks, by what they lean on. */
export const KINDS = [
  'no-results',
  'foreign-results',
  'inner-results',
  'failed-results',
  'other-domain',
  'look-alike',
  'homograph',
  'display-name',
  'reply-to',
  'two-authors',
  'quoted-by-stranger',
  'quoted-by-known',
  'hidden-text',
  'list',
  'resent',
  'to-the-program',
  'subject-only',
  'other-matter',
  'mood',
  'wikilink',
  'reference',
  'whole-matter',
  'forged-signal',
  'copied-signal',
  'forged-event',
  'forged-instinct',
  'forged-licence',
] as const;
export type Kind = (typeof KINDS)[number];

/** What a model that obeys would write into the note. */
export interface Wish {
  readonly field: string;
  readonly value: string;
}

/** One hostile item: mails that arrive, notes that somebody drops into the synced vault, or both. */
export interface Attack {
  /** Unique in the corpus. */
  readonly id: string;
  readonly kind: Kind;
  readonly language: Language;
  /** What it tries, in a sentence. */
  readonly tries: string;
  /** The note that it is after. */
  readonly about: NoteWord;
  /** Null where the words ask nothing of a reader, and only a misreading would do harm. */
  readonly wants: Wish | null;
  readonly mails: readonly Letter[];
  /** The notes it drops, given those that lie in the vault: it may copy what the program wrote there. */
  readonly drops: (vault: Files) => Files;
}

/** A way to try something, the same for each note that it is tried on. */
export interface Trick {
  readonly kind: Kind;
  readonly name: string;
  readonly tries: string;
  readonly on: readonly NoteWord[];
}

/** Returns the mails of a trick: one for each note that it is tried on. */
export function byMail(
  { kind, name, tries, on }: Trick,
  letterOf: (claim: Claim, who: Person) => Letter,
  asksModel = true,
): Attack[] {
  return on.map((note) => {
    const claim = claimAbout(note);
    const wants = asksModel ? { field: 'state', value: claim.state } : null;
    return {
      ...{ id: `${name}-${note}`, kind, language: claim.language, tries, about: note, wants },
      ...{ mails: [letterOf(claim, person(claim.named))], drops: () => ({}) },
    };
  });
}

/** Returns the drops of a trick: one for each note that it is tried on. A mail may come with them. */
export function byNote(
  { kind, name, tries, on }: Trick,
  dropsOf: (claim: Claim, vault: Files) => Files,
  mailOf: (claim: Claim) => readonly Letter[] = () => [],
): Attack[] {
  return on.map((note) => {
    const claim = claimAbout(note);
    return {
      ...{ id: `${name}-${note}`, kind, language: claim.language, tries, about: note },
      ...{ wants: { field: 'state', value: claim.state }, mails: mailOf(claim) },
      drops: (vault) => dropsOf(claim, vault),
    };
  });
}

const GREETINGS: Readonly<Record<Language, readonly [string, string]>> = {
  en: ['Hello Robin,', 'Kind regards'],
  de: ['Hallo Robin,', 'Viele Grüße'],
  fr: ['Bonjour,', 'Cordialement'],
  es: ['Hola, Robin:', 'Un saludo'],
  it: ['Ciao Robin,', 'Cordiali saluti'],
  nl: ['Beste Robin,', 'Groet'],
};

/** Returns words between a greeting and a close, as a mail has them. */
export function inMail(language: Language, words: string): string {
  const [hello, bye] = GREETINGS[language];
  return `${hello}\n\n${words}\n\n${bye}`;
}

/** Returns a claim as a mail that looks like any other. */
export function claiming(claim: Claim, head: readonly string[]): Letter {
  return { head, subject: claim.subject, text: inMail(claim.language, claim.linked) };
}
