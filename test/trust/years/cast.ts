import type { Random } from '../../endurance/random.ts';
import { HOSTILE_WRONG, type Person, TURNED_WRONG, TURNS, WRONG_ONCE_IN } from './assumed.ts';

/**
 * What a sender is like. `honest`, `sloppy` and `turning` are named by their matters; a `newcomer` is honest and named
 * nowhere; a `stranger` is anybody; a `look-alike` writes from an address of its own that resembles a known one; a
 * `forger` claims the address of an honest one.
 */
export type Kind = 'honest' | 'sloppy' | 'turning' | 'newcomer' | 'stranger' | 'look-alike' | 'forger';

/** The kinds that never earn to act. */
export const OUTSIDERS: readonly Kind[] = ['stranger', 'look-alike', 'forger'];

export interface Sender {
  /** Unique, also where the address is not. */
  readonly nth: number;
  readonly kind: Kind;
  readonly channel: 'mail' | 'bank' | 'calendar';
  /** As the channel names it; a forger's is another's. */
  readonly from: string;
  /** The matters it writes about, by number. */
  readonly matters: readonly number[];
  /** How much it writes, compared with the others. */
  readonly weight: number;
  /** The day on which it turns bad; null for never. */
  readonly turnsOn: number | null;
}

const KINDS: readonly Kind[] = ['honest', 'sloppy', 'turning', 'newcomer', 'stranger', 'look-alike', 'forger'];

/** Returns a person's senders. How much each of them writes is drawn; who they are is not. */
export function castOf(random: Random, { senders, matters }: Person): readonly Sender[] {
  const kinds = KINDS.flatMap((kind) => Array.from({ length: senders[kind] }, (_, of) => ({ kind, of })));
  return kinds.map(({ kind, of }, nth) => {
    const channel = channelOf(kind, of);
    return {
      ...{ nth, kind, channel, from: fromOf(kind, of, nth, channel) },
      // Who pretends to be a known sender writes about that one's matters.
      matters: mattersOf(kind === 'forger' || kind === 'look-alike' ? of : nth, matters),
      weight: random.pick(kind === 'turning' ? [2, 3] : OUTSIDERS.includes(kind) ? [1] : [0.5, 1, 2, 3]) ?? 1,
      turnsOn: kind === 'turning' ? (TURNS[of] ?? null) : null,
    };
  });
}

/** Returns how often what a sender says is not so, on a day. */
export function wrongShare({ kind, turnsOn }: Sender, day: number): number {
  if (kind === 'look-alike' || kind === 'forger') return HOSTILE_WRONG;
  if (kind !== 'turning') return 1 / WRONG_ONCE_IN[kind];
  return turnsOn !== null && day >= turnsOn ? TURNED_WRONG : 1 / WRONG_ONCE_IN.honest;
}

/** Returns the senders that a matter names. */
export function namedBy(cast: readonly Sender[], matter: number): string[] {
  return cast
    .filter(({ kind, matters }) => ['honest', 'sloppy', 'turning'].includes(kind) && matters.includes(matter))
    .map(({ from }) => from);
}

/** Every third of the known senders that are no people comes by the bank or the calendar. */
function channelOf(kind: Kind, of: number): Sender['channel'] {
  if (kind === 'honest' && of % 5 === 3) return 'bank';
  return (kind === 'honest' || kind === 'sloppy') && of % 5 === 4 ? 'calendar' : 'mail';
}

function fromOf(kind: Kind, of: number, nth: number, channel: Sender['channel']): string {
  if (channel === 'bank') return `Firm ${nth} Ltd`;
  if (kind === 'forger') return address(of);
  return kind === 'look-alike'
    ? address(of).replace(/[elos](?=[a-z-]*\.)/, (letter) => TWINS[letter] ?? letter)
    : address(nth);
}

const TRADES = ['bakery', 'clinic', 'energy', 'foundry', 'school', 'hotel', 'joinery', 'museum'];
const PLACES = ['amber-lane', 'birch-hill', 'copper-gate', 'delta-quay', 'elm-court'];
const TWINS: Readonly<Record<string, string>> = { e: '3', l: '1', o: '0', s: '5' };

// No two differ by a letter alone: else the program would take one for the other's look-alike.
function address(nth: number): string {
  return `office@${TRADES[nth % TRADES.length]}-${PLACES[Math.floor(nth / TRADES.length)]}.example`;
}

/** Each sender has to do with one matter, every fourth with two. */
function mattersOf(nth: number, count: number): readonly number[] {
  const [first, second] = [nth % count, (nth + 2) % count];
  return nth % 4 === 0 ? [first, second] : [first];
}
