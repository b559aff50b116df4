import { isDerived } from './derivation.ts';
import { EvidenceIndex } from './evidence-index.ts';
import type { Figure } from './figure.ts';
import { figuresIn } from './figures.ts';
import { sentenceAt, sentenceBounds } from './sentence.ts';
import type { Source } from './source.ts';

/** One message of the roundtable. Messages are passed in the order they were heard. */
export interface Message {
  readonly agent: string;
  readonly text: string;
}

/** A figure that somebody stated, and the result of looking it up. */
export interface Checked {
  readonly agent: string;
  /** The index of its message, from 0. */
  readonly message: number;
  readonly figure: string;
  /** Its offset in the message. */
  readonly at: number;
  /** The sentence around it, cut short. */
  readonly sentence: string;
  /**
   * `borne-out` by a source; `derived` from figures next to it that are; `proposed`, so not a statement of fact;
   * `repeated` after somebody else who said it first; or `unsupported`.
   */
  readonly finding: 'borne-out' | 'derived' | 'proposed' | 'repeated' | 'unsupported';
  /** Whether it cites a line of a file. */
  readonly cites: boolean;
}

const MAX_CLAIMS = 150;
const MAX_SENTENCE = 200;

/**
 * Looks up every specific figure of the messages in the sources. It cannot tell whether a figure is used for what its
 * source says: the judge decides that. LAW: it never reports a figure as borne out that no source holds and that does
 * not follow from the figures next to it.
 */
export function checkCitations(messages: readonly Message[], sources: readonly Source[]): Checked[] {
  const history: History = { evidence: new EvidenceIndex(sources), firstSaid: new Map(), proposed: new Set() };
  return messages.flatMap((message, at) => checkMessage(message, history).map((one) => ({ ...one, message: at })));
}

/** What is known when a message is checked. */
interface History {
  readonly evidence: EvidenceIndex;
  /** Unsupported figure → who said it first. */
  readonly firstSaid: Map<string, string>;
  /** Figures that somebody has proposed, so that everybody may mention them. */
  readonly proposed: Set<string>;
}

function checkMessage({ agent, text }: Message, history: History): Omit<Checked, 'message'>[] {
  const { evidence } = history;
  const figures = figuresIn(text);
  const claims = figures.filter(({ specific }) => specific);
  const supported = new Set(figures.filter((figure) => evidence.supports(figure, text)));
  let anyDerived = false;
  const checked = claims.slice(0, MAX_CLAIMS).map((figure): Omit<Checked, 'message'> => {
    // Looked up a second time, since this very message may have derived the figure in the meantime.
    const isSupported = supported.has(figure) || (anyDerived && evidence.supports(figure, text));
    const alone = isSupported ? 'borne-out' : withoutSupport(figure, text, figures, supported);
    const finding = givenHistory(history, agent, figure, alone);
    if (finding === 'derived') {
      anyDerived = true;
      supported.add(figure);
      evidence.add(text, figure);
    }
    return {
      agent,
      figure: figure.text.trim(),
      at: figure.start,
      sentence: sentenceAt(text, figure.start).slice(0, MAX_SENTENCE).trim(),
      finding,
      cites: figure.kind === 'line',
    };
  });
  return [...checked, ...tooMany(agent, claims.slice(MAX_CLAIMS))];
}

/** Claims beyond the limit are not looked up, so they are unsupported. One entry reports them all. */
function tooMany(agent: string, [first, ...more]: readonly Figure[]): Omit<Checked, 'message'>[] {
  if (first === undefined) return [];
  const sentence = `This figure and ${more.length} more behind it were not looked up: a message may have ${MAX_CLAIMS}.`;
  return [{ agent, figure: first.text.trim(), at: first.start, sentence, finding: 'unsupported', cites: false }];
}

/** Adjusts a finding to what was said before: somebody may be mentioning a proposal, or repeating another agent. */
function givenHistory(
  { firstSaid, proposed }: History,
  agent: string,
  figure: Figure,
  finding: Checked['finding'],
): Checked['finding'] {
  const key = keyOf(figure);
  // A share that somebody supposed still needs support when it is stated again.
  if (finding === 'proposed' && figure.kind !== 'percent') proposed.add(key);
  if (finding !== 'unsupported') return finding;
  if (proposed.has(key)) return 'proposed';
  const before = firstSaid.get(key) ?? agent;
  firstSaid.set(key, before);
  return before === agent ? 'unsupported' : 'repeated';
}

function withoutSupport(
  figure: Figure,
  text: string,
  figures: readonly Figure[],
  supported: ReadonlySet<Figure>,
): 'derived' | 'proposed' | 'unsupported' {
  if (isDerived(figure, text, figures, supported)) return 'derived';
  return isProposed(figure, text) ? 'proposed' : 'unsupported';
}

function keyOf({ kind, values, scale, keys, lines }: Figure): string {
  return JSON.stringify([kind, values.map((value) => value * scale), keys, lines]);
}

const PROPOSES =
  /\b(?:(?:I|we)(?:'d| would| could| should| might)?\s(?:propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle)|let us|let's|should\s(?:be|wait|set|cap|aim)|my (?:proposal|suggestion)|suppose|imagine|assume|assuming|what if|hypothetically)\b[^.;:?!]{0,100}$/i;

/** Whether somebody proposes or supposes a figure rather than states it as a fact. */
function isProposed(claim: Figure, text: string): boolean {
  if (claim.kind === 'line' || claim.kind === 'version') return false;
  const before = text.slice(sentenceBounds(text, claim.start).start, claim.start);
  return (
    PROPOSES.test(before) && !/\b(?:because|since|as|shows?|showed|found|measured|says?|already|of the)\b/i.test(before)
  );
}
