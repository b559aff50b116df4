import { LANGUAGES, type Language } from '../language/language.ts';

/** How one language tells a former day from the new one. Each field is a part of a regular expression. */
interface MoveWords {
  /** Directly before the former day. */
  readonly oldBefore: string;
  /** Directly before the new one, where two days stand in a sentence. */
  readonly newBefore: string;
  /** Anywhere between the former day and the new one. */
  readonly between: string;
}

const MOVE_WORDS: Readonly<Record<Language, MoveWords>> = {
  en: {
    oldBefore:
      "(?:from|instead of|rather than|in place of|replacing|replaces|previously|formerly|originally|initially|(?:was|were) (?:originally |initially |previously |first )?(?:due|planned|scheduled|booked|set|meant)?(?: to (?:be|take place))?|(?:originally|previously|initially) (?:due|planned|scheduled|booked|set)|not|no longer|old date|former (?:date|time)|(?:cannot|can't|unable to) (?:make|do|come|attend)|(?<!new )(?:appointment|meeting|visit|delivery|session|lesson|event) (?:for|on|of))(?: for| on)?(?: the)?",
    newBefore: '(?:to|now|but|new date|new time|instead)(?: is| for| on)?(?: the)?',
    between: 'instead|now|will take place|rescheduled|moved|postponed',
  },
  de: {
    oldBefore:
      '(?:vom|von|statt|anstatt|anstelle(?: von)?|bisher(?:ige[rn]? termin)?|ursprünglich|zuvor|vorher|früher|alter termin|war|nicht|nicht mehr|ursprünglich (?:geplant|angesetzt|vorgesehen)e?[nrms]?|(?<!neue[nrms]? )(?:termin|besuch|lieferung|treffen|sitzung|stunde) (?:am|vom|für))(?: für| am| auf| zum)?(?: den| dem| der)?',
    newBefore: '(?:auf|nun|jetzt|sondern|neu|neuer termin|dafür|stattdessen)(?: ist| am| auf)?(?: den| dem)?',
    between: 'stattdessen|nun|jetzt|sondern|verschoben|verlegt',
  },
  fr: {
    oldBefore:
      '(?:du|de|au lieu d[ue]|plutôt que|à la place d[ue]|initialement|auparavant|anciennement|ancienne date|était|non plus|et non|pas|(?:prévue?s?|fixée?s?|programmée?s?) initialement|initialement (?:prévue?s?|fixée?s?|programmée?s?)|(?<!nouveau )(?<!nouvelle )(?:rendez-vous|rdv|visite|livraison|réunion|séance|cours)(?: prévue?s?| fixée?s?)? (?:le|du|pour le))(?: pour)?(?: le| du| au)?',
    newBefore: '(?:au|désormais|maintenant|mais|nouvelle date)(?: est| le| pour le)?',
    between: 'désormais|maintenant|finalement|plutôt|aura lieu|reporté|déplacé',
  },
  es: {
    oldBefore:
      '(?:del|desde el|de|en lugar del?|en vez del?|antes|anteriormente|inicialmente|originalmente|fecha anterior|era|no|ya no|(?:inicialmente|originalmente) (?:previst|programad|fijad)[oa]s?|(?<!nueva )(?:cita|visita|entrega|reunión|clase)(?: previst[oa]s?)? (?:del|para el|el))(?: para)?(?: el| del)?',
    newBefore: '(?:al|a|ahora|sino|nueva fecha|pasa)(?: es| el| al| para el)?',
    between: 'ahora|finalmente|en su lugar|pasa|se traslada',
  },
  it: {
    oldBefore:
      "(?:dal|dall'|da|invece del|invece di|anziché|al posto del|precedentemente|in precedenza|inizialmente|originariamente|data precedente|era|non|non più|(?:inizialmente|originariamente) (?:previst|fissat|programmat)[oaie]|(?<!nuovo )(?<!nuova )(?:appuntamento|visita|consegna|riunione|lezione)(?: previst[oa])? (?:del|di|per il|il))(?: per)?(?: il| del| di)?",
    newBefore: "(?:al|all'|a|ora|ma|bensì|nuova data)(?: è| il| per il)?",
    between: 'invece|ora|adesso|si terrà|spostat[oa]|rinviat[oa]',
  },
  nl: {
    oldBefore:
      '(?:van|in plaats van|ipv|i\\.p\\.v\\.|eerder|voorheen|oorspronkelijk|aanvankelijk|was|niet|niet meer|oude datum|oorspronkelijk (?:gepland|ingepland|afgesproken)|(?<!nieuwe )(?:afspraak|bezoek|levering|bezorging|vergadering|les) (?:van|op|voor))(?: voor| op| van)?(?: de)?',
    newBefore: '(?:naar|nu|maar|nieuwe datum|wordt)(?: is| op| de)?',
    between: 'nu|in plaats daarvan|voortaan|verplaatst|verzet',
  },
};

/** Returns what all languages write in one field of those words, as a part of a regular expression. */
export function anyMove(field: keyof MoveWords): string {
  return LANGUAGES.map((language) => MOVE_WORDS[language][field])
    .join('|')
    .replaceAll(' ', ' +');
}
