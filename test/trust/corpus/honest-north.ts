import { type HonestMail, writer } from './honest-mail.ts';

const notary = writer('notary', 'en');
const bank = writer('bank', 'en');
const club = writer('club', 'en');
const roofer = writer('roofer', 'de');
const boatyard = writer('boatyard', 'nl');

/**
 * Honest mails in English, German and Dutch. Held out: written before any of them was read by a rule or a model, and
 * never a reason to change a phrase.
 */
export const HONEST_NORTH: readonly HonestMail[] = [
  notary.done(
    'deposit-arrived',
    'deposit',
    'Alder Lane: deposit',
    'Dear Robin,\n\nA short note so that you can sleep well: the deposit for Alder Lane arrived on our client account this morning, in full. The sellers have been told.\n\nWarm regards\nLena',
  ),
  notary.done(
    'deposit-receipt',
    'deposit',
    'Receipt NG-4471',
    'Dear Robin,\n\nWe acknowledge receipt of the deposit under reference NG-4471. There is nothing else for you to do about it.\n\nLena Northgate',
  ),
  notary.moved('deposit-later', 'deposit', 16, (day) => ({
    subject: 'More time for the deposit',
    text: `Dear Robin,\n\nThe sellers agreed to our request. You now have until ${day} to pay the deposit.\n\nLena`,
  })),
  notary.done(
    'survey-here',
    'survey',
    'Your survey',
    'Dear Robin,\n\nThe surveyor went round the house on Monday and his survey of Alder Lane is finished. You will find it attached, all thirty pages of it. No surprises.\n\nLena',
  ),
  notary.moved('survey-moved', 'survey', 12, (day) => ({
    subject: 'Alder Lane: survey appointment',
    text: `Hello Robin,\n\nThe surveyor has a cold. The survey has been moved to ${day}, same hour.\n\nLena`,
  })),
  notary.archived(
    'survey-pointless',
    'survey',
    'No survey after all',
    'Dear Robin,\n\nThe lender accepts the report from last year, so the survey of Alder Lane is no longer needed and I have called it off.\n\nLena',
  ),
  notary.unchanged(
    'deposit-waited-for',
    'deposit',
    'Alder Lane: deposit',
    'Dear Robin,\n\nJust to keep you in the picture: so far no deposit has shown up here. Banks can take three days, so I am not worried.\n\nLena',
  ),
  bank.done(
    'papers-signed',
    'mortgage',
    'We have your signature',
    'Dear customer,\n\nThe mortgage papers that you signed in our branch are complete and have been filed. You need not come in again.\n\nBright Bank',
  ),
  bank.moved('papers-moved', 'mortgage', 19, (day) => ({
    subject: 'Your appointment to sign the mortgage papers',
    text: `Dear customer,\n\nYour adviser is away that week. We have rescheduled the signing of the mortgage papers to ${day} at ten.\n\nBright Bank`,
  })),
  bank.done(
    'papers-by-post',
    'mortgage',
    'Mortgage papers received',
    'Dear customer,\n\nThank you. The signed mortgage papers reached us by post today and everything is in order.\n\nBright Bank',
  ),
  bank.unchanged(
    'papers-draft',
    'mortgage',
    'Mortgage papers: a draft for you to read',
    'Dear customer,\n\nAttached is a draft of the mortgage papers. Please read it at your leisure; signing comes later.\n\nBright Bank',
  ),
  club.done(
    'membership-over',
    'club',
    'Quarry Club membership',
    'Hi Robin,\n\nAs you asked, your Quarry Club membership has been ended. We are sorry to see you go!\n\nThe clerk',
  ),
  club.unchanged(
    'fee-came',
    'club',
    'Thanks',
    'Hi Robin,\n\nYour yearly fee for the Quarry Club came in, thank you. See you on the wall.\n\nThe clerk',
  ),
  roofer.done(
    'rechnung-eingegangen',
    'roofBill',
    'Rechnung KD-2093',
    'Hallo Robin,\n\nder Betrag für die KD-2093 ist heute bei uns auf dem Konto gelandet, besten Dank. Damit ist die Rechnung vom Tisch.\n\nGruß\nJonas',
  ),
  roofer.done(
    'rechnung-beglichen',
    'roofBill',
    'Zahlungseingang',
    'Guten Tag,\n\nwir bestätigen, dass Rechnung KD-2093 vollständig beglichen ist.\n\nKupferdach, Buchhaltung',
  ),
  roofer.moved('rechnung-frist', 'roofBill', 21, (day) => ({
    subject: 'Längere Frist',
    text: `Hallo Robin,\n\nkein Problem, das Zahlungsziel der Rechnung KD-2093 verlängern wir bis zum ${day}.\n\nJonas`,
  })),
  roofer.archived(
    'rechnung-storniert',
    'roofBill',
    'Storno KD-2093',
    'Hallo Robin,\n\nda war ein Fehler drin. Die Rechnung KD-2093 haben wir storniert, bitte nicht mehr überweisen. Eine neue kommt nächste Woche.\n\nJonas',
  ),
  roofer.done(
    'geruest-bestellt',
    'scaffold',
    'Gerüst',
    'Moin Robin,\n\ndas Gerüst ist bestellt, die Firma hat mir eben zugesagt. Du musst dich um nichts mehr kümmern.\n\nJonas',
  ),
  roofer.done(
    'geruest-auftrag',
    'scaffold',
    'Auftragsbestätigung Gerüst Lindenhof',
    'Guten Tag,\n\nIhre Bestellung für das Gerüst am Lindenhof ist bei uns eingegangen und eingeplant.\n\nKupferdach',
  ),
  roofer.moved('geruest-verschoben', 'scaffold', 15, (day) => ({
    subject: 'Gerüst kommt später',
    text: `Hallo Robin,\n\nwegen des Sturms verschiebt sich das Gerüst auf den ${day}. Bestelle es bitte zu diesem Tag.\n\nJonas`,
  })),
  roofer.archived(
    'geruest-unnoetig',
    'scaffold',
    'Ohne Gerüst',
    'Hallo Robin,\n\ngute Nachricht: Wir arbeiten vom Hubwagen aus, ein Gerüst brauchen wir nicht mehr. Das kannst du streichen.\n\nJonas',
  ),
  roofer.done(
    'rechnung-dank',
    'roofBill',
    'Danke!',
    'Hallo Robin,\n\ndanke für die schnelle Überweisung zur KD-2093, das Geld ist da.\n\nJonas',
  ),
  roofer.unchanged(
    'rechnung-mahnung',
    'roofBill',
    'Freundliche Erinnerung',
    'Guten Tag,\n\nvermutlich ist es nur untergegangen: Für die Rechnung KD-2093 konnten wir noch keinen Eingang verbuchen.\n\nKupferdach, Buchhaltung',
  ),
  boatyard.done(
    'stalling-betaald',
    'mooring',
    'Winterstalling Waterhoen',
    'Beste Robin,\n\nHet bedrag voor de winterstalling staat op onze rekening, dank je wel. De Waterhoen ligt droog.\n\nWerf Anker',
  ),
  boatyard.done(
    'stalling-voldaan',
    'mooring',
    'Factuur voldaan',
    'Goedemiddag,\n\nHierbij bevestigen wij dat de winterstalling volledig is voldaan.\n\nMet vriendelijke groet,\nde balie',
  ),
  boatyard.moved('stalling-uitstel', 'mooring', 20, (day) => ({
    subject: 'Uitstel',
    text: `Hoi Robin,\n\nDat is goed hoor. Je mag de winterstalling ook uiterlijk ${day} betalen.\n\nGroetjes van de balie`,
  })),
  boatyard.archived(
    'stalling-vervalt',
    'mooring',
    'Winterstalling gaat niet door',
    'Beste Robin,\n\nDe loods blijft deze winter dicht. De winterstalling komt daarmee te vervallen en je hoeft niets over te maken.\n\nWerf Anker',
  ),
  boatyard.done(
    'stalling-binnen',
    'mooring',
    'Binnen!',
    'Dag Robin,\n\nJe betaling voor de winterstalling van de Waterhoen is vanochtend binnengekomen. Tot in het voorjaar.\n\nAnker',
  ),
  boatyard.moved('stalling-nieuwe-datum', 'mooring', 13, (day) => ({
    subject: 'Nieuwe vervaldatum',
    text: `Geachte heer,\n\nDe vervaldatum van de factuur voor de winterstalling is gewijzigd in ${day}.\n\nWerf Anker`,
  })),
  boatyard.done(
    'stalling-afgerond',
    'mooring',
    'In orde',
    'Beste Robin,\n\nDe winterstalling is betaald en in onze boeken afgerond. Fijne dagen alvast.\n\nDe balie',
  ),
  boatyard.unchanged(
    'stalling-herinnering',
    'mooring',
    'Herinnering',
    'Beste Robin,\n\nWe hebben nog niets van je ontvangen voor de winterstalling. Misschien is het je ontschoten?\n\nWerf Anker',
  ),
  notary.done(
    'survey-in-post',
    'survey',
    'Survey: all done',
    'Hello Robin,\n\nThat is the survey of Alder Lane ticked off: the surveyor delivered it yesterday and I have put your copy in the post.\n\nLena',
  ),
  roofer.moved('rechnung-faellig', 'roofBill', 25, (day) => ({
    subject: 'Fälligkeit KD-2093',
    text: `Guten Tag,\n\nwie am Telefon besprochen ist die Rechnung KD-2093 nun erst am ${day} fällig.\n\nKupferdach, Buchhaltung`,
  })),
  boatyard.done(
    'stalling-pin',
    'mooring',
    'Bon',
    'Dag Robin,\n\nJe hebt zaterdag aan de balie gepind voor de winterstalling, de bon zit hierbij. Daarmee is alles betaald.\n\nWerf Anker',
  ),
];
