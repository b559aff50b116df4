import type { LabelWords } from './words.ts';

/** Dutch. */
export const DUTCH: LabelWords = {
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
