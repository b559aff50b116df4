import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:il|par|por|oggi|ieri)(?![\\p{L}\\p{N}])))';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:pagamento|bonifico|versamento|importo|acconto|quota|caparra)';

/** Italian. */
export const IT: LanguageTable = {
  code: 'it',
  frames: [
    {
      id: 'è stato',
      pattern:
        '(?:è|sono|era|erano) (?:già |ormai |appena )?stat[oaie] (?:già |regolarmente |correttamente |appena )?W',
      confidence: 0.94,
    },
    {
      id: 'è',
      pattern: '(?:è|sono|risulta|risultano) (?:già |ormai |ora |regolarmente )?W',
      confidence: 0.9,
    },
    {
      id: 'abbiamo',
      pattern: "(?:abbiamo|ho|ha|hanno) (?:già |appena |regolarmente )?W (?:il|lo|la|i|gli|le|l'\\p{L}+|un|una|tutto)",
      confidence: 0.9,
    },
    { id: 'da solo', pattern: `W${END}`, confidence: 0.82, bare: true },
  ],
  topics: {
    payment: {
      verbs: 'pagare saldare versare',
      forms: [{ words: 'pagat[oaie]|saldat[oaie]|versat[oaie]', ceiling: 0.93 }],
      phrases: [
        {
          id: 'pagamento ricevuto',
          pattern: `(?:abbiamo|ho) ricevuto (?:il (?:suo|tuo|vostro) |la (?:sua|tua) |il |la )${MONEY}|${MONEY} (?:è )?(?:stato |stata )?ricevut[oa]`,
          confidence: 0.93,
        },
      ],
      spoiltBy: 'rimbors\\p{L}*',
      doubtedBy: '',
      contradictedBy: '',
    },
    signature: {
      verbs: 'firmare',
      forms: [{ words: 'firmat[oaie]|sottoscritt[oaie]', ceiling: 0.93 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    delivery: {
      verbs: 'consegnare ricevere',
      forms: [{ words: 'consegnat[oaie]|arrivat[oaie]|ricevut[oi]|recapitat[oaie]', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: 'pagamento|bonifico',
      doubtedBy: '',
      contradictedBy: '',
    },
    completion: {
      verbs: 'inviare presentare completare',
      forms: [{ words: 'completat[oaie]|terminat[oaie]|conclus[oaie]|inviat[oaie]|presentat[oaie]', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    approval: {
      verbs: 'approvare',
      forms: [{ words: 'approvat[oaie]|autorizzat[oaie]|concess[oaie]', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    booking: {
      verbs: 'ordinare prenotare',
      forms: [{ words: 'prenotat[oaie]|ordinat[oaie]', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    renewal: {
      verbs: 'rinnovare',
      forms: [{ words: 'rinnovat[oaie]', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    cancellation: {
      verbs: 'disdire annullare',
      forms: [{ words: 'annullat[oaie]|disdett[oi]', ceiling: 0.93 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: 'prenotazione',
      contradictedBy: 'nuovo appuntamento|altra data',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'chius[oaie]|cessat[oaie]|archiviat[oaie]|risolt[oaie]', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'ritirat[oaie]|revocat[oaie]', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
  },
  affairs: {
    ended: 'completat[oaie]|terminat[oaie]|conclus[oaie]|annullat[oaie]|disdett[oi]',
    affair: 'acquisto|vendita|compravendita|pratica|fascicolo|progetto|procedura|abbonamento|causa',
    contract: 'contratto|polizza',
    contractMade: 'chius[oaie]|conclus[oaie]|completat[oaie]',
    excepted: 'tranne|eccetto|ancora|fase',
  },
  dates: [
    {
      id: 'spostato al',
      pattern:
        '(?:spostat[oaie]|rinviat[oaie]|posticipat[oaie]|anticipat[oaie]|prorogat[oaie]) (?:dal [^;!?]{1,30}? )?(?:al|a|fino al)',
      confidence: 0.93,
    },
    { id: 'nuova data', pattern: '(?:nuova (?:data|scadenza)|scadenza)(?: è|:)?', confidence: 0.9 },
  ],
  requests: [
    {
      id: 'si prega di',
      pattern:
        '(?:si prega di|la preghiamo di|le chiediamo di|può|potrebbe) (?:[^ ,;.!?]+ ){0,2}?(?:firmare|pagare|saldare|inviare|inviarci|mandarci|confermare|compilare|restituire|verificare)',
      confidence: 0.85,
    },
  ],
  cues: {
    questionOpeners: 'avete|hai|perché|chi',
    inverted: '',
    neutral: '',
    negation: 'non|mai|nessun\\p{L}?|senza|neanche|nemmeno|manca',
    condition:
      "in caso|se (?:il|la|i|gli|l'\\p{L}+|non|è|tutt\\p{L})|quando|appena|non appena|una volta|prima|finché|qualora|dopo|purché",
    conditionBehind: 'quando|appena|purché|salvo',
    conditionForDates: 'in caso|se (?:il|la|non|è)|purché',
    ifs: '',
    future:
      'sarà|saranno|verrà|verranno|viene|vengono|deve|devono|dovrà|dovranno|può|possono|potrà|potranno|sia|siano|sarebb\\p{L}*|domani|essere',
    futureForDates: 'potremmo|potrebb\\p{L}*|vorre\\p{L}*|possiamo',
    futureBehind: '',
    request: 'si prega|per favore|la preghiamo|cortesemente',
    partial: 'finora|una parte|parzial\\p{L}*|metà|quasi|soltanto|tranne|eccetto|solo',
    stillOpen: 'in sospeso|insolut[oaie]',
    hedge: 'figurati|scrive|sentito|forse|probabilmente|sembra|secondo|spero|dice|dicono',
    past: "l'anno scorso",
    goneWrong: 'bloccat[oaie]|due volte|per errore|sbagliat[oaie]|danneggiat[oaie]',
    that: 'che',
    announced: '',
    somebodyElse: "un(?: altr[oa] |'altra )(?:cliente|famiglia|persona|paziente)|qualcun altro",
    turns: 'però|tuttavia',
    relative: 'che',
    clauseBreaks: '',
    and: 'e',
    subjects: 'noi|lei',
    takenBack: 'mi sono sbagliat[oa]|errore mio',
  },
  spoken: {
    yes: 'sì|si',
    opening: 'ciao|fatto',
    deeds: {
      payment: { verbs: 'pagare', words: 'pagato|saldato|versato' },
      sending: {
        verbs: 'inviare mandare spedire consegnare',
        words: '(?:inviat|mandat|spedit|consegnat)[oaie]',
      },
      signature: { verbs: 'firmare', words: 'firmat[oaie]' },
      booking: { verbs: '', words: '(?:prenotat|ordinat|comprat)[oaie]' },
      call: { verbs: 'chiamare', words: '(?:chiamat|contattat)[oaie]' },
    },
    frame: '(?:ho|abbiamo) (?:già |appena )?(?:~)',
    frameOpensClause: false,
    allDone: 'fatto',
    requests: [
      {
        id: 'puoi',
        pattern:
          '(?:puoi|potresti|mi puoi) (?:inviar|mandar|pagar|firmar|chiamar|prenotar|comprar|portar)(?:e|mi|ci|lo|la)',
        confidence: 0.8,
      },
    ],
  },
  names: {
    small: `lo gli uno di dello della dei degli delle per alla ai agli alle nel nella su da dal dalla era erano stato stata stati
      state risulta hanno ho abbiamo già ormai ora oggi ieri finalmente definitivamente ufficialmente completamente che vi ti ci
      si suo sua vostro vostra nostro nostra mio mia grazie gentile egregio signor signora confermiamo confermare informiamo
      comunichiamo tutto tutta tutti tutte numero rif effetto decorrere parti entrambe ricevuto ricevuta spostato spostata
      gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre lunedì martedì mercoledì
      giovedì venerdì sabato domenica`,
    stop: '',
    articles: '',
    salutation: 'gentile|car[oa]|ciao|buongiorno',
    several: 'e|ed|o',
    abbreviations: '',
  },
  quoting: {
    originalMessage: 'messaggio (?:originale|inoltrato)',
    beginForwarded: 'inizio messaggio inoltrato',
    attributionOpens: 'il',
    wrote: 'ha scritto',
    from: 'da',
    headers: 'inviato|data|a|oggetto',
    sentFrom: 'inviato da(?:l mio)? \\S.{0,40}',
    replyMarks: 'rif',
  },
};
