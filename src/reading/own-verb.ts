import type { StreamEvent } from '../steward/types.ts';
import { lazily } from '../vault/data.ts';
import {
  assessedFinding,
  type Claim,
  firstMatches,
  isSpoilt,
  type Passage,
  phrasePattern,
  type RuleFinding,
  shownSentence,
  splitEvent,
} from './rules.ts';
import { rankTargets, type TargetCandidate, type TargetIndex } from './targets.ts';
import {
  LANGUAGES,
  type Language,
  type LanguageTable,
  languageTables,
  stem,
  stemmedWords,
  tellingWords,
} from './text.ts';

/** Irregular participles of each language, by infinitive. */
const irregular = lazily(
  () => new Map(languageTables().map(({ code, participles }) => [code, new Map(Object.entries(participles))] as const)),
);

/**
 * Returns how a verb's past participle may be written, in lower case: by the rules of its language, and from the table
 * of irregular verbs. For a word that is no verb it returns forms that don't exist, which do no harm.
 */
export function listParticiples(infinitive: string, language: Language): readonly string[] {
  const verb = infinitive.normalize('NFC').toLowerCase();
  const listed = irregular().get(language);
  const own = listed?.get(verb);
  if (own !== undefined) return inflected(own.split(' '), language);
  return inflected(RULES[language](verb, listed ?? new Map()), language);
}

type Rule = (verb: string, irregularVerbs: ReadonlyMap<string, string>) => readonly string[];

const RULES: Readonly<Record<Language, Rule>> = {
  en: english,
  de: (verb, listed) => germanic(verb, listed, GERMAN),
  nl: dutch,
  fr: romance(/^(?:r[eé]?|d[eé]s?|pré)(?=\p{L}{4})/u, [/er$/, 'é'], [/ir$/, 'i'], [/re$/, 'u']),
  es: romance(/^(?:re|des|pre|con)(?=\p{L}{4})/u, [/ar$/, 'ado'], [/[ei]r$/, 'ido']),
  it: romance(/^(?:ri|dis|pre|con)(?=\p{L}{4})/u, [/are$/, 'ato'], [/ere$/, 'uto'], [/ire$/, 'ito']),
};

// In "installeren" the "in" is no prefix, and the last syllable is stressed.
function dutch(verb: string, listed: ReadonlyMap<string, string>): readonly string[] {
  const foreign = verb.endsWith('eren') ? joinedGe('ge', verb.replace(/eren$/, 'eerd')) : [];
  return [...germanic(verb, listed, DUTCH), ...foreign];
}

function english(verb: string, listed: ReadonlyMap<string, string>): readonly string[] {
  // "countersign", "resubmit": a prefix doesn't change how a verb is formed.
  const prefix = /^(?:re-?|un|over|under|out|counter|pre)(?=\p{L}{3})/u.exec(verb)?.[0] ?? '';
  const rest = listed.get(verb.slice(prefix.length));
  if (prefix !== '' && rest !== undefined) return rest.split(' ').map((form) => prefix + form);
  if (verb.endsWith('e')) return [`${verb}d`];
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`];
  const doubled = /[^aeiou][aeiou][bdfglmnprt]$/.test(verb) ? [`${verb}${verb.at(-1)}ed`] : [];
  return [`${verb}ed`, ...doubled];
}

interface Germanic {
  readonly ending: RegExp;
  readonly separable: RegExp;
  readonly inseparable: RegExp;
  readonly foreign: RegExp | null;
  readonly t: (stem: string) => readonly string[];
}

const GERMAN: Germanic = {
  ending: /e?n$/,
  separable:
    /^(?:ab|an|auf|aus|bei|durch|ein|fertig|fest|frei|hin|her|los|mit|nach|um|vor|weg|weiter|zu|zurück|zusammen)(?=\p{L}{4})/u,
  inseparable: /^(?:be|emp|ent|er|ge|miss|ver|zer|über|unter|wider)(?=\p{L}{3})/u,
  foreign: /ieren$/,
  t: (stem) => [/[dt]$|[^lrmnh][mn]$/.test(stem) ? `${stem}et` : `${stem}t`],
};
const DUTCH: Germanic = {
  ending: /e?n$/,
  separable:
    /^(?:aan|af|bij|dicht|door|in|klaar|los|mee|na|om|op|over|schoon|terug|toe|uit|vast|voor|weg)(?=\p{L}{4})/u,
  inseparable: /^(?:be|er|ge|her|ont|ver)(?=\p{L}{3})/u,
  foreign: null,
  t: (stem) => [...new Set([`${dutchStem(stem)}t`, `${dutchStem(stem)}d`])],
};

/** Returns the two words that a German or Dutch verb may be split into: `reichen` and `ein` for "einreichen"; else none. */
export function separateVerb(infinitive: string): readonly string[] {
  return [GERMAN, DUTCH].flatMap(({ ending, separable }) => {
    const prefix = separable.exec(infinitive)?.[0];
    return prefix === undefined || !ending.test(infinitive) ? [] : [infinitive.slice(prefix.length), prefix];
  });
}

// "maken" is "gemaakt", "pakken" is "gepakt".
function dutchStem(stem: string): string {
  const closed = stem
    .replace(/([^aeiou])\1$/, '$1')
    .replace(/v$/, 'f')
    .replace(/z$/, 's');
  const isOpen = closed === stem.replace(/v$/, 'f').replace(/z$/, 's');
  // The last syllable of "schilderen" is unstressed.
  const isUnstressed = /e[lnr]$/.test(closed) && /[aeiou]/.test(closed.slice(0, -2));
  return isOpen && !isUnstressed ? closed.replace(/(?<=^|[^aeiou])([aeou])([^aeiou])$/, '$1$1$2') : closed;
}

function germanic(
  verb: string,
  listed: ReadonlyMap<string, string>,
  { ending, separable, inseparable, foreign, t }: Germanic,
): readonly string[] {
  const prefix = separable.exec(verb)?.[0] ?? '';
  const bare = verb.slice(prefix.length);
  const known = listed.get(bare);
  if (known !== undefined) return known.split(' ').map((form) => prefix + form);
  const inner = inseparable.exec(bare)?.[0] ?? '';
  const strong = inner === '' ? undefined : listed.get(bare.slice(inner.length));
  // "unterschreiben" is formed as "schreiben", without its "ge".
  if (strong !== undefined) return strong.split(' ').map((form) => prefix + inner + form.replace(/^ge/, ''));
  if (!ending.test(bare)) return [];
  const stem = bare.replace(ending, '');
  const ge = inner !== '' || foreign?.test(bare) === true ? '' : 'ge';
  return t(stem).flatMap((form) => joinedGe(ge, form).map((whole) => prefix + whole));
}

// "geïnstalleerd": Dutch marks a vowel that would be read together with the one before.
function joinedGe(ge: string, form: string): readonly string[] {
  const marked = ge !== '' && /^[eiu]/.test(form) ? [ge + form.replace(/^./, '$&\u0308').normalize('NFC')] : [];
  return [ge + form, ...marked];
}

function romance(prefix: RegExp, ...rules: readonly (readonly [RegExp, string])[]): Rule {
  return (verb, listed) => {
    // "repeindre" is formed as "peindre".
    const before = prefix.exec(verb)?.[0] ?? '';
    const known = before === '' ? undefined : listed.get(verb.slice(before.length));
    if (known !== undefined) return known.split(' ').map((form) => before + form);
    return rules.flatMap(([ending, participle]) => (ending.test(verb) ? [verb.replace(ending, participle)] : []));
  };
}

/** Participles agree with what was done, in number and gender. */
function inflected(forms: readonly string[], language: Language): readonly string[] {
  switch (language) {
    case 'fr':
      return forms.flatMap((form) => [form, `${form}e`, `${form}s`, `${form}es`]);
    case 'es':
    case 'it': {
      const endings = language === 'es' ? ['o', 'a', 'os', 'as'] : ['o', 'a', 'i', 'e'];
      return forms.flatMap((form) => endings.map((ending) => form.replace(/o$/, ending)));
    }
    default:
      return forms;
  }
}

/*
 * "The boiler has been installed" closes "Install the boiler": the task's own verb, as a participle, and its own object,
 * in one of the frames by which a language says that something was done. It needs no list of verbs.
 */

const MOST_SENTENCES = 40;
/** This many of the likeliest tasks are compared with an event. */
const MOST_TASKS = 20;
const DONE: Omit<Claim, 'phraseId' | 'verbs'> = {
  effect: 'mutation',
  class: 'state_change',
  set: { state: 'done' },
  otherVerbs: [],
};

interface OwnVerbFinding {
  readonly finding: RuleFinding;
  readonly task: TargetCandidate;
}

/**
 * Returns what an event says was done in the words of a task in the index: its own verb and its own object. A short
 * sentence doesn't tell its language; that both fit does.
 */
export function ownVerbFindings(
  event: StreamEvent,
  index: TargetIndex,
  isReadSentence: (sentence: string) => boolean,
): readonly OwnVerbFinding[] {
  const tasks = rankTargets(index, event, null)
    .flatMap(({ candidate }) => (candidate.kind === 'task' ? [candidate] : boxTasks(candidate)))
    .slice(0, MOST_TASKS);
  if (tasks.length === 0) return [];
  const deeds = tasks.flatMap(wantedDeeds);
  return splitEvent(event)
    .slice(0, MOST_SENTENCES)
    .filter(({ view }) => isReadSentence(shownSentence(view)) && !isOfAnotherYear(view, event))
    .flatMap((passage) => {
      const words = new Set(plainWords(passage.view));
      return deeds.flatMap((deed) => findingsFor(deed, passage, words));
    });
}

/**
 * The deed that a task wants, as far as one language can tell: each word of its name with the participles it would have
 * as a verb.
 */
interface WantedDeed {
  readonly task: TargetCandidate;
  readonly language: LanguageTable;
  readonly verbs: readonly { readonly verb: string; readonly forms: readonly string[] }[];
}

function wantedDeeds(task: TargetCandidate): readonly WantedDeed[] {
  const words = plainWords(task.name);
  return languageTables().map((language) => {
    const verbs = words.map((verb) => ({ verb, forms: listParticiples(verb, language.code) }));
    return { task, language, verbs };
  });
}

// A line with an open checkbox asks for something like a task of its name. It stays a part of its matter's note.
function boxTasks(matter: TargetCandidate): readonly TargetCandidate[] {
  const lines = matter.boxes?.split('\n') ?? [];
  return lines.map((name) => ({ ...matter, kind: 'task' as const, name, aliases: [], keywords: [] }));
}

// "The deposit was paid in 2019."
function isOfAnotherYear(view: string, { originAt }: StreamEvent): boolean {
  const year = Number(originAt?.slice(0, 4));
  return [...view.matchAll(/(?<![\p{L}\p{N}])(?:19|20)\d\d(?![\p{L}\p{N}])/gu)].some(([said]) => Number(said) < year);
}

function findingsFor(
  { task, language, verbs }: WantedDeed,
  passage: Passage,
  words: ReadonlySet<string>,
): readonly OwnVerbFinding[] {
  const said = verbs.find(({ forms }) => forms.some((form) => words.has(form)));
  if (said === undefined || !hasObject(task, said.verb, passage) || isSpoilt(said.verb, passage.view)) return [];
  const { verb } = said;
  const forms = said.forms.join('|');
  return language.frames
    .filter(({ alone }) => alone !== true)
    .flatMap(({ id, pattern, confidence, bare = false }) => {
      const [match] = firstMatches(passage.view, phrasePattern(pattern.replace('W', `(?:${forms})`)));
      if (match === undefined) return [];
      const phrase = { sentence: passage.view, start: match.index, end: match.index + match[0].length };
      const claim = { ...DONE, verbs: [verb], phraseId: `own verb: ${id}` };
      const whole = { ...phrase, bare, negative: false, ofFuture: false };
      const finding = assessedFinding(claim, confidence, whole, passage);
      const part = ownPartOf(finding, task);
      if (part === null) return [{ finding, task }];
      // Without the part's words, what else speaks against the sentence is found, and each word is where it was.
      const sentence = blanked(whole.sentence, part);
      const again = assessedFinding(claim, confidence, { ...whole, sentence }, passage);
      return [{ finding: { ...again, sentence: finding.sentence }, task }];
    })
    .slice(0, 1);
}

/** Whether a finding is only of a part that a task itself names: the second instalment is all of "Pay the second instalment". */
export function isOwnPart(finding: RuleFinding, task: TargetCandidate): boolean {
  return ownPartOf(finding, task) !== null;
}

function blanked(sentence: string, words: string): string {
  const lower = sentence.toLowerCase();
  const at = lower.length === sentence.length ? lower.indexOf(words) : -1;
  return at < 0 ? sentence : sentence.slice(0, at) + ' '.repeat(words.length) + sentence.slice(at + words.length);
}

function ownPartOf({ defeatedBy }: RuleFinding, { name }: TargetCandidate): string | null {
  const [, part] = /^only in part \("(.+)"\)$/.exec(defeatedBy ?? '') ?? [];
  const own = new Set(stemmedWords(name));
  return part !== undefined && stemmedWords(part).every((word) => own.has(word)) ? part : null;
}

function hasObject({ name }: TargetCandidate, verb: string, { view }: Passage): boolean {
  const object = tellingWords(name).filter((word) => word !== stem(verb));
  const said = new Set(stemmedWords(view));
  return object.length > 0 && object.every((word) => said.has(word));
}

function plainWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}

/** Returns how a task's own words may be written once they are done, as stems. */
export function listDoneForms(name: string): readonly string[] {
  return listWords(name)
    .flatMap((word) => LANGUAGES.flatMap((language) => listParticiples(word, language)))
    .map(stem);
}

/** Returns the words of a name, in lower case. */
export function listWords(name: string): readonly string[] {
  return (
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}
