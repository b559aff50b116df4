import { lazily } from './lazily.ts';

/** German. */
const GERMAN: LabelWords = {
  when: `
    wann | datum | termin | datum und uhrzeit | datum/uhrzeit | zeit | zeitpunkt | uhrzeit | ihr termin | beginn |
    termindatum`,
  about: `
    wo | ort | adresse | veranstaltungsort | treffpunkt | was | ereignis | veranstaltung | wer | dauer | behandlung |
    leistung | praxis | teilnehmer | anlass | terminart`,
  former: `
    bisheriger termin | bisher | alter termin | altes datum | alte zeit | ursprünglicher termin | ursprünglich |
    ursprüngliches datum | vorher | früherer termin | bisheriges datum | bisherige zeit | statt`,
  next: `
    neuer termin | neues datum | neue zeit | neue uhrzeit | verschoben auf | verlegt auf | jetzt |
    neuer liefertermin | neues lieferdatum | neuer zeitpunkt | neue abfahrt | neuer abgabetermin | neue frist |
    neues fälligkeitsdatum`,
  due: `
    fällig am | fällig | fälligkeit | fälligkeitsdatum | zahlbar bis | zahlbar bis zum | zu zahlen bis |
    zahlungsziel | zahlungsfrist | frist | abgabefrist | einzureichen bis | rückgabe bis | leihfrist | leihfristende`,
  open: `
    betrag offen | offener betrag | noch zu zahlen | restbetrag | zu zahlen | zahlbetrag | offener saldo |
    offene forderung | offener posten | noch offen`,
  reference: `
    rechnung | rechnungsnummer | rechnungs-nr | rechnungs-nr. | rechnung nr | rechnung nr. | rechnungsnr |
    rechnungsnr. | bestellung | bestellnummer | bestell-nr | bestell-nr. | auftragsnummer | auftrag | auftragsnr |
    buchungsnummer | buchungscode | buchung | reservierungsnummer | reservierung | sendungsnummer | paketnummer |
    aktenzeichen | zeichen | unser zeichen | ihr zeichen | vorgangsnummer | vorgang | vertragsnummer | referenz |
    referenznummer | schadennummer | ticketnummer | antragsnummer | bestätigungsnummer`,
  status: 'status | aktueller status | neuer status | stand | bearbeitungsstand',
  statusOfPayment: 'zahlungsstatus | rechnungsstatus | status der zahlung | status der rechnung | zahlung',
  statusOfDelivery: `
    lieferstatus | bestellstatus | sendungsstatus | versandstatus | status der bestellung | status ihrer bestellung |
    status ihrer sendung | paketstatus | zustellung | lieferung`,
  statusOfBooking: 'buchungsstatus | reservierungsstatus | terminstatus | status der buchung',
  paid: `
    bezahlt | vollständig bezahlt | beglichen | zahlung eingegangen | zahlung erhalten | ausgeglichen | gezahlt |
    erfolgreich bezahlt`,
  delivered: `
    zugestellt | geliefert | ausgeliefert | abgeholt | übergeben | empfangen | sendung zugestellt |
    erfolgreich zugestellt`,
  booked: 'bestätigt | gebucht | reserviert | buchung bestätigt | fest gebucht',
  cancelled: 'storniert | abgesagt | gekündigt | abgebrochen | annulliert | bestellung storniert',
  signed: 'unterschrieben | unterzeichnet | von allen unterschrieben | vollständig unterzeichnet',
  approved: 'genehmigt | bewilligt | freigegeben | angenommen',
  completed: 'abgeschlossen | erledigt | fertig | fertiggestellt | eingereicht | beendet',
  pending: `
    offen | ausstehend | in bearbeitung | unbezahlt | nicht bezahlt | teilweise bezahlt | teilbezahlt | überfällig |
    fällig | abgelehnt | fehlgeschlagen | wartend | unterwegs | versandt | versendet | in zustellung | verspätet |
    zustellversuch | nicht zugestellt | zurückgesandt | bestellt | eingegangen | angefragt | vorläufig | warteliste |
    auf der warteliste | entwurf | in prüfung | teilweise geliefert | in vorbereitung | teilweise unterschrieben |
    wird geprüft | autorisiert`,
  fillers: 'am | um | an | vom | heute | gestern | vielen dank | vollständig',
  notDone: `
    verspätet | verzögert | verzögerung | unterwegs | wird zugestellt | wird geliefert | wird in kürze |
    konnte nicht | konnten nicht | nicht zugestellt | noch nicht | nicht eingegangen | nicht bezahlt | wurde nicht |
    fehlgeschlagen | überfällig | offener betrag | storniert | abgelehnt | zustellversuch | ausstehend |
    wird abgebucht | wird eingezogen | warteliste | erstattet | zurückgesandt`,
  notCancelled: `
    nicht storniert | nicht abgesagt | findet statt | weiterhin gültig | ist bestätigt | kostenlos stornieren |
    kostenlose stornierung | storniert werden kann | stornierbar`,
};

/** English. */
const ENGLISH: LabelWords = {
  when: `
    when | date | date and time | date & time | date/time | event date/time | event date | appointment date |
    appointment | time | starts | start | scheduled for | your appointment`,
  about: `
    where | location | venue | place | address | what | event | event type | who | invitee | organiser | organizer |
    duration | service | with | guests | reason for visit | clinic | practice`,
  former: `
    former time | former date | old time | old date | previously | previous time | previous date |
    previous appointment | original date | original time | original appointment | originally | was | old appointment |
    previously scheduled | cancelled appointment`,
  next: `
    new time | new date | new date and time | new date & time | new date/time | updated time | updated date |
    updated date/time | rescheduled to | rescheduled for | moved to | now | new appointment | new appointment date |
    new delivery date | new delivery slot | new departure | new start | new deadline | new due date | revised date`,
  due: `
    due date | payment due | payment due date | payment due by | due by | due on | due | pay by | please pay by |
    date due | payable by | deadline | submission deadline | return by | reply by | respond by`,
  open: `
    amount due | balance due | outstanding | outstanding balance | outstanding amount | amount outstanding |
    left to pay | to pay | remaining balance | total due | still to pay | amount owed`,
  reference: `
    invoice | invoice number | invoice no | invoice no. | invoice # | invoice reference | order | order number |
    order no | order no. | order # | order id | order reference | booking reference | booking number | booking ref |
    booking id | booking | confirmation number | confirmation code | reservation number | reservation |
    reservation code | tracking number | tracking no | tracking id | reference | reference number | our reference |
    your reference | ref | ref. | case number | claim number | policy number | ticket number | contract number |
    application number | case reference | parcel number | shipment number | pnr`,
  status: 'status | current status | new status | state | latest update | latest status',
  statusOfPayment: `
    payment status | invoice status | payment | status of your payment | status of payment | bill status`,
  statusOfDelivery: `
    delivery status | order status | shipping status | shipment status | parcel status | tracking status | delivery |
    status of your order | package status`,
  statusOfBooking: 'booking status | reservation status | appointment status | status of your booking',
  paid: `
    paid | paid in full | payment received | payment complete | payment completed | settled | fully paid |
    payment successful | successfully paid`,
  delivered: `
    delivered | collected | picked up | handed over | received | delivered to neighbour | delivered to recipient |
    item delivered | parcel delivered`,
  booked: 'confirmed | booked | reserved | booking confirmed | reservation confirmed',
  cancelled: `
    cancelled | canceled | order cancelled | order canceled | booking cancelled | terminated | cancelled by host |
    cancelled by organiser`,
  signed: 'signed | fully signed | signed by all parties | signed by everyone | completed and signed',
  approved: 'approved | granted | accepted | application approved',
  completed: 'completed | complete | finished | done | closed | resolved | submitted | fulfilled',
  pending: `
    pending | processing | in progress | in process | open | unpaid | not paid | partially paid | part paid |
    part-paid | overdue | past due | due | payment due | awaiting payment | declined | failed | payment failed |
    rejected | on hold | in transit | shipped | dispatched | out for delivery | delayed | delivery attempted |
    attempted | not delivered | undelivered | returned to sender | preparing | ordered | order received | requested |
    awaiting confirmation | tentative | waitlisted | on the waiting list | draft | sent | viewed |
    awaiting signature | partially signed | under review | received and under review | partially delivered |
    authorised | authorized`,
  fillers: 'on | at | to | by | in full | today | yesterday | with thanks | thank you',
  notDone: `
    delayed | on its way | on the way | out for delivery | in transit | will be delivered | will arrive | arriving |
    arrives | will be charged | will be collected | attempted | could not | couldn't | unable to | failed | not yet |
    has not | hasn't | have not | haven't | was not | wasn't | is not | isn't | overdue | outstanding | unpaid |
    declined | still to pay | payment is due | still owe | cancelled | canceled | pending | to confirm your booking |
    waiting list | refunded | returned`,
  notCancelled: `
    not cancelled | not canceled | still confirmed | reinstated | going ahead | remains confirmed | is confirmed |
    free cancellation | can be cancelled | may be cancelled | will be cancelled unless | if you cancel`,
};

/** Spanish. */
const SPANISH: LabelWords = {
  when: `
    cuándo | fecha | fecha y hora | fecha/hora | hora | cita | su cita | tu cita | fecha de la cita | inicio`,
  about: `
    dónde | lugar | ubicación | dirección | qué | evento | quién | duración | motivo | servicio | asistentes |
    clínica | con | asunto`,
  former: `
    fecha anterior | hora anterior | cita anterior | antes | anteriormente | fecha original | hora original |
    antigua fecha | cita original | en lugar de`,
  next: `
    nueva fecha | nueva hora | nueva cita | nueva fecha y hora | nuevo horario | aplazado al | aplazada al |
    trasladado al | ahora | nueva fecha de entrega | nueva salida | nuevo plazo | nuevo vencimiento`,
  due: `
    vencimiento | fecha de vencimiento | vence el | vence | fecha límite | fecha límite de pago | pagar antes del |
    plazo | plazo de pago | a pagar antes del | fecha de devolución | devolver antes del`,
  open: `
    importe pendiente | saldo pendiente | pendiente de pago | total pendiente | a pagar | por pagar |
    importe adeudado`,
  reference: `
    factura | número de factura | n.º de factura | nº de factura | nº factura | factura n.º | factura nº | pedido |
    número de pedido | n.º de pedido | nº de pedido | pedido n.º | reserva | número de reserva | n.º de reserva |
    nº de reserva | código de reserva | localizador | número de seguimiento | nº de seguimiento | número de envío |
    referencia | su referencia | nuestra referencia | expediente | número de expediente | nº de expediente |
    número de contrato | número de confirmación`,
  status: 'estado | estado actual | nuevo estado | situación',
  statusOfPayment: 'estado del pago | estado de pago | pago | estado de la factura',
  statusOfDelivery: `
    estado del pedido | estado de tu pedido | estado de su pedido | estado del envío | estado de la entrega |
    entrega | estado de entrega`,
  statusOfBooking: 'estado de la reserva | estado de su reserva | estado de la cita',
  paid: `
    pagado | pagada | abonado | abonada | pago recibido | pago completado | pago realizado | liquidado | liquidada |
    cobrado | cobrada`,
  delivered: 'entregado | entregada | recogido | recogida | pedido entregado | recibido',
  booked: 'confirmado | confirmada | reservado | reservada | reserva confirmada',
  cancelled: 'cancelado | cancelada | anulado | anulada | pedido cancelado | reserva cancelada',
  signed: 'firmado | firmada | firmado por todos | firmado por todas las partes',
  approved: 'aprobado | aprobada | aceptado | aceptada | concedido | concedida | autorizado | autorizada',
  completed: `
    completado | completada | finalizado | finalizada | terminado | terminada | cerrado | cerrada | presentado |
    presentada | realizado | realizada`,
  pending: `
    pendiente | pendiente de pago | en proceso | procesando | en curso | en preparación | impagado | impagada |
    no pagado | no pagada | parcialmente pagado | parcialmente pagada | vencido | vencida | rechazado | rechazada |
    fallido | enviado | en tránsito | en camino | en reparto | retrasado | no entregado | solicitado | solicitada |
    provisional | lista de espera | borrador | devuelto | en revisión | parcialmente entregado`,
  fillers: 'el | a | en | hoy | ayer | por completo | gracias | íntegramente',
  notDone: `
    retrasado | retrasada | retraso | en camino | en reparto | será entregado | se entregará | llegará | no se ha |
    no ha sido | no hemos | todavía no | aún no | no pudimos | no se pudo | impagada | impagado | vencida |
    rechazado | rechazada | fallido | cancelado | cancelada | anulado | anulada | pendiente de pago |
    importe pendiente | intento de entrega | se cobrará | reembolsado | devuelto | lista de espera`,
  notCancelled: `
    no cancelada | no cancelado | no se ha cancelado | sigue en pie | sigue confirmada | está confirmada |
    cancelación gratuita | puede cancelarse`,
};

/** French. */
const FRENCH: LabelWords = {
  when: `
    quand | date | date et heure | date/heure | horaire | heure | rendez-vous | votre rendez-vous |
    date du rendez-vous | début`,
  about: `
    où | lieu | adresse | quoi | évènement | événement | qui | durée | motif | motif de consultation | praticien |
    avec | prestation | participants | objet`,
  former: `
    ancienne date | ancien horaire | ancien rendez-vous | ancien créneau | date initiale | date précédente |
    horaire initial | initialement | précédemment | avant | au lieu de | rendez-vous initial`,
  next: `
    nouvelle date | nouvel horaire | nouveau rendez-vous | nouveau créneau | reporté au | déplacé au | désormais |
    nouvelle date de livraison | nouveau départ | nouvelle échéance | nouvelle heure | maintenant`,
  due: `
    échéance | date d'échéance | date d’échéance | date limite | date limite de paiement | à payer avant le |
    à régler avant le | payable avant le | à régler pour le | à rendre avant le | date de retour |
    à retourner avant le`,
  open: `
    reste à payer | montant dû | solde dû | solde restant | montant restant | net à payer | restant dû | à payer`,
  reference: `
    facture | numéro de facture | n° de facture | facture n° | référence | référence de facture | commande |
    numéro de commande | n° de commande | commande n° | réservation | numéro de réservation | n° de réservation |
    code de réservation | référence de réservation | numéro de suivi | n° de suivi | numéro de colis |
    numéro de dossier | dossier | n° de dossier | votre référence | notre référence | numéro de contrat |
    référence de dossier | numéro de confirmation`,
  status: 'statut | état | statut actuel | nouveau statut | situation',
  statusOfPayment: `
    statut du paiement | état du paiement | paiement | statut de la facture | état de la facture | règlement`,
  statusOfDelivery: `
    statut de la commande | état de la commande | statut de livraison | statut de la livraison |
    état de la livraison | statut du colis | livraison | statut de votre commande | état de votre commande`,
  statusOfBooking: 'statut de la réservation | état de la réservation | statut du rendez-vous',
  paid: `
    payé | payée | réglé | réglée | acquitté | acquittée | soldé | soldée | paiement reçu | paiement effectué |
    entièrement payée | entièrement payé`,
  delivered: `
    livré | livrée | remis | remise | retiré | retirée | colis livré | livraison effectuée | distribué |
    commande livrée`,
  booked: 'confirmé | confirmée | réservé | réservée | réservation confirmée',
  cancelled: 'annulé | annulée | commande annulée | réservation annulée | résilié | résiliée',
  signed: 'signé | signée | signé par tous | signé par toutes les parties',
  approved: 'approuvé | approuvée | accepté | acceptée | accordé | accordée | validé | validée',
  completed: `
    terminé | terminée | achevé | achevée | clôturé | clôturée | déposé | déposée | effectué | effectuée`,
  pending: `
    en attente | en cours | en cours de traitement | en préparation | impayé | impayée | non payé | non payée |
    non réglé | non réglée | partiellement payé | partiellement payée | en retard | échu | échue | refusé | refusée |
    échoué | échec | expédié | expédiée | en transit | en cours de livraison | retardé | retardée | non livré |
    non livrée | demandé | demandée | provisoire | liste d'attente | brouillon | à payer | retourné |
    partiellement livrée | en cours de signature | à régler`,
  fillers: 'le | à | du | en totalité | ce jour | hier | merci',
  notDone: `
    en retard | retardé | retardée | en cours de livraison | en route | sera livré | sera livrée | sera prélevé |
    n'a pas | n’a pas | n'est pas | n’est pas | n'avons pas | n’avons pas | pas encore | impayé | impayée | a échoué |
    refusé | refusée | annulé | annulée | en attente | tentative de livraison | n'a pu | remboursé | remboursée |
    reste à payer`,
  notCancelled: `
    pas annulé | pas annulée | est maintenue | est maintenu | reste confirmée | est confirmée | est confirmé |
    annulation gratuite | peut être annulée | annulable`,
};

/** Italian. */
const ITALIAN: LabelWords = {
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

/** A line of a text that is not empty. */
interface Line {
  readonly text: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** The number of its block: lines without an empty one between them, or with only one. */
  readonly block: number;
}

const MOST_LINES = 400;
const MOST_CHARACTERS = 300;

/** Returns the lines of a text that are not empty, at most 400, of each the first 300 characters. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let [at, block, empty] = [0, 0, 0];
  for (const line of text.split('\n')) {
    if (line.trim() === '') empty += 1;
    else {
      if (empty > 1) block += 1;
      empty = 0;
      lines.push({ text: line.slice(0, MOST_CHARACTERS), start: at, block });
    }
    at += line.length + 1;
    if (lines.length >= MOST_LINES) break;
  }
  return lines;
}

/** Returns the text of a block, as one line. */
export function blockText(text: string, block: number): string {
  const lines = linesOf(text).filter((line) => line.block === block);
  return lines.map((line) => line.text.trim()).join(' ');
}

/** Dutch. */
const DUTCH: LabelWords = {
  when: `
    wanneer | datum | datum en tijd | datum/tijd | tijd | tijdstip | afspraak | uw afspraak | je afspraak | aanvang |
    datum afspraak`,
  about: `
    waar | locatie | plaats | adres | wat | evenement | wie | duur | behandeling | reden | dienst | deelnemers |
    praktijk | met | onderwerp`,
  former: `
    oude datum | oude tijd | oude afspraak | eerdere datum | eerder | oorspronkelijke datum | oorspronkelijk |
    vorige datum | vorige afspraak | vorige tijd | in plaats van | was`,
  next: `
    nieuwe datum | nieuwe tijd | nieuwe afspraak | nieuwe datum en tijd | nieuw tijdstip | verplaatst naar |
    verzet naar | nu | nieuwe bezorgdatum | nieuwe leverdatum | nieuwe vertrektijd | nieuwe vervaldatum |
    nieuwe deadline`,
  due: `
    vervaldatum | vervaldag | uiterste betaaldatum | betalen vóór | betalen voor | te betalen vóór | te betalen voor |
    uiterlijk te betalen | betaaltermijn | betaal vóór | inleverdatum | uiterste inleverdatum | inleveren vóór |
    deadline`,
  open: 'openstaand bedrag | openstaand saldo | nog te betalen | te betalen | resterend bedrag | restbedrag',
  reference: `
    factuur | factuurnummer | factuurnr | factuurnr. | factuur nr. | bestelling | bestelnummer | bestelnr. |
    ordernummer | boeking | boekingsnummer | boekingscode | reservering | reserveringsnummer | reserveringscode |
    zendingnummer | track & trace | track-en-tracecode | pakketnummer | kenmerk | ons kenmerk | uw kenmerk |
    betalingskenmerk | dossiernummer | dossier | zaaknummer | contractnummer | polisnummer | referentie |
    referentienummer | bevestigingsnummer`,
  status: 'status | huidige status | nieuwe status | stand van zaken',
  statusOfPayment: `
    betaalstatus | betalingsstatus | status betaling | status van de betaling | factuurstatus | betaling`,
  statusOfDelivery: `
    bestelstatus | orderstatus | bezorgstatus | leverstatus | status van de bestelling | status van je bestelling |
    status van uw bestelling | status bestelling | bezorging | zendingstatus | levering`,
  statusOfBooking: 'boekingsstatus | reserveringsstatus | status boeking | status reservering | status afspraak',
  paid: 'betaald | volledig betaald | voldaan | betaling ontvangen | betaling geslaagd | afbetaald',
  delivered: 'bezorgd | geleverd | afgeleverd | afgehaald | opgehaald | uitgereikt',
  booked: 'bevestigd | geboekt | gereserveerd | reservering bevestigd | boeking bevestigd',
  cancelled: 'geannuleerd | afgezegd | opgezegd | beëindigd | bestelling geannuleerd',
  signed: 'ondertekend | getekend | door iedereen ondertekend | volledig ondertekend',
  approved: 'goedgekeurd | toegekend | geaccepteerd | verleend',
  completed: 'afgerond | voltooid | afgehandeld | klaar | gereed | ingediend | gesloten',
  pending: `
    open | openstaand | in behandeling | in afwachting | wordt verwerkt | niet betaald | onbetaald | deels betaald |
    gedeeltelijk betaald | achterstallig | verlopen | geweigerd | afgewezen | mislukt | verzonden | onderweg |
    in bezorging | vertraagd | niet bezorgd | bezorgpoging | aangevraagd | voorlopig | wachtlijst | op de wachtlijst |
    concept | retour | besteld | in voorbereiding | deels geleverd | wordt beoordeeld`,
  fillers: 'op | om | aan | vandaag | gisteren | volledig | bedankt',
  notDone: `
    vertraagd | vertraging | onderweg | wordt bezorgd | wordt geleverd | wordt afgeschreven | wordt geïncasseerd |
    kon niet | konden niet | niet bezorgd | nog niet | niet betaald | is niet | niet ontvangen | onbetaald |
    openstaand | mislukt | geweigerd | geannuleerd | bezorgpoging | in behandeling | terugbetaald | retour |
    wachtlijst`,
  notCancelled: `
    niet geannuleerd | gaat door | blijft staan | is bevestigd | gratis annuleren | kosteloos annuleren |
    kan worden geannuleerd`,
};

/** The labels of every language that is read, by its ISO code. */
export const LABELS: Readonly<Record<string, LabelWords>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  nl: DUTCH,
};

const OF_LINES = [
  ...(['when', 'about', 'former', 'next', 'due', 'open', 'reference'] as const),
  ...(['status', 'statusOfPayment', 'statusOfDelivery', 'statusOfBooking'] as const),
] as const;
const OF_STATES = [
  ...(['paid', 'delivered', 'booked', 'cancelled', 'signed', 'approved', 'completed', 'pending'] as const),
] as const;

/** What a labelled line is about. */
export type LabelKind = (typeof OF_LINES)[number];
/** How something stands, by such a line. */
export type Standing = (typeof OF_STATES)[number];

const kinds = lazily(() => tableOf<LabelKind>(OF_LINES));
/** The words that labels begin with: most lines of a mail begin with none of them, and need no further look. */
const beginnings = lazily(() => new Set([...kinds().keys()].map((label) => folded(label.split(' ', 1)[0] ?? ''))));
const standings = lazily(() => tableOf<Standing>(OF_STATES));
const FILLERS = new Set(Object.values(LABELS).flatMap(({ fillers }) => wordsIn(fillers)));
const MOST_LABEL_WORDS = 5;

/** Returns what a label may say, in any language; nothing where it is none. */
export function kindsOf(label: string): readonly LabelKind[] {
  return kinds().get(folded(label)) ?? [];
}

/** Returns how something stands by a word or two; null where they say nothing. A word that is pending in any language is. */
export function standingOf(words: string): Standing | null {
  const found = standings().get(folded(words)) ?? [];
  return found.includes('pending') ? 'pending' : (found[0] ?? null);
}

/** Whether a text may follow on what a status says: `on 3 December`. */
export function isFiller(words: string): boolean {
  return FILLERS.has(folded(words));
}

/** Returns how many words at the beginning of some are a label, as many as can be; 0 where none are. */
export function labelLength(words: readonly string[]): number {
  if (!beginnings().has(firstFolded(words))) return 0;
  const most = Math.min(MOST_LABEL_WORDS, words.length);
  for (let length = most; length > 0; length -= 1) {
    if (kindsOf(words.slice(0, length).join(' ')).length > 0) return length;
  }
  return 0;
}

/** The first of some words that is more than marks, as the tables have it; empty where none is. */
function firstFolded(words: readonly string[]): string {
  for (const word of words.slice(0, MOST_LABEL_WORDS)) {
    const first = folded(word);
    if (first !== '') return first;
  }
  return '';
}

/** Returns a text as the tables have it: in lower case, with single blanks and straight apostrophes, without marks around it. */
export function folded(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02BC]/g, "'")
    .replace(/^[^\p{L}\p{N}#]+|[^\p{L}\p{N}#.°º]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** Returns the words of a list of the tables. */
export function wordsIn(written: string): readonly string[] {
  return written.split('|').map((word) => word.trim());
}

function tableOf<Kind extends keyof LabelWords>(kinds: readonly Kind[]): ReadonlyMap<string, readonly Kind[]> {
  const table = new Map<string, Kind[]>();
  for (const words of Object.values(LABELS)) {
    for (const kind of kinds) {
      for (const word of wordsIn(words[kind])) {
        const known = table.get(folded(word)) ?? [];
        if (!known.includes(kind)) table.set(folded(word), [...known, kind]);
      }
    }
  }
  return table;
}

/** A line of a text, or of a table in it, that says what is behind its label. */
export interface LabelledLine {
  /** What its label may say. */
  readonly kinds: readonly LabelKind[];
  readonly label: string;
  readonly value: string;
  /** Where the value begins in the text. */
  readonly at: number;
  /** Where the line begins, and where the line with the value ends. */
  readonly start: number;
  readonly end: number;
  /** Whether no colon stands between them: then only a value that is nothing else counts. */
  readonly isBare: boolean;
  /** The number of its block: lines without an empty one between them, or with only one. */
  readonly block: number;
}

const MOST_LABEL = 40;
const MOST_VALUE = 120;
/** After so many empty lines a value no longer belongs to the label above it. */
const MOST_BETWEEN = 2;

/** Returns the labelled lines of a text, in its order. */
export function labelledLines(text: string): readonly LabelledLine[] {
  const lines = linesOf(text);
  return lines.flatMap((line, nth) => labelledLine(line, lines.slice(nth + 1, nth + 1 + MOST_BETWEEN)) ?? []);
}

function labelledLine(line: Line, next: readonly Line[]): LabelledLine | null {
  return byColon(line, next) ?? withoutColon(line, next);
}

function byColon(line: Line, next: readonly Line[]): LabelledLine | null {
  const colon = line.text.search(/[:：](?:\s|$|\*)/u);
  if (colon < 1 || colon > MOST_LABEL) return null;
  const label = line.text.slice(0, colon);
  return kindsOf(label).length === 0 ? null : lineWith(line, label, colon + 1, next, false);
}

function withoutColon(line: Line, next: readonly Line[]): LabelledLine | null {
  const words = line.text.slice(0, 2 * MOST_LABEL).match(/\S+/g) ?? [];
  const length = labelLength(words);
  if (length === 0) return null;
  const label = words.slice(0, length).join(' ');
  let at = 0;
  for (const word of words.slice(0, length)) at = line.text.indexOf(word, at) + word.length;
  return lineWith(line, label, at, next, true);
}

function lineWith(
  line: Line,
  label: string,
  from: number,
  next: readonly Line[],
  isBare: boolean,
): LabelledLine | null {
  const own = line.text.slice(from);
  const isOwn = folded(own) !== '';
  const [below] = next;
  const holder = isOwn ? { text: own, start: line.start + from } : below;
  // What is itself a label is no value of the one above.
  if (holder === undefined || (!isOwn && /[:：]\s*$/u.test(holder.text))) return null;
  const lead = /^[\s*:：]*/u.exec(holder.text)?.[0].length ?? 0;
  const value = holder.text.slice(lead).trimEnd().slice(0, MOST_VALUE);
  const at = holder.start + lead;
  const { start, block } = line;
  return { kinds: kindsOf(label), label, value, at, start, end: at + value.length, isBare, block };
}

/** A row of a table whose columns have labels above them. */
export interface TableRow extends Line {
  /** What the columns may say. */
  readonly kinds: readonly LabelKind[];
}

const MOST_ROWS = 6;
const MOST_HEAD = 120;
const LEAST_LABELS = 2;

/** Returns the rows that stand below a line of labels, at least half of whose words are known as such. */
export function tableRows(text: string): readonly TableRow[] {
  const lines = linesOf(text);
  return lines.flatMap((line, nth) => {
    const kinds = kindsInHead(line.text);
    if (kinds.length < LEAST_LABELS) return [];
    const below = lines.slice(nth + 1, nth + 1 + MOST_ROWS);
    const end = below.findIndex((row) => row.block !== line.block || !/\d/.test(row.text) || row.text.includes(':'));
    return (end === -1 ? below : below.slice(0, end)).map((row) => ({ ...row, kinds }));
  });
}

/** Of "Amount Due date" both "Amount due" and "Due date" count: where one column ends is lost. */
function kindsInHead(line: string): readonly LabelKind[] {
  if (line.length > MOST_HEAD || /\d|[:.!?]\s*$/.test(line)) return [];
  const words = line.match(/[^\s|]+/g) ?? [];
  const labels = words.map((_, at) => words.slice(at, at + labelLength(words.slice(at))));
  const covered = new Set(labels.flatMap((label, at) => label.map((_, nth) => at + nth)));
  const kinds = labels.flatMap((label) => (label.length === 0 ? [] : kindsOf(label.join(' '))));
  return covered.size * 2 < words.length ? [] : [...new Set(kinds)];
}

/**
 * What stands before the colon in a labelled block, and what stands behind it, in one language: words in lower case, as they are
 * written, with ` | ` between them. A language is one file of this shape, and a line in `table.ts`.
 */
interface LabelWords {
  /** When something takes place. */
  readonly when: string;
  /** Where it takes place, or what it is: a block with such a line is about an appointment. */
  readonly about: string;
  /** When it was to take place before. */
  readonly former: string;
  /** When it takes place now that it was moved. */
  readonly next: string;
  /** Until when it is to be paid or handed in. */
  readonly due: string;
  /** What is still to be paid. */
  readonly open: string;
  /** The number of an invoice, an order, a booking, a parcel. */
  readonly reference: string;
  /** How it stands, whatever it is. */
  readonly status: string;
  /** How a payment, a delivery or order, or a booking stands. */
  readonly statusOfPayment: string;
  readonly statusOfDelivery: string;
  readonly statusOfBooking: string;
  /** What such a line says. */
  readonly paid: string;
  readonly delivered: string;
  readonly booked: string;
  readonly cancelled: string;
  readonly signed: string;
  readonly approved: string;
  readonly completed: string;
  /** It has not happened yet, or has gone wrong. */
  readonly pending: string;
  /** What may stand between such a word and a day, or a comma. */
  readonly fillers: string;
  /** Words of a mail that speak against a thing being done, whatever else the mail holds. */
  readonly notDone: string;
  /** The same against its being called off. */
  readonly notCancelled: string;
}
