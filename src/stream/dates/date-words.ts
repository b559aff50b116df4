import type { Language } from '../language/language.ts';

/** What the words of one language say of days. Each field is a part of a regular expression; a blank is any run of blanks. */
export interface DateWords {
  /** January first. Whole names are known in a text of any language, so none of them means anything else in another. */
  readonly months: readonly string[];
  /** As months, but read only in a text of this language. */
  readonly shortMonths: readonly string[];
  /** Monday first. */
  readonly weekdays: readonly string[];
  /** Read only in a text of this language, and only before a date: "Do, 3.12." */
  readonly shortWeekdays: readonly string[];
  /** Which of the short names mean a day also where no date follows. */
  readonly loneWeekdays?: string;
  /** What may stand before a day: "on the", "den", "le". */
  readonly before: string;
  /** "Next Friday": people differ, unless the week is over until then. */
  readonly next: string;
  /** The same, behind the weekday: "vendredi prochain". */
  readonly nextBehind?: string;
  /** "This Friday": in this week. */
  readonly this: string;
  /** "This coming Friday": the next one that comes. */
  readonly coming: string;
  readonly today: string;
  readonly tomorrow: string;
  readonly dayAfterTomorrow: string;
  /** What joins two days, or the two ends of a span: neither is meant alone. */
  readonly joins: string;
  /** What stands before a time of day. */
  readonly at: string;
  /** What stands behind the hour. */
  readonly hour: string;
  /** A day that nobody can name from it: "next week", "end of", "KW 49". */
  readonly vague: string;
  /** Before a day that is only near the one that is meant, or bounds it: "around", "before", "week of". */
  readonly roughly: string;
}

/** What each language says of days. */
export const DATE_WORDS: Readonly<Record<Language, DateWords>> = {
  en: {
    months: 'january february march april may june july august september october november december'.split(' '),
    shortMonths: ['jan', 'feb', 'mar', 'apr', '', 'jun', 'jul', 'aug', 'sept|sep', 'oct', 'nov', 'dec'],
    weekdays: 'monday tuesday wednesday thursday friday saturday sunday'.split(' '),
    shortWeekdays: ['mon', 'tues|tue', 'weds|wed', 'thurs|thur|thu', 'fri', 'sat', 'sun'],
    loneWeekdays: 'mon|tues|tue|weds|wed|thurs|thur|thu|fri',
    before: 'on|the|by',
    next: 'next',
    this: 'this',
    coming: '(?:this |the )?(?:coming|upcoming)',
    today: 'today',
    tomorrow: 'tomorrow(?! week)',
    dayAfterTomorrow: 'the day after tomorrow',
    joins: 'or|and|to|through|until|till|thru',
    at: 'at|from|@',
    hour: "o'clock|h|hrs|hours",
    vague:
      'next (?:week|month|year|spring|summer|autumn|winter|term)|(?:beginning of|end of|middle of|early|mid|late|in)[ -](?:next |the )?(?:week|month|year|january|february|march|april|may|june|july|august|september|october|november|december)|in (?:a|an|one|two|three|four|\\d{1,2}) (?:days?|weeks?|fortnights?|months?)|(?:days?|weeks?|months?) (?:later|time)|later (?:date|this)|a later date|further notice|a new date',
    roughly:
      'around|about|approximately|approx\\.?|roughly|circa|ca\\.?|before|after|week (?:of|commencing|beginning|starting)|w/c|between|either|no earlier than|earliest|mid|early|late|some time after',
  },
  de: {
    months: 'januar|jänner februar|feber märz april mai juni juli august september oktober november dezember'.split(
      ' ',
    ),
    shortMonths: ['jan|jän', 'feb', 'mär|mrz', 'apr', '', 'jun', 'jul', 'aug', 'sept|sep', 'okt', 'nov', 'dez'],
    weekdays: 'montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag'.split(' '),
    shortWeekdays: ['mo', 'di', 'mi', 'do', 'fr', 'sa', 'so'],
    before: 'am|den|dem|der|zum|auf',
    next: 'nächste[nrms]?|naechste[nrms]?',
    this: 'diese[nrms]?',
    coming: '(?:den |am )?kommende[nrms]?',
    today: 'heute',
    tomorrow: '(?<!guten )(?<!jeden )morgen',
    dayAfterTomorrow: 'übermorgen',
    joins: 'oder|und|bis(?: zum)?|sowie|bzw\\.?',
    at: 'um|ab',
    hour: 'uhr|h',
    vague:
      'kw ?\\d{1,2}|kalenderwoche|(?:anfang|mitte|ende) (?:der |des |nächster |nächsten |kommender |kommenden )?(?:woche|monats?|jahre?s?|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|(?:nächste|kommende|übernächste)[rnsm]? (?:woche|monat|jahr)|in (?:einer|einem|zwei|drei|vier|\\d{1,2}) (?:tagen?|wochen?|monaten?)|(?:einen )?späteren (?:zeitpunkt|termin)|unbestimmte zeit',
    roughly: 'gegen|etwa|ungefähr|circa|ca\\.?|um den|vor|nach|ab|frühestens|woche (?:vom|ab)|zwischen|entweder',
  },
  fr: {
    months:
      'janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre'.split(
        ' ',
      ),
    shortMonths: ['janv|jan', 'févr|fév|fevr|fev', '', 'avr', '', '', 'juil', '', 'sept', 'oct', 'nov', 'déc|dec'],
    weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche'.split(' '),
    shortWeekdays: ['lun', 'mar', 'mer', 'jeu', 'ven', 'sam', 'dim'],
    before: 'le|au|du|pour le|ce',
    next: 'le prochain',
    nextBehind: 'prochain',
    this: 'ce',
    coming: 'ce(?= )',
    today: "aujourd'hui",
    tomorrow: 'demain',
    dayAfterTomorrow: 'après-demain|apres-demain',
    joins: "ou|et|au|à|jusqu'au",
    at: 'à partir de|à|a|dès|vers',
    hour: 'heures?|h',
    vague:
      "(?:début|mi|fin|courant)[ -](?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|mois|semaine|d'année)|(?:la )?semaine (?:prochaine|suivante|du|\\d{1,2})|(?:le )?mois prochain|dans (?:une|deux|trois|quatre|\\d{1,2}) (?:jours?|semaines?|mois)|une date ultérieure|plus tard",
    roughly: 'vers|environ|autour|aux alentours|avant|après|à partir|semaine du|entre|soit|courant|mi|fin|début',
  },
  es: {
    months: 'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre'.split(
      ' ',
    ),
    shortMonths: ['ene', 'feb', 'mar', 'abr', '', 'jun', 'jul', 'ago', 'sept|sep', 'oct', 'nov', 'dic'],
    weekdays: 'lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo'.split(' '),
    shortWeekdays: ['lun', 'mar', 'mié|mie', 'jue', 'vie', 'sáb|sab', 'dom'],
    before: 'el día|el|al|del|para el|día|este',
    next: '(?:el )?próximo|(?:el )?proximo',
    nextBehind: 'próximo|proximo|que viene',
    this: 'este',
    coming: '(?:este |el )?(?:que viene)(?= )',
    today: 'hoy',
    tomorrow: '(?<!(?:la|esta|por la|de la) )mañana',
    dayAfterTomorrow: 'pasado mañana',
    joins: 'o|y|u|al|hasta(?: el)?',
    at: 'a partir de las|a las|a la|desde las',
    hour: 'horas?|hrs?|h',
    vague:
      '(?:principios|mediados|finales|fines) de (?:mes|año|semana|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|(?:la )?(?:próxima semana|semana (?:próxima|que viene|siguiente|del))|(?:el )?(?:próximo mes|mes que viene)|(?:en|dentro de) (?:una|un|dos|tres|cuatro|\\d{1,2}) (?:días?|semanas?|mes(?:es)?)|más adelante|nueva fecha por',
    roughly: 'hacia|sobre|alrededor|antes|después|a partir|semana del|entre|aproximadamente',
  },
  it: {
    months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(' '),
    shortMonths: ['gen', 'feb|febbr', 'mar', 'apr', 'mag', 'giu', 'lug', 'ago', 'sett|set', 'ott', 'nov', 'dic'],
    weekdays: 'lunedì|lunedi martedì|martedi mercoledì|mercoledi giovedì|giovedi venerdì|venerdi sabato domenica'.split(
      ' ',
    ),
    shortWeekdays: ['lun', 'mar', 'mer', 'gio', 'ven', 'sab', 'dom'],
    before: "il giorno|il|l'|al|dal|del|per il|giorno",
    next: '(?:il )?prossimo',
    nextBehind: 'prossimo|prossima',
    this: 'questo|questa',
    coming: '(?:questo |il )?(?:venturo)(?= )',
    today: 'oggi',
    tomorrow: 'domani',
    dayAfterTomorrow: 'dopodomani',
    joins: "o|oppure|e|ed|al|all'|fino al",
    at: 'alle ore|alle|dalle ore|dalle|ore|h',
    hour: 'h|ore',
    vague:
      '(?:inizio|metà|fine|primi di|fine di) (?:di )?(?:mese|anno|settimana|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)|(?:la )?(?:prossima settimana|settimana (?:prossima|ventura|del))|(?:il )?(?:prossimo mese|mese prossimo)|tra (?:una|un|due|tre|quattro|\\d{1,2}) (?:giorn[oi]|settiman[ae]|mes[ei])|data da destinarsi|più avanti',
    roughly: 'verso|circa|intorno|attorno|prima|dopo|a partire|settimana del|tra|fra|indicativamente',
  },
  nl: {
    months: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
    shortMonths: ['jan', 'feb|febr', 'mrt', 'apr', '', 'jun', 'jul', 'aug', 'sept|sep', 'okt', 'nov', 'dec'],
    weekdays: 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag'.split(' '),
    shortWeekdays: ['ma', 'di', 'wo', 'do', 'vr', 'za', 'zo'],
    before: 'op|de|naar|per',
    next: 'volgende',
    this: 'deze|dit',
    coming: '(?:aanstaande|aankomende|komende)',
    today: 'vandaag',
    tomorrow: '(?<!goede )(?<!elke )morgen',
    dayAfterTomorrow: 'overmorgen',
    joins: 'of|en|tot(?: en met)?|t/m|t\\.?e\\.?m\\.?',
    at: 'om|vanaf',
    hour: 'uur|u|h',
    vague:
      '(?:begin|half|medio|midden|eind(?:e)?) (?:van de |van het |volgende )?(?:week|maand|jaar|januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)|volgende (?:week|maand)(?! \\p{L}{3,5}dag)|week \\d{1,2}|over (?:een|twee|drie|vier|\\d{1,2}) (?:dag|dagen|week|weken|maand|maanden)|een later (?:moment|tijdstip)|nader te bepalen',
    roughly: 'rond|omstreeks|ongeveer|circa|ca\\.?|voor|vóór|na|vanaf|week van|tussen|begin|half|eind',
  },
};
