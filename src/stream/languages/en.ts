import type { LanguageTable } from './language-table.ts';

const OBJECT =
  '(?:the|your|our|my|his|her|their|this|that|these|those|it|them|all of|both|everything|invoice|bill|off|in full)';
/** What a payment is for, before the verb. Excludes words that could start a new clause or reverse the meaning. */
const WHAT_FOR =
  '(?:of|for|from|towards)(?: (?!(?:is|are|was|were|be|has|have|had|will|would|when|once|if|until|after|before|unless|not|no|never|and|but|that|which|who|due)(?![\\p{L}\\p{N}]))[^ ,;!?]+){1,7}?';
const END =
  '(?= *(?:$|[.,;:!)\\]–—]| - | (?:in full|today|yesterday|on|by|via|this|last|with|and|for|until|till)(?![\\p{L}\\p{N}])))';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:deposit|fee|rent|money|contribution|premium|transfer|funds|remittance)';
/** What may stand behind the name of money: `of 4,800 EUR for Maple Street`. */
const SUM = '(?: (?:of|for)(?: [^ ,;.!?]+(?:[.,]\\p{Nd}+)*){1,4}){0,2}?';

/** What may stand between a helping verb and its participle. */
const NOW =
  '(?:(?:now|already|just|since|both|all|fully|finally|officially|successfully|hereby|also|today|yesterday|duly|properly|safely|recently|formally|promptly|kindly|indeed) )*';

/** A sum of money, as notifications write it. */
const AMOUNT = '(?:[€£$] ?\\p{Nd}[\\p{Nd}.,]{0,15}|\\p{Nd}[\\p{Nd}.,]{0,15} ?(?:€|£|eur|gbp|usd|chf)(?!\\p{L}))';
/** A few words of the subject between its noun and its verb. */
const FEW = '(?: [^ ,;.!?]+(?:[.,]\\p{Nd}+)*){0,5}?';
const DEAL = '(?:account|subscription|membership|contract|policy|plan|agreement|booking|order|direct debit)';
/** Where a title such as "Payment confirmation" ends, or says of what. */
const TITLE_END = '(?= *(?:$|[.:–—-]|for(?!\\p{L})|of(?!\\p{L})|from(?!\\p{L})|no(?!\\p{L})|#|\\p{Nd}))';
const WE = "we(?:'ve| have)? (?:now |just |successfully |today )?";

/** English. */
export const EN: LanguageTable = {
  code: 'en',
  frames: [
    { id: 'has been', pattern: `(?:has|have|had|\\p{L}+'(?:s|ve)) ${NOW}been ${NOW}W`, confidence: 0.96 },
    { id: 'was', pattern: `(?:was|were) ${NOW}W`, confidence: 0.95 },
    { id: 'is', pattern: `(?:is|are|\\p{L}+'(?:s|re)) ${NOW}W`, confidence: 0.9 },
    { id: 'have', pattern: `(?:have|has|had|\\p{L}+'ve) ${NOW}W ${OBJECT}`, confidence: 0.93 },
    { id: 'did', pattern: `(?:i|we|they|he|she) ${NOW}W ${OBJECT}`, confidence: 0.9 },
    { id: 'alone', pattern: `W${END}`, confidence: 0.85, bare: true },
  ],
  topics: {
    payment: {
      verbs: 'pay paid payment settle transfer remit',
      forms: [
        { words: 'paid in full|settled in full', ceiling: 0.97 },
        { words: 'paid|settled|paid off', ceiling: 0.96 },
      ],
      phrases: [
        {
          id: 'money was taken',
          pattern: `${WE}(?:taken|took|collected|debited|charged)(?: [^ ;!?]+){0,4}? (?:${AMOUNT}|to your (?:card|account)|(?:your |the )?(?:[\\p{L}']+ ){0,2}?(?:payment|direct debit|instal?ment|premium|bill))`,
          confidence: 0.89,
        },
        {
          id: 'you paid',
          pattern: `(?:you|you have) (?:just )?(?:paid|sent) (?:a payment of )?${AMOUNT}`,
          confidence: 0.89,
        },
        {
          id: 'card was charged',
          pattern: `(?:card|account)${FEW} (?:has been|was) (?:charged|debited)|${AMOUNT}${FEW} (?:has been|was) (?:debited|charged|collected|taken)|amount${FEW} (?:has been|was) debited`,
          confidence: 0.89,
        },
        {
          id: 'payment of … was successful',
          pattern: `payment ${WHAT_FOR} (?:was|has been|is) (?:successful|completed|confirmed|processed|made|taken|accepted)`,
          confidence: 0.93,
        },
        { id: 'thank you for paying', pattern: '(?:thank you|thanks|many thanks) for paying', confidence: 0.89 },
        {
          id: 'payment confirmation',
          pattern: `payment (?:confirmation|receipt)${TITLE_END}|amount paid(?=:? *${AMOUNT})`,
          confidence: 0.84,
        },
        { id: 'marked as paid', pattern: '(?:marked|shown|recorded|showing) as (?:fully )?paid', confidence: 0.89 },
        {
          id: 'nothing is owed',
          pattern:
            'account is (?:now )?(?:fully )?(?:up to date|paid up|settled|clear)(?:(?: and|,) nothing (?:more )?is (?:owed|due))?',
          confidence: 0.84,
          negative: true,
        },
        {
          id: 'standing order executed',
          pattern: '(?:standing order|payment order|transfer) (?:was|has been) (?:executed|carried out|sent|completed)',
          confidence: 0.89,
        },
        {
          id: 'payment was credited',
          pattern: `payment${FEW} (?:has been|was) (?:credited|posted|allocated|accepted|made|collected|taken)`,
          confidence: 0.89,
        },
        {
          id: 'payment received',
          pattern: `payment (?:(?:has been |was |is )?|${WHAT_FOR} (?:has been |was ))(?:successfully |safely )?received`,
          confidence: 0.97,
        },
        {
          id: 'received your payment',
          pattern:
            "(?:we|i)(?:'ve| have)? (?:now |just |duly |successfully )*received (?:your|the|full|this) (?:full |final |bank |deposit )?(?:payment|transfer|remittance|deposit)",
          confidence: 0.97,
        },
        {
          id: 'payment went through',
          pattern:
            'payment (?:has |was |is )?(?:now )?(?:gone through|went through|cleared|successful|completed|complete|confirmed|processed)',
          confidence: 0.93,
        },
        {
          id: 'thank you for your payment',
          pattern: '(?:thank you|thanks|many thanks) for (?:your|the) (?:prompt )?payment',
          confidence: 0.92,
        },
        {
          id: 'money has come in',
          pattern: `${MONEY}${SUM} (?:has |have |was |is )?(?:now |just )?(?:been received|received|arrived|reached us|come in|come through)`,
          confidence: 0.93,
        },
      ],
      spoiltBy:
        'paid (?:back|out)|refund\\p{L}*|reimburs\\p{L}*|paid (?:leave|holidays?|vacation|time off|plan|version|tier|subscription|accounts?|ads?|search|parking|members?|features?|(?:no |close |much |little )?attention|(?:a |the )?(?:visit|price|tribute))|(?:well|poorly|badly|under|over|highly|low) paid|settled (?:in(?! full)|into|down|on (?:a|an|the)|the (?:score|argument))|credited back|returned to (?:your|the) (?:card|account)|money back',
      doubtedBy: 'towards|on account',
      contradictedBy:
        '(?:un|part[- ])paid|payment (?:has |was |is )?(?:failed|declined|rejected|returned|reversed|bounced|overdue|outstanding|pending)|outstanding (?:balance|amount|payment|invoice)|still (?:owe|owing|outstanding|open|due|unpaid)|bounced|chargeback',
    },
    signature: {
      verbs: 'sign signature countersign',
      forms: [{ words: 'signed|countersigned|executed by (?:all|both) parties', ceiling: 0.96 }],
      phrases: [
        {
          id: 'all have signed',
          pattern:
            '(?:everyone|everybody|all parties|both parties|all signers|all signatories) (?:has|have) (?:now )?signed',
          confidence: 0.95,
        },
        {
          id: 'document completed',
          pattern: '(?:document|envelope|agreement) (?:has been|was|is) (?:now )?(?:fully )?(?:signed|executed)',
          confidence: 0.93,
        },
        {
          id: 'the signed paper is here',
          pattern:
            '(?:counter)?signed (?:[\\p{L}-]+ ){1,4}?(?:is here|has arrived|arrived|has reached us|is with us|came back)',
          confidence: 0.9,
        },
      ],
      spoiltBy:
        'signed (?:up|in|out|off|on|for)|signed[- ]in|signed (?:jersey|shirt|copy of (?:his|her)|by default|sealed)|(?:seller|buyer|landlord|landlady|tenant|vendor|purchaser|lessor|lessee|other (?:side|party)|counterparty|opponent|contractor)s? (?:has|have|had|already)|signed by (?:the|your) (?:seller|buyer|landlord|tenant|vendor|purchaser|other (?:side|party)|counterparty)s?(?! and)|(?:one|two|\\p{Nd}) (?:out )?of (?:the )?(?:two|three|four|\\p{Nd}) (?:sign\\p{L}*|parties|copies)',
      // What one side has signed, not everybody has.
      doubtedBy: 'signed by(?! (?:all|both|every|each|you|us|me|everyone|everybody|the parties)(?![\\p{L}\\p{N}]))',
      contradictedBy: 'unsigned|(?:still|remains?) to be signed|signature is missing|missing signature',
    },
    delivery: {
      verbs: 'deliver delivery receive arrive collect order ship send post',
      forms: [{ words: 'delivered|handed over', ceiling: 0.95 }],
      phrases: [
        {
          id: 'left with',
          pattern: `(?:parcel|package|item|order|delivery)${FEW} (?:has been|was) (?:left|handed)(?= (?:with|to|in|at|on|by|over))`,
          confidence: 0.92,
        },
        {
          id: 'collected',
          pattern: `(?:parcel|package|item|order)${FEW} (?:has been|was) (?:collected|picked up)(?= (?:from|at|by))`,
          confidence: 0.9,
        },
        {
          id: 'return received',
          pattern: `${WE}received (?:your|the) (?:returned? )?(?:return|parcel|package|items?)`,
          confidence: 0.88,
          onlyAsked: true,
        },
        { id: 'has arrived', pattern: `(?:has|have|\\p{L}+'(?:s|ve)) ${NOW}arrived`, confidence: 0.94 },
        { id: 'arrived', pattern: `arrived${END}`, confidence: 0.84 },
      ],
      spoiltBy:
        'payments?|deposit|fees?|rent|inbox|mailbox|e-?mails?|messages?|newsletter|notifications?|deliver(?:ed|s)? (?:a |an |the |great |strong |good )*(?:speech|talk|lecture|keynote|results?|value|presentation|service|performance)',
      doubtedBy: '',
      contradictedBy:
        'undelivered|undeliverable|(?:delivery|parcel) (?:has |was )?(?:failed|returned|lost|delayed)|return(?:ed)? to sender|we missed you|missed delivery',
    },
    completion: {
      verbs: 'complete finish finalise finalize submit file do lodge return apply register report',
      forms: [
        {
          words: 'completed|finished|finalised|finalized|submitted|resolved|filed|lodged|handed in',
          ceiling: 0.94,
        },
      ],
      phrases: [
        {
          id: 'received your application',
          pattern: `${WE}(?:safely )?received (?:your|the) (?:[\\p{L}-]+ ){0,2}?(?:application|claim|form|request|registration|tax return|submission|documents?|declaration|meter reading|report)`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'application was received',
          pattern: `(?:application|claim|form|request|registration|tax return|submission|documents?|declaration|meter reading)${FEW} (?:has|have|was|were|is|are) (?:been |now )*received`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'change was processed',
          pattern: `(?:meter reading|change of address|registration|request|enrolment|name change|submission)${FEW} (?:has been|was) (?:successfully )?(?:processed|accepted|registered|recorded|updated)`,
          confidence: 0.9,
        },
        {
          id: 'registration was successful',
          pattern: '(?:registration|enrolment|submission|upload) (?:was|is) (?:successful|complete)',
          confidence: 0.86,
        },
        {
          id: 'is complete',
          pattern: '(?:is|are) (?:now |all )?(?:complete|finished)|(?:is|are) now (?:done|ready)',
          confidence: 0.88,
        },
        { id: 'is done', pattern: '(?:is|are) (?:all )?done', confidence: 0.84 },
      ],
      spoiltBy:
        'cancellation|refund|completed (?:form|application|questionnaire)s?|\\d+ ?% (?:complete|finished)|(?:half|nearly|almost)[- ](?:complete|finished)',
      doubtedBy: '',
      contradictedBy: 'incomplete|unfinished',
    },
    approval: {
      verbs: 'approve approval permit accept grant',
      forms: [{ words: 'approved|granted', ceiling: 0.93 }],
      phrases: [
        {
          id: 'application was successful',
          pattern: `(?:application|claim|request|appeal)${FEW} (?:has been|was|is) (?:successful|accepted)`,
          confidence: 0.9,
        },
        {
          id: 'offer you a place',
          pattern:
            '(?:pleased|delighted|happy) to (?:offer (?:you|[\\p{L}]+) (?:a|the) (?:place|position|job)|confirm (?:your|a|the) place)',
          confidence: 0.84,
        },
        {
          id: 'was issued',
          pattern: `(?:visa|permit|passport|licen[cs]e|certificate)${FEW} (?:has been|was) issued`,
          confidence: 0.92,
        },
      ],
      spoiltBy:
        'pre-?approved|approved (?:supplier|list|vendor|dealer)s?|take(?:n)? for granted|granted (?:that|access)',
      doubtedBy: '',
      contradictedBy: '(?:rejected|refused|denied)',
    },
    booking: {
      verbs: 'order book reserve reservation booking buy arrange schedule',
      forms: [
        { words: 'booked|reserved|ordered', ceiling: 0.92 },
        { words: 'dispatched|shipped', ceiling: 0.88, onlyAsked: true },
      ],
      phrases: [
        {
          id: 'booking is confirmed',
          pattern: `(?:booking|reservation|stay|table|tickets?|seats?|flights?|order|trip|rental|room|purchase)${FEW} (?:is|are|has been|have been|was|were) (?:now )?confirmed`,
          confidence: 0.92,
        },
        {
          id: 'appointment is confirmed',
          pattern: `(?:appointment|viewing|visit|meeting|consultation|slot|test|lesson)${FEW} (?:is|has been|was) (?:now )?confirmed`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'booking confirmation',
          pattern: `(?:booking|reservation|order|flight|hotel) confirmation${TITLE_END}`,
          confidence: 0.84,
        },
        {
          id: 'ticket is attached',
          pattern: `e-?tickets?${FEW} (?:is|are) (?:attached|ready|enclosed)`,
          confidence: 0.88,
        },
        {
          id: 'thank you for your order',
          pattern: '(?:thank you|thanks) for your (?:order|booking|reservation|purchase)',
          confidence: 0.86,
          onlyAsked: true,
        },
        {
          id: 'we have confirmed',
          pattern: `${WE}confirmed your (?:booking|reservation|order|stay)`,
          confidence: 0.92,
        },
        {
          id: 'on its way',
          pattern: `(?:order|parcel|package|items?)${FEW} (?:is|are) (?:now )?on (?:its|the|their) way|order${FEW} has shipped`,
          confidence: 0.86,
          onlyAsked: true,
        },
      ],
      spoiltBy: '(?:fully|over|double|heavily)[- ]?booked|rights reserved|(?:is|are) reserved for',
      doubtedBy: '',
      contradictedBy:
        '(?:booking|reservation) (?:has |was )?(?:failed|cancell?ed|declined)|sold out|not (?:yet )?confirmed',
    },
    renewal: {
      verbs: 'renew renewal extend prolong',
      forms: [{ words: 'renewed', ceiling: 0.93 }],
      phrases: [
        { id: 'was extended', pattern: '(?:has|have) been extended (?:by|for)', confidence: 0.9 },
        {
          id: 'renewal confirmed',
          pattern:
            'renewal (?:is|has been|was) (?:now )?(?:confirmed|complete|completed)|(?:has|have) (?:automatically )?renewed',
          confidence: 0.9,
        },
      ],
      spoiltBy: 'renewed (?:interest|vigou?r|hope|focus|energy|calls?)',
      doubtedBy: '',
      contradictedBy: '(?:has |was |is )?(?:expired|lapsed)',
    },
    cancellation: {
      verbs: 'cancel terminate unsubscribe close end stop quit',
      forms: [
        { words: 'cancelled|canceled|called off|abandoned', ceiling: 0.96 },
        { words: 'withdrawn', ceiling: 0.9 },
      ],
      phrases: [
        {
          id: 'cancelled for good',
          pattern:
            "(?:has|have|had) been (?:now )?(?:cancelled|canceled) and (?:it )?(?:will not|won't) (?:renew|be (?!cancelled|canceled)\\p{L}+)",
          confidence: 0.94,
          negative: true,
        },
        {
          id: 'we have closed your account',
          pattern: `${WE}(?:closed|cancelled|canceled|ended|terminated|deactivated|deleted) (?:your|the) (?:[\\p{L}-]+ ){0,2}?${DEAL}`,
          confidence: 0.93,
        },
        {
          id: 'account was closed',
          pattern: `${DEAL}${FEW} (?:has|have|was|is) (?:now |already )?(?:been )?(?:closed|deleted|terminated|ended|lapsed|deactivated)`,
          confidence: 0.91,
        },
        {
          id: 'confirm the cancellation',
          pattern: `confirm(?:s|ed|ing)? (?:the |your |receipt of (?:the|your) )?(?:cancellation|termination)|(?:cancellation|termination) (?:is |has been |was )?(?:confirmed|complete)|cancellation confirmation${TITLE_END}`,
          confidence: 0.92,
        },
        {
          id: 'is not going ahead',
          pattern:
            "(?:(?:won't|will not|is not|isn't|are not|aren't) (?:now )?(?:be )?(?:going ahead|go ahead|take place|taking place|happening|be held)|will no longer (?:take place|go ahead|be held|run)|(?:has|have) had to be (?:cancelled|canceled|called off))",
          confidence: 0.92,
          negative: true,
        },
        {
          id: 'no longer needed',
          pattern: "(?:is|are|\\p{L}+'(?:s|re)) no longer (?:needed|required|necessary|going ahead|taking place)",
          confidence: 0.93,
          negative: true,
        },
        { id: 'fell through', pattern: '(?:fell|has fallen|have fallen) through', confidence: 0.88 },
      ],
      spoiltBy:
        'noise[- ]cancell?|(?:payment|transfer|transaction|reminder|approval|direct debit|cancellation)s?[^.;]{0,60}(?:cancell?ed|withdrawn)|cancell?ed (?:che(?:ck|que)|stamps?)|withdrawn from your (?:bank )?(?:account|card)|(?:[€$£] ?\\d[\\d.,]{0,15}|\\d[\\d.,]{0,15} ?(?:€|eur|usd|chf|gbp)|cash|amount|money)[^.]{0,40}withdrawn',
      // After a cancelled booking, the thing may have to be booked again.
      doubtedBy: 'booking|reservation',
      contradictedBy:
        'rescheduled|new date|reinstated|another (?:one|date|slot|time|appointment)|new (?:one|slot|time)|re-?book|book again|re-?arrange|cancellation (?:has been |was |is )?(?:withdrawn|reversed|revoked|lifted|undone)|(?:is |back )on again|goes ahead',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'closed|concluded|terminated|ended|wound up', ceiling: 0.93 }],
      phrases: [],
      spoiltBy: 'closed (?:for|on|until|today)',
      doubtedBy: '',
      contradictedBy: 'reopened|still open',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'revoked|rescinded', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: 'access revoked',
      doubtedBy: '',
      contradictedBy: 'reinstated',
    },
  },
  affairs: {
    ended:
      'complete|completed|finished|finalised|finalized|resolved|done|no longer (?:going ahead|taking place)|(?:fell|fallen) through|cancelled|canceled|called off|abandoned|withdrawn',
    affair:
      'purchase|sale|case|matter|affair|file|dossier|project|proceedings?|transaction|deal|move|subscription|membership|tenancy',
    contract: 'contract|agreement|lease|policy',
    contractMade: 'closed|concluded|complete|completed|finalised|finalized|done',
    excepted: 'except(?:ing|ed)?|apart from|aside from|save for|other than|only|still|remains?|remaining|phase|stage',
  },
  dates: [
    {
      id: 'moved to',
      pattern:
        '(?:moved|rescheduled|postponed|pushed(?: back)?|put back|brought forward|deferred|shifted|adjourned) (?:it |this |that |them |(?:the|our|your) [\\p{L}-]+ )?(?:from [^;!?]{1,40}? )?(?:to|until|till)',
      confidence: 0.94,
    },
    {
      id: 'rescheduled for',
      pattern: '(?:rescheduled|re-scheduled|rebooked|re-booked|rearranged) (?:it |this |that )?(?:for|to)',
      confidence: 0.94,
    },
    {
      id: 'new date',
      pattern:
        'new (?:[\\p{L}-]+ ){0,2}?(?:date|deadline|due date|appointment)(?: is| will be| has been set (?:for|to))?:?',
      confidence: 0.93,
    },
    { id: 'extended to', pattern: 'extended (?:to|until|till)', confidence: 0.93 },
    {
      id: 'deadline is',
      pattern: '(?:deadline|due date)(?: for [^,;:.!?]{1,60}?)?(?: is| has been set (?:for|to)|:)',
      confidence: 0.92,
    },
    { id: 'due on', pattern: '(?:is|are|falls|becomes|now) due(?: on| by|:)?', confidence: 0.91 },
    { id: 'due', pattern: 'due (?:on|by)|payable by', confidence: 0.88 },
    {
      id: 'now takes place on',
      pattern: '(?:now|instead) (?:takes? place|be held|scheduled|booked) (?:on|for)',
      confidence: 0.9,
    },
  ],
  requests: [
    {
      id: 'please do',
      pattern:
        '(?:please|kindly) (?:also )?(?:sign|countersign|pay|send|e-?mail|confirm|review|provide|return|complete|call|ring|reply|respond|submit|approve|upload|forward|fill (?:in|out)|transfer|check|arrange|book|bring|prepare|register|renew|advise|settle|remit|schedule|choose|supply)',
      confidence: 0.85,
    },
    {
      id: 'could you',
      pattern:
        '(?:could|can|would|will) you (?:please |kindly |also |possibly )*(?:sign|countersign|pay|send|e-?mail|confirm|review|provide|return|complete|call|ring|reply|respond|submit|approve|upload|forward|fill (?:in|out)|transfer|check|arrange|book|bring|prepare|supply|schedule|tell|let (?:me|us) (?:know|have))',
      confidence: 0.85,
    },
    {
      id: 'we need your',
      pattern:
        "(?:we|i) (?:still |also |urgently )*(?:need|require|await|are waiting for|'re waiting for|am waiting for) (?:your|a copy|the signed|you to)",
      confidence: 0.85,
    },
    {
      id: 'action required',
      pattern: '(?:action|signature|approval|response|payment) (?:is )?(?:required|needed)',
      confidence: 0.8,
    },
    {
      id: 'waiting for',
      pattern: '(?:blocked (?:on|by)|waiting (?:for|on)|on hold (?:until|pending)|held up by)',
      confidence: 0.75,
    },
  ],
  cues: {
    questionOpeners:
      'which|has|have|had|is|are|was|were|did|do|does|can(?! (?:confirm|report))|could|would|will|should|may|might|when|who|why|how|where|what|any (?:news|update|idea)',
    inverted:
      '(?:i|we) (?:wonder|would like to know) (?:if|whether)|any idea (?:if|whether)|do you know (?:if|whether)',
    neutral:
      "no (?:further |other |additional )?(?:action|steps?|reply|response)(?: (?:is|are))?(?: (?:required|needed|necessary))?|no (?:need|problem|worries|doubt|later than)|not to worry|(?:do not|don't) (?:hesitate|reply|worry)|nothing (?:else|more|further)|not only|no less than|no\\.? ?(?=[\\p{L}]{0,4}[-/]?\\d)|invoice no|order no|ref no|without (?:further )?(?:delay|problems?|issues?|incident)|without any problems?|(?:i|we|to|can|hereby|herewith|happy to|pleased to|like to|and) (?:hereby |can |now )*confirm that",
    negation:
      "not|never|no|none|nobody|nothing|neither|nor|without|hardly|barely|scarcely|cannot|failed to|fails to|unable|refus(?:ed|es) to|declin(?:ed|es) to|instead of|rather than|far from|yet to|doubt|impossible|\\p{L}+n't|(?:has|is|was|have|did|does|do|are|were|wo|ca|ai)nt",
    condition:
      'step \\p{Nd}|if|or (?:the|your|we|it|they|else)|where|depending|in the event|otherwise|once|when|whenever|unless|until|till|provided(?: that)?|providing|assuming|whether|in case|as soon as|as long as|before|after|by the time|subject to|pending|upon|should you|were it',
    conditionBehind:
      'if|once|unless|until(?! (?:the )?(?:\\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|provided|providing|subject to|pending|as soon as|upon|when',
    conditionForDates: 'if|depending|in the event|unless|whether|in case|provided(?: that)?|assuming|subject to',
    ifs: 'if|whether|should you',
    future:
      "will(?! (?:has|have been|was|is|and))|shall|\\p{L}+'ll|going to|about to|to be|to have|being|soon|shortly|would|can|could|may(?= (?:be|have|not|well|get))|might|must|should(?! have)|ought|needs?|ha(?:s|ve|d) to|wants?|wish(?:es)?|hop(?:e|es|ing)|intends?|intention|expect(?:s|ed|ing)?|planned|plan(?:s|ning)? to|waiting|awaiting|await|ready to|try(?:ing)?|tried to|promised? to|agreed to|get|gets|getting|so that|in order|supposed|due to be|scheduled to|asking|asked (?:that|for|to|you|us)|requires?|let'?s|mark (?:it|this|that|them|the|all|as|every)|treat|consider|pretend|tomorrow",
    futureForDates:
      "would|could|can|might|should|may(?= (?:be|have|not|well|get))|wants?|wish(?:es)?|hop(?:e|es|ing)|try(?:ing)?|ask(?:ed|ing)?|let'?s|like to|suggest\\p{L}*|propos\\p{L}*|motion|vote",
    futureBehind: 'to be|will be|shortly',
    request:
      'please(?! (?:note|be (?:advised|informed|aware)|find|see))|kindly|make sure|ensure|let (?:us|me) know|confirm (?:that|whether|if)(?= )|remind',
    partial:
      'partial(?:ly)?|so far|less(?= [€$£\\d])|minus|deduct(?:ing|ion|ed)|\\d[\\d.,]{0,12} ?(?:€|£|eur|euros?|chf)? ?(?:of|von|sur|di|van|de) (?:[€£$] ?\\d|\\d[\\d.,]{0,12} ?(?:€|£|eur|euros?|chf|pounds))|only|every(?:one|body) but|partly|half|a part|part of|some of|almost|nearly|except(?: for)?|all but|apart from|(?:first|second|third|next) (?:instal?ment|half|part)|(?<!(?:last|final) )instal?ments?|remainder|remaining',
    stillOpen: 'unpaid|unsigned|outstanding|overdue|awaiting|still (?:open|owe|owing|due|missing)',
    hedge:
      "of course|yeah,? right|so much for|joking|kidding|according to|(?:our|my|her|his|their) own|heard|writes|led to believe|under the impression|news to (?:us|me|him|her|them)|(?:hasn't|haven't|isn't|aren't|wasn't|weren't|didn't) (?:it|they|you|we|he|she)|wrote that|i think|i believe|looks? (?:like|as if)|rumou?rs?|imagine|dreamt|dreamed|is said|said|i wish|i guess|i assume|i suppose|we think|we believe|probably|perhaps|maybe|apparently|seems?|seemingly|supposedly|should have|presumably|possibly|likely|allegedly|reportedly|as far as i know|afaik|was told|were told|i heard|told me|says|(?:he|she|they|it|who) claims?|claims? that|claimed|somebody said|someone said|hopefully|technically|thought",
    past: "last (?:season|term|month|quarter)(?:'s)?|(?:the )?previous",
    goneWrong:
      'wrong(?:ly)?|on hold|fraud|blocked|suspended|under review|mistaken(?:ly)?|by mistake|in error|erroneously|twice|damaged|broken|insufficient|too (?:little|late)|different',
    that: 'that',
    announced:
      'confirm\\p{L}*|inform\\p{L}*|advise|note|tell you|let you know|to (?:say|report|see)|glad|happy|pleased|delighted|aware',
    somebodyElse:
      "another (?:customer|client|child|family|person|buyer|member|guest|patient|tenant|party|bidder|supplier|applicant|company|club)|(?:someone|somebody) else|next door|of (?:your|his|her|their|our) (?:neighbou?r|father|mother|brother|sister|colleague)s?|(?:neighbou?r|father|mother|brother|sister|colleague)'s|(?:\\p{N}[\\p{N}.,]{0,12}|many|most(?: of)?(?: the)?|several|some|other|all other) (?:[^ ,;.!?]+ ){0,2}?(?:families|parents|members|people|customers|clients|guests|neighbou?rs|colleagues|participants|tenants|households|players|users|residents|owners|students|pupils|children|teams|others) (?:have|has|had|already|all)|(?:paid|signed|booked|cancelled|submitted) by (?:\\p{N}[\\p{N}.,]{0,12}|many|most(?: of)?(?: the)?|several|some|other) (?:families|parents|members|people|customers|clients|others)",
    turns: 'but|however|though|although|except',
    relative: 'that|which|who',
    clauseBreaks: '(?<!(?:one|body|thing|all|nothing) )but|however',
    and: 'and|so',
    subjects: 'we|i|you|they|he|she|it|there',
    takenBack:
      'scratch that|(?:ignore|disregard) (?:this|that|it|my|our)|my (?:mistake|error)|(?:i|we) (?:was|were) wrong|sorry, wrong|(?:only|just) a test|test (?:mail|message)|preview of|an example of|a sample of',
    longAgo: "in 19\\d\\d|last year(?:'s)?|years? ago|back in|former|previous (?:years?|owners?|tenants?)|in the past",
    moneyBack:
      'paid back|refund\\p{L}*|reimburs\\p{L}*|credited back|returned to (?:your|the) (?:card|account)|money back',
    replaced:
      're-?booked|rescheduled|rearranged|replaced (?:by|with)|postponed|put off|instead|in its place|alternative (?:date|flight|train)|new (?:date|appointment|time|slot|booking|flight|train)',
    notDue: 'expir\\p{L}*|valid|validity',
    machine:
      'https?(?!:)|ping|uptime|downtime|cron ?jobs?|pipeline|deployments?|deployed|commit|pull request|merge request|dns|cpu|disk usage|latency|endpoint|webhook|monitoring|servers?|backups?|build (?:#|no)|cluster|unit tests?',
  },
  spoken: {
    yes: 'ok|okay|yes|yep',
    opening: 'hi|hey|so|done|all done|fyi|update',
    deeds: {
      payment: { verbs: 'pay transfer settle', words: 'paid|transferred|settled|wired' },
      sending: {
        verbs: 'send submit mail email forward post return upload file hand give bring',
        words:
          'sent(?: off| over| out| back| in)?|submitted|e?mailed|forwarded|posted|returned|uploaded|filed|handed (?:in|over)|dropped off|gave|brought',
      },
      signature: { verbs: 'sign countersign', words: 'signed|countersigned' },
      booking: { verbs: 'book order reserve buy', words: 'booked|ordered|reserved|bought' },
      call: {
        verbs: 'call phone ring ask contact',
        words: 'called|phoned|rang|spoke (?:to|with)|talked to|contacted',
      },
    },
    frame:
      "(?:(?:i|we)(?:'ve| have| had)? )?(?:just |already |now |finally |also ){0,4}(?:~)(?= (?:the|your|our|my|his|her|their|this|that|these|those|it|them|all|both|everything|a|an|off|over|you|to|in|with|\\p{Lu}))",
    frameOpensClause: true,
    allDone: "(?:it(?:'s| is) |that(?:'s| is) |all )?(?:done|sorted|taken care of)",
    requests: [
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
    ],
  },
  names: {
    small: `the an this that these those it its they them their he his she her we us our you your my me mine dear hello hi sir
      madam and or so as of to in on at by for from with within about via per re regarding concerning is are was were be been
      being am has have had having do does did will now already just since both all fully finally officially successfully
      hereby also today yesterday here there then thus therefore herewith well duly properly safely recently formally promptly
      kindly indeed thank thanks many please note news good great glad happy pleased delighted able can confirm confirmed
      confirmation inform informed let know say report everything full completely entirely whole date effect effective
      immediately morning afternoon evening day week number no nr ref reference mr mrs ms dr party parties side sides received
      arrived come reached through complete done finished moved rescheduled postponed new gone went cleared successful
      confirmed processed january february march april may june july august september october november december jan feb mar
      apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday`,
    generic: `ve ll re taken took collected charged debited credited dispatched shipped sent received confirmed issued offered left handed marked processed accepted executed attached
      parcel package item items order invoice bill payment appointment booking reservation contract agreement document documents
      form application claim account subscription policy membership delivery amount balance reference customer code total price
      fee deposit sum transfer direct debit card bank receipt statement request service team online month year client post
      place time visit meeting`,
    stop: 'a an the of for to in on at by and or with from my our your his her its is are be it this that re fw fwd task matter new',
    articles: 'the a an my our',
    salutation: 'dear|hello|hi',
    several: 'and|or|plus',
    abbreviations: 'mr|mrs|ms|dr|prof|no|nos|inv|ref|approx|e\\.g|i\\.e|st|vs|dept|fig|p|pp',
  },
  quoting: {
    originalMessage: 'original message|original appointment|forwarded (?:message|by .{1,80})',
    beginForwarded: 'begin forwarded message',
    attributionOpens: 'on',
    wrote: 'wrote',
    from: 'from',
    headers: 'sent|date|to|cc|subject',
    sentFrom: 'sent from my \\S.{0,40}|get outlook for \\S+',
    replyMarks: 're|fw|fwd|sv',
  },
};
