import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:il|da|oggi|ieri)(?![\\p{L}\\p{N}])))';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:pagamento|bonifico|versamento|importo|acconto|quota|caparra)';

/** A sum of money, as notifications write it. */
const AMOUNT = '(?:[€£$] ?\\p{Nd}[\\p{Nd}.,]{0,15}|\\p{Nd}[\\p{Nd}.,]{0,15} ?(?:€|euro|eur)(?!\\p{L}))';
/** A few words of the subject between its noun and its verb. */
const FEW = '(?: [^ ,;.!?]+(?:[.,]\\p{Nd}+)*){0,5}?';
const WAS = '(?:è|sono|risulta) (?:già |ora )?(?:stat[oaie] )?(?:già |regolarmente |correttamente |automaticamente )?';
const DEAL = '(?:conto|account|abbonamento|contratto|polizza|utenza|iscrizione)';
const OCCASION = '(?:treno|volo|riunione|concerto|lezione|corso|evento|spettacolo|corsa|visita|incontro)';

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
      verbs: 'pagare saldare versare pagamento',
      forms: [{ words: 'pagat[oaie]|saldat[oaie]|versat[oaie]', ceiling: 0.93 }],
      phrases: [
        {
          id: 'abbiamo addebitato',
          pattern: `(?:abbiamo|ha|è stato) addebitato(?: [^ ;!?]+){0,3}? ${AMOUNT}|(?:bolletta|fattura|rata|quota|importo|addebito|${AMOUNT})${FEW} ${WAS}(?:addebitat[oaie]|eseguit[oa]|incassat[oa])`,
          confidence: 0.89,
        },
        { id: 'hai pagato', pattern: `(?:hai|ha) (?:pagato|inviato) (?:un pagamento di )?${AMOUNT}`, confidence: 0.89 },
        {
          id: 'grazie per il pagamento',
          pattern: 'grazie per (?:il (?:suo |tuo )?|la (?:sua |tua )?)(?:pagamento|versamento|bonifico)',
          confidence: 0.89,
        },
        {
          id: 'conferma di pagamento',
          pattern: "(?:conferma|ricevuta) (?:di|del|dell') ?(?:pagamento|avvenuto pagamento|bonifico)",
          confidence: 0.84,
        },
        {
          id: 'pagamento effettuato',
          pattern: `(?:pagamento|bonifico|versamento)${FEW} (?:${WAS}(?:effettuato|eseguito|registrato|accettato|confermato|accreditato|elaborato)|(?:è )?andato a buon fine)`,
          confidence: 0.92,
        },
        { id: 'posizione regolare', pattern: `posizione${FEW} risulta (?:regolare|in regola)`, confidence: 0.84 },
        {
          id: 'pagamento ricevuto',
          pattern: `(?:abbiamo|ho) ricevuto (?:il (?:suo|tuo|vostro) |la (?:sua|tua) |il |la )${MONEY}|${MONEY} (?:è )?(?:stato |stata )?ricevut[oa]`,
          confidence: 0.93,
        },
      ],
      spoiltBy: 'rimbors\\p{L}*|restituit[oaie]|riaccreditat[oaie]|storn\\p{L}*',
      doubtedBy: 'in acconto',
      contradictedBy: 'non pagat[oaie]|insolut[oaie]|pagamento (?:è stato )?(?:rifiutato|respinto|fallito)|da saldare',
    },
    signature: {
      verbs: 'firmare firma sottoscrivere',
      forms: [{ words: 'firmat[oaie]|sottoscritt[oaie]', ceiling: 0.93 }],
      phrases: [
        {
          id: 'tutti hanno firmato',
          pattern: `(?:tutti|tutte le parti|entrambe le parti)${FEW} hanno firmato`,
          confidence: 0.95,
        },
      ],
      spoiltBy:
        "(?:controparte|altra parte|venditor[ei]|venditrice|acquirent[ei]|comprator[ei]|locator[ei]|inquilin[oi]|proprietari[oa]) (?:ha|hanno|aveva)|(?:ha|hanno) firmato (?:già )?(?:il |la |l'|i )?(?:controparte|altra parte|venditor[ei]|venditrice|acquirent[ei]|comprator[ei]|locator[ei]|inquilin[oi]|proprietari[oa])|(?:ha firmato )?un[oa] (?:dei|delle|su) (?:due|tre|quattro|\\p{Nd}) (?:firmatari|firme|parti)|un[oa] dei firmatari",
      doubtedBy: '(?:dal|dalla|dai) (?:venditor|acquirent|locator)\\p{L}*',
      contradictedBy: 'non firmat[oaie]|manca la firma|da firmare',
    },
    delivery: {
      verbs: 'consegnare ricevere ritirare consegna restituire spedire',
      forms: [{ words: 'consegnat[oaie]|arrivat[oaie]|ricevut[oi]|recapitat[oaie]', ceiling: 0.92 }],
      phrases: [
        {
          id: 'pacco ritirato',
          pattern: `(?:pacco|ordine|spedizione|collo)${FEW} ${WAS}(?:ritirat[oa]|depositat[oa]|consegnat[oa])`,
          confidence: 0.92,
        },
        {
          id: 'abbiamo consegnato',
          pattern: 'abbiamo consegnato (?:il (?:suo|tuo) |la (?:sua|tua) )?(?:ordine|pacco|spedizione)',
          confidence: 0.93,
        },
        {
          id: 'reso ricevuto',
          pattern: 'ricevuto (?:il (?:suo|tuo) )?(?:reso|pacco)',
          confidence: 0.88,
          onlyAsked: true,
        },
      ],
      spoiltBy: 'pagamento|bonifico',
      doubtedBy: '',
      contradictedBy: 'non è stato possibile consegnare|assente|mancata consegna|in ritardo',
    },
    completion: {
      verbs: 'inviare presentare completare richiedere iscriversi compilare trasmettere',
      forms: [{ words: 'completat[oaie]|terminat[oaie]|conclus[oaie]|inviat[oaie]|presentat[oaie]', ceiling: 0.91 }],
      phrases: [
        {
          id: 'abbiamo ricevuto la domanda',
          pattern:
            '(?:abbiamo|ho) ricevuto (?:la (?:sua|tua) |il (?:suo|tuo) |la |il )?(?:domanda|richiesta|dichiarazione|documentazione|iscrizione|modulo|candidatura)',
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'richiesta registrata',
          pattern: `(?:richiesta|dichiarazione|domanda|iscrizione|cambio di residenza|lettura|autolettura|pratica|variazione|voltura)${FEW} ${WAS}(?:registrat[oa]|trasmess[oa]|acquisit[oa]|completat[oa]|elaborat[oa]|evas[oa])`,
          confidence: 0.9,
        },
        {
          id: 'a buon fine',
          pattern: `(?:iscrizione|registrazione|trasmissione)${FEW} è andata a buon fine`,
          confidence: 0.88,
        },
      ],
      spoiltBy: 'quasi (?:completat|terminat)[oa]|\\d+ ?% completat[oa]|disdetta|rimborso|fattura (?:è stata )?inviata',
      doubtedBy: '',
      contradictedBy: 'incomplet[oa]|da completare',
    },
    approval: {
      verbs: 'approvare accettare ottenere',
      forms: [{ words: 'approvat[oaie]|autorizzat[oaie]|concess[oaie]', ceiling: 0.91 }],
      phrases: [
        {
          id: 'domanda accolta',
          pattern: `(?:domanda|richiesta|istanza|candidatura)${FEW} ${WAS}(?:accolt[oa]|accettat[oa])`,
          confidence: 0.92,
        },
        { id: 'offrirle un posto', pattern: 'liet[ei] di (?:offrir|assegnar)(?:le|ti) un posto', confidence: 0.84 },
        {
          id: 'visto rilasciato',
          pattern: `(?:visto|passaporto|permesso|certificato|patente)${FEW} ${WAS}(?:rilasciat[oa]|emess[oa])`,
          confidence: 0.92,
        },
      ],
      spoiltBy: 'preapprovat[oa]|preautorizzat[oa]',
      doubtedBy: '',
      contradictedBy: 'respint[oa]|rifiutat[oa]|negat[oa]',
    },
    booking: {
      verbs: 'ordinare prenotare comprare acquistare fissare',
      forms: [
        { words: 'prenotat[oaie]|ordinat[oaie]', ceiling: 0.91 },
        { words: 'spedit[oaie]', ceiling: 0.88, onlyAsked: true },
      ],
      phrases: [
        {
          id: 'prenotazione confermata',
          pattern: `(?:prenotazione|ordine|soggiorno|bigliett[oi]|tavolo|acquisto)${FEW} ${WAS}confermat[oaie]`,
          confidence: 0.92,
        },
        {
          id: 'appuntamento confermato',
          pattern: `(?:appuntamento|visita|consulenza)${FEW} ${WAS}confermat[oa]`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'conferma di prenotazione',
          pattern: "conferma (?:di|della|dell'|d') ?(?:prenotazione|ordine|acquisto)",
          confidence: 0.84,
        },
        {
          id: 'abbiamo confermato',
          pattern: 'abbiamo confermato (?:la (?:sua|tua) |il (?:suo|tuo) )(?:prenotazione|ordine|soggiorno)',
          confidence: 0.92,
        },
        {
          id: 'grazie per il suo ordine',
          pattern: "grazie per (?:il (?:suo|tuo) |la (?:sua|tua) |l')(?:ordine|acquisto|prenotazione)",
          confidence: 0.86,
          onlyAsked: true,
        },
        {
          id: 'in viaggio',
          pattern: `(?:pacco|ordine|spedizione)${FEW} è (?:in viaggio|in consegna|in arrivo|per strada)`,
          confidence: 0.86,
          onlyAsked: true,
        },
        { id: 'biglietto allegato', pattern: 'in allegato(?: [^ ,;.!?]+){0,3}? bigliett[oi]', confidence: 0.86 },
      ],
      spoiltBy: 'tutto prenotato|riservat[oa] a',
      doubtedBy: '',
      contradictedBy: 'prenotazione (?:è stata )?(?:annullata|rifiutata)|esaurit[oaie]|non disponibile',
    },
    renewal: {
      verbs: 'rinnovare rinnovo prorogare',
      forms: [{ words: 'rinnovat[oaie]', ceiling: 0.9 }],
      phrases: [
        {
          id: 'prorogato',
          pattern: `(?:contratto|abbonamento|polizza|iscrizione)${FEW} ${WAS}(?:prorogat[oa]|rinnovat[oa]|estes[oa])`,
          confidence: 0.92,
        },
      ],
      spoiltBy: 'rinnovat[oa] (?:interesse|fiducia|impegno)',
      doubtedBy: '',
      contradictedBy: 'è scadut[oa]|scadut[oa] il',
    },
    cancellation: {
      verbs: 'disdire annullare disdetta chiudere cancellare recedere',
      forms: [
        { words: 'annullat[oaie]|disdett[oi]', ceiling: 0.93 },
        { words: 'cancellat[oaie]', ceiling: 0.88 },
      ],
      phrases: [
        {
          id: 'confermiamo la disdetta',
          pattern: `(?:confermiamo|confermo) (?:la |l')(?:sua |tua |avvenuta )?(?:disdetta|cancellazione|annullamento|recesso|risoluzione)|conferma (?:di|della) (?:disdetta|cancellazione|recesso)|conferma (?:di |dell')annullamento|disdetta${FEW} ${WAS}(?:registrata|elaborata|confermata|accettata)`,
          confidence: 0.89,
        },
        {
          id: 'abbiamo chiuso il conto',
          pattern: `abbiamo (?:chiuso|disattivato|cancellato|annullato) (?:il (?:suo|tuo) |la (?:sua|tua) |l')${DEAL}|${DEAL}${FEW} ${WAS}(?:chius[oa]|disattivat[oa]|cessat[oa]|cancellat[oa])`,
          confidence: 0.92,
        },
        {
          id: 'non si terrà',
          pattern: 'non (?:si terrà|si terranno|avrà luogo|avranno luogo|si svolgerà)',
          confidence: 0.92,
          negative: true,
        },
        { id: 'soppresso', pattern: `${OCCASION}${FEW} ${WAS}(?:soppress[oa]|cancellat[oa])`, confidence: 0.92 },
      ],
      spoiltBy: '(?:pagamento|addebito|bonifico|promemoria)[^.;]{0,60}(?:annullat[oa]|cancellat[oa])|debito cancellato',
      doubtedBy: 'prenotazione',
      contradictedBy:
        'nuovo appuntamento|altra data|rinviat[oa]|confermat[oa] lo stesso|si terrà (?:comunque|regolarmente)',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'chius[oaie]|cessat[oaie]|archiviat[oaie]|risolt[oaie]', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: 'chius[oa] (?:per|fino|il|dal)',
      doubtedBy: '',
      contradictedBy: 'riapert[oa]',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'ritirat[oaie]|revocat[oaie]', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: 'ritirat[oa] (?:in|presso|al)',
      doubtedBy: '',
      contradictedBy: 'ripristinat[oa]',
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
        '(?:spostat[oaie]|rinviat[oaie]|riprogrammat[oaie]|posticipat[oaie]|anticipat[oaie]|prorogat[oaie]) (?:dal [^;!?]{1,30}? )?(?:al|a|fino al)',
      confidence: 0.93,
    },
    {
      id: 'nuova data',
      pattern: '(?:nuova (?:data|scadenza)|scadenza)(?: (?:di|della) (?:consegna|visita|riunione))?(?: è(?: il)?|:)?',
      confidence: 0.9,
    },
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
    inverted: 'mi chiedo se|sapete se|sa se|sai se',
    neutral:
      'non esiti|non esitate|nessun problema|senza problemi|non risponda|non rispondere|nessuna ulteriore azione',
    negation: 'non|mai|nessun\\p{L}?|senza|neanche|nemmeno|manca',
    condition:
      "(?:passo|fase) \\p{Nd}|in caso|se (?:il|la|i|gli|l'\\p{L}+|non|è|tutt\\p{L})|quando|appena|non appena|una volta|prima|finché|qualora|dopo|purché",
    conditionBehind: 'quando|appena|purché|salvo',
    conditionForDates: 'in caso|se (?:il|la|non|è)|purché',
    ifs: 'se',
    future:
      'sarà|saranno|verrà|verranno|viene|vengono|deve|devono|dovrà|dovranno|può|possono|potrà|potranno|sia|siano|sarebb\\p{L}*|domani|essere',
    futureForDates: 'potremmo|potrebb\\p{L}*|vorre\\p{L}*|possiamo',
    futureBehind: 'a breve|prossimamente',
    request: 'si prega|per favore|la preghiamo|cortesemente',
    partial: 'finora|una parte|parzial\\p{L}*|metà|quasi|soltanto|tranne|eccetto|solo',
    stillOpen: 'in sospeso|insolut[oaie]',
    hedge: 'figurati|scrive|sentito|forse|probabilmente|sembra|secondo|spero|dice|dicono',
    past: 'il mese scorso|precedente',
    goneWrong: 'bloccat[oaie]|due volte|per errore|sbagliat[oaie]|danneggiat[oaie]',
    that: 'che',
    announced: 'conferm\\p{L}*|inform\\p{L}*|comunic\\p{L}*|liet[oaie]',
    somebodyElse:
      "un(?: altr[oa] |'altra )(?:cliente|famiglia|persona|paziente)|qualcun altro|(?:\\p{N}[\\p{N}.]{0,12}|molt[ie]|divers[ie]|alcun[ie]|la maggior parte (?:dei|delle|degli)|altr[ie]) (?:[^ ,;.!?]+ ){0,2}?(?:famiglie|genitori|soci|membri|clienti|partecipanti|vicini|colleghi|inquilini|persone|alunni|giocatori|condomini) (?:hanno|avevano|sono)|hanno (?:già )?(?:pagato|firmato|prenotato) (?:già )?(?:\\p{N}[\\p{N}.]{0,12}|molt[ie]|divers[ie]|alcun[ie]|la maggior parte (?:dei|delle|degli)|altr[ie]) (?:famiglie|genitori|soci|membri|clienti|partecipanti|vicini|colleghi|inquilini|persone|alunni|giocatori|condomini)",
    turns: 'però|tuttavia',
    relative: 'che',
    clauseBreaks: 'però|bensì',
    and: 'e',
    subjects: 'noi|lei',
    takenBack: 'mi sono sbagliat[oa]|errore mio',
    longAgo:
      "l'anno scorso|\\p{L}+ anni fa|a suo tempo|(?:precedente|vecchi[oa]) (?:proprietari[oa]|inquilin[oa])|nel 19\\d\\d",
    moneyBack: 'rimbors\\p{L}*|restituit[oaie]|riaccredit\\p{L}*|storno',
    replaced:
      'spostat[oaie]|rinviat[oaie]|riprogrammat[oaie]|sostituit[oaie]|al suo posto|nuov[oa] (?:appuntamento|data|volo|treno|prenotazione)',
    notDue: 'validità|valid[oa]|scadenza (?:della (?:carta|patente|garanzia)|del (?:passaporto|documento))|nascita',
    machine: 'servizio web|monitoraggio|copia di sicurezza|database',
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
      booking: { verbs: 'prenotare ordinare comprare', words: '(?:prenotat|ordinat|comprat)[oaie]' },
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
    generic: `addebitato addebitata eseguito inviato spedito ritirato registrato registrata trasmessa accolta rilasciato allegato viaggio regolarmente correttamente
      pacco spedizione ordine fattura bolletta pagamento appuntamento prenotazione contratto documento documenti documentazione
      modulo domanda richiesta conto abbonamento polizza consegna importo saldo cliente riferimento codice prezzo quota tassa
      somma bonifico carta banca ricevuta servizio pratica mese anno vicino punto ritiro`,
    stop: 'il lo la i gli le un uno una di del della dei e o per con al da',
    articles: 'il lo la i gli le un uno una',
    salutation: 'gentile|car[oa]|ciao|buongiorno',
    several: 'e|ed|o',
    abbreviations: 'sig|dott|ing|avv|ecc|rif',
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
