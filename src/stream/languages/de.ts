import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:und|am|per|worden)(?![\\p{L}\\p{N}])))';
/** Up to eight words between a helping verb and its participle. */
const MIDDLE = '(?: [^ ,;.!?]+(?:\\.(?= ))?){0,8}?';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:\\p{L}*(?:zahlung|überweisung|beitrag|betrag|geld|gebühr|kaution|miete))';

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
      forms: [{ words: 'vollständig bezahlt|bezahlt|beglichen|überwiesen', ceiling: 0.96 }],
      phrases: [
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
      spoiltBy: 'zurück\\p{L}*|rückzahlung|erstattet|bezahlte[rn]? urlaub',
      doubtedBy: '',
      contradictedBy: 'unbezahlt|noch offen',
    },
    signature: {
      verbs: 'unterschreiben unterzeichnen unterschrift',
      forms: [{ words: 'unterschrieben|unterzeichnet|gegengezeichnet', ceiling: 0.95 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '(?:von|durch) (?:der|dem|den) (?:verkäufer|käufer|vermieter|mieter)\\p{L}*',
      contradictedBy: 'unterschrift fehlt',
    },
    delivery: {
      verbs: 'liefern lieferung',
      forms: [{ words: 'geliefert|zugestellt|ausgeliefert|angekommen|eingetroffen', ceiling: 0.95 }],
      phrases: [],
      spoiltBy: '\\p{L}*(?:zahlung|überweisung|beitrag|betrag|geld|kaution)|posteingang|postfach|nachrichten?',
      doubtedBy: '',
      contradictedBy: '',
    },
    completion: {
      verbs: 'erledigen abschließen einreichen abgeben einreichung',
      forms: [{ words: 'erledigt|abgeschlossen|fertiggestellt|eingereicht|abgegeben|fertig', ceiling: 0.93 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: 'unvollständig',
    },
    approval: {
      verbs: 'genehmigen genehmigung',
      forms: [{ words: 'genehmigt|bewilligt|freigegeben', ceiling: 0.93 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: 'abgelehnt',
    },
    booking: {
      verbs: 'bestellen buchen reservieren',
      forms: [{ words: 'gebucht|reserviert|bestellt', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: 'ausgebucht',
      doubtedBy: '',
      contradictedBy: '',
    },
    renewal: {
      verbs: 'verlängern',
      forms: [{ words: 'verlängert|erneuert', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: 'frist .{0,40}verlängert',
      doubtedBy: '',
      contradictedBy: '',
    },
    cancellation: {
      verbs: 'kündigen kündigung stornieren absagen',
      forms: [
        { words: 'storniert|abgesagt|zurückgezogen|annulliert', ceiling: 0.95 },
        { words: 'gekündigt', ceiling: 0.9 },
      ],
      phrases: [
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
      spoiltBy: '',
      doubtedBy: 'buchung|reservierung',
      contradictedBy: 'verschoben|neuer termin|einen neuen|neuen? termin|ersatztermin|findet (?:doch )?statt',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'beendet|geschlossen|eingestellt|aufgelöst', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'aufgehoben|widerrufen', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
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
        '(?:wurde|wird|wurden|ist)(?: [^ ,;.!?]+){0,5}? (?:auf|vom [^;!?]{1,30}? auf)(?= [^;!?]{4,45} (?:verschoben|verlegt|vertagt|vorgezogen|verlängert))',
      confidence: 0.94,
    },
    { id: 'verlängert bis', pattern: 'verlängert bis(?: zum)?', confidence: 0.92 },
    {
      id: 'neuer Termin',
      pattern: '(?:neue[rs]? (?:termin|datum|frist|abgabetermin))(?: ist)?:?',
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
    inverted: '',
    neutral: '(?:keine|nichts) weitere[ns]?(?: schritte?)?|kein problem|keine sorge|ohne probleme',
    negation: 'nicht|nich|nie|niemals|kein\\p{L}{0,2}|ohne|weder|noch nicht|statt',
    condition: 'im falle|sonst|wenn|falls|sobald|sofern|ob|bevor|ehe|bis|nachdem|vorausgesetzt',
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
    past: 'letzte[ns]? jahr|im vorjahr|vorige[nrs]?',
    goneWrong: 'gesperrt|zweimal|falsche?[nrsm]?|irrtümlich|versehentlich|beschädigt|doppelt',
    that: 'dass',
    announced: 'bestätig\\p{L}*|mitteil\\p{L}*|mitgeteilt|teil\\p{L}* (?:ihnen|dir) mit|freu\\p{L}*',
    somebodyElse: '(?:einem|einer|einen|eines) anderen \\p{L}+|jemand anders|jemand anderem',
    turns: 'aber|jedoch|allerdings',
    relative: '',
    clauseBreaks: 'aber|sondern',
    and: 'und',
    subjects: 'wir|ich|sie|es',
    takenBack: 'irrtum|mein fehler|nein,? halt|nur ein test|testmail',
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
