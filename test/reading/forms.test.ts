import { describe, expect, test } from 'vitest';
import { readForms } from '../../src/reading/read-event.ts';
import { changes, proposed, type Sample, tasks } from '../streams/read-forms.ts';
import { eventWith } from '../support/event-with.ts';

/** A sample, the open tasks, and the changes that a careful reader would propose. */
type Case = readonly [
  name: string,
  sample: Sample,
  tasks: readonly (string | readonly [string, string])[],
  expected: readonly string[],
];

const SAMPLES: readonly Case[] = [
  [
    'a scheduler moves an appointment (en)',
    {
      subject: 'Rescheduled: Boiler service with Tern Heating',
      text: 'Hi Robin,\n\nYour event has been updated.\n\nEvent Type: Boiler service\nFormer time: 10:00 - Thursday, 26 November 2026\nUpdated time: Thursday, 3 December 2026 at 10:00\nLocation: 4 Mill Lane\n',
    },
    ['Boiler service'],
    ['Boiler service: 2026-12-03'],
  ],
  [
    'old and new date (en)',
    {
      subject: 'Change to your eye test',
      text: 'Dear Robin\n\nEye test\nOld date: 26 November 2026\nNew date: 8 December 2026\n',
    },
    [['Eye test', '2026-11-26']],
    ['Eye test: 2026-12-08'],
  ],
  [
    'an invitation without a calendar (en)',
    {
      subject: 'Parents evening',
      text: 'What: Parents evening, class 3b\nWhen: Tuesday 1 December 2026, 18:30\nWhere: Room 12\n',
    },
    ['Parents evening'],
    ['Parents evening: 2026-12-01'],
  ],
  [
    'a delivered order (en)',
    { subject: 'Your order', text: 'Order number: KB-20417\nItem: Standing desk\nOrder status: Delivered\n' },
    ['Standing desk KB-20417'],
    ['Standing desk KB-20417: done'],
  ],
  [
    'a paid invoice, by its number alone (en)',
    {
      from: 'billing@elsewhere.example',
      subject: 'Statement',
      text: 'Invoice number: TRN-88123\nPayment status: Paid on 18 November 2026\nThank you',
    },
    ['Settle TRN-88123'],
    ['Settle TRN-88123: done'],
  ],
  [
    'nothing left to pay (en)',
    { subject: 'Your plumber', text: 'Plumber invoice\nTotal: £240.00\nPaid: £240.00\nAmount due: £0.00\n' },
    ['Pay the plumber'],
    ['Pay the plumber: done'],
  ],
  [
    'paid (de)',
    { subject: 'Rechnung Zahnarzt', text: 'Zahnarzt Rechnung\nRechnungsnummer: 2026-4471\nZahlungsstatus: bezahlt\n' },
    ['Zahnarzt bezahlen'],
    ['Zahnarzt bezahlen: done'],
  ],
  [
    'nothing left (de)',
    { subject: 'Ihre Handwerkerrechnung', text: 'Handwerkerrechnung Dach\nBetrag offen: 0,00 €\n' },
    ['Handwerkerrechnung Dach bezahlen'],
    ['Handwerkerrechnung Dach bezahlen: done'],
  ],
  [
    'moved (de)',
    {
      subject: 'Terminänderung Physiotherapie',
      text: 'Physiotherapie\nBisheriger Termin: 26.11.2026, 14:00 Uhr\nNeuer Termin: 03.12.2026, 15:00 Uhr\n',
    },
    [['Physiotherapie', '2026-11-26']],
    ['Physiotherapie: 2026-12-03'],
  ],
  [
    'cancelled (de)',
    { subject: 'Ihre Buchung', text: 'Hotel Seeblick\nBuchungsnummer: HS-70031\nBuchungsstatus: Storniert\n' },
    ['Hotel Seeblick'],
    ['Hotel Seeblick: archived'],
  ],
  [
    'due (fr)',
    {
      subject: 'Votre facture eau',
      text: "Facture d'eau\nNuméro de facture : F-20311\nDate d'échéance : 15/12/2026\n",
    },
    ["Payer la facture d'eau"],
    ["Payer la facture d'eau: 2026-12-15"],
  ],
  [
    'delivered (fr)',
    { subject: 'Canapé', text: 'Canapé Brume\nStatut de la commande : livrée\n' },
    ['Réception canapé Brume'],
    ['Réception canapé Brume: done'],
  ],
  [
    'paid (es)',
    { subject: 'Matrícula guitarra', text: 'Matrícula guitarra\nEstado del pago: pagado\n' },
    ['Pagar matrícula guitarra'],
    ['Pagar matrícula guitarra: done'],
  ],
  [
    'cancelled (it)',
    { subject: 'Corso di ceramica', text: 'Corso di ceramica\nStato della prenotazione: annullata\n' },
    ['Corso di ceramica'],
    ['Corso di ceramica: archived'],
  ],
  [
    'delivered (nl)',
    { subject: 'Wasmachine', text: 'Wasmachine\nBestelnummer: NL-55120\nBezorgstatus: bezorgd\n' },
    ['Wasmachine ontvangen'],
    ['Wasmachine ontvangen: done'],
  ],
  [
    'an HTML table of labels without colons',
    {
      subject: 'Order update',
      html: '<table><tr><td>Order number</td><td>KB-20417</td></tr><tr><td>Order status</td><td>Delivered</td></tr></table>',
    },
    ['Standing desk KB-20417'],
    ['Standing desk KB-20417: done'],
  ],
  [
    'a label above its value',
    { subject: 'Order KB-20417', html: '<p>Order number</p><p>KB-20417</p><p>Order status</p><p><b>Delivered</b></p>' },
    ['Standing desk KB-20417'],
    ['Standing desk KB-20417: done'],
  ],
  [
    'a crossed-out date',
    { subject: 'Your piano tuning', html: '<p>Piano tuning</p><p><s>26 November 2026</s> 9 December 2026, 10:00</p>' },
    [['Piano tuning', '2026-11-26']],
    ['Piano tuning: 2026-12-09'],
  ],
  [
    'an arrow',
    { subject: 'Vet appointment', text: 'Vet appointment\nDate: 26 November 2026 → 2 December 2026\n' },
    [['Vet appointment', '2026-11-26']],
    ['Vet appointment: 2026-12-02'],
  ],
  [
    'a table of invoices',
    { subject: 'Open invoices', text: 'Invoice number  Amount  Due date\nTRN-88123  £480.00  3 December 2026\n' },
    ['Settle TRN-88123'],
    ['Settle TRN-88123: 2026-12-03'],
  ],
];

const NEAR_MISSES: readonly Case[] = [
  [
    'a sentence that begins as a label does',
    { subject: 'Standing desk', text: 'Standing desk\nOrder status complete, as we say in the shop.' },
    ['Standing desk'],
    [],
  ],
  [
    'an order in the making',
    { subject: 'Standing desk', text: 'Standing desk\nOrder status: Processing\n' },
    ['Standing desk'],
    [],
  ],
  [
    'a part payment',
    { subject: 'Plumber', text: 'Plumber invoice\nPayment status: Partially paid\n' },
    ['Pay the plumber'],
    [],
  ],
  [
    'paid, but not all',
    { subject: 'Plumber', text: 'Plumber invoice\nPayment status: Paid (except parts)\n' },
    ['Pay the plumber'],
    [],
  ],
  [
    'something left to pay',
    { subject: 'Plumber', text: 'Plumber invoice\nAmount due: £120.00\n' },
    ['Pay the plumber'],
    [],
  ],
  [
    'another task than the one that is named',
    { from: 'x@far.example', subject: 'Your bill', text: 'Gas bill\nPayment status: Paid\n' },
    ['Pay the plumber'],
    [],
  ],
  [
    'the day that the task has',
    { subject: 'Eye test', text: 'Eye test\nOld date: 26 November 2026\nNew date: 8 December 2026\n' },
    [['Eye test', '2026-12-08']],
    [],
  ],
  [
    'a day beside a task that has another',
    { subject: 'Parents evening', text: 'When: 1 December 2026\nWhere: Room 12\nWhat: Parents evening' },
    [['Parents evening', '2026-12-04']],
    [],
  ],
  [
    'a date of anything',
    { subject: 'Parents evening', text: 'Date: 1 December 2026\nDear parents, the parents evening was lovely.' },
    ['Parents evening'],
    [],
  ],
  [
    'a day that is past',
    { subject: 'Eye test', text: 'Eye test\nNew date: 2 November 2026\n' },
    [['Eye test', '2026-11-26']],
    [],
  ],
  [
    'a day that can be read in two ways',
    { subject: 'Eye test', text: 'Eye test\nNew date: 04/12/2026\n' },
    [['Eye test', '2026-11-26']],
    [],
  ],
  [
    'only what was before',
    { subject: 'Eye test', text: 'Eye test\nPrevious date: 26 November 2027\n' },
    ['Eye test'],
    [],
  ],
  ['a question', { subject: 'Plumber', text: 'Plumber invoice\nPayment status: Paid?\n' }, ['Pay the plumber'], []],
  [
    'a status in a quoted mail',
    { subject: 'Re: Plumber', text: 'Can you look?\n\n> Plumber invoice\n> Payment status: Paid\n' },
    ['Pay the plumber'],
    [],
  ],
  [
    'a delivery that was tried',
    { subject: 'Standing desk', text: 'Standing desk\nDelivery status: Delivery attempted\n' },
    ['Standing desk'],
    [],
  ],
  [
    'a due date beside paid',
    { subject: 'Plumber', text: 'Plumber invoice\nPayment status: Paid\nDue date: 3 December 2026\n' },
    ['Pay the plumber'],
    ['Pay the plumber: done'],
  ],
  [
    'when, of what is off',
    {
      subject: 'Cancelled: Parents evening',
      text: 'What: Parents evening\nWhen: 1 December 2026\nWhere: Room 12\nStatus: Cancelled',
    },
    ['Parents evening'],
    ['Parents evening: archived'],
  ],
];

describe('labelled lines', () => {
  test.each(SAMPLES)('%s', async (_, sample, open, expected) => {
    expect(await changes(sample, tasks(...open))).toEqual(expected);
  });

  test.each(NEAR_MISSES)('means no more than it says: %s', async (_, sample, open, expected) => {
    expect(await changes(sample, tasks(...open))).toEqual(expected);
  });

  test('what only a form says is never sure enough to be done alone', async () => {
    for (const [, sample, open] of SAMPLES) {
      for (const { confidence, reason } of await proposed(sample, tasks(...open))) {
        if (!reason.startsWith('It says')) expect(confidence).toBeLessThanOrEqual(0.84);
      }
    }
  });

  test('the quote stands in the mail', async () => {
    for (const [, sample, open] of SAMPLES) {
      for (const { quote } of await proposed(sample, tasks(...open))) {
        expect(quote).not.toBe('');
        const plain = `${sample.text ?? ''}${(sample.html ?? '').replace(/<\/td><td>/g, ' ').replace(/<[^>]*>/g, '')}`;
        expect(plain.replace(/\s+/g, ' ')).toContain(quote.replace(/\s+/g, ' '));
      }
    }
  });

  test('a value may stand on the line below, and not where the next label stands', () => {
    const text = 'Order status:\nDelivered\n\nPayment status:\nWhere: Hall';
    const found = readForms(eventWith({ text }), { at: null, language: 'en', order: null });
    expect(found.map(({ phraseId }) => phraseId)).toEqual(['form: delivery: order status']);
  });
});
