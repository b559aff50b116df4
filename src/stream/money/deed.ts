/** What a task is about: money that is to go out, money that is to come in, another deed, or not said. */
export type Deed = 'out' | 'in' | 'other' | 'unsaid';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Verbs of paying, without accents. */
const PAYS = set(
  'pay repay paying settle transfer wire remit reimburse bezahlen bezahle zahlen zahle begleichen uberweisen anweisen entrichten zuruckzahlen payer paye regler verser virer rembourser pagar abonar transferir devolver pagare versare saldare bonificare rimborsare betalen betaal overmaken voldoen terugbetalen',
);
/** Verbs of waiting for money. */
const AWAITS = set(
  'await awaiting expect receive collect chase abwarten warten erwarten erhalten kassieren einfordern anmahnen attendre recevoir encaisser reclamer esperar recibir cobrar attendere ricevere incassare riscuotere wachten ontvangen innen',
);
/** What comes back. A verb of paying beside it wins: "pay the refund to Tom". */
const COMES = set(
  'refund reimbursement cashback erstattung ruckerstattung ruckzahlung gutschrift zahlungseingang remboursement reembolso devolucion rimborso terugbetaling teruggave',
);
/** Deeds that no payment does. */
const OTHERS = set(
  'cancel check review dispute send write sign compare negotiate query file scan call ask remind submit issue kundigen prufen schicken senden stellen schreiben reklamieren vergleichen unterschreiben ablegen einreichen verifier resilier envoyer contester signer revisar comprobar cancelar enviar firmar reclamar controllare verificare disdire inviare firmare contestare controleren opzeggen versturen sturen ondertekenen',
);

/** Returns what a task's name says is to be done about money. */
export function deedOf(name: string): Deed {
  const words =
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const verb = words.find((word) => PAYS.has(word) || AWAITS.has(word));
  if (verb !== undefined) return PAYS.has(verb) ? 'out' : 'in';
  if (words.some((word) => COMES.has(word))) return 'in';
  return words.some((word) => OTHERS.has(word)) ? 'other' : 'unsaid';
}
