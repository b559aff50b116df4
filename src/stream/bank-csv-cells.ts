import { currencyOf, dayOf } from './bank-money.ts';

/** What a column holds. */
export type Role =
  /** The day it was booked, a day that may be that one, and the day from which it counts. */
  | 'booked'
  | 'dated'
  | 'valued'
  /** Money: with a sign, or in one column what went out and in another what came in. */
  | 'amount'
  | 'debit'
  | 'credit'
  /** A word that says whether it went out or came in. */
  | 'direction'
  | 'currency'
  | 'counterparty'
  /** The counterparty of what came in, and of what went out. */
  | 'payer'
  | 'payee'
  /** The account of the counterparty, that of the vault's owner, and one that may be either. */
  | 'iban'
  | 'own'
  | 'account'
  | 'purpose'
  /** The bank's own word for a kind of booking: the purpose where there is no other. */
  | 'kind'
  | 'reference'
  | 'balance'
  | 'status';

export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pl' | 'nordic' | 'pt' | 'east' | 'baltic';

/**
 * The names that banks give to their columns, as `foldedName` leaves them, without the currency behind. One name may
 * stand under several roles; what the column holds then decides.
 */
const HEADER_WORDS: Readonly<Record<Language, Readonly<Partial<Record<Role, string>>>>> = {
  en: {
    booked: `booking date, posting date, posted date, post date, date posted, posted, date processed, processed date,
      completed date, date completed, booked, booked at, booked on, booking day, entry date, date booked`,
    dated: `date, transaction date, trans date, date time, datetime, created, created at, transaction time, started date,
      purchase date, execution date, txn date, tran date, date of transaction, operation date`,
    valued: `value date, effective date, val date`,
    amount: `amount, amt, net, net amount, transaction amount, value, amount total, sum, booking amount`,
    debit: `debit, debits, debit amount, paid out, money out, withdrawal, withdrawals, withdrawal amount,
      withdrawal amt, outflow, out, payments, spent amount`,
    credit: `credit, credits, credit amount, paid in, money in, deposit, deposits, deposit amount, deposit amt, inflow, in,
      receipts`,
    direction: `type, transaction type, details, direction, debit credit, credit debit, dr cr, cr dr, d c, c d, dc, cd,
      credit debit indicator, indicator, sign, debit or credit, money in out, cr dr indicator`,
    currency: `currency, ccy, cur, currency code, account currency, transaction currency, booking currency`,
    counterparty: `counterparty, counterparty name, name, payee, beneficiary, beneficiary name, merchant, merchant name,
      partner, partner name, counteraccount name, other party, other party name, counter party, recipient`,
    payer: `payer name, payer, sender, sender name`,
    payee: `payee name, recipient name`,
    iban: `counterparty, counterparty iban, counterparty account, counterparty account number, counter account,
      payee account number, partner iban, other party account, to account, from account, partner account`,
    own: `own account, own iban, ordering account, account name, account no, account iban, product account`,
    account: `account, account number, iban, account no, iban bban`,
    purpose: `description, descriptions, memo, narrative, particulars, purpose, payment details, message, note, notes,
      remarks, remark, transaction description, booking text, text, details, original description, transaction details,
      title, payment reference, reference text, message for payee, summary, transaction remarks, narration, activity,
      transaction, reference, extended details, desc, reason`,
    kind: `type, transaction type, category, operation type, item`,
    reference: `end to end reference, end to end id, endtoendid, end to end, mandate reference, mandate id, cheque number,
      check number, cheque no, check no, check, check or slip, cheque, reference number, payment reference, ref, ref no,
      customer reference, creditor reference, invoice number, structured communication, variable symbol,
      variable symbol 1, reference, chq ref number, bank reference, client reference, mandate identification, sepa reference`,
    balance: `balance, running balance, balance after, account balance, ending balance, closing balance, running bal,
      balance after transaction, new balance`,
    status: `status, state, booking status`,
  },
  de: {
    booked: `buchungstag, buchungsdatum, buchung, datum der buchung, gebucht am, tag der buchung, buchungs datum`,
    dated: `datum, transaktionsdatum, belegdatum, kaufdatum, umsatzdatum, datum uhrzeit, ausfuhrungsdatum,
      abschlussdatum`,
    valued: `valuta, valutadatum, wertstellung, wert, wertstellungstag, wertstellungsdatum, valutatag, valuta datum`,
    amount: `betrag, buchungsbetrag, umsatz, netto, betrag in eur, einzelbetrag, transaktionsbetrag, betrag umsatz`,
    debit: `soll, belastung, belastungen, ausgang, ausgange, ausgabe, ausgaben, lastschrift, abgang, zahlungsausgang`,
    credit: `haben, gutschrift, gutschriften, eingang, eingange, einnahme, einnahmen, zugang, zahlungseingang`,
    direction: `soll haben, haben soll, s h, h s, soll haben kennzeichen, sollhaben, umsatztyp, ein ausgang, art`,
    currency: `wahrung, waehrung, buchungswahrung, kontowahrung, wahrung betrag`,
    counterparty: `empfanger, auftraggeber empfanger, auftraggeber beguenstigter, auftraggeber begunstigter,
      beguenstigter zahlungspflichtiger, begunstigter zahlungspflichtiger, begunstigter auftraggeber,
      beguenstigter auftraggeber, name zahlungsbeteiligter, zahlungsbeteiligter, gegenpartei, name, kontrahent,
      auftraggeber zahlungsempfanger, empfanger zahlungspflichtiger, empfanger auftraggeber, name gegenkonto,
      zahlungsempfanger zahlungspflichtiger, partnername, partner name, name des partners, begunstigter, handler,
      zahlungspflichtiger zahlungsempfanger, gegenkontoinhaber, name des auftraggebers begunstigten`,
    payer: `zahlungspflichtige r, zahlungspflichtiger, auftraggeber, auftraggebername`,
    payee: `zahlungsempfanger in, zahlungsempfanger, empfangername`,
    iban: `kontonummer iban, iban zahlungsbeteiligter, iban gegenkonto, iban kontonummer, gegenkonto,
      iban auftraggeber begunstigter, konto iban, gegenkonto iban, partner iban, iban des begunstigten, kto nr iban,
      iban des auftraggebers begunstigten`,
    own: `auftragskonto, iban auftragskonto, iban kontoinhaber, iban auftraggeberkonto, eigenes konto, eigene iban`,
    account: `kontonummer, konto, iban`,
    purpose: `verwendungszweck, vwz, zahlungsgrund, zahlungsreferenz, betreff, mitteilung, umsatztext, beschreibung,
      buchungsdetails, transaktionsbeschreibung, bezeichnung, text, notiz, buchungsinformation, zahlungszweck,
      verwendungszweck zeile, buchungsinformationen`,
    kind: `buchungstext, umsatzart, vorgang, transaktionstyp, umsatztyp, buchungsart, typ, vorgang verwendungszweck,
      transaktionsart`,
    reference: `kundenreferenz, kundenreferenz end to end, mandatsreferenz, mandatsref, referenz, end to end referenz,
      ende zu ende referenz, zahlungsreferenz, glaubiger referenz, schecknummer`,
    balance: `saldo, saldo nach buchung, kontostand, guthaben, neuer saldo, kontostand nach buchung`,
    status: `status, info, gebucht, buchungsstatus, umsatzstatus`,
  },
  fr: {
    booked: `date de comptabilisation, date comptable, date de comptabilite, date comptabilisation, date d ecriture,
      date de l ecriture`,
    dated: `date, date operation, date de l operation, date d operation, date de transaction, date de la transaction,
      date d achat, date d execution`,
    valued: `date valeur, date de valeur, valeur`,
    amount: `montant, montant de l operation, montant de la transaction, montant net`,
    debit: `debit, montant debit, depense, depenses, sortie, debits`,
    credit: `credit, montant credit, recette, recettes, entree, credits`,
    direction: `sens, sens de l operation, debit credit`,
    currency: `devise, monnaie, monn, devise du compte`,
    counterparty: `contrepartie, nom de la contrepartie, nom contrepartie, tiers, beneficiaire, nom contrepartie contient,
      nom du tiers, nom, beneficiaire donneur d ordre, nom contrepartie`,
    payer: `donneur d ordre, emetteur`,
    payee: `destinataire`,
    iban: `compte contrepartie, numero de compte de la contrepartie, compte de la contrepartie, iban contrepartie,
      compte partie adverse`,
    own: `compte, numero de compte, n de compte, compte donneur d ordre`,
    purpose: `libelle, libelle operation, libelle de l operation, libelle simplifie, detail, details,
      detail de l ecriture, communication, communications, motif, informations complementaires, transaction, descriptif,
      libelle complet, objet, description, communication libre, informations`,
    kind: `type, type operation, type de transaction, categorie, nature de l operation, type d operation`,
    reference: `reference, reference operation, communication structuree, numero de cheque, numero de reference,
      reference de bout en bout, reference du mandat`,
    balance: `solde, solde apres operation, solde apres`,
    status: `statut, etat`,
  },
  es: {
    booked: `fecha contable, fecha de contabilizacion, f contable, fecha asiento`,
    dated: `fecha, fecha operacion, fecha de operacion, f operacion, fecha de la operacion, fecha movimiento,
      fecha transaccion, f operativa`,
    valued: `fecha valor, f valor, fecha de valor`,
    amount: `importe, monto, cantidad, valor, importe operacion, importe movimiento`,
    debit: `cargo, cargos, debito, debitos, debe, retiro, retiros, gasto`,
    credit: `abono, abonos, credito, creditos, haber, deposito, depositos, ingreso`,
    direction: `signo, debe haber, cargo abono, tipo`,
    currency: `divisa, moneda`,
    counterparty: `beneficiario, ordenante, beneficiario ordenante, nombre, contraparte, ordenante beneficiario, comercio`,
    iban: `cuenta contraparte, cuenta beneficiario, cuenta destino, iban contraparte`,
    own: `cuenta, numero de cuenta`,
    purpose: `concepto, descripcion, observaciones, detalle, mas datos, movimiento, comentario, concepto ampliado,
      informacion adicional`,
    kind: `tipo, categoria, tipo movimiento, tipo de movimiento`,
    reference: `referencia, referencia 1, referencia 2, numero de referencia, n cheque`,
    balance: `saldo, saldo disponible, disponible, saldo posterior`,
    status: `estado`,
  },
  it: {
    booked: `data contabile, data registrazione, data contabilizzazione, data reg`,
    dated: `data, data operazione, data movimento, data transazione, data esecuzione, data op`,
    valued: `valuta, data valuta`,
    amount: `importo, importo operazione, importo movimento, importo in euro`,
    debit: `addebiti, addebito, dare, uscite, uscita, importo addebito`,
    credit: `accrediti, accredito, avere, entrate, entrata, importo accredito`,
    direction: `segno, dare avere, tipo`,
    currency: `divisa`,
    counterparty: `controparte, beneficiario, ordinante, ordinante beneficiario, nome, beneficiario ordinante, esercente`,
    iban: `conto controparte, iban beneficiario, iban controparte`,
    own: `conto, numero conto, conto corrente, rapporto`,
    purpose: `descrizione, descrizione operazioni, descrizione operazione, causale, descrizione estesa, dettagli,
      descrizione completa, operazione, note, dettaglio, concetto, movimento, osservazioni, parola chiave`,
    kind: `tipo, tipologia, categoria, causale abi, tipo operazione`,
    reference: `riferimento, numero assegno, riferimenti`,
    balance: `saldo, saldo contabile, saldo finale`,
    status: `stato`,
  },
  nl: {
    booked: `boekdatum, boekingsdatum, datum verrekening, boekingsdag, datum boeking`,
    dated: `datum, transactiedatum, datum verrichting, uitvoeringsdatum, datum transactie`,
    valued: `rentedatum, valutadatum, valuta, valuta datum`,
    amount: `bedrag, transactiebedrag, bedrag in eur, bedrag in euro, bedrag in rekeningvaluta`,
    debit: `af, debet, uit, bedrag af`,
    credit: `bij, in, bedrag bij`,
    direction: `af bij, bij af, debet credit, credit debet, creditdebet, c d, credit debit, mutatiesoort, richting, debit credit`,
    currency: `munt, muntsoort, valutacode, valuta, munteenheid, valuta van de rekening, transactievaluta`,
    counterparty: `naam tegenpartij, tegenpartij, naam, naam omschrijving, tegenrekeninghouder, handelaar, begunstigde,
      naam van de tegenpartij, naam tegenpartij bevat, tegenpartij naam`,
    iban: `tegenrekening, tegenrekening iban bban, tegenrekeningnummer, rekeningnummer tegenpartij, rekening tegenpartij,
      iban tegenpartij, iban bban tegenpartij, tegenpartij rekening, rekening begunstigde`,
    own: `rekening, rekeningnummer, iban bban, van rekening, opdrachtgeversrekening`,
    purpose: `omschrijving, omschrijving 1, omschrijving 2, omschrijving 3, mededelingen, mededeling, vrije mededeling,
      toelichting, details, opmerkingen, communicatie, mededelingen 1, vrije mededelingen`,
    kind: `soort, mutatiesoort, mutatie soort, type betaling, betaalwijze, transactietype, type verrichting, categorie`,
    reference: `betalingskenmerk, machtigingskenmerk, machtigingsnummer, gestructureerde mededeling, referentie,
      transactiereferentie, kenmerk, mandaat id, end to end id`,
    balance: `saldo, saldo na trn, saldo na mutatie, saldo na transactie, nieuw saldo, boeksaldo na transactie`,
    status: `status`,
  },
  pl: {
    booked: `data ksiegowania, data zaksiegowania, data rozliczenia`,
    dated: `data, data operacji, data transakcji, data zlecenia`,
    valued: `data waluty`,
    amount: `kwota, kwota operacji, kwota transakcji, kwota w walucie rachunku, kwota transakcji waluta rachunku,
      kwota w pln`,
    debit: `obciazenia, obciazenie, wydatki, kwota obciazenia`,
    credit: `uznania, uznanie, wplywy, kwota uznania`,
    direction: `rodzaj, strona, typ`,
    currency: `waluta, waluta rachunku`,
    counterparty: `nadawca odbiorca, odbiorca nadawca, nazwa nadawcy odbiorcy, dane kontrahenta, kontrahent, odbiorca,
      nazwa kontrahenta, nazwa odbiorcy, nadawca`,
    iban: `nr rachunku kontrahenta, numer rachunku nadawcy odbiorcy, rachunek kontrahenta, numer rachunku,
      rachunek zrodlowy docelowy, numer konta kontrahenta, nr rachunku`,
    own: `konto, rachunek, na konto z konta`,
    purpose: `opis, opis operacji, opis transakcji, tytul, tytulem, tytul operacji, tytul transakcji, szczegoly`,
    kind: `rodzaj, typ transakcji, rodzaj operacji, typ operacji, kategoria, rodzaj transakcji`,
    reference: `nr referencyjny, numer referencyjny, nr transakcji`,
    balance: `saldo, saldo po operacji, saldo po transakcji, saldo konta, saldo koncowe`,
    status: `stan, status`,
  },
  nordic: {
    booked: `bokforingsdag, bokforingsdatum, bogforingsdato, bokforingsdato, bokfort dato, bokfort, kirjauspaiva,
      bokforingsdag, bokforsel, bogfort, bokfort saldo dato`,
    dated: `datum, dato, pvm, paivamaara, transaktionsdatum, transaktionsdag, kontodatum, maksupaiva, reskontradatum,
      betalingsdato, transaksjonsdato, posteringsdato, tapahtumapaiva`,
    valued: `valutadatum, valutadag, valutadato, rentedato, arvopaiva, rentedag, vardedag`,
    amount: `belopp, belop, belob, maara, summa, maara eur, maara euroa, belop nok, belopp sek`,
    debit: `uttag, ut, ud, debet, ut av konto, ut fra konto, belop ut, utbetalinger`,
    credit: `insattning, insattningar, inn, ind, kredit, inn pa konto, belop inn, innbetalinger`,
    direction: `debet kredit, kredit debet`,
    currency: `valuta, valutta, kontovaluta`,
    counterparty: `mottagare, avsandare mottagare, mottaker, modtager, saaja maksaja, saaja, nimi, namn, navn,
      modpart, motpart, avsandare, afsender, mottakernavn, saajan nimi, rubrik`,
    iban: `mottakerkonto, modkonto, motkonto, saajan tilinumero, saajan tilinumero ja pankin bic, til konto,
      modtagers kontonummer, tilinumero`,
    own: `kontonamn, fra konto, eget konto, kontonr`,
    account: `kontonummer, konto, tili`,
    purpose: `beskrivning, beskrivelse, tekst, text, meddelande, meddelelse, forklaring, selite, viesti, selitys,
      melding, notat, referens, detaljer, viite viesti, transaktion, tapahtuma, tekst pa kontoutskrift`,
    kind: `transaktionstyp, laji, type, tapahtumalaji, undertype, kategori`,
    reference: `ocr, kid, viite, viitenumero, viitenumber, kid nummer, referanse, arkivref`,
    balance: `saldo, bokfort saldo, saldo efter, saldo etter, disponibelt`,
    status: `status, reserveret, tila, reskontrastatus`,
  },
  pt: {
    booked: `data contabilistica, data do lancamento, data lancamento, data de lancamento, data mov, data do movimento`,
    dated: `data, data da operacao, data operacao, data movimento, data da transacao, data transacao`,
    valued: `data valor, data do valor`,
    amount: `valor, montante, quantia, importancia`,
    debit: `debito, debitos, saida, saidas`,
    credit: `credito, creditos, entrada, entradas`,
    direction: `debito credito, tipo, natureza, d c`,
    currency: `moeda`,
    counterparty: `beneficiario, nome, destinatario, remetente`,
    own: `conta`,
    purpose: `descricao, historico, movimento, descritivo, titulo, lancamento, detalhes, descricao do movimento`,
    reference: `referencia, numero do documento, n documento, documento`,
    balance: `saldo, saldo contabilistico, saldo disponivel`,
    status: `estado`,
  },
  east: {
    booked: `konyveles datuma, konyvelesi datum, datum zauctovani, zauctovano, datum uctovani, datum zauctovania,
      datum odpisu, konyveles napja, дата обработки операции, дата проводки`,
    dated: `tranzakcio datuma, datum, datum provedeni, datum transakce, datum transakcie, data tranzactiei, dats,
      tranzakcio idopontja, дата операции, дата, data tranzactie,
      дата совершения операции`,
    valued: `ertekenap, erteknap, datum valuty, data valutei, дата валютирования`,
    amount: `osszeg, tranzakcio osszege, castka, zauctovana castka, objem, suma, сумма,
      сумма в валюте счета, сумма платежа, сумма операции в валюте счета, сумма пересчитанная в валюту счета`,
    debit: `terheles, kiadas, расход, дебет, debit`,
    credit: `jovairas, bevetel, приход, кредит, credit`,
    direction: `bevetel kiadas, terheles jovairas, t j`,
    currency: `devizanem, penznem, tranzakcio devizaneme, mena, mena uctu, moneda, валюта, валюта счета`,
    counterparty: `partner neve, kedvezmenyezett, nazev protiuctu, nazev protistrany, protistrana, nazov protiuctu,
      ellenoldali nev, kereskedo, контрагент`,
    iban: `partner szamlaszama, cislo protiuctu, protiucet, ellenszamla, cislo protiuctu a kod banky, ellenoldali szamlaszam`,
    own: `szamlaszam, cislo uctu, номер счета`,
    purpose: `kozlemeny, megjegyzes, popis, zprava, zprava pro prijemce, zprava pro me, poznamka, popis pro me, detalii,
      detalii tranzactie, описание, описание операции, назначение платежа, детали, основание`,
    kind: `tranzakcio tipusa, typ transakce, typ platby, kategorie transakce, forgalom tipusa, категория`,
    reference: `variabilni symbol, variabilni symbol 1, vs, reference platby, variabilny symbol`,
    balance: `egyenleg, zustatek, zostatok, sold, остаток, konyvelt egyenleg`,
    status: `stav, allapot, статус`,
  },
  baltic: {
    booked: `kuupaev`,
    dated: `data, datums, kuupaev`,
    amount: `suma, summa`,
    direction: `d k, debets kredits, deebet kreedit d c, debitas kreditas`,
    currency: `valiuta, valuta, valuuta`,
    counterparty: `gavejas, moketojas gavejas, saaja maksja, sanemejs maksatajs, saanemejs, saaja maksja nimi`,
    iban: `saaja maksja konto, gavejo saskaita`,
    own: `saskaitos nr, kliendi konto, konta nr, konts`,
    purpose: `paaiskinimai, selgitus, informacija sanemejam, paskirtis, detalas`,
    reference: `viitenumber, imokos kodas`,
    balance: `saldo, likutis, atlikums`,
  },
};

/** A column's name and what such columns hold. */
export interface Named {
  /** As it is written, as one line without odd characters. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** The languages in which it is such a name. */
  readonly languages: readonly Language[];
  /** The currency that the name gives: `Betrag (EUR)`. */
  readonly currency: string | null;
}

interface Meaning {
  readonly roles: Set<Role>;
  readonly languages: Set<Language>;
}

/** How much of a column's name is shown and compared. */
const MOST_NAME = 60;
const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', zł: 'PLN', Kč: 'CZK' };

const LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', æ: 'ae', ß: 'ss', đ: 'd', ı: 'i' };
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The names that are known. Made where a table is read: whoever only starts the program does not wait for it. */
export class ColumnNames {
  readonly #meanings = meanings();

  /** Returns what the columns of a header row hold. */
  of(cells: readonly string[]): readonly Named[] {
    return cells.map((cell) => {
      const folded = foldedName(cell);
      const names = [folded, withoutCurrency(folded), withoutNumber(folded)];
      const found = names.flatMap((name) => this.#meanings.get(name) ?? [])[0];
      return {
        name: plainName(cell),
        roles: [...(found?.roles ?? [])],
        languages: [...(found?.languages ?? [])],
        currency: currencyIn(cell),
      };
    });
  }
}

/**
 * Returns a column's name in letters, digits and single spaces: what a person can copy into a setting, and nothing that
 * means something there.
 */
export function plainName(cell: string): string {
  return cell
    .normalize('NFC')
    .slice(0, MOST_NAME)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns a name as names are compared: without case and accents, `CheckNumber` as two words. */
function foldedName(cell: string): string {
  const split = cell.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return plainName(split.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .toLowerCase()
    .replace(/[łøæßđı]/g, (letter) => LETTERS[letter] ?? letter);
}

/** `Description 2`, `VWZ3`. */
function withoutNumber(folded: string): string {
  return folded.replace(/ ?\d{1,2}$/, '');
}

function currencyIn(cell: string): string | null {
  const sign = Object.keys(SIGNS).find((one) => cell.includes(one));
  if (sign !== undefined) return SIGNS[sign] ?? null;
  const last = /(?<![\p{L}\p{N}])([A-Z]{3})\)?\s*$/u.exec(cell)?.[1];
  return last === undefined || last === cell.trim() || !isCurrency(last) ? null : last;
}

function withoutCurrency(folded: string): string {
  const [, name = folded, code = ''] = /^(.+) ([a-z]{3})$/.exec(folded) ?? [];
  return isCurrency(code.toUpperCase()) ? name : folded;
}

/** Whether it is the code of a currency that is, or was, in use. */
export function isCurrency(text: string): boolean {
  const code = currencyOf(text);
  return code !== null && code === text.trim() && CURRENCIES.has(code);
}

function meanings(): ReadonlyMap<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const [language, role, name] of wordList()) {
    const meaning = found.get(name) ?? { roles: new Set(), languages: new Set() };
    meaning.roles.add(role);
    meaning.languages.add(language);
    found.set(name, meaning);
  }
  return found;
}

function* wordList(): Generator<readonly [Language, Role, string]> {
  for (const [language, roles] of entriesOf(HEADER_WORDS)) {
    for (const [role, names = ''] of entriesOf(roles)) {
      for (const name of names.split(',')) yield [language, role, foldedName(name)];
    }
  }
}

function entriesOf<Key extends string, Value>(record: Readonly<Partial<Record<Key, Value>>>): readonly [Key, Value][] {
  // The keys of a record that is written out are those of its type.
  return Object.entries(record) as [Key, Value][];
}

/** What stands between the units and the cents. */
export type DecimalSign = ',' | '.';

export const DECIMAL_SIGNS: readonly DecimalSign[] = [',', '.'];

/** A sum of money as a cell has it. */
export interface WrittenAmount {
  /** The sign before or behind it, or brackets around it; null where there is none. */
  readonly sign: '+' | '-' | null;
  /** Digits, and what stands between them. */
  readonly digits: string;
  /** `CR`, `D`, `S` and the like; null where there is none. */
  readonly mark: string | null;
  /** The currency beside it, where it is written as a code or as a sign that means one alone. */
  readonly currency: string | null;
}

const MOST_AMOUNT = 48;
const SIGNS_AMOUNTS: Readonly<Record<string, string>> = {
  ...{ '€': 'EUR', '£': 'GBP', '₹': 'INR', '₽': 'RUB', '₺': 'TRY', '₴': 'UAH', R$: 'BRL', US$: 'USD' },
  ...{ kr: '', Kr: '', Fr: '', fr: '', SFr: 'CHF', zł: 'PLN', Kč: 'CZK', Ft: 'HUF', $: '', '¥': '', lei: 'RON' },
  ...{ Rs: '', S$: 'SGD', A$: 'AUD', C$: 'CAD', лв: 'BGN', R: '' },
};
const MARKS = /^(?:CR|DR|C|D|S|H)$/i;

/** Returns a sum of money as it is written; null where the cell holds something else. */
export function writtenAmount(cell: string): WrittenAmount | null {
  const text = bare(cell);
  if (text.length > MOST_AMOUNT) return null;
  const inBrackets = /^\((.+)\)$/.exec(text);
  const { before, digits, behind } = aroundDigits(inBrackets?.[1] ?? text);
  if (!/^[\d.,' ]+$/.test(digits) || !/\d/.test(digits)) return null;
  // `12,-` is a round sum, not a debt.
  const isRound = /[.,]$/.test(digits) && /^-+$/.test(behind.trim());
  const beside = `${before} ${isRound ? '' : behind}`;
  const words = beside.replace(/[-+]/g, ' ').split(/\s+/).filter(Boolean);
  const signs = [...beside.matchAll(/[-+]/g)].map(([sign]) => sign);
  const marks = words.filter((word) => MARKS.test(word));
  const currencies = words.filter((word) => !MARKS.test(word)).map(currencyOfAmounts);
  if (signs.length > 1 || marks.length > 1 || currencies.length > 1 || currencies.includes(null)) return null;
  return {
    sign: inBrackets === null ? signOf(signs[0]) : '-',
    digits,
    mark: marks[0]?.toUpperCase() ?? null,
    currency: currencies[0] || null,
  };
}

/** From the first to the last digit or separator, and what stands around them. */
function aroundDigits(text: string): { readonly before: string; readonly digits: string; readonly behind: string } {
  const letters = [...text];
  const [first, last] = [letters.findIndex(isOfNumber), letters.findLastIndex(isOfNumber)];
  const part = (from: number, to?: number) => letters.slice(from, to).join('');
  return first === -1
    ? { before: text, digits: '', behind: '' }
    : { before: part(0, first), digits: part(first, last + 1), behind: part(last + 1) };
}

function isOfNumber(letter: string): boolean {
  return /[\d.,]/.test(letter);
}

/** Without the quotes of a spreadsheet, and with one form of minus, space and apostrophe. */
function bare(cell: string): string {
  return (
    cell
      .slice(0, 4 * MOST_AMOUNT)
      .replace(/^=?["']+|(?<!["'])["']+$/g, '')
      .replace(/[\u2010-\u2015\u2212\uFE63\uFF0D]/g, '-')
      .replace(/[\s\u00A0\u202F\u2009]+/g, ' ')
      .replace(/[\u2019\u00B4`]/g, "'")
      // The point of an abbreviation is no decimal sign.
      .replace(/(?<!\p{L})(s?fr|kr|rs)\.(?= ?\d|$)/iu, '$1')
      .trim()
  );
}

function signOf(sign: string | undefined): '+' | '-' | null {
  return sign === '+' || sign === '-' ? sign : null;
}

/** A currency's code; empty where several countries write it so, null where it is none. */
function currencyOfAmounts(word: string): string | null {
  return SIGNS_AMOUNTS[word] ?? (isCurrency(word) ? word : null);
}

/** Returns what the decimal sign can be by the digits of one sum; none where they are put together in no known way. */
export function decimalSignsOf({ digits }: WrittenAmount): readonly DecimalSign[] {
  return DECIMAL_SIGNS.filter((decimal) => plainDigits(digits, decimal) !== null);
}

/** Returns the digits with a point before the decimals and nothing between the others; null where they do not fit. */
export function plainDigits(digits: string, decimal: DecimalSign): string | null {
  const [whole = '', fraction, ...more] = digits.split(decimal);
  if (more.length > 0 || !/^\d*$/.test(fraction ?? '')) return null;
  const groups =
    decimal === ',' ? /^[1-9]\d{0,2}(?:([. '])\d{3}(?:\1\d{3})*)?$/ : /^[1-9]\d{0,2}(?:([, '])\d{2,3}(?:\1\d{2,3})*)?$/;
  const isPlain = /^\d*$/.test(whole);
  if (!isPlain && !(groups.test(whole) && /\d{3}$/.test(whole))) return null;
  return `${whole.replace(/\D+/g, '') || '0'}${fraction ? `.${fraction}` : ''}`;
}

/** In which order a date gives day, month and year. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export const DATE_ORDERS: readonly DateOrder[] = ['dmy', 'mdy', 'ymd'];

/** English, German, French, Spanish, Italian, Dutch, Polish, Swedish, Danish and Norwegian, Portuguese. */
const MONTHS: readonly (readonly string[])[] = [
  'january januar janvier enero gennaio januari stycznia styczen janeiro jaenner',
  'february februar fevrier febrero febbraio februari lutego luty fevereiro',
  'march maerz marz mrz mars marzo maart mrt marca marzec marts marco',
  'april avril abril aprile kwietnia kwiecien',
  'may mai mayo maggio mei maja maj maio',
  'june juni juin junio giugno czerwca czerwiec junho',
  'july juli juillet julio luglio lipca lipiec julho',
  'august aout agosto augustus sierpnia sierpien augusti',
  'september septembre septiembre settembre wrzesnia wrzesien setembro setiembre',
  'october oktober octobre octubre ottobre pazdziernika pazdziernik outubro',
  'november novembre noviembre listopada listopad novembro',
  'december dezember decembre diciembre dicembre grudnia grudzien dezembro desember',
].map((names) => names.split(' '));

const MOST_DATE = 60;
/** The first and the last year that a bank's file may be of. */
const YEARS = { first: 1970, last: 2100 };

interface Parts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

/** Returns a date as `YYYY-MM-DD` where it is one in this order; null where it is none. */
export function dateIn(cell: string, order: DateOrder): string | null {
  const parts = partsOf(cell, order);
  return parts === null ? null : realDay(parts);
}

/** Returns the orders in which a cell is a date: all of them where its form leaves no choice, none where it is no date. */
export function ordersOf(cell: string): readonly DateOrder[] {
  const possible = DATE_ORDERS.filter((order) => dateIn(cell, order) !== null);
  // Nobody writes the year first with two digits and points or slashes, if it can be a day.
  const isShort = /^\d{1,2}([./])\d{1,2}\1\d{2}(?!\d)/.test(bareDates(cell));
  return isShort && possible.length > 1 ? possible.filter((order) => order !== 'ymd') : possible;
}

/** Whether the parts stand between points, which is written with the day first. */
export function isPointed(cell: string): boolean {
  return /^\d{1,2}\.\s?\d{1,2}\.\s?\d{2}/.test(bareDates(cell));
}

/** Without quotes, a weekday before it, and a time behind it. */
function bareDates(cell: string): string {
  const text = cell
    .slice(0, MOST_DATE)
    .replace(/^=?["']+|(?<!["'])["']+$/g, '')
    .trim();
  return text
    .replace(/^\p{L}{2,12}[.,]{1,2} ?(?=\d)/u, '')
    .replace(/[T ,]{1,3}(?:um |at |kl )?\d{1,2}[:.]\d{2}.*$/s, '')
    .replace(/(?:\[|T\d{6}).*$/s, '')
    .replace(/\.$/, '')
    .trim();
}

function partsOf(cell: string, order: DateOrder): Parts | null {
  const text = bareDates(cell);
  return numericParts(text, order) ?? joinedParts(text, order) ?? namedParts(text);
}

function numericParts(text: string, order: DateOrder): Parts | null {
  const [, one = '', separator, two = '', three = ''] =
    /^(\d{1,4})([-/.:]|\. | )(\d{1,2})\2(\d{1,4})$/.exec(text) ?? [];
  if (separator === undefined) return null;
  if (one.length === 4) return three.length > 2 ? null : { year: one, month: two, day: three };
  if (one.length === 3 || three.length === 3) return null;
  if (order === 'ymd') return three.length === 4 ? null : { year: one, month: two, day: three };
  return order === 'dmy' ? { day: one, month: two, year: three } : { month: one, day: two, year: three };
}

/** `20350302`, with or without a time behind it, or `02032035`. */
function joinedParts(text: string, order: DateOrder): Parts | null {
  const digits = /^\d{8}(?=$|\d{6}$)/.exec(text)?.[0];
  if (digits === undefined) return null;
  const [first, second] = [digits.slice(0, 2), digits.slice(2, 4)];
  const year = Number(digits.slice(0, 4));
  // A year never begins like a month: `20012035` is the 20th of January.
  if (year >= YEARS.first && year <= YEARS.last && Number(digits.slice(4, 6)) <= 12) {
    return { year: digits.slice(0, 4), month: digits.slice(4, 6), day: digits.slice(6, 8) };
  }
  if (order === 'ymd') return null;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  return { day, month, year: digits.slice(4, 8) };
}

/** `2 March 2035`, `02-Mar-35`, `2. März 2035`, `2 de marzo de 2035`, `Mar 2, 2035`, `2035 Mar 2`. */
function namedParts(text: string): Parts | null {
  const tokens = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/\d{1,4}|\p{L}+/gu);
  const said = (tokens ?? []).filter((token) => token !== 'de' && token !== 'del');
  const at = said.findIndex((token) => monthOf(token) !== null);
  const month = monthOf(said[at] ?? '');
  if (said.length !== 3 || month === null) return null;
  const [one = '', two = ''] = said.filter((_, nth) => nth !== at);
  if (!/^\d+$/.test(one) || !/^\d+$/.test(two)) return null;
  return one.length === 4 ? { year: one, month, day: two } : { day: one, month, year: two };
}

/** The number of a month, by its name in one of the languages or the beginning of it. */
function monthOf(word: string): string | null {
  if (word.length < 3) return null;
  const whole = MONTHS.findIndex((names) => names.includes(word));
  const begun = MONTHS.flatMap((names, nth) => (names.some((name) => name.startsWith(word)) ? [nth] : []));
  const nth = whole !== -1 ? whole : begun.length === 1 ? begun[0] : undefined;
  return nth === undefined ? null : String(nth + 1);
}

function realDay({ year, month, day }: Parts): string | null {
  const full = fullYear(year);
  return full === null || day.length > 2 ? null : dayOf(full, Number(month), Number(day));
}

function fullYear(year: string): number | null {
  const number = Number(year);
  const full = year.length === 2 ? number + (number < YEARS.first % 100 ? 2000 : 1900) : number;
  return full >= YEARS.first && full <= YEARS.last ? full : null;
}

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
