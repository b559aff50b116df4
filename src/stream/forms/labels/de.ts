import type { LabelWords } from './words.ts';

/** German. */
export const GERMAN: LabelWords = {
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
