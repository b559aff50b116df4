import type { LabelWords } from './words.ts';

/** Italian. */
export const ITALIAN: LabelWords = {
  when: `
    quando | data | data e ora | data/ora | ora | orario | appuntamento | il suo appuntamento |
    data dell'appuntamento | inizio`,
  about: `
    dove | luogo | sede | indirizzo | cosa | evento | chi | durata | motivo | prestazione | servizio | partecipanti |
    con | oggetto`,
  former: `
    data precedente | vecchia data | vecchio orario | orario precedente | appuntamento precedente | precedentemente |
    in precedenza | data originale | data originaria | prima | invece di | anziché`,
  next: `
    nuova data | nuovo orario | nuovo appuntamento | nuova data e ora | spostato al | rinviato al | spostata al |
    ora è | adesso | nuova data di consegna | nuova partenza | nuova scadenza`,
  due: `
    scadenza | data di scadenza | scade il | scadenza pagamento | da pagare entro | pagare entro |
    da pagare entro il | termine di pagamento | entro il | data di restituzione | da restituire entro`,
  open: `
    importo dovuto | saldo residuo | da pagare | importo da pagare | importo residuo | totale dovuto | saldo dovuto |
    ancora da pagare`,
  reference: `
    fattura | numero fattura | numero di fattura | n. fattura | fattura n. | fattura n° | ordine | numero ordine |
    numero d'ordine | numero dell’ordine | numero dell'ordine | n. ordine | ordine n. | prenotazione |
    numero di prenotazione | numero prenotazione | codice prenotazione | codice di prenotazione | numero di tracking |
    codice di tracciamento | numero spedizione | numero di spedizione | riferimento | vostro riferimento |
    nostro riferimento | pratica | numero pratica | numero di pratica | numero contratto | codice di conferma`,
  status: 'stato | stato attuale | nuovo stato | situazione',
  statusOfPayment: 'stato del pagamento | stato pagamento | pagamento | stato della fattura | stato fattura',
  statusOfDelivery: `
    stato dell'ordine | stato dell’ordine | stato ordine | stato del tuo ordine | stato della consegna |
    stato consegna | stato della spedizione | stato spedizione | consegna`,
  statusOfBooking: "stato della prenotazione | stato prenotazione | stato dell'appuntamento",
  paid: `
    pagato | pagata | saldato | saldata | pagamento ricevuto | pagamento effettuato | pagamento completato | versato |
    versata | incassato`,
  delivered: 'consegnato | consegnata | ritirato | ritirata | recapitato | recapitata | ordine consegnato',
  booked: 'confermato | confermata | prenotato | prenotata | prenotazione confermata',
  cancelled: `
    annullato | annullata | cancellato | cancellata | disdetto | disdetta | ordine annullato |
    prenotazione annullata`,
  signed: 'firmato | firmata | firmato da tutti | firmato da tutte le parti | sottoscritto',
  approved: 'approvato | approvata | accettato | accettata | concesso | concessa | autorizzato | autorizzata',
  completed: `
    completato | completata | concluso | conclusa | terminato | terminata | chiuso | chiusa | presentato |
    presentata | evaso | eseguito`,
  pending: `
    in attesa | in lavorazione | in corso | in elaborazione | in preparazione | non pagato | non pagata |
    parzialmente pagato | parzialmente pagata | insoluto | insoluta | scaduto | scaduta | rifiutato | rifiutata |
    fallito | spedito | spedita | in transito | in consegna | in ritardo | non consegnato | richiesto | richiesta |
    provvisorio | provvisoria | lista d'attesa | bozza | da pagare | restituito | in verifica |
    parzialmente consegnato`,
  fillers: 'il | in data | alle | oggi | ieri | per intero | grazie',
  notDone: `
    in ritardo | ritardo | in consegna | in arrivo | sarà consegnato | sarà consegnata | verrà consegnato |
    sarà addebitato | non è stato | non è stata | non abbiamo | non ancora | non risulta | non è andato | insoluta |
    scaduta | rifiutato | rifiutata | fallito | annullato | annullata | in attesa | tentativo di consegna |
    rimborsato | rimborsata | importo residuo`,
  notCancelled: `
    non è stata annullata | non è stato annullato | resta confermata | resta confermato | è confermata |
    è confermato | cancellazione gratuita | può essere annullata`,
};
