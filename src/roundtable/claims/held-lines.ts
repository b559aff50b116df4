import type { Figure } from './figures/figure.ts';
import { type FigureIndex, supports } from './figures/figure-index.ts';
import { indexOf } from './figures/indexed-text.ts';
import type { CheckedPlace } from './place-claims.ts';
import { sentenceBounds } from './sentence.ts';

/** The lines of registered files that a message cites and that hold what it says. They bear out what stands beside them. */
export class HeldLines {
  readonly #cited: readonly { readonly start: number; readonly end: number; readonly figures: FigureIndex }[];

  constructor(text: string, places: readonly CheckedPlace[]) {
    this.#cited = places.flatMap(({ place, finding }) =>
      finding.holds && finding.lines !== ''
        ? [{ ...sentenceBounds(text, place.start), figures: indexOf(finding.lines) }]
        : [],
    );
  }

  /** Whether a line that is cited in the sentence of a figure holds it. */
  supports(figure: Figure): boolean {
    return this.#cited.some(
      ({ start, end, figures }) =>
        figure.start >= start && figure.start < end && figures.near(figure).some((one) => supports(one, figure)),
    );
  }
}
