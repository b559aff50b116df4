/**
 * The phrase table: which words in a mail mean what for a matter. Data only; the files beside it search with it.
 *
 * Each form of a topic is put into each frame of its language. In a frame, `W` stands for the form, `~` for adverbs
 * such as "now" or "already", and a blank for any white space. `spoiltBy` lists phrases in which the words mean
 * something else.
 */

type Language = 'en' | 'de' | 'fr' | 'es' | 'nl' | 'it';
export type TopicName =
  | 'payment'
  | 'signature'
  | 'delivery'
  | 'completion'
  | 'approval'
  | 'booking'
  | 'renewal'
  | 'cancellation'
  | 'ending'
  | 'withdrawal';

interface Frame {
  readonly id: string;
  readonly language: Language;
  readonly pattern: string;
  readonly confidence: number;
  /** The frame has no helping verb, so a negation anywhere before it in the sentence counts, not only one in its clause. */
  readonly bare?: boolean;
}

interface Form {
  readonly language: Language;
  readonly words: string;
  /** The highest confidence that a finding in these words can have. */
  readonly ceiling: number;
}

export interface Topic {
  readonly name: TopicName;
  readonly state: 'done' | 'archived';
  /** The words that tasks use for it: "Pay the deposit" is done when the deposit is paid. */
  readonly verbs: readonly string[];
  readonly forms: readonly Form[];
  readonly spoiltBy?: string;
  /** In the same sentence, these words leave open whether all of it is done. */
  readonly doubtedBy?: string;
  /** Anywhere in the mail, these words cast doubt on the topic. */
  readonly contradictedBy?: string;
}

interface FixedPhrase {
  readonly id: string;
  readonly language: Language;
  readonly topic: TopicName;
  readonly pattern: string;
  readonly confidence: number;
  /** The phrase is itself a negation ("no longer needed"), so its own "no" does not defeat it. */
  readonly negative?: boolean;
}

interface TriggerPhrase {
  readonly id: string;
  readonly language: Language;
  readonly pattern: string;
  readonly confidence: number;
}

const EN_OBJECT =
  '(?:the|your|our|my|his|her|their|this|that|these|those|it|them|all of|both|everything|invoice|bill|off|in full)';
/** What a payment is for, before the verb. Excludes words that could start a new clause or reverse the meaning. */
const EN_WHAT_FOR =
  '(?:of|for|from|towards)(?: (?!(?:is|are|was|were|be|has|have|had|will|would|when|once|if|until|after|before|unless|not|no|never|and|but|that|which|who|due)(?![\\p{L}\\p{N}]))[^ ,;!?]+){1,7}?';
const EN_END =
  '(?= *(?:$|[.,;:!)\\]–—]| - | (?:in full|today|yesterday|on|by|via|this|last|with|and|for|until|till)(?![\\p{L}\\p{N}])))';
const DE_END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:und|am|per|worden)(?![\\p{L}\\p{N}])))';
const ROMANCE_END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:et|y|le|el|par|por|ce|hoy|ayer)(?![\\p{L}\\p{N}])))';
const NL_END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:en|op|per|door)(?![\\p{L}\\p{N}])))';
/** Up to eight words between a German helping verb and its participle. */
const DE_MIDDLE = '(?: [^ ,;.!?]+(?:\\.(?= ))?){0,8}?';

/** The names that money goes by: what has arrived is paid. */
const EN_MONEY = '(?:deposit|fee|rent|money|contribution|premium|transfer|funds|remittance)';
/** What may stand behind the name of money: `of 4,800 EUR for Maple Street`. */
const EN_SUM = '(?: (?:of|for)(?: [^ ,;.!?]+(?:[.,]\\p{Nd}+)*){1,4}){0,2}?';
const DE_MONEY = '(?:\\p{L}*(?:zahlung|überweisung|beitrag|betrag|geld|gebühr|kaution|miete))';
const FR_MONEY = '(?:paiement|règlement|virement|acompte|cotisation|chèque|loyer|somme)';
const ES_MONEY = '(?:pago|transferencia|ingreso|importe|cuota|fianza)';
const NL_MONEY = '(?:betaling|overboeking|bedrag|contributie|aanbetaling|premie|borg)';
const IT_MONEY = '(?:pagamento|bonifico|versamento|importo|acconto|quota|caparra)';

export const FRAMES: readonly Frame[] = [
  { id: 'has been', language: 'en', pattern: "(?:has|have|had|\\p{L}+'(?:s|ve)) ~been ~W", confidence: 0.96 },
  { id: 'was', language: 'en', pattern: '(?:was|were) ~W', confidence: 0.95 },
  { id: 'is', language: 'en', pattern: "(?:is|are|\\p{L}+'(?:s|re)) ~W", confidence: 0.9 },
  { id: 'have', language: 'en', pattern: `(?:have|has|had|\\p{L}+'ve) ~W ${EN_OBJECT}`, confidence: 0.93 },
  { id: 'did', language: 'en', pattern: `(?:i|we|they|he|she) ~W ${EN_OBJECT}`, confidence: 0.9 },
  { id: 'alone', language: 'en', pattern: `W${EN_END}`, confidence: 0.85, bare: true },

  { id: 'wurde', language: 'de', pattern: `(?:wurde|wurden)${DE_MIDDLE} W`, confidence: 0.95 },
  { id: 'ist', language: 'de', pattern: `(?:ist|sind)${DE_MIDDLE} W`, confidence: 0.92 },
  { id: 'haben', language: 'de', pattern: `(?:haben|habe|hat)${DE_MIDDLE} W`, confidence: 0.92 },
  {
    id: 'zuletzt',
    language: 'de',
    pattern: 'W (?:wurde|wurden|worden|ist|sind|haben|hat)',
    confidence: 0.9,
    bare: true,
  },
  { id: 'allein', language: 'de', pattern: `W${DE_END}`, confidence: 0.82, bare: true },

  {
    id: 'a été',
    language: 'fr',
    pattern: '(?:a|ont|avait|avaient) (?:[\\p{L}]+ ){0,2}?été (?:[\\p{L}]+ ){0,2}?W',
    confidence: 0.95,
  },
  {
    id: 'est',
    language: 'fr',
    pattern: '(?:est|sont) (?:bien |maintenant |désormais |déjà |enfin )*W',
    confidence: 0.9,
  },
  {
    id: 'avons',
    language: 'fr',
    pattern: "(?:avons|ai|a|ont) (?:bien |déjà |enfin )*W (?:le|la|les|l'|votre|vos|notre|nos|cette|ce|mon|ma)",
    confidence: 0.9,
  },
  { id: 'seul', language: 'fr', pattern: `W${ROMANCE_END}`, confidence: 0.82, bare: true },

  { id: 'ha sido', language: 'es', pattern: '(?:ha|han|había|habían) (?:ya )?sido (?:ya )?W', confidence: 0.95 },
  { id: 'ha quedado', language: 'es', pattern: '(?:ha|han) quedado (?:ya )?W', confidence: 0.92 },
  { id: 'se ha', language: 'es', pattern: 'se (?:ha|han) W', confidence: 0.94 },
  { id: 'fue', language: 'es', pattern: '(?:fue|fueron) (?:ya )?W', confidence: 0.94 },
  { id: 'está', language: 'es', pattern: '(?:está|están|queda|quedan) (?:ya )?W', confidence: 0.9 },
  {
    id: 'hemos',
    language: 'es',
    pattern: '(?:hemos|he|han|ha) (?:ya )?W (?:el|la|los|las|su|sus|tu|nuestra|nuestro|esta|este)',
    confidence: 0.9,
  },
  { id: 'solo', language: 'es', pattern: `W${ROMANCE_END}`, confidence: 0.82, bare: true },

  { id: 'is', language: 'nl', pattern: `(?:is|zijn|werd|werden)${DE_MIDDLE} W`, confidence: 0.93 },
  { id: 'hebben', language: 'nl', pattern: `(?:hebben|heb|heeft)${DE_MIDDLE} W`, confidence: 0.92 },
  { id: 'alleen', language: 'nl', pattern: `W${NL_END}`, confidence: 0.82, bare: true },

  {
    id: 'è stato',
    language: 'it',
    pattern: '(?:è|sono|era|erano) (?:già |ormai |appena )?stat[oaie] (?:già |regolarmente |correttamente |appena )?W',
    confidence: 0.94,
  },
  {
    id: 'è',
    language: 'it',
    pattern: '(?:è|sono|risulta|risultano) (?:già |ormai |ora |regolarmente )?W',
    confidence: 0.9,
  },
  {
    id: 'abbiamo',
    language: 'it',
    pattern: "(?:abbiamo|ho|ha|hanno) (?:già |appena |regolarmente )?W (?:il|lo|la|i|gli|le|l'\\p{L}+|un|una|tutto)",
    confidence: 0.9,
  },
  { id: 'da solo', language: 'it', pattern: `W${ROMANCE_END}`, confidence: 0.82, bare: true },
];

export const TOPICS: readonly Topic[] = [
  {
    name: 'payment',
    state: 'done',
    verbs: [
      'pay',
      'paid',
      'payment',
      'settle',
      'transfer',
      'remit',
      'zahlen',
      'bezahlen',
      'überweisen',
      'payer',
      'régler',
      'pagar',
      'abonar',
      'bezahlt',
      'zahlung',
      'beitrag',
      'règlement',
      'paiement',
      'pago',
      'betalen',
      'betaling',
      'voldoen',
      'overmaken',
      'pagare',
      'saldare',
      'versare',
    ],
    forms: [
      { language: 'en', words: 'paid in full|settled in full', ceiling: 0.97 },
      { language: 'en', words: 'paid|settled|paid off', ceiling: 0.96 },
      { language: 'de', words: 'vollständig bezahlt|bezahlt|beglichen|überwiesen', ceiling: 0.96 },
      { language: 'fr', words: 'payée?s?|réglée?s?|acquittée?s?', ceiling: 0.95 },
      { language: 'es', words: 'pagad[oa]s?|abonad[oa]s?|liquidad[oa]s?', ceiling: 0.95 },
      { language: 'nl', words: 'betaald|voldaan|overgemaakt', ceiling: 0.93 },
      { language: 'it', words: 'pagat[oaie]|saldat[oaie]|versat[oaie]', ceiling: 0.93 },
    ],
    spoiltBy:
      'paid (?:back|out)|refund\\p{L}*|reimburs\\p{L}*|zurück\\p{L}*|rückzahlung|erstattet|rembours\\p{L}*|devuelt[oa]s?|devolución|reembols\\p{L}*|terug\\p{L}*|rimbors\\p{L}*|paid (?:leave|holidays?|vacation|time off|plan|version|tier|subscription|accounts?|ads?|search|parking|members?|features?|(?:no |close |much |little )?attention|(?:a |the )?(?:visit|price|tribute))|(?:well|poorly|badly|under|over|highly|low) paid|settled (?:in(?! full)|into|down|on (?:a|an|the)|the (?:score|argument))|bezahlte[rn]? urlaub|congés payés',
    contradictedBy:
      '(?:un|part[- ])paid|payment (?:has |was |is )?(?:failed|declined|rejected|returned|reversed|bounced|overdue|outstanding|pending)|outstanding (?:balance|amount|payment|invoice)|still (?:owe|owing|outstanding|open|due|unpaid)|bounced|chargeback|unbezahlt|noch offen|impayée?s?|pendiente de pago|rechazado',
  },
  {
    name: 'signature',
    state: 'done',
    verbs: [
      'sign',
      'signature',
      'countersign',
      'unterschreiben',
      'unterzeichnen',
      'signer',
      'firmar',
      'firma',
      'unterschrift',
      'ondertekenen',
      'tekenen',
      'firmare',
    ],
    forms: [
      { language: 'en', words: 'signed|countersigned|executed by (?:all|both) parties', ceiling: 0.96 },
      { language: 'de', words: 'unterschrieben|unterzeichnet|gegengezeichnet', ceiling: 0.95 },
      { language: 'fr', words: 'signée?s?|contresignée?s?', ceiling: 0.95 },
      { language: 'es', words: 'firmad[oa]s?', ceiling: 0.95 },
      { language: 'nl', words: 'ondertekend|getekend', ceiling: 0.93 },
      { language: 'it', words: 'firmat[oaie]|sottoscritt[oaie]', ceiling: 0.93 },
    ],
    spoiltBy:
      'signed (?:up|in|out|off|on|for)|signed[- ]in|signed (?:jersey|shirt|copy of (?:his|her)|by default|sealed)',
    // What one side has signed, not everybody has.
    doubtedBy:
      "signed by(?! (?:all|both|every|each|you|us|me|everyone|everybody|the parties)(?![\\p{L}\\p{N}]))|(?:von|durch) (?:der|dem|den) (?:verkäufer|käufer|vermieter|mieter)\\p{L}*|par (?:le|la|l'|les) ?(?:vendeur|acheteur|acquéreur|bailleur)\\p{L}*|por (?:el|la|los) (?:vendedor|comprador)\\p{L}*|door de (?:ver)?koper",
    contradictedBy:
      'unsigned|(?:still|remains?) to be signed|signature is missing|missing signature|unterschrift fehlt',
  },
  {
    name: 'delivery',
    state: 'done',
    verbs: [
      'deliver',
      'delivery',
      'receive',
      'arrive',
      'collect',
      'order',
      'ship',
      'liefern',
      'lieferung',
      'livrer',
      'livraison',
      'entregar',
      'recibir',
      'recoger',
      'devolver',
      'bezorgen',
      'leveren',
      'ontvangen',
      'consegnare',
      'ricevere',
    ],
    forms: [
      { language: 'en', words: 'delivered|handed over', ceiling: 0.95 },
      { language: 'de', words: 'geliefert|zugestellt|ausgeliefert|angekommen|eingetroffen', ceiling: 0.95 },
      { language: 'fr', words: 'livrée?s?|arrivée?s?|remise?s?', ceiling: 0.94 },
      { language: 'es', words: 'entregad[oa]s?', ceiling: 0.94 },
      { language: 'nl', words: 'bezorgd|geleverd|afgeleverd|ontvangen|aangekomen', ceiling: 0.92 },
      { language: 'it', words: 'consegnat[oaie]|arrivat[oaie]|ricevut[oi]|recapitat[oaie]', ceiling: 0.92 },
    ],
    spoiltBy:
      '\\p{L}*(?:zahlung|überweisung|beitrag|betrag|geld|kaution)|payments?|deposit|fees?|rent|paiement|virement|acompte|cotisation|pago|betaling|pagamento|bonifico|inbox|mailbox|e-?mails?|messages?|newsletter|notifications?|deliver(?:ed|s)? (?:a |an |the |great |strong |good )*(?:speech|talk|lecture|keynote|results?|value|presentation|service|performance)|posteingang|postfach|nachrichten?|boîte|courriel|correo|mensajes?|buzón',
    contradictedBy:
      'undelivered|undeliverable|(?:delivery|parcel) (?:has |was )?(?:failed|returned|lost|delayed)|return(?:ed)? to sender',
  },
  {
    name: 'completion',
    state: 'done',
    verbs: [
      'complete',
      'finish',
      'finalise',
      'finalize',
      'submit',
      'file',
      'do',
      'erledigen',
      'abschließen',
      'einreichen',
      'terminer',
      'terminar',
      'completar',
      'lodge',
      'return',
      'abgeben',
      'einreichung',
      'déposer',
      'presentar',
      'indienen',
      'afronden',
      'inviare',
      'presentare',
      'completare',
    ],
    forms: [
      {
        language: 'en',
        words: 'completed|finished|finalised|finalized|submitted|resolved|filed|lodged|handed in',
        ceiling: 0.94,
      },
      { language: 'de', words: 'erledigt|abgeschlossen|fertiggestellt|eingereicht|abgegeben|fertig', ceiling: 0.93 },
      { language: 'fr', words: 'terminée?s?|achevée?s?|finalisée?s?|déposée?s?', ceiling: 0.92 },
      { language: 'es', words: 'terminad[oa]s?|completad[oa]s?|finalizad[oa]s?|presentad[oa]s?', ceiling: 0.92 },
      { language: 'nl', words: 'afgerond|voltooid|ingediend|afgehandeld|klaar', ceiling: 0.91 },
      {
        language: 'it',
        words: 'completat[oaie]|terminat[oaie]|conclus[oaie]|inviat[oaie]|presentat[oaie]',
        ceiling: 0.91,
      },
    ],
    spoiltBy:
      'cancellation|refund|completed (?:form|application|questionnaire)s?|\\d+ ?% (?:complete|finished)|(?:half|nearly|almost)[- ](?:complete|finished)',
    contradictedBy: 'incomplete|unfinished|unvollständig|incomplète?|incomplet[oa]',
  },
  {
    name: 'approval',
    state: 'done',
    verbs: [
      'approve',
      'approval',
      'permit',
      'accept',
      'grant',
      'genehmigen',
      'genehmigung',
      'approuver',
      'aprobar',
      'goedkeuren',
      'approvare',
    ],
    forms: [
      { language: 'en', words: 'approved|granted', ceiling: 0.93 },
      { language: 'de', words: 'genehmigt|bewilligt|freigegeben', ceiling: 0.93 },
      { language: 'fr', words: 'approuvée?s?|validée?s?|acceptée?s?|accordée?s?', ceiling: 0.92 },
      { language: 'es', words: 'aprobad[oa]s?|autorizad[oa]s?', ceiling: 0.92 },
      { language: 'nl', words: 'goedgekeurd|toegekend', ceiling: 0.91 },
      { language: 'it', words: 'approvat[oaie]|autorizzat[oaie]|concess[oaie]', ceiling: 0.91 },
    ],
    spoiltBy: 'pre-?approved|approved (?:supplier|list|vendor|dealer)s?|take(?:n)? for granted|granted (?:that|access)',
    contradictedBy: '(?:rejected|refused|denied)|abgelehnt|refusée?s?|rechazad[oa]s?|denegad[oa]s?',
  },
  {
    name: 'booking',
    state: 'done',
    verbs: [
      'order',
      'bestellen',
      'commander',
      'pedir',
      'ordinare',
      'book',
      'reserve',
      'reservation',
      'booking',
      'buchen',
      'reservieren',
      'réserver',
      'reservar',
      'boeken',
      'reserveren',
      'prenotare',
    ],
    forms: [
      { language: 'en', words: 'booked|reserved|ordered', ceiling: 0.92 },
      { language: 'de', words: 'gebucht|reserviert|bestellt', ceiling: 0.92 },
      { language: 'fr', words: 'réservée?s?|commandée?s?', ceiling: 0.91 },
      { language: 'es', words: 'reservad[oa]s?', ceiling: 0.91 },
      { language: 'nl', words: 'geboekt|gereserveerd|besteld', ceiling: 0.91 },
      { language: 'it', words: 'prenotat[oaie]|ordinat[oaie]', ceiling: 0.91 },
    ],
    spoiltBy: '(?:fully|over|double|heavily)[- ]?booked|rights reserved|(?:is|are) reserved for|ausgebucht',
    contradictedBy: '(?:booking|reservation) (?:has |was )?(?:failed|cancell?ed|declined)|sold out',
  },
  {
    name: 'renewal',
    state: 'done',
    verbs: ['renew', 'renewal', 'extend', 'verlängern', 'renouveler', 'renovar', 'verlengen', 'rinnovare'],
    forms: [
      { language: 'en', words: 'renewed', ceiling: 0.93 },
      { language: 'de', words: 'verlängert|erneuert', ceiling: 0.9 },
      { language: 'fr', words: 'renouvelée?s?', ceiling: 0.92 },
      { language: 'es', words: 'renovad[oa]s?', ceiling: 0.91 },
      { language: 'nl', words: 'verlengd|vernieuwd', ceiling: 0.9 },
      { language: 'it', words: 'rinnovat[oaie]', ceiling: 0.9 },
    ],
    spoiltBy: 'renewed (?:interest|vigou?r|hope|focus|energy|calls?)|frist .{0,40}verlängert',
    contradictedBy: '(?:has |was |is )?(?:expired|lapsed)',
  },
  {
    name: 'cancellation',
    state: 'archived',
    verbs: [
      'cancel',
      'terminate',
      'unsubscribe',
      'kündigen',
      'kündigung',
      'stornieren',
      'absagen',
      'résilier',
      'annuler',
      'cancelar',
      'anular',
      'opzeggen',
      'annuleren',
      'disdire',
      'annullare',
    ],
    forms: [
      { language: 'en', words: 'cancelled|canceled|called off|abandoned', ceiling: 0.96 },
      { language: 'en', words: 'withdrawn', ceiling: 0.9 },
      { language: 'de', words: 'storniert|abgesagt|zurückgezogen|annulliert', ceiling: 0.95 },
      { language: 'fr', words: 'annulée?s?|résiliée?s?', ceiling: 0.95 },
      { language: 'es', words: 'cancelad[oa]s?|anulad[oa]s?', ceiling: 0.95 },
      { language: 'de', words: 'gekündigt', ceiling: 0.9 },
      { language: 'nl', words: 'geannuleerd|afgezegd|afgelast|opgezegd', ceiling: 0.93 },
      { language: 'it', words: 'annullat[oaie]|disdett[oi]', ceiling: 0.93 },
    ],
    spoiltBy:
      'noise[- ]cancell?|(?:payment|transfer|transaction|reminder|approval|direct debit|cancellation)s?[^.;]{0,60}(?:cancell?ed|withdrawn)|cancell?ed (?:che(?:ck|que)|stamps?)|withdrawn from your (?:bank )?(?:account|card)|(?:[€$£] ?[\\d.,]+|[\\d.,]+ ?(?:€|eur|usd|chf|gbp)|cash|amount|money)[^.]{0,40}withdrawn',
    // After a cancelled booking, the thing may have to be booked again.
    doubtedBy: 'booking|reservation|réservation|buchung|reservierung|reserva|prenotazione|reservering',
    contradictedBy:
      'rescheduled|new date|verschoben|neuer termin|reportée?s?|aplazad[oa]|reinstated|another (?:one|date|slot|time|appointment)|new (?:one|slot|time)|re-?book|book again|re-?arrange|einen neuen|neuen? termin|ersatztermin|un autre (?:rendez-vous|créneau)|otra (?:cita|fecha)|nieuwe (?:afspraak|datum)|nuovo appuntamento|altra data|cancellation (?:has been |was |is )?(?:withdrawn|reversed|revoked|lifted|undone)|(?:is |back )on again|goes ahead|findet (?:doch )?statt|maintenue?s?',
  },
];

/**
 * What is said of an affair as a whole, and of much else: a case, a shop, a road is closed. These count only where it is a
 * matter, by its own name, that has ended, so no task has verbs for them.
 */
export const ENDINGS: readonly Topic[] = [
  {
    name: 'ending',
    state: 'done',
    verbs: [],
    forms: [
      { language: 'en', words: 'closed|concluded|terminated|ended|wound up', ceiling: 0.93 },
      { language: 'de', words: 'beendet|geschlossen|eingestellt|aufgelöst', ceiling: 0.92 },
      { language: 'fr', words: 'clôturée?s?|clos(?:e|es)?|conclue?s?|classée?s?', ceiling: 0.92 },
      { language: 'es', words: 'cerrad[oa]s?|concluid[oa]s?|archivad[oa]s?|rescindid[oa]s?', ceiling: 0.92 },
      { language: 'nl', words: 'gesloten|afgesloten|beëindigd|ontbonden', ceiling: 0.91 },
      { language: 'it', words: 'chius[oaie]|cessat[oaie]|archiviat[oaie]|risolt[oaie]', ceiling: 0.91 },
    ],
  },
  {
    name: 'withdrawal',
    state: 'archived',
    verbs: [],
    forms: [
      { language: 'en', words: 'revoked|rescinded', ceiling: 0.9 },
      { language: 'de', words: 'aufgehoben|widerrufen', ceiling: 0.9 },
      { language: 'fr', words: 'retirée?s?|abandonnée?s?', ceiling: 0.9 },
      { language: 'es', words: 'retirad[oa]s?|abandonad[oa]s?', ceiling: 0.9 },
      { language: 'nl', words: 'ingetrokken|herroepen', ceiling: 0.9 },
      { language: 'it', words: 'ritirat[oaie]|revocat[oaie]', ceiling: 0.9 },
    ],
  },
];

/**
 * Of the forms that say that something was completed or called off, those that can be said of a whole affair. A tax return
 * is filed and a form handed in, which ends no affair.
 */
export const WHOLE_AFFAIR =
  'complete|completed|finished|finalised|finalized|resolved|done|no longer (?:going ahead|taking place)|(?:fell|fallen) through|abgeschlossen|erledigt|fertiggestellt|terminée?s?|achevée?s?|finalisée?s?|terminad[oa]s?|completad[oa]s?|finalizad[oa]s?|afgerond|voltooid|afgehandeld|completat[oaie]|terminat[oaie]|conclus[oaie]|cancelled|canceled|called off|abandoned|withdrawn|storniert|abgesagt|zurückgezogen|annulliert|gekündigt|annulée?s?|résiliée?s?|cancelad[oa]s?|anulad[oa]s?|geannuleerd|afgezegd|afgelast|opgezegd|annullat[oaie]|disdett[oi]';

/** What a whole affair is called beside its name: "the purchase of 14 Alder Lane". */
export const AFFAIR =
  'purchase|sale|case|matter|affair|file|dossier|project|proceedings?|transaction|deal|move|subscription|membership|tenancy|kauf|verkauf|\\p{L}*kauf|\\p{L}*verkauf|fall|sache|akte|vorgang|angelegenheit|\\p{L}*verfahren|projekt|\\p{L}*abo|abonnement|mitgliedschaft|mietverhältnis|achat|vente|affaire|projet|procédure|adhésion|compra|venta|compraventa|caso|expediente|asunto|proyecto|procedimiento|suscripción|aankoop|verkoop|zaak|kwestie|project|lidmaatschap|procedure|acquisto|vendita|compravendita|pratica|fascicolo|progetto|procedura|abbonamento|causa';

/** An affair that begins when it is concluded: only words of an end, a notice or a withdrawal end it. */
export const CONTRACT =
  'contract|agreement|lease|policy|\\p{L}*vertrag|\\p{L}*police|contrat|bail|police|contrato|póliza|contract|overeenkomst|polis|contratto|polizza';

/** What is left of an affair that has ended otherwise. */
export const EXCEPTED =
  'except(?:ing|ed)?|apart from|aside from|save for|other than|only|still|remains?|remaining|phase|stage|bis auf|außer|ausgenommen|abgesehen|nur|noch|hormis|sauf|excepté|à part|encore|excepto|salvo|menos|aún|todavía|behalve|uitgezonderd|alleen|tranne|eccetto|ancora|fase|étape|etapa';

/** What may be said of a contract that begins as well as of one that ends. */
export const CONTRACT_MADE =
  'closed|concluded|complete|completed|finalised|finalized|done|abgeschlossen|geschlossen|erledigt|fertiggestellt|conclue?s?|close?s?|clos|finalisée?s?|cerrad[oa]s?|concluid[oa]s?|completad[oa]s?|gesloten|afgesloten|afgerond|voltooid|chius[oaie]|conclus[oaie]|completat[oaie]';

/** Whole phrases that no frame produces, each with its own confidence. */
export const FIXED_PHRASES: readonly FixedPhrase[] = [
  {
    id: 'payment received',
    language: 'en',
    topic: 'payment',
    pattern: `payment (?:(?:has been |was |is )?|${EN_WHAT_FOR} (?:has been |was ))(?:successfully |safely )?received`,
    confidence: 0.97,
  },
  {
    id: 'received your payment',
    language: 'en',
    topic: 'payment',
    pattern:
      "(?:we|i)(?:'ve| have)? (?:now |just |duly |successfully )*received (?:your|the|full|this) (?:full |final |bank |deposit )?(?:payment|transfer|remittance|deposit)",
    confidence: 0.97,
  },
  {
    id: 'payment went through',
    language: 'en',
    topic: 'payment',
    pattern:
      'payment (?:has |was |is )?(?:now )?(?:gone through|went through|cleared|successful|completed|complete|confirmed|processed)',
    confidence: 0.93,
  },
  {
    id: 'thank you for your payment',
    language: 'en',
    topic: 'payment',
    pattern: '(?:thank you|thanks|many thanks) for (?:your|the) (?:prompt )?payment',
    confidence: 0.92,
  },
  {
    id: 'money has come in',
    language: 'en',
    topic: 'payment',
    pattern: `${EN_MONEY}${EN_SUM} (?:has |have |was |is )?(?:now |just )?(?:been received|received|arrived|reached us|come in|come through)`,
    confidence: 0.93,
  },
  {
    id: 'Zahlung eingegangen',
    language: 'de',
    topic: 'payment',
    pattern: `(?:zahlung|überweisung|betrag|rechnungsbetrag)${DE_MIDDLE} (?:eingegangen|erhalten|gutgeschrieben)`,
    confidence: 0.96,
  },
  {
    id: 'Beitrag angekommen',
    language: 'de',
    topic: 'payment',
    pattern: `${DE_MONEY}${DE_MIDDLE} (?:eingegangen|erhalten|angekommen|gutgeschrieben)`,
    confidence: 0.93,
  },
  {
    id: 'paiement reçu',
    language: 'fr',
    topic: 'payment',
    pattern: '(?:paiement|règlement|virement) (?:a (?:bien )?été |(?:est )?bien )?reçu',
    confidence: 0.96,
  },
  {
    id: 'cotisation arrivée',
    language: 'fr',
    topic: 'payment',
    pattern: `${FR_MONEY}(?: [^ ,;.!?]+){0,2}? (?:a (?:bien )?été |(?:est )?(?:bien )?)(?:reçue?|arrivée?)`,
    confidence: 0.93,
  },
  {
    id: 'avons reçu votre paiement',
    language: 'fr',
    topic: 'payment',
    pattern: 'avons (?:bien )?reçu (?:votre|le) (?:paiement|règlement|virement)',
    confidence: 0.96,
  },
  {
    id: 'avons reçu la somme',
    language: 'fr',
    topic: 'payment',
    pattern: `avons (?:bien )?reçu (?:votre |vos |le |la |l')${FR_MONEY}`,
    confidence: 0.93,
  },
  {
    id: 'pago recibido',
    language: 'es',
    topic: 'payment',
    pattern: 'pago (?:ha sido |fue )?recibido',
    confidence: 0.96,
  },
  {
    id: 'hemos recibido su pago',
    language: 'es',
    topic: 'payment',
    pattern: '(?:hemos|he) recibido (?:su|el|tu) (?:pago|transferencia)',
    confidence: 0.96,
  },
  {
    id: 'ingreso recibido',
    language: 'es',
    topic: 'payment',
    pattern: `(?:hemos|he) recibido (?:su |el |la |tu )${ES_MONEY}|${ES_MONEY} (?:ha sido |fue )?recibid[oa]`,
    confidence: 0.93,
  },
  {
    id: 'betaling ontvangen',
    language: 'nl',
    topic: 'payment',
    pattern: `${NL_MONEY}${DE_MIDDLE} (?:ontvangen|binnen|bijgeschreven)`,
    confidence: 0.93,
  },
  {
    id: 'pagamento ricevuto',
    language: 'it',
    topic: 'payment',
    pattern: `(?:abbiamo|ho) ricevuto (?:il (?:suo|tuo|vostro) |la (?:sua|tua) |il |la )${IT_MONEY}|${IT_MONEY} (?:è )?(?:stato |stata )?ricevut[oa]`,
    confidence: 0.93,
  },
  {
    id: 'the signed paper is here',
    language: 'en',
    topic: 'signature',
    pattern:
      '(?:counter)?signed (?:[\\p{L}-]+ ){1,4}?(?:is here|has arrived|arrived|has reached us|is with us|came back)',
    confidence: 0.9,
  },
  {
    id: 'has arrived',
    language: 'en',
    topic: 'delivery',
    pattern: "(?:has|have|\\p{L}+'(?:s|ve)) ~arrived",
    confidence: 0.94,
  },
  { id: 'arrived', language: 'en', topic: 'delivery', pattern: `arrived${EN_END}`, confidence: 0.84 },
  {
    id: 'is complete',
    language: 'en',
    topic: 'completion',
    pattern: '(?:is|are) (?:now |all )?(?:complete|finished)|(?:is|are) now (?:done|ready)',
    confidence: 0.88,
  },
  { id: 'is done', language: 'en', topic: 'completion', pattern: '(?:is|are) (?:all )?done', confidence: 0.84 },
  {
    id: 'no longer needed',
    language: 'en',
    topic: 'cancellation',
    pattern: "(?:is|are|\\p{L}+'(?:s|re)) no longer (?:needed|required|necessary|going ahead|taking place)",
    confidence: 0.93,
    negative: true,
  },
  {
    id: 'fell through',
    language: 'en',
    topic: 'cancellation',
    pattern: '(?:fell|has fallen|have fallen) through',
    confidence: 0.88,
  },
  {
    id: 'Kündigung erhalten',
    language: 'de',
    topic: 'cancellation',
    pattern: `kündigung${DE_MIDDLE} (?:erhalten|bestätigt|vorgemerkt)`,
    confidence: 0.88,
  },
  {
    id: 'nicht mehr nötig',
    language: 'de',
    topic: 'cancellation',
    pattern: `(?:ist|sind|wird|werden)${DE_MIDDLE} nicht (?:mehr|länger) (?:nötig|notwendig|erforderlich|benötigt|gebraucht)`,
    confidence: 0.92,
    negative: true,
  },
  {
    id: "n'est plus nécessaire",
    language: 'fr',
    topic: 'cancellation',
    pattern: "n'(?:est|sont) plus (?:nécessaires?|requis|besoin)",
    confidence: 0.92,
    negative: true,
  },
  {
    id: 'ya no es necesario',
    language: 'es',
    topic: 'cancellation',
    pattern: 'ya no (?:es|son) necesari[oa]s?',
    confidence: 0.92,
    negative: true,
  },
];

/** The words before a date that becomes `due`. `date-text.ts` reads the date itself. */
export const DATE_TRIGGERS: readonly TriggerPhrase[] = [
  {
    id: 'moved to',
    language: 'en',
    pattern:
      '(?:moved|rescheduled|postponed|pushed(?: back)?|put back|brought forward|deferred|shifted|adjourned) (?:it |this |that |them |(?:the|our|your) [\\p{L}-]+ )?(?:from [^;!?]{1,40}? )?(?:to|until|till)',
    confidence: 0.94,
  },
  {
    id: 'rescheduled for',
    language: 'en',
    pattern: '(?:rescheduled|re-scheduled) (?:it |this |that )?for',
    confidence: 0.94,
  },
  {
    id: 'new date',
    language: 'en',
    pattern:
      'new (?:[\\p{L}-]+ ){0,2}?(?:date|deadline|due date|appointment)(?: is| will be| has been set (?:for|to))?:?',
    confidence: 0.93,
  },
  { id: 'extended to', language: 'en', pattern: 'extended (?:to|until|till)', confidence: 0.93 },
  {
    id: 'deadline is',
    language: 'en',
    pattern: '(?:deadline|due date)(?: for [^,;:.!?]{1,60}?)?(?: is| has been set (?:for|to)|:)',
    confidence: 0.92,
  },
  { id: 'due on', language: 'en', pattern: '(?:is|are|falls|becomes|now) due(?: on| by|:)?', confidence: 0.91 },
  { id: 'due', language: 'en', pattern: 'due (?:on|by)|payable by', confidence: 0.88 },
  {
    id: 'now takes place on',
    language: 'en',
    pattern: '(?:now|instead) (?:takes? place|be held|scheduled) (?:on|for)',
    confidence: 0.9,
  },
  {
    id: 'verschoben auf',
    language: 'de',
    pattern: '(?:verschoben|verlegt|vertagt|umgebucht|vorgezogen)(?: worden)? (?:auf|bis)',
    confidence: 0.94,
  },
  {
    id: 'auf … verschoben',
    language: 'de',
    pattern:
      '(?:wurde|wird|wurden|ist)(?: [^ ,;.!?]+){0,5}? (?:auf|vom [^;!?]{1,30}? auf)(?= [^;!?]{4,45} (?:verschoben|verlegt|vertagt|vorgezogen|verlängert))',
    confidence: 0.94,
  },
  { id: 'verlängert bis', language: 'de', pattern: 'verlängert bis(?: zum)?', confidence: 0.92 },
  {
    id: 'neuer Termin',
    language: 'de',
    pattern: '(?:neue[rs]? (?:termin|datum|frist|abgabetermin))(?: ist)?:?',
    confidence: 0.93,
  },
  {
    id: 'fällig am',
    language: 'de',
    pattern: '(?:fällig (?:am|bis|zum)|zahlbar bis(?: zum)?|(?:frist|abgabefrist|stichtag)(?: ist|:))',
    confidence: 0.9,
  },
  {
    id: 'reporté au',
    language: 'fr',
    pattern:
      "(?:reportée?s?|déplacée?s?|décalée?s?|repoussée?s?|avancée?s?|prolongée?s?)(?: (?:du [^;!?]{1,30}? ))? ?(?:au|à|jusqu'au)",
    confidence: 0.94,
  },
  {
    id: 'date limite',
    language: 'fr',
    pattern: '(?:date limite|échéance|nouvelle date|nouveau rendez-vous)(?: est(?: fixée)?| :|:)?',
    confidence: 0.91,
  },
  {
    id: 'aplazado al',
    language: 'es',
    pattern:
      '(?:aplazad[oa]s?|pospuest[oa]s?|trasladad[oa]s?|cambiad[oa]s?|prorrogad[oa]s?|adelantad[oa]s?) (?:del [^;!?]{1,30}? )?(?:al|a|para|hasta)',
    confidence: 0.94,
  },
  {
    id: 'fecha límite',
    language: 'es',
    pattern: '(?:fecha límite|nueva fecha|plazo|vence|vencimiento)(?: es| termina|:)?',
    confidence: 0.9,
  },
  {
    id: 'verplaatst naar',
    language: 'nl',
    pattern: '(?:verplaatst|verzet|verschoven|uitgesteld|vervroegd) (?:van [^;!?]{1,30}? )?(?:naar|tot)',
    confidence: 0.93,
  },
  {
    id: 'nieuwe datum',
    language: 'nl',
    pattern: '(?:nieuwe (?:datum|afspraak|termijn)|uiterste datum|vervaldatum)(?: is|:)?',
    confidence: 0.9,
  },
  {
    id: 'spostato al',
    language: 'it',
    pattern:
      '(?:spostat[oaie]|rinviat[oaie]|posticipat[oaie]|anticipat[oaie]|prorogat[oaie]) (?:dal [^;!?]{1,30}? )?(?:al|a|fino al)',
    confidence: 0.93,
  },
  {
    id: 'nuova data',
    language: 'it',
    pattern: '(?:nuova (?:data|scadenza)|scadenza)(?: è|:)?',
    confidence: 0.9,
  },
];

/** Words that ask the reader to do something. They propose no change; the matter only learns of the request. */
export const REQUEST_PHRASES: readonly TriggerPhrase[] = [
  {
    id: 'please do',
    language: 'en',
    pattern:
      '(?:please|kindly) (?:also )?(?:sign|countersign|pay|send|e-?mail|confirm|review|provide|return|complete|call|ring|reply|respond|submit|approve|upload|forward|fill (?:in|out)|transfer|check|arrange|book|bring|prepare|register|renew|advise|settle|remit|schedule|choose|supply)',
    confidence: 0.85,
  },
  {
    id: 'could you',
    language: 'en',
    pattern:
      '(?:could|can|would|will) you (?:please |kindly |also |possibly )*(?:sign|countersign|pay|send|e-?mail|confirm|review|provide|return|complete|call|ring|reply|respond|submit|approve|upload|forward|fill (?:in|out)|transfer|check|arrange|book|bring|prepare|supply|schedule|tell|let (?:me|us) (?:know|have))',
    confidence: 0.85,
  },
  {
    id: 'we need your',
    language: 'en',
    pattern:
      "(?:we|i) (?:still |also |urgently )*(?:need|require|await|are waiting for|'re waiting for|am waiting for) (?:your|a copy|the signed|you to)",
    confidence: 0.85,
  },
  {
    id: 'action required',
    language: 'en',
    pattern: '(?:action|signature|approval|response|payment) (?:is )?(?:required|needed)',
    confidence: 0.8,
  },
  {
    id: 'waiting for',
    language: 'en',
    pattern: '(?:blocked (?:on|by)|waiting (?:for|on)|on hold (?:until|pending)|held up by)',
    confidence: 0.75,
  },
  {
    id: 'bitte',
    language: 'de',
    pattern:
      'bitte (?:[^ ,;.!?]+ ){0,8}?(?:unterschreiben|unterzeichnen|senden|schicken|überweisen|bezahlen|zahlen|bestätigen|prüfen|zurücksenden|ausfüllen|einreichen|melden|mitteilen|übermitteln)|(?:unterschreiben|senden|schicken|überweisen|bestätigen|prüfen|zahlen) sie (?:uns |mir |mich )?bitte',
    confidence: 0.85,
  },
  {
    id: 'könnten Sie',
    language: 'de',
    pattern:
      '(?:könnten|können|würden) sie (?:[^ ,;.!?]+ ){0,8}?(?:unterschreiben|unterzeichnen|senden|schicken|überweisen|bezahlen|bestätigen|prüfen|zurücksenden|ausfüllen|einreichen|mitteilen)',
    confidence: 0.85,
  },
  {
    id: 'wir benötigen',
    language: 'de',
    pattern: '(?:wir|ich) (?:benötigen?|brauchen?) (?:noch |dringend )*(?:ihre?n?|eine|die|den|das)',
    confidence: 0.85,
  },
  {
    id: 'veuillez',
    language: 'fr',
    pattern:
      '(?:veuillez|merci de|prière de) (?:nous |me |bien vouloir )*(?:signer|payer|régler|envoyer|confirmer|retourner|renvoyer|compléter|remplir|transmettre|fournir|vérifier|valider)',
    confidence: 0.85,
  },
  {
    id: 'pourriez-vous',
    language: 'fr',
    pattern:
      "(?:pourriez|pouvez)-vous (?:nous |me |s'il vous plaît )*(?:signer|payer|régler|envoyer|confirmer|retourner|renvoyer|compléter|remplir|transmettre|fournir|vérifier|valider)",
    confidence: 0.85,
  },
  { id: 'avons besoin', language: 'fr', pattern: '(?:avons|ai) (?:encore )?besoin de (?:votre|vos)', confidence: 0.85 },
  {
    id: 'por favor',
    language: 'es',
    pattern:
      'por favor,? (?:firme|pague|envíe|envíenos|confirme|devuelva|complete|rellene|revise|transfiera)|(?:podría|puede|podrías) (?:usted )?(?:por favor )?(?:firmar|pagar|enviar|enviarnos|confirmar|devolver|completar|rellenar|revisar)',
    confidence: 0.85,
  },
  { id: 'necesitamos', language: 'es', pattern: '(?:necesitamos|necesito) (?:su|tu|que)', confidence: 0.85 },
  {
    id: 'gelieve',
    language: 'nl',
    pattern:
      '(?:gelieve|wilt u|kunt u|zou u) (?:[^ ,;.!?]+ ){0,8}?(?:ondertekenen|tekenen|betalen|overmaken|sturen|opsturen|bevestigen|controleren|invullen|indienen|doorgeven)',
    confidence: 0.85,
  },
  {
    id: 'si prega di',
    language: 'it',
    pattern:
      '(?:si prega di|la preghiamo di|le chiediamo di|può|potrebbe) (?:[^ ,;.!?]+ ){0,2}?(?:firmare|pagare|saldare|inviare|inviarci|mandarci|confermare|compilare|restituire|verificare)',
    confidence: 0.85,
  },
];
