import { patternOfAll } from '../languages/union.ts';
import { tellingWords, wordsOf } from '../mail/word.ts';
import { type Finding, topicOf } from '../rules/finding.ts';
import { passagesIn } from '../rules/passage.ts';
import { spacedPattern } from '../rules/pattern.ts';
import { namingWords } from '../rules/small-words.ts';
import { endingsIn, statesIn } from '../rules/state-finding.ts';
import { ENDINGS } from '../rules/topics.ts';
import type { TargetCandidate } from './target-index.ts';

/** What a matter is ended by: the finding that says so. */
type EndingWords = Pick<Finding, 'phraseId' | 'words' | 'sentence' | 'rawConfidence'>;

/** A doubt in the sentence lowers a finding below this, a denial to 0. */
const SURE = 0.8;
const ENDED = ENDINGS.map(({ name }) =>
  patternOfAll(({ topics }) => topics[name].forms.map(({ words }) => words).join('|')),
).join('|');
const WHOLE_AFFAIR = patternOfAll(({ affairs }) => affairs.ended);
const CONTRACT = patternOfAll(({ affairs }) => affairs.contract);
const ENDS = spacedPattern(`${WHOLE_AFFAIR}|${ENDED}`, 'giu');
const ENDS_IT: ReadonlyMap<string, RegExp> = new Map([
  ...['completion', 'cancellation'].map((topic) => [topic, spacedPattern(WHOLE_AFFAIR)] as const),
  ...ENDINGS.map(({ name }) => [name, spacedPattern(ENDED)] as const),
]);
const MADE = spacedPattern(patternOfAll(({ affairs }) => affairs.contractMade));
const EXCEPTION = spacedPattern(patternOfAll(({ affairs }) => affairs.excepted));
const AFFAIRS = spacedPattern(`${patternOfAll(({ affairs }) => affairs.affair)}|${CONTRACT}`, 'giu');
const CONTRACTS = spacedPattern(CONTRACT);
const CLAUSES = /,(?!\d)|[;()]| [-–—] /u;

/**
 * Returns whether a finding says that a matter itself has ended: its clause has the matter by name, alias or keyword, what
 * such affairs are called, small words, and nothing else. In "the survey for 14 Alder Lane is complete" something else is.
 */
export function endsMatter(finding: EndingWords, matter: TargetCandidate): boolean {
  const { sentence, words, rawConfidence } = finding;
  if (matter.kind !== 'matter' || rawConfidence < SURE || EXCEPTION.test(sentence)) return false;
  if (ENDS_IT.get(topicOf(finding))?.test(words) !== true) return false;
  const clauses = [sentence, ...sentence.split(CLAUSES)].filter((clause) => clause.search(ENDS) >= 0);
  return clauses.some((clause) => isOnly(matter, clause) && !(CONTRACTS.test(clause) && MADE.test(words)));
}

/** Returns whether one sentence, read by the phrase table, says that a matter itself has ended. */
export function sentenceEndsMatter(sentence: string, matter: TargetCandidate): boolean {
  const findings = passagesIn(sentence, false).flatMap((passage) => [...statesIn(passage), ...endingsIn(passage)]);
  return findings.some((finding) => endsMatter(finding, matter));
}

/** Returns whether a clause names the matter, and nothing besides. */
function isOnly(matter: TargetCandidate, clause: string): boolean {
  const said = clause.replace(ENDS, ' ');
  const words = new Set(wordsOf(said));
  const named = namesOf(matter, said).filter((name) => name.every((word) => words.has(word)));
  const own = new Set(named.flat());
  return named.length > 0 && namingWords(said.replace(AFFAIRS, ' ')).every((word) => own.has(word));
}

/** A keyword may be of one thing under the matter, so it needs a number, as "case 2231" has, or a word for the whole beside it. */
function namesOf({ name, aliases, keywords }: TargetCandidate, clause: string): (readonly string[])[] {
  const wholes = (clause.match(AFFAIRS) ?? []).flatMap(tellingWords);
  const ofKeywords = keywords.flatMap((keyword) => {
    const words = tellingWords(keyword);
    if (/\d{3}/.test(keyword)) return [tellingWords(keyword.replace(AFFAIRS, ' '))];
    return wholes.some((whole) => !words.includes(whole)) ? [words] : [];
  });
  return [...[name, ...aliases].map(tellingWords), ...ofKeywords].filter((words) => words.length > 0);
}
