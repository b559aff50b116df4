import { describe, expect, test } from 'vitest';
import type { Language } from '../../../src/stream/language.ts';
import { newDayIn } from '../../../src/stream/rules.ts';

/** Sentences that say something has moved, written on Monday 23 November 2026, and the day it moved to. */
const MOVED: Readonly<Record<Language, string>> = {
  en: `
The survey is now on 3 December. → 2026-12-03
We have had to move your check-up from 27 November to 3 December at 2pm. → 2026-12-03T14:00
Your appointment on 27 November has been moved to Thursday 3 December. → 2026-12-03
Instead of Friday, we will now come on 3 December. → 2026-12-03
It will be Thursday 3 December rather than Friday 27 November. → 2026-12-03
New date: Thursday, December 3rd (was November 27th). → 2026-12-03
Moved: 27 November → 3 December → 2026-12-03
Not on 27 November but on 3 December. → 2026-12-03
The meeting of 20 November is now on 3 December. → 2026-12-03
Rebooked for Thursday (3 December) at 10am. → 2026-12-03T10:00
The hearing listed for 30 November will instead take place on 2 December at 10.30am. → 2026-12-02T10:30
It moves to 3 December; we are now closed on 4 December. → null
The meeting on 27 November has been moved. → null
It moves to 12 or 19 December. → null
It moves to 3 December or 10 December. → null
Moved from Friday to next week. → null
The class moves from 3 to 5 December. → null
It is postponed until the week of 7 December. → null
It will be around 3 December. → null
The delivery has been moved to 3 December; please reply by 30 November. → null
Rescheduled, ticket 24/7, version 2.10.3, call 020 7946 0012. → null
`,
  de: `
Der Termin wurde vom 27. November auf den 3. Dezember um 14 Uhr verlegt. → 2026-12-03T14:00
Der Termin vom 27.11. findet nun am 3.12. statt. → 2026-12-03
Statt Freitag kommen wir nun am Donnerstag, den 3.12. um 9 Uhr. → 2026-12-03T09:00
Wir haben ihn vom 3. auf den 5. Dezember verschoben. → 2026-12-05
Neuer Termin: 3. Dezember (bisher 27. November). → 2026-12-03
Es wird der 3. Dezember statt der 27. November. → 2026-12-03
Nicht am 27.11., sondern am 3.12. → 2026-12-03
Die Abgabe ist jetzt bis 3. Dezember möglich. → 2026-12-03
Der Termin am 27. November wurde verschoben. → null
Es wird der 3. oder der 10. Dezember. → null
Wir verschieben auf Anfang Dezember. → null
Wir kommen nun in KW 50. → null
`,
  fr: `
Le rendez-vous du 27 novembre est reporté au jeudi 3 décembre à 14h. → 2026-12-03T14:00
La livraison passe du 27 novembre au 3 décembre. → 2026-12-03
Au lieu du vendredi 27 novembre, nous viendrons le 3 décembre. → 2026-12-03
Nouvelle date : le 3 décembre (initialement prévue le 27 novembre). → 2026-12-03
Ce sera le 3 décembre plutôt que le 27 novembre. → 2026-12-03
Votre rendez-vous est déplacé au 03/12/2026. → 2026-12-03
Le rendez-vous du 27 novembre est reporté. → null
La visite est reportée au 3 ou au 10 décembre. → null
Elle est reportée à la semaine prochaine. → null
`,
  es: `
La cita del 27 de noviembre se ha cambiado al jueves 3 de diciembre a las 14:00. → 2026-12-03T14:00
Hemos movido la visita del 27 de noviembre al 3 de diciembre. → 2026-12-03
En lugar del viernes iremos el 3 de diciembre. → 2026-12-03
Nueva fecha: 3 de diciembre (antes 27 de noviembre). → 2026-12-03
La entrega pasa al viernes. → 2026-11-27
La cita del 27 de noviembre se ha aplazado. → null
Será el 3 o el 10 de diciembre. → null
Se aplaza a finales de noviembre. → null
`,
  it: `
L'appuntamento del 27 novembre è stato spostato a giovedì 3 dicembre alle 14:00. → 2026-12-03T14:00
La consegna passa dal 27 novembre al 3 dicembre. → 2026-12-03
Invece di venerdì passeremo il 3 dicembre. → 2026-12-03
Nuova data: 3 dicembre (in precedenza 27 novembre). → 2026-12-03
L'assemblea prevista per il 26 novembre si terrà invece il 10 dicembre alle ore 18. → 2026-12-10T18:00
La visita è rinviata a lunedì 30 novembre. → 2026-11-30
L'appuntamento del 27 novembre è stato rinviato. → null
Sarà il 3 o il 10 dicembre. → null
È rinviato alla prossima settimana. → null
`,
  nl: `
De afspraak van 27 november is verplaatst naar donderdag 3 december om 14.00 uur. → 2026-12-03T14:00
We hebben het verzet van 27 november naar 3 december. → 2026-12-03
In plaats van vrijdag komen we nu op 3 december. → 2026-12-03
Nieuwe datum: 3 december (was 27 november). → 2026-12-03
Het is van 3 naar 5 december verschoven. → 2026-12-05
De bezorging is nu vrijdag 4 december. → 2026-12-04
De afspraak van 27 november is verplaatst. → null
Het wordt 3 of 10 december. → null
Het wordt volgende week. → null
`,
};
const AT = '2026-11-23T08:00';
const SENTENCES = (['en', 'de', 'fr', 'es', 'it', 'nl'] as const).flatMap((language) =>
  MOVED[language]
    .trim()
    .split('\n')
    .map((line) => {
      const at = line.lastIndexOf(' → ');
      return { language, sentence: line.slice(0, at), day: line.slice(at + 3) };
    }),
);

function read(sentence: string, language: Language): string {
  const order = language === 'en' ? null : 'day first';
  const found = newDayIn(sentence, { at: AT, language, order });
  return found === null ? 'null' : found.time === null ? found.day : `${found.day}T${found.time}`;
}

describe('the day that something has moved to', () => {
  test.each(SENTENCES)('$language: $sentence → $day', ({ language, sentence, day }) => {
    expect(read(sentence, language)).toBe(day);
  });

  test('says where it stands', () => {
    const sentence = 'It moves from 27 November to 3 December at 2pm, please note.';
    const found = newDayIn(sentence, { at: AT, language: 'en', order: null });
    expect(sentence.slice(found?.start, found?.end)).toBe('3 December at 2pm');
  });

  test('is read in no language that is not read', () => {
    expect(newDayIn('Przeniesione na 2026-12-03.', { at: AT, language: 'other', order: null })).toBeNull();
  });
});
