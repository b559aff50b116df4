import type { RegisteredFile } from '../../evidence/files/registered.ts';
import type { Checked } from './checked.ts';
import { derivedFrom } from './figures/derivation.ts';
import { EvidenceIndex } from './figures/evidence-index.ts';
import type { Figure } from './figures/figure.ts';
import { figuresIn } from './figures/figures.ts';
import { HeldLines } from './held-lines.ts';
import { type CheckedPlace, checkPlaces, keyOfPlace, placeEntry } from './place-claims.ts';
import { PlaceCheck } from './places/place-check.ts';
import { sentenceAt } from './sentence.ts';
import type { Source } from './source.ts';
import { isProposedAt } from './wording.ts';

/** One message of the roundtable. Messages are passed in the order they were heard. */
export interface Message {
  readonly agent: string;
  readonly text: string;
}

const MAX_CLAIMS = 150;
const MAX_SENTENCE = 200;

/**
 * Looks up every specific figure of the messages in the sources, and every place in the registered files. It cannot tell
 * whether a figure is used for what its source says: the judge decides that. LAW: it never reports a figure as borne out
 * that no source and no cited line holds and that does not follow from the figures next to it.
 */
export function checkCitations(
  messages: readonly Message[],
  sources: readonly Source[],
  files: readonly RegisteredFile[] = [],
): Checked[] {
  const evidence = new EvidenceIndex(sources);
  const places = new PlaceCheck(files, sources, evidence);
  const history: History = { evidence, places, firstSaid: new Map(), proposed: new Set() };
  return messages.flatMap((message, at) => checkMessage(message, history).map((one) => ({ ...one, message: at })));
}

/** What is known when a message is checked. */
interface History {
  readonly evidence: EvidenceIndex;
  readonly places: PlaceCheck;
  /** Unsupported figure or place → who said it first. */
  readonly firstSaid: Map<string, string>;
  /** Figures and places that somebody has proposed, so that everybody may mention them. */
  readonly proposed: Set<string>;
}

function checkMessage({ agent, text }: Message, history: History): Omit<Checked, 'message'>[] {
  const places = checkPlaces(text, history.places);
  const said = places.map((one) => {
    const entry = placeEntry(agent, text, one);
    return { ...entry, finding: givenHistory(history, agent, keyOfPlace(one.place), entry.finding) };
  });
  return [...said, ...checkFigures({ agent, text }, places, history)].toSorted((one, other) => one.at - other.at);
}

function checkFigures(
  { agent, text }: Message,
  places: readonly CheckedPlace[],
  history: History,
): Omit<Checked, 'message'>[] {
  const { evidence } = history;
  const isPlace = ({ start, end }: Figure) => places.some(({ place }) => start < place.end && place.start < end);
  const figures = figuresIn(text).filter((figure) => !isPlace(figure));
  const claims = figures.filter(({ specific }) => specific);
  const cited = new HeldLines(text, places);
  const supported = new Set(figures.filter((figure) => evidence.supports(figure, text) || cited.supports(figure)));
  const grounds = {
    figures,
    supported,
    common: evidence.common,
    groups: evidence.groups,
    companionsOf: (figure: Figure) => evidence.companionsOf(figure, text),
  };
  let anyDerived = false;
  const checked = claims.slice(0, MAX_CLAIMS).map((figure): Omit<Checked, 'message'> => {
    // Looked up a second time, since this very message may have derived the figure in the meantime.
    const isSupported = supported.has(figure) || (anyDerived && evidence.supports(figure, text));
    const from = isSupported ? null : derivedFrom(figure, text, grounds);
    const alone = isSupported ? 'borne-out' : withoutSupport(figure, text, from);
    // A share that somebody supposed still needs support when it is stated again.
    if (alone === 'proposed' && figure.kind === 'percent') return entryOf(agent, text, figure, alone);
    const finding = givenHistory(history, agent, keyOf(figure), alone);
    if (finding === 'derived') {
      anyDerived = true;
      supported.add(figure);
      evidence.add(text, figure, from ?? []);
    }
    return entryOf(agent, text, figure, finding);
  });
  return [...checked, ...tooMany(agent, claims.slice(MAX_CLAIMS))];
}

function entryOf(agent: string, text: string, figure: Figure, finding: Checked['finding']): Omit<Checked, 'message'> {
  return {
    agent,
    about: 'figure',
    figure: figure.text.trim(),
    at: figure.start,
    sentence: sentenceAt(text, figure.start).slice(0, MAX_SENTENCE).trim(),
    finding,
    cites: figure.kind === 'line',
    reason: null,
  };
}

/** Claims beyond the limit are not looked up, so they are unsupported. One entry reports them all. */
function tooMany(agent: string, [first, ...more]: readonly Figure[]): Omit<Checked, 'message'>[] {
  if (first === undefined) return [];
  const sentence = `This figure and ${more.length} more behind it were not looked up: a message may have ${MAX_CLAIMS}.`;
  const { text: figure, start: at } = first;
  return [
    { agent, about: 'figure', figure: figure.trim(), at, sentence, finding: 'unsupported', cites: false, reason: null },
  ];
}

/** Adjusts a finding to what was said before: somebody may be mentioning a proposal, or repeating another agent. */
function givenHistory(
  { firstSaid, proposed }: History,
  agent: string,
  key: string,
  finding: Checked['finding'],
): Checked['finding'] {
  if (finding === 'proposed') proposed.add(key);
  if (finding !== 'unsupported') return finding;
  if (proposed.has(key)) return 'proposed';
  const before = firstSaid.get(key) ?? agent;
  firstSaid.set(key, before);
  return before === agent ? 'unsupported' : 'repeated';
}

function withoutSupport(
  figure: Figure,
  text: string,
  from: readonly Figure[] | null,
): 'derived' | 'proposed' | 'unsupported' {
  if (from !== null) return 'derived';
  return isProposed(figure, text) ? 'proposed' : 'unsupported';
}

function keyOf({ kind, values, scale, keys, lines }: Figure): string {
  return JSON.stringify([kind, values.map((value) => value * scale), keys, lines]);
}

/** Whether somebody proposes or supposes a figure rather than states it as a fact. */
function isProposed(claim: Figure, text: string): boolean {
  return claim.kind !== 'line' && claim.kind !== 'version' && isProposedAt(text, claim.start);
}
