import type { Figure } from './figures/figure.ts';
import { FigureIndex, supports } from './figures/figure-index.ts';
import { figuresIn } from './figures/figures.ts';
import type { CheckedPlace } from './place-claims.ts';
import { lineAt, sentenceBounds } from './sentence.ts';

/** The lines of registered files that a message cites and that hold what it says. They bear out what stands beside them. */
export class CitedLines {
  readonly #cited: readonly { readonly start: number; readonly end: number; readonly figures: FigureIndex }[];

  constructor(text: string, places: readonly CheckedPlace[]) {
    this.#cited = places.flatMap(({ place, finding }) =>
      finding.holds && finding.lines !== ''
        ? [{ ...sentenceBounds(text, place.start), figures: figuresOf(finding.lines) }]
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

function figuresOf(lines: string): FigureIndex {
  return new FigureIndex(
    figuresIn(lines).map((figure) => ({ figure, line: lineAt(lines, figure.start), beside: null })),
  );
}
