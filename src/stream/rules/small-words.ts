import { stem, wordsOf } from '../mail/word.ts';
import { spacedPattern } from './pattern.ts';
import { ENDINGS, TOPICS } from './phrases.ts';

/** The words of a mail that name nothing: articles, pronouns, helping verbs, thanks, days. None says "until" or "except". */
const SMALL_WORDS = `
the an this that these those it its they them their he she his her we us our you your my me mine dear hello hi sir madam
and or so as of to in on at by for from with within about via per re regarding concerning is are was were be been being
am has have had having do does did will now already just since both all fully finally officially successfully hereby also
today yesterday here there then thus therefore herewith well duly properly safely recently formally promptly kindly indeed
thank thanks many please note news good great glad happy pleased delighted able can confirm confirmed confirmation inform
informed let know say report everything full completely entirely whole date effect effective immediately morning afternoon
evening day week number no nr ref reference mr mrs ms dr party parties side sides received arrived come reached through
complete done finished moved rescheduled postponed new gone went cleared successful confirmed processed

der die das den dem des ein eine einen einem einer eines und oder für mit von vom zum zur im in auf an bei nach seit zu
aus über wegen es sie er wir uns unser unsere unseren unserem unserer ihr ihre ihren ihrem ihrer ihres ihnen mein meine
dein deine dies diese dieser dieses diesen alles hiermit damit somit nun jetzt bereits schon heute gestern endlich
vollständig erfolgreich offiziell soeben eben ist sind war waren wurde wurden worden wird hat haben hatte habe sein gerne
freuen mitteilen mitzuteilen teilen bestätigen bestätigt dass danke vielen dank sehr geehrte geehrter frau herr guten tag
liebe lieber hallo nummer wirkung datum beide beiden allen parteien ab sofort ganz gesamte gesamten erhalten eingegangen
angekommen gutgeschrieben verschoben verlegt

le la les un une de du des et ou pour avec au aux en dans sur par ce cet cette ces il elle ils elles nous vous on je votre
vos notre nos son sa ses mon ma mes leur est sont était ont avait été être bien maintenant désormais déjà enfin aujourd
hui hier définitivement entièrement officiellement qu que qui merci bonjour madame monsieur confirmons confirmer confirme
informons informer plaisir avons ai tout toute toutes tous numéro réf effet compter jour deux ci reçu reçue reporté reportée

el los las una unos del al con su sus tu tus nuestro nuestra nuestros mi se ha han había sido fue fueron es son está están
queda quedado ya hoy ayer ahora definitivamente oficialmente completamente lo nos gracias hola estimado estimada señor
señora confirmamos confirmar confirmo informamos informar comunicamos todo toda todos todas fecha efecto partir hemos he
partes ambas recibido recibida aplazado aplazada

het een of voor met van te op aan bij door naar om dit dat deze die ze zij hij wij ons onze uw je jouw mijn zijn werd
werden wordt heeft hebben heb had geworden nu reeds inmiddels vandaag gisteren eindelijk volledig officieel hierbij
daarmee bevestigen bevestigd melden laten weten delen mee graag bedankt beste geachte ingang beide partijen ontvangen
binnen verplaatst verzet

lo gli uno di dello della dei degli delle per alla ai agli alle nel nella su da dal dalla era erano stato stata stati
state risulta hanno ho abbiamo già ormai ora oggi ieri finalmente definitivamente ufficialmente completamente che vi ti ci
si suo sua vostro vostra nostro nostra mio mia grazie gentile egregio signor signora confermiamo confermare informiamo
comunichiamo tutto tutta tutti tutte numero rif effetto decorrere parti entrambe ricevuto ricevuta spostato spostata

january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept
oct nov dec monday tuesday wednesday thursday friday saturday sunday januar februar märz mai juni juli oktober dezember
montag dienstag mittwoch donnerstag freitag samstag sonntag janvier février mars avril juin juillet août septembre octobre
novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto
septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes sábado domingo januari februari maart mei
augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag gennaio febbraio aprile maggio giugno luglio settembre
ottobre novembre dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica
`;

const SMALL: ReadonlySet<string> = new Set(wordsOf(SMALL_WORDS));
const DEEDS: ReadonlySet<string> = new Set(TOPICS.flatMap(({ verbs }) => verbs).map(stem));
const DEEDS_DONE = spacedPattern(
  [...TOPICS, ...ENDINGS].flatMap(({ forms }) => forms.map(({ words }) => words)).join('|'),
  'giu',
);
const SALUTATION =
  /^\s*(?:dear|hello|hi|guten tag|hallo|lieber?|sehr geehrter?|bonjour|ch[eè]re?|hola|estimad[oa]|querid[oa]|beste|geachte|gentile|car[oa]|ciao|buongiorno)(?: [^,!.\n]{0,60})?[,!]/iu;

/** Returns the words of a text that name something, folded and stemmed: neither small words, nor days and years. */
export function namingWords(text: string): readonly string[] {
  return wordsOf(text).filter(
    (word) => word.length > 1 && !SMALL.has(word) && !/^(?:\d{1,2}|(?:19|20)\d\d)$/.test(word),
  );
}

/** Returns a sentence without the "Dear Sam," that it may begin with. */
export function withoutSalutation(sentence: string): string {
  return sentence.replace(SALUTATION, '');
}

/** Returns the words of a text that name something, other than what was done: of "your payment was received", none. */
export function thingsIn(text: string): readonly string[] {
  return namingWords(withoutSalutation(text).replace(DEEDS_DONE, ' ')).filter((word) => !DEEDS.has(word));
}
