/**
 * How people say in a chat that they have done something, and ask each other for it: without a helping verb, and as friends.
 * Data only, as in the phrase table beside it.
 */

/** A deed, as whoever did it says so. */
interface SpokenDeed {
  readonly id: string;
  /** The words that tasks use for it. */
  readonly verbs: readonly string[];
  readonly en: string;
  readonly de: string;
  readonly fr: string;
  readonly es: string;
  readonly nl: string;
  readonly it: string;
}

/** The verb of each language is a participle, as in "paid the deposit", "hab die Kaution bezahlt". */
export const SPOKEN_DEEDS: readonly SpokenDeed[] = [
  {
    id: 'payment',
    verbs: [
      'pay',
      'transfer',
      'settle',
      'bezahlen',
      'zahlen',
      'überweisen',
      'payer',
      'régler',
      'pagar',
      'betalen',
      'pagare',
    ],
    en: 'paid|transferred|settled|wired',
    de: 'bezahlt|gezahlt|überwiesen|beglichen',
    fr: 'payé|réglé|viré',
    es: 'pagado|transferido',
    nl: 'betaald|overgemaakt',
    it: 'pagato|saldato|versato',
  },
  {
    id: 'sending',
    verbs: [
      ...['send', 'submit', 'mail', 'email', 'forward', 'post', 'return', 'upload', 'file', 'hand', 'give', 'bring'],
      ...[
        'senden',
        'schicken',
        'abschicken',
        'zusenden',
        'zuschicken',
        'einreichen',
        'abgeben',
        'hochladen',
        'weiterleiten',
      ],
      ...[
        'envoyer',
        'renvoyer',
        'remettre',
        'déposer',
        'enviar',
        'mandar',
        'entregar',
        'sturen',
        'versturen',
        'opsturen',
      ],
      ...['indienen', 'inviare', 'mandare', 'spedire', 'consegnare'],
    ],
    en: 'sent(?: off| over| out| back| in)?|submitted|e?mailed|forwarded|posted|returned|uploaded|filed|handed (?:in|over)|dropped off|gave|brought',
    de: '(?:ab|zu|hin|zurück|ein|weg)?geschickt|(?:ab|ein|zu)?gesendet|gesandt|eingereicht|abgegeben|hochgeladen|weitergeleitet|übergeben',
    fr: '(?:r?envoyé|transmis|remis|déposé|posté)e?s?',
    es: '(?:enviad|mandad|entregad|remitid)[oa]s?',
    nl: '(?:op|ver|door|in)?gestuurd|verstuurd|opgestuurd|ingediend|ingeleverd|verzonden',
    it: '(?:inviat|mandat|spedit|consegnat)[oaie]',
  },
  {
    id: 'signature',
    verbs: [
      'sign',
      'countersign',
      'unterschreiben',
      'unterzeichnen',
      'signer',
      'firmar',
      'tekenen',
      'ondertekenen',
      'firmare',
    ],
    en: 'signed|countersigned',
    de: 'unterschrieben|unterzeichnet|gegengezeichnet',
    fr: 'signée?s?',
    es: 'firmad[oa]s?',
    nl: 'getekend|ondertekend',
    it: 'firmat[oaie]',
  },
  {
    id: 'booking',
    verbs: [
      'book',
      'order',
      'reserve',
      'buy',
      'buchen',
      'bestellen',
      'reservieren',
      'kaufen',
      'réserver',
      'commander',
      'reservar',
    ],
    en: 'booked|ordered|reserved|bought',
    de: 'gebucht|bestellt|reserviert|gekauft',
    fr: '(?:réservé|commandé|acheté)e?s?',
    es: '(?:reservad|pedid|comprad)[oa]s?',
    nl: 'geboekt|besteld|gereserveerd|gekocht',
    it: '(?:prenotat|ordinat|comprat)[oaie]',
  },
  {
    id: 'call',
    verbs: ['call', 'phone', 'ring', 'ask', 'contact', 'anrufen', 'fragen', 'appeler', 'llamar', 'bellen', 'chiamare'],
    en: 'called|phoned|rang|spoke (?:to|with)|talked to|contacted',
    de: 'angerufen|gesprochen|kontaktiert',
    fr: '(?:appelé|contacté)e?s?',
    es: '(?:llamado|contactado)(?: a)?',
    nl: 'gebeld|gesproken',
    it: '(?:chiamat|contattat)[oaie]',
  },
];

/** What stands before the deed: nothing but a greeting, "done", and who did it. */
const OPENING =
  '(?:^|[.!,:;–—-]) {0,3}(?:(?:ok|okay|yes|yep|hi|hey|so|done|all done|fyi|update|ja|so|fertig|erledigt|oui|sí|si|sì)[,!.:]{0,3} {1,3}){0,4}';
const EN_THING =
  '(?= (?:the|your|our|my|his|her|their|this|that|these|those|it|them|all|both|everything|a|an|off|over|you|to|in|with|\\p{Lu}))';
const EN_I = "(?:(?:i|we)(?:'ve| have| had)? )?(?:just |already |now |finally |also ){0,4}";

/** Returns the pattern of a deed in each language, `~` for the words of its verb. */
export const DEED_FRAMES: Readonly<Record<'en' | 'de' | 'fr' | 'es' | 'nl' | 'it', string>> = {
  en: `${OPENING}${EN_I}(?:~)${EN_THING}`,
  de: "(?:hab|habe|haben|hab's|habs)(?: [^ ,;.!?]+){0,8}? (?:~)",
  fr: "(?:j'ai|on a|nous avons) (?:déjà |bien |enfin )?(?:~)",
  es: '(?:he|hemos|ya) (?:ya )?(?:~)',
  nl: '(?:heb|hebben)(?: [^ ,;.!?]+){0,8}? (?:~)',
  it: '(?:ho|abbiamo) (?:già |appena )?(?:~)',
};

/** "Done." What was done stands beside it, or in what is answered. */
export const ALL_DONE =
  "^ *(?:(?:ok|okay|yes|yep|ja|oui|sí|si|sì)[,!.]* +)?(?:(?:it(?:'s| is) |that(?:'s| is) |all )?(?:done|sorted|taken care of)|(?:ist |alles )?(?:erledigt|gemacht|fertig)|c'est fait|hecho|listo|gedaan|geregeld|fatto)(?= *(?:$|[,.:;!–—✅👍-]| (?:and|und|et|y|en|e) ))";

/** How people ask each other, beside what the phrase table knows. */
export const SPOKEN_REQUESTS: readonly {
  readonly id: string;
  readonly pattern: string;
  readonly confidence: number;
}[] = [
  {
    id: 'can you (spoken)',
    pattern:
      '(?:could|can|would|will) (?:you|u) (?:please |pls |maybe |quickly |also |just )*(?:pick up|drop off|look at|look into|take care of|get|give|bring|buy|order|pay|send|sign|call|ask|book|check|remind|tell|fix|move|cancel|print|scan|share|transfer|handle|organi[sz]e)',
    confidence: 0.8,
  },
  { id: 'pls', pattern: '(?:pls|plz) (?:\\p{L}+)', confidence: 0.7 },
  {
    id: "don't forget",
    pattern: "(?:(?:please )?(?:don't|do not|dont) forget to|remember to) \\p{L}+",
    confidence: 0.75,
  },
  { id: 'I need you to', pattern: '(?:i|we) (?:still )?need (?:you to|the|your) \\p{L}+', confidence: 0.7 },
  {
    id: 'kannst du',
    pattern:
      '(?:kannst|könntest|würdest|magst) du (?:[^ ,;.!?]+ ){0,8}?(?:\\p{L}*schicken|\\p{L}*senden|bezahlen|zahlen|überweisen|unterschreiben|anrufen|fragen|prüfen|buchen|bestellen|kaufen|mitbringen|besorgen|abholen|abgeben|einreichen|ausfüllen|melden|kümmern)',
    confidence: 0.8,
  },
  { id: 'denk daran', pattern: '(?:denk|denkt) (?:bitte )?(?:dran|daran)|vergiss (?:bitte )?nicht', confidence: 0.7 },
  {
    id: 'peux-tu',
    pattern:
      "(?:peux-tu|tu peux|pourrais-tu|tu pourrais) (?:me |nous |m'|s'il te plaît |stp )*(?:envoyer|payer|signer|appeler|réserver|acheter|apporter|vérifier|demander)",
    confidence: 0.8,
  },
  {
    id: 'puedes',
    pattern:
      '(?:puedes|podrías|me puedes) (?:enviar|mandar|pagar|firmar|llamar|reservar|comprar|traer|revisar)(?:me|nos|lo|la)?',
    confidence: 0.8,
  },
  {
    id: 'kun je',
    pattern:
      '(?:kun|kan|wil|zou) (?:je|jij) (?:[^ ,;.!?]+ ){0,8}?(?:sturen|betalen|tekenen|bellen|boeken|kopen|meenemen|regelen)',
    confidence: 0.8,
  },
  {
    id: 'puoi',
    pattern:
      '(?:puoi|potresti|mi puoi) (?:inviar|mandar|pagar|firmar|chiamar|prenotar|comprar|portar)(?:e|mi|ci|lo|la)',
    confidence: 0.8,
  },
];
