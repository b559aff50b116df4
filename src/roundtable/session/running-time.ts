import type { Entry, Phase, Ran, Said } from '../log/log.ts';
import type { Untimed } from './session.ts';

/** Returns the log entry of a phase that has run, from all that was said in it. `wall`: its elapsed seconds. */
export function ranOf(
  round: number,
  phase: Phase,
  said: readonly Pick<Said, 'who' | 'seconds'>[],
  wall: number,
): Untimed<Extract<Entry, Pick<Ran, 'what'>>> {
  return {
    what: 'ran',
    round,
    phase,
    wall_seconds: wall,
    agents_seconds: said.reduce((sum, { seconds }) => sum + seconds, 0),
    agents: new Set(said.map(({ who }) => who)).size,
  };
}

/** Returns how many seconds of the clock these turns filled; those in which several spoke at once count once. */
export function secondsCovered(said: readonly Pick<Said, 'at' | 'seconds'>[]): number {
  const spans = said.map(({ at, seconds }) => ({ from: Date.parse(at) - seconds * 1000, to: Date.parse(at) }));
  let [covered, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    covered += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return covered / 1000;
}
