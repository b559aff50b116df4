import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { codesIn } from '../money/reference.ts';
import { byNouns } from '../targets/fitting/leads.ts';
import { linksIn } from '../targets/link.ts';
import { isBeside } from '../targets/nearness.ts';
import { type RankedTarget, rankTargets } from '../targets/ranking.ts';
import { SCORE, TARGET_FLOOR } from '../targets/score.ts';
import type { TargetCandidate, TargetIndex } from '../targets/target-index.ts';
import type { Clue } from '../targets/target-query.ts';

/** A number or code that one note alone has names it as well as its sender's address does. */
const REFERENCE = SCORE.sender;
/** Words in common that are no name as a whole: most of them must be there. */
const WORDS_FLOOR = 0.7;

/**
 * Returns the notes that an appointment may be about, best first, each with its score and why. Names and keywords are looked
 * for in its title; in its description only what is meant to point somewhere: links, numbers and codes.
 */
export function fittingNotes(event: StreamEvent, index: TargetIndex): readonly RankedTarget[] {
  const ranked = rankTargets(index, { ...event, text: pointersIn(event.text) }, clueOf(event));
  const all = new Map(ranked.map((each) => [each.candidate.path, each]));
  for (const found of referencedIn(event, index)) {
    const known = all.get(found.candidate.path) ?? found;
    if (known === found || known.score < found.score) {
      all.set(known.candidate.path, { ...found, evidence: known.evidence });
    }
  }
  return [...all.values()]
    .filter(({ score, evidence }) => score >= (evidence.every((kind) => kind === 'words') ? WORDS_FLOOR : TARGET_FLOOR))
    .toSorted((one, other) => other.score - one.score);
}

/** Returns whether what leads to a note stands in the title, or is the one link of the entry. */
export function leadsStraight(note: TargetCandidate, event: StreamEvent, index: TargetIndex): boolean {
  const linked = new Set(linksIn(event.text).flatMap(({ target }) => index.byLink(target)));
  return (linked.size === 1 && linked.has(note.path)) || isBeside(note, event, clueOf(event), index);
}

function clueOf({ subject }: StreamEvent): Clue {
  return { sentence: subject, verbs: [], otherVerbs: [], class: 'context_edit' };
}

function pointersIn(text: string): string {
  return [...linksIn(text).map(({ target }) => `[[${target}]]`), ...codesIn(text)].join('\n');
}

function referencedIn({ subject, text, from }: StreamEvent, index: TargetIndex): RankedTarget[] {
  const senders = new Set(index.bySender(from ?? '').map(({ path }) => path));
  const paths = new Map([...codesIn(`${subject}\n${text}`)].map((code) => [index.byReference(code), code] as const));
  return [...paths].flatMap(([path, code]) => {
    const candidate = path === null ? null : index.get(path);
    if (candidate === null) return [];
    const isSender = senders.has(candidate.path) || senders.has(candidate.matterPath ?? '');
    const evidence = isSender ? (['reference', 'sender'] as const) : (['reference'] as const);
    return [
      {
        candidate,
        score: isSender ? SCORE.senderAndPhrase : REFERENCE,
        leads: byNouns(`the number ${code}`),
        evidence,
      },
    ];
  });
}
