import { ownSubject } from '../mail/own-words.ts';
import { viewOf } from '../mail/sentence.ts';
import { byNouns, type Leads } from './fitting/leads.ts';
import { foldedTarget, linksIn } from './link.ts';
import { SCORE } from './score.ts';
import type { TargetIndex } from './target-index.ts';
import type { TargetQuery } from './target-query.ts';

/** What an event has that points to one note by itself. */
export interface DirectMatch {
  /** The score of the best link to the note; 0 without one. */
  link: number;
  /** Whether the author's own words have a link that can mean no other note. */
  isLinkedAlone: boolean;
  sender: 'exact' | 'domain' | null;
  /** The best name or keyword: its score, how near to the clue it is, which of the two it is, and how long. */
  phrase: { score: number; weight: number; kind: string; words: number } | null;
  /** Which of the note's phrases the event has. */
  readonly phrases: Set<'name' | 'keyword'>;
}

/** How strongly a match points to its note, 0–1, and what leads there. */
interface MatchStrength {
  readonly score: number;
  readonly leads: Leads;
}

/** How much a phrase counts, by where it is: in the clue's sentence, the subject, or elsewhere. */
const PHRASE_WEIGHT = { sentence: 1, subject: 0.98, elsewhere: 0.88 } as const;

/** Returns the notes that the event links to, that its sender belongs to, or that it names, by path. */
export function directMatches(index: TargetIndex, query: TargetQuery): ReadonlyMap<string, DirectMatch> {
  const matches = new Map<string, DirectMatch>();
  addLinks(index, query, matches);
  for (const { path, exact } of index.bySender(query.event.from ?? ''))
    matchOf(matches, path).sender = exact ? 'exact' : 'domain';
  addPhrases(index, query.sentence, PHRASE_WEIGHT.sentence, matches);
  addPhrases(index, query.subject, PHRASE_WEIGHT.subject, matches);
  addPhrases(index, query.text, PHRASE_WEIGHT.elsewhere, matches);
  return matches;
}

/** Returns how strong a match is. A task with a name or keyword also counts its matter's sender. */
export function strengthOf(own: DirectMatch, matter: DirectMatch | undefined): MatchStrength {
  if (own.link > 0) return { score: own.link, leads: byNouns('a link') };
  const { phrase } = own;
  const sender = own.sender ?? (phrase === null ? null : (matter?.sender ?? null));
  if (sender === null) return { score: phrase?.score ?? 0, leads: byNouns(`the ${phrase?.kind ?? 'name'}`) };
  const isExact = sender === 'exact';
  const who = isExact ? 'the sender' : "the sender's domain";
  if (phrase === null) return { score: isExact ? SCORE.sender : SCORE.domain, leads: byNouns(who) };
  const both = isExact ? SCORE.senderAndPhrase : SCORE.domainAndPhrase;
  // A name far from the clue passes half of its doubt on to the pair.
  return { score: both * (0.5 + 0.5 * phrase.weight), leads: byNouns(who, `the ${phrase.kind}`) };
}

function matchOf(matches: Map<string, DirectMatch>, path: string): DirectMatch {
  const known = matches.get(path);
  if (known !== undefined) return known;
  const fresh: DirectMatch = { link: 0, isLinkedAlone: false, sender: null, phrase: null, phrases: new Set() };
  matches.set(path, fresh);
  return fresh;
}

function addLinks(index: TargetIndex, { event, clue }: TargetQuery, matches: Map<string, DirectMatch>): void {
  const own = [...linksIn(event.subject), ...linksIn(event.text)].map((link) => link.target);
  const near = new Set(linksIn(clue?.sentence ?? '').map((link) => foldedTarget(link.target)));
  for (const target of own) {
    const isElsewhere = near.size > 0 && !near.has(foldedTarget(viewOf(target)));
    addLink(index, target, isElsewhere ? SCORE.linkElsewhere : SCORE.link, matches);
  }
  for (const { target } of own.length > 0 ? [] : linksIn(event.quoted))
    addLink(index, target, SCORE.linkInHistory, matches);
  // A link in the subject of a reply is as old as the mail that is answered.
  for (const { target } of [...linksIn(ownSubject(event)), ...linksIn(event.text)]) {
    const [only, another] = index.byLink(target);
    if (only !== undefined && another === undefined) matchOf(matches, only).isLinkedAlone = true;
  }
}

function addLink(index: TargetIndex, target: string, score: number, matches: Map<string, DirectMatch>): void {
  for (const path of index.byLink(target)) {
    const match = matchOf(matches, path);
    match.link = Math.max(match.link, score);
  }
}

function addPhrases(
  index: TargetIndex,
  words: readonly string[],
  weight: number,
  matches: Map<string, DirectMatch>,
): void {
  for (const hit of index.phrasesIn(words)) {
    const score = SCORE[hit.kind][hit.words > 1 ? 1 : 0] * weight;
    const match = matchOf(matches, hit.path);
    match.phrases.add(hit.kind);
    if (score > (match.phrase?.score ?? 0)) match.phrase = { score, weight, kind: hit.kind, words: hit.words };
  }
}
