import { wordPattern } from './pattern.ts';

/** Why a phrase does not mean what it says. */
type Defeat = 'question' | 'negated' | 'condition' | 'not yet so' | 'request' | 'only in part' | 'still open';

/** How a phrase is meant: as it is written, with doubts, or not at all. */
interface Assessment {
  readonly defeat: Defeat | null;
  /** The word that gives the defeat away; empty without a defeat. */
  readonly cue: string;
  /** The raw confidence is multiplied by this: 1 without doubts, 0 after a defeat. */
  readonly factor: number;
  readonly doubts: readonly string[];
}

/** A phrase in its sentence. `start` and `end` count from the beginning of the sentence. */
export interface PhraseInSentence {
  readonly sentence: string;
  readonly start: number;
  readonly end: number;
  /** See `Frame.bare`. */
  readonly bare: boolean;
  /** A planned date may be spoken of in the future tense; something already done may not. */
  readonly ofFuture: boolean;
  /** See `FixedPhrase.negative`. */
  readonly negative: boolean;
}

const QUESTION_OPENERS = wordPattern(
  'which|has|have|had|is|are|was|were|did|do|does|can(?! (?:confirm|report))|could|would|will|should|may|might|when|who|why|how|where|what|any (?:news|update|idea)|ist|sind|wurde|wurden|wird|werden|hat|haben|können|könnten|könnte|kannst|wann|wer|warum|wie|wieso|est-ce|avez-vous|a-t-(?:il|elle|on)|quand|pourquoi|comment|qui|cuándo|quién|por qué|cómo|zijn|heeft|hebben|kunt|wanneer|waarom|hoe|avete|hai|perché|chi',
);
const INVERTED = wordPattern(
  "(?!rendez-vous)\\p{L}+-(?:t-)?(?:il|elle|elles|ils|on|vous|nous|tu)|est-ce qu(?:e|'\\p{L}+)",
);

/** Common negations that never concern the phrase. */
const NEUTRAL = wordPattern(
  "no (?:further |other |additional )?(?:action|steps?|reply|response)(?: (?:is|are))?(?: (?:required|needed|necessary))?|no (?:need|problem|worries|doubt|later than)|not to worry|(?:do not|don't) (?:hesitate|reply|worry)|nothing (?:else|more|further)|not only|no less than|no\\.? ?(?=[\\p{L}]{0,4}[-/]?\\d)|invoice no|order no|ref no|(?:keine|nichts) weitere[ns]?(?: schritte?)?|kein problem|keine sorge|n'hésitez pas|ne répondez pas|aucune (?:autre )?action|no dude|no responda|sin falta|sans faute|without (?:further )?(?:delay|problems?|issues?|incident)|without any problems?|ohne probleme|sans problème|sin problemas",
  'giu',
);
const NEGATION = wordPattern(
  "not|never|no|none|nobody|nothing|neither|nor|without|hardly|barely|scarcely|cannot|failed to|fails to|unable|refus(?:ed|es) to|declin(?:ed|es) to|instead of|rather than|far from|yet to|doubt|impossible|\\p{L}+n't|(?:has|is|was|have|did|does|do|are|were|wo|ca|ai)nt|nicht|nich|nie|niemals|kein\\p{L}{0,2}|ohne|weder|noch nicht|statt|ne|n'\\p{L}+|pas|jamais|aucune?|sans|non|ni|nunca|sin|ning[uú]n\\p{L}?|jamás|tampoco|nadie|falta|niet|geen|nooit|niemand|zonder|noch|mai|nessun\\p{L}?|senza|neanche|nemmeno|manca",
);
const CONDITION = wordPattern(
  "if|or (?:the|your|we|it|they|else)|where|depending|in the event|im falle|en cas|en caso|in caso|in het geval|otherwise|sonst|sinon|de lo contrario|once|when|whenever|unless|until|till|provided(?: that)?|providing|assuming|whether|in case|as soon as|as long as|before|after|by the time|subject to|pending|upon|should you|were it|wenn|falls|sobald|sofern|ob|bevor|ehe|bis|nachdem|vorausgesetzt|si|s'il|s'ils|quand|lorsqu\\p{L}*|dès qu?|une fois|avant|jusqu\\p{L}*|à condition|pourvu|cuando|una vez|en cuanto|antes|hasta|siempre que|mientras|a condición|als|zodra|indien|mits|tenzij|wanneer|totdat|voordat|nadat|se (?:il|la|i|gli|l'\\p{L}+|non|è|tutt\\p{L})|quando|appena|non appena|una volta|prima|finché|qualora|dopo|purché",
);
const CONDITION_BEHIND = wordPattern(
  'if|once|unless|until(?! (?:the )?(?:\\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|provided|providing|subject to|pending|as soon as|upon|when|wenn|falls|sobald|sofern|vorbehaltlich|si|dès que|sous réserve|à condition|cuando|en cuanto|siempre que|a condición|zodra|indien|mits|tenzij|onder voorbehoud|quando|appena|purché|salvo',
);
const CONDITION_FOR_DATES = wordPattern(
  "if|depending|in the event|im falle|en cas|en caso|in caso|in het geval|unless|whether|in case|provided(?: that)?|assuming|subject to|wenn|falls|sofern|ob|si|s'il|à condition|siempre que|indien|mits|tenzij|als|se (?:il|la|non|è)|purché",
);
const FUTURE = wordPattern(
  "will(?! (?:has|have been|was|is|and))|shall|\\p{L}+'ll|going to|about to|to be|to have|being|soon|shortly|would|can|could|may(?= (?:be|have|not|well|get))|might|must|should(?! have)|ought|needs?|ha(?:s|ve|d) to|wants?|wish(?:es)?|hop(?:e|es|ing)|intends?|intention|expect(?:s|ed|ing)?|planned|plan(?:s|ning)? to|waiting|awaiting|await|ready to|try(?:ing)?|tried to|promised? to|agreed to|get|gets|getting|so that|in order|supposed|due to be|scheduled to|asking|asked (?:that|for|to|you|us)|requires?|let'?s|mark (?:it|this|that|them|the|all|as|every)|treat|consider|pretend|tomorrow|wird|werden|werde|würden?|soll\\p{L}*|muss|müssen|müsste\\p{L}*|kann|können|könnte\\p{L}*|möchte\\p{L}*|bald|morgen|damit|zu|sera|seront|serait|seraient|soit|soient|doit|doivent|devra|devrait|peut|pourra|va|vont|à être|bientôt|pour être|afin|será|serán|sería|sea|sean|debe|deben|deberá|puede|podrá|va a|van a|pronto|para ser|ser|zal|zullen|zou\\p{L}*|moet\\p{L}*|kan|kunnen|kunt|wordt|wil|willen|gaat|gaan|binnenkort|sarà|saranno|verrà|verranno|viene|vengono|deve|devono|dovrà|dovranno|può|possono|potrà|potranno|sia|siano|sarebb\\p{L}*|domani|essere",
);
const FUTURE_FOR_DATES = wordPattern(
  "would|could|can|might|should|may(?= (?:be|have|not|well|get))|wants?|wish(?:es)?|hop(?:e|es|ing)|try(?:ing)?|ask(?:ed|ing)?|let'?s|like to|suggest\\p{L}*|propos\\p{L}*|motion|vote|antrag|vorschlag|vorschlagen|könnte\\p{L}*|möchte\\p{L}*|würde\\p{L}*|sollte\\p{L}*|kann|können|pourrait|pourrions|souhait\\p{L}*|aimer\\p{L}*|devrait|podría\\p{L}*|debería\\p{L}*|quisiera|zou\\p{L}*|kunnen|voorstel\\p{L}*|potremmo|potrebb\\p{L}*|vorre\\p{L}*|possiamo",
);
/** German puts the helping verb last: "sobald die Rechnung bezahlt wird". */
const FUTURE_BEHIND = wordPattern(
  'werden|wird|würde|würden|sollte|sollten|sein (?:wird|muss|sollte)|muss|müssen|hätte|hätten|to be',
);
const REQUEST = wordPattern(
  'please(?! (?:note|be (?:advised|informed|aware)|find|see))|kindly|make sure|ensure|let (?:us|me) know|confirm (?:that|whether|if)(?= )|remind|bitte(?! (?:beachten|nehmen))|sicherstellen|veuillez(?! (?:noter|trouver))|merci de|por favor|asegúrese|gelieve|graag|verzoek\\p{L}*|si prega|per favore|la preghiamo|cortesemente',
);
const CONFIRMING = wordPattern(
  '(?:i|we|to|can|hereby|herewith|happy to|pleased to|like to|and) (?:hereby |can |now )*confirm that',
  'giu',
);
const PARTIAL = wordPattern(
  "partial(?:ly)?|so far|less(?= [€$£\\d])|minus|deduct(?:ing|ion|ed)|bisher|bislang|abzüglich|jusqu'ici|hasta ahora|finora|tot nu toe|ein teil|une partie|una parte|un deel|\\d[\\d.,]{0,12} ?(?:€|£|eur|euros?|chf)? ?(?:of|von|sur|di|van|de) (?:[€£$] ?\\d|\\d[\\d.,]{0,12} ?(?:€|£|eur|euros?|chf|pounds))|only|nur|seulement|sólo|solamente|every(?:one|body) but|partly|half|a part|part of|some of|almost|nearly|except(?: for)?|all but|apart from|(?:first|second|third|next) (?:instal?ment|half|part)|(?<!(?:last|final) )instal?ments?|remainder|remaining|teilweise|zur hälfte|fast|beinahe|bis auf|außer|partiellement|en partie|à moitié|presque|sauf|parcialmente|en parte|casi|excepto|salvo|gedeeltelijk|deels|de helft|bijna|slechts|behalve|parzial\\p{L}*|metà|quasi|soltanto|tranne|eccetto|solo",
);
const STILL_OPEN = wordPattern(
  'unpaid|unsigned|outstanding|overdue|awaiting|still (?:open|owe|owing|due|missing)|unbezahlt|ausstehend|offen|impayée?s?|en attente|pendientes?|onbetaald|openstaand|nog open|in sospeso|insolut[oaie]',
);
const HEDGE = wordPattern(
  "of course|yeah,? right|so much for|joking|kidding|natürlich|na toll|von wegen|bien sûr|soi-disant|por supuesto|figurati|according to|(?:our|my|her|his|their) own|heard|writes|schreibt|écrit|escribe|schrijft|scrive|gehört|entendu|oído|gehoord|sentito|led to believe|under the impression|news to (?:us|me|him|her|them)|(?:hasn't|haven't|isn't|aren't|wasn't|weren't|didn't) (?:it|they|you|we|he|she)|wrote that|i think|i believe|looks? (?:like|as if)|rumou?rs?|imagine|dreamt|dreamed|is said|said|i wish|i guess|i assume|i suppose|we think|we believe|probably|perhaps|maybe|apparently|seems?|seemingly|supposedly|should have|presumably|possibly|likely|allegedly|reportedly|as far as i know|afaik|was told|were told|i heard|told me|says|claims?|claimed|somebody said|someone said|hopefully|technically|thought|wohl|vermutlich|wahrscheinlich|vielleicht|möglicherweise|ich glaube|ich denke|angeblich|anscheinend|scheint|hoffentlich|soweit ich weiß|peut-être|je pense|je crois|probablement|sans doute|il semble|semble|apparemment|il paraît|quizás?|tal vez|a lo mejor|creo que|probablemente|parece|supongo|al parecer|según|selon|laut|zufolge|meint|behauptet|volgens|waarschijnlijk|misschien|lijkt|schijnt|hopelijk|zegt|forse|probabilmente|sembra|secondo|spero|dice|dicono",
);
const OF_THE_PAST = wordPattern(
  "in 19\\d\\d|last (?:season|term)|last (?:month|year|quarter)(?:'s)?|(?:the )?previous|former|years? ago|back in|letzte[ns]? jahr|im vorjahr|vorige[nrs]?|l'(?:an|année) derni(?:er|ère)|el año pasado|vorig jaar|l'anno scorso|previous years?",
);
const GONE_WRONG = wordPattern(
  'wrong(?:ly)?|on hold|fraud|blocked|suspended|under review|gesperrt|bloqué\\p{L}*|bloquead[oa]s?|geblokkeerd|bloccat[oaie]|mistaken(?:ly)?|by mistake|in error|erroneously|twice|zweimal|deux fois|dos veces|tweemaal|due volte|damaged|broken|insufficient|too (?:little|late)|different|falsche?[nrsm]?|irrtümlich|versehentlich|beschädigt|doppelt|par erreur|endommagée?s?|por error|dañad[oa]s?|verkeerde?|per ongeluk|beschadigd|per errore|sbagliat[oaie]|danneggiat[oaie]',
);
/** "… that the fee was paid" is hearsay, unless it comes from somebody who must know. */
const REPORTED = wordPattern("(?:that|dass|que|qu'\\p{L}+|dat|che) [^,;]{0,300}$");
const ANNOUNCED = wordPattern(
  '_+|confirm\\p{L}*|inform\\p{L}*|advise|note|tell you|let you know|to (?:say|report|see)|glad|happy|pleased|delighted|aware|bestätig\\p{L}*|mitteil\\p{L}*|mitgeteilt|teil\\p{L}* (?:ihnen|dir) mit|freu\\p{L}*|signal\\p{L}*|plaisir|comunic\\p{L}*|laten weten|meld\\p{L}*|bevestig\\p{L}*',
);
/** It was done for or by somebody who has nothing to do with the reader. */
const SOMEBODY_ELSE = wordPattern(
  "another (?:customer|client|child|family|person|buyer|member|guest|patient|tenant|party|bidder|supplier|applicant|company|club)|(?:someone|somebody) else|next door|of (?:your|his|her|their|our) (?:neighbou?r|father|mother|brother|sister|colleague)s?|(?:neighbou?r|father|mother|brother|sister|colleague)'s|(?:einem|einer|einen|eines) anderen \\p{L}+|jemand anders|jemand anderem|une? autre (?:famille|personne|client|cliente|acheteur|locataire|patient|patiente)|quelqu'un d'autre|otr[oa] (?:persona|cliente|paciente|familia|comprador|inquilino)|een andere (?:klant|familie|huurder|persoon|koper)|iemand anders|un(?: altr[oa] |'altra )(?:cliente|famiglia|persona|paziente)|qualcun altro",
);
const TURNS = wordPattern(
  'but|however|though|although|except|aber|jedoch|allerdings|mais|cependant|toutefois|pero|sin embargo|aunque|maar|echter|però|tuttavia',
);
/** "The bill that was paid" says which bill is meant, not that it has just been paid. */
const RELATIVE = wordPattern('(?:that|which|who|qui|que|che|dat) *$');
const BOUNDARY =
  /[;()]|,(?!\d)| [-–—] |—| (?:(?<!(?:one|body|thing|all|nothing) )but|however|aber|sondern|mais|pero) /giu;
const NEXT_STATEMENT =
  / (?:and|so|und|et|y|en|e) (?:we|i|you|they|he|she|it|there|wir|ich|sie|es|nous|vous|il|on|wij|we|u|noi|lei)(?![\p{L}\p{N}])/iu;
/** A sentence this long is a list or a legal text, where a helping verb can be anywhere. */
const LONG_SENTENCE = 400;

/** Returns a phrase that may be spoken of in the future tense: a planned date or a request. */
export function plannedPhrase(sentence: string, start: number, end: number): PhraseInSentence {
  return { sentence, start, end, bare: false, negative: false, ofFuture: true };
}

/** Assesses how a phrase is meant in its sentence. */
export function assess(phrase: PhraseInSentence): Assessment {
  const sentence = [NEUTRAL, CONFIRMING].reduce(masked, phrase.sentence);
  const literal = { ...phrase, sentence };
  const defeat = defeatOf(literal);
  return defeat === null ? doubtsOf(literal) : { ...defeat, factor: 0, doubts: [] };
}

/** Returns whether a request is negated or only a figure of speech: "please do not reply", "let us know if". */
export function isNegated(phrase: PhraseInSentence): boolean {
  const { sentence, start, end } = phrase;
  const clause = clauseOf(sentence, start, end);
  return (
    NEGATION.test(clause.before) || /^ (?:if|whether|should you|falls|wenn|si) /iu.test(sentence.slice(end, end + 12))
  );
}

type DefeatingCue = Pick<Assessment, 'cue'> & { readonly defeat: Defeat };

function defeatOf(phrase: PhraseInSentence): DefeatingCue | null {
  const { sentence, start, end } = phrase;
  const clause = clauseOf(sentence, start, end);
  const before = sentence.slice(0, start);
  // German and French put "nicht" and "pas" between the helping verb and the participle.
  const within = phrase.negative ? '' : sentence.slice(start, end);
  return (
    defeatBy('question', questionCue(phrase)) ??
    defeatBy('negated', cueIn(NEGATION, clause.before, within, clause.after, phrase.bare ? before : '')) ??
    defeatBy('condition', cueIn(phrase.ofFuture ? CONDITION_FOR_DATES : CONDITION, before)) ??
    defeatBy('condition', cueIn(phrase.ofFuture ? CONDITION_FOR_DATES : CONDITION_BEHIND, clause.after)) ??
    defeatBy('not yet so', cueIn(phrase.ofFuture ? FUTURE_FOR_DATES : FUTURE, clause.before, within)) ??
    defeatBy('not yet so', phrase.ofFuture ? '' : cueIn(FUTURE_BEHIND, clause.after.slice(0, 24))) ??
    defeatBy('request', cueIn(REQUEST, before)) ??
    defeatBy('only in part', phrase.ofFuture ? '' : cueIn(PARTIAL, clause.before, within, ownPart(clause.after))) ??
    defeatBy('still open', phrase.ofFuture ? '' : cueIn(STILL_OPEN, clause.before, clause.after))
  );
}

/** In "… is paid, and we only need", a second statement starts with its own subject. */
function ownPart(after: string): string {
  return after.split(NEXT_STATEMENT, 1)[0] ?? '';
}

function defeatBy(defeat: Defeat, cue: string): DefeatingCue | null {
  return cue === '' ? null : { defeat, cue };
}

function cueIn(pattern: RegExp, ...stretches: readonly string[]): string {
  for (const stretch of stretches) {
    const cue = pattern.exec(stretch)?.[0];
    if (cue !== undefined) return cue.toLowerCase();
  }
  return '';
}

function questionCue(phrase: PhraseInSentence): string {
  const { sentence, start, end } = phrase;
  if (/[?？¿]/u.test(sentence)) return '?';
  const opening = sentence.slice(0, start).replace(/^[\s"'“„«>*•–-]+/u, '');
  const opener = QUESTION_OPENERS.exec(opening);
  // "Was delivered today." opens with the phrase itself, so it asks nothing.
  if (opener !== null && opener.index === 0) return opener[0].toLowerCase();
  return INVERTED.exec(sentence.slice(0, end))?.[0].toLowerCase() ?? '';
}

function masked(sentence: string, idiom: RegExp): string {
  return sentence.replace(idiom, (words) => '_'.repeat(words.length));
}

function doubtsOf(phrase: PhraseInSentence): Assessment {
  const { sentence, start, end } = phrase;
  const rest = `${sentence.slice(0, start)} _ ${sentence.slice(end)}`;
  const doubts: [string, number][] = [];
  if (HEDGE.test(sentence)) doubts.push([`hedged: "${cueIn(HEDGE, sentence)}"`, 0.7]);
  if (NEGATION.test(rest)) doubts.push([`"${cueIn(NEGATION, rest)}" in the same sentence`, 0.85]);
  if (!phrase.ofFuture && CONDITION_BEHIND.test(sentence.slice(end))) doubts.push(['a condition follows', 0.85]);
  if (!phrase.ofFuture && OF_THE_PAST.test(sentence)) doubts.push(['it may speak of something earlier', 0.8]);
  if (GONE_WRONG.test(rest)) doubts.push([`"${cueIn(GONE_WRONG, rest)}" in the same sentence`, 0.6]);
  const before = sentence.slice(0, start);
  if (REPORTED.test(before) && !ANNOUNCED.test(before)) doubts.push(['it is told of, not announced', 0.85]);
  if (SOMEBODY_ELSE.test(sentence)) doubts.push([`"${cueIn(SOMEBODY_ELSE, sentence)}" in the same sentence`, 0.4]);
  if (TURNS.test(sentence.slice(end))) doubts.push([`"${cueIn(TURNS, sentence.slice(end))}" follows`, 0.8]);
  if (!phrase.ofFuture && RELATIVE.test(sentence.slice(0, start)))
    doubts.push(['it only says which one is meant', 0.6]);
  if (isQuoted(sentence, start, end)) doubts.push(['it stands in quotation marks', 0.7]);
  if (sentence.length > LONG_SENTENCE) doubts.push(['a very long sentence', 0.85]);
  const factor = doubts.reduce((product, [, each]) => product * each, 1);
  return { defeat: null, cue: '', factor, doubts: doubts.map(([words]) => words) };
}

function isQuoted(sentence: string, start: number, end: number): boolean {
  const marks = sentence.slice(0, start).match(/["“„«]/gu)?.length ?? 0;
  return marks > 0 && /["”“»]/u.test(sentence.slice(end)) && isOdd(sentence.slice(0, start));
}

function isOdd(before: string): boolean {
  const straight = before.match(/"/g)?.length ?? 0;
  const opened = before.match(/[“„«]/gu)?.length ?? 0;
  const closed = before.match(/[”»]/gu)?.length ?? 0;
  return straight % 2 === 1 || opened > closed;
}

function clauseOf(sentence: string, start: number, end: number): { before: string; after: string } {
  let from = 0;
  let to = sentence.length;
  for (const mark of sentence.matchAll(BOUNDARY)) {
    if (mark.index + mark[0].length <= start + 1) from = Math.min(start, mark.index + mark[0].length);
    else if (mark.index >= end) {
      to = mark.index;
      break;
    }
  }
  return { before: sentence.slice(from, start), after: sentence.slice(end, to) };
}
