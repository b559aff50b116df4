import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:und|am|per|worden)(?![\\p{L}\\p{N}])))';
/** Up to eight words between a helping verb and its participle. */
const MIDDLE = '(?: [^ ,;.!?]+(?:[.,]\\p{Nd}[\\p{Nd}.,]{0,15})?(?:\\.(?= ))?){0,8}?';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:\\p{L}*(?:zahlung|überweisung|beitrag|betrag|geld|gebühr|kaution|miete))';

/** A sum of money, as notifications write it. */
const AMOUNT = '(?:[€£$] ?\\p{Nd}[\\p{Nd}.,]{0,15}|\\p{Nd}[\\p{Nd}.,]{0,15} ?(?:€|euro?|chf)(?!\\p{L}))';
/** What takes place on a day. */
const OCCASION =
  '(?:zug|flug|termin|veranstaltung|kurs|sitzung|treffen|training|konzert|fahrt|unterricht|vorstellung|verbindung|probe|\\p{L}*abend|\\p{L}*stunde|ice)';
const DEAL = '(?:\\p{L}*konto|\\p{L}*vertrag|\\p{L}*abo|abonnement|mitgliedschaft)';
const PARCEL = '(?:paket|sendung|päckchen|lieferung|bestellung)';

/** German. */
export const DE: LanguageTable = {
  code: 'de',
  frames: [
    { id: 'wurde', pattern: `(?:wurde|wurden)${MIDDLE} W`, confidence: 0.95 },
    { id: 'ist', pattern: `(?:ist|sind)${MIDDLE} W`, confidence: 0.92 },
    { id: 'haben', pattern: `(?:haben|habe|hat)${MIDDLE} W`, confidence: 0.92 },
    { id: 'zuletzt', pattern: 'W (?:wurde|wurden|worden|ist|sind|haben|hat)', confidence: 0.9, bare: true },
    { id: 'allein', pattern: `W${END}`, confidence: 0.82, bare: true },
  ],
  topics: {
    payment: {
      verbs: 'zahlen bezahlen überweisen bezahlt zahlung beitrag',
      forms: [
        { words: 'vollständig bezahlt|bezahlt|beglichen|überwiesen', ceiling: 0.96 },
        { words: 'ausgeglichen', ceiling: 0.9 },
      ],
      phrases: [
        {
          id: 'abgebucht',
          pattern: `(?:betrag|\\p{L}*rechnung|rechnungsbetrag|beitrag|${AMOUNT})${MIDDLE} (?:abgebucht|eingezogen|belastet)`,
          confidence: 0.89,
        },
        {
          id: 'haben … gezahlt',
          pattern: `(?:sie haben|du hast) (?:eine zahlung (?:von|über|in höhe von) )?${AMOUNT}${MIDDLE} (?:gesendet|gezahlt|bezahlt|überwiesen)`,
          confidence: 0.89,
        },
        {
          id: 'danke für Ihre Zahlung',
          pattern:
            '(?:dank|danke|danken ihnen|danken) für (?:ihre|deine|die) (?:schnelle |pünktliche |fristgerechte )?(?:zahlung|überweisung)',
          confidence: 0.89,
        },
        {
          id: 'Zahlungsbestätigung',
          pattern: `zahlungs(?:eingangs)?bestätigung|zahlungseingang${MIDDLE} (?:verbucht|bestätigt|gebucht|erhalten)`,
          confidence: 0.84,
        },
        {
          id: 'Zahlung erfolgreich',
          pattern: `(?:zahlung|überweisung|lastschrift|dauerauftrag)${MIDDLE} (?:war erfolgreich|erfolgreich|ausgeführt|durchgeführt|verbucht|akzeptiert|gutgeschrieben)`,
          confidence: 0.92,
        },
        { id: 'Karte belastet', pattern: `(?:karte|konto)${MIDDLE} belastet`, confidence: 0.89 },
        {
          id: 'Zahlung eingegangen',
          pattern: `(?:zahlung|überweisung|betrag|rechnungsbetrag)${MIDDLE} (?:eingegangen|erhalten|gutgeschrieben)`,
          confidence: 0.96,
        },
        {
          id: 'Beitrag angekommen',
          pattern: `${MONEY}${MIDDLE} (?:eingegangen|erhalten|angekommen|gutgeschrieben)`,
          confidence: 0.93,
        },
      ],
      spoiltBy: 'zurück\\p{L}*|rückzahlung|erstattet|bezahlte[rn]? urlaub|erstattung\\p{L}*',
      doubtedBy: 'anzahlung auf',
      contradictedBy: 'unbezahlt|noch offen',
    },
    signature: {
      verbs: 'unterschreiben unterzeichnen unterschrift signieren',
      forms: [{ words: 'unterschrieben|unterzeichnet|gegengezeichnet', ceiling: 0.95 }],
      phrases: [
        {
          id: 'alle haben unterschrieben',
          pattern: `(?:alle|beide) (?:parteien |seiten |beteiligten )?haben${MIDDLE} (?:unterschrieben|unterzeichnet)`,
          confidence: 0.95,
        },
      ],
      spoiltBy:
        '(?:gegenseite|gegenpartei|vertragspartner\\p{L}*|verkäufer\\p{L}*|käufer\\p{L}*|vermieter\\p{L}*|mieter\\p{L}*|bauträger) (?:hat|haben|hatte)|(?:hat|haben) (?:die|der|ihre?|unsere?) (?:gegenseite|gegenpartei|vertragspartner\\p{L}*|verkäufer\\p{L}*|käufer\\p{L}*|vermieter\\p{L}*|mieter\\p{L}*|bauträger)|(?:eine?|einer|\\p{Nd}) von (?:zwei|drei|vier|\\p{Nd}|beiden) (?:unterschrift\\p{L}*|unterzeichner\\p{L}*|parteien)|eingeschrieben',
      doubtedBy: '(?:von|durch) (?:der|dem|den) (?:verkäufer|käufer|vermieter|mieter)\\p{L}*',
      contradictedBy: 'unterschrift fehlt',
    },
    delivery: {
      verbs: 'liefern lieferung erhalten abholen zurückschicken zurücksenden senden schicken',
      forms: [{ words: 'geliefert|zugestellt|ausgeliefert|angekommen|eingetroffen', ceiling: 0.95 }],
      phrases: [
        {
          id: 'Paket abgegeben',
          pattern: `${PARCEL}${MIDDLE} (?:abgegeben|hinterlegt|übergeben|abgeholt|zugestellt)`,
          confidence: 0.92,
        },
        {
          id: 'Rücksendung erhalten',
          pattern: `(?:rücksendung|retoure)${MIDDLE} (?:erhalten|eingegangen|angekommen)`,
          confidence: 0.9,
          onlyAsked: true,
        },
      ],
      spoiltBy: '\\p{L}*(?:zahlung|überweisung|beitrag|betrag|geld|kaution)|posteingang|postfach|nachrichten?',
      doubtedBy: '',
      contradictedBy: 'nicht angetroffen|unzustellbar|zustellung (?:ist )?fehlgeschlagen|verspätet sich',
    },
    completion: {
      verbs:
        'erledigen abschließen einreichen abgeben einreichung beantragen anmelden melden ummelden ausfüllen absenden',
      forms: [
        { words: 'erledigt|abgeschlossen|fertiggestellt|eingereicht|abgegeben|fertig', ceiling: 0.93 },
        { words: 'übermittelt', ceiling: 0.86 },
      ],
      phrases: [
        {
          id: 'Antrag eingegangen',
          pattern: `(?:\\p{L}*antrag|anmeldung|unterlagen|\\p{L}*erklärung|formular|bewerbung|\\p{L}*meldung)${MIDDLE} (?:eingegangen|erhalten)`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'war erfolgreich',
          pattern: '(?:registrierung|einreichung|übermittlung|anmeldung|ummeldung) war erfolgreich',
          confidence: 0.82,
        },
        {
          id: 'Änderung durchgeführt',
          pattern: `(?:\\p{L}*änderung|ummeldung|zählerst[aä]nde?|umzug)${MIDDLE} (?:durchgeführt|übernommen|erfasst|bearbeitet|gespeichert|eingetragen)`,
          confidence: 0.9,
        },
      ],
      spoiltBy: 'paket|sendung|päckchen|halb fertig|fast fertig|\\d+ ?% (?:erledigt|fertig)|kündigung',
      doubtedBy: '',
      contradictedBy: 'unvollständig',
    },
    approval: {
      verbs: 'genehmigen genehmigung bewilligen',
      forms: [{ words: 'genehmigt|bewilligt|freigegeben', ceiling: 0.93 }],
      phrases: [
        {
          id: 'Antrag stattgegeben',
          pattern: `antrag\\p{L}*${MIDDLE} (?:stattgegeben|positiv entschieden|angenommen)|positiv über${MIDDLE} antrag${MIDDLE} entschieden`,
          confidence: 0.92,
        },
        {
          id: 'Platz anbieten',
          pattern: `(?:ihnen|euch|dir|ihrem kind) einen (?:\\p{L}+ )?platz${MIDDLE} anbieten`,
          confidence: 0.84,
        },
        {
          id: 'ausgestellt',
          pattern: `(?:visum|\\p{L}*pass|\\p{L}*ausweis|\\p{L}*bescheinigung|führerschein)${MIDDLE} ausgestellt`,
          confidence: 0.92,
        },
        { id: 'übernehmen die Kosten', pattern: 'wir übernehmen die kosten', confidence: 0.84 },
      ],
      spoiltBy: 'vorab genehmigt|freigegeben für',
      doubtedBy: '',
      contradictedBy: 'abgelehnt',
    },
    booking: {
      verbs: 'bestellen buchen reservieren kaufen vereinbaren',
      forms: [
        { words: 'gebucht|reserviert|bestellt', ceiling: 0.92 },
        { words: 'versandt|verschickt|versendet', ceiling: 0.88, onlyAsked: true },
      ],
      phrases: [
        {
          id: 'Buchung bestätigt',
          pattern: `(?:buchung|reservierung|bestellung|\\p{L}*tickets?|aufenthalt)${MIDDLE} bestätigt`,
          confidence: 0.92,
        },
        {
          id: 'Termin bestätigt',
          pattern: `\\p{L}*termin${MIDDLE} bestätigt|terminbestätigung`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'Buchungsbestätigung',
          pattern: '(?:buchungs|reservierungs|bestell|auftrags)bestätigung',
          confidence: 0.84,
        },
        {
          id: 'danke für Ihre Bestellung',
          pattern: '(?:dank|danke|danken ihnen|danken) für (?:ihre|deine) (?:bestellung|buchung|reservierung)',
          confidence: 0.86,
          onlyAsked: true,
        },
        { id: 'unterwegs', pattern: `${PARCEL}${MIDDLE} (?:unterwegs|auf dem weg)`, confidence: 0.86, onlyAsked: true },
      ],
      spoiltBy: 'ausgebucht',
      doubtedBy: '',
      contradictedBy: 'nicht verfügbar|ausverkauft|(?:buchung|reservierung) (?:ist )?(?:fehlgeschlagen|storniert)',
    },
    renewal: {
      verbs: 'verlängern erneuern',
      forms: [{ words: 'verlängert|erneuert', ceiling: 0.9 }],
      phrases: [{ id: 'verlängert sich', pattern: `hat sich${MIDDLE} verlängert`, confidence: 0.88 }],
      spoiltBy: 'frist .{0,40}verlängert',
      doubtedBy: '',
      contradictedBy: 'abgelaufen|läuft aus',
    },
    cancellation: {
      verbs: 'kündigen kündigung stornieren absagen schließen auflösen beenden kündigen',
      forms: [
        { words: 'storniert|abgesagt|zurückgezogen|annulliert', ceiling: 0.95 },
        { words: 'gekündigt', ceiling: 0.9 },
      ],
      phrases: [
        {
          id: 'bestätigen die Kündigung',
          pattern:
            '(?:bestätigen|bestätige)(?: [^ ,;.!?]+){0,4}? (?:kündigung|stornierung|absage)|(?:kündigungs|stornierungs|storno)bestätigung',
          confidence: 0.89,
        },
        {
          id: 'Konto geschlossen',
          pattern: `${DEAL}${MIDDLE} (?:geschlossen|gelöscht|aufgelöst|beendet)`,
          confidence: 0.91,
        },
        { id: 'findet nicht statt', pattern: `finde[tn]${MIDDLE} nicht statt`, confidence: 0.92, negative: true },
        {
          id: 'fällt aus',
          pattern: `${OCCASION}(?: [^ ,;.!?]+){0,3}? (?:fällt(?: [^ ,;.!?]+){0,3}? aus|fallen(?: [^ ,;.!?]+){0,3}? aus|entfällt|(?:ist|sind)(?: [^ ,;.!?]+){0,3}? (?:entfallen|ausgefallen))`,
          confidence: 0.92,
        },
        {
          id: 'muss entfallen',
          pattern: `(?:muss|müssen|musste|mussten)${MIDDLE} (?:entfallen|ausfallen|abgesagt werden|absagen)`,
          confidence: 0.9,
          negative: true,
        },
        {
          id: 'Stornierung bestätigt',
          pattern: `stornierung${MIDDLE} (?:bestätigt|durchgeführt|erfolgt)`,
          confidence: 0.92,
        },
        {
          id: 'Kündigung erhalten',
          pattern: `kündigung${MIDDLE} (?:erhalten|bestätigt|vorgemerkt)`,
          confidence: 0.88,
        },
        {
          id: 'nicht mehr nötig',
          pattern: `(?:ist|sind|wird|werden)${MIDDLE} nicht (?:mehr|länger) (?:nötig|notwendig|erforderlich|benötigt|gebraucht)`,
          confidence: 0.92,
          negative: true,
        },
      ],
      spoiltBy: '(?:zahlung|lastschrift|überweisung|mahnung)[^.;]{0,60}(?:storniert|zurückgezogen)|kündigungsfrist',
      doubtedBy: 'buchung|reservierung',
      contradictedBy: 'verschoben|neuer termin|einen neuen|neuen? termin|ersatztermin|findet (?:doch )?statt',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'beendet|geschlossen|eingestellt|aufgelöst', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: 'geschlossen (?:am|von|bis|wegen)|geschlossene gesellschaft',
      doubtedBy: '',
      contradictedBy: 'wieder (?:eröffnet|offen)',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'aufgehoben|widerrufen', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: 'einwilligung',
      doubtedBy: '',
      contradictedBy: 'wieder in kraft',
    },
  },
  affairs: {
    ended: 'abgeschlossen|erledigt|fertiggestellt|storniert|abgesagt|zurückgezogen|annulliert|gekündigt',
    affair:
      'kauf|verkauf|\\p{L}*kauf|\\p{L}*verkauf|fall|sache|akte|vorgang|angelegenheit|\\p{L}*verfahren|projekt|\\p{L}*abo|abonnement|mitgliedschaft|mietverhältnis',
    contract: '\\p{L}*vertrag|\\p{L}*police',
    contractMade: 'abgeschlossen|geschlossen|erledigt|fertiggestellt',
    excepted: 'bis auf|außer|ausgenommen|abgesehen|nur|noch',
  },
  dates: [
    {
      id: 'verschoben auf',
      pattern: '(?:verschoben|verlegt|vertagt|umgebucht|vorgezogen)(?: worden)? (?:auf|bis)',
      confidence: 0.94,
    },
    {
      id: 'auf … verschoben',
      pattern:
        '(?:wurde|wird|wurden|ist)(?: [^ ,;.!?]+){0,5}? (?:auf|vom [^;!?]{1,30}? auf)(?= [^;!?]{4,45} (?:verschoben|verlegt|vertagt|vorgezogen|verlängert|umgebucht))',
      confidence: 0.94,
    },
    { id: 'verlängert bis', pattern: 'verlängert bis(?: zum)?', confidence: 0.92 },
    {
      id: 'neuer Termin',
      pattern: '(?:neue[rs]? (?:termin|datum|frist|abgabetermin|liefertermin|zustelltermin))(?: ist(?: der)?)?:?',
      confidence: 0.93,
    },
    {
      id: 'fällig am',
      pattern: '(?:fällig (?:am|bis|zum)|zahlbar bis(?: zum)?|(?:frist|abgabefrist|stichtag)(?: ist|:))',
      confidence: 0.9,
    },
  ],
  requests: [
    {
      id: 'bitte',
      pattern:
        'bitte (?:[^ ,;.!?]+ ){0,8}?(?:unterschreiben|unterzeichnen|senden|schicken|überweisen|bezahlen|zahlen|bestätigen|prüfen|zurücksenden|ausfüllen|einreichen|melden|mitteilen|übermitteln)|(?:unterschreiben|senden|schicken|überweisen|bestätigen|prüfen|zahlen) sie (?:uns |mir |mich )?bitte',
      confidence: 0.85,
    },
    {
      id: 'könnten Sie',
      pattern:
        '(?:könnten|können|würden) sie (?:[^ ,;.!?]+ ){0,8}?(?:unterschreiben|unterzeichnen|senden|schicken|überweisen|bezahlen|bestätigen|prüfen|zurücksenden|ausfüllen|einreichen|mitteilen)',
      confidence: 0.85,
    },
    {
      id: 'wir benötigen',
      pattern: '(?:wir|ich) (?:benötigen?|brauchen?) (?:noch |dringend )*(?:ihre?n?|eine|die|den|das)',
      confidence: 0.85,
    },
  ],
  cues: {
    questionOpeners:
      'ist|sind|wurde|wurden|wird|werden|hat|haben|können|könnten|könnte|kannst|wann|wer|warum|wie|wieso',
    inverted: '(?:ich|wir) (?:frage|fragen|wüsste|wüssten) (?:mich|uns|gern|gerne)|wissen sie|weißt du',
    neutral: '(?:keine|nichts) weitere[ns]?(?: schritte?)?|kein problem|keine sorge|ohne probleme',
    negation: 'nicht|nich|nie|niemals|kein\\p{L}{0,2}|ohne|weder|noch nicht|statt',
    condition: 'schritt \\p{Nd}|im falle|sonst|wenn|falls|sobald|sofern|ob|bevor|ehe|bis|nachdem|vorausgesetzt',
    conditionBehind: 'wenn|falls|sobald|sofern|vorbehaltlich',
    conditionForDates: 'im falle|wenn|falls|sofern|ob',
    ifs: 'falls|wenn',
    future:
      'wird|werden|werde|würden?|soll\\p{L}*|muss|müssen|müsste\\p{L}*|kann|können|könnte\\p{L}*|möchte\\p{L}*|bald|morgen|damit|zu',
    futureForDates: 'antrag|vorschlag|vorschlagen|könnte\\p{L}*|möchte\\p{L}*|würde\\p{L}*|sollte\\p{L}*|kann|können',
    futureBehind: 'werden|wird|würde|würden|sollte|sollten|sein (?:wird|muss|sollte)|muss|müssen|hätte|hätten',
    request: 'bitte(?! (?:beachten|nehmen))|sicherstellen',
    partial: 'bisher|bislang|abzüglich|ein teil|nur|teilweise|zur hälfte|fast|beinahe|bis auf|außer',
    stillOpen: 'unbezahlt|ausstehend|offen',
    hedge:
      'natürlich|na toll|von wegen|schreibt|gehört|wohl|vermutlich|wahrscheinlich|vielleicht|möglicherweise|ich glaube|ich denke|angeblich|anscheinend|scheint|hoffentlich|soweit ich weiß|laut|zufolge|meint|behauptet',
    past: 'vorige[nrs]?|letzten monat',
    goneWrong: 'gesperrt|zweimal|falsche?[nrsm]?|irrtümlich|versehentlich|beschädigt|doppelt',
    that: 'dass',
    announced: 'bestätig\\p{L}*|mitteil\\p{L}*|mitgeteilt|teil\\p{L}* (?:ihnen|dir) mit|freu\\p{L}*',
    somebodyElse:
      '(?:einem|einer|einen|eines) anderen \\p{L}+|jemand anders|jemand anderem|(?:\\p{N}[\\p{N}.]{0,12}|viele|einige|mehrere|die meisten|andere|alle anderen) (?:[^ ,;.!?]+ ){0,2}?(?:familien|eltern|mitglieder|kunden|kundinnen|teilnehmer|nachbarn|kollegen|mieter|haushalte|personen|gäste|leute|spieler|parteien) (?:haben|hatten|sind)|haben (?:bereits |schon )?(?:\\p{N}[\\p{N}.]{0,12}|viele|einige|mehrere|die meisten|andere|alle anderen) (?:[^ ,;.!?]+ ){0,2}?(?:familien|eltern|mitglieder|kunden|kundinnen|teilnehmer|nachbarn|kollegen|mieter|haushalte|personen|gäste|leute|spieler|parteien)',
    turns: 'aber|jedoch|allerdings',
    relative: 'welche[rs]?',
    clauseBreaks: 'aber|sondern',
    and: 'und',
    subjects: 'wir|ich|sie|es',
    takenBack:
      'irrtum|mein fehler|nein,? halt|nur ein test|testmail|(?:diese|meine) (?:mail|nachricht) (?:bitte )?ignorieren',
    longAgo: 'vor \\p{L}+ jahren|im vorjahr|letzte[ns]? jahr|damals|seinerzeit|vorbesitzer\\p{L}*|in 19\\d\\d',
    moneyBack:
      'zurückgezahlt|zurückerstattet|zurücküberwiesen|erstattet|\\p{L}*erstattung|rückzahlung|gutgeschrieben bekommen',
    replaced:
      'umgebucht|verschoben|verlegt|nachgeholt|neu angesetzt|stattdessen|ersetzt|ersatz(?:termin|zug|flug)|neue[nr]? (?:termin|flug|zug|buchung)',
    notDue: '\\p{L}*ablauf\\p{L}*|gültig\\p{L}*|läuft ab|geboren',
    machine: 'servers?|\\p{L}*datensicherung|überwachung|rechenzentrum|auslastung',
  },
  spoken: {
    yes: 'ja',
    opening: 'fertig|erledigt',
    deeds: {
      payment: { verbs: 'bezahlen zahlen überweisen', words: 'bezahlt|gezahlt|überwiesen|beglichen' },
      sending: {
        verbs: 'senden schicken abschicken zusenden zuschicken einreichen abgeben hochladen weiterleiten',
        words:
          '(?:ab|zu|hin|zurück|ein|weg)?geschickt|(?:ab|ein|zu)?gesendet|gesandt|eingereicht|abgegeben|hochgeladen|weitergeleitet|übergeben',
      },
      signature: { verbs: 'unterschreiben unterzeichnen', words: 'unterschrieben|unterzeichnet|gegengezeichnet' },
      booking: { verbs: 'buchen bestellen reservieren kaufen', words: 'gebucht|bestellt|reserviert|gekauft' },
      call: { verbs: 'anrufen fragen', words: 'angerufen|gesprochen|kontaktiert' },
    },
    frame: "(?:hab|habe|haben|hab's|habs)(?: [^ ,;.!?]+){0,8}? (?:~)",
    frameOpensClause: false,
    allDone: '(?:ist |alles )?(?:erledigt|gemacht|fertig)',
    requests: [
      {
        id: 'kannst du',
        pattern:
          '(?:kannst|könntest|würdest|magst) du (?:[^ ,;.!?]+ ){0,8}?(?:\\p{L}*schicken|\\p{L}*senden|bezahlen|zahlen|überweisen|unterschreiben|anrufen|fragen|prüfen|buchen|bestellen|kaufen|mitbringen|besorgen|abholen|abgeben|einreichen|ausfüllen|melden|kümmern)',
        confidence: 0.8,
      },
      {
        id: 'denk daran',
        pattern: '(?:denk|denkt) (?:bitte )?(?:dran|daran)|vergiss (?:bitte )?nicht',
        confidence: 0.7,
      },
    ],
  },
  names: {
    small: `der die das den dem des ein eine einen einem einer eines und oder für mit von vom zum zur im in auf an bei nach seit
      zu aus über wegen es sie er wir uns unser unsere unseren unserem unserer ihr ihre ihren ihrem ihrer ihres ihnen mein meine
      dein deine dies diese dieser dieses diesen alles hiermit damit somit nun jetzt bereits schon heute gestern endlich
      vollständig erfolgreich offiziell soeben eben ist sind war waren wurde wurden worden wird hat haben hatte habe sein gerne
      freuen mitteilen mitzuteilen teilen bestätigen bestätigt dass danke vielen dank sehr geehrte geehrter frau herr guten tag
      liebe lieber hallo nummer wirkung datum beide beiden allen parteien ab sofort ganz gesamte gesamten erhalten eingegangen
      angekommen gutgeschrieben verschoben verlegt januar februar märz april mai juni juli august september oktober november
      dezember montag dienstag mittwoch donnerstag freitag samstag sonntag`,
    generic: `abgebucht eingezogen belastet gesendet gezahlt ausgeführt bestätigt versandt verschickt unterwegs hinterlegt übergeben abgeholt ausgestellt verbucht ausgeglichen übernommen
      paket sendung päckchen bestellung rechnung zahlung termin buchung reservierung vertrag unterlagen dokument formular antrag
      konto abonnement abo mitgliedschaft lieferung betrag saldo kunde kundin kundennummer rechnungsnummer code preis gebühr
      summe überweisung lastschrift karte bank beleg anfrage service team monat jahr beitrag uhr nachbar nachbarn`,
    stop: 'aw wg der die das den dem des ein eine und oder für mit von vom zum zur im am',
    articles: 'der die das',
    salutation: 'guten tag|hallo|lieber?|sehr geehrter?',
    several: 'und|sowie|oder',
    abbreviations: 'nr|art|z\\.b|d\\.h|u\\.a|bzw|ca|str',
  },
  quoting: {
    originalMessage: 'ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht',
    beginForwarded: 'anfang der weitergeleiteten nachricht',
    attributionOpens: 'am',
    wrote: 'schrieb\\b.{0,120}',
    from: 'von',
    headers: 'gesendet|datum|an|betreff',
    sentFrom: 'von meinem \\S.{0,40} gesendet',
    replyMarks: 'aw|antw|wg',
  },
};
