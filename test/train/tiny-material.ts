import type { Material } from '../../train/material.ts';
import type { MailCase } from '../eval/case.ts';

const SENTENCES = [
  ['done', 'payment', 'We have received your payment, thank you.'],
  ['done', 'delivery', 'Your parcel was handed over today.'],
  ['cancelled', 'appointment', 'The appointment has been called off.'],
  ['moved', 'appointment', 'Your appointment is now on 4 December 2026.'],
  ['asks', 'signature', 'Could you sign the form, please?'],
  ['none', 'payment', 'The invoice is due in two weeks.'],
  ['none', 'other', 'Have a lovely weekend.'],
] as const;
const VAULT = [
  {
    ...{ matter: 'Tin roof', senders: ['office@tin.example'], aliases: [], keywords: [] },
    tasks: [
      { task: 'Pay the tinsmith', due: undefined },
      { task: 'Visit of the tinsmith', due: '2026-12-01' },
    ],
  },
];
const PERSONS = ['one', 'two', 'three', 'four'];

/** Returns a made-up material that is learnt from in a moment. */
export function tinyMaterial(): Material {
  return {
    sentences: PERSONS.flatMap((person, nth) =>
      SENTENCES.map(([effect, topic, text]) => {
        return { language: 'en', group: `en ${nth}`, effect, topic, text: `${text} (${person})` };
      }),
    ),
    taskNames: [
      { language: 'en', topic: 'payment', text: 'Pay the bill' },
      { language: 'en', topic: 'appointment', text: 'Visit of the painter' },
    ],
    cases: PERSONS.map((person) => {
      const mails = mailsTo(person);
      return { person, mails, set: { vault: VAULT, mails, decisions: [] } };
    }),
  };
}

function mailsTo(person: string): readonly MailCase[] {
  return [
    mail(`${person}-paid`, 'We have received your payment for the roof, thank you.', [
      { note: 'Pay the tinsmith', quote: 'received your payment', set: { state: 'done' } },
    ]),
    mail(`${person}-moved`, 'The visit of the tinsmith is moved to 8 December 2026.', [
      { note: 'Visit of the tinsmith', quote: 'moved to 8 December 2026', set: { due: '2026-12-08' } },
    ]),
    mail(`${person}-quiet`, 'We hope that the roof is dry.', []),
  ];
}

function mail(id: string, text: string, expected: MailCase['expect']): MailCase {
  return {
    ...{ id, kind: 'plain', held_out: false, lang: 'en', domain: 'roof', style: 'person', template: id },
    ...{ from: 'office@tin.example', from_name: 'Tin & Co.', date: '2026-11-20T08:15:30Z', subject: 'The roof' },
    ...{ headers: {}, text, html: '', ics: '', expect: expected },
  };
}
