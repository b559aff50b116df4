import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:en|op|per|door)(?![\\p{L}\\p{N}])))';
/** Up to eight words between a helping verb and its participle. */
const MIDDLE = '(?: [^ ,;.!?]+(?:[.,]\\p{Nd}[\\p{Nd}.,]{0,15})?(?:\\.(?= ))?){0,8}?';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:betaling|overboeking|bedrag|contributie|aanbetaling|premie|borg)';

/** A sum of money, as notifications write it. */
const AMOUNT = '(?:[€£$] ?\\p{Nd}[\\p{Nd}.,]{0,15}|\\p{Nd}[\\p{Nd}.,]{0,15} ?(?:€|euro|eur)(?!\\p{L}))';
const PARCEL = '(?:pakket|pakje|bestelling|zending|levering)';
const DEAL = '(?:rekening|account|abonnement|contract|lidmaatschap|polis|overeenkomst)';
const OCCASION =
  '(?:trein|vlucht|bijeenkomst|vergadering|concert|les|cursus|training|afspraak|rit|wedstrijd|voorstelling|\\p{L}*avond)';

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
          id: 'afgeschreven',
          pattern: `(?:hebben|heb|heeft)(?: [^ ;!?]+){0,3}? ${AMOUNT}${MIDDLE} (?:afgeschreven|geïncasseerd)|(?:bedrag|factuur|contributie|premie|termijn|incasso|${AMOUNT})${MIDDLE} (?:afgeschreven|geïncasseerd|uitgevoerd)`,
          confidence: 0.89,
        },
        {
          id: 'u hebt betaald',
          pattern: `(?:u|je) (?:hebt|heeft|hebt zojuist) (?:een betaling van )?${AMOUNT}${MIDDLE} (?:betaald|gedaan|overgemaakt|gestuurd)`,
          confidence: 0.89,
        },
        {
          id: 'bedankt voor uw betaling',
          pattern: '(?:bedankt|dank|danken u) voor (?:uw|je|de) (?:snelle )?betaling',
          confidence: 0.89,
        },
        {
          id: 'betaalbevestiging',
          pattern: 'betaal(?:bevestiging|bewijs)|betalingsbevestiging|bevestiging van (?:uw|je) betaling',
          confidence: 0.84,
        },
        {
          id: 'betaling gelukt',
          pattern: `(?:betaling|overboeking|incasso)${MIDDLE} (?:gelukt|geslaagd|verwerkt|uitgevoerd|geaccepteerd|bijgeschreven)`,
          confidence: 0.92,
        },
        {
          id: 'betaling ontvangen',
          pattern: `${MONEY}${MIDDLE} (?:ontvangen|binnen|bijgeschreven)`,
          confidence: 0.93,
        },
      ],
      spoiltBy: 'terug\\p{L}*',
      doubtedBy: 'aanbetaling op',
      contradictedBy:
        'onbetaald|niet betaald|betaling (?:is )?(?:mislukt|geweigerd|geannuleerd)|nog te betalen|gestorneerd',
    },
    signature: {
      verbs: 'ondertekenen tekenen handtekening',
      forms: [{ words: 'ondertekend|getekend', ceiling: 0.93 }],
      phrases: [
        {
          id: 'iedereen heeft getekend',
          pattern: `(?:iedereen|alle partijen|beide partijen)${MIDDLE} (?:getekend|ondertekend)`,
          confidence: 0.95,
        },
      ],
      spoiltBy:
        '(?:wederpartij|tegenpartij|andere partij|verkopers?|kopers?|verhuurders?|huurders?|eigenaar) (?:heeft|hebben|had)|(?:heeft|hebben) de (?:wederpartij|tegenpartij|andere partij|verkopers?|kopers?|verhuurders?|huurders?|eigenaar)|(?:een|één|\\p{Nd}) van de (?:twee|drie|vier|\\p{Nd}) (?:ondertekenaars|handtekeningen|partijen)|\\p{Nd} van \\p{Nd} handtekeningen',
      doubtedBy: 'door de (?:ver)?koper',
      contradictedBy: 'niet ondertekend|handtekening ontbreekt|nog te tekenen',
    },
    delivery: {
      verbs: 'bezorgen leveren ontvangen ophalen bestelling retourneren versturen sturen',
      forms: [{ words: 'bezorgd|geleverd|afgeleverd|ontvangen|aangekomen', ceiling: 0.92 }],
      phrases: [
        {
          id: 'pakket opgehaald',
          pattern: `${PARCEL}${MIDDLE} (?:opgehaald|afgegeven|achtergelaten|bezorgd|afgeleverd)`,
          confidence: 0.92,
        },
        {
          id: 'retour ontvangen',
          pattern: `retour(?:zending|pakket)?${MIDDLE} (?:ontvangen|binnen)`,
          confidence: 0.88,
          onlyAsked: true,
        },
      ],
      spoiltBy: 'betaling|bericht|e-?mail|opzegging|aanvraag|aangifte',
      doubtedBy: '',
      contradictedBy: 'niet thuis|onbestelbaar|vertraagd|retour afzender',
    },
    completion: {
      verbs: 'indienen afronden aanvragen inschrijven aanmelden invullen versturen doorgeven',
      forms: [{ words: 'afgerond|voltooid|ingediend|afgehandeld|klaar', ceiling: 0.91 }],
      phrases: [
        {
          id: 'aanvraag ontvangen',
          pattern: `(?:aanvraag|aangifte|aanmelding|inschrijving|formulier|documenten|melding|sollicitatie|declaratie)${MIDDLE} (?:ontvangen|binnen|in behandeling genomen)`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'aangifte verzonden',
          pattern: `(?:aangifte|aanvraag|formulier|declaratie)${MIDDLE} (?:verzonden|ingediend|verstuurd)`,
          confidence: 0.9,
        },
        {
          id: 'wijziging verwerkt',
          pattern: `(?:verhuizing|adreswijziging|wijziging|meterstand\\p{L}*|aanmelding|inschrijving|aanvraag)${MIDDLE} (?:verwerkt|doorgegeven|geregistreerd|gelukt)`,
          confidence: 0.9,
        },
      ],
      spoiltBy: 'half klaar|bijna klaar|\\d+ ?% (?:klaar|voltooid)|opzegging|klaargemaakt|klaar om',
      doubtedBy: '',
      contradictedBy: 'onvolledig',
    },
    approval: {
      verbs: 'goedkeuren goedkeuring',
      forms: [{ words: 'goedgekeurd|toegekend', ceiling: 0.91 }],
      phrases: [
        {
          id: 'aanvraag toegewezen',
          pattern: `(?:aanvraag|verzoek|bezwaar|declaratie)${MIDDLE} (?:gehonoreerd|toegewezen|geaccepteerd|ingewilligd)`,
          confidence: 0.92,
        },
        {
          id: 'een plaats aanbieden',
          pattern: `bieden (?:u|je|wij u|we je)${MIDDLE} (?:plaats|plek)`,
          confidence: 0.84,
        },
        {
          id: 'visum afgegeven',
          pattern: `(?:visum|paspoort|vergunning|rijbewijs|verklaring)${MIDDLE} (?:afgegeven|verleend|verstrekt)`,
          confidence: 0.92,
        },
      ],
      spoiltBy: 'vooraf goedgekeurd',
      doubtedBy: '',
      contradictedBy: 'afgewezen|geweigerd',
    },
    booking: {
      verbs: 'boeken reserveren bestellen kopen afspreken',
      forms: [
        { words: 'geboekt|gereserveerd|besteld', ceiling: 0.91 },
        { words: 'verzonden|verstuurd', ceiling: 0.88, onlyAsked: true },
      ],
      phrases: [
        {
          id: 'boeking bevestigd',
          pattern: `(?:boeking|reservering|bestelling|verblijf|tickets?|tafel|aankoop)${MIDDLE} bevestigd`,
          confidence: 0.92,
        },
        {
          id: 'afspraak bevestigd',
          pattern: `afspraak${MIDDLE} bevestigd|afspraakbevestiging`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'boekingsbevestiging',
          pattern:
            '(?:boekings|reserverings|bestel|order)bevestiging|bevestiging van (?:uw|je) (?:boeking|reservering|bestelling)',
          confidence: 0.84,
        },
        {
          id: 'bedankt voor uw bestelling',
          pattern: '(?:bedankt|dank) voor (?:uw|je) (?:bestelling|boeking|reservering|aankoop)',
          confidence: 0.86,
          onlyAsked: true,
        },
        { id: 'onderweg', pattern: `${PARCEL}${MIDDLE} onderweg`, confidence: 0.86, onlyAsked: true },
        {
          id: 'e-ticket',
          pattern: `e-?tickets?${MIDDLE} (?:in de bijlage|bijgevoegd|bijgesloten)|tickets? (?:vind je|vindt u) in de bijlage`,
          confidence: 0.86,
        },
      ],
      spoiltBy: 'volgeboekt|rechten voorbehouden|gereserveerd voor',
      doubtedBy: '',
      contradictedBy: '(?:boeking|reservering) (?:is )?(?:mislukt|geannuleerd)|uitverkocht|niet beschikbaar',
    },
    renewal: {
      verbs: 'verlengen verlenging vernieuwen',
      forms: [{ words: 'verlengd|vernieuwd', ceiling: 0.9 }],
      phrases: [
        {
          id: 'verlengd',
          pattern: `(?:abonnement|contract|polis|lidmaatschap)${MIDDLE} (?:verlengd|vernieuwd)`,
          confidence: 0.92,
        },
      ],
      spoiltBy: 'vernieuwde (?:aandacht|energie|website)',
      doubtedBy: '',
      contradictedBy: 'verlopen|verloopt',
    },
    cancellation: {
      verbs: 'opzeggen annuleren opzegging beëindigen stoppen afzeggen sluiten',
      forms: [{ words: 'geannuleerd|afgezegd|afgelast|opgezegd', ceiling: 0.93 }],
      phrases: [
        {
          id: 'bevestigen uw opzegging',
          pattern: `(?:bevestigen|bevestig)(?: [^ ,;.!?]+){0,4}? (?:opzegging|annulering)|(?:opzeg|annulerings)bevestiging|opzegging${MIDDLE} (?:ontvangen|verwerkt|bevestigd)`,
          confidence: 0.89,
        },
        {
          id: 'rekening opgeheven',
          pattern: `${DEAL}${MIDDLE} (?:opgeheven|gesloten|beëindigd|verwijderd|stopgezet)`,
          confidence: 0.92,
        },
        {
          id: 'gaat niet door',
          pattern:
            '(?:gaat|gaan)(?: [^ ,;.!?]+){0,4}? niet door|vindt(?: [^ ,;.!?]+){0,4}? niet plaats|vinden(?: [^ ,;.!?]+){0,4}? niet plaats',
          confidence: 0.92,
          negative: true,
        },
        {
          id: 'vervalt',
          pattern: `${OCCASION}(?: [^ ,;.!?]+){0,4}? (?:vervalt|vervallen|valt uit|uitgevallen)|trein(?: [^ ,;.!?]+){0,3}? rijdt niet`,
          confidence: 0.92,
          negative: true,
        },
      ],
      spoiltBy: '(?:betaling|incasso|overboeking|herinnering)[^.;]{0,60}(?:geannuleerd|ingetrokken)|opzegtermijn',
      doubtedBy: 'reservering',
      contradictedBy: 'nieuwe (?:afspraak|datum)|gaat (?:toch|wel) door|verplaatst|verzet naar',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'gesloten|afgesloten|beëindigd|ontbonden', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: 'gesloten (?:op|van|tot|wegens)',
      doubtedBy: '',
      contradictedBy: 'heropend',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'ingetrokken|herroepen', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: 'toestemming',
      doubtedBy: '',
      contradictedBy: 'hersteld',
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
      pattern: '(?:verplaatst|verzet|omgeboekt|verschoven|uitgesteld|vervroegd) (?:van [^;!?]{1,30}? )?(?:naar|tot)',
      confidence: 0.93,
    },
    {
      id: 'nieuwe datum',
      pattern: '(?:nieuwe (?:datum|afspraak|termijn|bezorgdatum|leverdatum)|uiterste datum|vervaldatum)(?: is|:)?',
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
    inverted: '(?:ik|wij) (?:vraag|vragen) (?:me|ons) af|weet (?:u|je) of|graag horen of',
    neutral:
      'geen (?:verdere |andere )?(?:actie|vragen|probleem)|zonder problemen|niet aarzelen|aarzel niet|u hoeft niets|niet beantwoorden',
    negation: 'niet|geen|nooit|niemand|zonder|noch',
    condition: 'stap \\p{Nd}|in het geval|als|zodra|indien|mits|tenzij|wanneer|totdat|voordat|nadat',
    conditionBehind: 'zodra|indien|mits|tenzij|onder voorbehoud',
    conditionForDates: 'in het geval|indien|mits|tenzij|als',
    ifs: 'als|indien',
    future: 'zal|zullen|zou\\p{L}*|moet\\p{L}*|kan|kunnen|kunt|wordt|wil|willen|gaat|gaan|binnenkort',
    futureForDates: 'zou\\p{L}*|kunnen|voorstel\\p{L}*',
    futureBehind: 'zal worden|zullen worden|binnenkort',
    request: 'gelieve|graag|verzoek\\p{L}*',
    partial: 'tot nu toe|een deel|gedeeltelijk|deels|de helft|bijna|slechts|alleen|behalve',
    stillOpen: 'onbetaald|openstaand|nog open',
    hedge: 'schrijft|gehoord|volgens|waarschijnlijk|misschien|lijkt|schijnt|hopelijk|zegt',
    past: 'vorige (?:maand|keer)|eerdere?',
    goneWrong: 'geblokkeerd|tweemaal|verkeerde?|per ongeluk|beschadigd',
    that: 'dat',
    announced: 'laten weten|meld\\p{L}*|bevestig\\p{L}*',
    somebodyElse:
      "een andere (?:klant|familie|huurder|persoon|koper)|iemand anders|(?:\\p{N}[\\p{N}.]{0,12}|veel|enkele|sommige|verschillende|de meeste|andere) (?:[^ ,;.!?]+ ){0,2}?(?:gezinnen|families|ouders|leden|klanten|deelnemers|buren|collega's|huurders|huishoudens|personen|mensen|leerlingen|spelers|bewoners) (?:hebben|hadden|zijn)|hebben (?:al )?(?:\\p{N}[\\p{N}.]{0,12}|veel|enkele|sommige|verschillende|de meeste|andere) (?:gezinnen|families|ouders|leden|klanten|deelnemers|buren|collega's|huurders|huishoudens|personen|mensen|leerlingen|spelers|bewoners)",
    turns: 'maar|echter',
    relative: 'dat|welke',
    clauseBreaks: 'maar',
    and: 'en',
    subjects: 'wij|we|u',
    takenBack: 'vergissing|dit is een test',
    longAgo: 'vorig jaar|\\p{L}+ jaar geleden|destijds|vorige (?:eigenaar|huurder)|in 19\\d\\d',
    moneyBack: 'terugbetaald|terugbetaling|teruggestort|teruggave|teruggekregen|gecrediteerd',
    replaced:
      'verplaatst|verzet|omgeboekt|verschoven|vervangen|in plaats daarvan|nieuwe (?:afspraak|datum|vlucht|trein|boeking)',
    notDue: 'geldig\\p{L}*|vervaldatum van (?:uw|je|de) (?:pas|kaart|paspoort|rijbewijs)|verloopt|geboren',
    machine: 'back-?up|storing|databank|netwerk',
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
      booking: { verbs: 'boeken bestellen kopen', words: 'geboekt|besteld|gereserveerd|gekocht' },
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
    generic: `afgeschreven geïncasseerd verzonden verstuurd opgehaald afgegeven verwerkt doorgegeven gehonoreerd toegewezen bijlage onderweg gelukt geslaagd uitgevoerd
      pakket pakje bestelling factuur betaling afspraak boeking reservering contract document documenten formulier aanvraag rekening
      account abonnement lidmaatschap polis levering bedrag saldo klant kenmerk referentie code prijs kosten som overboeking
      incasso kaart bank bon service team maand jaar buren pakketpunt servicepunt retourzending`,
    stop: 'het een of voor met van de en op te',
    articles: 'de het een',
    salutation: 'beste|geachte',
    several: 'en',
    abbreviations: 'mevr|dhr|bijv|enz|nr',
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
