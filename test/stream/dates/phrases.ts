import type { Language } from '../../../src/stream/language.ts';

/** A phrase that begins with a day, written on Monday 23 November 2026, and how it is to be read; null where it is not. */
export interface Phrase {
  readonly language: Language;
  readonly text: string;
  /** `2026-12-03` or `2026-12-03T14:00`. */
  readonly day: string | null;
}

const EN = `
Thursday the 3rd → 2026-12-03
Dec 3rd → 2026-12-03
3 Dec '26 → 2026-12-03
2026-12-03T14:00 → 2026-12-03T14:00
December 3, 2026 at 2pm → 2026-12-03T14:00
Thursday, 3 December at 14:30 → 2026-12-03T14:30
Thu 3 Dec → 2026-12-03
Thu, Dec 3, 9:15 AM → 2026-12-03T09:15
the 3rd of December → 2026-12-03
3-Dec-2026 → 2026-12-03
Friday at 3pm → 2026-11-27T15:00
Wednesday → 2026-11-25
tomorrow at 10am → 2026-11-24T10:00
the day after tomorrow → 2026-11-25
12/31/2026 → 2026-12-31
Thursday 12/03/2026 → null
Friday 12/04/2026 → 2026-12-04
3 December from 10:00 to 11:30 → 2026-12-03T10:00
Thursday (3 December) → 2026-12-03
December 12-14 → null
12 or 19 December → null
mid-December → null
end of November → null
04/12/2026 → null
1/2 → null
24/7 → null
next Friday → null
Friday week → null
in two weeks → null
Friday, 3 December → null
3 December or Friday → null
may be later → null
second half → null
sun and rain → null
march on → null
3 December at 2 → 2026-12-03
`;

const DE = `
Do, 3.12. um 14 Uhr → 2026-12-03T14:00
Donnerstag, den 3. Dezember → 2026-12-03
3. Dezember 2026 um 9.30 Uhr → 2026-12-03T09:30
03.12.2026, 14:30 Uhr → 2026-12-03T14:30
3.12. → 2026-12-03
3.12.26 → 2026-12-03
am 3. Dez. → 2026-12-03
3. Jänner → 2027-01-03
Sonnabend, 5. Dezember → 2026-12-05
Mo 7.12. → 2026-12-07
Mo 7.12 → 2026-12-07
Freitag → 2026-11-27
kommenden Freitag → 2026-11-27
Freitag, 14 Uhr → 2026-11-27T14:00
morgen um 8 Uhr → 2026-11-24T08:00
übermorgen → 2026-11-25
den 4. Dezember ab 10 Uhr → 2026-12-04T10:00
Freitag, den 4. → 2026-12-04
4.12.2026 von 10:00 bis 11:00 → 2026-12-04
KW 49 → null
Ende November → null
Anfang Dezember → null
nächsten Freitag → null
12. bis 14. Dezember → null
12./13. Dezember → null
Montag in einer Woche → null
Freitag, den 3. Dezember → null
3.12 → null
2.10.3 → null
morgen früh → 2026-11-24
der 3. → null
Version 3.12. → null
`;

const FR = `
le 4 décembre à 9h30 → 2026-12-04T09:30
jeudi 3 décembre 2026 → 2026-12-03
1er décembre → 2026-12-01
le vendredi 4 décembre à 14 heures → 2026-12-04T14:00
lundi 7 déc. 14h → 2026-12-07T14:00
04/12/2026 → 2026-12-04
le 04/12 → 2026-12-04
04.12.2026 → 2026-12-04
5 fevrier → 2027-02-05
vendredi → 2026-11-27
vendredi à 15h → 2026-11-27T15:00
jeudi 3 → 2026-12-03
jeudi 3 à 10h → 2026-12-03T10:00
demain à 8h → 2026-11-24T08:00
après-demain → 2026-11-25
mardi 1er décembre → 2026-12-01
ce vendredi → 2026-11-27
mer. 2 déc. → 2026-12-02
le 12 ou le 19 décembre → null
du 12 au 14 décembre → null
12 au 14 décembre → null
vendredi prochain → null
vendredi en huit → null
fin novembre → null
mi-décembre → null
semaine prochaine → null
jeudi 4 décembre → null
demain matin → 2026-11-24
1/2 → null
mai ou juin → null
`;

const ES = `
jueves 3 de diciembre a las 10:00 → 2026-12-03T10:00
3 de diciembre de 2026 → 2026-12-03
3 de diciembre del 2026 → 2026-12-03
el viernes 4 de diciembre → 2026-12-04
viernes 4 dic → 2026-12-04
4/12/2026 → 2026-12-04
04-12-2026 → 2026-12-04
el día 4 de diciembre a las 16 h → 2026-12-04T16:00
el viernes → 2026-11-27
miércoles 2 de diciembre → 2026-12-02
miercoles 2 de diciembre → 2026-12-02
1 de setiembre → 2027-09-01
1 de marzo → 2027-03-01
mañana a las 9:00 → 2026-11-24T09:00
pasado mañana → 2026-11-25
jueves 3 a las 17:00 → 2026-12-03T17:00
lunes 30/11 → 2026-11-30
3 dic. 2026 → 2026-12-03
12 o 19 de diciembre → null
del 12 al 14 de diciembre → null
el próximo viernes → null
viernes que viene → null
finales de noviembre → null
la próxima semana → null
viernes 3 de diciembre → null
1/2 → null
mañana por la tarde → 2026-11-24
3 de diciembre a las 3 → 2026-12-03
`;

const IT = `
lunedì 30 novembre → 2026-11-30
il 3 dicembre 2026 → 2026-12-03
giovedì 3 dicembre alle 14:30 → 2026-12-03T14:30
giovedi 3 dicembre ore 15 → 2026-12-03T15:00
3 dicembre 2026, ore 9.30 → 2026-12-03T09:30
gio 3/12 → 2026-12-03
1° dicembre → 2026-12-01
il primo dicembre → 2026-12-01
l'8 dicembre → 2026-12-08
4/12/2026 → 2026-12-04
04.12.2026 → 2026-12-04
3 dic → 2026-12-03
venerdì → 2026-11-27
venerdì alle 17 → 2026-11-27T17:00
domani alle 10 → 2026-11-24T10:00
dopodomani → 2026-11-25
martedì 1 dicembre → 2026-12-01
sabato 5 dic. 2026 → 2026-12-05
12 o 19 dicembre → null
dal 12 al 14 dicembre → null
venerdì prossimo → null
fine novembre → null
metà dicembre → null
la prossima settimana → null
venerdì 3 dicembre → null
domani mattina → 2026-11-24
sei mesi → null
1/2 → null
`;

const NL = `
vrijdag 4 december → 2026-12-04
4 december 2026 om 14.00 uur → 2026-12-04T14:00
donderdag 3 december om 14:00 → 2026-12-03T14:00
vr 4 dec → 2026-12-04
vr 4 dec. 9u30 → 2026-12-04T09:30
4-12-2026 → 2026-12-04
4/12/2026 → 2026-12-04
1 maart → 2027-03-01
3 mrt → 2027-03-03
maandag 30 nov → 2026-11-30
vrijdag → 2026-11-27
aanstaande vrijdag → 2026-11-27
vrijdag om 15.00 uur → 2026-11-27T15:00
morgen om 10 uur → 2026-11-24T10:00
overmorgen → 2026-11-25
op dinsdag 1 december → 2026-12-01
de 4 december → 2026-12-04
5 aug. 2027 → 2027-08-05
12 of 19 december → null
12 t/m 14 december → null
volgende vrijdag → null
volgende week → null
eind november → null
week 49 → null
vrijdag 3 december → null
morgenochtend → null
begin december → null
1/2 → null
`;

/** Written before they were first read, and never corrected for. */
const NEVER_TUNED = {
  en: `
Tuesday 1st December 2026, 11am → 2026-12-01T11:00
Mon 14 Dec @ 16:45 → 2026-12-14T16:45
January 8th → 2027-01-08
on Sunday, December 6th at 7:30 p.m. → 2026-12-06T19:30
5th & 6th December → null
Thursday or Friday next week → null
the 15th of January 2027 → 2027-01-15
10.30am on Friday → null
Christmas Eve → null
3 Jan 2027 - 10:00 → 2027-01-03T10:00
`,
  de: `
Dienstag, 15. Dezember 2026, 8:15 Uhr → 2026-12-15T08:15
Mi., 2.12.2026 → 2026-12-02
24.12. oder 28.12. → null
zum 31. Januar 2027 → 2027-01-31
Mittwoch um 16:00 → 2026-11-25T16:00
Mitte Januar → null
11.1.2027 (Montag) um 10 Uhr → 2027-01-11
Donnerstagnachmittag → null
30.11./1.12. → null
1. Februar → 2027-02-01
`,
  fr: `
mardi 15 décembre 2026 à 8 h 15 → 2026-12-15T08:15
le lundi 30/11/2026 → 2026-11-30
samedi 5 et dimanche 6 décembre → null
31 janvier 2027 → 2027-01-31
mercredi à 16h00 → 2026-11-25T16:00
courant janvier → null
lundi ou mardi → null
le 2 février, 10h30 → 2027-02-02T10:30
jeudi 3 décembre 2026 entre 10h et 12h → 2026-12-03
la semaine du 7 décembre → null
`,
  es: `
martes, 15 de diciembre de 2026, 8:15 h → 2026-12-15T08:15
lunes 30 de noviembre a las 12 → 2026-11-30T12:00
sábado 5 o domingo 6 → null
31 de enero de 2027 → 2027-01-31
el miércoles a las 16:00 → 2026-11-25T16:00
a mediados de enero → null
2 febrero 2027 → 2027-02-02
el 7/12/2026 a las 18:30 → 2026-12-07T18:30
entre el 7 y el 9 de diciembre → null
dentro de dos semanas → null
`,
  it: `
martedì 15 dicembre 2026, ore 8:15 → 2026-12-15T08:15
lunedì 30/11/2026 → 2026-11-30
sabato 5 o domenica 6 dicembre → null
31 gennaio 2027 → 2027-01-31
mercoledì alle 16:00 → 2026-11-25T16:00
tra due settimane → null
il 2 febbraio → 2027-02-02
7 dicembre dalle ore 18 → 2026-12-07T18:00
entro Natale → null
dom 6 dicembre → 2026-12-06
`,
  nl: `
dinsdag 15 december 2026, 8.15 uur → 2026-12-15T08:15
ma 30-11-2026 → 2026-11-30
zaterdag 5 of zondag 6 december → null
31 januari 2027 → 2027-01-31
woensdag om 16:00 → 2026-11-25T16:00
half januari → null
2 feb 2027 om 10 uur → 2027-02-02T10:00
over twee weken → null
maandag 7 december tussen 10 en 12 uur → 2026-12-07
di 8 dec 18:30 → 2026-12-08T18:30
`,
};

/** Phrases that were looked at while the reading was made. */
export const PHRASES: readonly Phrase[] = Object.entries({ en: EN, de: DE, fr: FR, es: ES, it: IT, nl: NL }).flatMap(
  ([language, lines]) => phrasesIn(lines, language),
);

/** Phrases that were not. */
export const UNSEEN: readonly Phrase[] = Object.entries(NEVER_TUNED).flatMap(([language, lines]) =>
  phrasesIn(lines, language),
);

function phrasesIn(lines: string, language: string): Phrase[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', day = ''] = line.split(' → ');
      return { language: asLanguage(language), text, day: day === 'null' ? null : day };
    });
}

function asLanguage(name: string): Language {
  const found = (['en', 'de', 'fr', 'es', 'it', 'nl'] as const).find((each) => each === name);
  if (found === undefined) throw new Error(`no language: ${name}`);
  return found;
}
