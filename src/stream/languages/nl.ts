import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:en|op|per|door)(?![\\p{L}\\p{N}])))';
/** Up to eight words between a helping verb and its participle. */
const MIDDLE = '(?: [^ ,;.!?]+(?:\\.(?= ))?){0,8}?';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:betaling|overboeking|bedrag|contributie|aanbetaling|premie|borg)';

/** Dutch. */
export const NL: LanguageTable = {
  code: 'nl',
  frames: [
    { id: 'is', pattern: `(?:is|zijn|werd|werden)${MIDDLE} W`, confidence: 0.93 },
    { id: 'hebben', pattern: `(?:hebben|heb|heeft)${MIDDLE} W`, confidence: 0.92 },
    { id: 'alleen', pattern: `W${END}`, confidence: 0.82, bare: true },
  ],
  topics: {
    payment: {
      verbs: 'betalen betaling voldoen overmaken',
      forms: [{ words: 'betaald|voldaan|overgemaakt', ceiling: 0.93 }],
      phrases: [
        {
          id: 'betaling ontvangen',
          pattern: `${MONEY}${MIDDLE} (?:ontvangen|binnen|bijgeschreven)`,
          confidence: 0.93,
        },
      ],
      spoiltBy: 'terug\\p{L}*',
      doubtedBy: '',
      contradictedBy: '',
    },
    signature: {
      verbs: 'ondertekenen tekenen',
      forms: [{ words: 'ondertekend|getekend', ceiling: 0.93 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: 'door de (?:ver)?koper',
      contradictedBy: '',
    },
    delivery: {
      verbs: 'bezorgen leveren ontvangen',
      forms: [{ words: 'bezorgd|geleverd|afgeleverd|ontvangen|aangekomen', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: 'betaling',
      doubtedBy: '',
      contradictedBy: '',
    },
    completion: {
      verbs: 'indienen afronden',
      forms: [{ words: 'afgerond|voltooid|ingediend|afgehandeld|klaar', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    approval: {
      verbs: 'goedkeuren',
      forms: [{ words: 'goedgekeurd|toegekend', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    booking: {
      verbs: 'boeken reserveren',
      forms: [{ words: 'geboekt|gereserveerd|besteld', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    renewal: {
      verbs: 'verlengen',
      forms: [{ words: 'verlengd|vernieuwd', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    cancellation: {
      verbs: 'opzeggen annuleren',
      forms: [{ words: 'geannuleerd|afgezegd|afgelast|opgezegd', ceiling: 0.93 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: 'reservering',
      contradictedBy: 'nieuwe (?:afspraak|datum)',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'gesloten|afgesloten|beëindigd|ontbonden', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'ingetrokken|herroepen', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
  },
  affairs: {
    ended: 'afgerond|voltooid|afgehandeld|geannuleerd|afgezegd|afgelast|opgezegd',
    affair: 'aankoop|verkoop|zaak|kwestie|project|lidmaatschap|procedure',
    contract: 'contract|overeenkomst|polis',
    contractMade: 'gesloten|afgesloten|afgerond|voltooid',
    excepted: 'behalve|uitgezonderd|alleen',
  },
  dates: [
    {
      id: 'verplaatst naar',
      pattern: '(?:verplaatst|verzet|verschoven|uitgesteld|vervroegd) (?:van [^;!?]{1,30}? )?(?:naar|tot)',
      confidence: 0.93,
    },
    {
      id: 'nieuwe datum',
      pattern: '(?:nieuwe (?:datum|afspraak|termijn)|uiterste datum|vervaldatum)(?: is|:)?',
      confidence: 0.9,
    },
  ],
  requests: [
    {
      id: 'gelieve',
      pattern:
        '(?:gelieve|wilt u|kunt u|zou u) (?:[^ ,;.!?]+ ){0,8}?(?:ondertekenen|tekenen|betalen|overmaken|sturen|opsturen|bevestigen|controleren|invullen|indienen|doorgeven)',
      confidence: 0.85,
    },
  ],
  cues: {
    questionOpeners: 'is|zijn|heeft|hebben|kunt|wanneer|waarom|hoe',
    inverted: '',
    neutral: '',
    negation: 'niet|geen|nooit|niemand|zonder|noch',
    condition: 'in het geval|als|zodra|indien|mits|tenzij|wanneer|totdat|voordat|nadat',
    conditionBehind: 'zodra|indien|mits|tenzij|onder voorbehoud',
    conditionForDates: 'in het geval|indien|mits|tenzij|als',
    ifs: '',
    future: 'zal|zullen|zou\\p{L}*|moet\\p{L}*|kan|kunnen|kunt|wordt|wil|willen|gaat|gaan|binnenkort',
    futureForDates: 'zou\\p{L}*|kunnen|voorstel\\p{L}*',
    futureBehind: '',
    request: 'gelieve|graag|verzoek\\p{L}*',
    partial: 'tot nu toe|un deel|gedeeltelijk|deels|de helft|bijna|slechts|behalve',
    stillOpen: 'onbetaald|openstaand|nog open',
    hedge: 'schrijft|gehoord|volgens|waarschijnlijk|misschien|lijkt|schijnt|hopelijk|zegt',
    past: 'vorig jaar',
    goneWrong: 'geblokkeerd|tweemaal|verkeerde?|per ongeluk|beschadigd',
    that: 'dat',
    announced: 'laten weten|meld\\p{L}*|bevestig\\p{L}*',
    somebodyElse: 'een andere (?:klant|familie|huurder|persoon|koper)|iemand anders',
    turns: 'maar|echter',
    relative: 'dat',
    clauseBreaks: '',
    and: 'en',
    subjects: 'wij|we|u',
    takenBack: 'vergissing|dit is een test',
  },
  spoken: {
    yes: 'ja',
    opening: 'hoi|gedaan|geregeld',
    deeds: {
      payment: { verbs: 'betalen', words: 'betaald|overgemaakt' },
      sending: {
        verbs: 'sturen versturen opsturen indienen',
        words: '(?:op|ver|door|in)?gestuurd|verstuurd|opgestuurd|ingediend|ingeleverd|verzonden',
      },
      signature: { verbs: 'tekenen ondertekenen', words: 'getekend|ondertekend' },
      booking: { verbs: '', words: 'geboekt|besteld|gereserveerd|gekocht' },
      call: { verbs: 'bellen', words: 'gebeld|gesproken' },
    },
    frame: '(?:heb|hebben)(?: [^ ,;.!?]+){0,8}? (?:~)',
    frameOpensClause: false,
    allDone: 'gedaan|geregeld',
    requests: [
      {
        id: 'kun je',
        pattern:
          '(?:kun|kan|wil|zou) (?:je|jij) (?:[^ ,;.!?]+ ){0,8}?(?:sturen|betalen|tekenen|bellen|boeken|kopen|meenemen|regelen)',
        confidence: 0.8,
      },
    ],
  },
  names: {
    small: `het een of voor met van te op aan bij door naar om dit dat deze die ze zij hij wij ons onze uw je jouw mijn zijn werd
      werden wordt heeft hebben heb had geworden nu reeds inmiddels vandaag gisteren eindelijk volledig officieel hierbij
      daarmee bevestigen bevestigd melden laten weten delen mee graag bedankt beste geachte ingang beide partijen ontvangen
      binnen verplaatst verzet januari februari maart april mei juni juli augustus september oktober november december maandag
      dinsdag woensdag donderdag vrijdag zaterdag zondag`,
    stop: '',
    articles: '',
    salutation: 'beste|geachte',
    several: 'en',
    abbreviations: '',
  },
  quoting: {
    originalMessage: 'oorspronkelijk bericht|doorgestuurd bericht',
    beginForwarded: 'begin doorgestuurd bericht',
    attributionOpens: 'op',
    wrote: 'schreef\\b.{0,120}',
    from: 'van',
    headers: 'verzonden|aan|onderwerp',
    sentFrom: 'verstuurd vanaf mijn \\S.{0,40}',
    replyMarks: 'antw',
  },
};
