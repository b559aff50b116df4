import { foldedName } from './header.ts';

const OUT = `d|dr|db|deb|debit|debet|dbit|s|soll|af|out|outflow|ausgang|ausgehend|debito|cargo|uscita|addebito|dare
  |sortie|depense|obciazenie|terheles|kiadas|withdrawal|expense|wydatek|debitas|debets|deebet|uttag|ut|-|belastung
  |lastschrift|money out|outgoing`;
const IN = `c|cr|crd|credit|kredit|crdt|h|haben|bij|in|inflow|eingang|eingehend|credito|abono|entrata|accredito|avere
  |entree|recette|uznanie|jovairas|bevetel|deposit|income|k|kreditas|kredits|kreedit|insattning|inn|+|gutschrift
  |money in|incoming|wplyw`;
const PENDING = `pending|vorgemerkt|umsatz vorgemerkt|ausstehend|reserviert|reservation|en attente|pendiente|hold
  |in behandeling|gereserveerd|in attesa|reserveret|oczekujaca|nezauctovano|authorised|authorized|authorisation
  |в обработке`;
const UNDONE = `declined|reverted|failed|cancelled|canceled|denied|rejected|abgelehnt|storniert|refuse|annule|geweigerd
  |rechazado|rifiutato|voided|abgebrochen`;
/** What stands in the place of a purpose where a row tells the balance, or a sum of the rows. */
const BALANCE = `opening balance|closing balance|balance brought forward|balance carried forward|starting balance
  |ending balance|previous balance|beginning balance|anfangssaldo|endsaldo|kontostand|alter kontostand|neuer kontostand
  |letzter kontostand|saldo inicial|saldo final|saldo anterior|saldo iniziale|saldo finale|saldo contabile
  |solde initial|solde final|solde precedent|nouveau solde|beginsaldo|eindsaldo|saldo poczatkowe|saldo koncowe
  |likutis pradziai|likutis pabaigai|algsaldo|loppsaldo|lopp saldo|sakuma atlikums|beigu atlikums|total|totals|totaal
  |summe|gesamt|suma|somma|sum|totale|turnover|apyvarta|kaive|apgrozijums|saldo|saldo alt|saldo neu|balance|saldo do dia
  |ultimo saldo|ingoing balance|outgoing balance|ingaende saldo|utgaende saldo|obroty`;

const OUT_WORDS = setOf(OUT);
const IN_WORDS = setOf(IN);
const PENDING_WORDS = setOf(PENDING);
const UNDONE_WORDS = setOf(UNDONE);
const BALANCE_WORDS = setOf(BALANCE);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split('|').map(comparedWord));
}

/** `-` and `+` have no letters, and are words all the same. */
function comparedWord(text: string): string {
  return foldedName(text) || text.trim();
}

/** Returns whether a word says that money went out or came in; null where it says neither. */
export function directionIn(cell: string): 'out' | 'in' | null {
  const word = comparedWord(cell);
  if (OUT_WORDS.has(word)) return 'out';
  return IN_WORDS.has(word) ? 'in' : null;
}

/** Whether a cell says that the booking is only announced. */
export function isPending(cell: string): boolean {
  return PENDING_WORDS.has(comparedWord(cell));
}

/** Whether a cell says that nothing came of the booking. */
export function isUndone(cell: string): boolean {
  return UNDONE_WORDS.has(foldedName(cell));
}

/** Whether a cell names a balance or a total, and nothing else. */
export function isBalanceName(cell: string): boolean {
  return BALANCE_WORDS.has(foldedName(cell).replace(/\d+/g, '').trim());
}
