import { describe, expect, it } from 'vitest';
import { readByPhrases } from '../../../src/stream/rules-extractor.ts';
import { TargetIndex } from '../../../src/stream/targets-target-index.ts';
import { candidate, eventWith } from '../events.ts';

/*
 * Mails that were once read wrongly, each as a class and in six languages: what is proposed for which task.
 */

const OFFICE = 'office@harbour.example';

interface Scene {
  readonly tasks: readonly string[];
  readonly text: string;
  readonly subject?: string;
  readonly from?: string;
  readonly keywords?: readonly string[];
}

/** Returns what is proposed, as `task: what`. All tasks belong to one matter of the office at the harbour. */
function proposedIn({ tasks, text, subject = '', from = OFFICE, keywords = [] }: Scene): readonly string[] {
  const index = new TargetIndex();
  const matter = 'matter/Seagull.md';
  index.add(candidate({ path: matter, senders: [OFFICE], keywords }));
  for (const task of tasks) index.add(candidate({ path: `task/${task}.md`, matterPath: matter }));
  return readByPhrases(eventWith({ text, subject, from }), index).meanings.flatMap(({ target, proposal }) => {
    const set = Object.entries(proposal?.set ?? {}).map(([field, value]) => `${field} ${String(value)}`);
    return proposal === null ? [] : [`${target.replace(/^task\/|\.md$/g, '')}: ${set.join(', ')}`];
  });
}

describe('what was called off and put elsewhere', () => {
  it.each([
    ['Dental cleaning', 'The dental cleaning was cancelled and rebooked for 16 December 2026.'],
    ['Zahnreinigung', 'Die Zahnreinigung wurde abgesagt und auf den 16. Dezember 2026 verschoben.'],
    ['Détartrage', 'Le détartrage a été annulé et reporté au 16 décembre 2026.'],
    ['Limpieza dental', 'La limpieza dental ha sido cancelada y aplazada al 16 de diciembre de 2026.'],
    ['Pulizia dentale', 'La pulizia dentale è stata annullata e spostata al 16/12/2026.'],
    ['Gebitsreiniging', 'De gebitsreiniging is geannuleerd en verplaatst naar 16 december 2026.'],
  ])('is moved: %s', (task, text) => {
    expect(proposedIn({ tasks: [task, 'Pay the harbour'], text })).toEqual([`${task}: due 2026-12-16`]);
  });

  it.each([
    'The dental cleaning has been cancelled. We have rebooked you with Dr Hill.',
    'The dental cleaning was cancelled; a new appointment follows.',
  ])('is not called off: %s', (text) => {
    expect(proposedIn({ tasks: ['Dental cleaning', 'Pay the harbour'], text })).toEqual([]);
  });

  it('is called off where nothing comes in its place', () => {
    const text = 'The dental cleaning has been cancelled and will not be rescheduled.';
    expect(proposedIn({ tasks: ['Dental cleaning', 'Pay the harbour'], text })).toEqual([
      'Dental cleaning: state archived',
    ]);
  });
});

describe('what others did', () => {
  it.each([
    ['Pay the class trip', '24 families have already paid the class trip.'],
    ['Pay the class trip', 'The class trip was paid by most of the parents.'],
    ['Klassenfahrt bezahlen', '24 Familien haben die Klassenfahrt bereits bezahlt.'],
    ['Klassenfahrt bezahlen', 'Die meisten Eltern haben die Klassenfahrt schon bezahlt.'],
    ['Payer la sortie scolaire', '24 familles ont déjà payé la sortie scolaire.'],
    ['Pagar la excursión', '24 familias ya han pagado la excursión.'],
    ['Pagare la gita scolastica', '24 famiglie hanno già pagato la gita scolastica.'],
    ['Schoolreis betalen', '24 gezinnen hebben de schoolreis al betaald.'],
    ['Sign the lease', 'The landlord has signed the lease.'],
    ['Sign the lease', '1 of 2 signers has signed the lease.'],
    ['Mietvertrag unterschreiben', 'Die Gegenseite hat den Mietvertrag bereits unterschrieben.'],
    ['Mietvertrag unterschreiben', 'Der Vermieter hat den Mietvertrag unterschrieben.'],
    ['Signer le bail', 'Le bailleur a signé le bail.'],
    ['Firmar el contrato', 'La otra parte ha firmado el contrato.'],
    ['Firmare il contratto', 'La controparte ha firmato il contratto.'],
    ['Huurcontract tekenen', 'De verhuurder heeft het huurcontract getekend.'],
  ])('is not done: %s — %s', (task, text) => {
    expect(proposedIn({ tasks: [task, 'Something else'], text })).toEqual([]);
  });

  it('is done where all have signed', () => {
    const text = 'All parties have now signed the lease.';
    expect(proposedIn({ tasks: ['Sign the lease', 'Something else'], text })).toEqual(['Sign the lease: state done']);
  });
});

describe('money that comes back', () => {
  it.each([
    ['Pay the deposit', 'The deposit has been paid back.'],
    ['Pay the deposit', 'The booking was cancelled and the deposit has been refunded.'],
    ['Kaution bezahlen', 'Die Kaution wurde zurückgezahlt.'],
    ['Kaution bezahlen', 'Der Vertrag wurde storniert, die Kaution ist Ihnen erstattet worden.'],
    ['Payer la caution', 'La caution a été remboursée.'],
    ['Pagar la fianza', 'La fianza ha sido devuelta.'],
    ['Pagare la caparra', 'La caparra è stata restituita.'],
    ['Borg betalen', 'De borg is terugbetaald.'],
  ])('neither pays nor calls off: %s — %s', (task, text) => {
    expect(proposedIn({ tasks: [task], text })).toEqual([]);
  });
});

describe('what was long ago', () => {
  it.each([
    ['Kaution zahlen', 'Die Kaution haben wir 2019 erhalten.'],
    ['Pay the deposit', 'The deposit was paid in 2019.'],
    ['Payer la caution', 'La caution a été payée en 2019.'],
    ['Pagar la fianza', 'La fianza fue pagada en 2019.'],
    ['Pagare la caparra', 'La caparra è stata pagata nel 2019.'],
    ['Borg betalen', 'De borg is in 2019 betaald.'],
  ])('is no news: %s — %s', (task, text) => {
    expect(proposedIn({ tasks: [task, 'Something else'], text })).toEqual([]);
  });

  it('is news of a task of that year', () => {
    const text = 'The tax return 2023 has been filed.';
    expect(proposedIn({ tasks: ['File the tax return 2023', 'Something else'], text })).toEqual([
      'File the tax return 2023: state done',
    ]);
  });
});

describe('a day on which something ends to be valid', () => {
  it.each([
    'The new expiry date of the parking permit is 30 June 2028.',
    'Parking permit: new expiry date: 30 June 2028.',
    'La nouvelle date d’expiration du parking permit : 30 juin 2028.',
    'Parking permit, nueva fecha de caducidad: 30 de junio de 2028.',
    'De nieuwe vervaldatum van uw pas voor parking permit is 30 juni 2028.',
  ])('is no day to do it: %s', (text) => {
    expect(proposedIn({ tasks: ['Parking permit', 'Something else'], text })).toEqual([]);
  });
});

describe('what a machine says', () => {
  it.each([
    ['[Resolved] HTTP check recovered', 'The HTTP check has been resolved after 4 minutes.'],
    ['Backup report', 'The check of your backup was completed.'],
    ['HTTP check recovered', 'Your check-up has been completed: HTTP 200 in 40 ms.'],
    ['Build #412', 'Check: the deployment has been completed.'],
  ])('is not about people: %s', (subject, text) => {
    const from = 'alerts@watch.example';
    expect(proposedIn({ tasks: ['Dentist check-up'], subject, text, from })).toEqual([]);
  });

  it('is, where the task is about the machine', () => {
    const text = 'The backup server move has been completed.';
    expect(proposedIn({ tasks: ['Move the backup server', 'Something else'], text })).toEqual([
      'Move the backup server: state done',
    ]);
  });
});

describe('what is only mentioned beside it', () => {
  it.each([
    ['Order the garden bench', 'Your garden bench is still in the workshop. The sofa cushions have been delivered.'],
    ['Gartenbank bestellen', 'Zur Gartenbank melden wir uns noch. Die Sofakissen wurden geliefert.'],
    ['Commander le banc de jardin', 'Le banc de jardin suivra. Les coussins ont été livrés.'],
  ])('is not done: %s — %s', (task, text) => {
    expect(proposedIn({ tasks: [task, 'Something else'], text, from: 'shop@elsewhere.example' })).toEqual([]);
  });

  it('is done where the sentence names nothing else', () => {
    const text = 'We write about the garden bench. Your order has been delivered.';
    expect(proposedIn({ tasks: ['Order the garden bench', 'Something else'], text })).toEqual([
      'Order the garden bench: state done',
    ]);
  });
});

describe('a known sender', () => {
  it.each([
    ['Book a service', 'Your booking is confirmed.'],
    ['Pay the mooring', "We've taken £84.20 from your account for your October bill."],
    ['Liegeplatz kündigen', 'Hiermit bestätigen wir die Kündigung.'],
    ['Close the old berth', 'We have closed your account.'],
    ['Commander un filin', 'Votre commande a été expédiée.'],
  ])('speaks of the only open task: %s — %s', (task, text) => {
    expect(proposedIn({ tasks: [task], text })).toEqual([`${task}: state done`]);
  });

  it.each([
    ['Sign the berth papers', 'Your payment has been received.'],
    ['Book a service', 'Your parcel has been delivered.'],
  ])('does not where it asks for something else: %s — %s', (task, text) => {
    expect(proposedIn({ tasks: [task], text })).toEqual([]);
  });

  it('wins over a stray word of another matter', () => {
    const index = new TargetIndex();
    index.add(candidate({ path: 'matter/Seagull.md', senders: [OFFICE] }));
    index.add(candidate({ path: 'task/Liegeplatz zahlen.md', matterPath: 'matter/Seagull.md' }));
    index.add(candidate({ path: 'matter/Studio.md', senders: ['studio@elsewhere.example'], keywords: ['Rechnung'] }));
    index.add(candidate({ path: 'task/Rechnung.md', matterPath: 'matter/Studio.md' }));
    const { meanings } = readByPhrases(eventWith({ from: OFFICE, text: 'Ihre Rechnung wurde bezahlt.' }), index);
    expect(meanings.map(({ target, ambiguous }) => [target, ambiguous])).toEqual([
      ['task/Liegeplatz zahlen.md', false],
    ]);
  });

  it('is never sure enough to be acted on by that alone', () => {
    const index = new TargetIndex();
    index.add(candidate({ path: 'matter/Seagull.md', senders: [OFFICE] }));
    index.add(candidate({ path: 'task/Pay the mooring.md', matterPath: 'matter/Seagull.md' }));
    const { meanings } = readByPhrases(eventWith({ from: OFFICE, text: 'Your payment has been received.' }), index);
    expect(meanings.map(({ target }) => target)).toEqual(['task/Pay the mooring.md']);
    expect(meanings[0]?.targetConfidence).toBeLessThan(0.85);
  });
});

describe('what only an order is told', () => {
  it('ends the task to order it, and no task to have it', () => {
    const text = 'Your desk lamp has been dispatched.';
    expect(proposedIn({ tasks: ['Order the desk lamp', 'Something else'], text })).toEqual([
      'Order the desk lamp: state done',
    ]);
    expect(proposedIn({ tasks: ['Desk lamp for Tom', 'Something else'], text })).toEqual([]);
  });

  it('leaves an appointment open that is only confirmed', () => {
    const text = 'Your appointment with the eye doctor is confirmed.';
    expect(proposedIn({ tasks: ['Eye doctor', 'Something else'], text })).toEqual([]);
    expect(proposedIn({ tasks: ['Book the eye doctor', 'Something else'], text })).toEqual([
      'Book the eye doctor: state done',
    ]);
  });
});

describe('a list of steps', () => {
  it.each([
    'Step 1: the storm claim has been submitted. Step 2: we pay.',
    'Schritt 1: Der storm claim wurde eingereicht.',
  ])('says what would come: %s', (text) => {
    expect(proposedIn({ tasks: ['Submit the storm claim', 'Something else'], text })).toEqual([]);
  });
});

describe('a meeting that does not take place', () => {
  it.each([
    ['Spring fair', "The spring fair won't be going ahead this year."],
    ['Frühlingsfest', 'Das Frühlingsfest findet dieses Jahr nicht statt.'],
    ['Kermesse', 'La kermesse n’aura pas lieu cette année.'],
    ['Feria de primavera', 'La feria de primavera no se celebrará.'],
    ['Festa di primavera', 'La festa di primavera non si terrà.'],
    ['Lentefeest', 'Het lentefeest gaat niet door.'],
  ])('is called off: %s — %s', (task, text) => {
    expect(proposedIn({ tasks: [task, 'Something else'], text })).toEqual([`${task}: state archived`]);
  });
});
