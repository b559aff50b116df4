import { describe, expect, test } from 'vitest';
import { readByPhrases } from '../../src/reading/read-event.ts';
import { sentenceEndsMatter, TargetIndex } from '../../src/reading/targets.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { candidate, eventWith } from '../support/events.ts';

const MATTERS = {
  lane: candidate({ path: 'matter/14 Alder Lane.md', aliases: ['House purchase'], senders: ['anna@notary.example'] }),
  case: candidate({ path: 'matter/Boundary dispute.md', keywords: ['case 2231', 'deed of sale', 'broadband'] }),
  street: candidate({ path: 'matter/Erlenstraße 14.md' }),
  lease: candidate({ path: 'matter/Mietvertrag Lindenhof.md', aliases: ['Contrat Lindenhof', 'Contratto Lindenhof'] }),
};

describe('an affair has ended', () => {
  test.each<[keyof typeof MATTERS, string]>([
    ['lane', 'The purchase of 14 Alder Lane is complete.'],
    ['lane', 'We are pleased to confirm that the purchase of 14 Alder Lane has now been completed.'],
    ['lane', 'The house purchase has been cancelled.'],
    ['lane', 'The purchase of the house is complete.'],
    ['lane', 'The sale of 14 Alder Lane fell through.'],
    ['lane', 'Dear Sam, the purchase of 14 Alder Lane was concluded yesterday.'],
    ['case', 'Case 2231 is closed.'],
    ['case', 'Your file 2231 has been closed.'],
    ['case', 'We have closed your case 2231.'],
    ['case', 'The boundary dispute was resolved on 3 November 2026.'],
    ['case', 'Your broadband contract has been terminated.'],
    ['street', 'Der Kauf der Erlenstraße 14 ist nun abgeschlossen.'],
    ['street', 'Hiermit ist der Verkauf Erlenstraße 14 beendet.'],
    ['street', 'Das Verfahren Erlenstraße 14 wurde eingestellt.'],
    ['lease', 'Ihr Mietvertrag Lindenhof ist beendet.'],
    ['lease', 'Ihr Vertrag Mietvertrag Lindenhof wurde gekündigt.'],
    ['lane', 'L’achat de 14 Alder Lane est terminé.'],
    ['lane', 'Le dossier 14 Alder Lane a été clôturé.'],
    ['lease', 'Votre contrat Lindenhof a été résilié.'],
    ['lane', 'La compra de 14 Alder Lane ha sido cancelada.'],
    ['case', 'El expediente 2231 está cerrado.'],
    ['lane', 'De aankoop van 14 Alder Lane is afgerond.'],
    ['lane', 'Het dossier 14 Alder Lane is gesloten.'],
    ['lane', 'L’acquisto di 14 Alder Lane è stato completato.'],
    ['lane', 'La pratica 14 Alder Lane è stata chiusa.'],
    ['lease', 'Il contratto Lindenhof è stato disdetto.'],
  ])('%s: %s', (matter, sentence) => {
    expect(sentenceEndsMatter(sentence, MATTERS[matter])).toBe(true);
  });
});

describe('an affair has not ended where', () => {
  test.each<[string, keyof typeof MATTERS, string]>([
    ['one thing under it was done', 'lane', 'The survey for 14 Alder Lane is complete.'],
    ['one thing under it was done', 'lane', 'The 14 Alder Lane survey has been completed.'],
    ['one thing was done with it', 'lane', 'The purchase of 14 Alder Lane and the survey are complete.'],
    ['one thing under it was called off', 'lane', 'The offer on 14 Alder Lane was withdrawn.'],
    ['somebody else has left', 'lane', 'The seller of 14 Alder Lane has withdrawn.'],
    ['it was paid', 'lane', 'The purchase of 14 Alder Lane has been paid.'],
    ['it was paid', 'lane', 'Payment for 14 Alder Lane is complete.'],
    ['it was paid', 'case', 'Case 2231 has been settled in full.'],
    ['it was signed', 'lane', 'The purchase of 14 Alder Lane was signed.'],
    ['it was sent', 'case', 'Case 2231 has been delivered.'],
    ['it was booked', 'lane', 'The appointment for 14 Alder Lane has been booked.'],
    ['an appointment was called off', 'lane', 'The appointment at 14 Alder Lane has been cancelled.'],
    ['a form was handed in', 'lane', '14 Alder Lane was submitted.'],
    ['it was granted', 'lane', '14 Alder Lane has been approved.'],
    ['a keyword is one thing under it', 'case', 'The deed of sale is complete.'],
    ['it is not named', 'lane', 'The purchase is complete.'],
    ['it is not named', 'lane', 'It is closed.'],
    ['another number is named', 'case', 'Case 2232 is closed.'],
    ['it will only end', 'lane', 'The purchase of 14 Alder Lane will be completed on Friday.'],
    ['it has not', 'lane', 'The purchase of 14 Alder Lane is not complete.'],
    ['it may have', 'lane', 'Once the purchase of 14 Alder Lane is complete, we send the keys.'],
    ['it is asked', 'lane', 'Is the purchase of 14 Alder Lane complete?'],
    ['something is left', 'lane', 'The purchase of 14 Alder Lane is complete, apart from the survey.'],
    ['something is left', 'lane', 'The purchase of 14 Alder Lane is complete, but we wait for the survey.'],
    ['one part of it has', 'lane', 'The first phase of 14 Alder Lane is complete.'],
    ['it is only shut', 'case', 'Case 2231 is closed for the holidays.'],
    ['a contract was made', 'lease', 'Der Mietvertrag Lindenhof ist abgeschlossen.'],
    ['a contract was made', 'lease', 'The contract Lindenhof has been concluded.'],
    ['one thing under it was done', 'street', 'Das Gutachten zur Erlenstraße 14 ist abgeschlossen.'],
    ['one thing under it was done', 'street', 'Die Rechnung für Erlenstraße 14 ist erledigt.'],
    ['it has not', 'street', 'Der Kauf der Erlenstraße 14 ist noch nicht abgeschlossen.'],
    ['something is left', 'street', 'Der Kauf der Erlenstraße 14 ist bis auf das Gutachten abgeschlossen.'],
    ['one thing under it was done', 'lane', 'L’expertise de 14 Alder Lane est terminée.'],
    ['it was paid', 'lane', 'L’achat de 14 Alder Lane a été payé.'],
    ['one thing under it was done', 'lane', 'La tasación de 14 Alder Lane ha sido cancelada.'],
    ['it was signed', 'lane', 'La compra de 14 Alder Lane ha sido firmada.'],
    ['one thing under it was done', 'lane', 'De taxatie van 14 Alder Lane is afgerond.'],
    ['it was paid', 'lane', 'De aankoop van 14 Alder Lane is betaald.'],
    ['one thing under it was done', 'lane', 'La perizia di 14 Alder Lane è stata completata.'],
    ['it was paid', 'lane', 'L’acquisto di 14 Alder Lane è stato pagato.'],
  ])('%s (%s): %s', (_, matter, sentence) => {
    expect(sentenceEndsMatter(sentence, MATTERS[matter])).toBe(false);
  });

  test('the note is a task, which is no affair', () => {
    const task = candidate({ path: 'task/14 Alder Lane.md' });
    expect(sentenceEndsMatter('The purchase of 14 Alder Lane is complete.', task)).toBe(false);
  });
});

describe('a matter', () => {
  const read = (text: string, ...more: readonly ReturnType<typeof candidate>[]) => {
    const index = new TargetIndex();
    for (const note of [MATTERS.lane, ...more]) index.add(note);
    const event: StreamEvent = eventWith({ text });
    return readByPhrases(event, index);
  };
  const PAID = 'The invoice for 14 Alder Lane has been paid.';

  test('is proposed to be closed where it has ended', () => {
    const [meaning] = read('The purchase of 14 Alder Lane is complete.').meanings;
    expect(meaning).toMatchObject({ endsMatter: true, proposal: { set: { state: 'done' } } });
    expect(read('The file 14 Alder Lane has been closed.').meanings).toMatchObject([
      { target: 'matter/14 Alder Lane.md', endsMatter: true, proposal: { set: { state: 'done' } } },
    ]);
    const [off] = read('The purchase of 14 Alder Lane has been cancelled.').meanings;
    expect(off).toMatchObject({ endsMatter: true, proposal: { set: { state: 'archived' } } });
  });

  test('without tasks is not closed by a payment: a person looks at it', () => {
    const [meaning] = read(PAID).meanings;
    expect(meaning).toMatchObject({ target: 'matter/14 Alder Lane.md', endsMatter: false, proposal: null });
    expect(meaning?.reasoning).toContain('It does not say that the matter itself has ended');
  });

  test('ends by what says so, not by what the same sentence says besides', () => {
    const { meanings } = read('The purchase of 14 Alder Lane is complete, the invoice has been paid.');
    expect(meanings.map(({ quote, endsMatter }) => [quote.includes('paid'), endsMatter])).toContainEqual([true, false]);
    expect(meanings.filter(({ endsMatter }) => endsMatter)).toHaveLength(1);
  });

  test('is not closed before its tasks are, even by a link', () => {
    const task = candidate({ path: 'task/Return the keys.md', matterPath: 'matter/14 Alder Lane.md' });
    for (const text of [
      'The purchase of 14 Alder Lane is complete.',
      'The purchase of [[14 Alder Lane]] is complete.',
    ]) {
      const [meaning] = read(text, task).meanings;
      expect(meaning).toMatchObject({ target: 'matter/14 Alder Lane.md', endsMatter: true, proposal: null });
      expect(meaning?.reasoning).toContain('still has open tasks');
    }
    expect(read('The purchase of [[14 Alder Lane]] is complete.', { ...task, state: 'done' }).meanings).toMatchObject([
      { proposal: { set: { state: 'done' } } },
    ]);
  });

  test.each(['Our office is closed.', 'The road has been closed.', 'The shop closed.'])(
    'means nothing to: %s',
    (text) => {
      expect(read(text)).toMatchObject({ meanings: [], skipped: 'no news for a matter' });
    },
  );
});
