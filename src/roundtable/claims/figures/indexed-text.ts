import { lineAt } from '../sentence.ts';
import type { Figure } from './figure.ts';
import { FigureIndex, type IndexedFigure } from './figure-index.ts';
import { figuresIn } from './figures.ts';

/** Returns a figure of a text as it is indexed. `from`: what it was derived from, or null. */
export function indexedIn(text: string, figure: Figure, from: readonly Figure[] | null = null): IndexedFigure {
  return { figure, line: lineAt(text, figure.start), beside: null, from };
}

/** Returns an index of all figures of a text. */
export function indexOf(text: string): FigureIndex {
  return new FigureIndex(figuresIn(text).map((figure) => indexedIn(text, figure)));
}
